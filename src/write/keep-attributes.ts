/**
 * Gives the new file the attributes of the old one: owner, group, mode, access control list and extended attributes. No
 * user gets a right that they did not have: an attribute that cannot be kept is removed, or the file is refused.
 *
 * Node has no calls for access control lists and extended attributes. On Linux GNU cp copies them. On macOS the
 * temporary file begins as a copy, which has them. On Windows a new file has the list of its folder.
 */
import { constants, type Stats } from 'node:fs';
import { type Attempt, attempt, type Disk, ignoreErrors, type ToolResult } from './disk.ts';
import type { Temporary } from './temporary.ts';

/**
 * `all` permits the loss of extended attributes, so they are named as well. The modification time is that of the new
 * content.
 */
const CP_FLAGS = [
  '--attributes-only',
  '--preserve=all',
  '--no-preserve=ownership,timestamps,links',
  '--preserve=xattr',
];

/** On systems with other tools, GNU's may have another name. */
const CP_NAMES = ['cp', 'gnucp'];

/** Other tools with that name, such as BusyBox's and uutils', lose access control lists or leave inherited ones. */
const IS_GNU = /GNU coreutils/;

/** The file to be replaced: its path and its `stat`. */
export interface Original {
  readonly path: string;
  readonly stats: Stats;
}

export interface Pair {
  readonly original: Original;
  readonly temporary: Temporary;
}

/** The mode for the new file, and what could not be kept. */
interface AttributeChange {
  readonly lost: Lost;
  readonly mode: number;
}

export class AttributeKeeper {
  readonly #disk: Disk;
  readonly #searchPath: string | undefined;
  /** The name of GNU cp; null if there is none, undefined if it has not been searched for yet. */
  #cp: string | null | undefined;
  /** A cp that is not GNU's was found. */
  #hasOther = false;

  /** `searchPath`: where programs are found, like the variable PATH. */
  constructor(disk: Disk, searchPath: string | undefined) {
    this.#disk = disk;
    this.#searchPath = searchPath;
  }

  /** GNU cp was needed, but only another cp was found. */
  get hasOtherTool(): boolean {
    return this.#cp === null && this.#hasOther;
  }

