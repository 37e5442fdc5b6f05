/** Violations of schemas as findings: the rule, the exact place, the facts, the message, and a suggestion. */
import type { Followed } from '../../json/follow.ts';
import { escapeToken } from '../../json/pointer.ts';
import { decodeString } from '../../json/utf8.ts';
import type { JsonType } from '../../json/vocabulary.ts';
import { completed, nameIn, rowOf, sentence, suggestion, withoutText } from '../../keywords/index.ts';
import type { About, Seen } from '../../keywords/keyword.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { EXPLAINED_VIOLATIONS } from '../../limits.ts';
import { answerOf } from '../../schema/caller-keywords.ts';
import { whyNotIn } from '../../schema/formats/reasons.ts';
import type { Schema } from '../../schema/node.ts';
import type { Finding, Span } from '../../types.ts';
import { quote, visible } from '../../words/escape.ts';
import { type Found, jsonType, schemaText } from '../../words/value-text.ts';
import { A, B, END, isInDefault, type RowList, SITE, START } from './records.ts';
import type { InDefault } from './row-log.ts';
import type { Choice, Site } from './sites.ts';

export interface FindingContext {
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: Span;
  readonly redact: boolean;
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
  readonly value: unknown;
  /** Undefined for a value that is not in the bytes. */
  readonly span: Span | undefined;
  readonly pointer: string;
  readonly context: FindingContext;
  readonly childBudget: ChildBudget | null;
}

export interface Explained {
  readonly params: object;
  /** What is wrong with the value by the closest alternative. */
  readonly children: readonly Finding[];
}

export interface SiteList {
  at(site: number): Site;
}

export interface Errors {
  readonly rows: RowList;
  readonly sites: SiteList;
  readonly inDefaults: readonly InDefault[];
}

interface OneError {
  readonly site: Site;
  readonly facts: SchemaFacts;
  /** The value that it is about. Reading it may take time. */
  readonly about: { readonly value: unknown };
}

/** Index of the bytes that a row's finding shows. */
export function shownAt({ rows, sites }: Errors, row: number): number {
  const isName = !isInDefault(rows, row) && sites.at(rows.get(row, SITE)).anchor === 'name';
  return rows.get(row, isName ? A : START);
}

/** True for violations by a number that are found only because it is beyond the range of a double. */
export function judgesNumber({ rule, params }: SchemaFacts): boolean {
  if (rule !== 'type') return rowOf(rule).yieldsToType === true || rowOf(rule).judgesAll === true;
  const { expected } = params;
  const types = typeof expected === 'string' ? [expected] : expected;
  return types.includes('number') || types.includes('integer');
}

/** What the bytes show of one error. */
function seenAt({ rows }: Errors, row: number, bytes: Buffer): Seen {
  const a = rows.get(row, A);
  const b = rows.get(row, B);
  return {
    type: typeAt(bytes, rows.get(row, START)),
    name: () => decodeString(bytes, a, b, bytes.subarray(a, b).includes(0x5c)),
    items: [a, b],
  };
}

/** The finding for a row with the place in `followed`. */
export function schemaFinding(errors: Errors, row: number, followed: Followed, context: FindingContext): Finding {
  const { rows, sites } = errors;
  const site = sites.at(rows.get(row, SITE));
  const facts = completed(site.facts, seenAt(errors, row, context.bytes));
  const value = valueSpan(errors, row);
  const span = shownSpan(errors, row);
  return finding({ site, facts, about: followed }, followed.pointer, { span, value }, context);
}

function valueSpan({ rows }: Errors, row: number): Span {
  return { start: rows.get(row, START), end: rows.get(row, END) };
}

/** The span of the finding for a row about a value in the bytes. */
export function shownSpan(errors: Errors, row: number): Span {
  const { rows, sites } = errors;
  const { anchor } = sites.at(rows.get(row, SITE));
  if (anchor === 'name') return { start: rows.get(row, A), end: rows.get(row, B) };
  const value = valueSpan(errors, row);
  return anchor === 'opening' ? opening(value) : value;
}

/** The finding for a row about a value that is not in the bytes: it has the place of the payload. */
export function findingInDefault(errors: Errors, row: number, context: FindingContext): Finding {
  const { rows, sites, inDefaults } = errors;
  const site = sites.at(rows.get(row, SITE));
  const { pointer, data, facts } = inDefaults[rows.get(row, A)]!;
  const name = nameIn(facts);
  const below = name === null ? '' : `/${escapeToken(name)}`;
  const span = site.anchor === 'opening' ? opening(context.span) : context.span;
  return finding({ site, facts, about: { value: data } }, pointer + below, { span, value: undefined }, context);
}

