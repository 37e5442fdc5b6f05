/**
 * NDJSON reports of any number of runs, as the report of one run: failures first, then source after source in the order of their
 * names, and the sum of all counts. The lines are kept in a spool, so memory holds only the place of each source in it. With
 * `--redact`, it has no payload text: of a violation it keeps the place, the rule and the facts from the schema.
 */
import { firstClause, RULES } from '../keywords/rules.ts';
import { eventOfTable, ViolationLog } from '../log/violation-table.ts';
import type { ChangeEvent, Child, KindCounts, ReportEvent, Statement, Summary } from '../types.ts';
import { notChecked } from '../words/own-rules.ts';
import { linesIn, Spool } from '../write/spool.ts';
import { type ReportLine, ReportLines } from './report-lines.ts';
import { addKind, byName, NAMED_UNREAD, sumOfEffects } from './summary.ts';

/** The lines of one source, in the spool. */
interface SourceLines {
  readonly file: string;
  readonly from: number;
  to: number;
  /** Violations that are listed, and those that are only counted. */
  listed: number;
  hidden: number;
  /** Its counts are there; false: it is what kept the search from finding it. */
  isSource: boolean;
}

const LINE_FEED = Buffer.from('\n');

const EVENTS_AT_ONCE = 1000;

export class MergedReport {
  readonly #spool = new Spool();
  #size = 0;
  readonly #groups: SourceLines[] = [];
  /** The current source; null between two. */
  #group: SourceLines | null = null;
  readonly #listed = new Map<string, number>();
  summary: Summary = EMPTY_SUMMARY;

  /** True if the current report has ended with its summary, or there is none. */
  isComplete = true;

  /** True if `--check` found something to fill in or to remove. */
  failsCheck = false;

  /** Takes the next line of a report: `bytes` are its text, without the line feed. Throws what the file system throws. */
  add(line: ReportLine, bytes: Uint8Array): void {
    this.isComplete = line.type === 'summary';
    if (line.type === 'summary') {
      this.summary = sumOf(this.summary, line);
      this.#group = null;
    } else this.#keep(line, bytes);
  }

