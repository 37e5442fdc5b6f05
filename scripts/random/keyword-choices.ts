/**
 * The keywords that a random schema can have next, by the types of its values and by its draft.
 */
import type { Random } from '../mutations/schemas.ts';
import type { Flavour } from './flavour.ts';
import { type Json, type JsonMap, keyOf, type Num, num } from './values.ts';
import * as words from './words.ts';

/** By name, what adds a keyword. */
export type Choices = Record<string, () => void>;
type Make = () => Json;

/** What the choices need of the maker of a schema. */
export interface Maker {
  readonly random: Random;
  /** The draft, by its age: 4, 6, 7, 8 (2019-09) or 9 (2020-12). */
  readonly age: number;
  readonly flavour: Flavour;
  readonly names: readonly string[];
  readonly numbers: readonly Num[];
  readonly pick: <T>(list: readonly T[]) => T;
  /** One to `most` different ones of the list. */
  readonly some: <T>(list: readonly T[], most: number) => T[];
}

export interface StepContext {
  readonly maker: Maker;
  readonly schema: JsonMap;
  /** Makes a schema for a part of the value, for the same value, and any value. */
  readonly child: Make;
  readonly same: Make;
  readonly value: Make;
}

/** `leadsOn`: also keywords with schemas for the same value. */
export function choicesFor(making: StepContext, leadsOn: boolean): Choices {
  const { maker, schema, value } = making;
  const types = [schema.get('type')].flat();
  const isAbout = (...names: string[]): boolean =>
    !schema.has('type') || types.some((one) => names.includes(String(one)));
  return {
    enum: set(making, 'enum', () => distinct(listOf(maker, value, 4))),
    ...(maker.age > 4 ? { const: set(making, 'const', value) } : {}),
    ...(isAbout('string') ? ofStrings(making) : {}),
    ...(isAbout('number', 'integer') ? ofNumbers(making) : {}),
    ...(isAbout('object') ? ofObjects(making) : {}),
    ...(isAbout('array') ? ofArrays(making) : {}),
    ...(leadsOn ? inPlace(making) : {}),
  };
}

function set({ schema }: StepContext, name: string, make: Make): () => void {
  return () => void schema.set(name, make());
}

/** One to `most` of what `make` makes. */
export function listOf({ random }: Maker, make: Make, most: number): Json[] {
  return Array.from({ length: 1 + random(most) }, make);
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((one) => [keyOf(one), one])).values()];
}

function byName(names: readonly string[], make: Make): Json {
  return new Map(names.map((name) => [name, make()]));
}

function count({ random }: Maker): Make {
  return () => num(random(5));
}

function oftenFalse({ random }: Maker, make: Make): Make {
  return () => (random(3) === 0 ? random(4) === 0 : make());
}

function pattern(maker: Maker): string {
  const isBad = maker.flavour.badPatterns && maker.random(3) === 0;
  return maker.pick(isBad ? words.BAD_PATTERNS : Object.keys(words.PATTERNS));
}

function ofStrings(making: StepContext): Choices {
  const { maker } = making;
  const choices = {
    minLength: set(making, 'minLength', count(maker)),
    maxLength: set(making, 'maxLength', count(maker)),
    pattern: set(making, 'pattern', () => pattern(maker)),
  };
  const format = set(making, 'format', () => maker.pick(Object.keys(words.FORMATS)));
  return maker.flavour.formats ? { ...choices, format } : choices;
}

function ofNumbers(making: StepContext): Choices {
  const { maker, schema } = making;
  const divisors = maker.flavour.exact ? [...words.DIVISORS, ...words.EXACT_DIVISORS] : words.DIVISORS;
  const choices: Choices = { multipleOf: set(making, 'multipleOf', () => maker.pick(divisors)) };
  const exclusive = maker.age > 4 ? ['exclusiveMinimum', 'exclusiveMaximum'] : [];
  for (const name of ['minimum', 'maximum', ...exclusive])
    choices[name] = () => {
      schema.set(name, maker.pick(maker.numbers));
      if (maker.age === 4 && maker.random(2) === 0) schema.set(name.replace('m', 'exclusiveM'), maker.random(2) === 0);
    };
  return choices;
}

function ofObjects(making: StepContext): Choices {
  const { maker, schema, child, same } = making;
  const { age, random } = maker;
  const names = (most: number): string[] => maker.some(maker.names, most);
  const properties = (): void => {
    schema.set('properties', byName(names(4), child));
    if (random(3) === 0) schema.set('required', names(3));
  };
  const patterns = (): string[] => listOf(maker, () => pattern(maker), 3).map(String);
  const dependent = (): Json => (random(2) === 0 ? names(2) : same());
  const choices: Choices = {
    properties,
    'more properties': properties,
    patternProperties: set(making, 'patternProperties', () => byName(patterns(), child)),
    additionalProperties: set(making, 'additionalProperties', oftenFalse(maker, child)),
    required: set(making, 'required', () => names(3)),
    minProperties: set(making, 'minProperties', count(maker)),
    maxProperties: set(making, 'maxProperties', count(maker)),
  };
  if (age > 4) choices.propertyNames = set(making, 'propertyNames', child);
  if (age < 8) return { ...choices, dependencies: set(making, 'dependencies', () => byName(names(2), dependent)) };
  return {
    ...choices,
    dependentRequired: set(making, 'dependentRequired', () => byName(names(2), () => names(2))),
    dependentSchemas: set(making, 'dependentSchemas', () => byName(names(2), same)),
    unevaluatedProperties: set(making, 'unevaluatedProperties', oftenFalse(maker, child)),
  };
}

function ofArrays(making: StepContext): Choices {
  const { maker, child } = making;
  const { age, random } = maker;
  const list = (): Json => listOf(maker, child, 3);
  const rest = age > 4 ? oftenFalse(maker, child) : child;
  const choices: Choices = {
    minItems: set(making, 'minItems', count(maker)),
    maxItems: set(making, 'maxItems', count(maker)),
    uniqueItems: set(making, 'uniqueItems', () => random(6) > 0),
    items: set(making, 'items', () => (age < 9 && random(2) === 0 ? list() : rest())),
  };
  if (age > 4) choices.contains = set(making, 'contains', child);
  if (age === 9) choices.prefixItems = set(making, 'prefixItems', list);
  else choices.additionalItems = set(making, 'additionalItems', oftenFalse(maker, child));
  if (age < 8) return choices;
  choices.unevaluatedItems = set(making, 'unevaluatedItems', oftenFalse(maker, child));
  for (const name of ['minContains', 'maxContains'])
    choices[name] = () => {
      set(making, name, count(maker))();
      set(making, 'contains', child)();
    };
  return choices;
}

function inPlace(making: StepContext): Choices {
  const { maker, schema, same } = making;
  const list = (): Json => listOf(maker, same, 3);
  const choices: Choices = { not: set(making, 'not', same) };
  for (const name of ['allOf', 'anyOf', 'oneOf']) choices[name] = set(making, name, list);
  if (maker.age < 7) return choices;
  choices.if = () => {
    schema.set('if', same());
    if (maker.random(4) > 0) schema.set('then', same());
    if (maker.random(3) > 0) schema.set('else', same());
  };
  return choices;
}
