/**
 * Errors of schemas. They are in their own file, because every start needs their names, but few need the code that
 * throws them.
 */
import { SchemaError, Unexamined } from '../errors.ts';

/** Each default that is filled in requires another one, without end. */
export class EndlessDefaults extends Error {
  override readonly name = 'EndlessDefaults';
}

/** True for errors thrown if applying a schema to a value never ends, or overflows the stack. */
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
