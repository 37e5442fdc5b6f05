/**
 * Applies a schema to one value without compiling it: for the first payloads of a run, of which there may be no more. It knows the keywords
 * that accept knows, and has three answers, too.
 */

import { formatNamed, necessaryPattern, sufficientPattern } from '../formats/index.ts';
import { isAmong, jsonEqual, repeatedItems } from '../json/equal.ts';
import type { SchemaSet } from '../schema/load.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import { keywordsOf } from './keywords.ts';
import { matchesSimple } from './simple-patterns.ts';
import { Replacer } from './unevaluated.ts';

/** Whether a value matches; null: unsure. */
export type Answer = boolean | null;

/** Schemas, names and patterns that are tried on values of one payload. More work is left to compiled code. */
const MOST_STEPS = 100_000;
/** Schemas inside of one another. */
const MOST_LEVELS = 200;
/** Longer texts are not compared with the patterns of formats. */
const MOST_CHARACTERS = 300;

/** A number whose value JSON.parse may have to round: with an exponent, or many digits. */
const MAY_BE_ROUNDED = /\d[eE]|[\d.]{16}/;

/** Whether a text that accept regards as plain matches `schema` of the set. */
export function interpret(text: string, schema: Schema, set: Pick<SchemaSet, 'assertsFormats'>): Answer {
  return new Interpreter(set, !MAY_BE_ROUNDED.test(text)).apply(schema, JSON.parse(text));
}

class Interpreter {
  readonly assertsFormats: boolean;
  /** True if numbers have the values with which they are written. */
  readonly isExact: boolean;
  readonly #replacer = new Replacer();
  #steps = 0;
  #level = 0;

  constructor({ assertsFormats }: Pick<SchemaSet, 'assertsFormats'>, isExact: boolean) {
    this.assertsFormats = assertsFormats !== false;
    this.isExact = isExact;
  }

  apply(schema: Schema, value: unknown): Answer {
    if (!isNode(schema)) return schema;
    if (++this.#steps > MOST_STEPS || this.#level === MOST_LEVELS) return null;
    this.#level++;
    try {
      return this.#applyAll(schema, value);
    } finally {
      this.#level--;
    }
  }

  #applyAll(given: SchemaNode, value: unknown): Answer {
    const schema = this.#replacer.replace(given);
    const { own, branches, unsupported } = keywordsOf(schema);
    const type = typeOf(value);
    let answer: Answer = unsupported.some(({ types }) => types === null || types.some((one) => one === type))
      ? null
      : true;
    for (const keywords of [own, branches]) {
      for (const keyword of keywords) {
        const one = CHECKS[keyword]?.(schema, value, this) ?? null;
        if (one === false) return false;
        if (one === null) answer = null;
      }
    }
    return answer;
  }

  /** Whether a text matches a pattern. */
  match(pattern: string, text: string): Answer {
    return ++this.#steps > MOST_STEPS ? null : matchesSimple(pattern, text);
  }

