/** A violation as a row of a page: of an `html` report, and of the playground. Long texts are cut. */
import { patternOfViolation } from '../json/pointer-pattern.ts';
import { RULES } from '../keywords/rules.ts';
import { messageText } from '../log/violation-table.ts';
import type { Child, Violation } from '../types.ts';
import { escapeCodePoint } from '../words/escape.ts';
import type { ChildData, EndData, FrameData, RowData } from './html-data.ts';
import { beforePair } from './paint.ts';
import { below, withHelp } from './violation.ts';

/** Code units of params, and of any other text. */
const TEXT = 500;
const PARAMS = 2000;

export function explained(rule: string): EndData['rules'] {
  const known = RULES.get(rule);
  if (known === undefined) return [];
  const { meaning, fix, wrong, right } = known.text;
  return [{ rule, meaning, fix, wrong, right }];
}

/** The JSON of a RowData: without params if they are too long. */
export function rowText(violation: Violation, frame: FrameData | null): string {
  const text = JSON.stringify(rowOf(violation, frame, violation.params));
  const isShort = text.length <= PARAMS || JSON.stringify(violation.params).length <= PARAMS;
  return isShort ? text : JSON.stringify(rowOf(violation, frame, null));
}

function rowOf(
  violation: Violation,
  frame: FrameData | null,
  params: Violation['params'] | null,
): Omit<RowData, 'params'> & { readonly params: typeof params } {
  const { payload, line, column, endLine, endColumn, offset, severity } = violation;
  const pointer = cut(violation.pointer);
  return {
    file: cut(violation.file),
    payload,
    line,
    column,
    endLine,
    endColumn,
    offset,
    kind: orNull(violation.kind),
    severity,
    pointer,
    pattern: patternOfViolation(violation),
    rule: cut(violation.rule),
    message: cut(messageText(violation)),
    params,
    schema: orNull(violation.schema),
    fix: violation.fix ?? null,
    suggestion: orNull(violation.suggestion),
    frame,
    ...(violation.children === undefined ? {} : { children: Array.from(below(violation), childOf) }),
  };
}

function childOf({ child, level }: { readonly child: Child; readonly level: number }): ChildData {
  const { line, column, pointer, rule } = child;
  return { level, line, column, pointer: cut(pointer), rule: cut(rule), message: cut(withHelp(child)) };
}

function orNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : cut(text);
}

/** At most TEXT code units of `text`. Lone surrogates are escaped, because an address cannot contain them. */
export function cut(text: string): string {
  const short = text.length > TEXT ? `${text.slice(0, beforePair(text, TEXT))}…` : text;
  return short.isWellFormed() ? short : short.replace(/\p{Cs}/gu, escapeCodePoint);
}
