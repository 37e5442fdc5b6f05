/**
 * The defaults that payloads are checked with, as if they were filled in, and which of them are wanted: plain data,
 * which threads can be given. `--only` and `--except` are patterns of pointers. A default is added whole: what is
 * inside of it is not chosen apart.
 */
import { parsePointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';

export interface WantedDefaults {
  /** Null: none; payloads are checked as they are. */
  readonly texts: DefaultMap | null;
  /** Which members they may add; absent or empty: all. */
  readonly filters?: readonly DefaultFilter[];
  /**
   * Defaults that are not filled in, but that reports mention as what `fill` would insert. Absent: reports mention
   * none.
   */
  readonly fixes?: DefaultMap;
}

export const NO_DEFAULTS: WantedDefaults = { texts: null };

/**
 * By place of a schema (`content-item.schema.json#/properties/active`): the JSON text of its `default`. In the order of
 * the files.
 */
export type DefaultMap = ReadonlyMap<string, string>;

/** A member and everything in it. Plain data, for threads. */
export interface DefaultFilter {
  /** The flag and the argument as typed: a JSON Pointer (RFC 6901), or the name of a member at any place. */
  readonly flag: '--only' | '--except';
  readonly text: string;
  /** From the payload's root; `*` is any name or index. Of a name: itself. */
  readonly tokens: readonly string[];
}

export function readDefaultFilters(only: readonly string[], except: readonly string[]): DefaultFilter[] {
  const tokens = (text: string): string[] => (text.startsWith('/') ? parsePointer(text) : [text]);
  const read = (flag: DefaultFilter['flag']) => (text: string) => ({ flag, text, tokens: tokens(text) });
  return [...only.map(read('--only')), ...except.map(read('--except'))];
}

/** Removes the members that `after` has, `before` has not, and `filters` exclude. `path`: theirs; null is an index. */
export function takeBack(
  before: unknown,
  after: unknown,
  filters: readonly DefaultFilter[],
  path: readonly (string | null)[] = [],
): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [i, item] of before.entries()) takeBack(item, after[i], filters, [...path, null]);
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of Object.keys(after)) {
      const inner = [...path, name];
      if (Object.hasOwn(before, name)) takeBack(before[name], after[name], filters, inner);
      else if (!isWanted(filters, inner)) delete (after as Record<string, unknown>)[name]; // the value belongs to the filler
    }
  }
}

function isWanted(filters: readonly DefaultFilter[], path: readonly (string | null)[]): boolean {
  const held = filters.filter(({ text, tokens }) => {
    if (!text.startsWith('/')) return path.includes(text);
    return tokens.length <= path.length && tokens.every((token, i) => token === '*' || token === path[i]);
  });
  if (held.some(({ flag }) => flag === '--except')) return false;
  return held.length > 0 || filters.every(({ flag }) => flag === '--except');
}
