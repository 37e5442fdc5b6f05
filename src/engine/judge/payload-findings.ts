/** The findings of one payload, in the order of the places, and those of rules that are not in a schema. */
import { isAscii } from 'node:buffer';
import { deletionsOf, type Removals } from '../../json/edits.ts';
import { Follower, NOT_KEPT } from '../../json/follow.ts';
import { parsePointer } from '../../json/pointer.ts';
import type { ScanSink } from '../../json/scan.ts';
import { diagnose, type SyntaxFault } from '../../json/syntax-cause.ts';
import { characterLength, looksLikeLatin1 } from '../../json/utf8.ts';
import { typeNames } from '../../keywords/values.ts';
import { wanted } from '../../keywords/wanted.ts';
import { LISTED_VIOLATIONS, SHOWN_CHARACTERS, SUGGESTING_VIOLATIONS } from '../../limits.ts';
import { membersAt } from '../../schema/described-members.ts';
import type { Kind } from '../../schema/set.ts';
import type { Finding, Hidden, Span } from '../../types.ts';
import { visible } from '../../words/escape.ts';
import { type OwnFacts, type OwnParams, type OwnRule, ownSentence } from '../../words/own-rules.ts';
import { showsText, type Wording } from '../../words/rule.ts';
import type { PayloadEnd } from '../../words/syntax.ts';
import { ascending, type Fault, HiddenCounter, type HiddenCounts, hiddenOf, type Logged, shownSpan } from './fault.ts';
import { budgetForOne, type FindingContext, schemaFinding } from './schema-findings.ts';

/** A duplicate, with the place of the first name, or a number or a string. */
export interface ScanNote {
  readonly rule: 'duplicate-member' | 'number-out-of-range' | 'unpaired-surrogate';
  readonly span: Span;
  readonly first: Span | null;
}

export class ScanFindings implements ScanSink {
  /** The first `LISTED_VIOLATIONS`. */
  readonly notes: ScanNote[] = [];
  /** The others. */
  readonly unlisted = new HiddenCounter();
  hasDuplicate = false;

  duplicate(span: Span, first: Span): void {
    this.hasDuplicate = true;
    this.#add({ rule: 'duplicate-member', span, first });
  }

  outOfRange(span: Span): void {
    this.#add({ rule: 'number-out-of-range', span, first: null });
  }

  unpaired(span: Span): void {
    this.#add({ rule: 'unpaired-surrogate', span, first: null });
  }

  /** Those that are outside of what is removed. */
  without(removals: Removals): ScanFindings {
    if (this.notes.length === 0) return this;
    const { offsets, lengths } = deletionsOf(removals);
    const left = new ScanFindings();
    let next = 0;
    for (const note of this.notes) {
      while (next < offsets.length && offsets[next]! + lengths[next]! <= note.span.start) next++;
      if (next === offsets.length || offsets[next]! > note.span.start) left.notes.push(note);
    }
    return left;
  }

  #add(note: ScanNote): void {
    if (this.notes.length < LISTED_VIOLATIONS) this.notes.push(note);
    else this.unlisted.add({ ...note, fixable: false });
  }
}

export interface Rows {
  readonly scanned: ScanFindings;
  readonly errors: Logged;
  readonly whole: readonly Finding[];
  readonly value: unknown;
  readonly context: FindingContext;
  /** Completes the finding of an error. */
  readonly change: (finding: Finding) => Finding;
  /** The same for one that is only counted. */
  readonly changeCounted: (hidden: Hidden) => Hidden;
}

