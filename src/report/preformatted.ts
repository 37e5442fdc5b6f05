/**
 * Violations as `ndjson` bytes, made by a thread that does not know how many payloads and lines come before its part of the source. The numbers
 * that depend on it are left out, and the main thread puts them in: far less work than sending objects.
 */
import type { NotedPlace, Statement, Violation } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { placeOfFirst } from '../words/facts.ts';
import { createSaid, type Said } from './record.ts';

/** Violations as `ndjson` bytes with holes. */
export interface Preformatted {
  readonly bytes: Uint8Array;
  /**
   * Of each hole, `HOLE` numbers: index in `bytes` before which it is, the payload, the line, the column and the line of the end. In a hole whose
   * column is 0, only the line is missing. All numbers are counted from the beginning of the part.
   */
  readonly holes: readonly number[];
}

const HOLE = 5;

/** Most bytes of a number. */
const DIGITS = 20;
const LINE = Buffer.from(',"line":');
const COLUMN = Buffer.from(',"column":');
const END_LINE = Buffer.from(',"endLine":');
const FILLING = LINE.length + COLUMN.length + END_LINE.length + 4 * DIGITS;

const FIRST_BYTES = 1 << 16;

/** Collects violations as bytes. */
export class Preformatter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;
  #holes: number[] = [];
  readonly #said = createSaid();
  #head: { readonly file: string; readonly bytes: Buffer } = { file: '', bytes: headOf('') };
  readonly #tails = new WeakMap<Statement, Buffer>();

  /** Number of bytes so far. */
  get length(): number {
    return this.#at;
  }

  /** Adds any violation. */
  add(violation: Violation): void {
    this.#write(this.#headOf(violation.file));
    const { payload, line, column, endLine, endColumn, offset } = violation;
    this.#holes.push(this.#at, payload, line, column, endLine);
    const rest = `,"endColumn":${endColumn},"offset":${offset},${this.#said(violation)}}\n`;
    const first = placeOfFirst(violation);
    if (first === null) this.#write(Buffer.from(rest));
    else {
      // It is the only place within params.
      const mark = '"first":{"line":';
      const at = rest.indexOf(mark) + mark.length;
      this.#write(Buffer.from(rest.slice(0, at)));
      this.#holes.push(this.#at, 0, first.line, 0, 0);
      this.#write(Buffer.from(rest.slice(at + String(first.line).length)));
    }
  }

  /** Adds a violation that was noted from the bytes. */
  addNoted(statement: Statement, { file, payload, line, column, endColumn, offset }: NotedPlace): void {
    const head = this.#headOf(file);
    const tail = this.#tailOf(statement);
    this.#reserve(head.length + END_COLUMN.length + OFFSET.length + 2 * DIGITS + tail.length);
    this.#put(head);
    this.#holes.push(this.#at, payload, line, column, line);
    this.#put(END_COLUMN);
    this.#at = putNumber(this.#bytes, this.#at, endColumn);
    this.#put(OFFSET);
    this.#at = putNumber(this.#bytes, this.#at, offset);
    this.#put(tail);
  }

  /** Returns what was collected, valid until the next call of another method. Begins again. */
  take(): Preformatted {
    const taken = { bytes: this.#bytes.subarray(0, this.#at), holes: this.#holes };
    this.#at = 0;
    this.#holes = [];
    return taken;
  }

  #headOf(file: string): Buffer {
    if (this.#head.file !== file) this.#head = { file, bytes: headOf(file) };
    return this.#head.bytes;
  }

  #tailOf(statement: Statement): Buffer {
    const known = this.#tails.get(statement);
    if (known !== undefined) return known;
    const tail = Buffer.from(`,${this.#said(saidBy(statement))}}\n`);
    if (statement.again) this.#tails.set(statement, tail);
    return tail;
  }

  #write(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#put(bytes);
  }

  #put(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #reserve(length: number): void {
    const needed = this.#at + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** An error: other severities come from rules in the config, and then nothing is noted for many payloads at once. */
function saidBy({ fixable, fix, suggestion, ...statement }: Statement): Said {
  const fixes = fixable ? 'fill' : fix;
  return {
    ...statement,
    severity: 'error',
    fixable,
    ...(fixes === undefined ? {} : { fix: fixes }),
    ...(suggestion === null ? {} : { suggestion }),
  };
}

const END_COLUMN = Buffer.from(',"endColumn":');
const OFFSET = Buffer.from(',"offset":');

function headOf(file: string): Buffer {
  return Buffer.from(`{"type":"violation","file":${jsonText(file)},"payload":`);
}

/** The bytes with their holes filled; `payloads` and `lines`: how many come before the part. */
export function settle({ bytes, holes }: Preformatted, payloads: number, lines: number): Uint8Array {
  const settled = Buffer.allocUnsafe(bytes.length + (holes.length / HOLE) * FILLING);
  let from = 0;
  let at = 0;
  for (let hole = 0; hole < holes.length; hole += HOLE) {
    const to = holes[hole]!;
    settled.set(bytes.subarray(from, to), at);
    at += to - from;
    from = to;
    const line = lines + holes[hole + 2]!;
    const column = holes[hole + 3]!;
    if (column === 0) {
      at = putNumber(settled, at, line);
      continue;
    }
    at = putNumber(settled, at, payloads + holes[hole + 1]!);
    settled.set(LINE, at);
    at = putNumber(settled, at + LINE.length, line);
    settled.set(COLUMN, at);
    at = putNumber(settled, at + COLUMN.length, column);
    settled.set(END_LINE, at);
    at = putNumber(settled, at + END_LINE.length, lines + holes[hole + 4]!);
  }
  settled.set(bytes.subarray(from), at);
  return settled.subarray(0, at + bytes.length - from);
}

/** Writes an integer that is not negative, in decimal. Returns the index after it. */
function putNumber(bytes: Uint8Array, at: number, number: number): number {
  let end = at + 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) end++;
  let rest = number;
  for (let i = end - 1; i >= at; i--) {
    const tenth = Math.floor(rest / 10);
    bytes[i] = 0x30 + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}
