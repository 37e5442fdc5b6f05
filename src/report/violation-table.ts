/**
 * Reads violations from a table, as objects: a view for formats that need all of a violation, and for the library.
 */
import type {
  Before,
  Child,
  Excerpt,
  Extra,
  InFile,
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

/** Whether a statement says something about other places than that of its violation: then no two violations share it. */
export function hasPlaces({ rule, children, reject }: Statement): boolean {
  return rule === 'duplicate-member' || children !== undefined || reject !== undefined;
}

/** The event for all violations of a table. `before`: absent if they count from the beginning. */
export function eventOfTable(table: ViolationTable, before: Before = NOTHING_BEFORE): ViolationsEvent {
  return { type: 'violations', table, from: 0, to: table.rows.length / ROW, before };
}

const NOTHING_BEFORE: Before = { payloads: 0, lines: 0, rejects: 0 };

/** The violations of an event, one after another. */
export function* viewsOf({ table, from, to, before }: ViolationsEvent): Generator<Viewed> {
  const { file, rows, extras } = table;
  const { payloads, lines } = before;
  for (let row = from; row < to; row++) {
    const at = row * ROW;
    const index = rows[at]!;
    const place = {
      file,
      payload: payloads + rows[at + COLUMN.payload]!,
      line: lines + rows[at + COLUMN.line]!,
      column: rows[at + COLUMN.column]!,
      endLine: lines + rows[at + COLUMN.endLine]!,
      endColumn: rows[at + COLUMN.endColumn]!,
      offset: rows[at + COLUMN.offset]!,
    };
    const violation = violationAt(place, statementAt(table, index, before));
    yield { violation, index, ...extraAt(extras[row], lines) };
  }
}

/** The violation as an object: `place`, to which the statement is added. A spread takes several times as long on Node 20. */
export function violationAt(place: ViolationPlace, statement: Statement): Violation {
  return Object.assign(place, statement);
}

/** The violations themselves. */
export function* violationsOf(event: ViolationsEvent): Generator<Violation> {
  for (const { violation } of viewsOf(event)) yield violation;
}

/** A statement of a table in which all statements are kept, or this one. */
export function statementAt({ statements }: ViolationTable, index: number, before: Before): Statement {
  const statement = statements[index]!; // see above
  return hasPlaces(statement) ? moved(statement, before) : statement;
}

/** The violations for which `keep` returns true; null: there are none. */
export function filtered(
  event: ViolationsEvent,
  keep: (violation: Violation) => boolean,
): ViolationsEvent | null {
  const { table, from } = event;
  const kept: number[] = [];
  let row = from;
  for (const violation of violationsOf(event)) {
    if (keep(violation)) kept.push(row);
    row++;
  }
  if (kept.length === 0) return null;
  const rows = kept.flatMap((one) => Array.from(table.rows.slice(one * ROW, (one + 1) * ROW)));
  const extras = table.extras.length === 0 ? [] : kept.map((one) => table.extras[one]);
  return { ...event, table: { ...table, rows, extras }, from: 0, to: kept.length };
}

const NO_EXTRA: Extra = { excerpt: null };

/** `lines`: before the part. */
function extraAt(extra: Extra | null | undefined, lines: number): Extra {
  const inFile = extra?.inFile;
  if (inFile === undefined || lines === 0) return extra ?? NO_EXTRA;
  const insertions = inFile.insertions.map((one) => ({ ...one, line: one.line + lines }));
  return { ...extra!, inFile: { ...inFile, insertions } };
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
