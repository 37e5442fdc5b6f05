/**
 * The places in a schema that give violations. The data that all violations of a place share is stored once.
 * The number of places is limited by the size of the schema, however many violations a payload has.
 */
import { entryOf, memoized, memoizedWeakly } from '../../json/on-demand.ts';
import { parsePointer } from '../../json/pointer.ts';
import { isContainer, isJsonObject } from '../../json/value.ts';
import { rowOf } from '../../keywords/index.ts';
import type { SpanOf } from '../../keywords/keyword.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import type { PlacedKeyword } from '../../schema/caller-keywords.ts';
import { namesInPlace, valuesOf } from '../../schema/facts.ts';
import { isNode, type Schema, type SchemaNode, SILENT } from '../../schema/node.ts';
import { schemaText } from '../../words/value-text.ts';
import { alternativesIn } from './alternatives.ts';
import type { KeywordFault } from './walk.ts';

/** One keyword of one subschema, with facts that come from the schema alone. */
export interface Site {
  /** The rule, and its facts as far as they are the same for all violations of the place. */
  readonly facts: SchemaFacts;
  readonly schema: string;
  readonly properties: object;
  /** Which bytes of the value are shown: all, its opening bracket, or the name of the member. */
  readonly anchor: SpanOf;
  /** What would fix it, as far as the rule shows that; null: nothing does. */
  readonly fix: 'fill' | 'fill --deep' | 'prune' | null;
  /** Why the schema asks for it, as `if "a" is 1`; undefined: it always does. */
  readonly reason: string | undefined;
  /** What the schema gives as an example of a right text or object, as JSON; null: there is none, or the rule is about others. */
  readonly example: string | null;
  /** The member that the schema `false` does not allow, if `properties` names it; null: another rule, or an unnamed value. */
  readonly member: string | null;
  /** The keyword of the caller; null: another one. */
  readonly caller: PlacedKeyword | null;
  /** The alternatives, none of which the value matches; null: it is another violation. */
  readonly choice: Choice | null;
  /** The schema that a name does not match, if the facts do not say all of it; null: they do, or it is no name. */
  readonly ofName: Schema | null;
}

export interface Choice {
  readonly node: SchemaNode;
  readonly keyword: 'anyOf' | 'oneOf';
}

/** Whether `fill` adds the default that a member's schema has: it refuses one that the schema itself does not allow. */
export type AllowsDefault = (member: SchemaNode) => boolean;

/** For sets whose defaults are known to be allowed. */
export const ALLOWS_ALL: AllowsDefault = () => true;

