/**
 * What goes wrong with schemas, apart from the machinery that finds it: every start needs the name, few the rest.
 */

/** A schema that cannot be used: which file, where in it, why. Ends the run (exit 2). */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** Every default that is filled in asks for another one. */
export class EndlessDefaults extends Error {
  override readonly name = 'EndlessDefaults';
}

/** True for what is thrown where a schema, applied to a value, finds no end, or none before that of the stack. */
export function isEndless(error: unknown): boolean {
  const overflow = error instanceof RangeError && error.message.includes('call stack');
  return overflow || error instanceof EndlessDefaults;
}
