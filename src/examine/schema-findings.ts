/**
 * Ajv's errors as findings: the rule, the exact place, the facts, the message, and what was probably meant.
 */

import type { Followed } from '../json/follow.ts';
import { escapeToken } from '../json/pointer.ts';
import { decodeString } from '../json/scan.ts';
import type { ErrorObject } from '../schema/compile.ts';
import { isSchemaObject } from '../schema/load.ts';
import type { Finding, Params, Rule, Span } from '../types.ts';
import { quote } from '../words/escape.ts';
import { type Found, type JsonType, sentence } from '../words/message.ts';
import { nearMiss } from '../words/near.ts';
import { removeBranches } from './branches.ts';
import type { Elsewhere } from './error-log.ts';
import { Marks } from './marks.ts';
import { A, B, END, isElsewhere, type Records, type RowList, SITE, START } from './records.ts';
import type { Site, Sites } from './sites.ts';

export interface FindingContext {
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: Span;
  /** Where each subschema is, for `Finding.schema`. */
  readonly locations: ReadonlyMap<object, string>;
  readonly redact: boolean;
  /** Whether to search for what was probably meant. That takes far longer than the rest. */
  readonly suggests: boolean;
}

/** The sites of rows, by number. */
export interface SiteList {
  at(site: number): Site;
}

/** The errors of one payload. */
export interface Errors {
  readonly rows: RowList;
  readonly sites: SiteList;
  readonly elsewhere: readonly Elsewhere[];
}

/** Errors that can be removed again. */
export interface RecordedErrors extends Errors {
  readonly rows: Records;
  readonly sites: Sites;
}

/** One error of Ajv. */
interface Fact {
  readonly site: Site;
  readonly rule: Rule;
  readonly params: Params;
  /** What it is about. To get the value may take time. */
  readonly about: { readonly value: unknown };
}

/** Rules that are not reported for a value of the wrong type. */
const OF_THE_RIGHT_TYPE = new Set(
  (
    'enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format ' +
    'minItems maxItems minProperties maxProperties'
  ).split(' '),
);

/** Rules whose alternatives may be about the type. */
const OF_ANY_VALUE = new Set(['anyOf', 'oneOf', 'not']);

/** Removes the errors that are not violations of their own. `spoiled`: starts of numbers beyond a double, which are already reported. */
export function keepOwn(
  { rows, sites, elsewhere }: RecordedErrors,
  spoiled: Iterable<number>,
  span: Span,
): void {
  removeBranches(rows, sites, elsewhere);
  const wrongType = new Marks(span);
  const wrongElsewhere = new Set<string>();
  const unusable = new Marks(span);
  for (const start of spoiled) unusable.add(start);
  for (let row = 0; row < rows.length; row++) {
    if (sites.at(rows.get(row, SITE)).keyword !== 'type') continue;
    if (isElsewhere(rows, row)) wrongElsewhere.add(elsewhere[rows.get(row, A)]!.pointer);
    else wrongType.add(rows.get(row, START));
  }
  if (wrongType.isEmpty && unusable.isEmpty && wrongElsewhere.size === 0) return;
  let kept = 0;
  for (let row = 0; row < rows.length; row++) {
    const site = sites.at(rows.get(row, SITE));
    const isOfRightType = OF_THE_RIGHT_TYPE.has(site.keyword);
    const start = rows.get(row, START);
    if (isElsewhere(rows, row)) {
      if (isOfRightType && wrongElsewhere.has(elsewhere[rows.get(row, A)]!.pointer)) continue;
    } else if ((isOfRightType && wrongType.has(start)) || (judgesNumber(site) && unusable.has(start)))
      continue;
    if (kept < row) rows.copy(kept, rows, row);
    kept++;
  }
  rows.truncate(kept);
}

/** Index in the bytes of what a row's finding shows. */
export function shownAt({ rows, sites }: Errors, row: number): number {
  const isName = !isElsewhere(rows, row) && sites.at(rows.get(row, SITE)).anchor === 'name';
  return rows.get(row, isName ? A : START);
}

