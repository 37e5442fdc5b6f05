/**
 * The defaults of a set of schemas, with their text from the schema files; and, for `--deep`, the required objects that
 * defaults alone can make.
 */

import { SchemaError, TooCostly } from '../errors.ts';
import { insertionsOf } from '../examine/fill-table.ts';
import type { Judge } from '../examine/judge/judge.ts';
import { applyEdits } from '../json/insertions.ts';
import { locate } from '../json/locate.ts';
import { scan } from '../json/scan.ts';
import { isEndless } from '../schema/error.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Span } from '../types.ts';
import { mustMatch, wantedOf } from './choose.ts';
import { fillEdits } from './fill-edits.ts';
import { Filler } from './filler.ts';
import { createMemberTexts, type MemberTexts, memberNames } from './member-texts.ts';
import type { DefaultMap } from './wanted-defaults.ts';
import type { Wish } from './wishes.ts';

/** The texts for members that are filled into payloads. */
export function payloadMemberTexts({ nodes }: SchemaSet, defaults: DefaultMap): MemberTexts {
  const names = memberNames(nodes);
  const members = [...defaults].flatMap(([place, text]) => {
    const name = names.get(place);
    return name === undefined ? [] : [{ name, value: JSON.parse(text) as unknown, text: () => text }];
  });
  return createMemberTexts(members, new Set(names.values()));
}

/**
 * Reads the defaults of all schemas in `set`. `deep`: every required object that its schema's defaults alone make valid
 * gets a default. `trusted`: the defaults are known to be valid. `wishes`: which defaults are wanted; if empty, all
 * are. Throws SchemaError for a default that its own schema rejects, and UsageError for a wish that matches none.
 */
export async function readDefaults(
  set: LoadedSchemas,
  deep: boolean,
  trusted: boolean,
  wishes: readonly Wish[] = [],
): Promise<DefaultMap> {
  const own = ownTexts(set);
  if (isPlain(own, deep, trusted)) return chosen(set, wishes, own);
  const { createJudge, loadJudgeModules } = await import('../examine/judged-kinds.ts');
  return checked(own, deep, wishes, { set, judge: createJudge(await loadJudgeModules(set)) });
}

/** The same, synchronously; all defaults are wanted. */
export function readDefaultsWith(
  judge: Judge,
  set: LoadedSchemas,
  deep: boolean,
  trusted: boolean,
): DefaultMap {
  const own = ownTexts(set);
  return isPlain(own, deep, trusted) ? own : checked(own, deep, [], { set, judge });
}

/** True if the defaults need no check. */
function isPlain(own: DefaultMap, deep: boolean, trusted: boolean): boolean {
  return !deep && trusted && [...own.values()].every(isScalar);
}

