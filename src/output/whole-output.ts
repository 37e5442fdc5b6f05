/**
 * Text output to a file that is written whole or not at all. What cannot be replaced, such as a device or a file in a
 * read-only folder, is written directly.
 */
import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { WriteError } from '../errors.ts';
import { codeOf, wordsFor } from '../input/system-errors.ts';
import type { ByteTarget } from './byte-target.ts';
import { createOutputFile, Output } from './output.ts';
import { WholeFile, type WholeFileSettings } from './whole-file.ts';

/**
 * `name`: as the user wrote it. The folder that it is in is made if it is missing. Throws WriteError if nothing can be
 * written there.
 */
export async function createWholeOutput(name: string, settings: WholeFileSettings): Promise<Output> {
  const { cwd } = settings;
  const path = resolve(cwd, name);
  const old = statsOf(path, statSync);
  const isLinkToNothing = old === null && statsOf(path, lstatSync)?.isSymbolicLink() === true;
  if (isLinkToNothing || (old !== null && !old.isFile())) return createOutputFile(name, cwd);
  if (old === null) makeFolder(dirname(path), name);
  try {
    const stream = streamTo(await WholeFile.begin(name, settings));
    return new Output(stream, name, stream);
  } catch (error) {
    const isDenied = error instanceof WriteError && DENIED.has(codeOf(error.cause));
    if (!isDenied || old === null) throw error;
    return createOutputFile(name, cwd);
  }
}

/** Makes the folder that a new file goes to. Throws WriteError. */
function makeFolder(folder: string, name: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const isFile = codeOf(cause) === 'EEXIST';
    throw new WriteError(
      `cannot write to ${name}: ${isFile ? 'a part of its path is a file' : wordsFor(cause)}`,
      { cause },
    );
  }
}

/** Codes of a folder in which no file can be created. */
const DENIED: ReadonlySet<string | null> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);

function statsOf(path: string, read: typeof statSync): Stats | null {
  try {
    return read(path);
  } catch {
    return null;
  }
}

/** A stream: if it is ended, the file is put in place; if it is destroyed before, nothing is left. */
function streamTo(target: ByteTarget): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      settle(target.write(chunk), done);
    },
    final(done) {
      settle(target.finish('whole'), done);
    },
    destroy(error, done) {
      void target.close().then(() => done(error));
    },
  });
}

/** Passes on the errors of the system: `Output` makes messages of them. */
function settle(promise: Promise<unknown>, done: (error?: Error | null) => void): void {
  promise.then(
    () => done(),
    (error: unknown) =>
      done(error instanceof WriteError && error.cause instanceof Error ? error.cause : toError(error)),
  );
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