export class Sites {
  /** By what sites say: see `sameAs`. */
  readonly #first = new Map<string, Site>();
  /** By fault, and by the reason for which the schema asks for it. A condition has few reasons. */
  readonly #all = memoized((fault: KeywordFault) =>
    memoized((reason: string | undefined) => siteOf({ ...fault, reason }, this.#allows)),
  );
  readonly #allows: AllowsDefault;

  constructor(allows: AllowsDefault) {
    this.#allows = allows;
  }

  /** The site of a violation. */
  of(fault: KeywordFault): Site {
    return this.#all(fault)(fault.reason);
  }

  /** The first of the sites that say the same of a value, for other reasons or at other places. */
  readonly sameAs = memoized((site: Site): Site => entryOf(this.#first, contentOf(site), () => site));
}

/** Two sites with the same text say the same of a value. */
function contentOf({ facts, schema, choice, caller }: Site): string {
  const { rule, params } = facts;
  const words = choice === null ? null : alternativesIn(choice.node[choice.keyword]!).words();
  const isInWords =
    choice !== null ? words !== null : !IN_WORDS.has(rule) || 'wanted' in params || 'excluded' in params;
  return JSON.stringify([rule, params, words, isInWords && caller === null ? '' : schema]);
}

/** Rules of which the params say all only if few words do. */
const IN_WORDS: ReadonlySet<string> = new Set(['not', 'contains', 'propertyNames']);

/** The data of every violation with these facts, of a keyword at `place`. `node`: its schema; null for `false`. */
export function siteOf(fault: Pick<KeywordFault, 'facts' | 'place' | 'node' | 'reason'>, allows: AllowsDefault): Site {
  const { facts, place, node, reason } = fault;
  let fix: Site['fix'] | undefined;
  return {
    facts,
    schema: place,
    properties: node === null ? {} : namedBy(node, facts.rule),
    anchor: rowOf(facts.rule).anchor ?? 'value',
    /** Made when a finding is: a walk that is deep has no stack left to judge defaults. */
    get fix() {
      if (fix === undefined) {
        const isMissing = facts.rule === 'required' && node !== null;
        fix = isMissing ? fixFor(node, facts.params.missing, allows) : isOfMember(facts.rule, place) ? 'prune' : null;
      }
      return fix;
    },
    reason,
    example: node === null ? null : exampleFor(facts, node),
    member: facts.rule === 'false' ? memberAt(place) : null,
    caller: node?.ofCaller?.find(({ name }) => name === facts.rule) ?? null,
    choice: choiceOf(facts, node),
    ofName: facts.rule === 'propertyNames' && facts.params.wanted === undefined ? (node?.propertyNames ?? null) : null,
  };
}

/** Whether a violation says that a member is not allowed. */
function isOfMember(rule: string, place: string): boolean {
  if (rule !== 'false') return OF_MEMBERS.has(rule);
  const [keyword = ''] = parsePointer(place.slice(place.indexOf('#') + 1)).slice(-2);
  return ['properties', 'patternProperties'].includes(keyword);
}

const OF_MEMBERS: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames']);

const ABOUT_TEXT: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'pattern', 'format']);

/** `size` of `s.json#/properties/size`; null: the place is not that of a member. */
function memberAt(place: string): string | null {
  const [keyword, name] = parsePointer(place.slice(place.indexOf('#') + 1)).slice(-2);
  return keyword === 'properties' && name !== undefined ? name : null;
}

function exampleFor(facts: SchemaFacts, node: SchemaNode): string | null {
  if (facts.rule === 'type') return facts.params.expected === 'object' ? objectExample(node) : null;
  if (!ABOUT_TEXT.has(facts.rule)) return null;
  const text = examplesIn(node).find((one) => typeof one === 'string');
  return text === undefined ? null : schemaText(text);
}

function examplesIn({ examples }: SchemaNode): readonly unknown[] {
  return Array.isArray(examples) ? examples : [];
}

/** `{"@id": "/workers/1", …}`: one member of the schema's example, or one that it requires, with a value that it names. */
function objectExample(node: SchemaNode): string | null {
  const { properties = {}, required = [] } = node;
  const own = examplesIn(node).find(isJsonObject);
  const named = Object.entries(properties).flatMap(([name, schema]) => {
    const value = isNode(schema)
      ? [...examplesIn(schema), ...((required.includes(name) && valuesOf(schema)) || [])][0]
      : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  const must = named.filter(([name]) => required.includes(name));
  const members = own === undefined ? (must.length > 0 ? must : named) : Object.entries(own);
  const [name, value] = members.find(([, one]) => !isContainer(one)) ?? [];
  if (name === undefined) return null;
  const count = own === undefined ? new Set([...Object.keys(properties), ...required]).size : members.length;
  return `{${schemaText(name)}: ${schemaText(value)}${count > 1 ? ', …' : ''}}`;
}

/** An object with the names that the schema knows for the members that a rule is about. */
function namedBy(node: SchemaNode, rule: string): object {
  if (rule === 'required') return namesToRequire(node);
  return rule === 'unevaluatedProperties' ? namesAround(node) : (node.properties ?? {});
}

/** Made once for a node, because each missing member of it has a site of its own. */
const namesToRequire = memoizedWeakly(({ properties = {}, required = [] }: SchemaNode) =>
  withKeys([...Object.keys(properties), ...required]),
);
const namesAround = memoizedWeakly((node: SchemaNode) => withKeys([...namesInPlace(node)]));

function withKeys(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, true]));
}

function choiceOf({ rule, params }: SchemaFacts, node: SchemaNode | null): Choice | null {
  if (node === null) return null;
  if (rule === 'oneOf') return params.passing === null ? { node, keyword: rule } : null;
  return rule === 'anyOf' ? { node, keyword: rule } : null;
}

/** `fill`, if the same schema has a default for it; `fill --deep`, if it is an object that defaults make valid. */
function fixFor({ properties = {} }: SchemaNode, name: string, allows: AllowsDefault): Site['fix'] {
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isNode(member)) return null;
  const has = (one: SchemaNode): boolean => one.default !== undefined && allows(one);
  if (has(member)) return 'fill';
  return isMade(member, has) ? 'fill --deep' : null;
}

const OWN = ['id', 'origin'];
/** Keywords that an object of the required members, with their defaults, cannot violate. */
const JUDGED = new Set([
  ...OWN,
  ...SILENT,
  ...['type', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties'],
]);
const BESIDE_REF = new Set([...OWN, ...SILENT, '$ref']);

/**
 * True if the defaults of `schema`, of a required member, alone make a valid object, which `fill --deep` adds: as far
 * as the schema shows that; `repair/defaults.ts` decides. `has`: whether a member has a default that is filled in;
 * `around`: the schemas that contain it.
 */
function isMade(
  schema: Schema,
  has: (member: SchemaNode) => boolean,
  around: ReadonlySet<Schema> = new Set(),
): boolean {
  if (!isNode(schema) || around.has(schema)) return false;
  const inside = new Set(around).add(schema);
  const keywords = Object.keys(schema);
  const { $ref = [], type, required = [], properties = {} } = schema;
  if ($ref.length === 1 && keywords.every((keyword) => BESIDE_REF.has(keyword))) return isMade($ref[0]!, has, inside);
  if (type !== 'object' || !keywords.every((keyword) => JUDGED.has(keyword))) return false;
  return required.every((name) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isNode(member)) return false;
    return has(member) || isMade(member, has, inside);
  });
}
