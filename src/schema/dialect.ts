/**
 * The keywords of the resolved schema: those of JSON Schema 2020-12 that can reject a value, with static references
 * only. Everything else that other parts need to know about a keyword is derived from this table. Its order is that in which the violations of one value are reported: the keywords for any value, those for
 * numbers and strings, those for arrays, those for objects.
 */

/** The form of a value in the resolved schema. */
export type DialectForm =
  | 'schema'
  | 'schemas'
  | 'schemas by name'
  | 'schemas by pattern'
  | 'names by name'
  | 'names'
  | 'types'
  | 'values'
  | 'count'
  | 'number'
  | 'number above 0'
  | 'boolean'
  | 'string'
  | 'pattern'
  | 'any';

/** The type of values that a keyword judges. It allows all other values. */
export type About = 'number' | 'string' | 'array' | 'object';

/**
 * `asserts`: it judges a value by itself. `applies`: it applies schemas to the value; `descends`: to what is in it.
 * `beside`: it means something only beside another keyword, which reads it.
 */
export type DialectRole = 'asserts' | 'applies' | 'descends' | 'beside';

export interface DialectRow<F extends DialectForm = DialectForm, R extends DialectRole = DialectRole> {
  readonly role: R;
  readonly form: F;
  /** Null: values of all types. */
  readonly about: readonly About[] | null;
  /** The vocabulary of 2020-12 to which it belongs. */
  readonly vocabulary: string;
}

function row<R extends DialectRole>(role: R, vocabulary: string) {
  return <F extends DialectForm>(form: F, ...about: readonly About[]): DialectRow<F, R> => ({
    role,
    form,
    about: about.length === 0 ? null : about,
    vocabulary,
  });
}

const asserts = row('asserts', 'validation');
const applies = row('applies', 'applicator');
const descends = row('descends', 'applicator');
const descendsLast = row('descends', 'unevaluated');

export const DIALECT = {
  type: asserts('types'),
  $ref: applies('schemas'),
  const: asserts('any'),
  enum: asserts('values'),
  not: applies('schema'),
  anyOf: applies('schemas'),
  oneOf: applies('schemas'),
  allOf: applies('schemas'),
  if: applies('schema'),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: row('beside', 'applicator')('schema'),
  else: row('beside', 'applicator')('schema'),
  maximum: asserts('number', 'number'),
  minimum: asserts('number', 'number'),
  exclusiveMaximum: asserts('number', 'number'),
  exclusiveMinimum: asserts('number', 'number'),
  multipleOf: asserts('number above 0', 'number'),
  maxLength: asserts('count', 'string'),
  minLength: asserts('count', 'string'),
  pattern: asserts('pattern', 'string'),
  format: row('asserts', 'format')('string', 'number', 'string'),
  maxItems: asserts('count', 'array'),
  minItems: asserts('count', 'array'),
  prefixItems: descends('schemas', 'array'),
  items: descends('schema', 'array'),
  contains: descends('schema', 'array'),
  maxContains: row('beside', 'validation')('count'),
  minContains: row('beside', 'validation')('count'),
  uniqueItems: asserts('boolean', 'array'),
  unevaluatedItems: descendsLast('schema', 'array'),
  maxProperties: asserts('count', 'object'),
  minProperties: asserts('count', 'object'),
  required: asserts('names', 'object'),
  propertyNames: descends('schema', 'object'),
  properties: descends('schemas by name', 'object'),
  patternProperties: descends('schemas by pattern', 'object'),
  additionalProperties: descends('schema', 'object'),
  dependentRequired: asserts('names by name', 'object'),
  dependentSchemas: applies('schemas by name', 'object'),
  unevaluatedProperties: descendsLast('schema', 'object'),
} as const;

export type DialectKeyword = keyof typeof DIALECT;

/** The keywords that judge a value by themselves. */
export type AssertingKeyword = {
  [K in DialectKeyword]: (typeof DIALECT)[K]['role'] extends 'asserts' ? K : never;
}[DialectKeyword];

/** The keywords whose values have one of the forms `F`. */
export type KeywordsOfForm<F extends DialectForm> = {
  [K in DialectKeyword]: (typeof DIALECT)[K]['form'] extends F ? K : never;
}[DialectKeyword];

/** All keywords, in the order of the table. */
export const DIALECT_KEYWORDS = Object.keys(DIALECT) as DialectKeyword[]; // the table has no other keys

/** The keywords whose row fits, in the order of the table. */
export function keywordsWhere(fits: (row: DialectRow) => boolean): readonly DialectKeyword[] {
  return DIALECT_KEYWORDS.filter((keyword) => fits(DIALECT[keyword]));
}

/** Those whose values have one of the forms. */
export function keywordsOfForm<F extends DialectForm>(...forms: readonly F[]): readonly KeywordsOfForm<F>[] {
  const found: readonly string[] = keywordsWhere(({ form }) => (forms as readonly string[]).includes(form));
  return found as readonly KeywordsOfForm<F>[]; // those that were asked for
}
