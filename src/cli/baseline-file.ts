/** `--baseline` and `--update-baseline`: the file of known violations, read before the run and perhaps written after it. */
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

const LISTED_ENTRIES = 20;

export interface BaselineFile {
  readonly baseline: Baseline;
  /** Says what is fixed, or writes the baseline. `searched`: folders in which a missing file is gone. Throws WriteError. */
  finish(quiet: boolean, searched: readonly string[]): Promise<void>;
}

/** `path`: absolute; `isOff`: a rule is not looked for; null: the reports say so. Throws UsageError and Interrupted. */
export async function openBaseline(
  path: string,
  { updates, isOff }: { readonly updates: boolean; readonly isOff: ((rule: Rule) => boolean) | null },
  io: Io,
): Promise<BaselineFile> {
  const name = slashed(relative(io.cwd, path)) || '.';
  const bytes = await bytesOf(path, name, updates, io);
  const known = bytes === null ? [] : readBaseline(bytes, name);
  const text = bytes?.toString() ?? null;
  const baseline = new Baseline(known, { takesAll: updates, nameOf: namesIn(path, io.cwd), isOff });
  const isGone = (file: string, searched: readonly string[]): boolean => {
    const at = resolve(dirname(path), file);
    return file !== STDIN && searched.some((folder) => !isOutside(relative(folder, at))) && isMissing(at);
  };
  return {
    baseline,
    async finish(quiet, searched) {
      const fixed = baseline.fixed((file) => isGone(file, searched));
      const entries = updates ? baseline.updated((file) => isGone(file, searched)) : null;
      const changed = entries === null ? text : baselineText(entries);
      if (changed !== null && changed !== text) await write(name, changed, () => refuseChanged(path, bytes), io);
      if (quiet) return;
      const sentences = entries === null ? stale(fixed, name) : written(entries, fixed, name, baseline.unread);
      for (const sentence of sentences) io.stderr.write(`paylint: ${sentence}\n`);
    },
  };
}

function written(
  entries: readonly Known[],
  fixed: readonly Known[],
  file: string,
  unread: ReadonlyMap<Rule, number>,
): readonly string[] {
  const name = visible(file);
  const has = `${name} has ${plural(total(entries), 'known violation')}`;
  const sentences = [has + list(fixed, ', without those that are fixed:')];
  const others = [...unread.values()].reduce((sum, count) => sum + count, 0);
  const rules = [...unread.keys()].sort().join(', ');
  const are = others === 1 ? 'is' : 'are';
  if (others > 0)
    sentences.push(
      `${plural(others, 'violation')} ${are} left out of ${name}: what could not be read is never known (${rules})`,
    );
  return sentences;
}

function stale(fixed: readonly Known[], name: string): readonly string[] {
  const many = total(fixed);
  if (many === 0) return [];
  const [are, them] = many === 1 ? ['is', 'it'] : ['are', 'them'];
  const known = plural(many, 'known violation');
  return [`${known} ${are} fixed; --update-baseline takes ${them} out of ${visible(name)}${list(fixed, ':')}`];
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
    .slice(0, LISTED_ENTRIES)
    .map(({ file, pointer, rule, count }) => visible(`${file} ${pointer || '(root)'} ${rule} (${count})`));
  if (entries.length > LISTED_ENTRIES) lines.push(`… and ${entries.length - LISTED_ENTRIES} more`);
  return `${heading}\n  ${lines.join('\n  ')}`;
}

/** Another run may have written its own baseline meanwhile, which would be lost. `read`: the bytes then; null: no file. */
function refuseChanged(path: string, read: Buffer | null): void {
  let now: Buffer | null = null;
  try {
    now = readLimited(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  if (now === null ? read !== null : read === null || !now.equals(read))
    throw new Error('it changed while the payloads were read; run paylint again');
}

async function write(name: string, text: string, beforeReplacing: () => void, io: Io): Promise<void> {
  const { outputFile } = await import('./outputs.ts');
  const file = await outputFile(name, { keepsPart: false, beforeReplacing }, io);
  try {
    await file.write(Buffer.from(text));
    const lost = await file.finish('whole');
    if (lost !== null) io.stderr.write(`paylint: ${visible(name)}: ${visible(lost)}\n`);
  } finally {
    await file.close();
  }
}

/** Null: the file does not exist yet, and the run will write it. */
async function bytesOf(path: string, name: string, updates: boolean, io: Io): Promise<Buffer | null> {
  try {
    return isPipe(path) ? await (await import('../config/pipes.ts')).readPipe(path, io) : readLimited(path);
  } catch (cause) {
    if (cause instanceof Interrupted) throw cause;
    const isMissing = codeOf(cause) === 'ENOENT';
    if (isMissing && updates) return null;
    const hint = isMissing ? '; --update-baseline makes it' : '';
    throw new UsageError(`cannot read the baseline ${visible(name)}: ${wordsFor(cause)}${hint}`, { cause });
  }
}
