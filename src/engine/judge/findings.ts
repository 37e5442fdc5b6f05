/**
 * Findings of rules that are not in a schema.
 */
import { diagnose, type SyntaxFault } from '../../json/syntax-cause.ts';
import { looksLikeLatin1 } from '../../json/utf8.ts';
import type { Finding, Hidden, Span } from '../../types.ts';
import { type OwnFacts, type OwnParams, type OwnRule, ownSentence } from '../../words/own-rules.ts';
import type { PayloadEnd } from '../../words/syntax.ts';

export type { PayloadEnd };

/**
 * A violation of JSON's grammar. Its span begins at the byte at which parsing failed and goes to the end of the word,
 * quoted text or comment at fault; it is empty if the text ends too early.
 */
export function syntaxFinding(fault: SyntaxFault, ending: PayloadEnd, redact: boolean): Finding {
  const { bytes, at, expected } = fault;
  const { cause: named, found, earlier } = diagnose(fault);
  const cause = named ?? (found.end === found.start && ending === 'last line' ? 'cut-off' : null);
  const shown = redact && found.end > found.start ? null : bytes.toString('utf8', found.start, found.end);
  const facts = { cause, expected, ending, found: shown };
  const params = cause === null ? { expected } : { cause, expected };
  const finding = builtin('json-syntax', facts, { start: at, end: found.end }, { params });
  return earlier === null ? finding : { ...finding, earlier };
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