/** All findings of `rows`, as far as they are listed, and the counts of the others. */
export function findingsOf(rows: Rows): { readonly findings: readonly Finding[]; readonly hidden: HiddenCounts } {
  const { scanned, errors, whole, value, context, change, changeCounted } = rows;
  const { notes, unlisted } = scanned;
  const { faults } = errors;
  const noted = notes.length;
  const judged = noted + faults.length;
  const order = ascending(judged + whole.length, (i) => {
    if (i < noted) return notes[i]!.span.start;
    if (i >= judged) return whole[i - judged]!.span.start;
    return shownSpan(faults[i - noted]!, context.span).start;
  });
  const mayExplain = explainable(context.span);
  const follower = new Follower(context.bytes, context.span.start, context.span.end, value);
  const findings = order.slice(0, LISTED_VIOLATIONS).map((i, at) => {
    if (i < noted) return noteFinding(notes[i]!, follower.seek(notes[i]!.span.start).pointer, context);
    if (i >= judged) return whole[i - judged]!;
    const fault = faults[i - noted]!;
    const suggests = context.suggests && at < SUGGESTING_VIOLATIONS;
    const childBudget = mayExplain(fault) ? budgetForOne() : null;
    const own = childBudget === null && suggests === context.suggests ? context : { ...context, suggests, childBudget };
    return change(schemaFinding(fault, own));
  });
  const hidden = new HiddenCounter();
  for (const [one, count] of unlisted.counts) hidden.add(one, count);
  for (const [one, count] of errors.unlisted) hidden.add(changeCounted(one), count);
  for (const i of order.slice(LISTED_VIOLATIONS)) {
    if (i < noted) hidden.add({ ...notes[i]!, fixable: false });
    else if (i >= judged) hidden.add(whole[i - judged]!);
    else hidden.add(changeCounted(hiddenOf(faults[i - noted]!.site)));
  }
  return { findings, hidden: hidden.counts };
}

function noteFinding({ rule, span, first }: ScanNote, pointer: string, { bytes, wording }: FindingContext): Finding {
  const text = showsText(wording) ? sourceText(bytes, span) : null;
  if (first !== null) return builtin('duplicate-member', {}, span, { params: { first }, pointer, text });
  return builtin(rule === 'unpaired-surrogate' ? rule : 'number-out-of-range', {}, span, { pointer, text });
}

