/**
 * The places of a schema that can hold or fail: every keyword that asserts, each alternative, each value of `enum`, each
 * member of `properties`. Coverage counts them. They have the same numbers in every thread.
 */
import { isContainer, jsonEqual } from '../../json/value.ts';
import { keywordsWhere } from '../../schema/dialect.ts';
import { exactValue } from '../../schema/exact.ts';
import { allows, linksOf, typeOf } from '../../schema/facts.ts';
import { isNode, keywordValue, placeIn, type Schema, type SchemaNode, writtenName } from '../../schema/node.ts';
import type { SchemaSet } from '../../schema/set.ts';
import type { Judge } from './judge.ts';
import { judgedTypes } from './order.ts';

/** `members` is not a place by itself: it counts the objects in which members could be. */
export type PlaceSort = 'keyword' | 'alternative' | 'value' | 'member' | 'members';

export interface CountedPlace {
  /** File and pointer, as `order.schema.json#/properties/id/minLength`. */
  readonly place: string;
  readonly sort: PlaceSort;
  /** As the file writes it. */
  readonly keyword: string;
  /** What the file has there, such as a limit or a value of `enum`; absent: a schema. */
  readonly value?: unknown;
  /** The number of the place that counts how often this one could be reached, such as the `enum` of a value; absent: itself. */
  readonly of?: number;
  readonly required?: true;
  /** No valid payload can reach it. */
  readonly unreachable?: true | undefined;
}

/** Keywords that apply schemas and have a verdict of their own. */
const WITH_VERDICT = ['not', 'anyOf', 'oneOf', 'contains', 'propertyNames'] as const;
/** Keywords that have a verdict of their own if nothing is allowed there. */
const CLOSING = ['items', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'] as const;
const ASSERTING = keywordsWhere(({ role }) => role === 'asserts');
/** Keywords that can be a place. In older drafts, another one may have the same name. */
export const OWN_PLACES: ReadonlySet<string> = new Set([...ASSERTING, ...WITH_VERDICT, ...CLOSING]);

export type PlaceNumbers = ReadonlyMap<string, number>;

export class SchemaPlaces {
  readonly all: CountedPlace[] = [];
  readonly numbers = new Map<string, number>();
  readonly #judge: Judge;

  /** `kind`: the only kind of the payloads; null: they may have any. `judge`: one of the set, which counts nothing. */
  constructor(set: SchemaSet, kind: string | null, judge: Judge) {
    this.#judge = judge;
    for (const node of nodesFor(set, kind)) {
      for (const keyword of [...ASSERTING, ...WITH_VERDICT]) this.#addKeyword(node, keyword);
      for (const keyword of CLOSING) if (node[keyword] === false) this.#addKeyword(node, keyword);
      this.#addChoices(node);
      this.#addMembers(node);
    }
  }

  #add(
    node: SchemaNode,
    keyword: string,
    tokens: readonly (string | number)[],
    more: Omit<CountedPlace, 'place' | 'keyword'>,
  ): number {
    const place = placeIn(node, keyword, tokens);
    const known = this.numbers.get(place);
    if (known !== undefined) return known;
    this.all.push({ place, keyword: writtenName(node, keyword), ...more });
    this.numbers.set(place, this.all.length - 1);
    return this.all.length - 1;
  }

  #addKeyword(node: SchemaNode, keyword: string): void {
    const value = keywordValue(node, keyword);
    const about = value !== undefined && judgedTypes(this.#judge.contextOf(node), keyword);
    if (about === false) return;
    const isReachable = about === null || about.some((type) => allows(node.type, type));
    // The values of `enum` are places of their own.
    const shown = keyword === 'enum' || FORMS_OF_SCHEMAS.has(keyword) ? {} : { value };
    this.#add(node, keyword, [], { sort: 'keyword', ...shown, ...unless(isReachable) });
  }

  #addChoices(node: SchemaNode): void {
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const of = this.numbers.get(placeIn(node, keyword, []));
      for (const [i, schema] of (node[keyword] ?? []).entries())
        this.#add(node, keyword, [i], { sort: 'alternative', of: of!, ...unless(schema !== false) }); // added before
    }
    const repeated = repeatedIn(node);
    for (const [i, value] of (node.enum ?? []).entries()) {
      const of = this.numbers.get(placeIn(node, 'enum', []))!; // added before
      const canBe = !repeated.has(i) && allows(node.type, typeOf(value));
      this.#add(node, 'enum', [i], { sort: 'value', value, of, ...unless(canBe) });
    }
    const branches = node.if === undefined ? [] : (['then', 'else'] as const);
    for (const keyword of branches) this.#addSchema(node, keyword, [], node[keyword]);
    for (const [name, schema] of Object.entries(node.dependentSchemas ?? {}))
      this.#addSchema(node, 'dependentSchemas', [name], schema);
  }

  #addSchema(node: SchemaNode, keyword: string, tokens: readonly string[], schema: Schema | undefined): void {
    if (schema !== undefined) this.#add(node, keyword, tokens, { sort: 'alternative', ...unless(schema !== false) });
  }

  #addMembers(node: SchemaNode): void {
    if (node.properties === undefined) return;
    const of = this.#add(node, 'properties', [], { sort: 'members' });
    const canBe = allows(node.type, typeOf({}));
    const names = new Set(node.required);
    for (const [name, schema] of Object.entries(node.properties)) {
      const required = names.has(name) ? ({ required: true } as const) : {};
      const reachable = unless(canBe && schema !== false);
      this.#add(node, 'properties', [name], { sort: 'member', of, ...required, ...reachable });
    }
  }
}

/** Indexes of the values of `enum` that are equal to an earlier one, as which a payload's value is counted. */
function repeatedIn(node: SchemaNode): ReadonlySet<number> {
  if (node.enum === undefined) return NO_PLACES;
  const values = exactValue(node, 'enum') as readonly unknown[]; // a list in the file
  const scalars = new Set<unknown>();
  const containers: unknown[] = [];
  return new Set(
    values.flatMap((value, i) => {
      const isKnown = isContainer(value) ? containers.some((one) => jsonEqual(one, value)) : scalars.has(value);
      if (isContainer(value)) containers.push(value);
      else scalars.add(value);
      return isKnown ? [i] : [];
    }),
  );
}

const NO_PLACES: ReadonlySet<number> = new Set();

/** Their values are schemas, and not shown. */
const FORMS_OF_SCHEMAS: ReadonlySet<string> = new Set(keywordsWhere(({ form }) => form.startsWith('schema')));

function unless(isReachable: boolean): Pick<CountedPlace, 'unreachable'> {
  return isReachable ? {} : { unreachable: true };
}

function nodesFor({ kinds, nodes }: SchemaSet, kind: string | null): Iterable<SchemaNode> {
  if (kind === null) return nodes;
  const found = new Set(kinds.flatMap(({ name, schema }) => (name === kind && isNode(schema) ? [schema] : [])));
  for (const node of found) for (const inner of linksOf(node)) found.add(inner);
  return found;
}
