/**
 * Whether a stream gets colour: `--color`/`--no-color`, then `NO_COLOR`, then `FORCE_COLOR`, then `TERM=dumb`, then
 * whether it is a terminal.
 */
import type { Io, ReportStyle } from '../types.ts';

/** `flag`: true for `--color`, false for `--no-color`, null for neither. */
export function colorLevel(
  flag: boolean | null,
  env: Io['env'],
  stream: { readonly isTTY?: boolean },
): ReportStyle['colorLevel'] {
  if (flag !== null) return flag ? 1 : 0;
  if (env.NO_COLOR) return 0;
  const force = env.FORCE_COLOR;
  if (force) return force === '0' ? 0 : force === '2' ? 2 : force === '3' ? 3 : 1;
  if (env.TERM === 'dumb') return 0;
  return stream.isTTY === true ? 1 : 0;
}
