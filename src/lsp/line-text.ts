/**
 * The text of an open document, with its lines. A change replaces only the lines that it touches, so what is known of
 * the others stays. Lines end with a line feed, as in reports; a carriage return belongs to its line.
 *
 * It is kept as UTF-8: as a string, a text with one character beyond Latin-1 takes two bytes for each.
 */
import type { Position, Range } from 'vscode-languageserver';
import { Numbers } from './numbers.ts';

/** In what `character` of a position is counted: negotiated with the client. */
export type Encoding = 'utf-8' | 'utf-16' | 'utf-32';

/** The text of a document or a change. A long one comes as bytes (`reader.ts`), which are UTF-8. */
export type Text = string | Buffer;

/** The new text, or a change of a range in it. */
export interface TextChange {
  readonly range?: Range;
  readonly text: Text;
}

/** A part of a text: `bytes[from, to)`, until the text changes. */
export class Piece {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;

  constructor(bytes: Buffer, from: number, to: number) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  /** Made anew each time. */
  get text(): string {
    return this.bytes.toString('utf8', this.from, this.to);
  }
}

const LINE_FEED = 0x0a;

/**
 * Lines are numbered from 0. Of each there are only its start and what is known of it, so that a text of many short
 * lines takes little more memory than its bytes.
 */
export class LineText<Known> {
  readonly encoding: Encoding;
  /** The text, and room for changes after it. */
  #room: Buffer;
  #size: number;
  /** By line, the index of its first byte; and after the last one, `#size + 1`, as if a line feed followed. */
  #starts: Uint32Array;
  /** By line; null: it has not been looked at. */
  #known: (Known | null)[];
  /** By line, where it begins, in UTF-16 code units; null until it is asked for. */
  #unitStarts: number[] | null = null;
  /** Somebody has all bytes, who must not see them change. */
  #isShared = true;
  /** The line that was read last: it may be as long as the text. */
  #read: { readonly line: number; readonly text: string } | null = null;
  #changes = 0;

  constructor(text: Text, encoding: Encoding) {
    this.encoding = encoding;
    this.#room = bytesOf(text);
    this.#size = this.#room.length;
    this.#starts = startsIn(this.#room);
    this.#known = unknown(this.lineCount);
  }

