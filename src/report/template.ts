/**
 * Writes violations with the template of a format: a text for each statement, and numbers for its place. There may be
 * millions, so the bytes of each text are made once, and copied.
 */
import type { Before, Severity, Statement, TextForm, ViolationsEvent, ViolationTable } from '../types.ts';
import { COLUMN, ROW, statementAt } from './violation-table.ts';

/** A number of the place, and the text after it. */
type Piece = readonly [column: keyof typeof COLUMN, after: string];

/** The text of a format for a violation: `head`, the numbers with the text after each, the statement, `end`. */
export interface Template {
  readonly head: (file: string, severity: Severity) => string;
  readonly numbers: readonly Piece[];
  /** The same for violations that end on another line; absent: as the others. */
  readonly severalLines?: readonly Piece[];
  /** The form of texts that tables have. */
  readonly form: TextForm;
  /** Makes the text of a statement for which the table has none. */
  readonly text: (statement: Statement, file: string) => string;
  readonly end: string;
}

/** Pieces as bytes. */
interface Numbers {
  readonly columns: readonly number[];
  readonly afters: readonly Buffer[];
}

/** Creates the function that writes the violations of an event, as UTF-8 if they are many. */
export function createTemplateWriter(template: Template): (event: ViolationsEvent) => string | Buffer {
  const { head, end } = template;
  const usual = numbersOf(template.numbers);
  const several = numbersOf(template.severalLines ?? template.numbers);
  const most = Math.max(sizeOf(usual), sizeOf(several));
  let present: ViolationTable | null = null;
  let heads: Buffer[] = [];
  let texts: Buffer[] = [];
  return (event) => {
    const { table, from, to, before } = event;
    const { file, rows, severities } = table;
    if (table !== present) {
      present = table;
      heads = severities.map((severity) => Buffer.from(head(file, severity)));
      texts = textsOf(table, template, before).map((text) => Buffer.from(text + end));
    }
    let size = (to - from) * most;
    for (let row = from; row < to; row++)
      size += heads[rows[row * ROW]!]!.length + texts[rows[row * ROW]!]!.length;
    const bytes = Buffer.allocUnsafe(size);
    const shifts = shiftsBy(before);
    let at = 0;
    for (let row = from * ROW; row < to * ROW; row += ROW) {
      const index = rows[row]!;
      at = put(bytes, at, heads[index]!);
      const isOnOneLine = rows[row + COLUMN.line] === rows[row + COLUMN.endLine];
      const { columns, afters } = isOnOneLine ? usual : several;
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i]!;
        at = putNumber(bytes, at, rows[row + column]! + shifts[column]!);
        at = put(bytes, at, afters[i]!);
      }
      at = put(bytes, at, texts[index]!);
    }
    // Short texts are written together with others.
    return at < FEW ? bytes.toString('utf8', 0, at) : bytes.subarray(0, at);
  };
}

function textsOf(table: ViolationTable, { form, text }: Template, before: Before): readonly string[] {
  const { texts, rules, file } = table;
  const known = texts[form];
  return rules.map((_, index) => known?.[index] ?? text(statementAt(table, index, before), file));
}

/** By column, what to add to its numbers, which count from the beginning of a part. */
function shiftsBy({ payloads, lines }: Before): number[] {
  const shifts = new Array<number>(ROW).fill(0);
  shifts[COLUMN.payload] = payloads;
  shifts[COLUMN.line] = lines;
  shifts[COLUMN.endLine] = lines;
  return shifts;
}

function numbersOf(pieces: readonly Piece[]): Numbers {
  return {
    columns: pieces.map(([column]) => COLUMN[column]),
    afters: pieces.map(([, after]) => Buffer.from(after)),
  };
}

/** Most bytes of the numbers and the texts after them. */
function sizeOf({ afters }: Numbers): number {
  return afters.reduce((sum, { length }) => sum + length + DIGITS, 0);
}

/** In bytes. */
const FEW = 1 << 14;

/** Most bytes of a number. */
const DIGITS = 20;
/** In bytes. A shorter text is copied faster byte by byte. */
const SHORT = 24;

/** Returns the index after the copy. */
function put(bytes: Uint8Array, at: number, text: Uint8Array): number {
  const { length } = text;
  if (length > SHORT) bytes.set(text, at);
  else for (let i = 0; i < length; i++) bytes[at + i] = text[i]!;
  return at + length;
}

/** Writes an integer that is not negative, in decimal. Returns the index after it. */
function putNumber(bytes: Uint8Array, at: number, number: number): number {
  let end = at + 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) end++;
  let rest = number;
  for (let i = end - 1; i >= at; i--) {
    const tenth = Math.floor(rest / 10);
    bytes[i] = 0x30 + (rest - 10 * tenth); // the sum of the first two may not be exact
    rest = tenth;
  }
  return end;
}
