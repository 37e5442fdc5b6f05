/**
 * The keywords of the resolved schema: those of JSON Schema 2020-12 that can reject a value, with static references
 * only, and those that give a warning. Everything else that other parts need to know about a keyword is derived from
 * this table. Its order is that in which the violations of one value are reported: the keywords for any value, those
 * for numbers and strings, those for arrays, those for objects.
 */
import type { PlacedKeyword } from './caller-keywords.ts';
import type { DraftName, TypeName } from './names.ts';

/** The values of a keyword in the resolved schema, by their form. Values have the right form: `forms.ts` refuses others. */
export interface FormValues<Schema> {
  readonly schema: Schema;
  readonly schemas: readonly Schema[];
  readonly 'schemas by name': Readonly<Record<string, Schema>>;
  readonly 'schemas by pattern': Readonly<Record<string, Schema>>;
  readonly 'names by name': Readonly<Record<string, readonly string[]>>;
  readonly names: readonly string[];
  readonly types: TypeName | readonly TypeName[];
  readonly values: readonly unknown[];
  readonly count: number;
  readonly number: number;
  readonly 'number above 0': number;
  readonly boolean: boolean;
  readonly string: string;
  readonly pattern: string;
  readonly any: unknown;
  readonly 'keywords of the caller': readonly PlacedKeyword[];
}

export type DialectForm = keyof FormValues<unknown>;

/** The type of values that a keyword judges. It allows all other values. */
export type AppliesTo = 'number' | 'string' | 'array' | 'object';

/**
 * `asserts`: it judges a value by itself. `applies`: it applies schemas to the value; `descends`: to what is in it.
 * `beside`: it means something only beside another keyword, which reads it. `remarks`: it rejects no value, but something is
 * said about it. `asks`: functions judge the value.
 */
export type DialectRole = 'asserts' | 'applies' | 'descends' | 'beside' | 'remarks' | 'asks';

export interface KeywordTraits {
  /** The oldest draft that has it; absent: all drafts have it. */
  readonly since?: DraftName;
  /** What to write in drafts without it, as the end of "did you mean"; absent: they have nothing like it. */
  readonly instead?: string;
  /** Its name in draft 3, which paylint does not read. */
  readonly formerly?: string;
  /** It asserts nothing without one of these keywords beside it. */
  readonly needs?: readonly string[];
  /** It is the limit on this side of the size of a value: characters of a string, items of an array, members of an object. */
  readonly limit?: Side;
}

export type Side = 'least' | 'most';

export interface DialectRow<F extends DialectForm = DialectForm, R extends DialectRole = DialectRole>
  extends KeywordTraits {
  readonly role: R;
  readonly form: F;
  /** Null: values of all types. */
  readonly about: readonly AppliesTo[] | null;
  /** The vocabulary of 2020-12 to which it belongs. */
  readonly vocabulary: string;
}

function row<R extends DialectRole>(role: R, vocabulary: string) {
  return <F extends DialectForm>(
    form: F,
    about: readonly AppliesTo[] | AppliesTo | null = null,
    traits: KeywordTraits = {},
  ): DialectRow<F, R> => ({ ...{ role, form, vocabulary, ...traits }, about: about === null ? null : [about].flat() });
}

const asserts = row('asserts', 'validation');
const applies = row('applies', 'applicator');
const descends = row('descends', 'applicator');
const descendsLast = row('descends', 'unevaluated');
const beside = row('beside', 'applicator');
const countBeside = row('beside', 'validation');

export const DIALECT = {
  type: asserts('types'),
  $ref: applies('schemas'),
  const: asserts('any', null, { since: '6', instead: '"enum" with one value' }),
  enum: asserts('values'),
  not: applies('schema', null, { formerly: 'disallow' }),
  anyOf: applies('schemas'),
  oneOf: applies('schemas'),
  allOf: applies('schemas', null, { formerly: 'extends' }),
  if: applies('schema', null, { since: '7', needs: ['then', 'else'] }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: beside('schema', null, { since: '7', needs: ['if'] }),
  else: beside('schema', null, { since: '7', needs: ['if'] }),
  /** No keyword of a draft: those of the caller, whatever they are called. */
  ofCaller: row('asks', 'caller')('keywords of the caller'),
  maximum: asserts('number', 'number'),
  minimum: asserts('number', 'number'),
  exclusiveMaximum: asserts('number', 'number'),
  exclusiveMinimum: asserts('number', 'number'),
  multipleOf: asserts('number above 0', 'number', { formerly: 'divisibleBy' }),
  maxLength: asserts('count', 'string', { limit: 'most' }),
  minLength: asserts('count', 'string', { limit: 'least' }),
  pattern: asserts('pattern', 'string'),
  format: row('asserts', 'format')('string', ['number', 'string']),
  maxItems: asserts('count', 'array', { limit: 'most' }),
  minItems: asserts('count', 'array', { limit: 'least' }),
  prefixItems: descends('schemas', 'array', { since: '2020-12', instead: '"items" with a list of schemas' }),
  items: descends('schema', 'array'),
  contains: descends('schema', 'array', { since: '6' }),
  maxContains: countBeside('count', null, { since: '2019-09', needs: ['contains'] }),
  minContains: countBeside('count', null, { since: '2019-09', needs: ['contains'] }),
  uniqueItems: asserts('boolean', 'array'),
  unevaluatedItems: descendsLast('schema', 'array', { since: '2019-09' }),
  maxProperties: asserts('count', 'object', { limit: 'most' }),
  minProperties: asserts('count', 'object', { limit: 'least' }),
  required: asserts('names', 'object'),
  propertyNames: descends('schema', 'object', { since: '6' }),
  properties: descends('schemas by name', 'object'),
  patternProperties: descends('schemas by pattern', 'object'),
  additionalProperties: descends('schema', 'object'),
  dependentRequired: asserts('names by name', 'object', { since: '2019-09', instead: '"dependencies"' }),
  dependentSchemas: applies('schemas by name', 'object', { since: '2019-09', instead: '"dependencies"' }),
  unevaluatedProperties: descendsLast('schema', 'object', { since: '2019-09' }),
  deprecated: row('remarks', 'meta-data')('boolean'),
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

export function keywordsOfForm<F extends DialectForm>(...forms: readonly F[]): readonly KeywordsOfForm<F>[] {
  const found: readonly string[] = keywordsWhere(({ form }) => (forms as readonly string[]).includes(form));
  return found as readonly KeywordsOfForm<F>[]; // those that were asked for
}

/** The keywords that limit the size of values of a type. */
export function sizeKeywords(about: AppliesTo): Readonly<Record<Side, KeywordsOfForm<'count'>>> {
  const on = (side: Side): KeywordsOfForm<'count'> =>
    keywordsOfForm('count').find((keyword) => {
      const one: DialectRow = DIALECT[keyword];
      return one.limit === side && one.about?.includes(about) === true;
    })!; // the table has both
  return { least: on('least'), most: on('most') };
}
