/**
 * A window whose whole source is these bytes, as after a small file was read.
 */

import type { Window } from '../src/source/window.ts';
import { PADDING } from '../src/wasm/layout.ts';

export function putBytes(window: Window, bytes: Uint8Array): void {
  window.bytes.set(bytes);
  window.start = 0;
  window.end = bytes.length;
  window.atEnd = true;
  window.bytes.fill(0, window.end, window.end + PADDING);
}