function isScalar(text: string): boolean {
  return !/^[[{]/.test(text);
}

/** Those that are wanted. */
function chosen(set: LoadedSchemas, wishes: readonly Wish[], defaults: DefaultMap): DefaultMap {
  mustMatch(set, wishes, defaults);
  return wantedOf(set, wishes, defaults);
}

/** What the schemas say about values with their defaults filled in. */
interface Schemas {
  readonly set: LoadedSchemas;
  readonly judge: Judge;
}

/** Checks the defaults, and fills in what is missing in them. */
function checked(
  own: DefaultMap,
  deep: boolean,
  wishes: readonly Wish[],
  { set, judge }: Schemas,
): DefaultMap {
  const texts = new Map(own);
  const checkNow = (): Check => new Check(judge, set, wantedOf(set, wishes, texts));
  let check = checkNow();
  let made = deep ? madeOf(set, texts, check) : [];
  while (made.length > 0) {
    for (const place of made) texts.set(place, '{}');
    check = checkNow();
    made = madeOf(set, texts, check);
  }
  return finalTexts(set, chosen(set, wishes, texts), check);
}

/** Fills in values, and judges them. */
class Check {
  readonly #judge: Judge;
  readonly #filler: Filler;

  constructor(judge: Judge, set: LoadedSchemas, defaults: DefaultMap) {
    this.#judge = judge;
    this.#filler = new Filler(judge, allNodes(set), defaults);
  }

  /**
   * Fills in `value`, and returns whether `schema` then allows it. Throws SchemaError, TooCostly, and errors for which
   * `isEndless` is true.
   */
  fits(schema: Schema, value: unknown): boolean {
    this.#filler.fill(schema, value, NO_TEXT);
    return this.#judge.judge(this.#judge.stepOf(schema), value, NO_TEXT);
  }
}

const NO_TEXT = { size: 0 };

/** The texts of the defaults in the files. */
function ownTexts(set: LoadedSchemas): DefaultMap {
  const texts = new Map<string, string>();
  const having = allNodes(set)
    .filter((node) => node.default !== undefined)
    .map(({ origin }) => origin.place);
  for (const { place, bytes, span } of foundIn(set, new Set(having), '/default')) {
    const { notes } = scan(bytes, span.start, span.end, Number.POSITIVE_INFINITY);
    if (notes.length > 0) throw refusal(place, 'it has a duplicate name');
    texts.set(place, bytes.toString('utf8', span.start, span.end));
  }
  return texts;
}

function allNodes(set: LoadedSchemas): readonly SchemaNode[] {
  const unused = set.unused();
  return unused.length === 0 ? set.nodes : [...set.nodes, ...unused];
}

interface PlaceInFile {
  /** Place of the schema. */
  readonly place: string;
  /** Bytes of the file. */
  readonly bytes: Buffer;
  readonly span: Span;
}

/** Where the schemas at `places`, or what is `below` them, are in the files; in file order. */
function foundIn({ documents }: LoadedSchemas, places: Iterable<string>, below: string): PlaceInFile[] {
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

/** Values of every type except an object. */
const NO_OBJECTS = [null, true, 1, 'text', []];

/** The places of required objects without a default that are valid with the defaults in them. */
function madeOf(set: LoadedSchemas, defaults: DefaultMap, check: Check): string[] {
  const made = new Set<string>();
  for (const { required = [], properties = {} } of allNodes(set)) {
    for (const name of required) {
      const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isNode(member) || defaults.has(member.origin.place) || name in Object.prototype) continue;
      // An object is not made if the schema allows another type.
      if (isValid(check, member, {}) && !NO_OBJECTS.some((value) => isValid(check, member, value)))
        made.add(member.origin.place);
    }
  }
  return [...made];
}

/** Objects that contain one another without end are never valid. */
function isValid(check: Check, schema: SchemaNode, value: unknown): boolean {
  try {
    return check.fits(schema, structuredClone(value));
  } catch (error) {
    if (isEndless(error) || error instanceof SchemaError || error instanceof TooCostly) return false;
    throw error;
  }
}

/**
 * The texts to insert: as in the files, with missing members in them filled in. Members of the same name and value have
 * the same text everywhere, because a value does not tell where it came from.
 */
function finalTexts(set: LoadedSchemas, texts: DefaultMap, check: Check): DefaultMap {
  const order = foundIn(set, texts.keys(), '').map(({ place }) => place);
  const nodes = new Map(allNodes(set).map((node) => [node.origin.place, node]));
  const values = new Map(order.map((place) => [place, filled(nodes.get(place)!, texts.get(place)!, check)]));
  const names = memberNames(allNodes(set));
  const final = new Map<string, string>();
  const textOf = (place: string): string => {
    const text = final.get(place) ?? withMissing(texts.get(place)!, values.get(place), memberTexts);
    final.set(place, text);
    return text;
  };
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
  const fills = fillEdits(bytes, whole, [JSON.parse(text), value], memberTexts);
  return Buffer.from(applyEdits(bytes, whole, 0, insertionsOf(fills))).toString();
}

/** The default of a schema, with the defaults in it filled in. */
function filled(node: SchemaNode, text: string, check: Check): unknown {
  const { place } = node.origin;
  try {
    const value: unknown = JSON.parse(text);
    if (check.fits(node, value)) return value;
  } catch (error) {
    if (error instanceof TooCostly) throw refusal(place, error.message);
    if (!isEndless(error)) throw error;
    throw refusal(place, 'with the defaults within it, it has no end');
  }
  throw refusal(place, 'the schema does not allow its own default');
}

function refusal(place: string, why: string): SchemaError {
  return new SchemaError(`${place}/default: ${why}`);
}
