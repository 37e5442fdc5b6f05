/**
 * What Ajv says, as findings: which rule, where exactly, the facts, the words, and what was probably meant.
 */

import { type Located, locate } from '../json/locate.ts';
import { escapeToken } from '../json/pointer.ts';
import type { ErrorObject } from '../schema/compile.ts';
import { isSchemaObject, type SchemaSet } from '../schema/load.ts';
import type { Finding, Hidden, Params, Rule, Span } from '../types.ts';
import { quote } from '../words/escape.ts';
import { type Found, type JsonType, sentence } from '../words/message.ts';
import { nearMiss } from '../words/near.ts';
import { withoutBranches } from './branches.ts';

export interface FindingContext {
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: Span;
  /** What the schemas refer to. */
  readonly set: SchemaSet;
  /** Where each subschema stands, for `Finding.schema`. */
  readonly locations: ReadonlyMap<object, string>;
  readonly redact: boolean;
  /** Pointers of values that are already reported as unusable, and whose value Ajv cannot judge. */
  readonly spoiled: ReadonlySet<string>;
}

/** One error of Ajv's, in our terms. */
interface Fact {
  readonly error: ErrorObject;
  readonly rule: Rule;
  readonly pointer: string;
  /** Which bytes of the value at `pointer` are shown: all, its opening bracket, or the name of the member. */
  readonly anchor: 'value' | 'opening' | 'name';
  readonly params: Params;
}

/** Rules that are not reported of a value whose type is wrong already. */
const OF_THE_RIGHT_TYPE = new Set(
  (
    'enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format ' +
    'minItems maxItems minProperties maxProperties'
  ).split(' '),
);

/** Rules whose alternatives may be about the type. */
const OF_ANY_VALUE = new Set(['anyOf', 'oneOf', 'not']);

/** Findings for all of `errors`, spans in `context.bytes`. In no particular order. */
export function schemaFindings(errors: readonly ErrorObject[], context: FindingContext): Finding[] {
  const facts = ownErrors(errors, context).map(factOf);
  const { bytes, span } = context;
  const places = locate(
    bytes,
    span.start,
    span.end,
    facts.map((fact) => fact.pointer),
  );
  return facts.map((fact) => finding(fact, places.get(fact.pointer), context));
}

/** All of `errors`, as far as they are counted. In no particular order. */
export function hiddenFindings(errors: readonly ErrorObject[], context: FindingContext): Hidden[] {
  return ownErrors(errors, context).map((error) => ({ rule: ruleOf(error), fixable: isFixable(error) }));
}

/** The errors that are violations of their own. */
function ownErrors(errors: readonly ErrorObject[], { set, spoiled }: FindingContext): readonly ErrorObject[] {
  const own = withoutBranches(errors, set);
  const wrongType = new Set<string>();
  for (const { keyword, instancePath } of own) if (keyword === 'type') wrongType.add(instancePath);
  if (wrongType.size + spoiled.size === 0) return own;
  return own.filter((error) => {
    const { keyword, instancePath } = error;
    if (wrongType.has(instancePath) && OF_THE_RIGHT_TYPE.has(keyword)) return false;
    return !(spoiled.has(instancePath) && judgesNumber(error));
  });
}

function ruleOf({ keyword }: ErrorObject): Rule {
  return keyword === 'false schema' ? 'false' : keyword;
}

/** A missing member is mended by `fill` where the same schema gives a default for it. */
function isFixable(error: ErrorObject): boolean {
  if (error.keyword !== 'required') return false;
  const name: unknown = error.params.missingProperty;
  const properties = error.parentSchema?.properties;
  const member: unknown =
    isSchemaObject(properties) && Object.hasOwn(properties, String(name))
      ? properties[String(name)]
      : undefined;
  return isSchemaObject(member) && member.default !== undefined;
}

/** True for what Ajv says of a number only because it is beyond the range of a double. */
function judgesNumber({ keyword, params }: ErrorObject): boolean {
  if (keyword !== 'type') return OF_THE_RIGHT_TYPE.has(keyword) || OF_ANY_VALUE.has(keyword);
  const types: unknown[] = Array.isArray(params.type) ? params.type : [params.type];
  return types.includes('number') || types.includes('integer');
}

