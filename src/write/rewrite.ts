/**
 * Replaces files, each whole or not at all: the new file is written beside it, made durable, and renamed over it. The
 * new files of several small ones are in one private folder, so one process copies their attributes; they are made
 * durable at the same time; and each folder is synced once.
 */
import { dirname, join } from 'node:path';
import { headOf } from '../source/open-bytes.ts';
import { isGzip } from '../source/read-file.ts';
import { codeOf } from '../source/system-errors.ts';
import { type Attempt, attempt, ignoreErrors } from './disk.ts';
import { GzipTarget, isInBlocks } from './gzip-target.ts';
import type { Original } from './keep-attributes.ts';
import { denied, type Shortfall, shortfallOf, syncFolder, type WriteRun } from './replace.ts';
import type { ByteTarget } from './stream-output.ts';
import { HIDDEN_FOLDER, Temporary, temporaryPath } from './temporary.ts';

/** The file of a source. If it is small, its new content is kept in memory until it is written. */
export class SourceFile {
  /** The file itself, with symbolic links followed. The links stay. */
  readonly original: Original;
  readonly content: Uint8Array[] = [];
  size = 0;
  /** Whether the old file is still the one that was read. */
  readonly isUnchanged: () => boolean;

  constructor(original: Original, isUnchanged: () => boolean) {
    this.original = original;
    this.isUnchanged = isUnchanged;
  }

  /** Takes a copy of the bytes. */
  add(chunk: Uint8Array): void {
    this.content.push(Uint8Array.from(chunk));
    this.size += chunk.length;
  }
}

/** Null: it was changed meanwhile, and stays; what could not be kept; or why it could not be replaced. */
export type Replaced = Attempt<Shortfall | null>;

/** A file that is being replaced. Methods throw the errors of the file system, or an Error that names what denied the step. */
export class Rewrite {
  readonly file: SourceFile;
  readonly original: Original;
  readonly temporary: Temporary;
  /** The attributes that were lost, or the error because of which it was not replaced. */
  state: Attempt<string | null> = { value: null };
  isReplaced = false;
  /** Null if the old file is not compressed. */
  readonly #gzip: GzipTarget | null;

  constructor(file: SourceFile, temporary: Temporary, isCompressed = false) {
    this.file = file;
    this.original = file.original;
    this.temporary = temporary;
    // It leaves the file open.
    const target: ByteTarget = {
      name: temporary.path,
      write: async (bytes) => temporary.write(bytes),
      finish: async () => null,
      close: async () => {},
    };
    this.#gzip = isCompressed ? new GzipTarget(target) : null;
  }

  /** Creates the temporary file. If that throws, nothing is left. */
  static async begin(file: SourceFile, run: WriteRun): Promise<Rewrite> {
    const { path } = file.original;
    const head = headOf(path);
    if (isInBlocks(head)) throw new Error(IN_BLOCKS);
    let temporary: Temporary | null = null;
    try {
      temporary = await Temporary.like(path, run);
      return new Rewrite(file, temporary, isGzip(head));
    } catch (error) {
      await temporary?.remove();
      throw denied('create', error, run.disk);
    }
  }

