/** Reports single payloads: their violations, with places and in slices, to the sink; the payload to the outlet. */

import type { NotedStatement } from '../../engine/compile/acceptor.ts';
import type { Examined } from '../../engine/judge/examine.ts';
import { type HiddenCounts, totalOf } from '../../engine/judge/fault.ts';
import { judged } from '../../engine/judge/judged.ts';
import { AjvFault, CallerFault, Interrupted, SourceError, TooCostly, wordsForInterrupt } from '../../errors.ts';
import { NO_FILLS, NO_REMOVALS } from '../../json/edits.ts';
import { LineTracker, type Place, type Places, type TextCounter } from '../../json/lines.ts';
import { foldIndices, patternsIn } from '../../json/pointer-pattern.ts';
import { LINE_FEED } from '../../json/skip.ts';
import { CODE_FRAMES, LISTED_VIOLATIONS } from '../../limits.ts';
import { environmentFault } from '../../source/system-errors.ts';
import type { Edit, Extra, Finding, InFile, Source, Span, Statement, ViolationPlace } from '../../types.ts';
import { showsText, type Wording } from '../../words/rule.ts';
import { levelOf } from '../../words/rule-levels.ts';
import type { CheckedPayload } from '../outlets/outlet.ts';
import type { PayloadFault, Sink } from '../outlets/sink.ts';
import { Budget, type CheckContext, comparesTwo, type Steps } from './flow.ts';
import {
  excerptOf,
  Fixes,
  type Framed,
  inFileOf,
  isOtherEncoding,
  lastShown,
  offsetsOf,
  type PayloadPlace,
  placeOf,
  readExcerpt,
  statementOf,
} from './violations.ts';

/** The place of a payload; `open`: it continues, but is too large for the window. */
export type CutSpan = Span & { readonly open: boolean };

/** The payload that is reported. */
export interface Subject {
  readonly index: number;
  /** Null if the violations belong to no payload. */
  readonly span: CutSpan | null;
  /** The beginning of its pointers. */
  readonly prefix: string;
}

/** A payload that is valid. */
type ValidSubject = Omit<Subject, 'span'> & { readonly span: Span };

/** The findings of a payload, with the data needed to report them. */
interface Shown {
  readonly findings: readonly Finding[];
  readonly place: PayloadPlace;
  readonly places: Places;
  /** The edits that fix each of them; null if no report shows the violations in the bytes of the file. */
  readonly fixes: readonly (readonly Edit[])[] | null;
}

type Claimant = Pick<PayloadPlace, 'payload' | 'kind' | 'prefix'>;

/** What an outlet gets of a payload, but for its place. */
type PassedPayload = Pick<CheckedPayload, 'index' | 'kind' | 'valid' | 'fills' | 'removals' | 'prefix'>;

const UNCHANGED = { fills: NO_FILLS, removals: NO_REMOVALS, prefix: '' };

/** The place of a value that is not reported. */
const NOWHERE: Place = { line: 0, column: 0 };

/** Whether a token of the pointer looks like an index. */
function mayHaveIndex({ pointer }: Pick<Finding, 'pointer'>): boolean {
  return /\/\d+(?:\/|$)/.test(pointer);
}

/** Violations that are reported between two flushes. */
const SLICE = 1000;

/** Owns the lines of one source, and what may still be shown of it. */
export class Reporting {
  /** Counts up to what was reported, or dropped from the window. */
  readonly lines: LineTracker;
  readonly #source: Source;
  readonly #flow: CheckContext;
  readonly #budget: Budget;
  readonly #settle: NonNullable<CheckContext['settle']>;
  /** The sorts of violations that were reported with a code frame, if only the first of each has one. */
  readonly #examples = new Set<string>();
  readonly #stated = new WeakSet<object>();
  /** Statements whose patterns are known. */
  readonly #folded = new WeakSet<object>();
  /** Violations of this source that may still be shown; null: all. */
  #shownLeft: number | null = null;
  /** Violations reported since the last flush, roughly: a window can have a million payloads of two bytes. */
  #waiting = 0;

  /** `counter`: of the acceptor for the source's kind; null: there is none. */
  constructor(source: Source, flow: CheckContext, counter: TextCounter | null) {
    const { window, options, settle } = flow;
    this.#settle = settle ?? ((examined) => (!comparesTwo(options) ? examined : this.#broken(examined)));
    this.lines = new LineTracker(window.base, counter);
    this.#source = source;
    this.#flow = flow;
    this.#budget = new Budget(options.budget);
  }

  /** From now on, only `most` violations are shown. The others are only counted. */
  showOnly(most: number): void {
    this.#shownLeft = most;
  }

  /** Only some violations of this source are shown. */
  get isLimited(): boolean {
    return this.#shownLeft !== null;
  }