  get lineCount(): number {
    return this.#starts.length - 1;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** How often the text was changed. */
  get changes(): number {
    return this.#changes;
  }

  /** The whole text. These bytes stay as they are when the text changes. */
  get bytes(): Buffer {
    this.#isShared = true;
    return this.#room.subarray(0, this.#size);
  }

  /** A line without its line feed; null: there is none of this number. */
  line(line: number): Piece | null {
    return line >= 0 && line < this.lineCount ? this.lines(line, line + 1) : null;
  }

  /** The lines in [from, to), without the last line feed. */
  lines(from: number, to: number): Piece {
    return new Piece(this.#room, this.#starts[from]!, this.#starts[to]! - 1);
  }

  /** By line, what is known of it; null: nothing yet. */
  get known(): readonly (Known | null)[] {
    return this.#known;
  }

  setKnown(line: number, known: Known | null): void {
    this.#known[line] = known;
  }

  forget(): void {
    this.#known.fill(null);
  }

  apply({ range, text }: TextChange): void {
    this.#changes++;
    const [start, end] = range === undefined ? [] : [this.#unitsOf(range.start), this.#unitsOf(range.end)];
    this.#unitStarts = null;
    if (start === undefined || end === undefined) {
      this.#read = null;
      this.#room = bytesOf(text);
      this.#isShared = true;
      this.#size = this.#room.length;
      this.#starts = startsIn(this.#room);
      this.#known = unknown(this.lineCount);
      return;
    }
    const first = this.#textOf(start.line).slice(0, start.character);
    const last = this.#textOf(end.line).slice(end.character);
    this.#read = null;
    const bytes =
      typeof text === 'string'
        ? Buffer.from(first + text + last)
        : Buffer.concat([Buffer.from(first), text, Buffer.from(last)]);
    this.#replace(start.line, end.line + 1, bytes);
  }

  /** Replaces the lines in [from, to). */
  #replace(from: number, to: number, bytes: Buffer): void {
    const [at, end] = [this.#starts[from]!, this.#starts[to]! - 1];
    const added = startsIn(bytes);
    this.#putBytes(at, end, bytes);
    const lines = added.length - 1;
    const by = at + bytes.length - end;
    const starts = new Uint32Array(this.#starts.length + lines - (to - from));
    starts.set(this.#starts.subarray(0, from));
    starts.set(
      added.map((start) => start + at),
      from,
    );
    starts.set(
      this.#starts.subarray(to).map((start) => start + by),
      from + lines,
    );
    this.#starts = starts;
    // The number of arguments of a call is limited.
    if (lines < 10_000) this.#known.splice(from, to - from, ...unknown<Known>(lines));
    else this.#known = [...this.#known.slice(0, from), ...unknown<Known>(lines), ...this.#known.slice(to)];
  }

  /** Replaces the bytes in [from, to). */
  #putBytes(from: number, to: number, bytes: Buffer): void {
    const size = this.#size + bytes.length - (to - from);
    const before = this.#room;
    if (this.#isShared || size > before.length) {
      this.#room = Buffer.allocUnsafeSlow(size + Math.ceil(size / ROOM_PART));
      before.copy(this.#room, 0, 0, from);
      this.#isShared = false;
    }
    before.copy(this.#room, from + bytes.length, to, this.#size);
    bytes.copy(this.#room, from);
    this.#size = size;
  }

  /** From the beginning, in UTF-16 code units. */
  offsetAt(position: Position): number {
    const { line, character } = this.#unitsOf(position);
    return this.#unitsBefore()[line]! + character;
  }

  /** `offset`: in UTF-16 code units. */
  positionAt(offset: number): Position {
    const starts = this.#unitsBefore();
    let [from, to] = [0, starts.length];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if (starts[middle]! <= offset) from = middle;
      else to = middle;
    }
    return this.position(from, offset - starts[from]!);
  }

  /** The position for `units` UTF-16 code units in a line. What is beyond its end is at its end. */
  position(line: number, units: number): Position {
    const index = Math.min(line, this.lineCount - 1);
    const text = this.#textOf(index);
    const within = line > index ? text.length : Math.min(units, text.length);
    if (this.encoding === 'utf-16') return { line: index, character: within };
    const before = text.slice(0, within);
    const character = this.encoding === 'utf-8' ? Buffer.byteLength(before) : [...before].length;
    return { line: index, character };
  }

  /** The UTF-16 code units of a position in its line. */
  unitsIn(position: Position): number {
    return this.#unitsOf(position).character;
  }

  /** In UTF-16 code units, and within the text. */
  #unitsOf({ line, character }: Position): Position {
    const index = Math.max(0, Math.min(line, this.lineCount - 1));
    const text = this.#textOf(index);
    if (line > index) return { line: index, character: text.length };
    return { line: index, character: Math.min(unitsAt(text, character, this.encoding), text.length) };
  }

  #textOf(line: number): string {
    if (this.#read?.line !== line) this.#read = { line, text: this.lines(line, line + 1).text };
    return this.#read.text;
  }

  #unitsBefore(): readonly number[] {
    if (this.#unitStarts !== null) return this.#unitStarts;
    let at = 0;
    this.#unitStarts = Array.from({ length: this.lineCount }, (_, line) => {
      const start = at;
      at += this.lines(line, line + 1).text.length + 1;
      return start;
    });
    return this.#unitStarts;
  }
}

/** Room for changes is the text's size divided by this. */
const ROOM_PART = 64;

function unknown<Known>(lines: number): (Known | null)[] {
  return new Array<Known | null>(lines).fill(null);
}

function bytesOf(text: Text): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text;
}

/** By line, where it begins; and after the last one, the size and 1. */
function startsIn(bytes: Buffer): Uint32Array {
  const starts = new Numbers();
  starts.push(0);
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) starts.push(at + 1);
  starts.push(bytes.length + 1);
  return starts.array;
}

function unitsAt(text: string, character: number, encoding: Encoding): number {
  if (encoding === 'utf-16') return character;
  let [units, counted] = [0, 0];
  for (const one of text) {
    if (counted >= character) break;
    counted += encoding === 'utf-8' ? Buffer.byteLength(one) : 1;
    units += one.length;
  }
  return units;
}
