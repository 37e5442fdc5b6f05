/**
 * A file that is written whole or not at all: first under another name beside its path, then made durable and renamed.
 * A device or a pipe of that name is written directly.
 */

import { constants, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { WriteError } from '../errors.ts';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import { ignoreErrors } from './disk.ts';
import { createWriteRun, syncFolder, type WriteRun, type WriteSettings } from './replace.ts';
import { type ByteTarget, createOutputFile, type Extent, Output, OutputTarget } from './stream-output.ts';
import { Temporary } from './temporary.ts';

export interface WholeFileSettings extends WriteSettings {
  /** Relative paths count from it. Absolute. */
  readonly cwd: string;
  /** If the run is interrupted, the bytes that are complete are put in place as well. */
  readonly keepsPart: boolean;
  /**
   * An old file that cannot be replaced as it is, such as a mount point or that of another owner, is written over
   * instead. Absent: no.
   */
  readonly mayWriteOver?: boolean;
}

export class WholeFile implements ByteTarget {
  readonly name: string;
  readonly #run: WriteRun;
  /** Where links lead. */
  readonly #path: string;
  readonly #old: Stats | null;
  readonly #temporary: Temporary;
  readonly #settings: WholeFileSettings;

  private constructor(
    name: string,
    place: { readonly path: string; readonly old: Stats | null },
    temporary: Temporary,
    { run, settings }: { readonly run: WriteRun; readonly settings: WholeFileSettings },
  ) {
    this.name = name;
    this.#path = place.path;
    this.#old = place.old;
    this.#temporary = temporary;
    this.#run = run;
    this.#settings = settings;
  }

  /** Begins the file `name`, as the user wrote it. Throws WriteError if it cannot be written there. */
  static async begin(name: string, settings: WholeFileSettings): Promise<ByteTarget> {
    const run = createWriteRun(settings);
    try {
      const place = placeOf(resolve(settings.cwd, name), run);
      if (place.old !== null && !place.old.isFile() && !place.old.isDirectory())
        return new OutputTarget(await createOutputFile(name, settings.cwd), name);
      if (place.old?.isDirectory()) throw new Error('it is a folder');
      // Renaming needs no right to write the file, but replacing its content does.
      if (place.old !== null) run.disk.accessSync(place.path, constants.W_OK);
      const temporary = Temporary.beside(place.path, run, place.old === null ? 0o666 : 0o600);
      return new WholeFile(name, place, temporary, { run, settings });
    } catch (error) {
      throw writeError(name, error);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      this.#temporary.write(bytes);
    } catch (error) {
      throw writeError(this.name, error);
    }
  }

  async finish(extent: Extent): Promise<string | null> {
    if (extent === 'empty' || (extent === 'part' && !this.#settings.keepsPart)) {
      await this.close();
      return `was not written: ${extent === 'part' ? 'not all of the input was read' : 'there was no payload in the input'}`;
    }
    const old = this.#old;
    const writesOver = this.#settings.mayWriteOver && old !== null;
    try {
      const lost = old === null ? null : this.#run.keeper.keep({ path: this.#path, stats: old }, this.#temporary);
      if (lost !== null && writesOver) return this.#writeOver();
      await this.#temporary.finish();
      await this.#temporary.moveTo(this.#path);
      const sync = syncFolder(dirname(this.#path), this.#run.disk);
      if (sync === null) return lost;
      return `was written, but may not survive a power cut: its folder could not be synced: ${wordsFor(sync)}`;
    } catch (error) {
      const isFull = ['EDQUOT', 'EFBIG', 'ENOSPC'].includes(codeOf(error) ?? '');
      if (!writesOver || isFull) throw writeError(this.name, error);
      return this.#writeOver();
    }
  }

  /** Copies the new content into the old file, or leaves nothing in it. */
  #writeOver(): null {
    const { disk } = this.#run;
    let to: number | null = null;
    try {
      to = disk.openSync(this.#path, 'w');
      this.#temporary.copyTo(to);
      disk.fsyncSync(to);
      return null;
    } catch (error) {
      ignoreErrors(() => to !== null && disk.ftruncateSync(to, 0));
      throw writeError(this.name, error);
    } finally {
      ignoreErrors(() => to !== null && disk.closeSync(to));
    }
  }

  async close(): Promise<void> {
    await this.#temporary.remove();
  }
}

/** Links stay, and the file they lead to is replaced. Throws what the file system throws. */
function placeOf(path: string, { disk }: WriteRun): { readonly path: string; readonly old: Stats | null } {
  try {
    return { path: disk.realpathSync(path), old: disk.statSync(path) };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return { path, old: null };
  }
}

function writeError(name: string, cause: unknown): WriteError {
  return new WriteError(`cannot write to ${name}: ${wordsFor(cause)}`, { cause });
}

/**
 * Text output to a file that is written whole or not at all. What cannot be replaced, such as a device or a file in
 * a read-only folder, is written directly. `name`: as the user wrote it. The folder that it is in is made if it is
 * missing. Throws WriteError if nothing can be written there.
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
    throw new WriteError(`cannot write to ${name}: ${isFile ? 'a part of its path is a file' : wordsFor(cause)}`, {
      cause,
    });
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
  /** Passes on the errors of the system: `Output` makes messages of them. */
  const settle = (promise: Promise<unknown>, done: (error?: Error | null) => void): void => {
    promise.then(
      () => done(),
      (error: WriteError) => done(error.cause instanceof Error ? error.cause : error),
    );
  };
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => settle(target.write(chunk), done),
    final: (done) => settle(target.finish('whole'), done),
    destroy: (error, done) => void target.close().then(() => done(error)),
  });
}
