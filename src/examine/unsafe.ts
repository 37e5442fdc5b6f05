/**
 * Defaults that would make a valid payload invalid, or change its kind. Such a payload is left unchanged, and this is
 * the violation that is reported.
 */
import type { Finding, Hidden, Span } from '../types.ts';
import { builtin } from './findings.ts';

const RULE = 'unsafe-default';

/** Replaces the violations of the filled value, if only the rule is needed. */
export const UNSAFE: Hidden = { rule: RULE, fixable: false };

/** Replaces the violations of the filled value. */
export function unsafeFinding({ rule, pointer, span, params, schema, message }: Finding): Finding {
  const finding = builtin(RULE, { broken: rule, message }, span, { params: { rule, ...params }, pointer });
  return { ...finding, schema };
}

/** For a payload of `kind` that would become one of another kind, or (null) of none. `span`: of the payload. */
export function kindChange(kind: string, other: string | null, { start }: Span): Finding {
  const params = { rule: 'unknown-kind', kind: other };
  return builtin(RULE, { kind, other }, { start, end: start + 1 }, { params });
}
