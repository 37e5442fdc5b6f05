/**
 * The reason why a schema, or the entry schema's test for it, has no accept function. Its kind is examined instead:
 * slower, with the same result.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
