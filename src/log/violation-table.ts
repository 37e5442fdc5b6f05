/**
 * Violations as a table: numbers for their places, and each statement once. `ViolationLog` collects them; they are read as
 * objects by formats that need all of a violation, and by the library.
 */
import type {
  Before,
  Child,
  Excerpt,
  Extra,
  InFile,
  Mutable,
  PrunedPlace,
  Rule,
  SaidText,
  Statement,
  Violation,
  ViolationPlace,
  ViolationsEvent,
  ViolationTable,
} from '../types.ts';

/** Numbers of a row: the index of the statement, and the place. */
export const ROW = 7;

/** Index of each number of the place in the row. */
export const COLUMN = { payload: 1, line: 2, column: 3, endLine: 4, endColumn: 5, offset: 6 } as const;

/** A violation of a table, with what only some reports show. */
export interface Viewed {
  readonly violation: Violation;
  /** The index of its statement in the table. */
  readonly index: number;
  readonly excerpt: Excerpt | null;
  readonly inFile?: InFile;
}

/** The event for all violations of a table. `before`: absent if they count from the beginning. */
export function eventOfTable(table: ViolationTable, before: Before = NOTHING_BEFORE): ViolationsEvent {
  return { type: 'violations', table, from: 0, to: table.rows.length / ROW, before };
}

const NOTHING_BEFORE: Before = { payloads: 0, lines: 0, rejects: 0 };

/** The violations of an event, one after another. */
export function* viewsOf({ table, from, to, before }: ViolationsEvent): Generator<Viewed> {
  for (let row = from; row < to; row++) {
    const { place, index } = placeAt(table, row, before);
    const violation = violationAt(place, statementAt(table, index, before));
    yield { violation, index, ...extraAt(table.extras[row], before.lines) };
  }
}

/** Where a violation of a table is, and the index of its statement. */
export function placeAt(
  { file, rows }: ViolationTable,
  row: number,
  { payloads, lines }: Before,
): { readonly place: ViolationPlace; readonly index: number } {
  const at = row * ROW;
  const place = {
    file,
    payload: payloads + rows[at + COLUMN.payload]!,
    line: lines + rows[at + COLUMN.line]!,
    column: rows[at + COLUMN.column]!,
    endLine: lines + rows[at + COLUMN.endLine]!,
    endColumn: rows[at + COLUMN.endColumn]!,
    offset: rows[at + COLUMN.offset]!,
  };
  return { place, index: rows[at]! };
}

/**
 * Adds what only some violations have. Property by property, as all that is done for each violation: on Node 20, a copy by
 * spread or `Object.assign` takes many times as long.
 */
export function withHints<To extends Mutable<Partial<SaidText>>>(to: To, from: Partial<SaidText>): To {
  const { fix, suggestion, misspelt, reason, authorMessage } = from;
  if (fix !== undefined) to.fix = fix;
  if (suggestion !== undefined) to.suggestion = suggestion;
  if (misspelt !== undefined) to.misspelt = misspelt;
  if (reason !== undefined) to.reason = reason;
  if (authorMessage !== undefined) to.authorMessage = authorMessage;
  return to;
}

/** The violation as an object. */
export function violationAt(place: ViolationPlace, statement: Statement): Violation {
  const { pattern, reject, children } = statement;
  const violation = {
    file: place.file,
    payload: place.payload,
    line: place.line,
    column: place.column,
    endLine: place.endLine,
    endColumn: place.endColumn,
    offset: place.offset,
    kind: statement.kind,
    severity: statement.severity,
    pointer: statement.pointer,
    rule: statement.rule,
    message: statement.message,
    params: statement.params,
    schema: statement.schema,
    fixable: statement.fixable,
  } as Mutable<Violation>; // the params match the rule
  withHints(violation, statement);
  if (pattern !== undefined) violation.pattern = pattern;
  if (reject !== undefined) violation.reject = reject;
  if (children !== undefined) violation.children = children;
  return violation;
}

export function* violationsOf(event: ViolationsEvent): Generator<Violation> {
  for (const { violation } of viewsOf(event)) yield violation;
}

export function statementAt({ statements }: ViolationTable, index: number, before: Before): Statement {
  const statement = statements[index]!; // all have one
  const { rule, children, reject } = statement;
  // If it says something about other places than that of its violation, no two violations share it.
  const hasPlaces = rule === 'duplicate-member' || children !== undefined || reject !== undefined;
  return hasPlaces ? moved(statement, before) : statement;
}

/** Violations of a rule that are only counted, and how many of them are fixable. */
export interface HiddenCount {
  readonly rule: Rule;
  count: number;
  fixable: number;
}

/** The counts of the violations with indexes in [from, to), by statement. */
export function* countsIn(table: ViolationTable, from: number, to: number): Generator<HiddenCount> {
  const { rows, statements } = table;
  const counts = new Float64Array(statements.length);
  for (let row = from; row < to; row++) counts[rows[row * ROW]!]!++;
  for (const [i, { rule, fixable }] of statements.entries()) {
    const count = counts[i]!;
    if (count > 0) yield { rule, count, fixable: fixable ? count : 0 };
  }
}

