/**
 * `--diff`: the edits as a unified diff for `git apply` and `patch`. Nothing is compared: the edits are known, so
 * two passes over the file's lines are enough, one for the places of the hunks and one for their text.
 */
import { realpathSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { Chalk } from 'chalk';
import type { EditList } from '../json/edits.ts';
import { LINE_FEED } from '../json/skip.ts';
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

/** The diff of one file, in pieces. `edits`: without any there is no diff. */
export async function* unifiedDiff(name: string, edits: EditList, read: ReadAgain): AsyncGenerator<Buffer> {
  if (edits.offsets.length === 0) return;
  const hunks = await findHunks(edits, read);
  yield Buffer.from(`--- ${fileName('a/', name)}\n+++ ${fileName('b/', name)}\n`);
  let number = 0;
  let shift = 0;
  let next = 0;
  let hunk = hunks[next++];
  const edited = new EditedLines(edits);
  const changes = new Changes();
  for await (const line of linesOf(read())) {
    const pieces = edited.next(line);
    if (hunk !== undefined && number >= hunk.from) {
      const { from: start, to, added } = hunk;
      if (number === start)
        yield Buffer.from(`@@ -${start + 1},${to - start} +${start + 1 + shift},${to - start + added} @@\n`);
      if (pieces !== null) changes.add(line, pieces);
      if (pieces === null || number + 1 === hunk.to || (changes.size > MOST_AT_ONCE && !edited.isOpen))
        yield* changes.take();
      if (pieces === null) yield marked(' ', line.bytes);
      if (number + 1 === hunk.to) {
        shift += hunk.added;
        hunk = hunks[next++];
        if (hunk === undefined) return;
      }
    }
    number++;
  }
}

/** What the edits make of one line after the other. */
class EditedLines {
  readonly #edits: EditList;
  #at = 0;
  /** Offset in the file up to which bytes go. */
  #goneTo = 0;
  /** The line that was made last continues with the next line of the file. */
  isOpen = false;

  constructor(edits: EditList) {
    this.#edits = edits;
  }

  /** The pieces that stand for the next line; null: it is as it was, and begins a line. */
  next({ bytes, offset }: Line): Uint8Array[] | null {
    const { offsets, lengths, texts } = this.#edits;
    const end = offset + bytes.length;
    if (!this.isOpen && this.#goneTo <= offset && !(offsets[this.#at]! < end)) return null;
    const pieces: Uint8Array[] = [];
    let from = Math.min(end, Math.max(offset, this.#goneTo));
    for (; offsets[this.#at]! < end; this.#at++) {
      pieces.push(bytes.subarray(from - offset, offsets[this.#at]! - offset), texts[this.#at]!);
      this.#goneTo = offsets[this.#at]! + lengths[this.#at]!;
      from = Math.min(end, this.#goneTo);
    }
    pieces.push(bytes.subarray(from - offset));
    const last = pieces.findLast((piece) => piece.length > 0);
    this.isOpen = last === undefined ? this.isOpen : last[last.length - 1] !== LINE_FEED;
    return pieces;
  }
}

/** Bytes of changed lines that are collected before they are written. */
const MOST_AT_ONCE = 1 << 20;

/** Consecutive changed lines: the old ones are written first, then the new ones. */
class Changes {
  #old: Buffer[] = [];
  #new: Uint8Array[] = [];
  size = 0;

  /** Adds a line with what stands for it. */
  add({ bytes }: Line, pieces: readonly Uint8Array[]): void {
    this.size += bytes.length;
    this.#old.push(marked('-', bytes));
    for (const piece of pieces) this.#new.push(piece);
  }

  take(): Buffer[] {
    const rest: Buffer[] = [];
    const lines = [...endedLines(Buffer.concat(this.#new), rest)];
    const made = [...lines, ...rest].map((line) => marked('+', line));
    const old = this.#old;
    this.#old = [];
    this.#new = [];
    this.size = 0;
    return [...old, ...made];
  }
}

async function findHunks(edits: EditList, read: ReadAgain): Promise<Hunk[]> {
  const hunks: Hunk[] = [];
  const edited = new EditedLines(edits);
  let number = 0;
  for await (const line of linesOf(read())) {
    const pieces = edited.next(line);
    if (pieces !== null) {
      const added = pieces.reduce((sum, piece) => sum + lineFeedsIn(piece), -lineFeedsIn(line.bytes));
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

function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

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
    return { failure: 'a diff of a compressed file cannot be applied; decompress it, or use --write' };
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
