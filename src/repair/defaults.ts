/**
 * The defaults of a set of schemas, with their text from the schema files; and, for `--deep`, the required objects
 * that defaults alone can make. Only `fill` refuses a default that its own schema does not allow: everything else
 * works as if that default were not there. What `fill` never fills in is explained: defaults that a kind leads to,
 * and members that are asked for and that no schema has.
 */

import type { Judge } from '../engine/judge/judge.ts';
import type { JudgedKinds } from '../engine/judge/judged-kinds.ts';
import type { Filling } from '../engine/judge/repaired.ts';
import type { AllowsDefault } from '../engine/judge/sites.ts';
import { isEndless, SchemaError, type SchemaFault, TooCostly } from '../errors.ts';
import { exactValue } from '../json/decimal.ts';
import { applyEdits, insertionsOf } from '../json/edits.ts';
import { locate } from '../json/locate.ts';
import { memoized, once } from '../json/on-demand.ts';
import { parsePointer } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import { located, schemaError } from '../schema/faults.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Span } from '../types.ts';
import { fillEdits } from './fill-edits.ts';
import { Filler } from './filler.ts';
import { certainIn, createMemberTexts, type MemberTexts, memberNames } from './insertion.ts';
import type { DefaultMap } from './wanted-defaults.ts';

/** The texts for members that are filled into payloads. */
function payloadMemberTexts({ nodes }: SchemaSet, defaults: DefaultMap): MemberTexts {
  const names = memberNames(nodes);
  const members = [...defaults].flatMap(([place, text]) => {
    const name = names.get(place);
    return name === undefined ? [] : [{ name, value: exactValue(text), text: () => text }];
  });
  return createMemberTexts(members, new Set(names.values()));
}

/**
 * Reads the defaults of all schemas in `set`. `deep`: every required object that its schema's defaults alone make valid gets a
 * default. `trusted`: the defaults are known to be valid. Throws SchemaError for defaults that their own schemas reject.
 */
export async function readDefaults(set: LoadedSchemas, deep: boolean, trusted: boolean): Promise<DefaultMap> {
  const own = defaultsIn(set);
  return isPlain(own, deep, trusted) ? own : checked(own, deep, await judgedSchemas(set));
}

/** The same, synchronously. */
export function readDefaultsWith(judge: Judge, set: LoadedSchemas, deep: boolean, trusted: boolean): DefaultMap {
  const own = defaultsIn(set);
  return isPlain(own, deep, trusted) ? own : checked(own, deep, schemasBy(judge, set));
}

/** Those that the kinds lead to, without those that `readDefaults` refuses. */
export async function readAllowedDefaults(all: LoadedSchemas, trusted: boolean): Promise<DefaultMap> {
  const set = { ...all, ...NONE_UNUSED };
  const own = defaultsIn(set);
  if (isPlain(own, false, trusted)) return own;
  const schemas = await judgedSchemas(set);
  return checked(without(own, refusedOf(own, schemas)), false, schemas);
}

/** Whether a member's default is not refused. `judge`: one that nothing else uses at the same time. */
export function allowsDefault(all: SchemaSet, judge: Judge): AllowsDefault {
  const made = once(() => {
    const schemas = schemasBy(judge, { ...all, ...NONE_UNUSED });
    const own = defaultsIn(schemas.set);
    return { schemas, own, check: filledCheck(schemas, own), refused: once(() => refusedOf(own, schemas)) };
  });
  return ({ origin: { place } }) => {
    const { schemas, own, check, refused } = made();
    const text = own.get(place);
    if (text === undefined) return false;
    const alone = new Map([[place, text]]);
    return judged(alone, schemas, check).refused.size === 0 || !refused().has(place);
  };
}

/** What no kind leads to can be at fault, too. It does not matter to payloads. */
const NONE_UNUSED = { unused: () => [] } as const;

