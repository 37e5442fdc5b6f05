/**
 * Whether a pattern of a schema is a regular expression.
 */

/**
 * The engine's message, which contains the expression; null if the expression is valid with the flag `u` or without it.
 */
export function regExpFault(source: string): string | null {
  return faultWith(source, '') === null ? null : faultWith(source, 'u');
}

function faultWith(source: string, flags: string): string | null {
  try {
    new RegExp(source, flags);
    return null;
  } catch (error) {
    return (error as Error).message; // a SyntaxError
  }
}
