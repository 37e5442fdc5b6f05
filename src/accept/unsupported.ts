/**
 * Why a schema, or the door before it, has no accept function. The kind is examined instead: slower, and as right.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
