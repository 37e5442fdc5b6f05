/**
 * Whether standard input has anything to read. Nothing is guessed by time: a pipe or a socket is waited for until its first
 * byte or its end, and nothing is taken from it.
 */
import { Interrupted } from '../errors.ts';
import type { Io } from './io.ts';
import { statsOfDescriptor } from './read-file.ts';
import { Bell } from './stream-reader.ts';

/** Milliseconds of waiting before the user is told of it. */
const LONG_WAIT = 1000;

const EVENTS = ['readable', 'end', 'close', 'error'] as const;

/**
 * False if standard input ends without a byte, as /dev/null does, and as one that is closed. `tell` is called once if that
 * is not known after a second. Throws Interrupted.
 */
export async function hasInput(
  { stdin, interrupt }: Pick<Io, 'stdin' | 'interrupt'>,
  tell: () => void,
): Promise<boolean> {
  const stats = statsOfDescriptor(stdin.fd);
  // It is left to its reader, which does not use the stream.
  if (stats?.isFile() || stats?.isDirectory()) return stats.size > 0;
  const bell = new Bell();
  for (const event of EVENTS) stdin.on(event, bell.ring);
  interrupt.addEventListener('abort', bell.ring);
  const timer = setTimeout(tell, LONG_WAIT);
  try {
    for (;;) {
      if (interrupt.aborted) throw new Interrupted(interrupt);
      const chunk = stdin.read() as { readonly length: number } | null; // bytes or text
      // A stream of objects may give an empty one.
      if (chunk?.length === 0) continue;
      if (chunk !== null) {
        stdin.unshift(chunk);
        return true;
      }
      // Its reader reports what is wrong with it.
      if (stdin.errored !== null) return true;
      if (stdin.readableEnded || stdin.destroyed) return false;
      await bell.wait();
    }
  } finally {
    clearTimeout(timer);
    interrupt.removeEventListener('abort', bell.ring);
    for (const event of EVENTS) if (event !== 'error') stdin.off(event, bell.ring);
  }
}