  /**
   * Gives `temporary`, whose content is complete, the attributes of `original`. Content comes first, because writing
   * removes set-id bits. Returns what was lost, as a clause, or null. Throws the errors of the file system, and an
   * Error if something that must be kept cannot be.
   */
  keep(original: Original, temporary: Temporary): string | null {
    const wish = this.#giveAway(original, temporary);
    if (this.#needsTool()) this.#copyAttributes(original, temporary, wish.mode);
    return this.#setMode(original, temporary, wish);
  }

  /**
   * The same for several files at once. The temporary files are all that `folder`, a private one, contains, under the
   * names of the originals, which are in one folder. Returns what was lost of each, or its error.
   */
  keepAll(files: readonly Pair[], folder: string): readonly Attempt<string | null>[] {
    const wishes = files.map(({ original, temporary }) => attempt(() => this.#giveAway(original, temporary)));
    const needsTool = this.#needsTool();
    const sources = files.filter((_, i) => 'value' in wishes[i]!).map(({ original }) => original.path);
    const copied = needsTool && this.#copyAll(sources, folder);
    return files.map(({ original, temporary }, i) => {
      const wish = wishes[i]!;
      if ('error' in wish) return wish;
      return attempt(() => {
        if (needsTool && !copied) this.#copyAttributes(original, temporary, wish.value.mode);
        return this.#setMode(original, temporary, wish.value);
      });
    });
  }

  /** Gives the file to the old owner and group as far as that is possible. Returns the mode that it may have then. */
  #giveAway({ path, stats }: Original, { fd }: Temporary): AttributeChange {
    const disk = this.#disk;
    const { mode, uid, gid } = stats;
    const made = disk.fstatSync(fd);
    if (made.uid !== uid || made.gid !== gid) {
      const both = ignoreErrors(() => disk.fchownSync(fd, uid, gid));
      if (!both) ignoreErrors(() => disk.fchownSync(fd, -1, gid));
    }
    const now = disk.fstatSync(fd);
    const lost = { owner: now.uid !== uid, group: now.gid !== gid };
    return { lost, mode: narrowedMode(mode, lost, lost.owner ? this.#rightsOn(path) : 0) };
  }

  #setMode({ stats }: Original, { fd }: Temporary, { lost, mode }: AttributeChange): string | null {
    if ((this.#disk.fstatSync(fd).mode & 0o7777) !== mode) this.#disk.fchmodSync(fd, mode);
    return wordsForLoss(stats, lost, mode);
  }

  #needsTool(): boolean {
    return this.#disk.platform() !== 'win32' && this.#disk.platform() !== 'darwin';
  }

  #tool(): string | null {
    if (this.#cp === undefined) this.#cp = this.#findCp();
    return this.#cp;
  }

  #copyAttributes({ path, stats }: Original, temporary: Temporary, wanted: number): void {
    const cp = this.#tool();
    if (cp === null) {
      // With an access control list, the group bits are the mask of that list, not the rights of the group.
      if (((stats.mode >> 3) & ~stats.mode & 7) !== 0) throw new Error(NO_TOOL);
      return;
    }
    // cp sets the old mode, which may be too wide for another owner or group.
    if (wanted !== (stats.mode & 0o7777)) temporary.hide();
    const args = [...CP_FLAGS, '--no-target-directory', '--', path, temporary.path];
    const { status, stderr } = this.#run(cp, args);
    if (status === 0) return;
    const ended = status === null ? 'was ended by a signal' : `ended with exit code ${status}`;
    const why = stderr.trimEnd().split('\n').at(-1) || `cp ${ended}`;
    throw new Error(`its access control list or attributes cannot be kept: ${why}`);
  }

  /**
   * Copies with one process, which takes as long for several files as for one. False if not all of them were copied:
   * then each file is copied by itself, and its error says why.
   */
  #copyAll(paths: readonly string[], folder: string): boolean {
    const cp = this.#tool();
    if (cp === null || paths.length < 2) return false;
    const args = [...CP_FLAGS, `--target-directory=${folder}`, '--', ...paths];
    const result = attempt(() => this.#run(cp, args));
    return 'value' in result && result.value.status === 0;
  }

  #run(cp: string, args: readonly string[]): ToolResult {
    const result = this.#disk.runTool(cp, args, this.#searchPath);
    // An interrupt from the terminal ends the tool as well. The run decides itself when it stops, so the tool is run
    // again.
    return result.status === null ? this.#disk.runTool(cp, args, this.#searchPath) : result;
  }

  #findCp(): string | null {
    if (this.#disk.platform() !== 'linux') return null;
    const isGnu = (name: string): boolean => {
      let version = '';
      ignoreErrors(() => {
        version = this.#disk.runTool(name, ['--version'], this.#searchPath).stdout;
        this.#hasOther ||= !IS_GNU.test(version);
      });
      return IS_GNU.test(version);
    };
    return CP_NAMES.find(isGnu) ?? null;
  }

  /** The user's rights on the file, as three bits. That it may be read and written was checked before. */
  #rightsOn(path: string): number {
    return ignoreErrors(() => this.#disk.accessSync(path, constants.X_OK)) ? 7 : 6;
  }
}

const NO_TOOL =
  'its group may do what others may not, so it may have an access control list, and GNU cp, which would keep it, is not found; install coreutils';

interface Lost {
  readonly owner: boolean;
  readonly group: boolean;
}

/**
 * The mode for a file whose owner or group may have changed. The new owner gets no right beyond `rights`, which the
 * user had before. The new group and the members of the old one get only rights that they had both as group and as
 * others.
 */
function narrowedMode(mode: number, lost: Lost, rights: number): number {
  if (!lost.owner && !lost.group) return mode & 0o7777;
  let bits = mode & 0o1777; // the set-id bits were meant for another owner or group
  if (lost.owner) bits &= (rights << 6) | 0o1077;
  if (lost.group) {
    const both = (bits >> 3) & bits & 7;
    bits = (bits & 0o1700) | (both << 3) | both;
  }
  return bits;
}

function wordsForLoss({ mode, uid, gid }: Stats, lost: Lost, wanted: number): string | null {
  const what = [...(lost.owner ? [`owner (user ${uid})`] : []), ...(lost.group ? [`group (${gid})`] : [])];
  if (what.length === 0) return null;
  const before = mode & 0o7777;
  const change = before === wanted ? '' : `; its mode is ${wanted.toString(8)} now, it was ${before.toString(8)}`;
  return `was written, but its ${what.join(' and its ')} could not be kept${change}`;
}
