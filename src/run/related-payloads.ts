/**
 * What payloads of a run have in common: values that must differ, and values that refer to others. Each distinct value is
 * remembered by a hash and the line of its first place. What may be wrong is kept in the order of the sources, and
 * reported after the last of them: until then, the events of the report wait here.
 */
import type { EventTaker } from '../report/report.ts';
import { eventOfTable, ViolationLog } from '../report/violation-table.ts';
import type { Turns } from '../source/io.ts';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import type { Before, Relation, ReportEvent, SourceCounts, Statement } from '../types.ts';
import { visible } from '../words/escape.ts';
import { linesIn, Spool } from '../write/spool.ts';
import { Budget, type Claim, levelOf, type Plan } from './check/flow.ts';
import type { Counts } from './counts.ts';
import { EventLog } from './event-log.ts';
import { SpilledValues, type ValuePlace, ValueTable, wordsOf } from './value-table.ts';
import { claimOfList, listOfClaim } from './workers/gather.ts';

/** Distinct values that are in memory, in 900 MB. */
const MOST_VALUES = 20_000_000;

/** Number of events between two flushes. */
const AT_ONCE = 1000;

/** A claim that may be a violation. */
interface Suspect {
  readonly claim: Claim;
  /** Its number. */
  readonly file: number;
  /** Where the value is, too. Null: a value without room in memory, or a reference to one that has not come yet. */
  readonly first: ValuePlace | null;
}

/** What comes before a part in its source. */
type PartPlace = Pick<Before, 'payloads' | 'lines'>;

export class RelatedPayloads implements EventTaker {
  readonly #report: EventTaker;
  readonly #options: Pick<Plan, 'budget' | 'rules'>;
  readonly #relations: readonly Relation[];
  readonly #values: ValueTable;
  /** Their names, by number. */
  readonly #files: string[] = [];
  /** Values without room in the table. */
  readonly #spilled = new SpilledValues();
  #hasSpilled = false;
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

  /** `most`: distinct values that are in memory. */
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

  /** The claims of a part that another thread has checked. */
  replay(claims: readonly Uint8Array[], before: PartPlace, file: string): void {
    for (const line of linesIn(claims)) this.take(claimOfList(JSON.parse(line) as unknown[]), before, file); // our own text
  }

  /** `before`: what comes before its part in the source. Sources come in their order. */
  take(claim: Claim, before: PartPlace, file: string): void {
    const { role } = claim;
    if (this.#files.at(-1) !== file) this.#files.push(file);
    const hash = wordsOf(claim.hash);
    const known = this.#values.find(hash);
    const place = { file: this.#files.length - 1, line: claim.line + before.lines };
    const isAdded = known === null && role !== 'reference' && this.#values.add(hash, place);
    if (isAdded || (known !== null && role !== 'unique')) return;
    const { payload, line, endLine } = claim;
    const { payloads, lines } = before;
    const placed = { ...claim, payload: payload + payloads, line: line + lines, endLine: endLine + lines };
    try {
      if (this.#fault !== null) return;
      if (role === 'target') this.#spilled.add({ hash, role, place });
      else this.#suspects.write(Buffer.from(`${JSON.stringify([listOfClaim(placed), place.file, known])}\n`));
      this.#hasSpilled ||= known === null && role !== 'reference';
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Throws errors that are not of the file system. */
  #failed(error: unknown): void {
    if (codeOf(error) === null) throw error;
    this.#fault ??= `what payloads have in common cannot be kept in the temporary folder: ${wordsFor(error)}`;
  }

  /** After the last source: compares the values that had no room in memory. Throws Interrupted. */
  async compare(turns: Turns): Promise<void> {
    if (!this.#hasSpilled || this.#fault !== null) return;
    try {
      for (const { claim, file, first } of this.#readSuspects()) {
        const hash = wordsOf(claim.hash);
        if (first === null && this.#values.find(hash) === null)
          this.#spilled.add({ hash, role: claim.role, place: { file, line: claim.line } });
        if (turns.isDue) await turns.take();
      }
      await this.#spilled.compare(turns);
    } catch (error) {
      this.#failed(error);
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
      else this.#report.event({ ...event, source: await this.#reportSource(event.source, counts) });
      if (++count % AT_ONCE === 0) await this.#report.flush();
    }
    const { error } = this.#held;
    this.close();
    return error === null ? this.#fault : `the report cannot be kept in the temporary folder: ${wordsFor(error)}`;
  }

  /** The suspects that are violations. */
  *#violations(knowsAll: boolean): Generator<Suspect> {
    try {
      for (const suspect of this.#readSuspects()) {
        const hash = wordsOf(suspect.claim.hash);
        const first = suspect.first ?? this.#values.find(hash) ?? this.#spilled.next(hash);
        const isUnique = suspect.claim.role === 'unique';
        if (isUnique ? first !== null : knowsAll && first === null) yield { ...suspect, first };
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  *#readSuspects(): Generator<Suspect> {
    for (const line of linesIn(this.#suspects.read())) {
      const [claim, file, first] = JSON.parse(line) as [unknown[], number, ValuePlace | null]; // our own text
      yield { claim: claimOfList(claim), file, first };
    }
  }

  /** Reports the violations of a source. Returns its counts with them. */
  async #reportSource(source: SourceCounts, counts: Counts): Promise<SourceCounts> {
    let { valid, invalid, violations, warnings } = source;
    let failed = -1;
    const { file } = source;
    for (
      ;
      this.#next?.done === false && this.#files[this.#next.value.file] === file;
      this.#next = this.#wrong?.next()
    ) {
      const { claim } = this.#next.value;
      const statement = this.#statementOf(this.#next.value);
      const { rule, severity } = statement;
      if (this.#budget.hidesAfter(0)) this.#report.event({ type: 'hidden', file, rule, count: 1, fixable: 0 });
      else {
        this.#log.add(statement, { ...claim, file });
        this.#budget.take(1);
      }
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

  #statementOf({ claim: { relation, kind, pointer, text }, first: place }: Suspect): Statement {
    const first = place && { file: this.#files[place.file]!, line: place.line };
    const { id, to, message } = this.#relations[relation]!; // the claim was made for it
    const rule = `check/${id}` as const;
    const value = text ?? 'this value';
    const where = to === null ? '' : `at ${visible(to.at)} of any ${visible(to.kind ?? 'payload')}`;
    const sentence =
      first === null ? `${value} is not ${where}` : `${value} is also at ${visible(first.file)}:${first.line}`;
    const params = first === null ? { to: to! } : { first }; // only references have none
    return {
      ...{ kind, pointer, rule, message: sentence, params },
      ...{ severity: levelOf(rule, this.#options.rules) === 'warning' ? 'warning' : 'error' },
      ...{ schema: null, fixable: false },
      ...(message === null ? {} : { authorMessage: message }),
    };
  }

  /** Frees memory and temporary files. Never throws. */
  close(): void {
    this.#suspects.close();
    this.#spilled.close();
    this.#held.clear();
  }
}
