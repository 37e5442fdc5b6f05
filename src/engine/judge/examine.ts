/**
 * The full check of one payload, which has the last word: encoding, syntax, depth, duplicate names, numbers, its kind,
 * and the kind's schema. Finds every violation. It does not depend on lines and files.
 */
import { isStackOverflow } from '../../errors.ts';
import { exactValue } from '../../json/decimal.ts';
import { type FillTable, NO_FILLS, type Removals } from '../../json/edits.ts';
import { once } from '../../json/on-demand.ts';
import { scanInto } from '../../json/scan.ts';
import { nestsDeeper } from '../../json/skip.ts';
import type { SyntaxFault } from '../../json/syntax-cause.ts';
import { firstInvalidUtf8 } from '../../json/utf8.ts';
import { bytesLeft } from '../../json/value.ts';
import { JUDGED_LEVELS } from '../../limits.ts';
import type { Kind } from '../../schema/set.ts';
import type { Finding, Hidden, Outcome } from '../../types.ts';
import type { Acceptor, ExamineSettings } from '../compile/acceptor.ts';
import { Author } from './author.ts';
import { Explainer } from './explainer.ts';
import { countsOf, type HiddenCounts, type Logged } from './fault.ts';
import { isValid, type JudgedBytes, type JudgedKind, type JudgedKinds, kindOf } from './judged-kinds.ts';
import {
  builtin,
  type EndedPayload,
  encodingFinding,
  findingsOf,
  ScanFindings,
  syntaxFinding,
  textOf,
  tooDeepForSchema,
  UNSAFE,
  unsafeFinding,
} from './payload-findings.ts';
import {
  type FilledJudgement,
  type Filling,
  NOT_FILLED,
  type PayloadChecker,
  type Pruning,
  REMARK,
  Repairs,
} from './repaired.ts';
import { unknownKind } from './unknown-kind.ts';
import { type Walked, walkedIn } from './walk.ts';

export interface PayloadBytes extends EndedPayload {
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

export interface ExamineOptions extends Omit<ExamineSettings, 'checks' | 'covers' | 'maxBytes' | 'relations'> {
  readonly checker?: PayloadChecker;
  /** Payloads are judged as they are, but reports show what `fill` would insert. Absent: they do not. */
  readonly fixing?: Filling;
  /** Payloads are judged without what their schemas do not allow. Absent: as they are. */
  readonly pruning?: Pruning;
  /** Payloads are judged as they are, but reports show what `prune` would remove. Absent: they do not. */
  readonly removing?: Pruning;
}

/** Deeper values of a caller are written as text, and examined. */
const WRITTEN_LEVELS = 100;

/** A value without a text has the steps that are free for every payload. */
const NO_SIZE: Walked = { size: 0 };

const NO_HIDDEN: HiddenCounts = [];
const NO_ERRORS: Logged = { faults: [], unlisted: [] };

const NOTHING_SCANNED = new ScanFindings();
const NOTHING_WRONG = { findings: [], hidden: NO_HIDDEN };
const WELL_FORMED = { fills: NO_FILLS, wellFormed: true } as const;
const UNKNOWN_KIND: HiddenCounts = [[{ rule: 'unknown-kind', fixable: false }, 1]];

export class Examiner {
  readonly #kinds: JudgedKinds;
  /** The same, without what judges them. */
  readonly #plainKinds: readonly Kind[];
  readonly #options: ExamineOptions;
  readonly #filling: Filling | null;
  readonly #repairs: Repairs;
  readonly #explainer = once(() => new Explainer(this.#kinds));
  /** `--max-depth` allows more levels than `JUDGED_LEVELS`, and a schema is applied to all levels. */
  readonly #recurses: boolean;

