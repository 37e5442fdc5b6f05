/**
 * Facts that can be read from findings and violations of any rule.
 */
import type { Finding, FirstPlace, Span, Violation } from '../types.ts';

/** Where the first of two equal names is, in the bytes examined; null for a finding of another rule. */
export function spanOfFirst(finding: Finding): Span | null {
  return finding.rule === 'duplicate-member' ? finding.params.first : null;
}

/** Where the first of two equal names is, in the source; null for a violation of another rule. */
export function placeOfFirst(violation: Violation): FirstPlace | null {
  return violation.rule === 'duplicate-member' ? violation.params.first : null;
}

/** True if the whole source is in another encoding than UTF-8. */
export function isOtherEncoding(finding: Finding): boolean {
  return finding.rule === 'json-encoding' && finding.params.encoding !== undefined;
}
