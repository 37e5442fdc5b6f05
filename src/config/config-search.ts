/**
 * The search for the config file, upward to the root of the repository or the home folder. One of another user is
 * passed over: in a shared folder, anyone could put it there. And what a config may name: files inside of its own
 * folder, because it may be part of a change that is being tested.
 */
import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { UsageError, unlessFailed } from '../errors.ts';
import { nodeModule } from '../json/on-demand.ts';
import type { Io } from '../source/io.ts';
import { isOutside, slashed } from '../source/path-text.ts';
import { readFileOrPipe } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import { visible } from '../words/escape.ts';

export const CONFIG_NAME = 'paylint.config.json';

/** Absolute path; null if there is none. A broken link counts: reading it says why it cannot be used. */
export function nearestConfig(io: Io): string | null {
  const home = statsOf(homeOf(io.env), statSync);
  for (let folder = io.cwd; ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_NAME);
    if (statsOf(path, lstatSync) !== null) {
      if (isTrusted(path, io)) return path;
      const name = visible(slashed(relative(io.cwd, path)));
      io.stderr.write(
        `paylint: note: ${name} belongs to another user, so it is passed over; --config ${name} takes it\n`,
      );
    }
    const isLast = dirname(folder) === folder || statsOf(join(folder, '.git'), lstatSync) !== null;
    // Not by its name: links lead to a folder, and case may not matter. Some Windows drives number every file 0.
    const here = statsOf(folder, statSync);
    if (isLast || (here?.ino && here.ino === home?.ino && here.dev === home.dev)) return null;
  }
}

function homeOf({ HOME, USERPROFILE }: Io['env']): string {
  const named = HOME || USERPROFILE;
  if (named) return isAbsolute(named) ? named : '';
  return unlessFailed(() => nodeModule('node:os').homedir()) ?? ''; // the user may be in no list of the system
}

/** Whether the file, and what a link leads to, are root's or the user's: with sudo, of who has called it. */
function isTrusted(path: string, { uid, env }: Io): boolean {
  if (uid === undefined) return true; // the system has no owners of that kind
  const trusted = [uid, 0, ...(uid === 0 && env.SUDO_UID ? [Number(env.SUDO_UID)] : [])];
  return [statsOf(path, lstatSync), statsOf(path, statSync)].every(
    (stats) => stats === null || trusted.includes(Number(stats.uid)),
  );
}

/** `lstatSync` finds a link to nothing. Null also if Node's permission model forbids access. */
function statsOf(path: string, stat: typeof statSync | typeof lstatSync): BigIntStats | null {
  return unlessFailed(() => stat(path, { bigint: true, throwIfNoEntry: false })) ?? null;
}

/** Throws UsageError if `file`, as a config in `folder` has it, may be outside of it. `at`: the beginning of the message. */
export function requireInside(file: string, folder: string, at: string, hint = ''): void {
  if (isInside(file, folder)) return;
  const found = `found ${visible(file)}${hint}`;
  throw new UsageError(`${at}expected a path inside the folder of the config, without "..", ${found}`);
}

/** Whether `file`, as a config in `folder` has it, is inside of this folder, with links followed. */
function isInside(file: string, folder: string): boolean {
  // By its text, on every system: it is relative, without a drive and without `..`.
  if (isAbsolute(file) || /^(?:[\\/]|[a-z]:)/i.test(file) || file.split(/[\\/]/).includes('..')) return false;
  // If it is not there, the nearest folder above it counts.
  let there = resolve(folder, file);
  while (statsOf(there, lstatSync) === null && dirname(there) !== there) there = dirname(there);
  const way = unlessFailed(() => relative(realpathSync(folder), realpathSync(there)));
  return way !== null && !isOutside(way); // null: a link to nothing
}

/** The content of a file or pipe that a config names. Throws UsageError, which begins with `failure`. */
export function readNamed(path: string, most: number, failure: string): Buffer {
  try {
    return readFileOrPipe(path, most);
  } catch (cause) {
    throw new UsageError(`${failure}: ${wordsFor(cause)}`, { cause });
  }
}
