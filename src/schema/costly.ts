/**
 * Finds schemas with which a payload can take long to examine. They are many, or branch, or have patterns that are left
 * to RegExp, which can take exponential time. While RegExp runs, its thread handles no events.
 */
import { compileMatcher } from '../regex/matcher.ts';
import { keywordsWhere } from './dialect.ts';
import { toRegExp } from './regexp.ts';
import type { SchemaSet } from './set.ts';

/** With more nodes, examining a payload may take long. */
const FEW_NODES = 1000;

/** Keywords that apply another schema to the same value. */
const BRANCHES = [
  ...keywordsWhere(({ role }) => role === 'applies').filter((keyword) => keyword !== '$ref'),
  ...(['contains', 'patternProperties', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems'] as const),
];

/** True if there are many schemas, or if several branches can lead to the same one for a value. */
export function mayTakeLong({ nodes }: SchemaSet): boolean {
  if (nodes.length > FEW_NODES) return true;
  const hasReferences = nodes.some(({ $ref }) => $ref !== undefined);
  return hasReferences && nodes.some((node) => BRANCHES.some((keyword) => node[keyword] !== undefined));
}

/** What has no automaton, in most of its uses: a backreference, a lookaround, or flags for a group. */
const UNLIKE = /\\[1-9k]|\(\?(?!:|<[^=!])/;
/** Where a group is repeated, which RegExp can do in many ways, an automaton with this number of copies may be too large. */
const COPIES = 100;
/** The same for groups within one another. */
const GROUPS = 100;

/** True if it must be tried whether the expression has an automaton. Any other has one, or takes little time in RegExp. */
function isSuspect(pattern: string): boolean {
  if (UNLIKE.test(pattern) || pattern.split('(').length > GROUPS) return true;
  if (!/\)[*+{]/.test(pattern)) return false;
  const copies = [...pattern.matchAll(/\{(\d*),?(\d*)\}/g)].map(([, least, most]) => Number(most || least) || 1);
  return copies.reduce((product, one) => product * one, 1) >= COPIES;
}

/** True if there is no automaton for a pattern of the schemas, be it a name of `patternProperties`. */
export function keepsRegExp({ nodes }: SchemaSet): boolean {
  const patterns = nodes.flatMap(({ pattern, patternProperties = {} }) => [
    ...(pattern === undefined ? [] : [pattern]),
    ...Object.keys(patternProperties),
  ]);
  return [...new Set(patterns)].some(
    (pattern) => isSuspect(pattern) && compileMatcher(toRegExp(pattern).source).reason !== null,
  );
}
