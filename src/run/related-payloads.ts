/**
 * What payloads of a run have in common: values that must differ, and values that refer to others. Each distinct value is
 * remembered by a hash and the line of its first place. What may be wrong is kept in the order of the sources, and
 * reported after the last of them: until then, the events of the report wait here.
 */

import { entryOf, memoized } from '../json/on-demand.ts';
import { LISTED_AFTER_SIGNAL, LISTED_VIOLATIONS, VALUES_IN_MEMORY } from '../limits.ts';
import { EventLog } from '../log/event-log.ts';
import { eventOfTable, ViolationLog } from '../log/violation-table.ts';
import type { EventTaker } from '../report/report.ts';
import { type Io, Turns } from '../source/io.ts';
import { fileKey } from '../source/read-file.ts';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import type { Before, Relation, ReportEvent, Rule, Source, SourceCounts, Statement } from '../types.ts';
import { visible } from '../words/escape.ts';
import { levelOf, type RuleLevels } from '../words/rule-levels.ts';
import { linesIn, Spool } from '../write/spool.ts';
import { Budget, type Plan } from './check/flow.ts';
import type { Claim } from './outlets/sink.ts';
import { type SourceEnds, unlistedHint } from './source-ends.ts';
import { SpilledValues, type ValuePlace, ValueTable } from './value-table.ts';
import { type ClaimList, claimOfList, listOfClaim } from './workers/gather.ts';

/** Number of events, or of suspects, between two flushes. */
const EVENTS_AT_ONCE = 200;

/** A claim that may be a violation. */
interface Suspect {
  readonly claim: Claim;
  readonly file: number;
  /** Where the value is, too. Null: a value without room in memory, or a reference to one that has not come yet. */
  readonly first: ValuePlace | null;
}

