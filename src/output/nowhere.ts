/**
 * A stream that drops everything: for reports whose events are taken instead of their text.
 */
import type { OutputStream } from '../types.ts';

export const NOWHERE: OutputStream = {
  destroyed: false,
  write(_, done) {
    done?.();
  },
  on() {},
  off() {},
};
