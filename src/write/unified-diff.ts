/**
 * `--diff`: the edits as a unified diff for `git apply` and `patch`. Nothing is compared: the insertions are known, so
 * two passes over the file's lines are enough, one for the places of the hunks and one for their text.
 */
import { realpathSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { Chalk } from 'chalk';
import type { InsertionList } from '../json/insertions.ts';
import { isCompressed } from '../source/open-bytes.ts';
import { isOutside, slashed } from '../source/path-text.ts';
import type { Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { endedLines } from './spool.ts';

const CONTEXT = 3;

/** The bytes of a file, from the beginning, any number of times. Each chunk has memory of its own. */
type ReadAgain = () => AsyncIterable<Buffer>;

/** A line with its end, and the offset in the file at which it begins. */
interface Line {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** The lines of one hunk: from `from`, 0-based, up to `to`. */
interface Hunk {
  from: number;
  to: number;
  added: number;
}

/** The diff of one file, in pieces. `insertions`: ascending; without any there is no diff. */
export async function* unifiedDiff(name: string, insertions: InsertionList, read: ReadAgain): AsyncGenerator<Buffer> {
  if (insertions.offsets.length === 0) return;
  const hunks = await findHunks(insertions, read);
  yield Buffer.from(`--- ${fileName('a/', name)}\n+++ ${fileName('b/', name)}\n`);
  let at = 0;
  let number = 0;
  let shift = 0;
  let next = 0;
  let hunk = hunks[next++];
  const changes = new Changes();
  for await (const line of linesOf(read())) {
    if (hunk !== undefined && number >= hunk.from) {
      const { from: start, to, added } = hunk;
      if (number === start)
        yield Buffer.from(`@@ -${start + 1},${to - start} +${start + 1 + shift},${to - start + added} @@\n`);
      const from = at;
      at = countUpTo(insertions, at, line);
      if (at > from) changes.add(line, insertions, from, at);
      if (at === from || number + 1 === hunk.to || changes.size > MOST_AT_ONCE) yield* changes.take();
      if (at === from) yield marked(' ', line.bytes);
      if (number + 1 === hunk.to) {
        shift += hunk.added;
        hunk = hunks[next++];
        if (hunk === undefined) return;
      }
    }
    number++;
  }
}

/** The number of insertions before the end of `line`, if there are `from` before its beginning. */
function countUpTo({ offsets }: InsertionList, from: number, { bytes, offset }: Line): number {
  let at = from;
  while (at < offsets.length && offsets[at]! < offset + bytes.length) at++;
  return at;
}

/** Bytes of changed lines that are collected before they are written. */
const MOST_AT_ONCE = 1 << 20;

/** Consecutive changed lines: the old ones are written first, then the new ones. */
class Changes {
  #old: Buffer[] = [];
  #new: Buffer[] = [];
  size = 0;

  /** Adds a line with the insertions in it: number `from` up to `to`. */
  add({ bytes, offset }: Line, { offsets, texts }: InsertionList, from: number, to: number): void {
    this.size += bytes.length;
    this.#old.push(marked('-', bytes));
    const pieces: Uint8Array[] = [];
    let done = 0;
    for (let i = from; i < to; i++) {
      pieces.push(bytes.subarray(done, offsets[i]! - offset), texts[i]!);
      done = offsets[i]! - offset;
    }
    pieces.push(bytes.subarray(done));
    const rest: Buffer[] = [];
    const lines = [...endedLines(Buffer.concat(pieces), rest)];
    for (const line of [...lines, ...rest]) this.#new.push(marked('+', line));
  }

  take(): Buffer[] {
    const lines = [...this.#old, ...this.#new];
    this.#old = [];
    this.#new = [];
    this.size = 0;
    return lines;
  }
}

async function findHunks(insertions: InsertionList, read: ReadAgain): Promise<Hunk[]> {
  const hunks: Hunk[] = [];
  let at = 0;
  let number = 0;
  for await (const line of linesOf(read())) {
    const before = at;
    at = countUpTo(insertions, at, line);
    let added = 0;
    for (let i = before; i < at; i++) added += [...endedLines(insertions.texts[i]!, [])].length;
    if (at > before) {
      const last = hunks[hunks.length - 1];
      if (last !== undefined && number - CONTEXT <= last.to) {
        last.to = number + 1 + CONTEXT;
        last.added += added;
      } else hunks.push({ from: Math.max(0, number - CONTEXT), to: number + 1 + CONTEXT, added });
    }
    number++;
  }
  for (const hunk of hunks) hunk.to = Math.min(hunk.to, number);
  return hunks;
}

const LINE_FEED = 0x0a;
const NO_LINE_FEED = Buffer.from('\n\\ No newline at end of file\n');

function marked(mark: string, line: Buffer): Buffer {
  const ended = line[line.length - 1] === LINE_FEED;
  return Buffer.concat(ended ? [Buffer.from(mark), line] : [Buffer.from(mark), line, NO_LINE_FEED]);
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const rest: Buffer[] = [];
  let offset = 0;
  for await (const chunk of chunks)
    for (const bytes of endedLines(chunk, rest)) {
      yield { bytes, offset };
      offset += bytes.length;
    }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), offset };
}

/** As git writes it: in quotes and escaped, if the name has characters that need it. */
function fileName(prefix: string, name: string): string {
  const text = prefix + name;
  if (!/[^ !#-[\]-~]| $/.test(text)) return text.includes(' ') ? `${text}\t` : text;
  const bytes = [...Buffer.from(text)].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}

/** A name, or why there is none, in one clause. */
export type DiffName = { readonly name: string } | { readonly failure: string };

/**
 * The name for the file of `source`, under which `git apply` and `patch` find it: relative to `folder` (absolute), with
 * links followed, because they follow none, and read no compressed files. Throws the errors of the file system.
 */
export function diffName({ name, path }: Source, folder: string): DiffName {
  // standard input is refused before
  if (!statSync(path!).isFile()) return { failure: 'a diff needs a regular file, which can be read twice' };
  if (isCompressed(path!))
    return { failure: 'a diff of a compressed file cannot be applied; decompress it, or use fill --write' };
  if (isOutside(relative(folder, path!))) return { name }; // on another drive
  const real = relative(realpathSync(folder), realpathSync(path!));
  if (!isOutside(real)) return { name: slashed(real) };
  return {
    failure: 'is a link to a file outside the working directory, where a diff cannot be applied; name that file',
  };
}

/** A piece of a diff, which is whole lines, with colours. */
export function paintDiff(piece: Uint8Array): Uint8Array {
  const chalk = new Chalk({ level: 1 });
  const paint = (line: string): string => {
    const text = line.split('\t').map(visible).join('\t');
    if (/^(?:---|\+\+\+) /.test(line)) return chalk.bold(text);
    if (line.startsWith('@@')) return chalk.cyan(text);
    if (line.startsWith('+')) return chalk.green(text);
    return line.startsWith('-') ? chalk.red(text) : text;
  };
  const lines = Buffer.from(piece).toString().split('\n');
  const last = lines.pop();
  return Buffer.from(lines.map((line) => `${paint(line)}\n`).join('') + (last ? paint(last) : ''));
}
