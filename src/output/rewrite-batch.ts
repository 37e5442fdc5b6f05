/**
 * Replaces several small files together, each whole or not at all, as `Rewrite` does one. The new files of a folder are
 * written into one private folder there, so one process copies their attributes; they are made durable at the same
 * time; and each folder is synced once.
 */

import { dirname, join } from 'node:path';
import { codeOf } from '../input/system-errors.ts';
import { type Attempt, attempt, attemptLater, ignoreErrors } from './attempt.ts';
import type { Original } from './keep-attributes.ts';
import {
  denied,
  putInPlace,
  type Replacement,
  type Shortfall,
  shortfallOf,
  syncFolder,
  type WriteRun,
} from './replace.ts';
import { HIDDEN_FOLDER } from './stale.ts';
import { Temporary } from './temporary.ts';

/** A file to be replaced. */
export interface SmallFile {
  readonly original: Original;
  readonly content: readonly Uint8Array[];
  /** Whether the old file is still the one that was read. */
  isUnchanged(): boolean;
  /** The old file was replaced. */
  replaced(): void;
}

/** A file that is being replaced. */
interface Item extends Replacement {
  readonly file: SmallFile;
  /** The attributes that were lost, or the error because of which it was not replaced. */
  state: Attempt<string | null>;
  isReplaced: boolean;
}

/**
 * The result for a file: null if it was changed in the meantime, and stays; what could not be kept; or why it could not
 * be replaced.
 */
export type Replaced = Attempt<Shortfall | null>;

/** Replaces the files in their order. Leaves no temporary file. */
export async function rewriteAll(files: readonly SmallFile[], run: WriteRun): Promise<readonly Replaced[]> {
  const results: Replaced[] = [];
  while (results.length < files.length)
    results.push(...(await rewriteSome(files.slice(results.length), run)));
  return results;
}

/** The results of the first files, at least one: as many as there is room for at once. */
async function rewriteSome(files: readonly SmallFile[], run: WriteRun): Promise<readonly Replaced[]> {
  const cells = new Cells(run);
  const items: Attempt<Item>[] = [];
  try {
    for (const file of files) {
      const item = attempt(() => begin(file, cells, run));
      if (items.length > 0 && 'error' in item && isShortage(item.error)) {
        giveUpHalf(items);
        break;
      }
      items.push(item);
    }
    const begun = items.flatMap((item) => ('value' in item ? [item.value] : []));
    for (const [folder, inFolder] of byFolder(begun)) keepAttributes(inFolder, cells.of(folder), run);
    await Promise.all(begun.map(makeDurable));
    for (const item of begun) await replace(item, run);
    const synced = syncFolders(begun, run);
    return items.map((item) => ('value' in item ? resultOf(item.value, synced) : item));
  } finally {
    for (const item of items) if ('value' in item) await item.value.temporary.remove();
    cells.remove();
  }
}

/** Creates the new file of `file`, and writes it. */
function begin(file: SmallFile, cells: Cells, run: WriteRun): Item {
  const { original, content } = file;
  const temporary = create(original, cells, run);
  try {
    const user = run.disk.fstatSync(temporary.fd).uid;
    for (const bytes of content) temporary.write(bytes);
    return { file, original, temporary, user, state: { value: null }, isReplaced: false };
  } catch (error) {
    temporary.removeNow();
    throw error;
  }
}

function create(original: Original, cells: Cells, run: WriteRun): Temporary {
  try {
    return Temporary.within(cells.of(dirname(original.path)), original.path, run);
  } catch (error) {
    throw denied('create', error, run.disk);
  }
}

/**
 * Errors if there is no room for another new file or no more files can be open. They may disappear after the other
 * files are in place.
 */
const SHORTAGE: ReadonlySet<string | null> = new Set(['EDQUOT', 'EMFILE', 'ENFILE', 'ENOSPC']);

function isShortage(error: unknown): boolean {
  return error instanceof Error && (SHORTAGE.has(codeOf(error)) || SHORTAGE.has(codeOf(error.cause)));
}

/** Removes half of the new files, because the next steps need room, too. */
function giveUpHalf(items: Attempt<Item>[]): void {
  for (const item of items.splice((items.length + 1) >> 1))
    if ('value' in item) item.value.temporary.removeNow();
}

function byFolder(items: readonly Item[]): Map<string, Item[]> {
  const folders = new Map<string, Item[]>();
  for (const item of items) {
    const folder = dirname(item.original.path);
    const others = folders.get(folder);
    if (others === undefined) folders.set(folder, [item]);
    else others.push(item);
  }
  return folders;
}

function keepAttributes(items: readonly Item[], cell: string, { keeper }: WriteRun): void {
  for (const [i, state] of keeper.keepAll(items, cell).entries()) items[i]!.state = state;
}

async function makeDurable(item: Item): Promise<void> {
  if ('error' in item.state) return;
  const synced = await attemptLater(() => item.temporary.finishMeanwhile());
  if ('error' in synced) item.state = synced;
}

async function replace(item: Item, run: WriteRun): Promise<void> {
  if ('error' in item.state) return;
  const { file } = item;
  const put = await attemptLater(() => putInPlace(item, run, () => file.isUnchanged()));
  if ('error' in put) item.state = put;
  else item.isReplaced = put.value;
  if (item.isReplaced) file.replaced();
}

/** By folder, the result of its sync. */
function syncFolders(items: readonly Item[], { disk }: WriteRun): Map<string, unknown> {
  const replaced = items.filter(({ isReplaced }) => isReplaced);
  return new Map([...byFolder(replaced).keys()].map((folder) => [folder, syncFolder(folder, disk)]));
}

function resultOf({ state, isReplaced, original }: Item, synced: ReadonlyMap<string, unknown>): Replaced {
  if ('error' in state) return state;
  return { value: isReplaced ? shortfallOf(state.value, synced.get(dirname(original.path)) ?? null) : null };
}

/** The private folders of some files: one in each folder that they are in. */
class Cells {
  readonly #run: WriteRun;
  /** By folder. */
  readonly #cells = new Map<string, string>();

  constructor(run: WriteRun) {
    this.#run = run;
  }

  /** The private folder for the files of `folder`. Throws the errors of the file system. */
  of(folder: string): string {
    const { names, disk } = this.#run;
    const known = this.#cells.get(folder);
    if (known !== undefined) return join(known, HIDDEN_FOLDER);
    names.sweep(folder);
    const cell = names.next(folder);
    disk.mkdirSync(cell, 0o700);
    this.#cells.set(folder, cell);
    const inner = join(cell, HIDDEN_FOLDER);
    try {
      disk.mkdirSync(inner, 0o700);
    } catch (error) {
      this.#cells.delete(folder);
      ignoreErrors(() => disk.rmdirSync(cell));
      throw error;
    }
    return inner;
  }

  /** Removes them, once they are empty. Never throws. */
  remove(): void {
    const { disk } = this.#run;
    for (const cell of this.#cells.values()) {
      ignoreErrors(() => disk.rmdirSync(join(cell, HIDDEN_FOLDER)));
      ignoreErrors(() => disk.rmdirSync(cell));
    }
  }
}