/** True if the defaults need no check. */
function isPlain(own: DefaultMap, deep: boolean, trusted: boolean): boolean {
  return !deep && trusted && ![...own.values()].some((text) => /^[[{]/.test(text));
}

/** What the schemas say about values with their defaults filled in. */
interface SchemasToFill {
  readonly set: SchemaSet;
  readonly judge: Judge;
  /** All nodes, by place. */
  readonly nodes: ReadonlyMap<string, SchemaNode>;
}

function schemasBy(judge: Judge, set: SchemaSet): SchemasToFill {
  return { set, judge, nodes: new Map(allNodes(set).map((node) => [node.origin.place, node])) };
}

/** With a judge of their own. */
async function judgedSchemas(set: SchemaSet): Promise<SchemasToFill> {
  const { Judge, loadJudgeModules } = await import('../engine/judge/judge.ts');
  return schemasBy(new Judge(await loadJudgeModules(set)), set);
}

/** Checks the defaults, and fills in what is missing in them. Throws SchemaError for all that are refused. */
function checked(own: DefaultMap, deep: boolean, schemas: SchemasToFill): DefaultMap {
  const { set } = schemas;
  const texts = new Map(own);
  const findMade = (): string[] => (deep ? madeOf(set, texts, filledCheck(schemas, texts)) : []);
  for (let made = findMade(); made.length > 0; made = findMade()) for (const place of made) texts.set(place, '{}');
  const { values, refused } = judged(texts, schemas);
  if (refused.size > 0) throw schemaError(faultyDefaults(set, refusedOf(texts, schemas)));
  return finalTexts(set, texts, values);
}

/** The defaults that cannot be filled in, with the reason; not those that fail only for another one in them. */
function refusedOf(texts: DefaultMap, schemas: SchemasToFill): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (let left = texts; ; left = without(texts, all)) {
    const { refused } = judged(left, schemas);
    if (refused.size === 0) return all;
    const check = filledCheck(schemas, without(left, refused));
    const alone = judged(new Map([...left].filter(([place]) => refused.has(place))), schemas, check).refused;
    for (const [place, why] of alone.size > 0 ? alone : refused) all.set(place, why);
  }
}

function without(texts: DefaultMap, refused: ReadonlyMap<string, string>): DefaultMap {
  return new Map([...texts].filter(([place]) => !refused.has(place)));
}

/** By place: the values of the defaults, with the defaults in them filled in; and why others have none. */
function judged(texts: DefaultMap, schemas: SchemasToFill, check = filledCheck(schemas, texts)) {
  const values = new Map<string, unknown>();
  const refused = new Map<string, string>();
  for (const [place, text] of texts) {
    const value = exactValue(text);
    const why = whyNot(schemas.nodes.get(place)!, { text, value }, check); // texts are of nodes
    if (why === null) values.set(place, value);
    else refused.set(place, why);
  }
  return { values, refused };
}

/** Why a default cannot be filled in; null: it can, and its value has the defaults in it. */
function whyNot(
  node: SchemaNode,
  { text, value }: { readonly text: string; readonly value: unknown },
  check: FilledCheck,
): string | null {
  const bytes = Buffer.from(text);
  if (scan(bytes, 0, bytes.length, Number.POSITIVE_INFINITY).notes.length > 0) return 'it has a duplicate name';
  try {
    return check(node, value) ? null : 'the schema does not allow its own default';
  } catch (error) {
    if (error instanceof TooCostly || error instanceof SchemaError) return error.message;
    if (!isEndless(error)) throw error;
    return 'with the defaults within it, it has no end';
  }
}

/** Fills in `value`. Returns whether `schema` allows it then. Throws SchemaError, TooCostly, and endless errors. */
type FilledCheck = (schema: Schema, value: unknown) => boolean;

function filledCheck({ judge, set }: SchemasToFill, defaults: DefaultMap): FilledCheck {
  const filler = new Filler(judge, allNodes(set), defaults);
  return (schema, value) => {
    filler.fill(schema, value, NO_TEXT);
    return judge.judge(judge.stepOf(schema), value, NO_TEXT);
  };
}

const NO_TEXT = { size: 0 };

/** Values of every type except an object. */
const NO_OBJECTS = [null, true, 1, 'text', []];

/** The places of required objects without a default that are valid with the defaults in them. */
function madeOf(set: SchemaSet, defaults: DefaultMap, check: FilledCheck): string[] {
  const made = new Set<string>();
  for (const { required = [], properties = {} } of allNodes(set)) {
    for (const name of required) {
      const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isNode(member) || defaults.has(member.origin.place)) continue;
      // An object is not made if the schema allows another type.
      if (isValid(check, member, {}) && !NO_OBJECTS.some((value) => isValid(check, member, value)))
        made.add(member.origin.place);
    }
  }
  return [...made];
}

/** Objects that contain one another without end are never valid. */
function isValid(check: FilledCheck, schema: SchemaNode, value: unknown): boolean {
  try {
    return check(schema, structuredClone(value));
  } catch (error) {
    if (isEndless(error) || error instanceof SchemaError || error instanceof TooCostly) return false;
    throw error;
  }
}

/**
 * The texts to insert: as in the files, with missing members in them filled in, as in `values`. Members of the same name
 * and value have the same text everywhere, because a value does not tell where it came from.
 */
function finalTexts(set: SchemaSet, texts: DefaultMap, values: ReadonlyMap<string, unknown>): DefaultMap {
  const order = foundIn(set, texts.keys(), '').map(({ place }) => place);
  const names = memberNames(allNodes(set));
  const textOf = memoized((place: string): string => withMissing(texts.get(place)!, values.get(place), memberTexts));
  const members = order.flatMap((place) => {
    const name = names.get(place);
    return name === undefined ? [] : [{ name, value: values.get(place), text: () => textOf(place) }];
  });
  const memberTexts = createMemberTexts(members, new Set(names.values()));
  return new Map(
    order.map((place) => {
      const name = names.get(place);
      return [place, name === undefined ? textOf(place) : memberTexts.text(name, values.get(place))];
    }),
  );
}

/** `text` with the members that `value` has in addition. */
function withMissing(text: string, value: unknown, memberTexts: MemberTexts): string {
  const bytes = Buffer.from(text);
  const whole = { start: 0, end: bytes.length };
  const fills = fillEdits(bytes, whole, [exactValue(text), value], memberTexts);
  return Buffer.from(applyEdits(bytes, whole, 0, insertionsOf(fills))).toString();
}

