/**
 * Finds schemas with which a payload can take long to examine. They are many, or branch, or have patterns that are left
 * to RegExp, which can take exponential time. While RegExp runs, its thread handles no events.
 */
import { compileMatcher } from '../regex/matcher.ts';
import { keywordsWhere } from './dialect.ts';
import { toRegExp } from './regexp.ts';
import type { SchemaSet } from './set.ts';

/** With more nodes, examining a payload may take long. */
const FEW = 1000;

/** Keywords that apply another schema to the same value. */
const BRANCHES = [
  ...keywordsWhere(({ role }) => role === 'applies').filter((keyword) => keyword !== '$ref'),
  ...(['contains', 'patternProperties', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems'] as const),
];

/** True if there are many schemas, or if several branches can lead to the same one for a value. */
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

/** True if there is no automaton for a pattern of the schemas, be it a name of `patternProperties`. */
export function keepsRegExp({ nodes }: SchemaSet): boolean {
  const patterns = nodes.flatMap(({ pattern, patternProperties = {} }) => [
    ...(pattern === undefined ? [] : [pattern]),
    ...Object.keys(patternProperties),
  ]);
  return [...new Set(patterns)].some(
    (pattern) => SUSPECT.test(pattern) && compileMatcher(toRegExp(pattern).source).reason !== null,
  );
}
