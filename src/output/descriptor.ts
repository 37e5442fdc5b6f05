/**
 * Names of files that are descriptors of this process: /dev/stdout, /dev/fd/3, /proc/self/fd/3, and links to them. If
 * such a name were opened again, the file that the descriptor writes would be emptied, and written from its start.
 */
import { fstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Most links that are followed, because links can lead to each other. */
const MOST_LINKS = 40;

/** The number of the descriptor that `path`, an absolute one, leads to; null if it leads to none that is open. */
export function descriptorOf(path: string, pid: number | undefined): number | null {
  const processes = pid === undefined ? 'self' : `self|thread-self|${pid}`;
  const name = new RegExp(`^/(?:dev|proc/(?:${processes})(?:/task/\\d+)?)/fd/(\\d+)$`);
  for (let at = path, links = 0; links <= MOST_LINKS; links++) {
    const number = name.exec(at)?.[1];
    if (number !== undefined) return isOpen(Number(number)) ? Number(number) : null;
    const next = linkAt(at);
    if (next === null) return null;
    at = next;
  }
  return null;
}

/** Where the link at `path` leads, with the links of its folder followed; null if `path` is not a link. */
function linkAt(path: string): string | null {
  try {
    const folder = realpathSync(dirname(path));
    const there = join(folder, basename(path));
    // /dev/fd is itself a link to a folder of descriptors.
    return there === path ? resolve(folder, readlinkSync(path)) : there;
  } catch {
    return null;
  }
}

function isOpen(descriptor: number): boolean {
  try {
    fstatSync(descriptor);
    return true;
  } catch {
    return false;
  }
}