/** Counts, and takes hints. */
type Ends = Pick<SourceEnds, 'counts' | 'hint'>;

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
  /** By device and inode. */
  readonly #firstNames = new Map<string, Source>();
  readonly #hint: SourceEnds['hint'];
  #isSettled = false;
  /** The suspects that are violations, and the next one of them; null: time for a turn. */
  #wrong: Iterator<Suspect | null> | undefined;
  #next: IteratorResult<Suspect | null> | undefined;
  /** How many more violations are listed. */
  #left = Number.POSITIVE_INFINITY;
  /** What could not be compared; null: nothing. */
  #fault: string | null = null;
  /** The first error of a report; null: there was none. */
  #error: unknown = null;
  /** Not all was reported, because of a signal or an error. */
  isCut = false;

  /** `hint`: tells of a file with a second name; `most`: distinct values that are in memory. */
  constructor(
    report: EventTaker,
    options: Pick<Plan, 'budget' | 'rules'>,
    relations: readonly Relation[],
    hint: SourceEnds['hint'],
    most = VALUES_IN_MEMORY,
  ) {
    this.#report = report;
    this.#hint = hint;
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
  replay(claims: readonly Uint8Array[], before: PartPlace, source: Source): void {
    for (const line of linesIn(claims)) this.take(claimOfList(JSON.parse(line) as ClaimList), before, source); // our own text
  }

  /** `before`: what comes before its part in the source. Sources come in their order. */
  take(claim: Claim, before: PartPlace, source: Source): void {
    const { role } = claim;
    const { name } = source;
    if (this.#isSecondName(source)) return;
    if (this.#files.at(-1) !== name) this.#files.push(name);
    const { hash } = claim;
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

  /** Whether the file was compared before, under another name, which a link gives. */
  readonly #isSecondName = memoized((source: Source): boolean => {
    const key = fileKey(source.path);
    const first = key === null ? source : entryOf(this.#firstNames, key, () => source);
    if (first !== source)
      this.#hint(source.name, `it is ${visible(first.name)} by another name: unique and references compare it once`);
    return first !== source;
  });

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
        const { hash } = claim;
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
   * is known which values there are. Returns what failed; null: nothing. Throws the errors of the reports, at the end.
   */
  async settle(ends: Ends, isWhole: boolean, io: Pick<Io, 'now' | 'interrupt'>): Promise<string | null> {
    if (this.#isSettled) return null;
    this.#isSettled = true;
    const pass = this.#passing(io);
    await pass();
    this.#wrong = this.#violations(isWhole && this.#fault === null);
    this.#next = this.#wrong.next();
    let count = 0;
    for (const event of this.#held.replay(() => this.#left <= 0)) {
      if (event.type === 'violations') this.#left -= event.to - event.from;
      if (event.type === 'source')
        this.#report.event({ ...event, source: await this.#reportSource(event.source, ends, pass) });
      else this.#report.event(event);
      if (event.type === 'violations' || ++count % EVENTS_AT_ONCE === 0) await pass();
    }
    const { error, isShortened } = this.#held;
    this.isCut ||= isShortened;
    this.close();
    if (this.#error !== null) throw this.#error;
    return error === null ? this.#fault : `the report cannot be kept in the temporary folder: ${wordsFor(error)}`;
  }

  /** Returns what passes the events on to the outputs, and takes a turn of the event loop: there may be millions of them. */
  #passing(io: Pick<Io, 'now' | 'interrupt'>): () => Promise<void> {
    const turns = new Turns(io);
    return async () => {
      if (turns.isDue) await turns.turn();
      try {
        if (this.#error === null) await this.#report.flush();
      } catch (error) {
        this.#error = error;
      }
      if (io.interrupt.aborted || this.#error !== null) this.#left = Math.min(this.#left, LISTED_AFTER_SIGNAL);
    };
  }

  /** The suspects that are violations; null, from time to time, if there are many others. */
  *#violations(knowsAll: boolean): Generator<Suspect | null> {
    let count = 0;
    try {
      for (const suspect of this.#readSuspects()) {
        if (++count % EVENTS_AT_ONCE === 0) yield null;
        const { hash } = suspect.claim;
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
      const [claim, file, first] = JSON.parse(line) as [ClaimList, number, ValuePlace | null]; // our own text
      yield { claim: claimOfList(claim), file, first };
    }
  }

  /** Reports the violations of a source. Returns its counts with them. */
  async #reportSource(source: SourceCounts, ends: Ends, pass: () => Promise<void>): Promise<SourceCounts> {
    const sums = new RelatedSums(source, ends);
    for (; this.#next?.done === false; this.#next = this.#wrong?.next()) {
      const suspect = this.#next.value;
      if (suspect !== null && this.#files[suspect.file] !== source.file) break;
      if (suspect === null || this.#log.length === EVENTS_AT_ONCE) await this.#reportLog(pass);
      if (this.#left <= 0) this.isCut = true;
      if (this.isCut) break;
      if (suspect !== null) this.#reportSuspect(suspect, sums);
    }
    await this.#reportLog(pass);
    return sums.end();
  }

  #reportSuspect(suspect: Suspect, sums: RelatedSums): void {
    const { claim } = suspect;
    const { file } = sums.source;
    if (sums.skipsOff(`check/${this.#relations[claim.relation]!.id}`, this.#options.rules)) return; // the claim was made for it
    const statement = this.#statementOf(suspect);
    const { rule, severity } = statement;
    const isListed = sums.add(claim, rule, severity === 'warning', this.#options.rules);
    if (isListed && this.#budget.reportable > 0) {
      this.#log.add(statement, { ...claim, file });
      this.#budget.take(1);
      this.#left--;
    } else this.#report.event({ type: 'hidden', file, rule, count: 1, fixable: 0 });
  }

  async #reportLog(pass: () => Promise<void>): Promise<void> {
    const table = this.#log.take();
    if (table !== null) this.#report.event(eventOfTable(table));
    await pass();
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

/** The counts of a source with what its payloads have in common with others. */
class RelatedSums {
  readonly source: SourceCounts;
  readonly #ends: Ends;
  #violations = 0;
  #warnings = 0;
  #invalid = 0;
  #unlisted = 0;
  /** The last payload, and the last that is invalid. */
  #payload = -1;
  #failed = -1;
  /** Of the last payload: violations that are listed, and others. */
  #listed = 0;
  #others = 0;

  constructor(source: SourceCounts, ends: Ends) {
    this.source = source;
    this.#ends = ends;
  }

  /** Counts a violation of a rule that is off, and returns true; false for any other. */
  skipsOff(rule: Rule, levels: RuleLevels): boolean {
    const isOff = levelOf(rule, levels) === 'off';
    if (isOff) this.#ends.counts.addViolations(rule, 1, levels);
    return isOff;
  }

  /** Returns true if the violation is listed: at most `LISTED_VIOLATIONS` of a payload are. */
  add({ payload, listed, valid, kind }: Claim, rule: Rule, isWarning: boolean, levels: RuleLevels): boolean {
    const { counts } = this.#ends;
    if (payload !== this.#payload) {
      this.#tellOthers();
      this.#payload = payload;
      this.#listed = listed;
    }
    counts.addViolations(rule, 1, levels);
    if (isWarning) this.#warnings++;
    else this.#violations++;
    if (!isWarning && payload !== this.#failed) {
      this.#failed = payload;
      if (valid) this.#invalid++;
      if (valid) counts.makeInvalid(kind);
    }
    if (this.#listed++ < LISTED_VIOLATIONS) return true;
    this.#others++;
    return false;
  }

  #tellOthers(): void {
    const count = this.#others;
    this.#others = 0;
    if (count === 0) return;
    this.#unlisted += count;
    this.#ends.counts.unlisted += count;
    this.#ends.hint(this.source.file, unlistedHint(this.#payload, count));
  }

  end(): SourceCounts {
    this.#tellOthers();
    const { valid, invalid, violations, warnings, unlisted = 0 } = this.source;
    const left = unlisted + this.#unlisted;
    return {
      ...this.source,
      valid: valid - this.#invalid,
      invalid: invalid + this.#invalid,
      violations: violations + this.#violations,
      warnings: warnings + this.#warnings,
      ...(left === 0 ? {} : { unlisted: left }),
    };
  }
}
