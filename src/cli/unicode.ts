/**
 * Whether a stream can show more than ASCII. Files, pipes and CI logs can, because they are read as UTF-8. A terminal
 * cannot if TERM, or the character set of the locale, says so, or, on Windows, if it is an old console.
 */
import { sep } from 'node:path';
import type { Io } from '../input/io.ts';

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
