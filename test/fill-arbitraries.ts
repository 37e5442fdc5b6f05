/**
 * Random schemas with defaults, and payloads for them. For the tests of filling.
 */
import fc from 'fast-check';

export type Schema = Record<string, unknown> | boolean;

/**
 * Names that schemas and payloads have in common. Those of `ODD` are for JavaScript, JSON or pointers not like the others. Ajv takes members with the
 * names of `AS_FOR_AJV` to be there in every object, so it gets others.
 */
const PLAIN = ['a', 'b', 'c', 'd', 'name'];
const AS_FOR_AJV: readonly (readonly [name: string, forAjv: string])[] = [
  ['constructor', 'k-c-r'],
  ['__proto__', 'k-p-o'],
];
const ODD = [...PLAIN, '1', '0', ...AS_FOR_AJV.map(([, forAjv]) => forAjv), 'x/y', '~', '', 'é"\\'];

/** The JSON text with the names that every JavaScript object has. */
export function textForPaylint(value: unknown): string {
  return AS_FOR_AJV.reduce((text, [name, forAjv]) => text.replaceAll(forAjv, name), JSON.stringify(value));
}

/** The value of such a text with the names that Ajv gets. */
export function valueForAjv(text: string): unknown {
  return JSON.parse(AS_FOR_AJV.reduce((one, [name, forAjv]) => one.replaceAll(name, forAjv), text));
}

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'x', 'é'),
  fc.boolean(),
  fc.constant(null),
);

/** Says what something is, most often with a default that fits. */
const leaf: fc.Arbitrary<Schema> = fc.oneof(
  scalar.map((value) => ({ default: value })),
  fc.record({ type: fc.constant('integer'), default: fc.integer({ min: 0, max: 2 }) }, { requiredKeys: ['type'] }),
  fc.record({ enum: fc.constant(['x', 'y']), default: fc.constantFrom('x', 'y') }, { requiredKeys: ['enum'] }),
  fc.record({ type: fc.constant('object'), default: fc.dictionary(fc.constantFrom(...ODD), scalar, { maxKeys: 2 }) }),
  fc.constant<Schema>(true),
);

interface Parts {
  object: Schema;
  array: Schema;
  reference: Schema;
  inner: Schema;
}

/** `reference`: the schema of a member that is described elsewhere. */
function parts(names: fc.Arbitrary<string>, reference: fc.Arbitrary<Schema>): fc.LetrecValue<Parts> {
  return fc.letrec<Parts>((tie: fc.LetrecTypedTie<Parts>): fc.LetrecValue<Parts> => {
    const model = {
      type: fc.constant('object'),
      properties: fc.dictionary(names, tie('inner'), { minKeys: 1, maxKeys: 5 }),
    };
    const object = fc.record(model);
    const others = tie('inner').map((additionalProperties) => ({ additionalProperties }));
    const required = fc.uniqueArray(names, { maxLength: 1 }).map((list) => ({ required: list }));
    const beside = fc.oneof(
      fc.constantFrom({}, { default: {} }),
      required,
      fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, others),
    );
    return {
      object: fc.tuple(object, beside).map(([one, more]) => ({ ...one, ...more })),
      array: fc.record({ type: fc.constant('array'), items: tie('inner') }),
      reference,
      inner: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'schema' },
        leaf,
        leaf,
        tie('object'),
        tie('object'),
        tie('array'),
        tie('reference'),
      ),
    };
  });
}

/** What the fast engine knows, and it alone: every object in one place. */
const gentle: fc.Arbitrary<Schema> = parts(fc.constantFrom(...PLAIN), leaf).object.map((one) => ({
  ...(one as object),
  type: 'object',
}));

const odd = fc.constantFrom(...ODD);
const targets = fc.constantFrom('#/$defs/p', '#/$defs/q');
/** Schemas that others refer to; they may refer to one another, but have no default then: it could be without end. */
const described = parts(odd, fc.record({ $ref: targets })).object.filter(
  (one) => !JSON.stringify(one).includes('required'),
);
const { object, inner } = parts(
  odd,
  fc.record({ $ref: targets, default: fc.constant({}) }, { requiredKeys: ['$ref'] }),
);
const referring: fc.Arbitrary<Schema> = fc
  .record({ root: object, p: described, q: described })
  .map(({ root, p, q }) => ({ ...(root as object), type: 'object', $defs: { p, q } }));

/** Without references: Ajv is inconsistent after a `$ref`. */
const simple: fc.Arbitrary<Schema> = fc.record(
  { properties: fc.dictionary(odd, leaf, { maxKeys: 3 }), required: fc.uniqueArray(odd, { maxLength: 1 }) },
  { requiredKeys: ['properties'] },
);
const more = fc.record(
  {
    allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    anyOf: fc.array(simple, { minLength: 1, maxLength: 2 }),
    oneOf: fc.array(simple, { minLength: 1, maxLength: 2 }),
    not: simple,
    if: simple,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: inner,
    else: inner,
    patternProperties: fc.dictionary(fc.constantFrom('^[ab]', 'c', '1'), inner, { maxKeys: 2 }),
    dependentSchemas: fc.dictionary(odd, inner, { maxKeys: 2 }),
    propertyNames: simple,
  },
  { requiredKeys: [] },
);
const rich = fc.tuple(referring, more).map(([one, others]): Schema => ({ ...(one as object), ...others }));

const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    scalar,
    fc.dictionary(odd, tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

/** Values that fit a schema as far as `properties`, `items`, `type` and `enum` go, most of the time. */
function fitting(schema: unknown, root: Schema, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null || depth === 0) return scalar;
  const { type, enum: list, properties, items, $ref } = schema as Record<string, unknown>;
  if (typeof $ref === 'string') {
    const { $defs } = root as { $defs: Record<string, unknown> };
    return fitting($defs[$ref.slice('#/$defs/'.length)], root, depth - 1);
  }
  if (Array.isArray(list)) return fc.constantFrom(...list);
  if (type === 'integer') return fc.nat(9);
  if (type === 'array') return fc.array(fitting(items, root, depth - 1), { maxLength: 2 });
  if (type !== 'object') return scalar;
  const model = Object.entries(properties ?? {}).map(([name, member]) => {
    const rare = { weight: 1, arbitrary: anything };
    return [name, fc.oneof({ weight: 24, arbitrary: fitting(member, root, depth - 1) }, rare)];
  });
  return fc.record(Object.fromEntries(model), { requiredKeys: [] });
}

export interface Case {
  readonly schema: Schema;
  readonly payloads: readonly unknown[];
}

const withPayloads = (schemas: fc.Arbitrary<Schema>): fc.Arbitrary<Case> =>
  schemas.chain((schema) => {
    const payload = fc.oneof({ weight: 5, arbitrary: fitting(schema, schema, 5) }, fc.dictionary(odd, anything));
    return fc.array(payload, { minLength: 1, maxLength: 4 }).map((payloads) => ({ schema, payloads }));
  });

export const CASES = { gentle: withPayloads(gentle), referring: withPayloads(referring), rich: withPayloads(rich) };