  /** With `filling`, payloads are checked with their defaults filled in. */
  constructor(kinds: JudgedKinds, options: ExamineOptions, filling: Filling | null = null) {
    this.#filling = filling;
    this.#kinds = kinds;
    this.#plainKinds = kinds.all.map(({ kind }) => kind);
    this.#options = options;
    const { checker, pruning } = options;
    this.#repairs = new Repairs(
      kinds,
      { checker, pruning, filling },
      (payload, judged) => this.#found(payload, judged, NOTHING_SCANNED, false).findings,
    );
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
    if (this.#options.checker !== undefined || this.#filling !== null) return null;
    const levels = Math.min(limits.maxDepth, WRITTEN_LEVELS);
    if ('toJSON' in Object.prototype || bytesLeft(value, levels, limits.maxBytes) < 0) return null;
    const kind = kindOf(this.#kinds, value, givenKind, NO_SIZE);
    return kind !== null && this.#kinds.judge.judge(kind.step, value, NO_SIZE) ? kind.kind.name : null;
  }

  #examine(payload: PayloadBytes, givenKind: string | null, countsOnly: boolean): Examined {
    const { bytes, span } = payload;
    const { start, end } = span;
    const { reader } = payload;
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
    const kind = kindOf(this.#kinds, value, givenKind, walkedIn(payload.span));
    if (kind === null) return this.#ofNoKind(payload, value, scanned, countsOnly);
    // With a duplicate name, it is not known which of the two objects must be filled.
    const ambiguous = scanned.hasDuplicate;
    const known = { scanned, value, text, isForced: givenKind !== null };
    const judged = this.#repairs.repaired(kind, payload, known);
    const plain = { kind: kind.kind, value: () => judged.subject, bytes, span };
    const checked = ambiguous ? [] : (this.#options.checker?.findings(plain) ?? []);
    const whole = checked.length === 0 ? judged.whole : [...judged.whole, ...checked];
    const left = judged.removals === undefined ? scanned : scanned.without(judged.removals);
    const found = this.#withAuthor(this.#found(payload, { ...judged, whole }, left, countsOnly), kind, text);
    const { fixing, removing } = this.#options;
    const fills =
      fixing === undefined || ambiguous || countsOnly || !judged.errors?.faults.some(({ site }) => site.fix === 'fill')
        ? judged.fills
        : this.#repairs.filled(kind, payload, known, fixing).fills;
    const isShown = removing !== undefined && !countsOnly && !isValid(judged.errors);
    const removals = judged.removals ?? (isShown ? this.#repairs.removals(kind, payload, known, removing) : undefined);
    const removed = removals === undefined ? {} : { removals };
    const named = ambiguous ? { hasDuplicate: true } : {};
    return { kind: kind.kind.name, ...found, ...named, fills, ...removed, wellFormed: true };
  }

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
    { bytes, span }: JudgedBytes,
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
    const unfixable = ({ fix = 'fill', ...one }: Finding): Finding =>
      ({ ...one, ...(fix === 'fill' ? {} : { fix }), fixable: false }) as Finding; // the params are of the rule
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
    const sites = own.faults.map(({ site }) => site);
    return { findings: found.findings, hidden: [...found.hidden, ...countsOf(sites, own.unlisted, counted)] };
  }

  #unknownKind({ bytes, span, isElement = false }: PayloadBytes, value: unknown): Finding {
    const isPayload = (inner: unknown): boolean => kindOf(this.#kinds, inner, null, walkedIn(span)) !== null;
    return unknownKind(this.#plainKinds, { value, bytes, span, isElement, isPayload }, this.#options);
  }

  /** Checks a payload that must only be well-formed. */
  #wellFormed({ bytes, span }: PayloadBytes, givenKind: string | null): Examined {
    const [first] = this.#kinds.all;
    let kind = givenKind ?? first?.kind.name ?? null;
    if (givenKind === null && first?.test !== null) {
      const value = exactValue(textOf(bytes.subarray(span.start, span.end)));
      kind = kindOf(this.#kinds, value, null, walkedIn(span))?.kind.name ?? null;
    }
    return { kind, ...NOTHING_WRONG, ...WELL_FORMED };
  }

  #syntaxFinding(
    payload: PayloadBytes,
    { at, expected }: Pick<SyntaxFault, 'at' | 'expected'>,
    givenKind: string | null,
  ): Finding {
    const { bytes, span, base, ending, lookTo = span.end } = payload;
    const fault = { bytes, base, from: span.start, to: span.end, lookTo, at, expected };
    const kindIn = (value: unknown) => kindOf(this.#kinds, value, givenKind, walkedIn(payload.span))?.kind ?? null;
    return syntaxFinding(fault, ending, this.#options, this.#options.syntaxOnly ? undefined : kindIn);
  }
}

/** After a fault of depth or encoding, the end of the payload is known; after a syntax error it is a guess. */
function malformed(finding: Finding): Examined {
  const wellFormed = finding.rule !== 'json-syntax';
  return { kind: null, findings: [finding], hidden: NO_HIDDEN, fills: NO_FILLS, wellFormed };
}
