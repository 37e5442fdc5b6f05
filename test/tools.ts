/**
 * What tests need of the system besides Node, npm and a POSIX shell. A test that needs a program which is missing is skipped, and
 * its title says what it needs; `test/skipped.ts` prints it at the end. In CI a missing program is an error: `.ci/run` installs all.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf, shell } from '../scripts/programs.js';
import { atFileEnd } from './file-end.ts';

const BIN = join(import.meta.dirname, '../bin/paylint.js');

/** Where tests of `fill` have their files: in memory if possible, because files are synchronized there again and again. */
export const SCRATCH = isWritable('/dev/shm') ? '/dev/shm' : tmpdir();

/** Something that the system may or may not let a process do, with the programs for it. */
interface Power {
  readonly programs: readonly string[];
  /** A command that ends with 0 if it may; its first word is one of the programs, or the shell. */
  readonly probe: readonly string[];
}

/** In a probe: the path of a new file in SCRATCH. */
const FILE = '<file>';

export const isRoot = process.getuid?.() === 0;

/** Begins a command that is run without the rights of root. */
export const UNPRIVILEGED: readonly string[] = isRoot
  ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
  : [];

/** By the name that tests give it. A container may refuse any of them, so a missing one is not an error in CI, unless a program is missing. */
const POWERS = {
  'the rights of root': { programs: [], probe: isRoot ? [] : ['none'] },
  'an unprivileged user': {
    programs: UNPRIVILEGED.slice(0, 1),
    probe: isRoot ? [...UNPRIVILEGED, process.execPath, BIN, '--version'] : [],
  },
  'mounts of its own': {
    programs: ['unshare', 'mount'],
    probe: ['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'],
  },
  '/dev/full': { programs: [], probe: hasDevice('/dev/full') ? [] : ['none'] },
  'GNU cp': {
    programs: ['cp'],
    probe: [shell(), '-c', 'case $(cp --version) in *"GNU coreutils"*) ;; *) exit 1 ;; esac'],
  },
  'access control lists': { programs: ['getfacl', 'setfacl'], probe: ['setfacl', '-m', 'u:1234:rw', FILE] },
  'extended attributes': {
    programs: ['getfattr', 'setfattr'],
    probe: ['setfattr', '-n', 'user.note', '-v', 'x', FILE],
  },
  'extended attributes of root': {
    programs: ['setfattr'],
    probe: ['setfattr', '-n', 'security.note', '-v', 'x', FILE],
  },
  'emacs with eglot': {
    programs: ['emacs'],
    probe: ['emacs', '--batch', '--eval', "(progn (package-initialize) (require 'eglot))"],
  },
  'marks on files': { programs: ['chattr'], probe: [shell(), '-c', 'chattr +i "$0" && chattr -i "$0"', FILE] },
} as const satisfies Record<string, Power>;

function hasDevice(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isCharacterDevice() ?? false;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The programs of a need: its own name, or those of a power. */
export function programsOf(name: string): readonly string[] {
  return powerOf(name)?.programs ?? [name];
}

function powerOf(name: string): Power | null {
  return name in POWERS ? POWERS[name as keyof typeof POWERS] : null; // `in` has just said so
}

const known = new Map<string, boolean>();

function isMissing(name: string): boolean {
  const seen = known.get(name);
  if (seen !== undefined) return seen;
  const power = powerOf(name);
  const missing = power === null ? pathOf(name) === null : !isGranted(power);
  known.set(name, missing);
  return missing;
}

function isGranted({ programs, probe }: Power): boolean {
  if (programs.some((name) => pathOf(name) === null)) return false;
  if (probe.length === 0) return true;
  const folder = mkdtempSync(join(SCRATCH, 'paylint-probe-'));
  try {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const [program, ...args] = probe.map((word) => (word === FILE ? file : word));
    return spawnSync(program!, args, { stdio: 'ignore', timeout: 600_000 }).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a test needs, for `it.skipIf(need.missing)` and a title that ends with `need.note`. */
export interface Need<Name extends string = string> {
  readonly missing: boolean;
  /** Empty if all is there. */
  readonly note: string;
  /** A folder in which these programs are, with Node, and no other. */
  readonly folder: string;
  /** Runs one of the programs, which must end with 0, and returns what it prints. */
  run(program: Name, args: readonly string[], options: RunOptions): string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly input?: Uint8Array;
}

/**
 * Programs by their names on the PATH, and powers by theirs.
 *
 * @throws Error in CI, if a program is missing
 */
export function needs<Name extends string>(...names: readonly Name[]): Need<Name> {
  const missing = names.filter(isMissing);
  const programs = missing.flatMap(programsOf).filter((name) => pathOf(name) === null);
  if (process.env.CI === 'true' && programs.length > 0)
    throw new Error(`${programs.join(', ')} is missing: in CI no test is skipped, so .ci/run must install it`);
  return {
    missing: missing.length > 0,
    note: missing.length > 0 ? ` (needs ${missing.join(', ')})` : '',
    get folder() {
      return folderWith(names.flatMap(programsOf));
    },
    run(program, args, options) {
      return execFileSync(pathOf(program)!, args, { ...options, stdio: 'pipe', encoding: 'utf8' });
    },
  };
}

let root: string | null = null;
const folders = new Map<string, string>();

atFileEnd(() => {
  if (root !== null) rmSync(root, { recursive: true });
  root = null;
  folders.clear();
});

/** A folder with Node and these programs, so that a line of shell finds what its test says that it needs, and nothing else. */
function folderWith(programs: readonly string[]): string {
  const key = [...programs].sort().join('\n');
  const made = folders.get(key);
  if (made !== undefined) return made;
  root ??= mkdtempSync(join(tmpdir(), 'paylint-tools-'));
  const folder = mkdtempSync(join(root, 'x'));
  for (const each of [root, folder]) chmodSync(each, 0o755); // an unprivileged user looks here, too
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const program of new Set(programs)) symlinkSync(pathOf(program)!, join(folder, program));
  folders.set(key, folder);
  return folder;
}