  async copy(content: AsyncIterable<Uint8Array>, count: number): Promise<void> {
    let remaining = count;
    if (remaining === 0) return;
    for await (const chunk of content) {
      const bytes = chunk.subarray(0, remaining);
      await this.write(bytes);
      remaining -= bytes.length;
      if (remaining === 0) return;
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#gzip === null) this.temporary.write(bytes);
    else await this.#gzip.write(bytes);
  }

  async finish(run: WriteRun): Promise<Replaced> {
    if (!this.file.isUnchanged()) return { value: null };
    await this.#gzip?.finish('whole');
    return (await replaceAll([this], run))[0]!; // one for each
  }

  /** Removes the temporary file if it still exists. Never throws. */
  async abandon(): Promise<void> {
    await this.#gzip?.close();
    await this.temporary.remove();
  }
}

/** Replaces small files in their order. Leaves no temporary file. */
export async function rewriteAll(files: readonly SourceFile[], run: WriteRun): Promise<readonly Replaced[]> {
  const results: Replaced[] = [];
  while (results.length < files.length) results.push(...(await rewriteSome(files.slice(results.length), run)));
  return results;
}

/** The results of the first files, at least one: as many as there is room for at once. */
async function rewriteSome(files: readonly SourceFile[], run: WriteRun): Promise<readonly Replaced[]> {
  const cells = new PrivateFolders(run);
  const items: Attempt<Rewrite>[] = [];
  try {
    for (const file of files) {
      const item = attempt(() => written(file, cells, run));
      if (items.length > 0 && 'error' in item && isShortage(item.error)) {
        // Half of the new files are removed, because the next steps need room, too.
        const half = (items.length + 1) >> 1;
        for (const one of items.splice(half)) if ('value' in one) one.value.temporary.removeNow();
        break;
      }
      items.push(item);
    }
    const begun = items.flatMap((item) => ('value' in item ? [item.value] : []));
    const replaced = await replaceAll(begun, run, (folder) => cells.of(folder));
    return items.map((item) => ('value' in item ? replaced[begun.indexOf(item.value)]! : item)); // one for each
  } finally {
    for (const item of items) if ('value' in item) await item.value.temporary.remove();
    cells.remove();
  }
}

function written(file: SourceFile, cells: PrivateFolders, run: WriteRun): Rewrite {
  const { path } = file.original;
  let temporary: Temporary;
  try {
    temporary = Temporary.within(cells.of(dirname(path)), path, run);
  } catch (error) {
    throw denied('create', error, run.disk);
  }
  try {
    for (const bytes of file.content) temporary.write(bytes);
    return new Rewrite(file, temporary);
  } catch (error) {
    temporary.removeNow();
    throw error;
  }
}

/** No room for another new file, or no more files can be open: that may change after the other files are in place. */
const SHORTAGE: ReadonlySet<string | null> = new Set(['EDQUOT', 'EMFILE', 'ENFILE', 'ENOSPC']);

function isShortage(error: unknown): boolean {
  return error instanceof Error && (SHORTAGE.has(codeOf(error)) || SHORTAGE.has(codeOf(error.cause)));
}

/** Puts complete new files in place. `privateFolderOf`: the private folder of those in a folder, if there are several. */
async function replaceAll(
  items: readonly Rewrite[],
  run: WriteRun,
  privateFolderOf = (folder: string): string => folder,
): Promise<Replaced[]> {
  for (const [folder, inFolder] of byFolder(items))
    for (const [i, state] of run.keeper.keepAll(inFolder, privateFolderOf(folder)).entries())
      inFolder[i]!.state = state;
  await Promise.all(items.map((item) => nextStep(item, () => item.temporary.finish())));
  for (const item of items) await nextStep(item, () => replace(item, run));
  const folders = byFolder(items.filter(({ isReplaced }) => isReplaced)).keys();
  const synced = new Map([...folders].map((folder) => [folder, syncFolder(folder, run.disk)]));
  return items.map(({ state, isReplaced, original }) => {
    if ('error' in state) return state;
    return { value: isReplaced ? shortfallOf(state.value, synced.get(dirname(original.path)) ?? null) : null };
  });
}

function byFolder(items: readonly Rewrite[]): Map<string, Rewrite[]> {
  const folders = new Map<string, Rewrite[]>();
  for (const item of items) {
    const folder = dirname(item.original.path);
    folders.set(folder, [...(folders.get(folder) ?? []), item]);
  }
  return folders;
}

/** The next step of a file, unless one before it has failed. Never throws. */
async function nextStep(item: Rewrite, step: () => Promise<void>): Promise<void> {
  if ('error' in item.state) return;
  await step().catch((error: unknown) => {
    item.state = { error };
  });
}

/** Renames the new file over the old one, unless that is not the one that was read. */
async function replace(item: Rewrite, { disk }: WriteRun): Promise<void> {
  if (!item.file.isUnchanged()) return;
  try {
    await item.temporary.moveTo(item.original.path);
    item.isReplaced = true;
  } catch (error) {
    throw denied('replace', error, disk);
  }
}

const IN_BLOCKS = 'it is in blocks (bgzip); fill writes one gzip member, which would lose them';

class PrivateFolders {
  readonly #run: WriteRun;
  readonly #folders = new Map<string, string>();

  constructor(run: WriteRun) {
    this.#run = run;
  }

  /** Throws the errors of the file system. */
  of(folder: string): string {
    const { disk } = this.#run;
    const known = this.#folders.get(folder);
    if (known !== undefined) return join(known, HIDDEN_FOLDER);
    const outer = temporaryPath(folder);
    disk.mkdirSync(outer, 0o700);
    this.#folders.set(folder, outer);
    const inner = join(outer, HIDDEN_FOLDER);
    try {
      disk.mkdirSync(inner, 0o700);
    } catch (error) {
      this.#folders.delete(folder);
      ignoreErrors(() => disk.rmdirSync(outer));
      throw error;
    }
    return inner;
  }

  /** Removes them, once they are empty. Never throws. */
  remove(): void {
    const { disk } = this.#run;
    for (const outer of this.#folders.values()) {
      ignoreErrors(() => disk.rmdirSync(join(outer, HIDDEN_FOLDER)));
      ignoreErrors(() => disk.rmdirSync(outer));
    }
  }
}
