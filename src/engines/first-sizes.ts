/**
 * Up to which sizes the judge for the first payloads of a run takes less time than functions that must be compiled.
 */

/** Bytes of several payloads together. */
export const FEW_BYTES = 1 << 13;
/** Bytes of one payload. */
export const SHORT = 1 << 17;
