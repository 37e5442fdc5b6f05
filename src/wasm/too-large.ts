/**
 * V8's limits on the size of code, such as 7,654,321 bytes for a function:
 * https://webassembly.github.io/spec/js-api/#limits
 */

/** Whether V8 refuses a module for its size. */
export function isTooLarge(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'CompileError' &&
    /maximum function size|exceeds/.test(error.message)
  );
}
