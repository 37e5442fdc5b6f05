/**
 * Findings to violations, each a statement and a place: byte ranges become lines and columns, and pointers start at the
 * text that contains the payload.
 */
import type { Place, Places } from '../json/lines.ts';
import type { Child, Edit, Finding, InFile, Mutable, Span, Statement, ViolationPlace } from '../types.ts';
import { levelOf, type RuleLevels } from './levels.ts';

/** What the violations of a payload share. */
export interface PayloadPlace {
  readonly file: string;
  /** Index of the payload in its source, from 0. */
  readonly payload: number;
  readonly kind: string | null;
  /** The beginning of pointers: `/3` for an element of an array, otherwise empty. */
  readonly prefix: string;
  /** Offset in the source of index 0 of the findings' spans. */
  readonly base: number;
  /** Index among the rejected payloads; null if it is not one of them, or nothing asks for it. */
  readonly reject: number | null;
  readonly rules: RuleLevels;
}

/**
 * The source offsets for which the violations and the edits that fix them need a line and column, ascending; some of
 * them may be equal.
 */
export function offsetsOf(findings: readonly Finding[], base: number, edits: readonly Edit[] = []): number[] {
  const offsets: number[] = edits.map(({ at }) => base + at);
  let isSorted = offsets.length === 0;
  for (const finding of findings) {
    const { start, end } = finding.span;
    isSorted &&= offsets.length === 0 || base + start >= offsets[offsets.length - 1]!;
    offsets.push(base + start, base + end);
    for (const span of spansBelow(finding)) {
      offsets.push(base + span.start, base + span.end);
      isSorted = false;
    }
    const first = spanOfFirst(finding);
    if (first === null) continue;
    offsets.push(base + first.start);
    isSorted = false;
  }
  return isSorted ? offsets : offsets.sort((a, b) => a - b);
}

/** The spans of all findings below one. */
function* spansBelow({ children = [] }: Finding): Generator<Span> {
  for (const child of children) {
    yield child.span;
    yield* spansBelow(child);
  }
}

/** Where a finding is. `places`: of the offsets given by `offsetsOf`. */
export function placeOf(
  { rule, span }: Pick<Finding, 'rule' | 'span'>,
  { file, payload, base }: Pick<PayloadPlace, 'file' | 'payload' | 'base'>,
  places: Places,
): ViolationPlace {
  const { line, column } = places.get(base + span.start)!; // requested above
  // A byte that is not UTF-8 has no code units: it is shown as one character and takes one column.
  const end = rule === 'json-encoding' ? { line, column: column + 1 } : places.get(base + span.end)!;
  const offset = base + span.start;
  return { file, payload, line, column, endLine: end.line, endColumn: end.column, offset };
}

/** What a finding says. `places`: as for `placeOf`. */
export function statementOf(
  finding: Finding,
  { kind, prefix, base, reject, rules }: Omit<PayloadPlace, 'file' | 'payload'>,
  places: Places,
): Statement {
  const first = spanOfFirst(finding);
  const placeAt = (index: number): Place => places.get(base + index)!; // requested above
  const params =
    first === null ? finding.params : { first: { ...placeAt(first.start), offset: base + first.start } };
  const { rule, message, schema, fixable, suggestion, authorMessage } = finding;
  const fix = fixable ? 'fill' : finding.fix;
  const children = childrenOf(finding, { prefix, base }, placeAt);
  const statement = {
    kind,
    severity: levelOf(rule, rules) === 'warning' ? 'warning' : 'error',
    pointer: prefix + finding.pointer,
    rule,
    message,
    params,
    schema,
    fixable,
  } as Mutable<Statement>; // the params match the rule
  if (fix !== undefined) statement.fix = fix;
  if (suggestion !== null) statement.suggestion = suggestion;
  if (authorMessage !== undefined) statement.authorMessage = authorMessage;
  if (reject !== null) statement.reject = reject;
  if (children.length > 0) statement.children = children;
  return statement;
}

/** The list below a finding; `placeOf`: of an index in the bytes examined. */
function childrenOf(
  { children = [] }: Finding,
  payload: Pick<PayloadPlace, 'prefix' | 'base'>,
  placeOf: (index: number) => Place,
): readonly Child[] {
  const childOf = (child: Finding): Child => {
    const { start, end } = child.span;
    const { line: endLine, column: endColumn } = placeOf(end);
    const { rule, message, params, schema, suggestion, authorMessage } = child;
    const place = placeOf(start);
    // Property by property: this is far faster than a copy by spread.
    const said = {
      line: place.line,
      column: place.column,
      endLine,
      endColumn,
      offset: payload.base + start,
      pointer: payload.prefix + child.pointer,
      rule,
      message,
      params,
      schema,
    } as Mutable<Child>; // the params match the rule
    if (suggestion !== null) said.suggestion = suggestion;
    if (authorMessage !== undefined) said.authorMessage = authorMessage;
    const below = childrenOf(child, payload, placeOf);
    if (below.length > 0) said.children = below;
    return said;
  };
  return children.map(childOf);
}

/** The place of a finding in the bytes of its file. `edits`: those that fix it, all insertions. */
export function inFileOf({ span }: Finding, edits: readonly Edit[], base: number, places: Places): InFile {
  return {
    byteLength: span.end - span.start,
    insertions: edits.map(({ at, text }) => {
      const offset = base + at;
      const { line, column } = places.get(offset)!; // requested above
      return { line, column, offset, text };
    }),
  };
}

/** Where the first of two equal names is, in the bytes examined; null for a finding of another rule. */
function spanOfFirst(finding: Finding): Span | null {
  return finding.rule === 'duplicate-member' ? finding.params.first : null;
}

/** True if the whole source is in another encoding than UTF-8. */
export function isOtherEncoding(finding: Finding): boolean {
  return finding.rule === 'json-encoding' && finding.params.encoding !== undefined;
}
