/** The places that the pointer of a check leads to. */
import { isIndexName } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';

export type Tokens = readonly string[];

/** The places that a pattern leads to; `*` is every item of an array. */
export function placesOf(root: unknown, pattern: Tokens): Tokens[] {
  let places: { readonly tokens: Tokens; readonly value: unknown }[] = [{ tokens: [], value: root }];
  for (const token of pattern)
    places = places.flatMap(({ tokens, value }) => {
      if (token === '*' && Array.isArray(value))
        return value.map((item: unknown, i) => ({ tokens: [...tokens, String(i)], value: item }));
      const inner = inside(value, token);
      return inner === undefined ? [] : [{ tokens: [...tokens, token], value: inner }];
    });
  return places.map(({ tokens }) => tokens);
}

/** Undefined if there is nothing. */
export function inside(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return isIndexName(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}
