/**
 * A payload judged as it is, or as `fill` and `prune` leave it. A repair that would break what was right is not made:
 * the payload stays as it is, with a finding that says what would break.
 */
import { EndlessDefaults } from '../../errors.ts';
import { exactValue } from '../../json/decimal.ts';
import {
  type FillTable,
  insertedBefore,
  NO_FILLS,
  type Pruned,
  type Removals,
  withoutRemoved,
} from '../../json/edits.ts';
import { once } from '../../json/on-demand.ts';
import { escapeToken } from '../../json/pointer.ts';
import type { Kind } from '../../schema/set.ts';
import type { Finding, Span } from '../../types.ts';
import {
  isValid,
  type JudgedBytes,
  type JudgedKind,
  type JudgedKinds,
  type Judgement,
  judgementOf,
  kindOf,
} from './judged-kinds.ts';
import { kindChange, type ScanFindings, textOf, tooDeepForSchema, unsafeFinding } from './payload-findings.ts';
import { type Walked, walkedIn } from './walk.ts';

/** A payload without duplicate names, as it is. */
export interface PlainPayload extends JudgedBytes {
  readonly kind: Kind;
  readonly value: () => unknown;
}

/** Asks the checks of a config. Its methods throw TooCostly. */
export interface PayloadChecker {
  /** What does not hold for a payload. */
  findings(payload: PlainPayload): readonly Finding[];
  /** Whether all hold for a payload with which nothing is wrong, of which only what they ask for is read. */
  holdFor(kind: Kind, bytes: Buffer, span: Span): boolean;
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

/** What is done to payloads before they are judged, or shown in reports. */
export interface RepairOptions {
  readonly checker?: PayloadChecker | undefined;
  /** Payloads are judged without what their schemas do not allow. Absent: as they are. */
  readonly pruning?: Pruning | undefined;
  /** Payloads are judged with their defaults. Null: as they are. */
  readonly filling: Filling | null;
}

/** The rule of remarks, which are no violations. */
export const REMARK = 'deprecated';

export interface FilledJudgement {
  readonly errors: Judgement;
  readonly value: unknown;
  readonly fills: FillTable;
  /** The payload is valid as it is, but not with its defaults. */
  readonly isUnsafe: boolean;
  /** Findings about the whole payload, and those of checks. */
  readonly whole: readonly Finding[];
}

export interface KnownPayload {
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

export const NOT_FILLED = { errors: null, fills: NO_FILLS, isUnsafe: false, whole: [] };

/** All findings of a payload that was judged, and of nothing else. */
type FindingsOf = (payload: JudgedBytes, judged: FilledJudgement) => readonly Finding[];

export class Repairs {
  readonly #kinds: JudgedKinds;
  readonly #options: RepairOptions;
  readonly #findingsOf: FindingsOf;

  constructor(kinds: JudgedKinds, options: RepairOptions, findingsOf: FindingsOf) {
    this.#kinds = kinds;
    this.#options = options;
    this.#findingsOf = findingsOf;
  }

