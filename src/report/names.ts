/**
 * The names of the files in which something was filled in, one per line: the report of `fill` with `--quiet`. On a
 * terminal they are escaped; programs get them as they are.
 */
import type { Reporter } from '../types.ts';
import { visible } from '../words/escape.ts';

/** `terminal`: the names go to one. */
export function createNames(terminal: boolean): Reporter {
  return (event) => {
    if (event.type !== 'source' || !event.source.filled) return '';
    return `${terminal ? visible(event.source.file) : event.source.file}\n`;
  };
}
