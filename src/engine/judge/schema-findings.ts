/** Violations of schemas as findings: the rule, the exact place, the facts, the message, and a suggestion. */
import type { JsonType } from '../../json/vocabulary.ts';
import { completed, nameIn, rowOf, sentence, suggestion, withoutText } from '../../keywords/index.ts';
import type { Seen } from '../../keywords/keyword.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { EXPLAINED_VIOLATIONS } from '../../limits.ts';
import { answerOf } from '../../schema/caller-keywords.ts';
import { whyNotIn } from '../../schema/formats/reasons.ts';
import type { Schema } from '../../schema/node.ts';
import type { Finding, Mutable, Span } from '../../types.ts';
import { quote, visible } from '../../words/escape.ts';
import { showsText, type Wording } from '../../words/rule.ts';
import { becauseOf, type Found, schemaText } from '../../words/value-text.ts';
import { type Fault, shownSpan } from './fault.ts';
import type { Choice } from './sites.ts';

export interface FindingContext {
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: Span;
  readonly wording: Wording;
  /** Whether to search for suggestions. That takes far longer than the rest. */
  readonly suggests: boolean;
  /** Where the value in `span` is in the payload; absent: it is all of it. */
  readonly base?: string;
  /** Says why a value matches no alternative; null: there is nothing more to say. Absent: no violation is about them. */
  readonly explain?: (about: Explainable) => Explained | null;
  /** The facts that say why a schema does not allow a name; empty: not known. Absent: no violation is about names. */
  readonly explainName?: (schema: Schema, name: string) => readonly SchemaFacts[];
  /** For the violations of alternatives; null or absent: the closest alternative is not searched. */
  readonly childBudget?: ChildBudget | null;
}

/** How many violations the explanations of one violation may still list; `level`: nesting of alternatives. */
export interface ChildBudget {
  readonly level: number;
  readonly left: { children: number };
}

/** The limits for one violation of a payload. */
export function budgetForOne(): ChildBudget {
  return { level: 0, left: { children: EXPLAINED_VIOLATIONS } };
}

export interface Explainable {
  readonly choice: Choice;
  readonly fault: Fault;
  readonly context: FindingContext;
  readonly childBudget: ChildBudget | null;
}

export interface Explained {
  readonly params: object;
  /** What is wrong with the value by the closest alternative. */
  readonly children: readonly Finding[];
}

/** True for violations by a number that are found only because it is beyond the range of a double. */
export function judgesNumber({ rule, params }: SchemaFacts): boolean {
  if (rule !== 'type') return rowOf(rule).yieldsToType === true || rowOf(rule).judgesAll === true;
  const { expected } = params;
  const types = typeof expected === 'string' ? [expected] : expected;
  return types.includes('number') || types.includes('integer');
}

/**
 * The finding for a fault. One about a value that is not in the bytes has the place of the payload. `site`: of what is said,
 * if that is not what the fault is about.
 */
export function schemaFinding(fault: Fault, context: FindingContext, site = fault.site): Finding {
  const { pointer } = fault;
  const shows = showsText(context.wording);
  const own = completed(site.facts, fault);
  const explained = explain(fault, context);
  const more = explained && { params: { ...own.params, ...explained.params } };
  const facts = { ...own, ...more } as SchemaFacts; // those of the rule
  const { children = [] } = explained ?? {};
  const name = nameIn(facts);
  const found = name === null ? foundValue(fault, context) : foundName(name, context);
  const near = context.suggests ? suggestion(facts, { value: () => fault.value(), properties: site.properties }) : null;
  let message = messageOfCaller(fault, context) || sentence(facts, found);
  if (facts.rule === 'false' && site.member !== null)
    message = `the member ${schemaText(site.member)} is not allowed here`;
  if (facts.rule === 'format')
    message += whyNotIn(facts.params.format, shows ? fault.value() : undefined, site.example === null);
  if (site.example !== null) message += `; an example is ${site.example}`;
  if (site.ofName !== null && name !== null) message += reasonsFor(site.ofName, name, context);
  const misspelt = shows ? near?.found : undefined;
  if (misspelt !== undefined) message += `; there is ${quote(misspelt)}`;
  message += becauseOf(site.reason);
  const { rule, params } = shows ? facts : withoutText(facts);
  const span = shownSpan(fault, context.span);
  const { schema, fix, reason } = site;
  const finding = { rule, pointer, span, params, schema, fixable: fix === 'fill', message } as Mutable<Finding>; // its params
  // Member by member: a spread takes more memory, and there may be 100,000.
  if (fix !== null) finding.fix = fix;
  if (near !== null) finding.suggestion = near.suggestion;
  if (misspelt !== undefined) finding.misspelt = misspelt;
  if (reason !== undefined) finding.reason = reason;
  if (children.length > 0) finding.children = children;
  return finding;
}

/** What the caller's function says, asked once more: few violations are shown. '': nothing, or it must not be shown. */
function messageOfCaller(fault: Fault, { wording, base = '' }: FindingContext): string {
  const { site, pointer } = fault;
  if (site.caller === null || !showsText(wording)) return '';
  const answer = answerOf(site.caller, fault.value(), base + pointer);
  return answer === true ? '' : visible(answer);
}

/** Why a schema does not allow a name, as the end of a message. */
function reasonsFor(schema: Schema, name: string, context: FindingContext): string {
  const seen: Seen = { type: 'string', name, items: [0, 0] };
  const found = foundName(name, context);
  const facts = context.explainName?.(schema, name) ?? [];
  const shown = showsText(context.wording) ? name : undefined;
  const reasons = new Set(
    facts.map((one) => {
      const why = one.rule === 'format' ? whyNotIn(one.params.format, shown, true) : '';
      return sentence(completed(one, seen), found) + why;
    }),
  );
  return reasons.size === 0 ? '' : `: ${[...reasons].join('; ')}`;
}

/** Null: it is not about alternatives, or there is nothing more to say. */
function explain(fault: Fault, context: FindingContext): Explained | null {
  const { choice } = fault.site;
  if (choice === null || context.explain === undefined) return null;
  return context.explain({ choice, fault, context, childBudget: context.childBudget ?? null });
}

function foundName(name: string, context: FindingContext): Found {
  const text = showsText(context.wording) ? quote(name) : null;
  return { type: 'string', text, measured: (measure) => measure(name) };
}

function foundValue(fault: Fault, context: FindingContext): Found {
  const { type, span } = fault;
  let text: string | null = null;
  if (showsText(context.wording)) {
    if (type === 'string') text = quote(fault.value() as string);
    else if (type === 'number' && span !== null) text = numberText(context.bytes, span);
    else if (type === 'number' || type === 'boolean') text = String(fault.value());
  }
  return { type, text, measured: (measure) => measure(fault.value()) };
}

/** The type of the value that begins at index `start`. */
export function typeAt(bytes: Buffer, start: number): JsonType {
  return TYPE_BY_FIRST[String.fromCharCode(bytes[start]!)] ?? 'number';
}

const TYPE_BY_FIRST: Readonly<Record<string, JsonType>> = {
  '"': 'string',
  '{': 'object',
  '[': 'array',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** A number as the payload spells it, at most 80 characters of it. */
function numberText(bytes: Buffer, span: Span): string {
  const text = bytes.toString('latin1', span.start, Math.min(span.end, span.start + 80));
  return span.end - span.start > 80 ? `${text}…` : text;
}
