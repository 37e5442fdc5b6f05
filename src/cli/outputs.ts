/**
 * The outputs of the verbs: standard output, files, and the files of reports.
 */

import { fstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Io } from '../source/io.ts';
import { type ByteTarget, createOutputFile, descriptorOutput, Output, OutputTarget } from '../write/stream-output.ts';

/** Prints a text that is not a report. */
export async function print(text: string, io: Io): Promise<void> {
  const output = new Output(io.stdout, 'standard output');
  output.write(text);
  await output.close();
}

/** For payloads. */
export function standardOutput(io: Io): ByteTarget {
  return new OutputTarget(new Output(io.stdout, 'standard output'), 'standard output');
}

/** Compresses what goes to `target`. */
export async function compressed(target: ByteTarget): Promise<ByteTarget> {
  const { GzipTarget } = await import('../write/gzip-target.ts');
  return new GzipTarget(target);
}

/**
 * A file that is written whole or not at all. With `keepsPart`, the complete part is kept if the run is interrupted.
 * Throws WriteError.
 */
export async function outputFile(name: string, keepsPart: boolean, io: Io): Promise<ByteTarget> {
  const inherited = inheritedOutput(name, io.cwd, io);
  if (inherited !== null) return new OutputTarget(inherited, name);
  const { WholeFile } = await import('../write/whole-file.ts');
  const settings = { pid: io.pid, searchPath: io.env.PATH, cwd: io.cwd, keepsPart };
  return WholeFile.begin(name, settings);
}

/** A file for text, which is there whole or not at all. Throws WriteError. */
export async function textFile(name: string, folder: string, io: Io): Promise<Output> {
  const inherited = inheritedOutput(name, folder, io);
  if (inherited !== null) return inherited;
  const { createWholeOutput } = await import('../write/whole-file.ts');
  const settings = { pid: io.pid, searchPath: io.env.PATH, cwd: folder, keepsPart: true, mayWriteOver: true };
  return createWholeOutput(name, settings);
}

/** A file to which text is appended as it comes. Throws WriteError. */
export async function appendedFile(name: string, folder: string, io: Io): Promise<Output> {
  return inheritedOutput(name, folder, io) ?? (await createOutputFile(name, folder, 'a'));
}

/**
 * Null unless `name` leads to a descriptor that this process was started with: output is appended to what others write
 * there. The standard streams are reused, so that all texts come in order.
 */
function inheritedOutput(name: string, folder: string, io: Io): Output | null {
  // From here on, signals are handled, because there is output to complete.
  void io.interrupt;
  const descriptor = descriptorOf(name, folder, io);
  if (descriptor === null) return null;
  if (descriptor === 1) return new Output(io.stdout, name);
  return descriptor === 2 ? new Output(io.stderr, name) : descriptorOutput(descriptor, name);
}

/** Most links that are followed, because links can lead to each other. */
const MOST_LINKS = 40;

/**
 * The number of the descriptor that `name`, relative to `folder`, leads to; null if it leads to none that is open. Names of
 * descriptors are /dev/stdout, /dev/fd/3, /proc/self/fd/3, and links to them. If such a name were opened again, the file
 * that the descriptor writes would be emptied, and written from its start.
 */
export function descriptorOf(name: string, folder: string, { pid }: Io): number | null {
  const processes = pid === undefined ? 'self' : `self|thread-self|${pid}`;
  const pattern = new RegExp(`^/(?:dev|proc/(?:${processes})(?:/task/\\d+)?)/fd/(\\d+)$`);
  for (let at = resolve(folder, name), links = 0; links <= MOST_LINKS; links++) {
    const number = pattern.exec(at)?.[1];
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
