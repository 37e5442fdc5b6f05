/**
 * The text of an open document, as lines. A change replaces only the lines that it touches, so what is known of the
 * others stays. Lines end with a line feed, as in reports; a carriage return belongs to its line.
 *
 * It is kept as UTF-8: as a string, a text with one character beyond Latin-1 takes two bytes for each.
 */
import type { Position, Range } from 'vscode-languageserver';

/** In what `character` of a position is counted: negotiated with the client. */
export type Encoding = 'utf-8' | 'utf-16' | 'utf-32';

/** The text of a document or a change. A long one comes as bytes (`reader.ts`), which are UTF-8. */
export type Text = string | Buffer;

/** The new text, or a change of a range in it. */
export interface TextChange {
  readonly range?: Range;
  readonly text: Text;
}

/** A part of a text: `bytes[from, to)`. */
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

/** A line, without its line feed. Another text is another object. */
export class Line<Known> extends Piece {
  /** What was found in it; null: it has not been looked at. */
  known: Known | null = null;
}

const LINE_FEED = 0x0a;

export class LineText<Known> {
  readonly encoding: Encoding;
  #lines: Line<Known>[];
  /** By line, where it begins, in UTF-16 code units; null until it is asked for. */
  #starts: number[] | null = null;
  #bytes: Buffer | null;
  #size: number;
  /** The line that was read last: it may be as long as the text. */
  #read: { readonly line: Line<Known>; readonly text: string } | null = null;

  constructor(text: Text, encoding: Encoding) {
    this.encoding = encoding;
    this.#bytes = bytesOf(text);
    this.#lines = linesOf(this.#bytes);
    this.#size = this.#bytes.length;
  }

  get lines(): readonly Line<Known>[] {
    return this.#lines;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** The whole text. */
  get bytes(): Buffer {
    this.#bytes ??= joined(this.#lines).subarray(0, -1);
    return this.#bytes;
  }

  apply({ range, text }: TextChange): void {
    this.#starts = null;
    this.#bytes = null;
    this.#read = null;
    if (range === undefined) {
      this.#bytes = bytesOf(text);
      this.#lines = linesOf(this.#bytes);
      this.#size = this.#bytes.length;
      return;
    }
    const [start, end] = [this.#unitsOf(range.start), this.#unitsOf(range.end)];
    const first = this.#textOf(start.line).slice(0, start.character);
    const last = this.#textOf(end.line).slice(end.character);
    const removed = this.#lines.slice(start.line, end.line + 1);
    const bytes =
      typeof text === 'string'
        ? Buffer.from(first + text + last)
        : Buffer.concat([Buffer.from(first), text, Buffer.from(last)]);
    const added = linesOf<Known>(bytes);
    this.#size += bytes.length - (sizeOf(removed) - 1);
    // A call takes only so many arguments.
    if (added.length < 10_000) this.#lines.splice(start.line, removed.length, ...added);
    else this.#lines = [...this.#lines.slice(0, start.line), ...added, ...this.#lines.slice(end.line + 1)];
  }

  /** From the beginning, in UTF-16 code units. */
  offsetAt(position: Position): number {
    const { line, character } = this.#unitsOf(position);
    return this.#lineStarts()[line]! + character;
  }

  /** `offset`: in UTF-16 code units. */
  positionAt(offset: number): Position {
    const starts = this.#lineStarts();
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
    const index = Math.min(line, this.#lines.length - 1);
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

  /** `range` in UTF-16 code units of the whole text. */
  range(start: number, end: number): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }

  /** In UTF-16 code units, and within the text. */
  #unitsOf({ line, character }: Position): Position {
    const index = Math.max(0, Math.min(line, this.#lines.length - 1));
    const text = this.#textOf(index);
    if (line > index) return { line: index, character: text.length };
    return { line: index, character: Math.min(unitsAt(text, character, this.encoding), text.length) };
  }

  #textOf(index: number): string {
    const line = this.#lines[index]!; // the callers have made sure
    if (this.#read?.line !== line) this.#read = { line, text: line.text };
    return this.#read.text;
  }

  #lineStarts(): number[] {
    if (this.#starts !== null) return this.#starts;
    let at = 0;
    this.#starts = this.#lines.map(({ text }) => {
      const start = at;
      at += text.length + 1;
      return start;
    });
    return this.#starts;
  }
}

function bytesOf(text: Text): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text;
}

function linesOf<Known>(bytes: Buffer): Line<Known>[] {
  const lines: Line<Known>[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, from);
    const to = lineFeed < 0 ? bytes.length : lineFeed;
    lines.push(new Line(bytes, from, to));
    from = to + 1;
  }
  return lines;
}

/** Bytes of the lines with a line feed after each. */
function sizeOf(lines: readonly Piece[]): number {
  return lines.reduce((size, { from, to }) => size + to - from + 1, 0);
}

/** `before`, which is ASCII, and the lines with a line feed after each. */
export function joined(lines: readonly Piece[], before = ''): Buffer {
  const all = Buffer.allocUnsafeSlow(before.length + sizeOf(lines));
  let at = all.write(before);
  for (const { bytes, from, to } of lines) {
    at += bytes.copy(all, at, from, to);
    all[at++] = LINE_FEED;
  }
  return all;
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
