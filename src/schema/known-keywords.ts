/**
 * The keywords of JSON Schema, which distinguish a schema from a payload that is passed as one by mistake; and those
 * of other dialects, which no draft has: they assert nothing, and a warning says so. Some are a vocabulary that the
 * caller can declare.
 */
import { SchemaError } from '../errors.ts';
import { once } from '../input/seldom.ts';
import { isJsonObject } from '../json/value.ts';
import type { VocabularyName } from '../types.ts';
import type { RawObject, RawSchema } from './document.ts';
import { DRAFTS, type KeywordTable, keywords, type Role } from './drafts.ts';

/** What a keyword does in the newest draft that has it; null: no draft has it. */
function roleOf(name: string): Role | null {
  const draft = DRAFTS.findLast(({ keywords }) => Object.hasOwn(keywords, name));
  return draft === undefined ? null : draft.keywords[name]!.role;
}

/** True for a keyword that can reject a value, or leads to one that does. */
function isAsserting(name: string): boolean {
  if (name === '$defs' || name === 'definitions') return true;
  const role = roleOf(name);
  return role !== null && role !== 'identity' && role !== 'annotation';
}

/** The keywords of all drafts for which that is so. */
export const assertingKeywords = once((): readonly string[] =>
  [...new Set(DRAFTS.flatMap(({ keywords }) => Object.keys(keywords)))].filter(isAsserting),
);

/** With one of these, an object is a schema even if nothing in it can reject anything. */
const SCHEMA_ONLY = words('$schema $anchor $defs $vocabulary');

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** False for an object without any sign of a JSON Schema: it would accept everything by mistake. */
export function looksLikeSchema(schema: RawSchema): boolean {
  if (!isJsonObject(schema)) return true;
  const names = Object.keys(schema);
  const keywords = names.filter((name) => isAsserting(name) || SCHEMA_ONLY.has(name));
  // Payloads and config files have members with these names too.
  const shared = new Set(['format', '$schema', 'type']);
  const strange = names.some((name) => roleOf(name) === null);
  if (!strange || keywords.some((name) => !shared.has(name))) return keywords.length > 0;
  return keywords.some((name) => isSchemaValue(name, schema[name]));
}

const TYPES = words('null boolean object array number integer string');

function isSchemaValue(keyword: string, value: unknown): boolean {
  if (keyword === '$schema') return typeof value === 'string' && value.includes('json-schema.org/');
  if (keyword !== 'type') return false;
  const types: unknown[] = Array.isArray(value) ? value : [value];
  return types.every((type) => typeof type === 'string' && TYPES.has(type));
}

/** The error for the schema in the file `name`. `near`: a keyword that one of its members probably means. */
export function noKeyword(name: string, near: string | null = null): SchemaError {
  const isConfig = /(?:^|\/)paylint\.config\.json$/.test(name);
  const other = isConfig ? 'is it a config? --config takes it' : 'is it a payload?';
  const guess = near === null ? other : `did you mean "${near}"?`;
  return new SchemaError(`the schema ${name} has no JSON Schema keyword, so it accepts everything; ${guess}`);
}

/** True for a keyword of any draft, and for those of other dialects. */
export function isKnown(name: string): boolean {
  return roleOf(name) !== null || isForeign(name) || name === 'example' || /^x-/i.test(name);
}

/** The keywords of OpenAPI 3.0 (schema object): `nullable` adds null to `type`, and `enum` must list it itself. */
const OPENAPI: KeywordTable = {
  ...keywords('asserts', null, { boolean: 'nullable' }),
  ...keywords('annotation', null, { any: 'discriminator' }),
};

const VOCABULARIES: Readonly<Record<VocabularyName, KeywordTable>> = { openapi: OPENAPI };

/** `table` with the keywords of vocabularies. */
export function withDeclared(table: KeywordTable, declared: readonly VocabularyName[] = []): KeywordTable {
  if (declared.length === 0) return table;
  return Object.assign({}, table, ...declared.map((name) => VOCABULARIES[name])) as KeywordTable; // of tables
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
