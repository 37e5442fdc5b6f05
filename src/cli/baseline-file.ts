/**
 * `--baseline` and `--update-baseline`: the file of known violations, read before the run and perhaps written after it.
 */
import { isUtf8 } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Interrupted, UsageError } from '../errors.ts';
import { Baseline, baselineText, type Known, namesIn, readBaseline, STDIN } from '../report/baseline.ts';
import type { Io } from '../source/io.ts';
import { isOutside, slashed } from '../source/path-text.ts';
import { isPipe, readLimited } from '../source/read-file.ts';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import type { Rule } from '../types.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number-text.ts';

/** Most entries that a note lists. */
const LISTED = 20;

/** The largest baseline, in bytes. */
const MAX_BYTES = 256 << 20;

interface Use {
  /** The run will write the baseline. */
  readonly updates: boolean;
  /** The run does not look for violations of this rule; null: the reports say whether there is such a rule. */
  readonly isOff: ((rule: Rule) => boolean) | null;
  /** The folder to which names of checked files are relative. */
  readonly cwd: string;
}

/** A baseline, and the file that it is in. */
export class BaselineFile {
  readonly baseline: Baseline;
  readonly #path: string;
  readonly #name: string;
  readonly #updates: boolean;
  /** Null: there is no file yet. */
  readonly #text: string | null;

  private constructor(path: string, name: string, text: string | null, { updates, isOff, cwd }: Use) {
    this.#path = path;
    this.#name = name;
    this.#updates = updates;
    this.#text = text;
    const known = text === null ? [] : readBaseline(text, name);
    this.baseline = new Baseline(known, { takesAll: updates, nameOf: namesIn(path, cwd), isOff });
  }

  /** `path`: absolute. Throws UsageError if it cannot be used, and Interrupted. */
  static async open(path: string, use: Omit<Use, 'cwd'>, io: Io): Promise<BaselineFile> {
    const name = slashed(relative(io.cwd, path)) || '.';
    return new BaselineFile(path, name, await readText(path, name, use.updates, io), { ...use, cwd: io.cwd });
  }

  /**
   * After the run: says what is fixed, or writes the baseline again. `searched`: absolute paths of folders that the run
   * has searched, in which a missing file is gone. Throws WriteError.
   */
  async finish(quiet: boolean, searched: readonly string[], io: Io): Promise<void> {
    const isGone = (file: string): boolean => {
      const path = resolve(dirname(this.#path), file);
      return file !== STDIN && searched.some((folder) => !isOutside(relative(folder, path))) && isMissing(path);
    };
    const fixed = this.baseline.fixed(isGone);
    const said = this.#updates ? await this.#update(isGone, fixed, io) : this.#stale(fixed);
    if (!quiet) for (const sentence of said) io.stderr.write(`paylint: ${sentence}\n`);
  }

  /** Writes the baseline again. Returns the message. */
  async #update(isGone: (file: string) => boolean, fixed: readonly Known[], io: Io): Promise<readonly string[]> {
    const entries = this.baseline.updated(isGone);
    const text = baselineText(entries);
    if (text !== this.#text) await write(this.#name, text, io);
    const name = visible(this.#name);
    const said = [
      `${name} has ${plural(total(entries), 'known violation')}${list(fixed, ', without those that are fixed:')}`,
    ];
    const left = [...this.baseline.unread.values()].reduce((sum, count) => sum + count, 0);
    if (left > 0) {
      const rules = [...this.baseline.unread.keys()].sort().join(', ');
      const are = left === 1 ? 'is' : 'are';
      said.push(
        `${plural(left, 'violation')} ${are} left out of ${name}: what could not be read is never known (${rules})`,
      );
    }
    return said;
  }

  /** The note about entries that `--update-baseline` removes. */
  #stale(fixed: readonly Known[]): readonly string[] {
    const many = total(fixed);
    if (many === 0) return [];
    const [are, them] = many === 1 ? ['is', 'it'] : ['are', 'them'];
    const name = visible(this.#name);
    const known = plural(many, 'known violation');
    return [`${known} ${are} fixed; --update-baseline takes ${them} out of ${name}${list(fixed, ':')}`];
  }
}

/** Whether there surely is no such file: not if a folder above it cannot be entered. */
function isMissing(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
  }
}

function total(entries: readonly Known[]): number {
  return entries.reduce((sum, { count }) => sum + count, 0);
}

/** `heading` and a line for each of the first entries; nothing if there are none. */
function list(entries: readonly Known[], heading: string): string {
  if (entries.length === 0) return '';
  const lines = entries
    .slice(0, LISTED)
    .map(({ file, pointer, rule, count }) => visible(`${file} ${pointer || '(root)'} ${rule} (${count})`));
  if (entries.length > LISTED) lines.push(`… and ${entries.length - LISTED} more`);
  return `${heading}\n  ${lines.join('\n  ')}`;
}

/** Writes the file whole or not at all. Throws WriteError. */
async function write(name: string, text: string, io: Io): Promise<void> {
  const { outputFile } = await import('./outputs.ts');
  const file = await outputFile(name, false, io);
  try {
    await file.write(Buffer.from(text));
    const lost = await file.finish('whole');
    if (lost !== null) io.stderr.write(`paylint: ${visible(name)}: ${visible(lost)}\n`);
  } finally {
    await file.close();
  }
}

/** Null: the file does not exist yet, and the run will write it. */
async function readText(path: string, name: string, updates: boolean, io: Io): Promise<string | null> {
  let bytes: Buffer;
  try {
    bytes = await readBytes(path, io);
  } catch (cause) {
    if (cause instanceof Interrupted) throw cause;
    const isMissing = codeOf(cause) === 'ENOENT';
    if (isMissing && updates) return null;
    const hint = isMissing ? '; --update-baseline makes it' : '';
    throw new UsageError(`cannot read the baseline ${visible(name)}: ${wordsFor(cause)}${hint}`, { cause });
  }
  if (!isUtf8(bytes)) throw new UsageError(`the baseline ${visible(name)} is damaged: it is not UTF-8`);
  return bytes.toString();
}

async function readBytes(path: string, io: Io): Promise<Buffer> {
  if (!isPipe(path)) return readLimited(path, MAX_BYTES);
  return (await import('../config/pipes.ts')).readPipe(path, MAX_BYTES, io);
}
