/**
 * The full check of one payload, and the truth about it: encoding, syntax, depth, names that stand twice, numbers,
 * its kind, and the kind's schema. Finds every violation, says nothing of lines and files.
 */
import { isAscii } from 'node:buffer';
import { type Expected, type ScanNote, type ScanResult, scan } from '../json/scan.ts';
import { firstInvalidUtf8 } from '../json/utf8.ts';
import type { CompiledKind } from '../schema/compile.ts';
import { EndlessDefaults, isStackOverflow } from '../schema/error.ts';
import type { NumberTexts } from '../schema/keyword-functions.ts';
import { atPointer, usesKeyword } from '../schema/load.ts';
import type { Fill, Finding, Hidden, Span } from '../types.ts';
import { visible } from '../words/escape.ts';
import { builtin, characterLength, type Ending, syntaxFinding, syntaxFindingAtEnd } from './findings.ts';
import { numberTexts } from './number-texts.ts';
import { hiddenFindings, schemaFindings } from './schema-findings.ts';
import { unknownKind } from './unknown-kind.ts';
import { kindChange, UNSAFE, unsafeFinding } from './unsafe.ts';

/** The bytes of one payload, where they lie. */
export interface PayloadBytes {
  readonly bytes: Buffer;
  /** Of the payload, as indexes into `bytes`. */
  readonly span: Span;
  /** Offset in the source of `bytes[0]`. */
  readonly base: number;
  /** What the end of the span is, for the words of a syntax error there. */
  readonly ending: Ending;
  /**
   * Someone quicker has seen that `scan` would find nothing to say of a text that is UTF-8. Asked only then; absent: nobody has.
   */
  readonly isPlain?: () => boolean;
}

export interface Examined {
  /** Null where the payload is of no kind, or so malformed that nobody can tell. */
  readonly kind: string | null;
  /** In the order of their places; for a valid payload there are none. Spans are indexes into the bytes examined. */
  readonly findings: readonly Finding[];
  /** Those of them of which only this was wanted. */
  readonly hidden: readonly Hidden[];
  /** What is to be inserted, where defaults are filled in. */
  readonly fills: readonly Fill[];
  /** False where the bytes are no JSON text, so that where the payload ends is a guess. */
  readonly wellFormed: boolean;
}

export interface ExamineOptions {
  /** Deepest nesting of brackets. */
  readonly maxDepth: number;
  /** No payload text in messages and params. */
  readonly redact: boolean;
}

const PLAIN: ScanResult = { fault: null, notes: [] };

/** Code points of payload text in a message, at most. */
const SHOWN = 80;

/** Fills in defaults. */
export interface Filling {
  /** Fills `value`, of the given kind, in place; `before` is the same value as it is. */
  fill(kind: string, value: unknown, before: unknown): void;
  /** The edits that make `before`, the value in `bytes[span)`, into `after`; in the order of their places. */
  plan(bytes: Buffer, span: Span, before: unknown, after: unknown): Fill[];
}

const NO_FILLS: readonly Fill[] = [];
const NO_HIDDEN: readonly Hidden[] = [];
const UNKNOWN_KIND: readonly Hidden[] = [{ rule: 'unknown-kind', fixable: false }];

/** What the schema of its kind says of a payload. */
type Judgement = Pick<Examined, 'findings' | 'hidden'>;
type FilledJudgement = Judgement & Pick<Examined, 'fills'>;

const NOTHING_WRONG: Judgement = { findings: [], hidden: NO_HIDDEN };

function isClean({ findings, hidden }: Judgement): boolean {
  return findings.length + hidden.length === 0;
}

/** What is known of a payload whose kind is known. */
interface Look {
  readonly notes: readonly ScanNote[];
  readonly hides: boolean;
  /** Numbers as they are written; undefined if no keyword judges them, or all are as they print. */
  readonly numbers: NumberTexts | undefined;
}

interface FilledLook extends Look {
  readonly filling: Filling;
  readonly value: unknown;
  /** That the value was read from. */
  readonly text: string;
  /** It is said to be of its kind, so the tests do not matter. */
  readonly isForced: boolean;
}

export class Examiner {
  readonly #kinds: readonly CompiledKind[];
  readonly #locations: ReadonlyMap<object, string>;
  readonly #options: ExamineOptions;
  readonly #filling: Filling | null;
  /** A keyword judges numbers as they are written. */
  readonly #judgesDecimals: boolean;

  /** With `filling`, payloads are judged as they are once filled in. */
  constructor(
    kinds: readonly CompiledKind[],
    locations: ReadonlyMap<object, string>,
    options: ExamineOptions,
    filling: Filling | null = null,
  ) {
    this.#filling = filling;
    this.#kinds = kinds;
    this.#locations = locations;
    this.#options = options;
    this.#judgesDecimals = kinds.some(({ set }) => usesKeyword('multipleOf', set));
  }

