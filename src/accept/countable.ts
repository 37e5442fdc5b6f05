/**
 * Violations that are noted only if they are counted and not shown.
 */
import type { DialectKeyword } from '../schema/dialect.ts';
import type { SchemaSet } from '../schema/set.ts';

/**
 * Keywords whose failure is one violation, of which examine says more than the value and the keyword. They are asked
 * about a value of the wrong type, too.
 */
export const COUNTABLE: readonly DialectKeyword[] = ['not', 'anyOf', 'oneOf'];

/** True if more can be noted if violations are only counted. */
export function hasCountable(set: SchemaSet): boolean {
  return set.nodes.some((node) => COUNTABLE.some((keyword) => node[keyword] !== undefined));
}
