/** The options of `openPaylint` that say how a schema is read and what counts as an error. No files, no config. */
import { UsageError } from '../errors.ts';
import { isJsonObject } from '../json/value.ts';
import { RULES } from '../keywords/rules.ts';
import type { CallerKeyword, CallerKeywords } from '../schema/caller-keywords.ts';
import { DRAFTS } from '../schema/drafts.ts';
import type { OwnFormat } from '../schema/formats/format.ts';
import { isReserved } from '../schema/known-keywords.ts';
import { TYPE_NAMES } from '../schema/names.ts';
import { formatOfRegExp } from '../schema/regexp.ts';
import { nameFault } from '../schema/suspect.ts';
import { VOCABULARY_NAMES, type VocabularyName } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { guessed } from '../words/near.ts';
import { OWN_RULES } from '../words/own-rules.ts';
import type { RuleLevels } from '../words/rule-levels.ts';
import type { BrowserOptions, PaylintOptions, RuleSetting } from './api.ts';

const OF_FILES = ['advice', 'baseline', 'config'];

/** `where`: there are no files there; `others`: options that are not there either. Throws UsageError. */
export function requireValues(options: BrowserOptions, where: string, ...others: string[]): void {
  const other = [...OF_FILES, ...others].find((name) => name in options);
  if (other !== undefined) throw new UsageError(`openPaylint: ${visible(other)} is not there ${where}`);
  for (const [name, value] of Object.entries({ schema: options.schema, ...Object(options.refs) }))
    if (typeof value === 'string')
      throw new UsageError(
        `openPaylint: ${visible(name)} is a path, and there are no files ${where}: give the schema itself`,
      );
}

/** Throws UsageError. */
export function requireDraft({ draft }: PaylintOptions): void {
  const drafts = DRAFTS.map(({ name }) => name);
  if (draft !== undefined && !drafts.includes(draft))
    throw new UsageError(`there is no draft "${visible(String(draft))}"; there are ${drafts.join(', ')}`);
}

/** By name. Throws UsageError. */
export function formatsGiven({ formats = {} }: PaylintOptions): readonly [name: string, format: OwnFormat | false][] {
  return Object.entries(formats).map(([name, given]) => {
    const fault = nameFault(name, given === false);
    if (fault !== null) throw new UsageError(`formats: ${fault}`);
    if (given === false || typeof given === 'function') return [name, given && { test: given }];
    if (!(given instanceof RegExp))
      throw new UsageError(`formats: expected a RegExp, a function or false for ${visible(name)}`);
    return [name, formatOfRegExp(given, name)];
  });
}

/** A name that is no member of every object, and no rule with a hyphen of paylint's own. */
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_]*$|^x-[A-Za-z0-9_-]+$/;

/** Throws UsageError. */
export function keywordsOf({ keywords = {} }: PaylintOptions): CallerKeywords {
  if (!isJsonObject(keywords)) throw new UsageError('keywords: expected an object');
  const own = Object.entries(keywords).map(([name, given]): [string, CallerKeyword] => {
    const fault = keywordFault(name, given);
    if (fault !== null) throw new UsageError(`keywords: ${fault}`);
    const { type } = given;
    return [name, { name, type, validate: (...args) => given.validate(...args) }];
  });
  return new Map(own);
}

function keywordFault(name: string, given: unknown): string | null {
  if (isReserved(name)) return `${quote(name)} is a keyword of JSON Schema, which cannot be redefined`;
  if (RULES.has(name)) return `${quote(name)} is a rule of paylint`;
  if (!PLAIN_NAME.test(name) || name in {})
    return `expected a name of letters, digits and "_" (or "x-…"), found ${quote(name)}`;
  if (!isJsonObject(given) || typeof given.validate !== 'function')
    return `expected { type, validate } for ${name}, with a function`;
  const other = Object.keys(given).find((one) => one !== 'type' && one !== 'validate');
  if (other !== undefined) return `${name} has "type" and "validate", and no ${quote(other)}`;
  const types: readonly unknown[] = given.type === undefined ? [] : [given.type].flat();
  const wrong = types.find((one) => !TYPE_NAMES.some((known) => known === one));
  return wrong === undefined
    ? null
    : `expected the type of ${name} to be one of ${TYPE_NAMES.join(', ')}, found ${quote(String(wrong))}`;
}

/** Undefined: none are given. Throws UsageError. */
export function vocabulariesGiven({ vocabularies }: PaylintOptions): readonly VocabularyName[] | undefined {
  const all: readonly string[] | undefined = vocabularies;
  if (all === undefined) return undefined;
  if (!Array.isArray(all)) throw new UsageError('vocabularies: expected a list, such as ["openapi"]');
  const unknown = all.find((name) => !VOCABULARY_NAMES.some((one) => one === name));
  if (unknown === undefined) return vocabularies;
  const known = VOCABULARY_NAMES.join(', ');
  throw new UsageError(`vocabularies: there is no "${visible(String(unknown))}"; there are ${known}`);
}

const LEVELS = ['error', 'warning', 'off'] as const;

/** Throws UsageError for a rule or a level that does not exist. */
export function levelsOf(rules: Readonly<Record<string, RuleSetting>> = {}, own: readonly string[] = []): RuleLevels {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules))
    throw new UsageError('rules: expected an object such as { maxLength: "warning" }');
  const entries = Object.entries(rules).map(([rule, setting]) => {
    if (!RULES.has(rule) && !own.includes(rule) && !rule.startsWith('check/'))
      throw new UsageError(`rules: there is no rule "${visible(rule)}"${guessed(rule, [...RULES.keys(), ...own])}`);
    const level = LEVELS.find((one) => one === (setting === 'warn' ? 'warning' : setting));
    const fixed = (OWN_RULES as Readonly<Record<string, { readonly isFatal?: boolean }>>)[rule]?.isFatal;
    if (level === undefined || (fixed && level !== 'error')) {
      const levels = fixed ? 'error' : LEVELS.join(', ');
      throw new UsageError(`rules: ${rule} can be ${levels}, found ${visible(String(setting))}`);
    }
    return [rule, level] as const;
  });
  return Object.fromEntries(entries);
}
