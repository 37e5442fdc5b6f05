/** What the text formats share: the colours, each named by its meaning, and how a place and a pointer are written. */
import type { ReportStyle, Violation } from '../types.ts';
import { visible } from '../words/escape.ts';

/** Colours one text. Not for `map`: chalk joins all its arguments. */
export type Paint = (text: string) => string;

export interface Palette {
  readonly file: Paint;
  readonly rule: Paint;
  readonly caret: Paint;
  readonly help: Paint;
  readonly quiet: Paint;
  readonly good: Paint;
  readonly bad: Paint;
}

const NO_COLOUR: Palette = {
  file: String,
  rule: String,
  caret: String,
  help: String,
  quiet: String,
  good: String,
  bad: String,
};

/** Loads chalk only for reports that have colour. */
export async function createPalette(level: ReportStyle['colorLevel']): Promise<Palette> {
  if (level === 0) return NO_COLOUR;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  return {
    file: chalk.bold.underline,
    rule: chalk.yellow,
    caret: chalk.red,
    help: chalk.cyan,
    quiet: chalk.dim,
    good: chalk.green,
    bad: chalk.red,
  };
}

/** `file:line:column`, harmless; escaped as a whole, because a file name may end in a colon. */
export function place(violation: Pick<Violation, 'file' | 'line' | 'column'>): string {
  return visible(`${violation.file}:${violation.line}:${violation.column}`);
}

/** A member name may be megabytes long; this many code units of a pointer are shown. */
const POINTER_MAX = 200;

/** A pointer to show to people, harmless and never very long; the root, whose pointer is empty, is `(root)`. */
export function pointerText(pointer: string): string {
  if (pointer === '') return '(root)';
  return visible(pointer.length > POINTER_MAX ? `${pointer.slice(0, POINTER_MAX)}…` : pointer);
}
