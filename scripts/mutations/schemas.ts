/**
 * Compares the two engines over generated schemas and instances. Each schema combines keywords at random; its instances
 * are made from the schema, and then changed at random. If accept says "valid" or "surely invalid", examine must agree.
 */

import { Acceptor, type EngineVerdict } from '../../src/engine/compile/acceptor.ts';
import type { AcceptCode } from '../../src/engine/compile/code.ts';
import { SUPPORTED } from '../../src/engine/compile/keywords.ts';
import { compileAccept } from '../../src/engine/compile/module.ts';
import { REPLACED } from '../../src/engine/compile/unevaluated.ts';
import { compileAcceptCode } from '../../src/engine/compilers.ts';
import { Examiner } from '../../src/engine/judge/examine.ts';
import { SchemaError } from '../../src/errors.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { SchemaSet } from '../../src/schema/set.ts';
import { Window } from '../../src/source/window.ts';
import { encode } from '../../src/wasm/encode.ts';
import { PADDING } from '../../src/wasm/layout.ts';
import { judgedKinds } from '../judged-kinds.ts';
import { NothingPlanted, plant, type SchemaFault } from './faults.ts';

export type Random = (below: number) => number;
type Json = unknown;
export type Schema = boolean | { [keyword: string]: unknown };

const NAMES = ['a', 'b', 'c', 'id', 'kind', 'x-1', 'é', 'constructor', 'a long name of more than 16'];
const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'é',
  '😀',
  'x-1',
  '2020-02-29',
  '12:00:00Z',
  'a@b.co',
  'long '.repeat(5),
  '}]"\\{ and more than 16',
];
const NUMBERS = [0, 1, 2, 3, -1, 1.5, 10, 100, 0.1, 1e3, 123456789012, -0];
const PATTERNS = ['^a', 'b$', '^x-', '^[a-z]+$', 'é', '\\d', '^$', '^(?!a)', '[^a]', '^.{2,3}$'];
const FORMATS = ['date', 'time', 'email', 'uri', 'uuid', 'ipv4', 'regex', 'date-time', 'hostname', 'none'];
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];

/** The quote and the first letter of a string that is not a name. */
const ASCII_VALUE = /(?<=[[:,]|^)"([a-z])(?=[^"]*"(?!:))/g;

