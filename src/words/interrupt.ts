/**
 * Why a payload was not examined to its end.
 */

/** `reason`: of the interrupt signal, which a caller of the library may give. */
export function wordsForInterrupt(reason: unknown): string {
  return typeof reason === 'string' && /^SIG[A-Z]+$/.test(reason)
    ? `the run was interrupted by ${reason}`
    : 'the run was interrupted';
}
