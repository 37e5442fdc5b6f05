/**
 * Gives the new file the attributes of the old one: owner, group, mode, access control list and extended attributes. No
 * user gets a right that they did not have: an attribute that cannot be kept is removed, or the file is refused. Node
 * has no calls for the last two: on Linux GNU cp copies them; on macOS the temporary file begins as a copy, which has
 * them; on Windows a new file has the list of its folder.
 */
import { constants, type Stats } from 'node:fs';
import { once } from '../json/on-demand.ts';
import { type Attempt, attempt, type Disk, ignoreErrors, type ToolResult } from './disk.ts';
import type { Temporary } from './temporary.ts';

/** `all` permits the loss of extended attributes, so they are named as well. */
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

export interface Original {
  readonly path: string;
  readonly stats: Stats;
}

interface Pair {
  readonly original: Original;
  readonly temporary: Temporary;
}

type Lost = Readonly<Record<'owner' | 'group', boolean>>;

export class AttributeKeeper {
  readonly #disk: Disk;
  readonly #searchPath: string | undefined;
  /** The name of GNU cp; null if there is none. */
  readonly #tool = once(() => this.#findCp());
  /** The search for it has found a cp that is not GNU's. */
  #hasOther = false;

  constructor(disk: Disk, searchPath: string | undefined) {
    this.#disk = disk;
    this.#searchPath = searchPath;
  }

  /** GNU cp was needed, but only another cp was found. */
  get hasOtherTool(): boolean {
    return this.#hasOther && this.#tool() === null;
  }

  /**
   * Gives temporary files, whose content is complete, the attributes of the originals. Content comes first, because
   * writing removes set-id bits. If there are several, they are all that `folder`, a private one, contains, under the
   * names of the originals, which are in one folder. Returns what was lost of each, as a clause, or its error.
   */
  keepAll(files: readonly Pair[], folder: string): readonly Attempt<string | null>[] {
    const plans = files.map(({ original, temporary }) => attempt(() => this.#giveAway(original, temporary)));
    const needsTool = this.#disk.platform() !== 'win32' && this.#disk.platform() !== 'darwin';
    const sources = files.filter((_, i) => 'value' in plans[i]!).map(({ original }) => original.path);
    const copied = needsTool && this.#copyAll(sources, folder);
    return files.map(({ original, temporary }, i) => {
      const plan = plans[i]!;
      if ('error' in plan) return plan;
      return attempt(() => {
        if (needsTool && !copied) this.#copyAttributes(original, temporary, plan.value.mode);
        const { lost, mode } = plan.value;
        if ((this.#disk.fstatSync(temporary.fd).mode & 0o7777) !== mode) this.#disk.fchmodSync(temporary.fd, mode);
        return wordsForLoss(original.stats, lost, mode);
      });
    });
  }

  /** Gives the file to the old owner and group as far as that is possible. Returns the mode that it may have then. */
  #giveAway({ path, stats }: Original, { fd }: Temporary): { readonly lost: Lost; readonly mode: number } {
    const disk = this.#disk;
    const { mode, uid, gid } = stats;
    const made = disk.fstatSync(fd);
    if (made.uid !== uid || made.gid !== gid) {
      const both = ignoreErrors(() => disk.fchownSync(fd, uid, gid));
      if (!both) ignoreErrors(() => disk.fchownSync(fd, -1, gid));
    }
    const now = disk.fstatSync(fd);
    const lost = { owner: now.uid !== uid, group: now.gid !== gid };
    // That the user may read and write it was checked before.
    const rights = lost.owner && ignoreErrors(() => disk.accessSync(path, constants.X_OK)) ? 7 : 6;
    return { lost, mode: narrowedMode(mode, lost, rights) };
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

  /** One process takes as long for several files as for one. False: then each file is copied by itself, and says why. */
  #copyAll(paths: readonly string[], folder: string): boolean {
    const cp = paths.length < 2 ? null : this.#tool();
    if (cp === null) return false;
    const args = [...CP_FLAGS, `--target-directory=${folder}`, '--', ...paths];
    const result = attempt(() => this.#run(cp, args));
    return 'value' in result && result.value.status === 0;
  }

  #run(cp: string, args: readonly string[]): ToolResult {
    const result = this.#disk.runTool(cp, args, this.#searchPath);
    // An interrupt from the terminal ends the tool as well, and the run decides itself when it stops.
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
}

const NO_TOOL =
  'its group may do what others may not, so it may have an access control list, and GNU cp, which would keep it, is not found; install coreutils';

/**
 * The mode for a file whose owner or group may have changed. The new owner gets no right beyond `rights` (three bits), which the
 * user had. The new group and members of the old one get only rights that they had both as group and as others.
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
