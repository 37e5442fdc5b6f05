/**
 * The keywords of all drafts of JSON Schema: which of them assert something, and in which drafts. They distinguish a schema
 * from a payload that is passed as one by mistake, and a keyword from one that a draft does not have.
 */
import type { SchemaError } from '../errors.ts';
import { once } from '../json/on-demand.ts';
import { isJsonObject } from '../json/value.ts';
import { DIALECT, DIALECT_KEYWORDS } from './dialect.ts';
import type { RawSchema } from './document.ts';
import { DRAFTS, type Draft, type DraftKeyword, type KeywordTable } from './drafts.ts';
import { faultAt } from './faults.ts';
import { TYPE_NAMES, type TypeName } from './names.ts';
import { isForeign, isOfAuthor } from './vocabularies.ts';
import type { Ways } from './ways.ts';

/** The row of a keyword in the newest draft that has it; null: no draft has it. */
function rowOf(name: string): DraftKeyword | null {
  return DRAFTS.findLast(({ keywords }) => Object.hasOwn(keywords, name))?.keywords[name] ?? null;
}

/** Whether a keyword with these rows can reject a value, or leads to a keyword that can. */
export function asserts(keywords: KeywordTable, name: string): boolean {
  return Object.hasOwn(keywords, name) && canReject(keywords[name]!);
}

function canReject({ role }: DraftKeyword): boolean {
  return role !== 'identity' && role !== 'annotation';
}

/** The keyword that draft 3, which paylint does not read, has by this name; undefined: none. */
function formerly(name: string): string | undefined {
  return DIALECT_KEYWORDS.find((keyword) => DIALECT[keyword].formerly === name);
}

/** True for a name that is not one of `keywords` and that means something in another draft. */
export function isOfOtherDraft(name: string, keywords: KeywordTable): boolean {
  if (Object.hasOwn(keywords, name)) return false;
  const hasInstead = rowOf(name)?.instead !== undefined || formerly(name) !== undefined;
  return hasInstead || DRAFTS.some((draft) => asserts(draft.keywords, name));
}

/** For such a name: what to write in a schema of `draft`, as the end of a sentence. */
export function insteadOf(name: string, draft: Draft): string {
  const current = formerly(name);
  const instead = current === undefined ? rowOf(name)?.instead : `"${current}"`;
  if (instead !== undefined) return `did you mean ${instead}?`;
  const other = DRAFTS.find(({ keywords }) => asserts(keywords, name)) ?? draft;
  return `"$schema": "${other.uri}" has it, ${draft.title} has nothing like it`;
}

/** True for a keyword that can reject a value, or leads to one that does. */
function isAsserting(name: string): boolean {
  if (name === '$defs' || name === 'definitions') return true;
  const row = rowOf(name);
  return row !== null && canReject(row);
}

/** The keywords of all drafts for which that is so. */
export const assertingKeywords = once((): readonly string[] =>
  [...new Set(DRAFTS.flatMap(({ keywords }) => Object.keys(keywords)))].filter(isAsserting),
);

/** With one of these, an object is a schema even if nothing in it can reject anything. */
const SCHEMA_ONLY = ['$schema', '$anchor', '$defs', '$vocabulary'];

/** False for an object without any sign of a JSON Schema: it would accept everything by mistake. */
export function looksLikeSchema(schema: RawSchema): boolean {
  if (!isJsonObject(schema)) return true;
  const names = Object.keys(schema);
  const keywords = names.filter((name) => isAsserting(name) || SCHEMA_ONLY.includes(name));
  // Payloads and config files have members with these names too.
  const shared = new Set(['format', '$schema', 'type']);
  const strange = names.some((name) => rowOf(name) === null);
  if (!strange || keywords.some((name) => !shared.has(name))) return keywords.length > 0;
  return keywords.some((name) => isSchemaValue(name, schema[name]));
}

function isSchemaValue(keyword: string, value: unknown): boolean {
  if (keyword === '$schema') return typeof value === 'string' && value.includes('json-schema.org/');
  if (keyword !== 'type') return false;
  const types: unknown[] = Array.isArray(value) ? value : [value];
  return types.every((type) => TYPE_NAMES.includes(type as TypeName)); // if it is one
}

/** True for a keyword of a draft, and for one that paylint adds to every draft. */
export function isReserved(name: string): boolean {
  return rowOf(name) !== null || isOfAuthor(name);
}

/** The error for the schema that is the file at `place`. `near`: a keyword that one of its members probably means. */
export function noKeyword(place: string, ways: Ways, near: string | null = null): SchemaError {
  const isConfig = /(?:^|\/)paylint\.config\.json#$/.test(place);
  const other = isConfig ? `is it a config? ${ways.config} takes it` : 'is it a payload?';
  const guess = near === null ? other : `did you mean "${near}"?`;
  return faultAt(place, `the schema has no JSON Schema keyword, so it accepts everything; ${guess}`);
}

/** True for a keyword of any draft, and for those of other dialects. */
export function isKnown(name: string): boolean {
  return rowOf(name) !== null || isForeign(name) || isOfAuthor(name) || name === 'example' || /^x-/i.test(name);
}
