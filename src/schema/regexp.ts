/**
 * The regular expressions of schemas.
 */
import { unicodeForm } from './unicode-form.ts';

/**
 * The expression of a `pattern`, or of a name in `patternProperties`, with the flag `u`. Schemas are written for other
 * engines too: an expression that is invalid with the flag is rewritten (`unicodeForm`). Throws SyntaxError.
 */
export function toRegExp(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    const form = unicodeForm(source);
    try {
      return new RegExp(form, 'u');
    } catch (error) {
      const message = (error as Error).message; // a SyntaxError, whose message contains the form
      throw new SyntaxError(
        message.replace(`/${form}/`, () => `/${source}/`),
        { cause: error },
      );
    }
  }
}

/** Why the expression is refused; null if it is valid. */
export function regExpFault(source: string): string | null {
  try {
    toRegExp(source);
    return null;
  } catch (error) {
    return (error as Error).message; // a SyntaxError
  }
}
