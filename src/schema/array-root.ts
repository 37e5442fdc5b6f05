/**
 * Whether a schema is about arrays at its root: then a top-level array is itself the payload, not a list of payloads.
 * This depends on what the schema states, not on what it accepts: without `type`, array keywords accept every object.
 */
import type { Source } from '../json/vocabulary.ts';
import { type DialectKeyword, keywordsWhere } from './dialect.ts';
import { ARRAY, allows, detectedKinds, typeOf, VALUE_TYPES, type ValueType, valuesOf } from './facts.ts';
import { isNode, type Schema, type SchemaNode } from './node.ts';
import type { SchemaSet } from './set.ts';

/** Only about arrays, only about other values, about both, or silent about arrays without excluding them. */
export type ArrayRoot = 'array' | 'other' | 'either' | 'silent';

/** What a schema states about a group of values: none of them is valid; nothing; or something. */
type Claim = 'none' | 'nothing' | 'something';

interface Claims {
  readonly arrays: Claim;
  readonly others: Claim;
}

const ANYTHING: Claims = { arrays: 'nothing', others: 'nothing' };
const NOTHING_VALID: Claims = { arrays: 'none', others: 'none' };

const OF_ARRAYS = keywordsWhere(({ about }) => about?.includes('array') === true);
const OF_OTHERS = keywordsWhere(({ about }) => about?.includes('array') === false);
/** Those that say something of values of all types, but for `type`. */
const OF_ALL = keywordsWhere(({ about, role }) => about === null && role !== 'beside' && role !== 'remarks').filter(
  (keyword) => keyword !== 'type',
);

function arrayRoot(schema: Schema): ArrayRoot {
  const { arrays, others } = reader()(schema);
  if (arrays === 'none') return 'other';
  if (others === 'none') return 'array';
  if (arrays === 'nothing') return 'silent';
  return others === 'something' ? 'either' : 'array';
}

/**
 * How a top-level array is read, for payloads of the kind `givenKind` (null: the kind is detected). With several kinds to
 * detect, it is a list of payloads. `isChosen`: the user has chosen, in case the schema leaves it open.
 */
export function arrayReading(set: SchemaSet, givenKind: string | null, isChosen: boolean): Source['arrays'] {
  const kind = set.kinds.find(({ name }) => name === givenKind);
  const [first, ...others] = detectedKinds(set.kinds);
  if (kind === undefined && others.length > 0) return undefined;
  const root = arrayRoot((kind ?? first!).schema);
  if (root === 'array') return 'payload';
  return root === 'either' && !isChosen ? 'unclear' : undefined;
}

/** Gives what schemas state. */
function reader(): (schema: Schema) => Claims {
  const known = new Map<SchemaNode, Claims>();
  const claims = (schema: Schema): Claims => {
    if (!isNode(schema)) return schema ? ANYTHING : NOTHING_VALID;
    if (!known.has(schema)) {
      known.set(schema, ANYTHING); // a reference to itself adds nothing
      known.set(schema, claimsOf(schema, claims));
    }
    return known.get(schema)!;
  };
  return claims;
}

function claimsOf(schema: SchemaNode, claims: (schema: Schema) => Claims): Claims {
  const { $ref = [], allOf = [], anyOf = [], oneOf: one = [], not } = schema;
  const types = typesIn(schema);
  const values = valuesOf(schema);
  return both([
    ...$ref.map(claims),
    types.length === VALUE_TYPES.length ? ANYTHING : onlyOf(types),
    values === null ? ANYTHING : onlyOf(values.map(typeOf)),
    {
      arrays: hasAny(schema, OF_ARRAYS) ? 'something' : 'nothing',
      others: hasAny(schema, OF_OTHERS) ? 'something' : 'nothing',
    },
    ...allOf.map(claims),
    oneOf(anyOf.map(claims)),
    oneOf(one.map(claims)),
    not === undefined ? ANYTHING : claimsOfNot(not, claims(not)),
    claimsOfIf(schema, claims),
  ]);
}

/** States something about what it excludes, but only a list of types, or `true`, excludes all arrays or all others. */
function claimsOfNot(schema: Schema, { arrays, others }: Claims): Claims {
  if (schema === true) return NOTHING_VALID;
  if (!isNode(schema) || !isOnlyType(schema)) return { arrays: weakened(arrays), others: weakened(others) };
  const refused = typesIn(schema);
  const isEveryOther = VALUE_TYPES.every((type) => type === ARRAY || refused.includes(type));
  return { arrays: arrays === 'something' ? 'none' : 'nothing', others: isEveryOther ? 'none' : 'nothing' };
}

function claimsOfIf({ if: test, then, else: otherwise }: SchemaNode, claims: (schema: Schema) => Claims): Claims {
  if (test === undefined || (then === undefined && otherwise === undefined)) return ANYTHING;
  return oneOf([
    both([claims(test), claims(then ?? true)]),
    both([claimsOfNot(test, claims(test)), claims(otherwise ?? true)]),
  ]);
}

function weakened(claim: Claim): Claim {
  return claim === 'something' ? 'something' : 'nothing';
}

function hasAny(schema: SchemaNode, keywords: readonly DialectKeyword[]): boolean {
  return keywords.some((keyword) => schema[keyword] !== undefined);
}

function isOnlyType(schema: SchemaNode): boolean {
  return schema.type !== undefined && !hasAny(schema, [...OF_ALL, ...OF_ARRAYS, ...OF_OTHERS]);
}

function typesIn({ type }: SchemaNode): readonly ValueType[] {
  return VALUE_TYPES.filter((one) => allows(type, one));
}

/** No value of another type is valid. */
function onlyOf(types: readonly ValueType[]): Claims {
  return {
    arrays: types.includes(ARRAY) ? 'something' : 'none',
    others: types.some((type) => type !== ARRAY) ? 'something' : 'none',
  };
}

/** All of them apply. */
function both(all: readonly Claims[]): Claims {
  const join = (claims: readonly Claim[]): Claim =>
    claims.includes('none') ? 'none' : claims.includes('something') ? 'something' : 'nothing';
  return { arrays: join(all.map(({ arrays }) => arrays)), others: join(all.map(({ others }) => others)) };
}

/** One of them applies, or several. Without any, there is no such keyword. */
function oneOf(all: readonly Claims[]): Claims {
  if (all.length === 0) return ANYTHING;
  const join = (claims: readonly Claim[]): Claim =>
    claims.includes('something') ? 'something' : claims.includes('nothing') ? 'nothing' : 'none';
  const arrays = join(all.map((one) => one.arrays));
  const others = join(all.map((one) => one.others));
  // An alternative that accepts any array is not about arrays, so it is about the other values.
  const isMixed = arrays === 'something' && others === 'nothing' && all.some((one) => one.arrays === 'nothing');
  return { arrays, others: isMixed ? 'something' : others };
}
