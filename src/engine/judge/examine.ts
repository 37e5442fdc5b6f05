/**
 * The full check of one payload, which has the last word: encoding, syntax, depth, duplicate names, numbers, its kind,
 * and the kind's schema. Finds every violation. It does not depend on lines and files.
 */
import { isAscii } from 'node:buffer';
import { EndlessDefaults, isStackOverflow } from '../../errors.ts';
import { exactValue } from '../../json/decimal.ts';
import {
  type FillTable,
  insertedBefore,
  NO_FILLS,
  type Pruned,
  type Removals,
  withoutRemoved,
} from '../../json/edits.ts';
import { memoized, once } from '../../json/on-demand.ts';
import { escapeToken } from '../../json/pointer.ts';
import { scanInto } from '../../json/scan.ts';
import { nestsDeeper } from '../../json/skip.ts';
import type { SyntaxFault } from '../../json/syntax-cause.ts';
import { firstInvalidUtf8 } from '../../json/utf8.ts';
import { bytesLeft } from '../../json/value.ts';
import { JUDGED_LEVELS } from '../../limits.ts';
import type { Kind } from '../../schema/set.ts';
import type { ExamineSettings, Finding, Hidden, Outcome, Span } from '../../types.ts';
import type { PayloadEnd } from '../../words/syntax.ts';
import type { Acceptor } from '../compile/acceptor.ts';
import { Author } from './author.ts';
import { Explainer } from './explainer.ts';
import { countsOf, type HiddenCounts, type Logged } from './fault.ts';
import { FaultLog } from './fault-log.ts';
import type { JudgedKind, JudgedKinds } from './judged-kinds.ts';
import {
  builtin,
  encodingFinding,
  findingsOf,
  kindChange,
  ScanFindings,
  syntaxFinding,
  UNSAFE,
  unsafeFinding,
} from './payload-findings.ts';
import { judgesNumber } from './schema-findings.ts';
import type { Site } from './sites.ts';
import { unknownKind } from './unknown-kind.ts';
import { type Walked, walkedIn } from './walk.ts';

export interface PayloadBytes {
  readonly bytes: Buffer;
  /** Of the payload, as indexes into `bytes`. */
  readonly span: Span;
  /** Offset in the source of `bytes[0]`. */
  readonly base: number;
  /** The cause of the end of the span, for the message of a syntax error there. */
  readonly ending: PayloadEnd;
  /** True for an element of a top-level array. */
  readonly isElement?: boolean;
  /** Bytes up to here may be read to name the cause of a syntax error; absent: up to the end of the span. */
  readonly lookTo?: number;
  /** The reader in whose memory the bytes are, at the same indexes; absent: they are in none. */
  readonly reader?: Acceptor;
  /** Index of the payload in its source, or in the part of it that is checked, and its line there; absent: not known. */
  readonly place?: () => { readonly payload: number; readonly line: number };
}

export interface Examined {
  /** Null if the payload is of no kind, or malformed, so that its kind is not known. */
  readonly kind: string | null;
  /** In the order of their places; for a valid payload there are none. Spans are indexes into the bytes examined. */
  readonly findings: readonly Finding[];
  /** Violations that are only counted: all, or those beyond `LISTED_VIOLATIONS`. */
  readonly hidden: HiddenCounts;
  /** The insertions, if defaults are filled in, or if only reports need them. */
  readonly fills: FillTable;
  /** What is removed, if payloads are pruned, or if only reports need it; absent: nothing. */
  readonly removals?: Removals;
  /** Two members of an object have the same name. Absent: none have. */
  readonly hasDuplicate?: boolean;
  /** False if the bytes are not a JSON text: then the end of the payload is a guess. */
  readonly wellFormed: boolean;
  /** What another schema says as well; absent: no other was asked. */
  readonly outcome?: Outcome;
}

