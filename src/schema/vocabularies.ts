/**
 * Keywords of other dialects, which no draft of JSON Schema has. They assert nothing, and a warning says so. Some are a
 * vocabulary that the caller can declare.
 */

import type { VocabularyName } from '../types.ts';
import type { CallerKeywords } from './caller-keywords.ts';
import type { RawObject } from './document.ts';
import { type KeywordTable, keywords } from './drafts.ts';

/** The keywords of OpenAPI 3.0 (schema object): `nullable` adds null to `type`, and `enum` must list it itself. */
const OPENAPI: KeywordTable = {
  ...keywords('asserts', null, { boolean: 'nullable' }),
  ...keywords('annotation', null, { any: 'discriminator' }),
};

const VOCABULARIES: Readonly<Record<VocabularyName, KeywordTable>> = { openapi: OPENAPI };

/** What paylint adds to every draft: what authors say of violations (ajv-errors and VS Code have the same keywords). */
const AUTHOR: KeywordTable = keywords('annotation', null, {
  any: 'errorMessage',
  string: 'patternErrorMessage deprecationMessage',
});

/** `table` with the keywords of paylint, of vocabularies and of the caller. */
export function withDeclared(
  table: KeywordTable,
  declared: readonly VocabularyName[] = [],
  own: CallerKeywords = new Map(),
): KeywordTable {
  const known = WITH_AUTHOR.get(table) ?? { ...table, ...AUTHOR };
  WITH_AUTHOR.set(table, known);
  WITH_AUTHOR.set(known, known);
  if (declared.length + own.size === 0) return known;
  const more = [...own.keys()].map((name) => keywords('asks', null, { any: name }));
  return Object.assign({}, known, ...declared.map((name) => VOCABULARIES[name]), ...more) as KeywordTable; // of tables
}

/** Made once, because a table is known by itself. */
const WITH_AUTHOR = new WeakMap<KeywordTable, KeywordTable>();

/** True for a keyword that paylint adds to every draft. */
export function isOfAuthor(name: string): boolean {
  return Object.hasOwn(AUTHOR, name);
}

/** By dialect, its keywords, with what to write instead; '': there is nothing like it. */
const DIALECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OpenAPI: { nullable: '', discriminator: '"oneOf" with a "const" in each alternative' },
  'Ajv (ajv-formats)': {
    formatMinimum: '"pattern"',
    formatMaximum: '"pattern"',
    formatExclusiveMinimum: '"pattern"',
    formatExclusiveMaximum: '"pattern"',
  },
  'Ajv (ajv-keywords)': {
    typeof: '"type"',
    instanceof: '"type"',
    range: '"minimum" and "maximum"',
    exclusiveRange: '"exclusiveMinimum" and "exclusiveMaximum"',
    regexp: '"pattern"',
    transform: '',
    uniqueItemProperties: '',
    allRequired: '"required"',
    anyRequired: '"anyOf" with "required"',
    oneRequired: '"oneOf" with "required"',
    patternRequired: '',
    prohibited: '"not" with "required"',
    deepProperties: '"properties"',
    deepRequired: '"required"',
    dynamicDefaults: '"default"',
    select: '"if" and "then"',
    selectCases: '"if" and "then"',
    selectDefault: '"else"',
  },
  Ajv: { $merge: '"allOf"', $patch: '"allOf"', patternGroups: '"patternProperties"', constant: '"const"' },
  MongoDB: { bsonType: '"type"' },
};

/** The dialect of a keyword that no draft has; undefined: there is none. */
function dialectOf(name: string): string | undefined {
  return Object.keys(DIALECTS).find((dialect) => Object.hasOwn(DIALECTS[dialect]!, name));
}

/** True for a keyword of another dialect. */
export function isForeign(name: string): boolean {
  return dialectOf(name) !== undefined;
}

/** Why such a keyword of `schema` asserts nothing, and what to write instead; null for any other. */
export function foreignFault(name: string, schema: RawObject): string | null {
  const dialect = dialectOf(name);
  if (dialect === undefined) return null;
  const instead = name === 'nullable' ? nullableType(schema) : DIALECTS[dialect]![name];
  const hint = instead === '' ? '' : `; write ${instead}`;
  return `"${name}" is a keyword of ${dialect}, so it asserts nothing${hint}`;
}

function nullableType({ type = 'string' }: RawObject): string {
  const types = [type].flat().filter((one) => one !== 'null');
  const text = [...types, 'null'].map((one) => JSON.stringify(one)).join(', ');
  return `"type": [${text}], or declare "vocabularies": ["openapi"] in the config`;
}
