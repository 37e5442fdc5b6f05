/**
 * The regular expressions of schemas.
 */

/**
 * The expression of a `pattern`, or of a name in `patternProperties`. Schemas are written for other engines too: an
 * expression that is invalid with the flag `u`, such as `\-` outside a class, may be valid without it. Throws the
 * SyntaxError that RegExp throws with the flag.
 */
export function toRegExp(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    try {
      return new RegExp(source);
    } catch {
      throw error;
    }
  }
}

/** The engine's message, which contains the expression; null if the expression is valid. */
export function regExpFault(source: string): string | null {
  try {
    toRegExp(source);
    return null;
  } catch (error) {
    return (error as Error).message; // a SyntaxError
  }
}