  #keep(line: Exclude<ReportLine, { type: 'summary' }>, bytes: Uint8Array): void {
    if (this.#group?.file !== line.file) {
      this.#group = { file: line.file, from: this.#size, to: this.#size, listed: 0, hidden: 0, isSource: false };
      this.#groups.push(this.#group);
    }
    if (line.type === 'violation') {
      this.#listed.set(line.rule, (this.#listed.get(line.rule) ?? 0) + 1);
      this.#group.listed++;
    }
    if (line.type === 'source') this.#group.hidden = line.violations + line.warnings - this.#group.listed;
    this.#spool.write(Buffer.concat([bytes, LINE_FEED]));
    this.#size += bytes.length + 1;
    this.#group.to = this.#size;
    if (line.type !== 'source') return;
    this.#group.isSource = true;
    this.#group = null;
    this.failsCheck ||= line.wouldFill === 'check' || line.wouldPrune === 'check';
  }

  /** False if the totals are too large for numbers to be exact. */
  get isCountable(): boolean {
    const { sources, payloads, violations, warnings, failures, known = 0 } = this.summary;
    return Number.isSafeInteger(sources + payloads + violations + warnings + failures + known);
  }

  /** A source whose report counts violations that it does not list; null: there is none. */
  get cut(): { readonly file: string; readonly hidden: number } | null {
    return this.#groups.find(({ hidden }) => hidden > 0) ?? null;
  }

  /** All events, the summary last. Throws what the file system throws. */
  *events(): Generator<ReportEvent> {
    for (const group of this.#groups) if (!group.isSource) yield* this.#eventsOf(group);
    for (const group of inByteOrder(this.#groups)) if (group.isSource) yield* this.#eventsOf(group);
    yield* this.#hidden();
    yield { type: 'summary', summary: this.summary };
  }

  /** Violations of capped reports that are only counted: their number is known by file and by rule, not by both. */
  *#hidden(): Generator<ReportEvent> {
    const files = this.#groups.map(({ file, hidden }) => ({ file, left: hidden }));
    let at = 0;
    for (const [rule, count] of Object.entries(this.summary.rules)) {
      for (let left = count - (this.#listed.get(rule) ?? 0); left > 0 && at < files.length; ) {
        const present = files[at]!; // the loop condition guarantees it
        const taken = Math.min(left, present.left);
        if (taken > 0) yield { type: 'hidden', file: present.file, rule, count: taken, fixable: 0 };
        left -= taken;
        present.left -= taken;
        if (present.left <= 0) at++;
      }
    }
  }

  *#eventsOf({ from, to }: SourceLines): Generator<ReportEvent> {
    const patterns = { fill: new Map<string, number>(), prune: new Map<string, number>() };
    const log = new ViolationLog();
    const lines = new ReportLines();
    for (const text of linesIn(this.#spool.range(from, to))) {
      const line = lines.read(text);
      if (line.type === 'violation') {
        log.add(line.statement, line.place, null, line.again);
        if (log.length === EVENTS_AT_ONCE) yield* violationsIn(log);
        continue;
      }
      yield* violationsIn(log);
      if (line.type === 'fill' || line.type === 'prune') {
        const { type, ...change } = line;
        const pattern = line.pointer.replace(/\/\d+(?=\/|$)/g, '/*');
        patterns[type].set(pattern, (patterns[type].get(pattern) ?? 0) + 1);
        yield { type, [type]: change } as ChangeEvent; // of that type
      } else if (line.type === 'failure') {
        const { type, ...failure } = line;
        yield { type, failure };
      } else if (line.type === 'source') {
        const { type, ...source } = line;
        yield (source.filled ?? source.pruned) === undefined ? { type, source } : { type, source, patterns };
      }
    }
    yield* violationsIn(log);
  }

  /** Frees what is kept. */
  close(): void {
    this.#spool.close();
  }
}

function* violationsIn(log: ViolationLog): Generator<ReportEvent> {
  const table = log.take();
  if (table !== null) yield eventOfTable(table);
}

const EMPTY_SUMMARY: Summary = {
  ...{ sources: 0, payloads: 0, valid: 0, invalid: 0, violations: 0, warnings: 0, failures: 0 },
  ...{ kinds: {}, rules: {}, elapsedMs: 0 },
};

/** The numbers of a summary, some of which it may leave out. */
type CountName = { [Name in keyof Summary]-?: Summary[Name] extends number | undefined ? Name : never }[keyof Summary];

/** Members in the order of every summary, names in alphabetical order. */
function sumOf(a: Summary, b: Summary): Summary {
  const kinds = new Map<string, KindCounts>();
  for (const one of [a, b]) for (const [kind, counts] of Object.entries(one.kinds)) addKind(kinds, kind, counts);
  const rules = new Map(Object.entries(a.rules));
  for (const [rule, count] of Object.entries(b.rules)) rules.set(rule, (rules.get(rule) ?? 0) + count);
  const sums = (...names: CountName[]): Partial<Summary> => {
    const there = names.filter((name) => (a[name] ?? b[name]) !== undefined);
    return Object.fromEntries(there.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
  };
  return {
    ...sums('sources', 'payloads', 'valid', 'invalid', 'violations', 'warnings', 'failures'),
    ...sums('unlisted', 'off', 'arrays', 'fillable', 'empty'),
    ...unreadIn(a.unread, b.unread),
    kinds: Object.fromEntries([...kinds].sort(byName)),
    rules: Object.fromEntries([...rules].sort(byName)),
    ...sums('elapsedMs'),
    ...outcomes(a.compare, b.compare),
    ...(a.interrupted || b.interrupted ? { interrupted: true } : {}),
    ...sums('known', 'knownPayloads'),
    ...((a.config ?? b.config) && { config: sumOfEffects([...(a.config ?? []), ...(b.config ?? [])]) }),
  } as Summary; // one has the counts that every summary has
}

/** The first names in the order of the sources. */
function unreadIn(a: Summary['unread'], b: Summary['unread']): Pick<Summary, 'unread'> {
  if (a === undefined || b === undefined) return (a ?? b) === undefined ? {} : { unread: (a ?? b)! };
  const files = [...a.files, ...b.files].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return { unread: { sources: a.sources + b.sources, files: files.slice(0, NAMED_UNREAD) } };
}

function outcomes(a: Summary['compare'], b: Summary['compare']): Pick<Summary, 'compare'> {
  if (a === undefined || b === undefined) return (a ?? b) === undefined ? {} : { compare: (a ?? b)! };
  const [broken, healed] = [a.broken + b.broken, a.healed + b.healed];
  const failed = (a.failed ?? 0) + (b.failed ?? 0);
  const all = { ...a, broken, healed, invalid: a.invalid + b.invalid, valid: a.valid + b.valid };
  return { compare: failed === 0 ? all : { ...all, failed } };
}

/** By UTF-8 bytes, as the sources of one run; those of the same name stay in the order of their reports. */
function inByteOrder(groups: readonly SourceLines[]): SourceLines[] {
  return groups
    .map((group) => ({ group, bytes: Buffer.from(group.file) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ group }) => group);
}

/** The event without payload text, with the general messages of rules. Pointers and names of files stay. */
export function redacted(event: ReportEvent): ReportEvent {
  switch (event.type) {
    case 'violations': {
      const { table } = event;
      const statements = table.statements.map(redactedStatement);
      return { ...event, table: { ...table, statements, extras: [] } };
    }
    case 'failure': {
      // The reason why a payload could not be checked may quote it.
      const { payload, line = 0 } = event.failure;
      if (payload === undefined) return event;
      return { ...event, failure: { ...event.failure, message: notChecked(payload, line) } };
    }
    case 'prune': {
      const { value: _, written: __, ...prune } = event.prune;
      return { ...event, prune };
    }
    default:
      return event;
  }
}

function redactedStatement<S extends Statement | Child>(statement: S): S {
  // What an author says may quote a payload.
  const { children, authorMessage: _, misspelt: __, reason: ___, ...facts } = statement;
  const { rule } = statement;
  const isCheck = rule.startsWith('check/');
  const known = RULES.get(rule);
  const clause = firstClause(known?.text.meaning ?? `The schema's ${rule} does not hold.`);
  return {
    ...(facts as S),
    message: isCheck ? redactedCheck(statement) : clause.slice(0, 1).toLowerCase() + clause.slice(1),
    ...(isCheck || known === undefined || known.hidesText ? { params: {} } : {}), // params with text may be absent
    ...(children === undefined ? {} : { children: children.map(redactedStatement) }),
  };
}

/** The message of a check is that of the config, unless it has params. */
function redactedCheck({ rule, message, params }: Statement | Child): string {
  if (rule.endsWith('/evaluation')) return 'the check cannot be evaluated';
  return Object.keys(params).length === 0 ? message : 'the check does not hold';
}
