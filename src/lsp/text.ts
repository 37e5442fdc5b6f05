/**
 * The text of an open document, as lines. A change replaces only the lines that it touches, so what is known of the
 * others stays. Lines end with a line feed, as in reports; a carriage return belongs to its line.
 */
import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';

/** In what `character` of a position is counted: negotiated with the client. */
export type Encoding = 'utf-8' | 'utf-16' | 'utf-32';

/** A line, without its line feed. Another text is another object. */
export interface Line<Known> {
  readonly text: string;
  /** What was found in it; null: it has not been looked at. */
  known: Known | null;
}

export class LineText<Known> {
  readonly encoding: Encoding;
  #lines: Line<Known>[];
  /** By line, where it begins, in UTF-16 code units; null until it is asked for. */
  #starts: number[] | null = null;
  #text: string | null = null;
  #length: number;

  constructor(text: string, encoding: Encoding) {
    this.encoding = encoding;
    this.#lines = linesOf(text);
    this.#length = text.length;
  }

  get lines(): readonly Line<Known>[] {
    return this.#lines;
  }

  /** In UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  /** The whole text. */
  get text(): string {
    this.#text ??= this.#lines.map(({ text }) => text).join('\n');
    return this.#text;
  }

  apply(change: TextDocumentContentChangeEvent): void {
    this.#starts = null;
    this.#text = null;
    if (!('range' in change)) {
      this.#lines = linesOf(change.text);
      this.#length = change.text.length;
      return;
    }
    const [start, end] = [this.#unitsOf(change.range.start), this.#unitsOf(change.range.end)];
    const first = this.#lines[start.line]!.text.slice(0, start.character); // the position is in the text
    const last = this.#lines[end.line]!.text.slice(end.character);
    const removed = this.#lines.slice(start.line, end.line + 1);
    const before = removed.reduce((sum, { text }) => sum + text.length + 1, -1);
    const text = first + change.text + last;
    const added = linesOf<Known>(text);
    this.#length += text.length - before;
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
    const { text } = this.#lines[index]!;
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
    const { text } = this.#lines[index]!;
    if (line > index) return { line: index, character: text.length };
    return { line: index, character: Math.min(unitsAt(text, character, this.encoding), text.length) };
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

function linesOf<Known>(text: string): Line<Known>[] {
  return text.split('\n').map((line) => ({ text: line, known: null }));
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
