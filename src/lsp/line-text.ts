/**
 * The text of an open document, with its lines. A change replaces only the lines that it touches, so what is known of
 * the others stays. Lines end with a line feed, as in reports; a carriage return belongs to its line.
 */
import type { Position, Range } from 'vscode-languageserver';

/** In what `character` of a position is counted: negotiated with the client. */
export type Encoding = 'utf-8' | 'utf-16' | 'utf-32';

/** The new text, or a change of a range in it. */
export interface LineChange {
  readonly range?: Range;
  readonly text: string;
}

/** Lines are numbered from 0. */
export class LineText<Known> {
  readonly encoding: Encoding;
  /** Without their line feeds. */
  #lines: string[] = [];
  /** By line; null: it has not been looked at. */
  #known: (Known | null)[] = [];
  /** In bytes, with a line feed after the last line. */
  #size = 0;
  /** By line, where it begins, in UTF-16 code units; null until it is asked for. */
  #unitStarts: number[] | null = null;
  #changes = 0;

  constructor(text: string, encoding: Encoding) {
    this.encoding = encoding;
    this.#replace(0, 0, text);
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  /** In bytes of UTF-8. */
  get size(): number {
    return this.#size - 1;
  }

  /** How often the text was changed. */
  get changes(): number {
    return this.#changes;
  }

  /** A line without its line feed; null: there is none of this number. */
  line(line: number): string | null {
    return this.#lines[line] ?? null;
  }

  /** The lines in [from, to), or all, without the last line feed. */
  text(from = 0, to = this.lineCount): string {
    return this.#lines.slice(from, to).join('\n');
  }

  /** The beginning of the text, of at most this many UTF-16 code units. */
  head(units: number): string {
    let [line, length] = [0, 0];
    while (line < this.lineCount && length <= units) length += this.#lines[line++]!.length + 1;
    return this.text(0, line).slice(0, units);
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

  apply({ range, text }: LineChange): void {
    this.#changes++;
    const [start, end] = range === undefined ? [] : [this.#unitsOf(range.start), this.#unitsOf(range.end)];
    this.#unitStarts = null;
    if (start === undefined || end === undefined) this.#replace(0, this.lineCount, text);
    else {
      const first = this.#lines[start.line]!.slice(0, start.character);
      const last = this.#lines[end.line]!.slice(end.character);
      this.#replace(start.line, end.line + 1, first + text + last);
    }
  }

  /** Replaces the lines in [from, to). Halves of characters become U+FFFD, as in the bytes that are judged. */
  #replace(from: number, to: number, text: string): void {
    const bytes = Buffer.from(text);
    const lines = bytes.toString().split('\n');
    this.#size += bytes.length + 1;
    for (const line of this.#lines.slice(from, to)) this.#size -= Buffer.byteLength(line) + 1;
    // Not by splice: the number of arguments of a call is limited.
    this.#lines = this.#lines.slice(0, from).concat(lines, this.#lines.slice(to));
    const unknown = lines.map(() => null);
    this.#known = this.#known.slice(0, from).concat(unknown, this.#known.slice(to));
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
    const text = this.#lines[index]!;
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
    const text = this.#lines[index]!;
    if (line > index) return { line: index, character: text.length };
    return { line: index, character: Math.min(unitsAt(text, character, this.encoding), text.length) };
  }

  #unitsBefore(): readonly number[] {
    if (this.#unitStarts !== null) return this.#unitStarts;
    let at = 0;
    this.#unitStarts = this.#lines.map((line) => {
      const start = at;
      at += line.length + 1;
      return start;
    });
    return this.#unitStarts;
  }
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
