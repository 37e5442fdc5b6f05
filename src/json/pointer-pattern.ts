/**
 * Pointers in which an index of an array is `*`, so that equal places of items are one. A name of a member that looks like
 * an index stays: what is an array is asked of the value.
 */
import { Children, nameToken } from './children.ts';
import { escapeToken, isIndexName, parsePointer } from './pointer.ts';
import { OPEN_ARRAY, OPEN_OBJECT, skipSpace, skipValue } from './skip.ts';
import { isJsonObject } from './value.ts';

/** With `*` for each token that looks like an index. */
export function foldIndices(pointer: string): string {
  return pointer.replace(/\/(?:0|[1-9]\d*)(?=\/|$)/g, '/*');
}

/** Digits as the whole name of a member, perhaps written as escapes. */
const DIGITS = /"(?:\\u003\d|\d)+"[ \t\r\n]*:/;

/**
 * For pointers into the JSON text in `bytes[start, end)`: the pattern of one, or null if it is that of `foldIndices`. Null
 * if that is so for all: no member has such a name, or the text is malformed.
 */
export function patternsIn(bytes: Buffer, start: number, end: number): ((pointer: string) => string | null) | null {
  if (!DIGITS.test(bytes.toString('latin1', start, end))) return null;
  let root: unknown;
  try {
    root = JSON.parse(bytes.toString('utf8', start, end));
  } catch {
    return null;
  }
  return (pointer) => {
    const pattern = patternOf(pointer, root);
    return pattern === foldIndices(pointer) ? null : pattern;
  };
}

function patternOf(pointer: string, root: unknown): string {
  let value = root;
  const parts = pointer.split('/').slice(1);
  return parsePointer(pointer)
    .map((token, i) => {
      const isIndex = Array.isArray(value);
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, token);
      value = isThere ? (value as Record<string, unknown>)[token] : undefined; // an object, as tested
      return isIndex ? '/*' : `/${parts[i]}`;
    })
    .join('');
}

/** Of a violation, which has a pattern of its own if that is not the one of its pointer alone. */
export function patternOfViolation({
  pointer,
  pattern,
}: {
  readonly pointer: string;
  readonly pattern?: string;
}): string {
  return pattern ?? foldIndices(pointer);
}

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

/** Where a value is. */
export interface ValueAt {
  /** RFC 6901, from the root of the text. */
  readonly pointer: string;
  /** Indexes into the bytes: of the first of the value, and after the last. */
  readonly start: number;
  readonly end: number;
}

/** Finds the values at a pattern, text by text, each in one walk. Memory grows with the length of the pattern only. */
export class PatternWalk {
  readonly #tokens: readonly string[];
  readonly #names: readonly ReturnType<typeof nameToken>[];

  /** `tokens`: of the pattern. */
  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
    this.#names = tokens.map(nameToken);
  }

  /** In the order of the text in `bytes[start, end)`, which must be well-formed, without equal names in an object. */
  *in(bytes: Buffer, { start, end }: Pick<ValueAt, 'start' | 'end'>): Generator<ValueAt> {
    yield* this.#below(bytes, { pointer: '', start: skipSpace(bytes, start, end), end }, 0);
  }

  /** `end`: of the text. Returns the index after the value at `start`, or -1 if that is not known. */
  *#below(bytes: Buffer, { pointer, start, end }: ValueAt, depth: number): Generator<ValueAt, number> {
    const token = this.#tokens[depth];
    if (token === undefined) {
      const after = skipValue(bytes, start, end);
      yield { pointer, start, end: after };
      return after;
    }
    const byte = bytes[start];
    const isList = byte === OPEN_ARRAY;
    if (!isList && byte !== OPEN_OBJECT) return -1;
    const takesAll = isList && token === '*';
    if (isList && !takesAll && !isIndexName(token)) return -1;
    const children = new Children(bytes, start, end);
    const name = this.#names[depth]!;
    for (let after = -1; children.next(after); ) {
      const isMeant = takesAll || (isList ? children.index === Number(token) : children.isNamed(name));
      const path = !isMeant ? '' : `${pointer}/${isList ? children.index : escapeToken(token)}`;
      after = isMeant ? yield* this.#below(bytes, { pointer: path, start: children.start, end }, depth + 1) : -1;
      if (isMeant && !takesAll) return -1;
    }
    return children.after;
  }
}