/** `value`: undefined if it is not in the bytes. */
function finding(
  error: OneError,
  pointer: string,
  { span, value }: { readonly span: Span; readonly value: Span | undefined },
  context: FindingContext,
): Finding {
  const { about, site } = error;
  const explained = explain(error, pointer, value, context);
  const more = explained && { params: { ...error.facts.params, ...explained.params } };
  const facts = { ...error.facts, ...more } as SchemaFacts; // those of the rule
  const { children = [] } = explained ?? {};
  const name = nameIn(facts);
  const found = name === null ? foundValue(about, value, context) : foundName(name, context);
  const near = context.suggests ? suggestion(facts, new LazyAbout(about, site.properties)) : null;
  let message = messageOfCaller(error, pointer, context) || sentence(facts, found);
  if (facts.rule === 'false' && site.member !== null)
    message = `the member ${schemaText(site.member)} is not allowed here`;
  if (facts.rule === 'format')
    message += whyNotIn(facts.params.format, context.redact ? undefined : about.value, site.example === null);
  if (site.example !== null) message += `; an example is ${site.example}`;
  if (site.ofName !== null && name !== null) message += reasonsFor(site.ofName, name, context);
  const misspelt = context.redact ? undefined : near?.found;
  if (misspelt !== undefined) message += `; there is ${quote(misspelt)}`;
  if (site.reason !== undefined) message += `; the schema asks for this ${site.reason}`;
  const { rule, params } = context.redact ? withoutText(facts) : facts;
  return {
    rule,
    pointer,
    span,
    params,
    schema: site.schema,
    fixable: site.fix === 'fill',
    ...(site.fix === null || site.fix === 'fill' ? {} : { fix: site.fix }),
    message,
    suggestion: near?.suggestion ?? null,
    ...(misspelt === undefined ? {} : { misspelt }),
    ...(children.length === 0 ? {} : { children }),
  } as Finding; // the params are of the rule
}

/** What the caller's function says, asked once more: few violations are shown. '': nothing, or it must not be shown. */
function messageOfCaller({ site, about }: OneError, pointer: string, { redact, base = '' }: FindingContext): string {
  if (site.caller === null || redact) return '';
  const answer = answerOf(site.caller, about.value, base + pointer);
  return answer === true ? '' : visible(answer);
}

/** Why a schema does not allow a name, as the end of a message. */
function reasonsFor(schema: Schema, name: string, context: FindingContext): string {
  const seen: Seen = { type: 'string', name: () => name, items: [0, 0] };
  const found = foundName(name, context);
  const facts = context.explainName?.(schema, name) ?? [];
  const reasons = new Set(
    facts.map((one) => {
      const why = one.rule === 'format' ? whyNotIn(one.params.format, context.redact ? undefined : name, true) : '';
      return sentence(completed(one, seen), found) + why;
    }),
  );
  return reasons.size === 0 ? '' : `: ${[...reasons].join('; ')}`;
}

/** Null: it is not about alternatives, or there is nothing more to say. */
function explain(
  { site: { choice }, about }: OneError,
  pointer: string,
  span: Span | undefined,
  context: FindingContext,
): Explained | null {
  if (choice === null || context.explain === undefined) return null;
  return context.explain({
    choice,
    value: about.value,
    span,
    pointer,
    context,
    childBudget: context.childBudget ?? null,
  });
}

function opening(value: Span): Span {
  return { start: value.start, end: value.start + 1 };
}

function foundName(name: string, context: FindingContext): Found {
  return { type: 'string', text: context.redact ? null : quote(name), measured: (measure) => measure(name) };
}

/** `span`: undefined for a value that was filled in: it is not in the payload's text. */
function foundValue(about: OneError['about'], span: Span | undefined, context: FindingContext): Found {
  const type = span === undefined ? jsonType(about.value) : typeAt(context.bytes, span.start);
  let text: string | null = null;
  if (!context.redact) {
    if (type === 'string') text = quote(about.value as string);
    else if (type === 'number' && span !== undefined) text = numberText(context.bytes, span);
    else if (type === 'number' || type === 'boolean') text = String(about.value);
  }
  return { type, text, measured: (measure) => measure(about.value) };
}

function typeAt(bytes: Buffer, start: number): JsonType {
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

/** A class, because V8 makes object literals with a getter slowly. */
class LazyAbout implements About {
  readonly properties: About['properties'];
  readonly #about: OneError['about'];

  constructor(about: OneError['about'], properties: About['properties']) {
    this.properties = properties;
    this.#about = about;
  }

  get value(): unknown {
    return this.#about.value;
  }
}