/** The quote and the first character of a name. */
const NAME = /(?<=[{,])"([^"\\])(?=[^"]*":)/gu;
const FIRST_MEMBER = /^\{"([^"\\])([^"]*)":/u;

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}

export class Generator {
  readonly #random: Random;
  readonly #definitions: string[] = [];
  /** The beginning of keywords that schemas have more often than others. */
  readonly #often: string | null;

  constructor(random: Random, often?: string) {
    this.#random = random;
    this.#often = often ?? null;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!;
  }

  #some<T>(list: readonly T[], most: number): T[] {
    const count = this.#random(most + 1);
    return [...new Set(Array.from({ length: count }, () => this.pick(list)))];
  }

  /** A whole schema. */
  schema(): Schema {
    this.#definitions.push('one', 'two');
    const $defs = { one: this.#schema(2), two: this.#schema(2) };
    const root = this.#schema(3);
    return typeof root === 'boolean' ? { allOf: [root], $defs } : { ...root, $defs };
  }

  #schema(depth: number): Schema {
    if (this.#random(20) === 0) return this.#random(3) > 0;
    const schema: { [keyword: string]: unknown } = {};
    if (this.#random(3) > 0)
      schema.type = this.#random(4) === 0 ? this.#list(() => this.pick(TYPES), 3) : this.pick(TYPES);
    const count = 1 + this.#random(3);
    for (let i = 0; i < count; i++) this.#addKeyword(schema, depth);
    return schema;
  }

  #list<T>(make: () => T, most: number): T[] {
    return [...new Set(Array.from({ length: 1 + this.#random(most) }, make))];
  }

  #addKeyword(schema: { [keyword: string]: unknown }, depth: number): void {
    const inner = (): Schema => (depth > 0 ? this.#schema(depth - 1) : this.#random(4) > 0);
    const number = (): number => this.#random(4);
    const map = (make: () => unknown): object => Object.fromEntries(this.#some(NAMES, 3).map((name) => [name, make()]));
    const types = Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type];
    const choices: Record<string, () => unknown> = {
      enum: () => this.#list(() => this.value(1), 4),
      const: () => this.value(1),
    };
    if (types.includes('string') || schema.type === undefined) {
      Object.assign(choices, {
        minLength: number,
        maxLength: number,
        pattern: () => this.pick(PATTERNS),
        format: () => this.pick(FORMATS),
      });
    }
    if (types.includes('number') || types.includes('integer') || schema.type === undefined) {
      Object.assign(choices, {
        minimum: () => this.pick(NUMBERS),
        maximum: () => this.pick(NUMBERS),
        exclusiveMinimum: () => this.pick(NUMBERS),
        exclusiveMaximum: () => this.pick(NUMBERS),
        multipleOf: () => this.pick([1, 2, 3, 0.5, 10]),
      });
    }
    if (types.includes('object') || schema.type === undefined) {
      Object.assign(choices, {
        properties: () => map(inner),
        patternProperties: () => Object.fromEntries(this.#some(PATTERNS, 2).map((one) => [one, inner()])),
        additionalProperties: inner,
        propertyNames: inner,
        required: () => this.#some(NAMES, 2),
        minProperties: number,
        maxProperties: number,
        dependentRequired: () => map(() => this.#some(NAMES, 2)),
        dependentSchemas: () => map(inner),
        unevaluatedProperties: inner,
        dependencies: () => map(() => (this.#random(2) === 0 ? this.#some(NAMES, 2) : inner())),
      });
    }
    if (types.includes('array') || schema.type === undefined) {
      Object.assign(choices, {
        items: inner,
        prefixItems: () => this.#list(inner, 3),
        minItems: number,
        maxItems: number,
        uniqueItems: () => true,
        unevaluatedItems: inner,
        contains: inner,
        minContains: number,
        maxContains: number,
      });
    }
    if (depth > 0) {
      Object.assign(choices, {
        allOf: () => this.#list(inner, 2),
        anyOf: () => this.#list(inner, 3),
        oneOf: () => this.#list(inner, 3),
        not: inner,
        if: inner,
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: inner,
        else: inner,
        $ref: () => `#/$defs/${this.pick(this.#definitions)}`,
      });
    }
    const names = Object.keys(choices);
    const often = names.filter((name) => this.#often !== null && name.startsWith(this.#often));
    const keyword = this.pick(often.length > 0 && this.#random(3) === 0 ? often : names);
    // A schema that refers to itself for the same value is refused.
    if (keyword === '$ref' && depth < 3) return;
    schema[keyword] = choices[keyword]!();
  }

  /** Any value. */
  value(depth: number): Json {
    switch (this.#random(depth > 0 ? 8 : 5)) {
      case 0:
        return this.pick([true, false, null]);
      case 1:
      case 2:
        return this.pick(NUMBERS);
      case 3:
      case 4:
        return this.pick(TEXTS);
      case 5:
        return Array.from({ length: this.#random(4) }, () => this.value(depth - 1));
      default:
        return Object.fromEntries(this.#some(NAMES, 4).map((name) => [name, this.value(depth - 1)]));
    }
  }

  /** A value that tends to match. */
  instance(schema: Schema, root: Schema, depth = 4): Json {
    if (typeof schema === 'boolean' || depth < 0 || this.#random(12) === 0) return this.value(1);
    const inner = (one: unknown): Json => this.instance(one as Schema, root, depth - 1);
    const jumps = [schema.$ref, schema.allOf, schema.anyOf, schema.oneOf, schema.then, schema.else].filter(Boolean);
    if (jumps.length > 0 && this.#random(2) === 0) {
      const jump = this.pick(jumps);
      if (typeof jump === 'string') return inner((root as { $defs: Record<string, Schema> }).$defs[jump.slice(8)]!);
      return inner(Array.isArray(jump) ? this.pick(jump) : jump);
    }
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return this.pick(schema.enum);
    const type = Array.isArray(schema.type) ? this.pick(schema.type) : (schema.type ?? this.#likelyType(schema));
    switch (type) {
      case 'string':
        return this.pick(TEXTS);
      case 'number':
      case 'integer':
        return this.#random(2) === 0 ? this.pick(NUMBERS) : this.#random(20);
      case 'boolean':
        return this.#random(2) === 0;
      case 'null':
        return null;
      case 'array': {
        const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
        const rest = [schema.items, schema.contains].filter((one) => one !== undefined);
        return Array.from({ length: this.#random(5) }, (_, i) =>
          i < first.length ? inner(first[i]) : rest.length > 0 ? inner(this.pick(rest)) : this.value(1),
        );
      }
      default:
        return this.#object(schema, inner);
    }
  }

  #likelyType(schema: object): string {
    if (['properties', 'required', 'patternProperties', 'propertyNames'].some((name) => name in schema))
      return 'object';
    if (['items', 'prefixItems', 'contains', 'uniqueItems'].some((name) => name in schema)) return 'array';
    return this.pick(TYPES);
  }

  #object(schema: { [keyword: string]: unknown }, inner: (schema: unknown) => Json): Json {
    const members = (schema.properties ?? {}) as Record<string, unknown>;
    const names = new Set([
      ...((schema.required as string[] | undefined) ?? []),
      ...Object.keys(members).filter(() => this.#random(4) > 0),
      ...(this.#random(3) === 0 ? this.#some([...NAMES, ...TEXTS], 2) : []),
    ]);
    const other = schema.additionalProperties;
    return Object.fromEntries(
      [...names].map((name) => [
        name,
        Object.hasOwn(members, name) ? inner(members[name]) : other === undefined ? this.value(1) : inner(other),
      ]),
    );
  }

  /** A value with a small change. */
  changed(value: Json): Json {
    if (this.#random(3) === 0 || typeof value !== 'object' || value === null) return this.value(1);
    if (Array.isArray(value)) {
      const list = [...value];
      const at = this.#random(list.length + 1);
      const change = this.#random(4);
      if (change === 0) list.splice(at, 1);
      else if (change === 1) list.splice(at, 0, list.length > 0 ? this.pick(list) : this.value(1));
      else if (at < list.length) list[at] = this.changed(list[at]);
      return list;
    }
    const entries = Object.entries(value);
    const at = this.#random(entries.length + 1);
    if (at === entries.length) entries.push([this.pick(NAMES), this.value(1)]);
    else if (this.#random(3) === 0) entries.splice(at, 1);
    else entries[at] = [entries[at]![0], this.changed(entries[at]![1])];
    return Object.fromEntries(entries);
  }

  /** The text of a value, written in one of several ways. */
  text(value: Json): string {
    const how = this.#random(12);
    if (how === 0) return JSON.stringify(value, null, 2);
    const text = JSON.stringify(value);
    if (how === 1)
      return text.replaceAll(ASCII_VALUE, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`);
    if (how === 2) return text.replaceAll(/(?<=[[:,])(\d+)(?=[,\]}])/g, '$1.0');
    if (how === 3) return text.replaceAll(/(?<=[[:,])(\d+)(?=[,\]}])/g, '$1e0');
    if (how === 5) {
      return text.replaceAll(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
      );
    }
    if (how === 4) return text.replaceAll(/[:,]/g, '$& ');
    if (how === 6) return text.replaceAll(NAME, (_, first: string) => `"${escaped(first)}`);
    // As near to the number as JSON.parse reads.
    if (how === 8) return text.replaceAll(/(?<=[[:,])(\d+)(?=[,\]}])/g, '$1.00000000000000000001');
    // The first member twice.
    if (how === 7)
      return text.replace(FIRST_MEMBER, (name, first: string, rest: string) => `${name}0,"${escaped(first)}${rest}":`);
    return text;
  }
}

/** A schema and a text on which the engines differ. */
export interface Difference {
  readonly schema: Schema;
  readonly text: string;
  readonly accept: string;
  readonly examine: string;
}

export interface Outcome {
  tried: number;
  /** How often accept was sure, of the valid texts and of the others. */
  readonly sure: { valid: number; invalid: number };
  /** The keywords without which a verdict would have been another. */
  readonly needed: Set<string>;
  readonly truth: { valid: number; invalid: number };
  readonly wrong: Difference[];
}

const LIMITS = { maxDepth: 1000, maxBytes: 1 << 30 };

/** The engines for a schema. Throws SchemaError. */
async function enginesFor(schema: Schema, fault: SchemaFault | undefined) {
  const set = setOf(schema);
  const code = fault === undefined ? compileAcceptCode(set, null, null) : plantedCode(set, fault);
  const examiner = new Examiner(await judgedKinds(set), { ...LIMITS, redact: false });
  return { code, examiner };
}

function plantedCode(set: SchemaSet, fault: SchemaFault): AcceptCode {
  const { module, ...others } = compileAccept(set, { givenKind: null, defaults: null });
  return { ...others, module: new WebAssembly.Module(encode(plant(module, fault))) };
}

/** The set for one schema, whose kind is called "it". Throws SchemaError. */
export function setOf(schema: Schema): SchemaSet {
  return loadSchemas('/it.json', { files: new Map([['/it.json', Buffer.from(JSON.stringify(schema))]]) });
}

export interface Trial {
  readonly schemas: number;
  readonly instances: number;
  readonly fault?: SchemaFault;
  /** See `Generator`. */
  readonly often?: string;
}

/** Tries `instances` texts on each of `schemas` schemas; the same ones for the same `random`. */
export async function trySchemas({ schemas, instances, fault, often }: Trial, random: Random): Promise<Outcome> {
  const outcome: Outcome = {
    tried: 0,
    sure: { valid: 0, invalid: 0 },
    needed: new Set(),
    truth: { valid: 0, invalid: 0 },
    wrong: [],
  };
  const window = new Window();
  for (let i = 0; i < schemas && outcome.wrong.length < 10; i++) {
    const generator = new Generator(random, often);
    const schema = generator.schema();
    const engines = await enginesFor(schema, fault).catch((error: Error) => {
      if (error instanceof SchemaError || error instanceof NothingPlanted) return null;
      throw error;
    });
    if (engines === null) continue;
    const acceptor = new Acceptor(engines.code, window.memory, LIMITS);
    const lesser = fault === undefined ? await examinersWithout(schema, outcome.needed) : [];
    for (let j = 0; j < instances; j++) {
      let value = generator.instance(schema, schema);
      for (let changes = random(3); changes > 0; changes--) value = generator.changed(value);
      const text = generator.text(value);
      compare({ schema, text, acceptor, ...engines, window, lesser }, outcome);
    }
  }
  return outcome;
}

interface Pair {
  readonly schema: Schema;
  readonly text: string;
  readonly acceptor: Acceptor;
  readonly examiner: Examiner;
  readonly window: Window;
  /** See `examinersWithout`. */
  readonly lesser: readonly (readonly [keyword: string, examiner: Examiner])[];
}

/** For a schema without each of the keywords that it has, except those in `known`. */
async function examinersWithout(
  schema: Schema,
  known: ReadonlySet<string>,
): Promise<[keyword: string, examiner: Examiner][]> {
  const text = JSON.stringify(schema);
  const keywords = [...SUPPORTED, ...REPLACED].filter(
    (keyword) => text.includes(`"${keyword}":`) && !known.has(keyword),
  );
  const examiners = keywords.map(async (keyword): Promise<[string, Examiner]> => {
    const without = (name: string, value: unknown): unknown => (name === keyword ? undefined : value);
    const set = setOf(JSON.parse(JSON.stringify(schema, without)) as Schema); // a schema still
    return [keyword, new Examiner(await judgedKinds(set), { ...LIMITS, redact: false })];
  });
  return Promise.all(examiners);
}

function compare({ schema, text, acceptor, examiner, window, lesser }: Pair, outcome: Outcome): void {
  const bytes = Buffer.from(text);
  window.bytes.set(bytes);
  window.bytes.fill(0, bytes.length, bytes.length + PADDING);
  const accept = acceptVerdict(acceptor, window, bytes.length);
  const examine = verdictOf(examiner, bytes);
  outcome.tried++;
  outcome.truth[examine]++;
  for (const [keyword, without] of lesser) if (verdictOf(without, bytes) !== examine) outcome.needed.add(keyword);
  if (accept === 'unsure') return;
  if (accept === examine) outcome.sure[examine]++;
  else outcome.wrong.push({ schema, text, accept, examine });
}

/** What accept says. With a fault, it may read beyond its memory. */
function acceptVerdict(acceptor: Acceptor, window: Window, end: number): EngineVerdict | 'an error' {
  try {
    return acceptor.read(window, { start: 0, end });
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') return 'an error';
    throw error;
  }
}

function verdictOf(examiner: Examiner, bytes: Buffer): 'valid' | 'invalid' {
  const span = { start: 0, end: bytes.length };
  const { findings } = examiner.examine({ bytes, span, base: 0, ending: 'text' }, null);
  return findings.length === 0 ? 'valid' : 'invalid';
}