  /** True if all are. */
  all<T>(items: Iterable<T>, ask: (item: T) => Answer): Answer {
    let answer: Answer = true;
    for (const item of items) {
      if (++this.#steps > MOST_STEPS) return null;
      const one = ask(item);
      if (one === false) return false;
      if (one === null) answer = null;
    }
    return answer;
  }
}

type Check = (schema: SchemaNode, value: unknown, run: Interpreter) => Answer;
type JsonObject = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** A check that applies to some values only. */
const of =
  <T>(
    applies: (value: unknown) => value is T,
    check: (schema: SchemaNode, value: T, run: Interpreter) => Answer,
  ): Check =>
  (schema, value, run) =>
    !applies(value) || check(schema, value, run);

const not = (answer: Answer): Answer => (answer === null ? null : !answer);

/** By keyword, which the schema has. */
const CHECKS: Readonly<Record<string, Check>> = {
  type: ({ type }, value) => [type].flat().some((one) => isOfType(value, one)),
  enum: (schema, value) => isAmong(value, schema.enum!),
  const: (schema, value) => jsonEqual(value, schema.const),
  minLength: of(isText, ({ minLength }, text) => [...text].length >= Number(minLength)),
  maxLength: of(isText, ({ maxLength }, text) => [...text].length <= Number(maxLength)),
  pattern: of(isText, ({ pattern }, text) => matchesSimple(String(pattern), text)),
  format: formatAnswer,
  minimum: of(isNumber, ({ minimum }, number) => number >= Number(minimum)),
  maximum: of(isNumber, ({ maximum }, number) => number <= Number(maximum)),
  exclusiveMinimum: of(isNumber, ({ exclusiveMinimum }, number) => number > Number(exclusiveMinimum)),
  exclusiveMaximum: of(isNumber, ({ exclusiveMaximum }, number) => number < Number(exclusiveMaximum)),
  multipleOf: of(isNumber, ({ multipleOf }, number, { isExact }) =>
    isExact && Number.isSafeInteger(number) && Number.isSafeInteger(multipleOf)
      ? number % Number(multipleOf) === 0
      : null,
  ),
  required: of(isObject, ({ required }, object) => hasAll(object, required!)),
  minProperties: of(
    isObject,
    ({ minProperties }, object) => Object.keys(object).length >= Number(minProperties),
  ),
  maxProperties: of(
    isObject,
    ({ maxProperties }, object) => Object.keys(object).length <= Number(maxProperties),
  ),
  properties: of(isObject, (schema, object, run) => {
    const properties = schema.properties!;
    return run.all(
      Object.keys(object),
      (name) => !Object.hasOwn(properties, name) || run.apply(properties[name]!, object[name]),
    );
  }),
  patternProperties: of(isObject, ({ patternProperties }, object, run) =>
    run.all(Object.entries(patternProperties!), ([pattern, schema]) =>
      run.all(Object.keys(object), (name) => {
        const isMatch = run.match(pattern, name);
        return isMatch === true ? run.apply(schema, object[name]) : isMatch === null ? null : true;
      }),
    ),
  ),
  additionalProperties: of(isObject, (schema, object, run) =>
    run.all(Object.keys(object), (name) => {
      const isOther = isAdditional(schema, name, run);
      return isOther === true
        ? run.apply(schema.additionalProperties!, object[name])
        : isOther === null
          ? null
          : true;
    }),
  ),
  propertyNames: of(isObject, ({ propertyNames }, object, run) =>
    run.all(Object.keys(object), (name) => run.apply(propertyNames!, name)),
  ),
  dependentRequired: of(isObject, ({ dependentRequired }, object, run) =>
    run.all(
      Object.entries(dependentRequired!),
      ([name, needed]) => !Object.hasOwn(object, name) || hasAll(object, needed),
    ),
  ),
  dependentSchemas: of(isObject, ({ dependentSchemas }, object, run) =>
    run.all(
      Object.entries(dependentSchemas!),
      ([name, needed]) => !Object.hasOwn(object, name) || run.apply(needed, object),
    ),
  ),
  items: of(isArray, ({ items, prefixItems = [] }, array, run) =>
    run.all(array.slice(prefixItems.length), (item) => run.apply(items!, item)),
  ),
  prefixItems: of(isArray, ({ prefixItems }, array, run) =>
    run.all(array.slice(0, prefixItems!.length).entries(), ([i, item]) => run.apply(prefixItems![i]!, item)),
  ),
  minItems: of(isArray, ({ minItems }, array) => array.length >= Number(minItems)),
  maxItems: of(isArray, ({ maxItems }, array) => array.length <= Number(maxItems)),
  uniqueItems: of(isArray, ({ uniqueItems }, array) => uniqueItems !== true || repeatedItems(array) === null),
  contains: of(isArray, containsAnswer),
  $ref: ({ $ref }, value, run) => run.all($ref!, (one) => run.apply(one, value)),
  allOf: ({ allOf }, value, run) => run.all(allOf!, (one) => run.apply(one, value)),
  anyOf: ({ anyOf }, value, run) => not(run.all(anyOf!, (one) => not(run.apply(one, value)))),
  oneOf({ oneOf }, value, run) {
    const answers = oneOf!.map((one) => run.apply(one, value));
    const matching = answers.filter((one) => one === true).length;
    if (matching > 1) return false;
    return answers.includes(null) ? null : matching === 1;
  },
  not: (schema, value, run) => not(run.apply(schema.not!, value)),
  if({ if: test, then = true, else: otherwise = true }, value, run) {
    if (then === true && otherwise === true) return true;
    const answer = run.apply(test!, value);
    return answer === null ? null : run.apply(answer ? then : otherwise, value);
  },
};

/** The keywords that are checked here. */
export const INTERPRETED: readonly string[] = Object.keys(CHECKS);

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function hasAll(object: JsonObject, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(object, name));
}

/** A text that matches the pattern of its format surely has the format; others are unsure. */
function formatAnswer({ format }: SchemaNode, value: unknown, { assertsFormats }: Interpreter): Answer {
  const name = String(format);
  if (!assertsFormats) return true;
  const known = formatNamed(name);
  if (known === null) return true;
  if (isNumber(value)) return known.type === 'number' ? null : true;
  if (!isText(value)) return true;
  const [sufficient, necessary] = [sufficientPattern(known), necessaryPattern(known)];
  if (sufficient === null) return true;
  if (value.length > MOST_CHARACTERS) return null;
  if (new RegExp(sufficient, 'u').test(value)) return true;
  return sufficient === necessary ? false : null;
}

/** Whether `additionalProperties` applies to a member. */
function isAdditional({ properties, patternProperties }: SchemaNode, name: string, run: Interpreter): Answer {
  if (properties !== undefined && Object.hasOwn(properties, name)) return false;
  const answers = Object.keys(patternProperties ?? {}).map((pattern) => run.match(pattern, name));
  return answers.includes(true) ? false : answers.includes(null) ? null : true;
}

function containsAnswer(schema: SchemaNode, array: readonly unknown[], run: Interpreter): Answer {
  const { contains, minContains: least = 1, maxContains: most = Number.POSITIVE_INFINITY } = schema;
  const answers = array.map((item) => run.apply(contains!, item));
  const matching = answers.filter((one) => one === true).length;
  if (matching > most) return false;
  return answers.includes(null) ? null : matching >= least;
}