  /**
   * `forced`: the kind it is said to have; null to detect it. `hides`: violations are only to be counted, where that is less work.
   * A payload for which the stack of this thread has no room is too deep.
   */
  examine(payload: PayloadBytes, forced: string | null, hides = false): Examined {
    return this.tryExamine(payload, forced, hides) ?? malformed(tooDeepForSchema(payload.span));
  }

  /** The same; null if the stack of this thread has no room for the payload, of which a thread with a larger stack may judge. */
  tryExamine(payload: PayloadBytes, forced: string | null, hides: boolean): Examined | null {
    try {
      return this.#examine(payload, forced, hides);
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
      return null;
    }
  }

  #examine(payload: PayloadBytes, forced: string | null, hides: boolean): Examined {
    const { bytes, span } = payload;
    const { start, end } = span;
    const invalid = firstInvalidUtf8(bytes, start, end);
    if (invalid >= 0) return malformed(encodingFinding(payload, invalid, this.#options.redact));
    const plain = payload.isPlain?.() === true;
    const { fault, notes } = plain ? PLAIN : scan(bytes, start, end, this.#options.maxDepth);
    if (fault?.type === 'depth') return malformed(this.#depthFinding(fault.at, fault.pointer));
    if (fault !== null) return malformed(this.#syntaxFinding(payload, fault.at, fault.expected));
    const text = textOf(bytes.subarray(start, end));
    const value: unknown = JSON.parse(text);
    const findings = notes.map((note) => this.#noteFinding(bytes, note));
    const numbers = this.#judgesDecimals ? numberTexts(text) : undefined;
    const compiled = this.#kindOf(value, forced, numbers);
    if (compiled === null) {
      if (hides) return { kind: null, findings, hidden: UNKNOWN_KIND, fills: NO_FILLS, wellFormed: true };
      const kinds = this.#kinds.map(({ kind }) => kind);
      findings.push(unknownKind(kinds, value, span, this.#options.redact));
      return { kind: null, findings, hidden: NO_HIDDEN, fills: NO_FILLS, wellFormed: true };
    }
    // Where a name stands twice, nobody knows which of the two objects to fill.
    const ambiguous = notes.some(({ rule }) => rule === 'duplicate-member');
    const filling = ambiguous ? null : this.#filling;
    const look = { notes, hides, numbers };
    const judged =
      filling === null
        ? { ...this.#judge(compiled, value, payload, look), fills: NO_FILLS }
        : this.#judgeFilled(compiled, payload, { ...look, filling, value, text, isForced: forced !== null });
    for (const finding of judged.findings) findings.push(finding);
    let { hidden } = judged;
    // `fill` leaves alone what readers disagree about.
    if (ambiguous) {
      for (const [i, finding] of findings.entries()) findings[i] = { ...finding, fixable: false };
      hidden = hidden.map(({ rule }) => ({ rule, fixable: false }));
    }
    if (findings.length > 1) findings.sort((a, b) => a.span.start - b.span.start);
    return { kind: compiled.kind.name, findings, hidden, fills: judged.fills, wellFormed: true };
  }

  #kindOf(value: unknown, forced: string | null, numbers: NumberTexts | undefined): CompiledKind | null {
    for (const compiled of this.#kinds) {
      if (
        forced === null
          ? compiled.test === null || compiled.test.call(numbers, value) === true
          : compiled.kind.name === forced
      ) {
        return compiled;
      }
    }
    return null;
  }

  /** The payload as it is once filled in, and how; or as it is, if that would do harm. */
  #judgeFilled(compiled: CompiledKind, payload: PayloadBytes, look: FilledLook): FilledJudgement {
    const { filling, value, text, isForced, notes } = look;
    const { name } = compiled.kind;
    const filled = fillIn(filling, name, payload, value, text);
    if (filled === null)
      return { findings: [tooDeepForSchema(payload.span)], hidden: NO_HIDDEN, fills: NO_FILLS };
    const judged = this.#judge(compiled, filled.value, payload, look);
    const { fills } = filled;
    if (fills.length === 0) return { ...judged, fills };
    const other = isForced ? compiled : this.#kindOf(filled.value, null, look.numbers);
    if (other !== compiled) {
      const { findings, hidden } = this.#judge(compiled, value, payload, look);
      const change = kindChange(name, other?.kind.name ?? null, payload.span);
      return { findings: [...findings, change], hidden, fills: NO_FILLS };
    }
    const wasValid = (): boolean =>
      notes.length === 0 && isClean(this.#judge(compiled, value, payload, look));
    if (isClean(judged) || !wasValid()) return { ...judged, fills };
    const { findings, hidden } = judged;
    return { findings: findings.map(unsafeFinding), hidden: hidden.map(() => UNSAFE), fills: NO_FILLS };
  }

  /** What the kind's schema finds. */
  #judge(
    compiled: CompiledKind,
    value: unknown,
    { bytes, span }: PayloadBytes,
    { notes, hides, numbers }: Look,
  ): Judgement {
    const spoiled = spoiledBy(notes, value);
    const { set } = compiled;
    const context = { bytes, span, set, locations: this.#locations, redact: this.#options.redact, spoiled };
    if (compiled.validate.call(numbers, value) === true) return NOTHING_WRONG;
    const errors = compiled.validate.errors ?? [];
    if (hides) return { findings: [], hidden: hiddenFindings(errors, context) };
    return { findings: schemaFindings(errors, context), hidden: NO_HIDDEN };
  }

  #noteFinding(bytes: Buffer, note: ScanNote): Finding {
    const { redact } = this.#options;
    const { rule, pointer, span } = note;
    const text = sourceText(bytes, span);
    if (rule === 'number-out-of-range') {
      const message = `${redact ? 'this number' : text} is beyond the range of a double (about 1.8e308)`;
      return builtin(rule, span, message, {}, pointer);
    }
    const message = `the name ${redact ? 'of this member' : text} stands twice in this object`;
    return builtin(rule, span, message, { first: note.first }, pointer);
  }

  #depthFinding(at: number, pointer: string): Finding {
    const limit = this.#options.maxDepth;
    const message = `nested deeper than ${limit} ${limit === 1 ? 'level' : 'levels'}; --max-depth sets the limit`;
    return builtin('nested-too-deep', { start: at, end: at + 1 }, message, { limit }, pointer);
  }

  #syntaxFinding(payload: PayloadBytes, at: number, expected: Expected): Finding {
    const { bytes, span, ending } = payload;
    if (at < span.end) return syntaxFinding(bytes, at, expected, ending, this.#options.redact);
    return syntaxFindingAtEnd(at, expected, ending);
  }
}

/**
 * Pointers of numbers that no double can hold, which a schema cannot judge. A later member of the same name takes the place of such a
 * number, so only those count whose value, as `JSON.parse` reads it, is infinite.
 */
function spoiledBy(notes: readonly ScanNote[], value: unknown): ReadonlySet<string> {
  const spoiled = new Set<string>();
  for (const { rule, pointer } of notes) {
    if (rule !== 'number-out-of-range') continue;
    const found = atPointer(value, pointer);
    if (typeof found === 'number' && !Number.isFinite(found)) spoiled.add(pointer);
  }
  return spoiled;
}

/** The payload's value filled in, and the edits for it; null if filling has no end. */
function fillIn(
  filling: Filling,
  kind: string,
  { bytes, span }: PayloadBytes,
  before: unknown,
  text: string,
): { readonly value: unknown; readonly fills: readonly Fill[] } | null {
  try {
    const value: unknown = JSON.parse(text);
    filling.fill(kind, value, before);
    return { value, fills: filling.plan(bytes, span, before, value) };
  } catch (error) {
    if (!(error instanceof EndlessDefaults)) throw error;
    return null;
  }
}

/** Depth and encoding are faults of a payload whose end is well known; after a syntax error the end is a guess. */
function malformed(finding: Finding): Examined {
  return {
    kind: null,
    findings: [finding],
    hidden: NO_HIDDEN,
    fills: NO_FILLS,
    wellFormed: finding.rule !== 'json-syntax',
  };
}

function encodingFinding(payload: PayloadBytes, at: number, redact: boolean): Finding {
  const { bytes, span, base, ending } = payload;
  const hex = bytes[at]!.toString(16).toUpperCase().padStart(2, '0');
  const subject = redact ? 'the byte' : `the byte 0x${hex}`;
  const cutOff = ending === 'last line' && isCutOff(bytes, at, span.end) ? '; the last line is cut off' : '';
  const message = `${subject} at byte offset ${base + at} is not UTF-8${cutOff}`;
  return builtin('json-encoding', { start: at, end: at + 1 }, message, {});
}

/** True where the character at `at` would be well formed so far, if only `end` came later. */
function isCutOff(bytes: Buffer, at: number, end: number): boolean {
  const isWhole = at + characterLength(bytes[at]!) <= end;
  return !isWhole && bytes.subarray(at + 1, end).every((byte) => (byte & 0xc0) === 0x80);
}

/** Ajv's functions call one another as deep as the payload goes; every stack has an end, whatever `--max-depth` says. */
function tooDeepForSchema(span: Span): Finding {
  const message = 'nested too deep for its schema to be applied, or the schema refers to itself without end';
  return builtin('nested-too-deep', { start: span.start, end: span.start + 1 }, message, {});
}

/** UTF-8 decoded; most of it is ASCII, which takes a fraction of the time. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** A token as it stands in the source, escaped and cut. */
function sourceText(bytes: Buffer, span: Span): string {
  const text = [...bytes.toString('utf8', span.start, Math.min(span.end, span.start + 4 * SHOWN))];
  return visible(text.length > SHOWN ? `${text.slice(0, SHOWN).join('')}…` : text.join(''));
}
