/**
 * Errors of schemas, in a file of their own: every start needs their names, few need the code that finds them.
 */
import { SchemaError, Unexamined } from '../errors.ts';

/** Each default that is filled in leads to another one, without end. */
export class EndlessDefaults extends Error {
  override readonly name = 'EndlessDefaults';
}

/** True for errors thrown if a schema, applied to a value, does not end, or does not end before the stack does. */
export function isEndless(error: unknown): boolean {
  return isStackOverflow(error) || error instanceof EndlessDefaults;
}

/** True for V8's error if the stack of this thread is full. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

/**
 * The error to throw for an error during the examination of a payload. A SchemaError stays as it is, because a schema
 * is compiled when it is first needed.
 */
export function unexamined(cause: unknown): Error {
  return cause instanceof SchemaError ? cause : new Unexamined('a payload could not be examined', { cause });
}
