/**
 * The list below a violation, in text formats: one line per item, with its place and its pointer.
 */
import type { Child, Violation } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { pointerText } from './paint.ts';

/** All items below a violation, each before its own list; `level`: 1 for the items of the violation itself. */
export function* below(
  { children = [] }: Pick<Violation, 'children'>,
  level = 1,
): Generator<{ readonly child: Child; readonly level: number }> {
  for (const child of children) {
    yield { child, level };
    yield* below(child, level + 1);
  }
}

/** The message, and what was probably meant. */
export function withHelp({ message, suggestion }: Pick<Child, 'message' | 'suggestion'>): string {
  return suggestion === undefined ? message : `${message}; did you mean ${quote(suggestion)}?`;
}

/** `type at /n: expected an integer, found "x"`; harmless, on one line. */
export function childText(child: Child): string {
  return visible(`${child.rule} at ${pointerText(child.pointer)}: ${withHelp(child)}`);
}

/** A line for each, with its place in the file: `3:9 type at /n: expected an integer, found "x"`. */
export function childLines(violation: Pick<Violation, 'children'>): string[] {
  return Array.from(below(violation), ({ child, level }) => {
    const { line, column } = child;
    return `${'  '.repeat(level)}${line}:${column} ${childText(child)}`;
  });
}
