/**
 * A payload of no kind: the member that decides the kind, its value, what was probably meant, and whether the payload
 * is a common mistake: a wrapped payload, or a JSON Schema.
 */
import { locate } from '../../json/locate.ts';
import { memoizedWeakly } from '../../json/on-demand.ts';
import { atPointer, escapeToken } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { writtenIn } from '../../keywords/values.ts';
import { decidingMembers, lookedAt, valuesOf } from '../../schema/facts.ts';
import type { Kind } from '../../schema/set.ts';
import type { Finding, Span } from '../../types.ts';
import { nearMiss } from '../../words/near.ts';
import { showsText, type Wording } from '../../words/rule.ts';
import type { Mistake } from '../../words/unknown-kind-sentence.ts';
import { jsonType } from '../../words/value-text.ts';
import { builtin } from './payload-findings.ts';

export interface Unknown {
  readonly value: unknown;
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: Span;
  readonly isElement: boolean;
  readonly isPayload: (value: unknown) => boolean;
}

/** The finding for a payload that passes the test of none of `kinds`. */
export function unknownKind(kinds: readonly Kind[], unknown: Unknown, wording: Wording): Finding {
  const { value, bytes, span } = unknown;
  const at = isJsonObject(value) ? decidingMembers(kinds).find((name) => Object.hasOwn(value, name)) : undefined;
  if (at !== undefined) {
    const pointer = `/${escapeToken(at)}`;
    const place = locate(bytes, span.start, span.end, [pointer]).get(pointer)?.value ?? span;
    const other = misspelt(kinds, () => Object.keys(value as JsonObject));
    const member = { name: at, value: (value as JsonObject)[at], span: place, misspelt: other };
    return wrongMember(kinds, member, wording);
  }
  const { members, expected, params } = lookedFor(kinds);
  const mistake = mistakeOf(unknown, wording);
  const near = mistake === null && isJsonObject(value) ? missingName(members.keys(), Object.keys(value)) : null;
  const meant = meantBy(near, wording);
  const found = { type: jsonType(value), member: null, text: null, near: meant.misspelt ?? null };
  const shown = { ...params, ...mistakeParams(mistake) };
  const finding = builtin('unknown-kind', { expected, found, mistake }, span, { params: shown });
  return { ...finding, ...meant };
}

/** What is said of a near miss. */
function meantBy(near: Misspelt | null, wording: Wording): Partial<Misspelt> {
  return near === null || showsText(wording) ? { ...near } : { suggestion: near.suggestion };
}

/** A member of the payload with a name similar to that of a member whose presence decides a kind. */
export interface Misspelt {
  readonly misspelt: string;
  readonly suggestion: string;
}

/** The first such member in `names`, which are all names of the payload. */
export function misspelt(kinds: readonly Kind[], names: () => readonly string[]): Misspelt | null {
  const { alone } = lookedFor(kinds);
  return alone.length === 0 ? null : missingName(alone, names());
}

/** The finding for a payload that has no kind because of a member's value. `misspelt`: perhaps the mistake is this one. */
export function wrongMember(
  kinds: readonly Kind[],
  member: { readonly name: string; readonly value: unknown; readonly span: Span; readonly misspelt: Misspelt | null },
  wording: Wording,
): Finding {
  const { name, value, span, misspelt } = member;
  const { expected, params } = lookedFor(kinds);
  const { allowed, written } = expected.find((one) => one.name === name)!; // it decides the kind
  const text = typeof value === 'string' ? value : null;
  const suggestion = text === null ? null : nearValue(text, allowed);
  const meant: Partial<Misspelt> = suggestion === null ? meantBy(misspelt, wording) : { suggestion };
  const said = showsText(wording) ? text : null;
  const found = { type: jsonType(value), member: name, text: said, near: meant.misspelt ?? null };
  const pointer = `/${escapeToken(name)}`;
  const shown = { ...params, allowed, ...(written === undefined ? {} : { written }) };
  const finding = builtin('unknown-kind', { expected, found, mistake: null }, span, { params: shown, pointer });
  return { ...finding, ...meant };
}

/** What the kinds look for, as facts and params. Made once, because every payload of a source may be of no kind. */
const lookedFor = memoizedWeakly((kinds: readonly Kind[]) => {
  const members = lookedAt(kinds);
  const exact = lookedAt(kinds, valuesOf);
  const expected = [...members].map(([name, allowed]) => ({
    name,
    allowed,
    ...writtenIn(exact.get(name)!), // the same members
  }));
  // The names of those whose presence decides.
  const alone = expected.filter(({ allowed }) => allowed.length === 0).map(({ name }) => name);
  const params = { kinds: kinds.map((kind) => kind.name), members: [...members.keys()] };
  return { members, alone, expected, params };
});

/** A similar allowed value, also by the last part of names such as `https://schema.org/Article` or `schema:Article`. */
function nearValue(text: string, allowed: readonly unknown[]): string | null {
  const words = allowed.filter((word) => typeof word === 'string');
  const local = text.slice(Math.max(...['/', '#', ':'].map((mark) => text.lastIndexOf(mark))) + 1);
  return words.find((word) => word === local) ?? nearMiss(local, words);
}

