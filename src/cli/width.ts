/**
 * The width of text for people: of the terminal, of `COLUMNS`, or assumed.
 */
import type { Io } from '../input/io.ts';

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