  /** The payload judged as it is, or as `fill` and `prune` leave it. */
  repaired(kind: JudgedKind, payload: JudgedBytes, known: KnownPayload): Repaired {
    const pruning = known.scanned.hasDuplicate ? undefined : this.#options.pruning;
    const { filling } = this.#options;
    const asItIs = ({ value }: { readonly value: unknown }): Repaired => {
      return { ...this.#judged(kind, payload, { ...known, value }), subject: value };
    };
    const filled = pruning === undefined || filling !== null ? asItIs(known) : null;
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

  #judged(kind: JudgedKind, payload: JudgedBytes, known: KnownPayload): FilledJudgement {
    const { value, pruned, scanned } = known;
    const { filling } = this.#options;
    if (filling !== null && !scanned.hasDuplicate) return this.filled(kind, payload, known, filling);
    const isDone = pruned?.isValid === true && !this.#kinds.takesRemarks;
    return { ...NOT_FILLED, errors: isDone ? null : judgementOf(this.#kinds, kind, value, payload), value };
  }

  /** What `pruning` would take out of a payload; undefined: nothing, or it would break the payload. */
  removals(kind: JudgedKind, payload: JudgedBytes, known: KnownPayload, pruning: Pruning): Removals | undefined {
    if (known.scanned.hasDuplicate) return undefined;
    const pruned = this.#pruned(kind, payload, { ...known, value: exactValue(known.text) }, pruning);
    return pruned === null || 'unsafe' in pruned ? undefined : pruned.removals;
  }

  /**
   * The payload without what its schema does not allow, unless that breaks it in another way; null: it allows all. Takes
   * it out of the value that is known.
   */
  #pruned(
    kind: JudgedKind,
    payload: JudgedBytes,
    known: KnownPayload,
    pruning: Pruning,
  ): PrunedPayload | { readonly unsafe: readonly Finding[] } | null {
    const { span, bytes } = payload;
    const { value } = known;
    const pruned = pruning.prune(kind, value, walkedIn(span));
    if (pruned === null) return null;
    const other = known.isForced ? kind : kindOf(this.#kinds, value, null, walkedIn(span));
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
    payload: JudgedBytes,
    before: () => unknown,
    after: unknown,
    isValidAfter: boolean,
  ): readonly Finding[] {
    const { bytes, span } = payload;
    const checked = (value: unknown): readonly Finding[] =>
      this.#options.checker?.findings({ kind: kind.kind, value: () => value, bytes, span }) ?? [];
    const checkedAfter = checked(after);
    const hadBefore = new Set(checkedAfter.length === 0 ? [] : checked(before()).map(keyOf));
    const own = isValidAfter ? [] : this.#newFindings(kind, payload, before(), after);
    const found = [...own, ...checkedAfter.filter((one) => !hadBefore.has(keyOf(one)))];
    return found.map((one) => unsafeFinding('unsafe-prune', one));
  }

  #newFindings(kind: JudgedKind, payload: JudgedBytes, before: unknown, after: unknown): readonly Finding[] {
    const had = this.#keysOf(kind, before, payload);
    const broken = new Set([...this.#keysOf(kind, after, payload)].filter((key) => !had.has(key)));
    if (broken.size === 0) return [];
    const judged = { ...NOT_FILLED, errors: judgementOf(this.#kinds, kind, after, payload), value: after };
    return this.#findingsOf(payload, judged).filter((one) => one.rule !== REMARK && broken.has(keyOf(one)));
  }

  /** Says of each violation of a value what it is. */
  #keysOf({ step }: JudgedKind, value: unknown, { span }: JudgedBytes): ReadonlySet<string> {
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
  filled(kind: JudgedKind, payload: JudgedBytes, known: KnownPayload, filling: Filling): FilledJudgement {
    const { value, isForced, scanned, pruned } = known;
    const { bytes, span } = payload;
    const left = pruned === undefined ? null : withoutRemoved(bytes, span, pruned.removals);
    const text = left === null ? known.text : textOf(left.bytes.subarray(left.span.start, left.span.end));
    const filled = exactValue(text);
    try {
      filling.fill(kind, filled, walkedIn(span));
    } catch (error) {
      if (!(error instanceof EndlessDefaults)) throw error;
      return { ...NOT_FILLED, value, whole: [tooDeepForSchema(span)] };
    }
    const fills =
      left === null
        ? filling.edits(bytes, span, value, filled)
        : insertedBefore(filling.edits(left.bytes, left.span, value, filled), left.original);
    const errors = judgementOf(this.#kinds, kind, filled, payload);
    const judged = { ...NOT_FILLED, errors, value: filled, fills };
    if (fills.length === 0) return judged;
    const other = isForced ? kind : kindOf(this.#kinds, filled, null, walkedIn(span));
    if (other !== kind) {
      const whole = [kindChange('unsafe-default', { kind: kind.kind.name, other: other?.kind.name ?? null }, span)];
      return { ...NOT_FILLED, errors: judgementOf(this.#kinds, kind, value, payload), value, whole };
    }
    const wasValid = (): boolean =>
      scanned.notes.length === 0 && isValid(judgementOf(this.#kinds, kind, value, payload));
    if (isValid(errors) || !wasValid()) return judged;
    return { ...judged, fills: NO_FILLS, isUnsafe: true };
  }
}

/** The same for violations of one rule at one place by one keyword, and for no others. */
function keyOf({ rule, pointer, schema, params }: Pick<Finding, 'rule' | 'pointer' | 'schema' | 'params'>): string {
  return JSON.stringify([rule, pointer, schema, 'missing' in params ? params.missing : null]);
}
