/**
 * Random schemas of the five drafts: all keywords, resources inside of resources, and references between them. A
 * reference in place leads to a later schema only, so no schema refers to itself for the same value without end.
 */
import type { Random } from '../mutations/schemas.ts';
import type { Flavour } from './flavour.ts';
import { type Choices, choicesFor, listOf, type Maker } from './keyword-choices.ts';
import { type Json, type JsonMap, type Num, num } from './values.ts';
import * as words from './words.ts';

export type Draft = '4' | '6' | '7' | '2019-09' | '2020-12';

export const URIS: Readonly<Record<Draft, string>> = {
  4: 'http://json-schema.org/draft-04/schema#',
  6: 'http://json-schema.org/draft-06/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};
export const DRAFTS = Object.keys(URIS) as Draft[]; // its names
const ROOT = 'http://x.test/root';

/** A schema that references can lead to. */
interface Target {
  readonly order: number;
  readonly name: string;
  /** The order of its resource. */
  resource: number;
  /** Pointer in its resource. */
  path: string;
  anchor: string | null;
  isDynamic: boolean;
  /** The URI, if it is a resource of its own; its own definitions. */
  id: string | null;
  inner: Definitions | null;
  schema: Json;
}

interface Definitions {
  readonly keyword: string;
  readonly targets: readonly Target[];
}

/** Where a schema is. */
interface Place {
  /** The target that it is in. */
  readonly target: Target;
  /** It is applied to the same value as the target. */
  readonly inPlace: boolean;
  /** It is the target. */
  readonly isTarget: boolean;
}

export class SchemaMaker implements Maker {
  readonly random: Random;
  readonly age: number;
  readonly names: readonly string[];
  /** Where the references of a schema lead. */
  readonly leads = new Map<JsonMap, Target>();
  readonly #draft: Draft;
  readonly flavour: Flavour;
  readonly numbers: readonly Num[];
  readonly #targets: Target[] = [];
  readonly #isNamed: boolean;

  constructor(random: Random, draft: Draft, flavour: Flavour) {
    this.random = random;
    this.age = draft === '2019-09' ? 8 : draft === '2020-12' ? 9 : Number(draft);
    this.#draft = draft;
    this.flavour = flavour;
    const plain = words.PLAIN_NAMES;
    this.names = flavour.oddNames ? [...plain.slice(0, 4), ...this.some(words.ODD_NAMES, 4)] : this.some(plain, 6);
    this.numbers = flavour.exact ? [...words.NUMBERS, ...words.EXACT_NUMBERS] : words.NUMBERS;
    this.#isNamed = flavour.resources || random(6) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.random(list.length)]!;
  }

  some<T>(list: readonly T[], most: number): T[] {
    return [...new Set(Array.from({ length: 1 + this.random(most) }, () => this.pick(list)))];
  }

  /** A whole schema. */
  schema(): JsonMap {
    const { random } = this;
    const root = this.#newTarget('', 0, '');
    root.isDynamic = this.age === 9 && this.flavour.dynamic && random(3) === 0;
    const { resources, dynamic, depth } = this.flavour;
    if (random(3) > 0 || resources || dynamic) root.inner = this.#plan(0, '');
    const schema: JsonMap = new Map();
    if (random(4) > 0) schema.set('$schema', URIS[this.#draft]);
    if (this.#isNamed) schema.set(this.#idName, ROOT);
    this.#complete(schema, root, depth + 1);
    return schema;
  }

  get #idName(): string {
    return this.age === 4 ? 'id' : '$id';
  }

  #newTarget(name: string, resource: number, path: string): Target {
    const order = this.#targets.length;
    const target = { order, name, resource, path, anchor: null, isDynamic: false, id: null, inner: null, schema: null };
    this.#targets.push(target);
    return target;
  }

  /** The definitions of a resource. Those of the root may be resources with definitions of their own. */
  #plan(resource: number, above: string): Definitions {
    const { dynamic, resources } = this.flavour;
    const keyword = this.age >= 8 && this.random(6) > 0 ? '$defs' : 'definitions';
    const targets = this.some([...this.names, 'one', 'two', 'three'], 3).map((name) => {
      const path = `${above}/${keyword}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const target = this.#newTarget(name, resource, path);
      if (this.random(4) === 0) target.anchor = `anchor${target.order}`;
      const hasOne = this.#targets.some((one) => one.resource === resource && one.isDynamic);
      target.isDynamic = this.age === 9 && dynamic && !hasOne && this.random(2) === 0;
      if (resource === 0 && resources && this.random(2) === 0) this.#makeResource(target);
      return target;
    });
    return { keyword, targets };
  }

  #makeResource(target: Target): void {
    target.resource = target.order;
    target.path = '';
    target.id = `http://x.test/${this.pick(['e', 'deep/f', 'g.json'])}${target.order}`;
    if (this.age < 8) target.anchor = null;
    if (this.random(3) > 0) target.inner = this.#plan(target.order, '');
  }

  #definition(target: Target): Json {
    const isPlain = target.id === null && target.anchor === null && !target.isDynamic;
    if (isPlain && this.age > 4 && this.random(15) === 0) {
      target.schema = this.random(3) > 0;
      return target.schema;
    }
    const schema: JsonMap = new Map();
    const id = target.id?.replace(this.random(2) === 0 ? 'http://x.test/' : '', '');
    if (id !== undefined) schema.set(this.#idName, id);
    this.#complete(schema, target, Math.min(2, this.flavour.depth));
    return schema;
  }

  /** Gives a target its keywords. */
  #complete(schema: JsonMap, target: Target, depth: number): void {
    target.schema = schema;
    const { anchor, isDynamic, inner } = target;
    if (this.age === 8 && this.flavour.dynamic && target.path === '' && this.random(2) === 0)
      schema.set('$recursiveAnchor', this.random(5) > 0);
    if (anchor !== null) schema.set(this.age >= 8 ? '$anchor' : this.#idName, this.age >= 8 ? anchor : `#${anchor}`);
    if (isDynamic) schema.set('$dynamicAnchor', 'node');
    this.#addKeywords(schema, depth, { target, inPlace: true, isTarget: true });
    if (inner !== null)
      schema.set(inner.keyword, new Map(inner.targets.map((one) => [one.name, this.#definition(one)])));
  }

  #inner(depth: number, place: Place): Json {
    const { random } = this;
    if (depth > 0 && random(14) > 0) return this.#body(depth - 1, place);
    const kind = random(10);
    if (kind < 2 && this.age > 4) return random(3) > 0;
    const schema: JsonMap = new Map();
    if (kind === 2 || (kind < 5 && this.#refer(schema, place))) return schema;
    return this.#body(0, place);
  }

  #body(depth: number, place: Place): JsonMap {
    const schema: JsonMap = new Map();
    this.#addKeywords(schema, depth, place);
    if (this.flavour.defaults && this.random(2) === 0) this.#addDefault(schema);
    return schema;
  }

  #addKeywords(schema: JsonMap, depth: number, place: Place): void {
    const { random } = this;
    const isRoot = place.isTarget && place.target.order === 0;
    if (random(3) > 0)
      schema.set('type', isRoot ? 'object' : random(5) === 0 ? this.some(words.TYPES, 3) : this.pick(words.TYPES));
    for (let left = 1 + random(depth > 0 ? 4 : 2); left > 0; left--) {
      const choices = this.#choices(schema, depth, place);
      choices[this.pick(Object.keys(choices))]!();
    }
  }

  /** Most often one that the type allows. */
  #addDefault(schema: JsonMap): void {
    const [type] = [schema.get('type')].flat();
    const byType = { string: '', number: num('1.50'), integer: num(1), boolean: true, array: [], object: new Map() };
    const [first = null] = (schema.get('enum') as Json[] | undefined) ?? []; // a list
    if (schema.has('const') || schema.has('enum')) schema.set('default', schema.get('const') ?? first);
    else if (type === undefined) schema.set('default', this.value(1));
    else schema.set('default', (byType as Record<string, Json>)[String(type)] ?? null);
  }

  /** Makes the schema a reference, if there is something to refer to. */
  #refer(schema: JsonMap, place: Place): boolean {
    const { resource, order } = place.target;
    const own = this.#targets.filter((one) => one.resource === resource);
    if (!place.inPlace && this.flavour.dynamic && this.random(4) === 0) {
      const [name, target] =
        this.age === 8
          ? ['$recursiveRef', own.find(({ path }) => path === '')]
          : ['$dynamicRef', this.age === 9 ? own.find(({ isDynamic }) => isDynamic) : undefined];
      if (target !== undefined) {
        schema.set(name, name === '$dynamicRef' ? '#node' : '#');
        this.leads.set(schema, target);
        return true;
      }
    }
    const possible = this.#targets.filter((one) => !place.inPlace || one.order > order);
    if (possible.length === 0) return false;
    const target = this.pick(possible);
    schema.set('$ref', this.#referenceTo(target, resource));
    this.leads.set(schema, target);
    return true;
  }

  #referenceTo({ anchor, path, resource }: Target, from: number): string {
    // Most implementations compare characters beyond ASCII as they are.
    const encoded = (one: string): string =>
      one > '~' && this.random(8) > 0 ? one : encodeURI(one).replace('#', '%23');
    const fragment = anchor !== null && this.random(2) === 0 ? anchor : [...path].map(encoded).join('');
    const isNear = resource === from && this.random(3) > 0;
    if (isNear || (resource === 0 && !this.#isNamed)) return `#${fragment}`;
    const base = resource === 0 ? ROOT : this.#targets[resource]!.id!; // a resource has one
    return fragment === '' ? base : `${base}#${fragment}`;
  }

  /** What can be added to the schema next, by name. */
  #choices(schema: JsonMap, depth: number, place: Place): Choices {
    const inner = (inPlace: boolean) => (): Json => this.#inner(depth, { ...place, inPlace, isTarget: false });
    const choices = choicesFor(
      { maker: this, schema, child: inner(false), same: inner(place.inPlace), value: () => this.value(1) },
      depth > 0,
    );
    if (this.#targets.length > 1 || !place.inPlace)
      for (const name of ['a reference', 'another one']) choices[name] = () => this.#addReference(schema, place);
    return choices;
  }

  /** What is beside a reference is ignored until draft-07, so it is most often alone there. */
  #addReference(schema: JsonMap, place: Place): void {
    if (this.age >= 8 || (this.random(6) === 0 && !place.isTarget)) {
      this.#refer(schema, place);
      return;
    }
    const one: JsonMap = new Map();
    const others = (schema.get('allOf') as Json[] | undefined) ?? []; // a list
    if (this.#refer(one, place)) schema.set('allOf', [...others, one]);
  }

  /** Any value. */
  value(depth: number): Json {
    const { random } = this;
    switch (random(depth > 0 ? 9 : 6)) {
      case 0:
        return this.pick([true, false, null]);
      case 1:
      case 2:
        return this.pick(this.numbers);
      case 3:
      case 4:
      case 5:
        return this.pick(random(4) === 0 ? this.names : words.TEXTS);
      case 6:
        return listOf(this, () => this.value(depth - 1), 3);
      default:
        return new Map(random(5) === 0 ? [] : this.some(this.names, 3).map((name) => [name, this.value(depth - 1)]));
    }
  }
}