/** True for errors about a number that Ajv gives only because it is beyond the range of a double. */
function judgesNumber({ keyword, params }: Site): boolean {
  if (keyword !== 'type') return OF_THE_RIGHT_TYPE.has(keyword) || OF_ANY_VALUE.has(keyword);
  const types: unknown[] = Array.isArray(params.type) ? params.type : [params.type];
  return types.includes('number') || types.includes('integer');
}

/** The facts as reports have them; `params`: as Ajv has them. */
function factsOf(site: Site, params: ErrorObject['params'], found: JsonType): Params {
  switch (site.keyword) {
    case 'required':
      return { missing: params.missingProperty };
    case 'dependentRequired':
    case 'dependencies':
      return { missing: params.missingProperty, because: params.property };
    case 'additionalProperties':
      return { additional: params.additionalProperty };
    case 'unevaluatedProperties':
      return { additional: params.unevaluatedProperty };
    case 'propertyNames':
      return { name: params.propertyName };
    case 'type':
      return { expected: params.type, found };
    case 'enum':
      return { allowed: params.allowedValues };
    case 'const':
      return { allowed: [params.allowedValue] };
    case 'multipleOf':
      return { divisor: params.multipleOf };
    case 'uniqueItems':
      return { first: params.j, second: params.i };
    case 'oneOf':
      return { passing: params.passingSchemas };
    case 'false schema':
      return {};
    case 'pattern':
    case 'format':
    case 'contains':
      return params;
    default:
      return 'limit' in params ? { limit: params.limit } : {};
  }
}

/** The parts of Ajv's error that a row of numbers keeps. */
function paramsOf({ rows }: Errors, row: number, site: Site, bytes: Buffer): ErrorObject['params'] {
  const a = rows.get(row, A);
  const b = rows.get(row, B);
  if (site.keyword === 'uniqueItems') return { j: a, i: b };
  if (site.anchor !== 'name') return site.params;
  const name = decodeString(bytes, a, b, bytes.subarray(a, b).includes(0x5c));
  return { additionalProperty: name, unevaluatedProperty: name, propertyName: name };
}

/** The finding for a row with the place in `followed`. */
export function schemaFinding(
  errors: Errors,
  row: number,
  followed: Followed,
  context: FindingContext,
): Finding {
  const { rows, sites } = errors;
  const site = sites.at(rows.get(row, SITE));
  const type = typeAt(context.bytes, rows.get(row, START));
  const params = factsOf(site, paramsOf(errors, row, site, context.bytes), type);
  const value = { start: rows.get(row, START), end: rows.get(row, END) };
  const name = { start: rows.get(row, A), end: rows.get(row, B) };
  const span = site.anchor === 'name' ? name : site.anchor === 'opening' ? opening(value) : value;
  return finding(
    { site, rule: site.rule, params, about: followed },
    followed.pointer,
    { span, value },
    context,
  );
}

/** The finding for a row about a value that is not in the bytes: it has the place of the payload. */
export function elsewhereFinding(errors: Errors, row: number, context: FindingContext): Finding {
  const { rows, sites, elsewhere } = errors;
  const site = sites.at(rows.get(row, SITE));
  const { pointer, data, params } = elsewhere[rows.get(row, A)]!;
  const facts = factsOf(site, params, jsonType(data));
  const isName = site.anchor === 'name';
  const below = isName ? `/${escapeToken(String(facts.additional ?? facts.name))}` : '';
  const span = site.anchor === 'opening' ? opening(context.span) : context.span;
  return finding(
    { site, rule: site.rule, params: facts, about: { value: data } },
    pointer + below,
    { span, value: undefined },
    context,
  );
}

/** `value`: undefined if it is not in the bytes. */
function finding(
  fact: Fact,
  pointer: string,
  { span, value }: { readonly span: Span; readonly value: Span | undefined },
  context: FindingContext,
): Finding {
  const { site, rule, params, about } = fact;
  const isName = site.anchor === 'name';
  const found = isName ? foundName(params, context) : foundValue(about, value, context);
  const near = context.suggests ? suggestion(fact) : null;
  let message = sentence(rule, params, found);
  if (near?.found !== undefined && !context.redact) message += `; there is ${quote(near.found)}`;
  return {
    rule,
    pointer,
    span,
    // A name is payload text.
    params: context.redact && isName ? {} : params,
    schema: schemaLocation(site, context.locations),
    fixable: site.fix === 'fill',
    ...(site.fix === 'fill --deep' ? { fix: site.fix } : {}),
    message,
    suggestion: near?.suggestion ?? null,
  };
}