/** The missing member that decides the kind, if the payload has a similar name instead. */
function missingName(members: Iterable<string>, names: readonly string[]): Misspelt | null {
  for (const name of members) {
    const found = nearMiss(name, names);
    if (found !== null) return { suggestion: name, misspelt: found };
  }
  return null;
}

function mistakeOf(unknown: Unknown, wording: Wording): Mistake | null {
  if (isJsonSchema(unknown.value)) return { is: 'schema' };
  const own = ownOutput(unknown.value);
  if (own !== null) return { is: own };
  const mistake = wrapped(unknown);
  return mistake === null || showsText(wording) ? mistake : { ...mistake, pointer: null };
}

/** The facts that a report may show. */
function mistakeParams(mistake: Mistake | null): Readonly<Record<string, unknown>> {
  if (mistake === null) return {};
  if (mistake.is !== 'wrapped') return { mistake: mistake.is };
  const { pointer, jq } = mistake;
  if (pointer === null) return { mistake: 'wrapped' };
  return { mistake: 'wrapped', wrapped: pointer, ...(jq === null ? {} : { jq }) };
}

function isJsonSchema(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { $schema, properties, $defs, definitions } = value;
  if (typeof $schema === 'string' && $schema.includes('json-schema.org/')) return true;
  const keywords = ['type', 'required', '$id', 'additionalProperties', 'oneOf', 'anyOf', 'allOf', '$ref'];
  const isPart = [properties, $defs, definitions].some(isJsonObject);
  return isPart && keywords.some((keyword) => Object.hasOwn(value, keyword));
}

/** Output of paylint, recognized by members that no payload has together; null: it is something else. */
function ownOutput(value: unknown): 'report' | 'baseline' | null {
  if (!isJsonObject(value)) return null;
  const has = (names: string): boolean => names.split(' ').every((name) => Object.hasOwn(value, name));
  if (value.format === 'paylint-baseline') return 'baseline';
  if (has('file pointer rule count') && Object.keys(value).length === 4) return 'baseline';
  const members = typeof value.type === 'string' ? REPORT_LINES.get(value.type) : undefined;
  if (members !== undefined && has(members)) return 'report';
  const runs: readonly unknown[] = Array.isArray(value.runs) ? value.runs : [];
  if (runs.length > 0 && atPointer(runs[0], '/tool/driver/name') === 'paylint') return 'report';
  return has('violations failures sources summary') || has('check_name fingerprint location') ? 'report' : null;
}

/** By the type of a line of an `ndjson` report: some of its members. */
const REPORT_LINES: ReadonlyMap<string, string> = new Map([
  ['violation', 'file pointer rule message'],
  ['failure', 'file message'],
  ['fill', 'file pointer'],
  ['source', 'file payloads valid invalid'],
  ['summary', 'sources payloads valid invalid'],
]);

/** Levels of objects and arrays that are searched for payloads, and members or elements per object or array. */
const LEVELS = 3;
const MEMBERS = 50;
const ELEMENTS = 3;

interface Path {
  readonly value: unknown;
  /** Names of members; null for all elements. */
  readonly steps: readonly (string | null)[];
}

/** The place of payloads in the value, if there are any; the one nearest to the root. */
function wrapped({ value, isElement, isPayload }: Unknown): Extract<Mistake, { is: 'wrapped' }> | null {
  let level: Path[] = [{ value, steps: [] }];
  for (let i = 0; i < LEVELS; i++) {
    level = level.flatMap(stepsInto);
    const hit = level.find((path) => typeof path.value === 'object' && isPayload(path.value));
    if (hit === undefined) continue;
    const pointer = hit.steps.map((step) => `/${step === null ? '*' : escapeToken(step)}`).join('');
    const isMany = hit.steps.includes(null);
    return { is: 'wrapped', pointer, isMany, jq: jqProgram(isElement ? [null, ...hit.steps] : hit.steps) };
  }
  return null;
}

function stepsInto({ value, steps }: Path): Path[] {
  if (Array.isArray(value))
    return value.slice(0, ELEMENTS).map((element: unknown) => ({ value: element, steps: [...steps, null] }));
  if (!isJsonObject(value)) return [];
  const names = Object.keys(value).slice(0, MEMBERS);
  return names.map((name) => ({ value: value[name], steps: [...steps, name] }));
}

/** A program for jq, in single quotes for a shell; null if a name could be special in a shell or in jq. */
function jqProgram(steps: readonly (string | null)[]): string | null {
  if (!steps.every((step) => step === null || /^[\w@.:-]{1,64}$/.test(step))) return null;
  const parts = steps.map((step) => {
    if (step === null) return '[]';
    return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `["${step}"]`;
  });
  const program = parts.join('');
  return program.startsWith('[') ? `.${program}` : program;
}
