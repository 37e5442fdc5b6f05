/** JSON Pointers (RFC 6901): from tokens to text and back. */

/** `["a/b", 0]` -> `/a~1b/0`; no tokens -> `""`, the root. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of tokens) pointer += `/${typeof token === 'number' ? token : escapeToken(token)}`;
  return pointer;
}

/** RFC 6901 section 3: `~` is written `~0` and `/` is written `~1`. */
export function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** `/a~1b/0` -> `["a/b", "0"]`. The text must be a pointer: empty, or beginning with `/`. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  const tokens = pointer.slice(1).split('/');
  if (!pointer.includes('~')) return tokens;
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at `pointer` (RFC 6901) in `document`; undefined if there is none. */
export function atPointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

/** True for a member name that looks like an index: JavaScript puts such names first, in any object. */
export function isIndexName(name: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(name);
}
