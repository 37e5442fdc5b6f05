/**
 * The search for the config file: from the working directory upward, to the root of the repository or the home folder.
 * A file of another user is passed over: in a shared folder, anyone could put one there. And what a config may name: files
 * inside of its own folder, because it may be part of a change that is being tested.
 */

import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Io } from '../source/io.ts';
import { nodeModule } from '../source/on-demand.ts';
import { isOutside, slashed } from '../source/path-text.ts';
import { visible } from '../words/escape.ts';

export const CONFIG_NAME = 'paylint.config.json';

/**
 * Absolute path of the nearest config file; null if there is none. A broken link counts: reading it says why it cannot
 * be used.
 */
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
    if (isLast || isSame(statsOf(folder, statSync), home)) return null;
  }
}

/** The home folder; empty if there is none. */
function homeOf({ HOME, USERPROFILE }: Io['env']): string {
  const named = HOME || USERPROFILE;
  if (named) return isAbsolute(named) ? named : '';
  try {
    return nodeModule('node:os').homedir();
  } catch {
    return ''; // the user has no entry in the system's list of users
  }
}

/**
 * Whether the file, and what it leads to if it is a link, belong to the user or to root. With sudo, the user is who has
 * called it.
 */
function isTrusted(path: string, { uid, env }: Io): boolean {
  if (uid === undefined) return true; // the system has no owners of that kind
  const trusted = [uid, 0, ...(uid === 0 && env.SUDO_UID ? [Number(env.SUDO_UID)] : [])];
  return [statsOf(path, lstatSync), statsOf(path, statSync)].every(
    (stats) => stats === null || trusted.includes(Number(stats.uid)),
  );
}

/** Compares device and inode, not names: links lead to a folder, and case may not matter. */
function isSame(one: BigIntStats | null, other: BigIntStats | null): boolean {
  // Some Windows drives number every file 0.
  return one !== null && other !== null && one.ino !== 0n && one.ino === other.ino && one.dev === other.dev;
}

/**
 * With `lstatSync`, a link is found whether or not it leads to a file. Null also if Node's permission model forbids
 * access.
 */
function statsOf(path: string, stat: typeof statSync | typeof lstatSync): BigIntStats | null {
  try {
    return stat(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
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
  return !leadsOutside(resolve(folder, file), folder);
}

/** Whether `path`, or the nearest folder above it that is there, is outside of `folder`, or a link to nothing. */
function leadsOutside(path: string, folder: string): boolean {
  let there = path;
  while (!isThere(there)) there = dirname(there);
  try {
    const way = relative(realpathSync(folder), realpathSync(there));
    return isOutside(way);
  } catch {
    return true;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path;
  } catch {
    return dirname(path) === path; // a part of the path is not a folder
  }
}