/** How an examiner fills in defaults. */
export function createFilling(set: SchemaSet, { judge }: JudgedKinds, defaults: DefaultMap): Filling {
  const filler = new Filler(judge, set.nodes, defaults);
  const memberTexts = payloadMemberTexts(set, defaults);
  return {
    fill: ({ schema }, value, walked) => filler.fill(schema, value, walked),
    edits: (bytes, span, before, after) => fillEdits(bytes, span, [before, after], memberTexts),
  };
}

/** Every node of the files that can have a default, whether a kind leads to it or not. */
export function allNodes({ nodes, unused }: SchemaSet): readonly SchemaNode[] {
  const others = unused?.() ?? [];
  return others.length === 0 ? nodes : [...nodes, ...others];
}

/** The texts of all defaults in the files. */
export function defaultsIn(set: SchemaSet): DefaultMap {
  const having = allNodes(set).filter((node) => node.default !== undefined);
  const places = new Set(having.map(({ origin }) => origin.place));
  const found = foundIn(set, places, DEFAULT);
  return new Map(found.map(({ place, bytes, span }) => [place, bytes.toString('utf8', span.start, span.end)]));
}

const DEFAULT = '/default';

/** What the sentences say about the defaults of the schemas at the places; in file order. */
export function faultyDefaults(
  { documents = [], source }: SchemaSet,
  sentences: ReadonlyMap<string, string>,
): SchemaFault[] {
  const faults = [...sentences].map(([place, message]) => ({ place: `${place}${DEFAULT}`, message }));
  return located(faults, documents, source.options.called);
}

interface PlaceInFile {
  readonly place: string;
  readonly bytes: Buffer;
  readonly span: Span;
}

/** Where the schemas at `places`, or what is `below` them, are in the files; in file order. */
function foundIn({ documents = [] }: SchemaSet, places: Iterable<string>, below: string): PlaceInFile[] {
  const all = [...places];
  return documents.flatMap(({ name, bytes }) => {
    const here = all.filter((place) => place.startsWith(`${name}#`));
    const pointerOf = (place: string): string => `${place.slice(name.length + 1)}${below}`;
    const found = locate(bytes, 0, bytes.length, here.map(pointerOf));
    const inFile = here.flatMap((place) => {
      const span = found.get(pointerOf(place))?.value;
      return span === undefined ? [] : [{ place, bytes, span }];
    });
    return inFile.sort((a, b) => a.span.start - b.span.start);
  });
}

/** A sentence with its place for each of them, in file order. */
export function passedOver(set: LoadedSchemas): SchemaFault[] {
  const reached = new Set(set.nodes.map(({ origin }) => origin.place));
  const defaults = defaultsIn(set);
  const led = new Set(set.kinds.map(({ schema }) => schema).filter(isNode));
  for (const node of led) for (const next of certainIn(node)) led.add(next);
  const filled = memberNames([...led]);
  const passed = [...defaults.keys()].filter((place) => reached.has(place) && !filled.has(place));
  const files = set.documents.map(({ name }) => name);
  const sentenceFor = (place: string): string => {
    const file = files.find((name) => place.startsWith(`${name}#`))!; // the default was found in it
    return `this default is never filled in: ${reasonFor(place.slice(file.length + 1))}`;
  };
  return faultyDefaults(set, new Map(passed.map((place) => [place, sentenceFor(place)])));
}

/** Inside of these, nothing is filled in. */
const ALTERNATIVES = ['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames'];

/** Keywords whose value has schemas by name. */
const BY_NAME = new Set('properties patternProperties $defs definitions dependentSchemas dependencies'.split(' '));

/** Why a default directly below one of these keywords has no effect. */
const REASONS = new Map(
  Object.entries({
    properties: 'only alternatives and conditions lead to it',
    patternProperties: 'the member has no fixed name',
    additionalProperties: 'the member has no fixed name',
    unevaluatedProperties: 'the member has no fixed name',
    items: 'elements are not added',
    prefixItems: 'elements are not added',
    additionalItems: 'elements are not added',
    unevaluatedItems: 'elements are not added',
    $defs: 'it is behind a "$ref"; write it beside the "$ref"',
    definitions: 'it is behind a "$ref"; write it beside the "$ref"',
  }),
);

function reasonFor(pointer: string): string {
  const keywords = keywordsIn(parsePointer(pointer));
  const around = keywords.findLast((keyword) => ALTERNATIVES.includes(keyword));
  if (around !== undefined) return `it is inside "${around}"`;
  const last = keywords.at(-1);
  if (last === undefined) return 'it is that of the root, and only members are filled in';
  return REASONS.get(last) ?? `it is inside "${last}"; write it in the member's own schema`;
}

/** The keywords of a pointer, without the names and indexes below them. */
function keywordsIn(tokens: readonly string[]): string[] {
  const keywords: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    keywords.push(tokens[i]!);
    if (BY_NAME.has(tokens[i]!) || /^\d+$/.test(tokens[i + 1] ?? '')) i++;
  }
  return keywords;
}