/** A payload without duplicate names, as it is. */
interface PlainPayload {
  readonly kind: Kind;
  readonly value: () => unknown;
  /** It is not parsed yet, and nothing is wrong with it. */
  readonly isUnread: boolean;
  readonly bytes: Buffer;
  readonly span: Span;
}

/** Finds what checks say of payloads. */
interface PayloadChecker {
  /** Throws TooCostly. */
  findings(payload: PlainPayload): readonly Finding[];
}

export interface ExamineOptions extends Omit<ExamineSettings, 'checks' | 'covers' | 'maxBytes' | 'relations'> {
  readonly checker?: PayloadChecker;
  /** Payloads are judged as they are, but reports show what `fill` would insert. Absent: they do not. */
  readonly fixing?: Filling;
  /** Payloads are judged without what their schemas do not allow. Absent: as they are. */
  readonly pruning?: Pruning;
  /** Payloads are judged as they are, but reports show what `prune` would remove. Absent: they do not. */
  readonly removing?: Pruning;
}

export interface Filling {
  /** Fills `value`, of the given kind, in place. Throws EndlessDefaults. */
  fill(kind: JudgedKind, value: unknown, walked: Walked): void;
  /** The edits that make `before`, the value in `bytes[span)`, into `after`; in the order of their places. */
  edits(bytes: Buffer, span: Span, before: unknown, after: unknown): FillTable;
}

export interface Pruning {
  /** Takes out of `value`, of the given kind, what its schema does not allow. Null: nothing. Throws TooCostly. */
  prune(kind: JudgedKind, value: unknown, walked: Walked): Pruned | null;
  /** The bytes that go from `bytes[span)` with what was taken out; `value` is what is left. */
  edits(bytes: Buffer, span: Span, value: unknown, pruned: Pruned): Removals;
}

/** Deeper values of a caller are written as text, and examined. */
const WRITTEN_LEVELS = 100;

/** A value without a text has the steps that are free for every payload. */
const NO_SIZE: Walked = { size: 0 };

const NO_HIDDEN: HiddenCounts = [];
const NO_ERRORS: Logged = { faults: [], unlisted: [] };
const REMARK = 'deprecated';

const NOTHING_SCANNED = new ScanFindings();
const NOTHING_WRONG = { findings: [], hidden: NO_HIDDEN };
const WELL_FORMED = { fills: NO_FILLS, wellFormed: true } as const;
const UNKNOWN_KIND: HiddenCounts = [[{ rule: 'unknown-kind', fixable: false }, 1]];

/** The violations of a payload by the schema of its kind, and remarks; null: none. */
type Judgement = (Logged & { readonly isValid: boolean }) | null;

interface FilledJudgement {
  readonly errors: Judgement;
  readonly value: unknown;
  readonly fills: FillTable;
  /** The payload is valid as it is, but not with its defaults. */
  readonly isUnsafe: boolean;
  /** Findings about the whole payload, and those of checks. */
  readonly whole: readonly Finding[];
}

interface KnownPayload {
  readonly scanned: ScanFindings;
  readonly value: unknown;
  readonly text: string;
  /** The kind was given, so the tests do not matter. */
  readonly isForced: boolean;
  /** What was taken out of the value; absent: nothing. */
  readonly pruned?: PrunedPayload;
}

interface PrunedPayload {
  /** What is left. */
  readonly value: unknown;
  readonly removals: Removals;
  readonly isValid: boolean;
}

/** A judgement of a payload as `fill` and `prune` leave it. */
interface Repaired extends FilledJudgement {
  /** The value without the defaults: checks are about it. */
  readonly subject: unknown;
  readonly removals?: Removals;
}

const NOT_FILLED = { errors: null, fills: NO_FILLS, isUnsafe: false, whole: [] };

export class Examiner {
  readonly #kinds: JudgedKinds;
  /** The same, without what judges them. */
  readonly #plainKinds: readonly Kind[];
  readonly #options: ExamineOptions;
  readonly #filling: Filling | null;
  readonly #explainer = once(() => new Explainer(this.#kinds));
  /** `--max-depth` allows more levels than `JUDGED_LEVELS`, and a schema is applied to all levels. */
  readonly #recurses: boolean;

