/**
 * Findings of rules that are not in a schema.
 */
import { Follower, NOT_KEPT } from '../../json/follow.ts';
import { parsePointer } from '../../json/pointer.ts';
import { diagnose, type SyntaxFault } from '../../json/syntax-cause.ts';
import { looksLikeLatin1 } from '../../json/utf8.ts';
import type { SyntaxCause } from '../../json/vocabulary.ts';
import { typeNames } from '../../keywords/type.ts';
import { wanted } from '../../keywords/wanted.ts';
import { memberAt } from '../../schema/described-members.ts';
import type { Kind } from '../../schema/set.ts';
import type { Finding, Hidden, Span } from '../../types.ts';
import { type OwnFacts, type OwnParams, type OwnRule, ownSentence } from '../../words/own-rules.ts';
import type { PayloadEnd } from '../../words/syntax.ts';

export type { PayloadEnd };

/**
 * A violation of JSON's grammar. Its span begins at the byte at which parsing failed and goes to the end of the word,
 * quoted text or comment at fault; it is empty if the text ends too early.
 */
export function syntaxFinding(
  fault: SyntaxFault,
  ending: PayloadEnd,
  redact: boolean,
  kindOf: KindOf = () => null,
): Finding {
  const { bytes, at, expected } = fault;
  const { cause: named, found, earlier } = diagnose(fault);
  const cause = named ?? (found.end === found.start && ending === 'last line' ? 'cut-off' : null);
  const shown = redact && found.end > found.start ? null : bytes.toString('utf8', found.start, found.end);
  const wants = cause !== null && WRONG_VALUES.has(cause) ? wantedAt(fault, found.start, kindOf) : null;
  const facts = { cause, expected, ending, found: shown, wants };
  const params = cause === null ? { expected } : { cause, expected };
  const finding = builtin('json-syntax', facts, { start: at, end: found.end }, { params });
  return earlier === null ? finding : { ...finding, earlier };
}

/** The kind of a payload with this value; null: it has none. */
type KindOf = (value: unknown) => Kind | null;

/** Causes that are something else in the place of a value. */
const WRONG_VALUES: ReadonlySet<SyntaxCause> = new Set([
  'nan',
  'infinity',
  'undefined',
  'python-literal',
  'wrong-case',
  'single-quotes',
  'backquotes',
  'unquoted-string',
  'byte-string',
]);

/** Of a longer text before the fault, it is not known what the schema wants. */
const MOST_READ = 100_000;

/** What the schema wants instead of the value at index `at`, in words; null: not known, or too many words are needed. */
function wantedAt({ bytes, from }: SyntaxFault, at: number, kindOf: KindOf): string | null {
  if (at - from > MOST_READ) return null;
  const before = bytes.toString('utf8', from, at).replace(/-$/, '');
  // The payload as far as it is written, with null where the fault is.
  const text = `${before}null${closing(before)}`;
  const value = parsed(text);
  const kind = value === undefined ? null : kindOf(value);
  if (kind === null) return null;
  const buffer = Buffer.from(text);
  const { pointer } = new Follower(buffer, 0, buffer.length, NOT_KEPT).seek(Buffer.byteLength(before));
  const { schema } = memberAt(kind, parsePointer(pointer)) ?? {};
  return wanted(schema) ?? (schema?.type === undefined ? null : typeNames(schema.type));
}

/** Undefined: it is not JSON, because a name is at fault. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The brackets that close what is open at the end of a text. */
function closing(text: string): string {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{') open.push('}');
    else if (token === '[') open.push(']');
    else if (token === '}' || token === ']') open.pop();
  }
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
  { params, pointer = '', text = null }: Beside<OwnParams<Span>[R]> = {},
): Finding {
  const message = ownSentence(rule, facts, { type: 'object', text, size: 0 });
  const finding = {
    rule,
    pointer,
    span,
    params: params ?? {},
    schema: null,
    fixable: false,
    message,
    suggestion: null,
  };
  return finding as Finding; // the params are of the rule
}

/** A byte that is not UTF-8. `cutOff`: the character would be well formed if the last line did not end in it. */
export function byteFinding(
  { bytes, base, at, to }: Pick<SyntaxFault, 'bytes' | 'base' | 'at' | 'to'>,
  cutOff: boolean,
  redact: boolean,
): Finding {
  const text = redact ? null : `0x${bytes.toString('hex', at, at + 1).toUpperCase()}`;
  const facts = { offset: base + at, cutOff, isLatin: looksLikeLatin1(bytes, at, to) };
  return builtin('json-encoding', facts, { start: at, end: at + 1 }, { text });
}

const RULE = 'unsafe-default';

/** Replaces the violations of the filled value, if only the rule is needed. */
export const UNSAFE: Hidden = { rule: RULE, fixable: false };

/**
 * A default would make the payload invalid, so it is left unchanged, and this violation is reported. Replaces the
 * violations of the filled value.
 */
export function unsafeFinding({ rule, pointer, span, params, schema, message }: Finding): Finding {
  const finding = builtin(RULE, { broken: rule, message }, span, { params: { rule, ...params }, pointer });
  return { ...finding, schema };
}

/** For a payload of `kind` that would become one of another kind, or (null) of none. `span`: of the payload. */
export function kindChange(kind: string, other: string | null, { start }: Span): Finding {
  const params = { rule: 'unknown-kind', kind: other };
  return builtin(RULE, { kind, other }, { start, end: start + 1 }, { params });
}
