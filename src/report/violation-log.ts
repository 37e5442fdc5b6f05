/**
 * Collects violations as a table: numbers for their places, and each statement once.
 */
import type {
  Extra,
  Rule,
  Severity,
  Statement,
  StatementTexts,
  TextForm,
  ViolationPlace,
  ViolationTable,
} from '../types.ts';
import { hasPlaces, ROW } from './violation-table.ts';

const FIRST_ROWS = 16;

/** The size of a statement without its texts, in characters. */
const BARE = 500;

/** The texts of a statement. */
interface Known {
  /** In the forms of the log; null: it has places. */
  readonly texts: readonly string[] | null;
  readonly size: number;
  /** The table in which it has `index`. */
  table: number;
  index: number;
}

export class ViolationLog {
  readonly #forms: readonly TextForm[];
  readonly #makers: readonly StatementTexts['make'][];
  /** Statements are kept, and not only their texts. */
  readonly #keeps: boolean;
  /** Of statements that are passed again. */
  readonly #known = new Map<Statement, Known>();
  /** Number of the table. */
  #table = 0;
  #file = '';
  #rows = new Float64Array(FIRST_ROWS * ROW);
  #length = 0;
  #weight = 0;
  #rules: Rule[] = [];
  #severities: Severity[] = [];
  #fixable: boolean[] = [];
  #statements: (Statement | null)[] = [];
  /** By form. */
  #texts: (string | null)[][];
  #extras: (Extra | null)[] = [];

  /** `texts`: those that the reports need; `keeps`: they need the statements, too. */
  constructor(texts: readonly StatementTexts[], keeps: boolean) {
    this.#forms = texts.map(({ form }) => form);
    this.#makers = texts.map(({ make }) => make);
    this.#keeps = keeps;
    this.#texts = texts.map(() => []);
  }

  /** Number of violations since the last `take`. */
  get length(): number {
    return this.#length;
  }

  /** How much memory they take when they are written, in bytes, roughly. */
  get weight(): number {
    return this.#weight;
  }

  /**
   * All violations between two calls of `take` are in the same file. `again`: the same object may be passed for later
   * violations.
   */
  add(statement: Statement, place: ViolationPlace, extra: Extra | null = null, again = false): void {
    let known = again ? this.#known.get(statement) : undefined;
    if (known === undefined) {
      known = this.#textsOf(statement);
      if (again) this.#known.set(statement, known);
    }
    if (known.table !== this.#table) this.#addStatement(statement, known);
    if (extra !== null) this.#addExtra(extra);
    const at = this.#length * ROW;
    if (at === this.#rows.length) {
      const larger = new Float64Array(2 * at);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    const rows = this.#rows;
    rows[at] = known.index;
    rows[at + 1] = place.payload;
    rows[at + 2] = place.line;
    rows[at + 3] = place.column;
    rows[at + 4] = place.endLine;
    rows[at + 5] = place.endColumn;
    rows[at + 6] = place.offset;
    this.#file = place.file;
    this.#weight += known.size;
    this.#length++;
  }

  /** Returns the violations, and begins again. Null: there are none. */
  take(): ViolationTable | null {
    if (this.#length === 0) return null;
    const taken = {
      file: this.#file,
      rows: this.#rows.slice(0, this.#length * ROW),
      rules: this.#rules,
      severities: this.#severities,
      fixable: this.#fixable,
      statements: this.#statements,
      texts: Object.fromEntries(this.#forms.map((form, i) => [form, this.#texts[i]])),
      extras: this.#extras,
      weight: this.#weight,
    };
    this.#table++;
    this.#length = 0;
    this.#weight = 0;
    this.#rules = [];
    this.#severities = [];
    this.#fixable = [];
    this.#statements = [];
    this.#texts = this.#forms.map(() => []);
    this.#extras = [];
    return taken;
  }

  #textsOf(statement: Statement): Known {
    const isAlone = hasPlaces(statement);
    const texts = isAlone ? null : this.#makers.map((make) => make(statement));
    const object = isAlone || this.#keeps ? BARE + statement.pointer.length + statement.message.length : 0;
    const size = (texts ?? []).reduce(
      (sum, { length }) => sum + length,
      object + ROW * Float64Array.BYTES_PER_ELEMENT,
    );
    return { texts, size, table: -1, index: 0 };
  }

  #addStatement(statement: Statement, known: Known): void {
    const { rule, severity, fixable } = statement;
    const { texts } = known;
    for (const [i, list] of this.#texts.entries()) list.push(texts === null ? null : texts[i]!);
    this.#statements.push(texts === null || this.#keeps ? statement : null);
    this.#severities.push(severity);
    this.#fixable.push(fixable);
    known.index = this.#rules.push(rule) - 1;
    known.table = this.#table;
  }

  #addExtra(extra: Extra): void {
    const { excerpt, inFile } = extra;
    this.#extras[this.#length] = extra;
    this.#weight += excerpt?.text.length ?? 0;
    for (const { text } of inFile?.insertions ?? []) this.#weight += BARE + text.length;
  }
}
