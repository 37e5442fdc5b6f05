/**
 * Finds schemas with which a payload can take long to examine. They are many, or branch, or have patterns that are left
 * to RegExp, which can take exponential time. While RegExp runs, its thread handles no events.
 */
import { compileMatcher } from '../automaton/matcher.ts';
import { keywordsWhere } from './dialect.ts';
import { toRegExp } from './regexp.ts';
import type { SchemaSet } from './set.ts';

/** With more nodes, examining a payload may take long. */
const FEW = 1000;

/** Keywords that apply another schema to the same value. */
const BRANCHES = [
  ...keywordsWhere(({ role }) => role === 'applies').filter((keyword) => keyword !== '$ref'),
  ...([
    'contains',
    'patternProperties',
    'propertyNames',
    'unevaluatedProperties',
    'unevaluatedItems',
  ] as const),
];

/**
 * True if there are many schemas, or if they may be applied to a value more often than once per level: several branches
 * can refer to the same schema.
 */
export function mayTakeLong({ nodes }: SchemaSet): boolean {
  if (nodes.length > FEW) return true;
  const hasReferences = nodes.some(({ $ref }) => $ref !== undefined);
  return hasReferences && nodes.some((node) => BRANCHES.some((keyword) => node[keyword] !== undefined));
}

/**
 * Expressions that may need RegExp: a backreference, a lookahead, a lookbehind, or a repetition of a hundred times or
 * more of another repetition. Any other expression has an automaton, or takes little time in RegExp.
 */
const SUSPECT = /\\[1-9k]|\(\?<?[=!]|[*+}?]\)\{\d*,?\d{3}/;

/** True if there is no automaton for a pattern of the schemas. */
export function keepsRegExp(set: SchemaSet): boolean {
  for (const { pattern } of patternsOf(set)) {
    if (SUSPECT.test(pattern) && whyRegExp(pattern) !== null) return true;
  }
  return false;
}

/** A pattern and its place: `s.json#/properties/x/pattern`. */
export interface PlacedPattern {
  readonly pattern: string;
  readonly place: string;
}

/** All patterns of the schemas, including those of `patternProperties`. */
export function* patternsOf({ nodes }: Pick<SchemaSet, 'nodes'>): Generator<PlacedPattern> {
  const seen = new Set<string>();
  for (const { pattern, patternProperties = {}, origin } of nodes) {
    // Each dynamic scope has its own node.
    if (seen.has(origin.place)) continue;
    seen.add(origin.place);
    if (pattern !== undefined) yield { pattern, place: `${origin.place}/pattern` };
    for (const name of Object.keys(patternProperties))
      yield { pattern: name, place: `${origin.place}/patternProperties` };
  }
}

/** Why a pattern has no automaton, as a clause such as "it looks behind"; null if it has one. */
export function whyRegExp(pattern: string): string | null {
  return compileMatcher(toRegExp(pattern).source).reason;
}
