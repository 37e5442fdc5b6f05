/** A file that is written whole or not at all. A device or a pipe of that name is written directly. */
import { constants, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { WriteError } from '../errors.ts';
import { statsOf } from '../source/read-file.ts';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import { ignoreErrors } from './disk.ts';
import { bothOf, createWriteRun, shortfallOf, syncFolder, type WriteRun, type WriteSettings } from './replace.ts';
import { type ByteTarget, createOutputFile, type Extent, Output, OutputTarget } from './stream-output.ts';
import { Temporary } from './temporary.ts';

export interface WholeFileSettings extends WriteSettings {
  /** Relative paths count from it. Absolute. */
  readonly cwd: string;
  /** If the run is interrupted, the bytes that are complete are put in place as well. */
  readonly keepsPart: boolean;
  /** An old file that cannot be replaced as it is, such as a mount point, is written over. Absent: no. */
  readonly mayWriteOver?: boolean;
  /** Called just before the old file is replaced. Throws an Error that says why it must stay. */
  readonly beforeReplacing?: () => void;
}

/** `path`: where links lead. */
interface BegunFile extends WholeFileSettings {
  readonly run: WriteRun;
  readonly path: string;
  readonly old: Stats | null;
  readonly temporary: Temporary;
}

export class WholeFile implements ByteTarget {
  readonly name: string;
  readonly #begun: BegunFile;

  private constructor(name: string, begun: BegunFile) {
    this.name = name;
    this.#begun = begun;
  }

  /** Begins the file `name`, as the user wrote it. Throws WriteError if it cannot be written there. */
  static async begin(name: string, settings: WholeFileSettings): Promise<ByteTarget> {
    const run = createWriteRun(settings);
    try {
      const { path, old } = placeOf(resolve(settings.cwd, name), run);
      if (old !== null && !old.isFile() && !old.isDirectory())
        return new OutputTarget(await createOutputFile(name, settings.cwd), name);
      if (old?.isDirectory()) throw new Error('it is a folder');
      // Renaming needs no right to write the file, but replacing its content does.
      if (old !== null) run.disk.accessSync(path, constants.W_OK);
      const temporary = Temporary.beside(path, run, old === null ? 0o666 : 0o600);
      return new WholeFile(name, { ...settings, run, path, old, temporary });
    } catch (error) {
      throw writeError(name, error);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      this.#begun.temporary.write(bytes);
    } catch (error) {
      throw writeError(this.name, error);
    }
  }

  async finish(extent: Extent): Promise<string | null> {
    const { path, old, run, temporary, keepsPart, mayWriteOver, beforeReplacing } = this.#begun;
    if (extent === 'empty' || (extent === 'part' && !keepsPart)) {
      await this.close();
      return `was not written: ${extent === 'part' ? 'not all of the input was read' : 'there was no payload in the input'}`;
    }
    const writesOver = mayWriteOver && old !== null;
    try {
      const lost = old === null ? null : this.#keepAttributes(old);
      if (lost !== null && writesOver) return this.#writeOver();
      await temporary.finish();
      beforeReplacing?.();
      await temporary.moveTo(path);
      const { warning, failure } = shortfallOf(lost, syncFolder(dirname(path), run.disk));
      return bothOf(warning, failure);
    } catch (error) {
      const isFull = ['EDQUOT', 'EFBIG', 'ENOSPC'].includes(codeOf(error) ?? '');
      if (!writesOver || isFull) throw writeError(this.name, error);
      return this.#writeOver();
    }
  }

  #keepAttributes(stats: Stats): string | null {
    const { path, run, temporary } = this.#begun;
    const [kept] = run.keeper.keepAll([{ original: { path, stats }, temporary }], dirname(path));
    if ('error' in kept!) throw kept.error;
    return kept!.value; // one for each
  }

  /** Copies the new content into the old file, or leaves nothing in it. */
  #writeOver(): null {
    const { path, run, temporary } = this.#begun;
    const { disk } = run;
    let to: number | null = null;
    try {
      to = disk.openSync(path, 'w');
      temporary.copyTo(to);
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
    await this.#begun.temporary.remove();
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
 * Text to a file that is written whole or not at all; what cannot be replaced, such as a device or a file in a read-only folder,
 * is written directly. The folder that it is in is made. Throws WriteError if nothing can be written there.
 */
export async function createWholeOutput(name: string, settings: WholeFileSettings): Promise<Output> {
  const { cwd } = settings;
  const path = resolve(cwd, name);
  const old = statsOf(path);
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

/** Throws WriteError. */
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

const DENIED: ReadonlySet<string | null> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);

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
