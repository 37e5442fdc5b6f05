/**
 * `--backup`: keeps the old file under another name, whole or not at all. The backup is the old file itself (a hard
 * link) if the file system allows it, otherwise a copy with its attributes.
 */

import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../errors.ts';
import { wordsFor } from '../input/system-errors.ts';
import type { Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { ignoreErrors } from './attempt.ts';
import type { Disk } from './disk.ts';
import type { AttributeKeeper, Original } from './keep-attributes.ts';
import { Temporary, type TemporaryMaker } from './temporary.ts';

export interface BackupMaker extends TemporaryMaker {
  readonly keeper: AttributeKeeper;
}

/**
 * Keeps `original` under its path plus `suffix`, and replaces an older backup. False if the file is not the one that
 * was read: then nothing is done. If the file cannot be replaced afterwards, the backup stays.
 */
export async function keepBackup(
  original: Original,
  suffix: string,
  maker: BackupMaker,
  isUnchanged: () => boolean,
): Promise<boolean> {
  const target = original.path + suffix;
  try {
    if (await linkBackup(original.path, target, maker)) return true;
    return await copyBackup(original, target, maker, isUnchanged);
  } catch (error) {
    throw new Error(`its backup cannot be written: ${wordsFor(error)}`, { cause: error });
  }
}

/** False if the file system has no hard links, or allows none to this file. */
async function linkBackup(path: string, target: string, maker: TemporaryMaker): Promise<boolean> {
  const { disk, names, retry } = maker;
  const link = names.next(dirname(path));
  if (!ignoreErrors(() => disk.linkSync(path, link))) return false;
  try {
    await retry.run(() => disk.renameSync(link, target));
  } finally {
    // If both are names of the same file already, renaming does nothing and leaves the link.
    ignoreErrors(() => disk.unlinkSync(link));
  }
  return true;
}

async function copyBackup(
  original: Original,
  target: string,
  maker: BackupMaker,
  isUnchanged: () => boolean,
): Promise<boolean> {
  const { disk, keeper } = maker;
  const copy = await Temporary.like(original.path, maker);
  try {
    copyContent(original.path, copy, disk);
    keeper.keep(original, copy);
    disk.futimesSync(copy.fd, original.stats.atime, original.stats.mtime);
    copy.finish();
    if (!isUnchanged()) return false;
    await copy.moveTo(target);
    return true;
  } finally {
    await copy.remove();
  }
}

const PIECE_BYTES = 1 << 20;

function copyContent(path: string, copy: Temporary, disk: Disk): void {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const fd = disk.openSync(path, 'r');
  try {
    for (;;) {
      const count = disk.readSync(fd, piece, 0, piece.length, null);
      if (count === 0) return;
      copy.write(piece.subarray(0, count));
    }
  } finally {
    ignoreErrors(() => disk.closeSync(fd));
  }
}

/** The checked argument of `--backup=SUFFIX`. Throws UsageError. */
export function backupSuffix(suffix: string): string {
  if (suffix === '') throw new UsageError('--backup= needs a suffix, such as --backup=.old');
  if (/[/\\\0]/.test(suffix)) {
    throw new UsageError(
      `--backup=${visible(suffix)}: the backup is in the folder of its file, so its suffix has no slash`,
    );
  }
  return suffix;
}

/**
 * The sources without those that are backups of other sources, which this run may replace. `named`: absolute paths that
 * the user named; throws UsageError if a backup is among them.
 */
export function withoutBackups(
  sources: readonly Source[],
  suffix: string,
  named: readonly string[],
): readonly Source[] {
  const backups = new Set(backupsOf(sources, suffix));
  return sources.filter(({ name, path }) => {
    if (path === null || !backups.has(realPathOf(path))) return true;
    if (!named.includes(path)) return false;
    throw new UsageError(
      `${visible(name)} is where the backup of another file goes: leave one of them out, or take another --backup=SUFFIX`,
    );
  });
}

/** Where the backups of files go. */
export function backupsOf(sources: readonly Source[], suffix: string): string[] {
  return sources.map(({ path }) => `${realPathOf(path ?? '')}${suffix}`);
}

/**
 * The path that links lead to, or `path` itself if there are none. Errors are ignored here: reading the file reports
 * them.
 */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
