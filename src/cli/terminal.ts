/**
 * What a stream can show to people: colours, characters other than ASCII, and how many columns.
 */

import { sep } from 'node:path';
import type { Io } from '../input/io.ts';
import type { ReportStyle } from '../types.ts';

/**
 * Whether a stream gets colour: `--color`/`--no-color`, then `NO_COLOR`, then `FORCE_COLOR`, then `TERM=dumb`, then
 * whether it is a terminal. `flag`: true for `--color`, false for `--no-color`, null for neither.
 */
export function colorLevel(
  flag: boolean | null,
  env: Io['env'],
  stream: { readonly isTTY?: boolean },
): ReportStyle['colorLevel'] {
  if (flag !== null) return flag ? 1 : 0;
  if (env.NO_COLOR) return 0;
  if (env.FORCE_COLOR) return forcedLevel(env.FORCE_COLOR);
  if (env.TERM === 'dumb') return 0;
  return stream.isTTY === true ? 1 : 0;
}

/** As the package supports-color reads it: `false`, `true`, or a level, at most 3; any other text means colour. */
function forcedLevel(text: string): ReportStyle['colorLevel'] {
  if (text === 'false') return 0;
  const level = Number.parseInt(text, 10);
  if (level <= 0) return 0;
  return level >= 3 ? 3 : level === 2 ? 2 : 1;
}

/** `windows`: whether it is a console of Windows. */
export function showsUnicode(
  env: Io['env'],
  stream: { readonly isTTY?: boolean },
  windows = sep === '\\',
): boolean {
  if (stream.isTTY !== true) return true;
  if (windows) return isNewWindowsTerminal(env);
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  return isUtf8Locale(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

/** `de_DE.ISO-8859-1@euro`. Without a character set, as in `de_DE`, or without a locale, most systems use UTF-8. */
function isUtf8Locale(locale: string): boolean {
  if (locale === 'C' || locale === 'POSIX') return false;
  const charset = /\.([^@]*)/.exec(locale)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** By the rules of the package is-unicode-supported 2.1, which itself reads the process. */
function isNewWindowsTerminal(env: Io['env']): boolean {
  return (
    Boolean(env.WT_SESSION || env.TERMINUS_SUBLIME) ||
    env.ConEmuTask === '{cmd::Cmder}' ||
    ['Terminus-Sublime', 'vscode'].includes(env.TERM_PROGRAM ?? '') ||
    ['xterm-256color', 'alacritty', 'rxvt-unicode', 'rxvt-unicode-256color'].includes(env.TERM ?? '') ||
    env.TERMINAL_EMULATOR === 'JetBrains-JediTerm'
  );
}

/** Columns if the width is not known. */
const DEFAULT_WIDTH = 100;

/** Columns of the terminal that `stream` is, else what `COLUMNS` says, else 100. */
export function widthOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Io['env'],
): number {
  if (stream.isTTY === true && stream.columns !== undefined) return stream.columns;
  const columns = /^\d{1,5}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 0;
  return columns > 0 ? columns : DEFAULT_WIDTH;
}

/** A line for each row, with its texts in columns. */
export function inColumns(rows: readonly (readonly [string, string, string])[]): string {
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map(([a, b, c]) => `${a.padEnd(first!)}  ${b.padEnd(second!)}  ${c}\n`).join('');
}
