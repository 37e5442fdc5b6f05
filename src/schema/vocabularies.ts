/**
 * Keywords of other dialects, which no draft of JSON Schema has. They assert nothing, and a warning says so. Some are a
 * vocabulary that the caller can declare.
 */
import { isJsonObject } from '../json/value.ts';
import { quote } from '../words/escape.ts';
import type { CallerKeywords } from './caller-keywords.ts';
import type { RawObject } from './document.ts';
import { type KeywordTable, keywords } from './drafts.ts';
import type { VocabularyName } from './names.ts';

const VOCABULARIES: Readonly<Record<VocabularyName, KeywordTable>> = {
  /** Of OpenAPI 3.0 (schema object): `nullable` adds null to `type`, and `enum` must list it itself. */
  openapi: {
    ...keywords('asserts', null, { boolean: 'nullable' }),
    ...keywords('annotation', null, { any: 'discriminator' }),
  },
};

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

/** Keywords of other dialects, with what to write instead; '': there is nothing like it. */
const FOREIGN: readonly (readonly [dialect: string, names: string, instead: string])[] = [
  ['OpenAPI', 'nullable', ''],
  ['OpenAPI', 'discriminator', '"oneOf" with a "const" in each alternative'],
  ['Ajv (ajv-formats)', 'formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum', '"pattern"'],
  ['Ajv (ajv-keywords)', 'transform uniqueItemProperties patternRequired', ''],
  ['Ajv (ajv-keywords)', 'typeof instanceof', '"type"'],
  ['Ajv (ajv-keywords)', 'range', '"minimum" and "maximum"'],
  ['Ajv (ajv-keywords)', 'exclusiveRange', '"exclusiveMinimum" and "exclusiveMaximum"'],
  ['Ajv (ajv-keywords)', 'regexp', '"pattern"'],
  ['Ajv (ajv-keywords)', 'allRequired deepRequired', '"required"'],
  ['Ajv (ajv-keywords)', 'anyRequired', '"anyOf" with "required"'],
  ['Ajv (ajv-keywords)', 'oneRequired', '"oneOf" with "required"'],
  ['Ajv (ajv-keywords)', 'prohibited', '"not" with "required"'],
  ['Ajv (ajv-keywords)', 'deepProperties', '"properties"'],
  ['Ajv (ajv-keywords)', 'dynamicDefaults', '"default"'],
  ['Ajv (ajv-keywords)', 'select selectCases', '"if" and "then"'],
  ['Ajv (ajv-keywords)', 'selectDefault', '"else"'],
  ['Ajv', '$merge $patch', '"allOf"'],
  ['Ajv', 'patternGroups', '"patternProperties"'],
  ['Ajv', 'constant', '"const"'],
  ['MongoDB', 'bsonType', '"type"'],
];

const FOREIGN_KEYWORDS = new Map(
  FOREIGN.flatMap(([dialect, names, instead]) => names.split(' ').map((name) => [name, { dialect, instead }])),
);

export function isForeign(name: string): boolean {
  return FOREIGN_KEYWORDS.has(name);
}

/** Why such a keyword of `schema` asserts nothing, and what to write instead; null for any other. */
export function foreignFault(name: string, schema: RawObject): string | null {
  const known = FOREIGN_KEYWORDS.get(name);
  if (known === undefined) return null;
  const { dialect } = known;
  const instead = name === 'nullable' ? nullableType(schema) : known.instead;
  const hint = instead === '' ? '' : `; write ${instead}`;
  return `"${name}" is a keyword of ${dialect}, so it asserts nothing${hint}`;
}

function nullableType({ type = 'string' }: RawObject): string {
  const types = [type].flat().filter((one) => one !== 'null');
  const text = [...types, 'null'].map((one) => JSON.stringify(one)).join(', ');
  return `"type": [${text}], or declare "vocabularies": ["openapi"] in the config`;
}
/** Why a keyword of `AUTHOR` in `schema` does nothing, or a part of it; null: it does, or it is another keyword. */
export function authorFault(name: string, schema: RawObject): string | null {
  if (name === 'patternErrorMessage' && schema.pattern === undefined)
    return 'there is no "pattern" beside "patternErrorMessage", so it is never shown';
  const value = schema[name];
  if (name !== 'errorMessage' || typeof value === 'string') return null;
  if (!isJsonObject(value)) return `expected "errorMessage" to be a string or an object, so it is never shown`;
  for (const [keyword, said] of Object.entries(value)) {
    const isText = typeof said === 'string';
    const isMap = ['properties', 'items', 'required', 'dependentRequired', 'dependencies'].includes(keyword);
    if (!isText && !(isMap && typeof said === 'object' && said !== null))
      return `expected "errorMessage/${keyword}" to be a string${isMap ? ', or one for each name' : ''}, so it is never shown`;
    if (keyword === '_') continue;
    if (isText && isNeverRule(keyword, schema))
      return `what is wrong by ${quote(keyword)} has messages of its own, so "errorMessage/${keyword}" is never shown; write it into the schema there`;
    if (schema[keyword] === undefined)
      return `there is no ${quote(keyword)} beside "errorMessage/${keyword}", so it is never shown`;
    const names =
      keyword === 'required' ? schema.required : keyword === 'properties' ? Object.keys(schema.properties ?? {}) : null;
    const stranger =
      isText || !Array.isArray(names) ? undefined : Object.keys(said as object).find((one) => !names.includes(one));
    if (stranger !== undefined)
      return `"${keyword}" does not name ${quote(stranger)}, so "errorMessage/${keyword}/${stranger}" is never shown`;
  }
  return null;
}

/** Keywords that apply other schemas, in which the violations are: never a rule themselves. */
const APPLIES =
  'then else allOf $ref $dynamicRef $recursiveRef prefixItems properties patternProperties dependentSchemas'.split(' ');
/** Those that are a rule only if they allow nothing. */
const CLOSES = ['items', 'additionalItems', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'];

function isNeverRule(keyword: string, schema: RawObject): boolean {
  const value = schema[keyword];
  if (value === undefined) return false;
  return APPLIES.includes(keyword) || (CLOSES.includes(keyword) && value !== false);
}