  /** With `filling`, payloads are checked with their defaults filled in. */
  constructor(kinds: JudgedKinds, options: ExamineOptions, filling: Filling | null = null) {
    this.#filling = filling;
    this.#kinds = kinds;
    this.#plainKinds = kinds.all.map(({ kind }) => kind);
    this.#options = options;
    const { maxDepth } = options;
    this.#recurses = maxDepth > JUDGED_LEVELS && kinds.isRecursive;
  }

  /**
   * `givenKind`: the kind that was given; null to detect it. `countsOnly`: violations may only be counted, if that is less
   * work. If a payload overflows the stack of this thread, it is reported as too deep.
   */
  examine(payload: PayloadBytes, givenKind: string | null, countsOnly = false): Examined {
    return this.tryExamine(payload, givenKind, countsOnly) ?? malformed(tooDeepForSchema(payload.span));
  }

  /** The same; null if the payload overflows the stack of this thread: a thread with a larger stack can check it. */
  tryExamine(payload: PayloadBytes, givenKind: string | null, countsOnly: boolean): Examined | null {
    try {
      return this.#examine(payload, givenKind, countsOnly);
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
      return null;
    }
  }

  /** The kind of a valid value that JSON.stringify writes as it is; null: its text must be examined. Throws anything. */
  kindOfValid(value: unknown, givenKind: string | null, limits: ExamineSettings): string | null {
    if (this.#checksOnly || this.#filling !== null) return null;
    const levels = Math.min(limits.maxDepth, WRITTEN_LEVELS);
    if ('toJSON' in Object.prototype || bytesLeft(value, levels, limits.maxBytes) < 0) return null;
    const kind = this.#kindOf(value, givenKind, NO_SIZE);
    return kind !== null && this.#kinds.judge.judge(kind.step, value, NO_SIZE) ? kind.kind.name : null;
  }

  #examine(payload: PayloadBytes, givenKind: string | null, countsOnly: boolean): Examined {
    const { bytes, span } = payload;
    const { start, end } = span;
    const { reader } = payload;
    if (this.#checksOnly && reader?.read(payload, span) === 'valid')
      return this.#examineAccepted(payload, reader.takeKind(), countsOnly);
    const invalid = firstInvalidUtf8(bytes, start, end);
    if (invalid >= 0) return malformed(encodingFinding(payload, invalid, this.#options));
    const scanned = new ScanFindings();
    const isPlain = reader?.isPlain(start, end) === true;
    const fault = isPlain ? null : scanInto(bytes, span, this.#options.maxDepth, scanned);
    if (fault?.type === 'depth') {
      const { at, pointer } = fault;
      const limit = this.#options.maxDepth;
      const place = { start: at, end: at + 1 };
      return malformed(builtin('nested-too-deep', { limit }, place, { params: { limit }, pointer }));
    }
    if (fault?.type === 'syntax') return malformed(this.#syntaxFinding(payload, fault, givenKind));
    if (this.#options.syntaxOnly) return this.#wellFormed(payload, givenKind);
    if (this.#recurses && end - start >= 2 * JUDGED_LEVELS && nestsDeeper(bytes, span, JUDGED_LEVELS))
      return malformed(tooDeepForSchema(span));
    const text = textOf(bytes.subarray(start, end));
    const value = exactValue(text);
    const kind = this.#kindOf(value, givenKind, walkedIn(payload.span));
    if (kind === null) return this.#ofNoKind(payload, value, scanned, countsOnly);
    // With a duplicate name, it is not known which of the two objects must be filled.
    const ambiguous = scanned.hasDuplicate;
    const known = { scanned, value, text, isForced: givenKind !== null };
    const judged = this.#repaired(kind, payload, known);
    const plain = { kind: kind.kind, value: () => judged.subject, isUnread: false, bytes, span };
    const checked = ambiguous ? [] : (this.#options.checker?.findings(plain) ?? []);
    const whole = checked.length === 0 ? judged.whole : [...judged.whole, ...checked];
    const left = judged.removals === undefined ? scanned : scanned.without(judged.removals);
    const found = this.#withAuthor(this.#found(payload, { ...judged, whole }, left, countsOnly), kind, text);
    const { fixing } = this.#options;
    const fills =
      fixing === undefined || ambiguous || countsOnly || !hasFixable(judged.errors)
        ? judged.fills
        : this.#judgeFilled(kind, payload, known, fixing).fills;
    const removals = judged.removals ?? this.#shownRemovals(kind, payload, known, countsOnly || isValid(judged.errors));
    const removed = removals === undefined ? {} : { removals };
    const named = ambiguous ? { hasDuplicate: true } : {};
    return { kind: kind.kind.name, ...found, ...named, fills, ...removed, wellFormed: true };
  }

  /** The payload judged as it is, or as `fill` and `prune` leave it. */
  #repaired(kind: JudgedKind, payload: PayloadBytes, known: KnownPayload): Repaired {
    const pruning = known.scanned.hasDuplicate ? undefined : this.#options.pruning;
    const asItIs = ({ value }: { readonly value: unknown }): Repaired => {
      return { ...this.#judged(kind, payload, { ...known, value }), subject: value };
    };
    const filled = pruning === undefined || this.#filling !== null ? asItIs(known) : null;
    // A payload that only lacks defaults keeps its members.
    if (filled !== null && (pruning === undefined || (filled.whole.length === 0 && isValid(filled.errors))))
      return filled;
    const value = filled === null ? known.value : exactValue(known.text);
    const pruned = this.#pruned(kind, payload, { ...known, value }, pruning!); // else it was filled
    if (pruned === null) return filled ?? asItIs(known);
    if ('unsafe' in pruned) {
      const judged = filled ?? asItIs({ value: exactValue(known.text) });
      return { ...judged, whole: [...judged.whole, ...pruned.unsafe] };
    }
    const scanned = known.scanned.without(pruned.removals);
    const judged = this.#judged(kind, payload, { ...known, scanned, value: pruned.value, pruned });
    return { ...judged, subject: pruned.value, removals: pruned.removals };
  }

  #judged(kind: JudgedKind, payload: PayloadBytes, known: KnownPayload): FilledJudgement {
    const { value, pruned, scanned } = known;
    if (this.#filling !== null && !scanned.hasDuplicate) return this.#judgeFilled(kind, payload, known, this.#filling);
    const isDone = pruned?.isValid === true && !this.#kinds.takesRemarks;
    return { ...NOT_FILLED, errors: isDone ? null : this.#judge(kind, value, payload), value };
  }

  #shownRemovals(kind: JudgedKind, payload: PayloadBytes, known: KnownPayload, isNone: boolean): Removals | undefined {
    const { removing } = this.#options;
    if (removing === undefined || isNone || known.scanned.hasDuplicate) return undefined;
    const pruned = this.#pruned(kind, payload, { ...known, value: exactValue(known.text) }, removing);
    return pruned === null || 'unsafe' in pruned ? undefined : pruned.removals;
  }

  /** Of a payload that accept is sure of, only checks ask something. */
  get #checksOnly(): boolean {
    const { checker, fixing } = this.#options;
    return checker !== undefined && fixing === undefined && this.#filling === null;
  }

  #examineAccepted(payload: PayloadBytes, name: string, countsOnly: boolean): Examined {
    const { bytes, span } = payload;
    const { kind } = this.#kinds.all.find((one) => one.kind.name === name)!; // accept has the same kinds
    const value = once(() => exactValue(textOf(bytes.subarray(span.start, span.end))));
    const whole = this.#options.checker?.findings({ kind, value, isUnread: true, bytes, span }) ?? [];
    if (whole.length === 0) return this.#nothingWrong(name);
    const found = this.#found(payload, { ...NOT_FILLED, value: value(), whole }, NOTHING_SCANNED, countsOnly);
    return { kind: name, ...found, ...WELL_FORMED };
  }

  /** One object for each kind: most payloads have nothing wrong. */
  readonly #nothingWrong = memoized((kind: string): Examined => ({ kind, ...NOTHING_WRONG, ...WELL_FORMED }));

  /** The findings of a payload, with the messages of the schema's author. */
  #withAuthor<Found extends Pick<Examined, 'findings'>>(found: Found, { kind, set }: JudgedKind, text: string): Found {
    const author = found.findings.length === 0 ? null : Author.of(set);
    if (author === null) return found;
    const read = once((): unknown => JSON.parse(text));
    return { ...found, findings: found.findings.map((one) => author.withMessage(one, kind.name, this.#options, read)) };
  }

  #ofNoKind(payload: PayloadBytes, value: unknown, scanned: ScanFindings, countsOnly: boolean): Examined {
    const whole = countsOnly ? [] : [this.#unknownKind(payload, value)];
    const { findings, hidden } = this.#found(payload, { ...NOT_FILLED, value, whole }, scanned, false);
    return { kind: null, findings, hidden: countsOnly ? [...hidden, ...UNKNOWN_KIND] : hidden, ...WELL_FORMED };
  }

  #found(
    { bytes, span }: PayloadBytes,
    { errors, value, whole, isUnsafe }: FilledJudgement,
    scanned: ScanFindings,
    countsOnly: boolean,
  ): Pick<Examined, 'findings' | 'hidden'> {
    const own = errors ?? NO_ERRORS;
    if (scanned.notes.length + own.faults.length + whole.length === 0) return NOTHING_WRONG;
    // `fill` does not change values on which JSON readers disagree.
    const ambiguous = scanned.hasDuplicate;
    const unsafe = (finding: Finding): Finding =>
      isUnsafe && finding.rule !== REMARK ? unsafeFinding('unsafe-default', finding) : finding;
    const unfixable = (finding: Finding): Finding => ({ ...finding, fixable: false });
    const counted = (hidden: Hidden): Hidden =>
      isUnsafe && hidden.rule !== REMARK ? UNSAFE : ambiguous ? { ...hidden, fixable: false } : hidden;
    const found = findingsOf({
      scanned,
      errors: countsOnly ? NO_ERRORS : own,
      whole,
      value,
      context: {
        bytes,
        span,
        wording: this.#options,
        suggests: true,
        explain: (about) => this.#explainer().explain(about),
        explainName: (schema, name) => this.#explainer().explainName(schema, name),
      },
      change: ambiguous ? unfixable : unsafe,
      changeCounted: counted,
    });
    if (!countsOnly) return found;
    return { findings: found.findings, hidden: [...found.hidden, ...countsOf(sitesOf(own), own.unlisted, counted)] };
  }

  #unknownKind({ bytes, span, isElement = false }: PayloadBytes, value: unknown): Finding {
    const isPayload = (inner: unknown): boolean => this.#kindOf(inner, null, walkedIn(span)) !== null;
    return unknownKind(this.#plainKinds, { value, bytes, span, isElement, isPayload }, this.#options);
  }

  /** Checks a payload that must only be well-formed. */
  #wellFormed({ bytes, span }: PayloadBytes, givenKind: string | null): Examined {
    const [first] = this.#kinds.all;
    let kind = givenKind ?? first?.kind.name ?? null;
    if (givenKind === null && first?.test !== null) {
      const value = exactValue(textOf(bytes.subarray(span.start, span.end)));
      kind = this.#kindOf(value, null, walkedIn(span))?.kind.name ?? null;
    }
    return { kind, ...NOTHING_WRONG, ...WELL_FORMED };
  }

  #kindOf(value: unknown, givenKind: string | null, walked: Walked): JudgedKind | null {
    const { all, byName, judge } = this.#kinds;
    if (givenKind !== null) return byName.get(givenKind) ?? null;
    for (const kind of all) if (kind.test === null || judge.judge(kind.test, value, walked)) return kind;
    return null;
  }

  /**
   * The payload without what its schema does not allow, unless that breaks it in another way; null: it allows all. Takes
   * it out of the value that is known.
   */
  #pruned(
    kind: JudgedKind,
    payload: PayloadBytes,
    known: KnownPayload,
    pruning: Pruning,
  ): PrunedPayload | { readonly unsafe: readonly Finding[] } | null {
    const { span, bytes } = payload;
    const { value } = known;
    const pruned = pruning.prune(kind, value, walkedIn(span));
    if (pruned === null) return null;
    const other = known.isForced ? kind : this.#kindOf(value, null, walkedIn(span));
    if (other !== kind) {
      const facts = { kind: kind.kind.name, other: other?.kind.name ?? null };
      return { unsafe: [kindChange('unsafe-prune', facts, span)] };
    }
    const before = once(() => exactValue(known.text));
    const unsafe = this.#brokenBy(kind, payload, before, value, pruned.isValid);
    if (unsafe.length > 0) return { unsafe };
    return { value, removals: pruning.edits(bytes, span, value, pruned), isValid: pruned.isValid };
  }

  /** What `after` breaks that `before` does not: by rule, place, and keyword of the schemas. */
  #brokenBy(
    kind: JudgedKind,
    payload: PayloadBytes,
    before: () => unknown,
    after: unknown,
    isValidAfter: boolean,
  ): readonly Finding[] {
    const { bytes, span } = payload;
    const checked = (value: unknown): readonly Finding[] =>
      this.#options.checker?.findings({ kind: kind.kind, value: () => value, isUnread: false, bytes, span }) ?? [];
    const checkedAfter = checked(after);
    const hadBefore = new Set(checkedAfter.length === 0 ? [] : checked(before()).map(keyOf));
    const own = isValidAfter ? [] : this.#newFindings(kind, payload, before(), after);
    const found = [...own, ...checkedAfter.filter((one) => !hadBefore.has(keyOf(one)))];
    return found.map((one) => unsafeFinding('unsafe-prune', one));
  }

  #newFindings(kind: JudgedKind, payload: PayloadBytes, before: unknown, after: unknown): readonly Finding[] {
    const had = this.#keysOf(kind, before, payload);
    const broken = new Set([...this.#keysOf(kind, after, payload)].filter((key) => !had.has(key)));
    if (broken.size === 0) return [];
    const judged = { ...NOT_FILLED, errors: this.#judge(kind, after, payload), value: after };
    const { findings } = this.#found(payload, judged, NOTHING_SCANNED, false);
    return findings.filter((one) => one.rule !== REMARK && broken.has(keyOf(one)));
  }

  /** Says of each violation of a value what it is. */
  #keysOf({ step }: JudgedKind, value: unknown, { span }: PayloadBytes): ReadonlySet<string> {
    const { judge } = this.#kinds;
    const keys = new Set<string>();
    judge.judge(step, value, walkedIn(span), {
      add({ facts, place }, _, name) {
        const pointer = judge.walk.pointer + (name === null ? '' : `/${escapeToken(name)}`);
        keys.add(keyOf({ ...facts, pointer, schema: place }));
      },
    });
    return keys;
  }

  /** Judges the payload with its defaults, and returns the insertions; without them, if they would make it invalid. */
  #judgeFilled(kind: JudgedKind, payload: PayloadBytes, known: KnownPayload, filling: Filling): FilledJudgement {
    const { value, isForced, scanned, pruned } = known;
    const { bytes, span } = payload;
    const left = pruned === undefined ? null : withoutRemoved(bytes, span, pruned.removals);
    const text = left === null ? known.text : textOf(left.bytes.subarray(left.span.start, left.span.end));
    const filled = exactValue(text);
    try {
      filling.fill(kind, filled, walkedIn(payload.span));
    } catch (error) {
      if (!(error instanceof EndlessDefaults)) throw error;
      return { ...NOT_FILLED, value, whole: [tooDeepForSchema(span)] };
    }
    const fills =
      left === null
        ? filling.edits(bytes, span, value, filled)
        : insertedBefore(filling.edits(left.bytes, left.span, value, filled), left.original);
    const errors = this.#judge(kind, filled, payload);
    const judged = { ...NOT_FILLED, errors, value: filled, fills };
    if (fills.length === 0) return judged;
    const other = isForced ? kind : this.#kindOf(filled, null, walkedIn(payload.span));
    if (other !== kind) {
      const whole = [kindChange('unsafe-default', { kind: kind.kind.name, other: other?.kind.name ?? null }, span)];
      return { ...NOT_FILLED, errors: this.#judge(kind, value, payload), value, whole };
    }
    const wasValid = (): boolean => scanned.notes.length === 0 && isValid(this.#judge(kind, value, payload));
    if (isValid(errors) || !wasValid()) return judged;
    return { ...judged, fills: NO_FILLS, isUnsafe: true };
  }

  #judge({ step }: JudgedKind, value: unknown, payload: PayloadBytes): Judgement {
    const { judge, takesRemarks } = this.#kinds;
    const log = new FaultLog(judge.walk, payload.bytes, payload.span, this.#kinds);
    const isValid = judge.judge(step, value, walkedIn(payload.span), {
      takesRemarks,
      add(fault, found, ...where) {
        // A number beyond a double is reported as such: a schema cannot be applied to it.
        const isBeyond = typeof found === 'number' && !Number.isFinite(found);
        if (!isBeyond || !judgesNumber(fault.facts)) log.add(fault, found, ...where);
      },
    });
    const errors = isValid && !takesRemarks ? null : log.take();
    return errors === null || errors.faults.length === 0 ? null : { ...errors, isValid };
  }

  #syntaxFinding(
    payload: PayloadBytes,
    { at, expected }: Pick<SyntaxFault, 'at' | 'expected'>,
    givenKind: string | null,
  ): Finding {
    const { bytes, span, base, ending, lookTo = span.end } = payload;
    const fault = { bytes, base, from: span.start, to: span.end, lookTo, at, expected };
    const kindOf = (value: unknown) => this.#kindOf(value, givenKind, walkedIn(payload.span))?.kind ?? null;
    return syntaxFinding(fault, ending, this.#options, this.#options.syntaxOnly ? undefined : kindOf);
  }
}

/** The same for violations of one rule at one place by one keyword, and for no others. */
function keyOf({ rule, pointer, schema, params }: Pick<Finding, 'rule' | 'pointer' | 'schema' | 'params'>): string {
  return JSON.stringify([rule, pointer, schema, 'missing' in params ? params.missing : null]);
}

function isValid(errors: Judgement): boolean {
  return errors === null || errors.isValid;
}

function hasFixable(errors: Judgement): boolean {
  return errors?.faults.some(({ site }) => site.fix === 'fill') === true;
}

function* sitesOf({ faults }: Logged): Generator<Site> {
  for (const { site } of faults) yield site;
}

/** After a fault of depth or encoding, the end of the payload is known; after a syntax error it is a guess. */
function malformed(finding: Finding): Examined {
  const wellFormed = finding.rule !== 'json-syntax';
  return { kind: null, findings: [finding], hidden: NO_HIDDEN, fills: NO_FILLS, wellFormed };
}

/** Steps of schemas recurse to the depth of the payload, and every stack is finite, whatever `--max-depth` is. */
function tooDeepForSchema(span: Span): Finding {
  return builtin('nested-too-deep', { limit: null }, { start: span.start, end: span.start + 1 });
}

/** Decoded UTF-8. Most texts are ASCII, which takes a fraction of the time. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