function factOf(error: ErrorObject): Fact {
  const { keyword, instancePath: pointer, params } = error;
  const rule = ruleOf(error);
  const at = (anchor: Fact['anchor'], facts: Params): Fact => ({
    error,
    rule,
    pointer,
    anchor,
    params: facts,
  });
  const member = (name: string, facts: Params): Fact => ({
    error,
    rule,
    pointer: `${pointer}/${escapeToken(name)}`,
    anchor: 'name',
    params: facts,
  });
  switch (keyword) {
    case 'required':
      return at('opening', { missing: params.missingProperty });
    case 'dependentRequired':
    case 'dependencies':
      return at('opening', { missing: params.missingProperty, because: params.property });
    case 'additionalProperties':
      return member(params.additionalProperty, { additional: params.additionalProperty });
    case 'unevaluatedProperties':
      return member(params.unevaluatedProperty, { additional: params.unevaluatedProperty });
    case 'propertyNames':
      return member(params.propertyName, { name: params.propertyName });
    case 'type':
      return at('value', { expected: params.type, found: jsonType(error.data) });
    case 'enum':
      return at('value', { allowed: params.allowedValues });
    case 'const':
      return at('value', { allowed: [params.allowedValue] });
    case 'multipleOf':
      return at('value', { divisor: params.multipleOf });
    case 'uniqueItems':
      return at('value', { first: params.j, second: params.i });
    case 'oneOf':
      return at('value', { passing: params.passingSchemas });
    case 'false schema':
      return at('value', {});
    case 'pattern':
    case 'format':
      return at('value', params);
    case 'contains':
      return at('value', params);
    default:
      return at('value', 'limit' in params ? { limit: params.limit } : {});
  }
}

function finding(fact: Fact, located: Located | undefined, context: FindingContext): Finding {
  const { error, rule, pointer } = fact;
  const value = located?.value ?? context.span;
  const span =
    fact.anchor === 'name' ? (located?.name ?? value) : fact.anchor === 'opening' ? opening(value) : value;
  const found =
    fact.anchor === 'name'
      ? foundName(fact.params, context)
      : foundValue(error.data, located?.value, context);
  const near = suggestion(fact);
  let message = sentence(rule, fact.params, found);
  if (near?.found !== undefined && !context.redact) message += `; there is ${quote(near.found)}`;
  return {
    rule,
    pointer,
    span,
    params: context.redact ? withoutPayloadText(fact) : fact.params,
    schema: schemaLocation(error, context.locations),
    fixable: isFixable(error),
    message,
    suggestion: near?.suggestion ?? null,
  };
}

function opening(value: Span): Span {
  return { start: value.start, end: value.start + 1 };
}

/** The facts that are payload text. */
function withoutPayloadText(fact: Fact): Params {
  return fact.anchor === 'name' ? {} : fact.params;
}

function foundName(params: Params, context: FindingContext): Found {
  const name = String(params.additional ?? params.name);
  return { type: 'string', text: context.redact ? null : quote(name), size: name.length };
}

/** `span`: undefined for a value that is not in the payload's text, for it was filled in. */
function foundValue(data: unknown, span: Span | undefined, context: FindingContext): Found {
  const type = jsonType(data);
  let text: string | null = null;
  if (!context.redact) {
    if (type === 'string') text = quote(data as string);
    else if (type === 'number') text = span === undefined ? String(data) : numberText(context.bytes, span);
    else if (type === 'boolean') text = String(data);
  }
  return { type, text, size: sizeOf(data) };
}

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

function schemaLocation(error: ErrorObject, locations: ReadonlyMap<object, string>): string {
  const place = isSchemaObject(error.parentSchema) ? locations.get(error.parentSchema) : undefined;
  if (place === undefined) return error.schemaPath.replace(/\/false schema$/, '');
  return error.keyword === 'false schema' ? place : `${place}/${escapeToken(error.keyword)}`;
}

/** The schema's word that was probably meant and, for a missing member, the payload's word that stands there. */
function suggestion(fact: Fact): { suggestion: string; found?: string } | null {
  const { error, rule, params } = fact;
  const properties = isSchemaObject(error.parentSchema?.properties) ? error.parentSchema.properties : {};
  if (rule === 'enum' || rule === 'const') {
    if (typeof error.data !== 'string') return null;
    const words = (params.allowed as unknown[]).filter((word) => typeof word === 'string');
    return asSuggestion(nearMiss(error.data, words));
  }
  if (rule === 'additionalProperties' && isSchemaObject(error.data)) {
    const { data } = error;
    const absent = Object.keys(properties).filter((name) => !Object.hasOwn(data, name));
    return asSuggestion(nearMiss(String(params.additional), absent));
  }
  if (rule === 'required' && isSchemaObject(error.data)) {
    const strangers = Object.keys(error.data).filter((name) => !Object.hasOwn(properties, name));
    const stranger = nearMiss(String(params.missing), strangers);
    return stranger === null ? null : { suggestion: String(params.missing), found: stranger };
  }
  return null;
}

function asSuggestion(word: string | null): { suggestion: string } | null {
  return word === null ? null : { suggestion: word };
}