function opening(value: Span): Span {
  return { start: value.start, end: value.start + 1 };
}

function foundName(params: Params, context: FindingContext): Found {
  const name = String(params.additional ?? params.name);
  return { type: 'string', text: context.redact ? null : quote(name), size: name.length };
}

/** `span`: undefined for a value that was filled in, so that it is not in the payload's text. */
function foundValue(about: Fact['about'], span: Span | undefined, context: FindingContext): Found {
  const type = span === undefined ? jsonType(about.value) : typeAt(context.bytes, span.start);
  let text: string | null = null;
  if (!context.redact) {
    if (type === 'string') text = quote(about.value as string);
    else if (type === 'number' && span !== undefined) text = numberText(context.bytes, span);
    else if (type === 'number' || type === 'boolean') text = String(about.value);
  }
  return {
    type,
    text,
    // Few sentences need it, and counting a large object takes time.
    get size() {
      return sizeOf(about.value);
    },
  };
}

/** The type of the value that begins at index `start`. */
function typeAt(bytes: Buffer, start: number): JsonType {
  return TYPES[String.fromCharCode(bytes[start]!)] ?? 'number';
}

const TYPES: Readonly<Record<string, JsonType>> = {
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

export function jsonType(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** Strings are counted in code points, as JSON Schema does. */
function sizeOf(data: unknown): number {
  if (typeof data === 'string') {
    let size = 0;
    for (let i = 0; i < data.length; i += data.codePointAt(i)! > 0xffff ? 2 : 1) size++;
    return size;
  }
  if (Array.isArray(data)) return data.length;
  return typeof data === 'object' && data !== null ? Object.keys(data).length : 0;
}

function schemaLocation(site: Site, locations: ReadonlyMap<object, string>): string {
  const { keyword, parentSchema, schemaPath } = site;
  const place = isSchemaObject(parentSchema) ? locations.get(parentSchema) : undefined;
  if (place === undefined) return schemaPath.replace(/\/false schema$/, '');
  return keyword === 'false schema' ? place : `${place}/${escapeToken(keyword)}`;
}

/** In an object with more members, near misses are not searched. */
const MOST_MEMBERS = 1000;

const SUGGESTING = new Set<Rule>(['enum', 'const', 'additionalProperties', 'required']);

/** The schema's word that was probably meant and, for a missing member, the name that the payload has instead. */
function suggestion({
  site,
  rule,
  params,
  about,
}: Fact): { readonly suggestion: string; readonly found?: string } | null {
  if (!SUGGESTING.has(rule)) return null;
  const data = about.value;
  if (rule === 'enum' || rule === 'const') {
    if (typeof data !== 'string') return null;
    const words = (params.allowed as unknown[]).filter((word) => typeof word === 'string');
    return asSuggestion(nearMiss(data, words));
  }
  if (!isSchemaObject(data)) return null;
  const { parentSchema } = site;
  const known = isSchemaObject(parentSchema) ? parentSchema.properties : undefined;
  const properties = isSchemaObject(known) ? known : {};
  if (rule === 'additionalProperties') {
    const absent = Object.keys(properties).filter((name) => !Object.hasOwn(data, name));
    return asSuggestion(nearMiss(String(params.additional), absent));
  }
  const names = Object.keys(data);
  if (names.length > MOST_MEMBERS) return null;
  const strangers = names.filter((name) => !Object.hasOwn(properties, name));
  const stranger = nearMiss(String(params.missing), strangers);
  return stranger === null ? null : { suggestion: String(params.missing), found: stranger };
}

function asSuggestion(word: string | null): { suggestion: string } | null {
  return word === null ? null : { suggestion: word };
}