/** The violations for which `keep` returns true; null: there are none. */
export function filtered(event: ViolationsEvent, keep: (violation: Violation) => boolean): ViolationsEvent | null {
  const { table, from } = event;
  const remaining: number[] = [];
  let row = from;
  for (const violation of violationsOf(event)) {
    if (keep(violation)) remaining.push(row);
    row++;
  }
  if (remaining.length === 0) return null;
  const rows = remaining.flatMap((one) => Array.from(table.rows.slice(one * ROW, (one + 1) * ROW)));
  const extras = table.extras.length === 0 ? [] : remaining.map((one) => table.extras[one]);
  return { ...event, table: { ...table, rows, extras }, from: 0, to: remaining.length };
}

const NO_EXTRA: Extra = { excerpt: null };

/** `lines`: before the part. */
function extraAt(extra: Extra | null | undefined, lines: number): Extra {
  const inFile = extra?.inFile;
  if (inFile === undefined || lines === 0) return extra ?? NO_EXTRA;
  const edits = inFile.edits.map((one) => ({ ...one, line: one.line + lines, endLine: one.endLine + lines }));
  return { ...extra!, inFile: { ...inFile, edits } };
}

/** The statement with its places counted from the beginning of the source, and of the run. */
function moved(statement: Statement, { lines, rejects }: Before): Statement {
  const { children, reject } = statement;
  const all = {
    ...statement,
    ...(reject === undefined ? {} : { reject: reject + rejects }),
    ...(children === undefined ? {} : { children: children.map((child) => movedChild(child, lines)) }),
  };
  if (all.rule !== 'duplicate-member') return all;
  const { first } = all.params;
  return { ...all, params: { first: { ...first, line: first.line + lines } } };
}

/** The same for what is listed below it. */
function movedChild(child: Child, lines: number): Child {
  const { line, endLine, children } = child;
  const inside = children === undefined ? {} : { children: children.map((one) => movedChild(one, lines)) };
  return { ...child, line: line + lines, endLine: endLine + lines, ...inside };
}

const ROWS_OF_A_NEW_LOG = 16;

/** The size of a statement without its texts, in characters. */
const BARE = 500;

/** How much memory a statement takes when it is written, in bytes, roughly. */
function sizeOf({ pointer, message, params }: Statement): number {
  let size = BARE + ROW * Float64Array.BYTES_PER_ELEMENT + pointer.length + message.length;
  for (const list of Object.values(params)) if (Array.isArray(list)) size += sizeOfList(list);
  return size;
}

/** The lists of a schema, which statements share: they can be long. */
const SIZES = new WeakMap<readonly unknown[], number>();

function sizeOfList(list: readonly unknown[]): number {
  const size = SIZES.get(list) ?? JSON.stringify(list).length;
  SIZES.set(list, size);
  return size;
}

interface KnownStatement {
  readonly size: number;
  /** The table in which it has `index`. */
  table: number;
  index: number;
}

/** Collects violations as a table. */
export class ViolationLog {
  /** Of statements that are passed again. */
  readonly #known = new Map<Statement, KnownStatement>();
  /** Number of the table. */
  #table = 0;
  #file = '';
  #rows = new Float64Array(ROWS_OF_A_NEW_LOG * ROW);
  /** Number of violations since the last `take`. */
  length = 0;
  /** How much memory they take when they are written, in bytes, roughly. */
  weight = 0;
  #statements: Statement[] = [];
  #extras: (Extra | null)[] = [];

  /** Until `take`, all are in the same file. `again`: the same statement may be passed for later violations. */
  add(statement: Statement, place: ViolationPlace, extra: Extra | null = null, again = false): void {
    let known = again ? this.#known.get(statement) : undefined;
    if (known === undefined) {
      known = { size: sizeOf(statement), table: -1, index: 0 };
      if (again) this.#known.set(statement, known);
    }
    if (known.table !== this.#table) {
      known.index = this.#statements.push(statement) - 1;
      known.table = this.#table;
    }
    if (extra !== null) this.#addExtra(extra);
    const at = this.length * ROW;
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
    this.weight += known.size;
    this.length++;
  }

  /** Returns the violations, and begins again. Null: there are none. */
  take(): ViolationTable | null {
    if (this.length === 0) return null;
    const taken = {
      file: this.#file,
      rows: this.#rows.slice(0, this.length * ROW),
      statements: this.#statements,
      extras: this.#extras,
      weight: this.weight,
    };
    this.#table++;
    this.length = 0;
    this.weight = 0;
    this.#statements = [];
    this.#extras = [];
    return taken;
  }

  #addExtra(extra: Extra): void {
    const { excerpt, inFile } = extra;
    this.#extras[this.length] = extra;
    this.weight += excerpt?.text.length ?? 0;
    for (const { text } of excerpt?.below ?? []) this.weight += text.length;
    for (const { text } of inFile?.edits ?? []) this.weight += BARE + text.length;
  }
}

/** The sentence of the rule; after what the author of the schema says, if anything. */
export function messageText({ message, authorMessage }: Pick<Child, 'message' | 'authorMessage'>): string {
  return authorMessage === undefined ? message : `${authorMessage} (${message})`;
}

/** The texts of a removed member, in characters: a payload can make them long. */
export function weightOfRemoved({ pointer, value }: PrunedPlace): number {
  return pointer.length + (value === undefined ? 0 : JSON.stringify(value).length);
}
