/**
 * Violations that were noted from the bytes, as the reports take them: a table of numbers instead of objects. A report
 * writes them with a template of its own, or takes them as objects.
 */
import type { NotedEvent, NotedForm, NotedViolations, NotedWriter, Said, Violation } from '../types.ts';

/** Numbers of a row: the index of the content, and the place. */
export const NOTED_ROW = 6;

/** Index of each number of the place in the row. */
export const NOTED = { payload: 1, line: 2, column: 3, endColumn: 4, offset: 5 } as const;

/** A number of the place, as it is in the source. */
type Field = keyof typeof NOTED;

/** The text of a format for a violation: `head`, the numbers with the text after each, the content, `end`. */
export interface NotedTemplate {
  readonly head: (file: string) => string;
  readonly numbers: readonly (readonly [field: Field, after: string])[];
  readonly form: NotedForm;
  readonly end: string;
}

interface BytesWriter extends NotedWriter {
  readonly write: (event: NotedEvent) => Buffer;
}

/** Creates the writer for the violations of events, as UTF-8. `fixable`: called with the number of fixable ones. */
export function createNotedWriter(
  { head, numbers, form, end }: NotedTemplate,
  fixable: (count: number) => void = () => {},
): BytesWriter {
  const fields = numbers.map(([field]) => NOTED[field]);
  const afters = numbers.map(([, after]) => Buffer.from(after));
  const fixed = afters.reduce((sum, { length }) => sum + length + DIGITS, 0);
  let present: NotedViolations | null = null;
  let begin: Buffer = Buffer.alloc(0);
  let said: Buffer[] = [];
  const write = (event: NotedEvent): Buffer => {
    const { violations, from, to, payloads, lines } = event;
    fixable(fixableIn(event));
    if (violations !== present) {
      present = violations;
      begin = Buffer.from(head(violations.file));
      said = violations.texts[form]!.map((text) => Buffer.from(text + end)); // the report has requested this form
    }
    const { rows } = violations;
    let size = (to - from) * (begin.length + fixed);
    for (let row = from; row < to; row++) size += said[rows[row * NOTED_ROW]!]!.length;
    const bytes = Buffer.allocUnsafe(size);
    let at = 0;
    for (let row = from * NOTED_ROW; row < to * NOTED_ROW; row += NOTED_ROW) {
      at = put(bytes, at, begin);
      for (let i = 0; i < fields.length; i++) {
        const field = fields[i]!;
        const before = field === NOTED.payload ? payloads : field === NOTED.line ? lines : 0;
        at = putNumber(bytes, at, before + rows[row + field]!);
        at = put(bytes, at, afters[i]!);
      }
      at = put(bytes, at, said[rows[row]!]!);
    }
    return bytes.subarray(0, at);
  };
  return { form, write };
}

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
    bytes[i] = 0x30 + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}

/** The violations as objects, one after another. */
export function* violationsOf({ violations, from, to, payloads, lines }: NotedEvent): Generator<Violation> {
  const { file, rows } = violations;
  const said: Said[] = [];
  for (let row = from * NOTED_ROW; row < to * NOTED_ROW; row += NOTED_ROW) {
    const index = rows[row]!;
    said[index] ??= factsAt(violations, index);
    const line = lines + rows[row + NOTED.line]!;
    yield {
      file,
      payload: payloads + rows[row + NOTED.payload]!,
      line,
      column: rows[row + NOTED.column]!,
      endLine: line,
      endColumn: rows[row + NOTED.endColumn]!,
      offset: rows[row + NOTED.offset]!,
      ...said[index],
    } as Violation; // its rule and its facts are from one violation
  }
}

/** The content of a violation, from the form `facts`, which a report has requested. */
export function factsAt({ texts }: NotedViolations, index: number): Said {
  return JSON.parse(texts.facts![index]!) as Said; // our own text
}

/** How many of the violations are fixable. */
function fixableIn({ violations: { rows, fixable }, from, to }: NotedEvent): number {
  let count = 0;
  for (let row = from; row < to; row++) if (fixable[rows[row * NOTED_ROW]!]) count++;
  return count;
}
