/**
 * The lines of an NDJSON report. Most violations of a large report say the same about different places, so the text after
 * the place is parsed, and checked, only if no line before had it. That works for lines laid out as `ndjson` writes
 * them; every other line is parsed.
 */
import type {
  Failure,
  FilledPlace,
  SourceCounts,
  Statement,
  Summary,
  Violation,
  ViolationPlace,
} from '../types.ts';
import { violationAt } from './violation-table.ts';

/** A line of a report that fits the schema. */
export type ReportLine =
  | ({ readonly type: 'violation' } & Violation)
  | ({ readonly type: 'fill' } & FilledPlace)
  | ({ readonly type: 'failure' } & Failure)
  | ({ readonly type: 'source' } & SourceCounts)
  | ({ readonly type: 'summary' } & Summary);

export type LineOf<Type extends ReportLine['type']> = Extract<ReportLine, { readonly type: Type }>;

/** A line of a violation in its parts. */
export interface ViolationLine {
  readonly type: 'violation';
  readonly place: ViolationPlace;
  readonly statement: Statement;
  /** An earlier line had the same object as its statement. */
  readonly again: boolean;
}

/** Most statements that are kept, and the longest of them, in code units. */
const MOST = 10_000;
const LONGEST = 2000;

const COUNT = '(0|[1-9]\\d{0,14})';
const POSITION = '([1-9]\\d{0,14})';

/** What comes before `kind`. */
const PLACE = new RegExp(
  `^\\{"type":"violation","file":("(?:[^"\\\\]|\\\\.)*"),"payload":${COUNT},"line":${POSITION},"column":${POSITION},` +
    `"endLine":${POSITION},"endColumn":${POSITION},"offset":${COUNT},(?="kind":)`,
);

/** Takes the lines of one report, or of one source, in their order. */
export class ReportLines {
  /** The file of the latest violation, and how its line writes it. */
  #file = { text: '', name: '' };
  /** By the text of the line after the place. */
  readonly #statements = new Map<string, Statement>();

  /** The violation on a line of which only the place is new; null: parse it, check it, and give it to `add`. */
  find(text: string): ViolationLine | null {
    const match = PLACE.exec(text);
    if (match === null || match[1] !== this.#file.text) return null;
    const statement = this.#statements.get(text.slice(match[0].length));
    if (statement === undefined) return null;
    const place = {
      file: this.#file.name,
      payload: Number(match[2]),
      line: Number(match[3]),
      column: Number(match[4]),
      endLine: Number(match[5]),
      endColumn: Number(match[6]),
      offset: Number(match[7]),
    };
    return { type: 'violation', place, statement, again: true };
  }

  /** The parts of a correct violation, which was parsed from `text`. */
  add(text: string, parsed: LineOf<'violation'>): ViolationLine {
    const { type, file, payload, line, column, endLine, endColumn, offset, ...statement } = parsed;
    const match = PLACE.exec(text);
    if (match !== null) {
      this.#file = { text: match[1]!, name: file }; // the expression has the group
      const rest = text.slice(match[0].length);
      if (rest.length <= LONGEST && this.#statements.size < MOST) this.#statements.set(rest, statement);
    }
    const place = { file, payload, line, column, endLine, endColumn, offset };
    return { type, place, statement, again: false };
  }

  /** A line that was checked before. */
  read(text: string): Exclude<ReportLine, { type: 'violation' }> | ViolationLine {
    const known = this.find(text);
    if (known !== null) return known;
    const line = JSON.parse(text) as ReportLine; // it was checked
    return line.type === 'violation' ? this.add(text, line) : line;
  }
}

/** The violation as it was on its line. */
export function lineOf({ type, place, statement }: ViolationLine): LineOf<'violation'> {
  return Object.assign(violationAt(place, statement), { type });
}
