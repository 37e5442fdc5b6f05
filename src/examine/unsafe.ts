/**
 * Defaults that would do harm: a payload that is valid must not become invalid, or one of another kind, by being filled in. It is left as it is,
 * and this is what is said of it.
 */
import type { Finding, Hidden, Span } from '../types.ts';
import { quote } from '../words/escape.ts';
import { builtin } from './findings.ts';

const RULE = 'unsafe-default';

/** In place of what the filled value would violate, where only the rule is wanted. */
export const UNSAFE: Hidden = { rule: RULE, fixable: false };

/** In place of what the filled value would violate. */
export function unsafeFinding({ rule, pointer, span, params, schema, message }: Finding): Finding {
  const words = `with its defaults filled in, this payload would be invalid (${rule}: ${message}); it is left as it is`;
  return { ...builtin(RULE, span, words, { rule, ...params }, pointer), schema };
}

/** For a payload of `kind` that would come to be of another one, or (null) of none. `span`: of the payload. */
export function kindChange(kind: string, other: string | null, { start }: Span): Finding {
  const become = other === null ? 'of no known kind' : `of the kind ${quote(other)}`;
  const words = `with its defaults filled in, this payload would be ${become} instead of ${quote(kind)}; it is left as it is`;
  return builtin(RULE, { start, end: start + 1 }, words, { rule: 'unknown-kind', kind: other });
}
