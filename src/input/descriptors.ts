/**
 * Whether the process may open a few more files. Node needs descriptors for a thread and for a limit of time, and without
 * them it ends the process by SIGABRT, so that no error can be caught.
 */
import { closeSync, openSync } from 'node:fs';
import { codeOf } from './system-errors.ts';

/** An event loop takes up to six. */
const NEEDED = 6;

/** Throws the error of the file system, EMFILE or ENFILE, if there are too few descriptors left. */
export function requireDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED) opened.push(openSync('/dev/null', 'r'));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EMFILE' || code === 'ENFILE') throw error;
    // There is no such file, or it may not be opened: nothing is known.
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
