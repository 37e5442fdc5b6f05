/**
 * Whether a schema is about arrays at its root: then a top-level array is itself the payload, not a list of payloads.
 * This depends on what the schema states, not on what it accepts: without `type`, array keywords accept every object.
 */
import type { Source } from '../types.ts';
import { type DialectKeyword, keywordsWhere } from './dialect.ts';
import { ARRAY, detectedKinds, IN_PLACE, linksOf, possibleTypes, VALUE_TYPES } from './facts.ts';
import { isNode, type Schema } from './node.ts';
import type { SchemaSet } from './set.ts';

/**
 * About arrays only; only about other values; about both; or it states nothing about arrays and does not exclude them.
 */
export type ArrayRoot = 'array' | 'other' | 'either' | 'silent';

const OF_ARRAYS = keywordsWhere(({ about }) => about?.includes('array') === true);
const OF_OTHERS = keywordsWhere(({ about }) => about?.includes('array') === false);

/** What `schema` is about: which types it allows, and the keywords in all schemas that apply to the value itself. */
function arrayRoot(schema: Schema): ArrayRoot {
  const types = possibleTypes(schema);
  if (!types.includes(ARRAY)) return 'other';
  if (types.length === 1) return 'array';
  const nodes = new Set(isNode(schema) ? [schema] : []);
  for (const node of nodes) for (const inner of linksOf(node, [...IN_PLACE, 'not'])) nodes.add(inner);
  const has = (keywords: readonly DialectKeyword[]): boolean =>
    [...nodes].some((node) => keywords.some((keyword) => node[keyword] !== undefined));
  if (types.length < VALUE_TYPES.length) return 'either';
  if (!has(OF_ARRAYS)) return 'silent';
  return has([...OF_OTHERS, 'if']) ? 'either' : 'array';
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
