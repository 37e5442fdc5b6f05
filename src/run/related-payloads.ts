/**
 * What payloads of a run have in common: values that must differ, and values that refer to others. Each distinct value is
 * remembered by a hash and the line of its first place. What may be wrong is kept in the order of the sources, and
 * reported after the last of them: until then, the events of the report wait here.
 */
import type { EventTaker } from '../report/report.ts';
import { eventOfTable, ViolationLog } from '../report/violation-table.ts';
import type { Relation, ReportEvent, SourceCounts, Statement } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number } from '../words/number-text.ts';
import { linesIn, Spool } from '../write/spool.ts';
import { Budget, type Claim, levelOf, type Plan } from './check/flow.ts';
import type { Counts } from './counts.ts';
import { EventLog } from './event-log.ts';
import { ValueTable } from './value-table.ts';

/** Distinct values that are remembered, in 900 MB. */
const MOST_VALUES = 20_000_000;

/** Number of events between two flushes. */
const AT_ONCE = 1000;

/** A claim that may be a violation. */
interface Suspect {
  readonly claim: Claim;
  readonly file: string;
  /** Where the value is, too; null: it is a reference to a value that has not come yet. */
  readonly first: { readonly file: string; readonly line: number } | null;
}

export class RelatedPayloads implements EventTaker {
  readonly #report: EventTaker;
  readonly #options: Pick<Plan, 'budget' | 'rules'>;
  readonly #relations: readonly Relation[];
  readonly #values: ValueTable;
  readonly #suspects = new Spool();
  readonly #held = new EventLog();
  readonly #budget: Budget;
  readonly #log = new ViolationLog();
  #isSettled = false;
  /** The suspects that are violations, and the next one of them. */
  #wrong: Iterator<Suspect> | undefined;
  #next: IteratorResult<Suspect> | undefined;
  /** What could not be compared; null: nothing. */
  #fault: string | null = null;

  /** `most`: distinct values that are remembered. */
  constructor(
    report: EventTaker,
    options: Pick<Plan, 'budget' | 'rules'>,
    relations: readonly Relation[],
    most = MOST_VALUES,
  ) {
    this.#report = report;
    this.#options = options;
    this.#relations = relations;
    this.#values = new ValueTable(most);
    this.#budget = new Budget(options.budget);
  }

  event(event: ReportEvent): void {
    if (this.#isSettled) this.#report.event(event);
    else this.#held.add(event);
  }

  async flush(): Promise<void> {
    if (this.#isSettled) await this.#report.flush();
  }

  /** `before`: what comes before its part in the source. Sources come in their order. */
  take(claim: Claim, before: { readonly payloads: number; readonly lines: number }, file: string): void {
    const { role, hash } = claim;
    const known = this.#values.find(hash);
    if (known === null && role !== 'reference') {
      if (!this.#values.add(hash, file, claim.line + before.lines))
        this.#fault ??= `more than ${number(this.#values.most)} different values are compared, and the rest is not`;
    } else if (known === null || role === 'unique') {
      const { payload, line, endLine } = claim;
      const { payloads, lines } = before;
      const placed = { ...claim, payload: payload + payloads, line: line + lines, endLine: endLine + lines };
      this.#suspect({ claim: placed, file, first: role === 'unique' ? known : null });
    }
  }

  #suspect(suspect: Suspect): void {
    try {
      if (this.#fault === null) this.#suspects.write(Buffer.from(`${JSON.stringify(suspect)}\n`));
    } catch (error) {
      this.#fault = `what payloads have in common cannot be kept in the temporary folder: ${String(error)}`;
    }
  }

  /**
   * Reports all events, each source with what its payloads have in common with others. `isWhole`: all sources were read, so it
   * is known which values there are. Returns what failed; null: nothing.
   */
  async settle(counts: Counts, isWhole: boolean): Promise<string | null> {
    if (this.#isSettled) return null;
    this.#isSettled = true;
    this.#wrong = this.#violations(isWhole && this.#fault === null);
    this.#next = this.#wrong.next();
    let count = 0;
    for (const event of this.#held.replay()) {
      if (event.type !== 'source') this.#report.event(event);
      else this.#report.event({ ...event, source: await this.#tell(event.source, counts) });
      if (++count % AT_ONCE === 0) await this.#report.flush();
    }
    const { error } = this.#held;
    this.close();
    return error === null
      ? this.#fault
      : `the report cannot be kept in the temporary folder: ${String(error)}`;
  }

  /** The suspects that are violations. */
  *#violations(knowsAll: boolean): Generator<Suspect> {
    for (const line of linesIn(this.#suspects.read())) {
      const suspect = JSON.parse(line) as Suspect; // our own text
      const isWrong = suspect.first !== null || (knowsAll && this.#values.find(suspect.claim.hash) === null);
      if (isWrong) yield suspect;
    }
  }

  /** Reports the violations of a source. Returns its counts with them. */
  async #tell(source: SourceCounts, counts: Counts): Promise<SourceCounts> {
    let { valid, invalid, violations, warnings } = source;
    let failed = -1;
    const { file } = source;
    for (; this.#next?.done === false && this.#next.value.file === file; this.#next = this.#wrong?.next()) {
      const { claim } = this.#next.value;
      const { rule, severity } = this.#tellOne(this.#next.value);
      counts.addViolations(rule, 1, this.#options.rules);
      if (severity === 'warning') warnings++;
      else violations++;
      if (this.#log.length === AT_ONCE) await this.#reportLog();
      if (severity === 'warning' || claim.payload === failed) continue;
      failed = claim.payload;
      if (!claim.valid) continue;
      counts.isInvalid(claim.kind);
      valid--;
      invalid++;
    }
    await this.#reportLog();
    return { ...source, valid, invalid, violations, warnings };
  }

  async #reportLog(): Promise<void> {
    const table = this.#log.take();
    if (table === null) return;
    this.#report.event(eventOfTable(table));
    await this.#report.flush();
  }

  #tellOne(suspect: Suspect): Statement {
    const { claim, file } = suspect;
    const statement = this.#statementOf(suspect);
    if (this.#budget.hidesAfter(0))
      this.#report.event({ type: 'hidden', file, rule: statement.rule, count: 1, fixable: 0 });
    else {
      this.#log.add(statement, { ...claim, file });
      this.#budget.take(1);
    }
    return statement;
  }

  #statementOf({ claim: { relation, kind, pointer, text }, first }: Suspect): Statement {
    const { id, to, message } = this.#relations[relation]!; // the claim was made for it
    const rule = `check/${id}` as const;
    const value = text ?? 'this value';
    const where = to === null ? '' : `at ${visible(to.at)} of any ${visible(to.kind ?? 'payload')}`;
    const sentence =
      first === null
        ? `${value} is not ${where}`
        : `${value} is also at ${visible(first.file)}:${first.line}`;
    const params = first === null ? { to: to! } : { first }; // only references have none
    return {
      ...{ kind, pointer, rule, message: sentence, params },
      ...{ severity: levelOf(rule, this.#options.rules) === 'warning' ? 'warning' : 'error' },
      ...{ schema: null, fixable: false },
      ...(message === null ? {} : { authorMessage: message }),
    };
  }

  close(): void {
    this.#suspects.close();
    this.#held.clear();
  }
}
