/**
 * The issues of Standard Schema: what is wrong, with the way to the value that a form or an API marks. Of a member that
 * is missing that is the member, not its object; what fails in the closest alternative is an issue of its own.
 */
import { parsePointer } from '../json/pointer.ts';
import type { LibraryChild, LibraryViolation, StandardIssue } from './api.ts';

/** Of a value that is not valid. Warnings are no issues. */
export function issuesOf(value: unknown, violations: readonly LibraryViolation[]): StandardIssue[] {
  return violations.filter(({ severity }) => severity === 'error').flatMap((one) => issuesBelow(value, one));
}

/** The issue for one, followed by those for what is listed below it. The author's message stands alone. */
function issuesBelow(value: unknown, one: LibraryViolation | LibraryChild): StandardIssue[] {
  const { pointer, message, authorMessage, children = [] } = one;
  const missing = MEMBERS_MISSING.has(one.rule) ? (one.params as { readonly missing: string }).missing : undefined;
  const path = [...pathIn(value, pointer), ...(missing === undefined ? [] : [missing])];
  return [{ message: authorMessage ?? message, path }, ...children.flatMap((child) => issuesBelow(value, child))];
}

/** The rules that are about a member that is not there. */
const MEMBERS_MISSING: ReadonlySet<string> = new Set(['required', 'dependentRequired', 'dependencies']);

/** The tokens of a pointer: indexes of arrays as numbers. */
function pathIn(value: unknown, pointer: string): (string | number)[] {
  let at = value;
  return parsePointer(pointer).map((token) => {
    const key = Array.isArray(at) ? Number(token) : token;
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[token] : undefined;
    return key;
  });
}
