/**
 * Whether a stream gets colour: `--color`/`--no-color`, then `NO_COLOR`, then `FORCE_COLOR`, then `TERM=dumb`, then
 * whether it is a terminal.
 */

import type { Io } from '../input/io.ts';
import type { ReportStyle } from '../types.ts';

/** `flag`: true for `--color`, false for `--no-color`, null for neither. */
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