function sourceText(bytes: Buffer, span: Span): string {
  const text = [...bytes.toString('utf8', span.start, Math.min(span.end, span.start + 4 * SHOWN_CHARACTERS))];
  return visible(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS).join('')}…` : text.join(''));
}

/** How much text of values is searched for alternatives: bytes, plus passes over the payload. */
const FREE_BYTES = 1 << 20;
const FREE_PASSES = 4;

/**
 * Returns whether alternatives are searched for a fault; call it for each, in order. The search ends when the values
 * together are much longer than the payload: this is possible, because values can be inside of others.
 */
function explainable({ start, end }: Span): (fault: Fault) => boolean {
  let left = FREE_BYTES + FREE_PASSES * (end - start);
  return ({ site, span }) => {
    if (site.choice === null) return false;
    if (span !== null) left -= span.end - span.start;
    return left >= 0;
  };
}

/**
 * A violation of JSON's grammar. Its span begins at the byte at which parsing failed and goes to the end of the word,
 * quoted text or comment at fault; it is empty if the text ends too early.
 */
export function syntaxFinding(
  fault: SyntaxFault,
  ending: PayloadEnd,
  wording: Wording,
  kindOf: KindOf = () => null,
): Finding {
  const { bytes, at, expected } = fault;
  const { cause: named, found, earlier } = diagnose(fault);
  const cause = named ?? (found.end === found.start && ending === 'last line' ? 'cut-off' : null);
  const isShown = showsText(wording) || found.end === found.start;
  const shown = isShown ? bytes.toString('utf8', found.start, found.end) : null;
  const wants = cause !== null && WRONG_VALUES.test(cause) ? wantedAt(fault, found.start, kindOf) : null;
  const facts = { cause, expected, ending, found: shown, wants };
  const params = cause === null ? { expected } : { cause, expected };
  const finding = builtin('json-syntax', facts, { start: at, end: found.end }, { params });
  return earlier === null ? finding : { ...finding, earlier };
}

/** The kind of a payload with this value; null: it has none. */
type KindOf = (value: unknown) => Kind | null;

/** Causes that are something else in the place of a value. */
const WRONG_VALUES =
  /^(?:nan|infinity|undefined|python-literal|wrong-case|single-quotes|backquotes|unquoted-string|byte-string)$/;

/** What the schema wants instead of the value at index `at`, in words; null: not known, or too many words are needed. */
function wantedAt({ bytes, from }: SyntaxFault, at: number, kindOf: KindOf): string | null {
  if (at - from > 100_000) return null; // it would take too long
  const before = bytes.toString('utf8', from, at).replace(/-$/, '');
  // The payload as far as it is written, with null where the fault is.
  const text = `${before}null${closing(before)}`;
  let kind: Kind | null;
  try {
    kind = kindOf(JSON.parse(text));
  } catch {
    return null; // what is at fault is no value
  }
  const buffer = Buffer.from(text);
  const { pointer } = new Follower(buffer, 0, buffer.length, NOT_KEPT).seek(Buffer.byteLength(before));
  const members = kind === null ? [] : membersAt(kind, parsePointer(pointer));
  const { schema } = members.find(({ within }) => within.length === 0) ?? {};
  return wanted(schema) ?? (schema?.type === undefined ? null : typeNames(schema.type));
}

/** The brackets that close what is open at the end of a text. */
function closing(text: string): string {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g))
    if (token === '{' || token === '[') open.push(token === '{' ? '}' : ']');
    else if (token === '}' || token === ']') open.pop();
  return open.reverse().join('');
}

/** The parts of a finding other than its rule, its facts and its place. */
export interface Beside<Params> {
  /** The facts for programs; absent: none. */
  readonly params?: Params;
  /** RFC 6901, from the payload's root; absent: the root. */
  readonly pointer?: string;
  /** Payload text for the sentence, quoted or escaped; absent or null: it must not be shown. */
  readonly text?: string | null;
}

/** A finding of a rule that is not in a schema. */
export function builtin<R extends OwnRule>(
  rule: R,
  facts: OwnFacts[R],
  span: Span,
  beside: Beside<OwnParams<Span>[R]> = {},
): Finding {
  const { params = {}, pointer = '', text = null } = beside;
  const message = ownSentence(rule, facts, { type: 'object', text });
  const finding = { rule, pointer, span, params, schema: null, fixable: false, message };
  return finding as Finding; // the params are of the rule
}

/** A byte that is not UTF-8. `cutOff`: the character would be well formed if the last line did not end in it. */
export function byteFinding(
  { bytes, base, at, to }: Pick<SyntaxFault, 'bytes' | 'base' | 'at' | 'to'>,
  cutOff: boolean,
  wording: Wording,
): Finding {
  const text = showsText(wording) ? `0x${bytes.toString('hex', at, at + 1).toUpperCase()}` : null;
  const facts = { offset: base + at, cutOff, isLatin: looksLikeLatin1(bytes, at, to) };
  return builtin('json-encoding', facts, { start: at, end: at + 1 }, { text });
}

/** A payload in its source. */
export interface EndedPayload {
  readonly bytes: Buffer;
  /** Of the payload, as indexes into `bytes`. */
  readonly span: Span;
  /** Offset in the source of `bytes[0]`. */
  readonly base: number;
  /** The cause of the end of the span, for the message of a syntax error there. */
  readonly ending: PayloadEnd;
}

/** For a payload in which the byte at index `at` is not UTF-8. */
export function encodingFinding({ bytes, span, base, ending }: EndedPayload, at: number, wording: Wording): Finding {
  const to = span.end;
  const isWhole = at + characterLength(bytes[at]!) <= to;
  // The bytes are the beginning of a well-formed character.
  const isCutOff = !isWhole && bytes.subarray(at + 1, to).every((byte) => (byte & 0xc0) === 0x80);
  return byteFinding({ bytes, base, at, to }, ending === 'last line' && isCutOff, wording);
}

/** What a repair would break; so the payload is left unchanged. */
type UnsafeRule = 'unsafe-default' | 'unsafe-prune';

/** Replaces the violations of the filled value, if only the rule is needed. */
export const UNSAFE: Hidden = { rule: 'unsafe-default', fixable: false };

/** In place of a violation of the value that a repair would leave. */
export function unsafeFinding(
  rule: UnsafeRule,
  { rule: broken, pointer, span, params, schema, message }: Finding,
): Finding {
  const finding = builtin(rule, { broken, message }, span, { params: { rule: broken, ...params }, pointer });
  return { ...finding, schema };
}

/** For a payload of `kind` that would become one of another kind, or (null) of none. `span`: of the payload. */
export function kindChange(
  rule: UnsafeRule,
  facts: { readonly kind: string; readonly other: string | null },
  { start }: Span,
): Finding {
  const params = { rule: 'unknown-kind', kind: facts.other };
  return builtin(rule, facts, { start, end: start + 1 }, { params });
}

/** Steps of schemas recurse to the depth of the payload, and every stack is finite, whatever `--max-depth` is. */
export function tooDeepForSchema(span: Span): Finding {
  return builtin('nested-too-deep', { limit: null }, { start: span.start, end: span.start + 1 });
}

/** Decoded UTF-8. Most texts are ASCII, which takes a fraction of the time. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
