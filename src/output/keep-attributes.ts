/**
 * Gives the new file the attributes of the old one: owner, group, mode, access control list and extended attributes. No
 * user gets a right that they did not have: an attribute that cannot be kept is removed, or the file is refused.
 *
 * Node has no calls for access control lists and extended attributes. On Linux GNU cp copies them. On macOS the
 * temporary file begins as a copy, which has them. On Windows a new file has the list of its folder.
 */
import { constants, type Stats } from 'node:fs';
import type { Disk } from './disk.ts';
import { ignoreErrors } from './stale.ts';
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
  '--no-target-directory',
  '--',
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

export class AttributeKeeper {
  readonly #disk: Disk;
  readonly #searchPath: string | undefined;
  /** The name of GNU cp; null if there is none, undefined if it was not looked for yet. */
  #cp: string | null | undefined;

  /** `searchPath`: where programs are found, like the variable PATH. */
  constructor(disk: Disk, searchPath: string | undefined) {
    this.#disk = disk;
    this.#searchPath = searchPath;
  }

  /**
   * Gives `temporary`, whose content is complete, the attributes of `original`. Content comes first, because writing
   * removes set-id bits. Returns what was lost, as a clause, or null. Throws the errors of the file system, and an
   * Error if something that must be kept cannot be.
   */
  keep(original: Original, temporary: Temporary): string | null {
    const disk = this.#disk;
    const { mode, uid, gid } = original.stats;
    const { fd } = temporary;
    const made = disk.fstatSync(fd);
    if (made.uid !== uid || made.gid !== gid) {
      const both = ignoreErrors(() => disk.fchownSync(fd, uid, gid));
      if (!both) ignoreErrors(() => disk.fchownSync(fd, -1, gid));
    }
    const now = disk.fstatSync(fd);
    const lost = { owner: now.uid !== uid, group: now.gid !== gid };
    const wanted = narrowedMode(mode, lost, lost.owner ? this.#rightsOn(original.path) : 0);
    if (disk.platform() !== 'win32' && disk.platform() !== 'darwin') {
      this.#copyAttributes(original, temporary, wanted);
    }
    if ((disk.fstatSync(fd).mode & 0o7777) !== wanted) disk.fchmodSync(fd, wanted);
    return wordsForLoss(original.stats, lost, wanted);
  }

  #copyAttributes({ path, stats }: Original, temporary: Temporary, wanted: number): void {
    if (this.#cp === undefined) this.#cp = this.#findCp();
    if (this.#cp === null) {
      // With an access control list, the group bits are the mask of that list, not the rights of the group.
      if (((stats.mode >> 3) & ~stats.mode & 7) !== 0) throw new Error(NO_TOOL);
      return;
    }
    // cp sets the old mode, which may be too wide for another owner or group.
    if (wanted !== (stats.mode & 0o7777)) temporary.hide();
    const args = [...CP_FLAGS, path, temporary.path];
    let { status, stderr } = this.#disk.runTool(this.#cp, args, this.#searchPath);
    // An interrupt from the terminal ends the tool as well. The run decides itself when it stops, so the tool is run
    // again.
    if (status === null) ({ status, stderr } = this.#disk.runTool(this.#cp, args, this.#searchPath));
    if (status === 0) return;
    const ended = status === null ? 'was ended by a signal' : `ended with exit code ${status}`;
    const why = stderr.trimEnd().split('\n').at(-1) || `cp ${ended}`;
    throw new Error(`its access control list or attributes cannot be kept: ${why}`);
  }

  #findCp(): string | null {
    if (this.#disk.platform() !== 'linux') return null;
    const isGnu = (name: string): boolean => {
      let version = '';
      ignoreErrors(() => {
        version = this.#disk.runTool(name, ['--version'], this.#searchPath).stdout;
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

/** What could not be kept. */
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
  const change =
    before === wanted ? '' : `; its mode is ${wanted.toString(8)} now, it was ${before.toString(8)}`;
  return `was written, but its ${what.join(' and its ')} could not be kept${change}`;
}
