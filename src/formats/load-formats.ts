/**
 * The functions that judge formats, which are loaded only for schemas that name them.
 */
import { type Judge, linear } from './format.ts';
import { formatNamed } from './format-table.ts';

/** The judges of formats, by name; without formats that are not asserted or that allow all values. */
export async function loadFormats(names: Iterable<string>): Promise<Map<string, LoadedFormat>> {
  const judges = new Map<string, LoadedFormat>();
  for (const name of new Set(names)) {
    const format = formatNamed(name);
    const judge = format?.judge ?? (await format?.load?.()) ?? byPattern(format?.pattern);
    if (judge !== null) judges.set(name, { ...judge, type: format?.type ?? 'string' });
  }
  return judges;
}

export interface LoadedFormat extends Judge {
  /** The type of the values that are judged. */
  readonly type: 'string' | 'number';
}

function byPattern(pattern: string | undefined): Judge | null {
  return pattern === undefined ? null : { test: linear(pattern) };
}