  /** Violations are only counted: the reports show no more. */
  get countsOnly(): boolean {
    return this.#budget.reportable === 0;
  }

  get #sink(): Sink {
    return this.#flow.sink;
  }

  /** Reports a payload, many violations in slices. */
  *report(found: Examined, { index, span, prefix }: Subject): Steps<void> {
    const options = this.#flow.options;
    const examined = this.#settle(found, span);
    const { kind, fills, removals = NO_REMOVALS } = examined;
    const isCompared = span !== null && this.#isCompared(examined);
    if (examined.findings.length + examined.hidden.length === 0 && this.#flow.outlet === null) {
      if (isCompared) yield* this.#counted(this.#claimValid(kind, { index, span, prefix }), kind, true);
      this.#count(kind, true);
      if (this.#sink.isDue) yield this.#sink.flush();
      return;
    }
    const { findings: on, off, valid } = judged(examined, options);
    const unlisted = this.#unlisted(on.length, examined.hidden);
    const findings = this.#shown(this.#withoutHidden(on, [...off, ...examined.hidden]));
    const wants = this.#wantsExcerpts;
    const shows = (one: Finding): number => (wants ? lastShown(one, this.#flow.window) : one.span.start);
    const last = findings.reduce((most, one) => Math.max(most, shows(one)), -1);
    if (last >= 0 && wants) yield* readExcerpt(this.#flow.window, last);
    const { bytes, base } = this.#flow.window;
    const start = span?.start ?? findings[0]?.span.start;
    if (start !== undefined && (last >= 0 || isCompared)) this.lines.advance(bytes, base, base + start);
    const reject = span === null || valid ? null : (this.#flow.outlet?.rejects ?? null);
    const patterns = span === null || !findings.some(mayHaveIndex) ? null : patternsIn(bytes, span.start, span.end);
    const about = { file: this.#source.name, payload: index, kind, prefix, base, reject, rules: options.rules };
    const place = { ...about, patterns };
    // While payloads are repaired, that fixes what is no longer found.
    const left = options.outlet?.type === 'fill' ? ([NO_FILLS, NO_REMOVALS] as const) : ([fills, removals] as const);
    const wantsFixes = options.inFile === true && this.#flow.window.hasOwnBytes && this.#budget.left > 0;
    const fixer = wantsFixes ? new Fixes(findings, ...left) : null;
    const fixes = fixer && findings.map((finding) => fixer.of(finding));
    const places = this.lines.fork().places(bytes, base, offsetsOf(findings, base, fixes?.flat()));

    const shown = { findings, place, places, fixes };
    if (unlisted > 0) this.#sink.emit({ type: 'unlisted', payload: index, count: unlisted });
    const passed = { index, kind, valid, fills, removals, prefix };
    yield* this.#counted(this.#pass(shown, span, passed, isCompared), kind, valid);
    this.#count(kind, valid);
    this.#waiting += findings.length;
    if (this.#waiting >= SLICE || this.#sink.isDue) {
      yield this.#sink.flush();
      this.#waiting = 0;
    }
  }

  /** Counts a payload. */
  #count(kind: string | null, valid: boolean): void {
    this.#sink.emit({ type: 'payload', kind, valid });
  }

  /** Runs steps that report a payload: it is counted even if a signal ends them, since a part of it has been reported. */
  *#counted(steps: Steps<void>, kind: string | null, valid: boolean): Steps<void> {
    try {
      yield* steps;
    } catch (error) {
      if (error instanceof Interrupted) this.#count(kind, valid);
      throw error;
    }
  }

  /** Passes on a payload: its violations, its values, and itself. `span`: null if it is no payload. */
  *#pass(shown: Shown, span: CutSpan | null, passed: PassedPayload, isCompared: boolean): Steps<void> {
    yield* this.#violationsIn(shown);
    if (span === null) return;
    if (isCompared) yield* this.#claim(span, shown.place, passed.valid, shown.findings.length);
    for (const _ of this.#passToOutlet(span, passed) ?? []) yield this.#sink.flush();
  }

  /** Its values are compared with those of other payloads. */
  #isCompared({ kind, wellFormed, hasDuplicate }: Examined): boolean {
    return kind !== null && wellFormed && hasDuplicate !== true && this.#flow.relater?.wants(kind) === true;
  }

  /** Reports a payload that was accepted, and is counted. */
  *accepted(kind: string | null, subject: ValidSubject): Steps<void> {
    if (kind !== null && this.#flow.relater?.wants(kind) === true) yield* this.#claimValid(kind, subject);
    if (this.#sink.isDue) yield this.#sink.flush();
  }

  /** Passes on the values of a payload of which nothing else is reported. */
  *#claimValid(kind: string | null, { index, span, prefix }: ValidSubject): Steps<void> {
    const { bytes, base } = this.#flow.window;
    this.lines.advance(bytes, base, base + span.start);
    yield* this.#claim(span, { payload: index, kind, prefix }, true, 0);
  }

  /** The payload with its violations if it is broken, else without any. What is no payload is so by both schemas. */
  #broken(examined: Examined): Examined {
    const { outcome = 'invalid' } = examined;
    if (outcome === 'broken') return examined;
    if (outcome !== 'valid') this.#sink.emit({ type: 'compared', outcome });
    if (outcome === 'healed' && this.#flow.options.engine === 'ajv') return examined;
    return { ...examined, findings: [], hidden: [] };
  }

  /** Reports an invalid payload without its violations. */
  invalid(span: Span, index: number): void {
    this.#passToOutlet({ ...span, open: false }, { ...UNCHANGED, index, kind: null, valid: false });
    this.#count(null, false);
  }

  /** Reports a payload whose examination failed with `cause`. */
  fault(span: Span, index: number, cause: unknown): void {
    const line = this.lineOf(span);
    const words = wordsForFault(cause, this.#flow.options);
    const valid = comparesTwo(this.#flow.options);
    this.#passToOutlet({ ...span, open: false }, { ...UNCHANGED, index, kind: null, valid });
    this.#sink.emit({ type: 'fault', fault: { payload: index, line, ...words } });
  }

  /** Reports a payload that was examined when the run was interrupted. It is neither valid nor invalid for the outlet. */
  unfinished(span: Span, index: number, { cause }: Interrupted): void {
    const fault = { payload: index, line: this.lineOf(span), message: wordsForInterrupt(cause), stack: null };
    this.#sink.emit({ type: 'fault', fault });
  }

  /** The line in which a payload begins. The lines before it are not counted again. */
  lineOf({ start }: Span): number {
    const { bytes, base } = this.#flow.window;
    this.lines.advance(bytes, base, base + start);
    return this.lines.line;
  }

  /** Reports a violation on a line that is in the window. Returns whether the sink has to be flushed before others. */
  noted({ statement, again }: NotedStatement, place: ViolationPlace): boolean {
    if (mayHaveIndex(statement)) this.#addPattern(statement, place.offset);
    if (!this.#wantsExcerpts || !this.#addExample(statement))
      return this.#sink.violation(statement, place, null, again);
    const start = place.offset - this.#flow.window.base;
    const framed = { span: { start, end: start }, statement, column: place.column };
    const excerpt = excerptOf(framed, this.#flow.window, this.#flow.options.excerpts === 'near');
    this.#sink.violation(statement, place, { excerpt }, again);
    this.#waiting = (this.#waiting + 1) % SLICE;
    return this.#waiting === 0;
  }

  /** Of a statement about a payload on a line; `offset`: a place in it. Statements are passed again. */
  #addPattern(statement: Statement, offset: number): void {
    if (this.#folded.has(statement)) return;
    this.#folded.add(statement);
    const { bytes, base, end } = this.#flow.window;
    const at = offset - base;
    const lineEnd = bytes.indexOf(LINE_FEED, at);
    const [from, to] = [bytes.lastIndexOf(LINE_FEED, at) + 1, lineEnd < 0 ? end : lineEnd];
    const pattern = patternsIn(bytes, from, to)?.(statement.pointer) ?? null;
    if (pattern !== null) (statement as { pattern?: string }).pattern = pattern; // it is not reported yet
  }

  /** Gives the places of indexes in a payload, ascending. */
  placesFrom({ start }: Span): CheckedPayload['placeOf'] {
    let last: LineTracker | null = null;
    return (index) => {
      const { bytes, base } = this.#flow.window;
      this.lines.advance(bytes, base, base + start);
      last ??= this.lines.fork();
      return last.at(bytes, base, base + index);
    };
  }

  get #wantsExcerpts(): boolean {
    const { options } = this.#flow;
    return options.excerpts !== false && showsText(options) && this.#budget.left > 0;
  }

  /** The findings that may be shown. The others are only counted. */
  #shown(findings: readonly Finding[]): readonly Finding[] {
    if (this.#shownLeft === null) return findings;
    const count = Math.min(findings.length, this.#shownLeft);
    this.#shownLeft -= count;
    this.#hide(findings.slice(count));
    return findings.slice(0, count);
  }

  /** Passes a payload that was checked by itself to the outlet. Returns what the outlet does. */
  #passToOutlet({ start, end, open }: CutSpan, payload: PassedPayload): Iterable<void> | undefined {
    const span = { start, end };
    const { index, kind, valid, fills, removals, prefix } = payload;
    // Member by member: a copy by spread takes ten times as long.
    const passed = { index, kind, valid, fills, removals, prefix, span, open, placeOf: this.placesFrom(span) };
    return this.#flow.outlet?.payload(passed);
  }

  /** How many violations of a payload are not listed because there are too many; those of rules that are off are none. */
  #unlisted(findings: number, hidden: HiddenCounts): number {
    const on = totalOf(hidden.filter(([{ rule }]) => levelOf(rule, this.#flow.options.rules) !== 'off'));
    return this.countsOnly ? Math.max(0, findings + on - LISTED_VIOLATIONS) : on;
  }

  /** Passes on violations that are only counted. Returns the rest. */
  #withoutHidden(findings: readonly Finding[], hidden: HiddenCounts): readonly Finding[] {
    for (const [{ rule, fixable }, count] of hidden)
      this.#sink.emit({ type: 'hidden', rule, count, fixable: fixable ? count : 0 });
    if (findings.length === 0 || !this.countsOnly) return findings;
    this.#hide(findings);
    return [];
  }

  /** Only counts violations. */
  #hide(findings: readonly Finding[]): void {
    for (const { rule, fixable } of findings)
      this.#sink.emit({ type: 'hidden', rule, count: 1, fixable: Number(fixable) });
  }

  /** Reports the findings in slices: the texts of all violations of a payload could be larger than memory. */
  *#violationsIn({ findings, place, places, fixes }: Shown): Steps<void> {
    const { base } = this.#flow.window;
    for (const [i, finding] of findings.entries()) {
      if (i > 0 && i % SLICE === 0) yield this.#sink.flush();
      const at = placeOf(finding, place, places);
      const inFile = fixes === null ? null : inFileOf(finding, fixes[i]!, base, places);
      const statement = statementOf(finding, place, places);
      const extra = this.#extraOf(finding, { statement, column: at.column }, inFile);
      this.#sink.violation(statement, at, extra);
    }
    if (findings.length > SLICE) yield this.#sink.flush();
  }

  /** Null: no report shows more. */
  #extraOf(finding: Finding, framed: Pick<Framed, 'statement' | 'column'>, inFile: InFile | null): Extra | null {
    // Bytes of another encoding make no readable line.
    const isShown = this.#wantsExcerpts && !isOtherEncoding(finding) && this.#addExample(finding);
    if (!isShown && inFile === null) return null;
    const { window, options } = this.#flow;
    const excerpt = isShown ? excerptOf({ ...finding, ...framed }, window, options.excerpts === 'near') : null;
    return { excerpt, ...(inFile === null ? {} : { inFile }) };
  }

  /** Whether a code frame of the finding is shown, if it is wanted at all. Statements are passed again. */
  #addExample(found: Pick<Finding, 'rule' | 'schema' | 'pointer'>): boolean {
    if (this.#flow.options.examples !== true) return true;
    if (this.#stated.has(found)) return false;
    this.#stated.add(found);
    const { rule, schema, pointer } = found;
    const sort = JSON.stringify([rule, schema, foldIndices(pointer)]);
    if (this.#examples.has(sort) || this.#examples.size >= CODE_FRAMES) return false;
    this.#examples.add(sort);
    return true;
  }

  /** Passes on the values that are compared with those of other payloads, in slices: there may be millions. */
  *#claim(span: Span, { payload, kind, prefix }: Claimant, valid: boolean, listed: number): Steps<void> {
    const { bytes, base } = this.#flow.window;
    let lines = this.lines.fork();
    let counted = 0;
    let claims = 0;
    for (const one of this.#flow.relater!.values(kind!, bytes, span)) {
      if (++claims % SLICE === 0) yield this.#sink.flush();
      const { relation, role, hash, text, span: own } = one;
      // The values of the next check begin at the top again.
      if (own !== null && own.start < counted) lines = this.lines.fork();
      const start = own === null ? NOWHERE : lines.at(bytes, base, base + own.start);
      const end = own === null ? NOWHERE : lines.at(bytes, base, base + own.end);
      counted = own?.end ?? counted;
      const claim = {
        ...{ relation, role, hash, text, valid, listed, payload, kind },
        ...{ line: start.line, column: start.column, endLine: end.line, endColumn: end.column },
        offset: base + (own?.start ?? 0),
        pointer: prefix + one.pointer,
      };
      this.#sink.emit({ type: 'claim', claim });
    }
  }
}

/** Messages of errors can quote payload text. Without text, only the places in paylint's code remain. */
function wordsForFault(error: unknown, wording: Wording): Pick<PayloadFault, 'message' | 'stack'> {
  const isClause = error instanceof TooCostly || error instanceof AjvFault || error instanceof SourceError;
  const limit = isClause ? error.message : environmentFault(error);
  if (limit !== null) return { message: limit, stack: null };
  if (error instanceof CallerFault) return { message: error.messageFor(showsText(wording)), stack: null };
  const thrown = error instanceof Error ? error : new Error(String(error));
  const stack = thrown.stack ?? thrown.message;
  if (showsText(wording)) return { message: thrown.message, stack };
  const places = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { message: null, stack: places.join('\n') };
}
