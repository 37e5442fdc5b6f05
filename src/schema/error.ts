/**
 * What goes wrong with schemas, apart from the machinery that finds it: every start needs the name, few the rest.
 */
import { SchemaError, Unexamined } from '../errors.ts';

/** Every default that is filled in asks for another one. */
export class EndlessDefaults extends Error {
  override readonly name = 'EndlessDefaults';
}

/** True for what is thrown when a schema, applied to a value, finds no end, or none before that of the stack. */
export function isEndless(error: unknown): boolean {
  return isStackOverflow(error) || error instanceof EndlessDefaults;
}

/** True for what V8 throws when the stack of this thread has no room for another call. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

/** What to throw for what was thrown while a payload was examined: a SchemaError as it is, for a schema is compiled when it is needed. */
export function unexamined(cause: unknown): Error {
  return cause instanceof SchemaError ? cause : new Unexamined('a payload could not be examined', { cause });
}
