/**
 * Defaults that would do harm: a payload that is valid must not become invalid, or one of another kind, by being filled in. It is left as it is,
 * and this is what is said of it.
 */
import type { Finding, Hidden, Span } from '../types.ts';
import { builtin } from './findings.ts';

const RULE = 'unsafe-default';

/** In place of what the filled value would violate, where only the rule is wanted. */
export const UNSAFE: Hidden = { rule: RULE, fixable: false };

/** In place of what the filled value would violate. */
export function unsafeFinding({ rule, pointer, span, params, schema, message }: Finding): Finding {
  const finding = builtin(RULE, { broken: rule, message }, span, { params: { rule, ...params }, pointer });
  return { ...finding, schema };
}

/** For a payload of `kind` that would become one of another kind, or (null) of none. `span`: of the payload. */
export function kindChange(kind: string, other: string | null, { start }: Span): Finding {
  const params = { rule: 'unknown-kind', kind: other };
  return builtin(RULE, { kind, other }, { start, end: start + 1 }, { params });
}
