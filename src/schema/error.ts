/**
 * A schema that cannot be used: which file, where in it, why. Ends the run (exit 2).
 */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
