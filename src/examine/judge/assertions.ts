/**
 * The keywords that judge a value by themselves, as steps. Equality, multiples of decimals, lengths in code points and names that every
 * JavaScript object has are as JSON Schema has them, in which Ajv differs.
 */
import { compareNumbers, Decimal, isMultipleOf, type JsonNumber } from '../../json/decimal.ts';
import { isAmong, jsonEqual, repeatedItems } from '../../json/equal.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { exactNumber, exactValue } from '../../schema/exact.ts';
import { all, assertion, type FormatLimit, type MakeStep, type Making, type Step } from './step.ts';

type Limit = `${'max' | 'min'}${'Length' | 'Items' | 'Properties'}`;

/** A keyword with a limit, by what it says of a value. */
function limited<T>(keyword: Limit, holds: (value: T, limit: number) => boolean): MakeStep {
  return (making) => {
    const limit = making.node[keyword]!;
    const fault = making.fault({ rule: keyword, params: { limit } });
    return assertion(making, fault, (value) => holds(value as T, limit)); // asked of values of this type only
  };
}

/** For messages: the text of a number that is not what a double prints. */
function writtenAs(number: JsonNumber): { readonly written?: string } {
  return typeof number === 'number' ? {} : { written: number.text };
}

/** By keyword: whether it holds for the order of a number and the limit, see `compareNumbers`. */
const NUMBER_LIMITS = {
  maximum: (order: number) => order <= 0,
  minimum: (order: number) => order >= 0,
  exclusiveMaximum: (order: number) => order < 0,
  exclusiveMinimum: (order: number) => order > 0,
};

export function numberLimit(keyword: keyof typeof NUMBER_LIMITS): MakeStep {
  const holds = NUMBER_LIMITS[keyword];
  return (making) => {
    const { node } = making;
    const limit = exactNumber(node, keyword);
    const params = { limit: node[keyword]!, ...writtenAs(limit) };
    const fault = making.fault({ rule: keyword, params });
    return assertion(making, fault, (value) => holds(compareNumbers(value as JsonNumber, limit))); // asked of numbers only
  };
}

export const maxItems = limited<readonly unknown[]>('maxItems', ({ length }, limit) => length <= limit);
export const minItems = limited<readonly unknown[]>('minItems', ({ length }, limit) => length >= limit);
export const maxProperties = limited<object>(
  'maxProperties',
  (value, limit) => Object.keys(value).length <= limit,
);
export const minProperties = limited<object>(
  'minProperties',
  (value, limit) => Object.keys(value).length >= limit,
);

/** Strings are counted in code points (JSON Schema 2020-12 validation, section 6.3.1), which have one or two code units. */
export const maxLength = limited<string>('maxLength', (text, limit) =>
  text.length <= limit ? true : text.length <= 2 * limit && codePoints(text) <= limit,
);
export const minLength = limited<string>('minLength', (text, limit) =>
  text.length < limit ? false : text.length >= 2 * limit || codePoints(text) >= limit,
);

function codePoints(text: string): number {
  let size = 0;
  for (let i = 0; i < text.length; i += text.codePointAt(i)! > 0xffff ? 2 : 1) size++;
  return size;
}

export const multipleOf: MakeStep = (making) => {
  const divisor = exactNumber(making.node, 'multipleOf');
  const params = { divisor: making.node.multipleOf!, ...writtenAs(divisor) };
  const fault = making.fault({ rule: 'multipleOf', params });
  return assertion(making, fault, (value) => isMultipleOf(value as JsonNumber, divisor)); // asked of numbers only
};

export const pattern: MakeStep = (making) => {
  const source = making.node.pattern!;
  const matches = making.pattern(source);
  const fault = making.fault({ rule: 'pattern', params: { pattern: source } });
  return assertion(making, fault, (value) => matches(value as string)); // asked of strings only
};

export const format: MakeStep = (making) => {
  const name = making.node.format!;
  const matches = making.format(name);
  return matches && assertion(making, making.fault({ rule: 'format', params: { format: name } }), matches);
};

export function formatLimit(keyword: FormatLimit): MakeStep {
  return (making) => {
    const { node } = making;
    const holds = making.formatLimit(node, keyword);
    return (
      holds && assertion(making, making.fault({ rule: keyword, params: { limit: node[keyword]! } }), holds)
    );
  };
}

export const uniqueItems: MakeStep = ({ node, walk, fault: faultOf }) => {
  if (node.uniqueItems !== true) return null;
  const fault = faultOf({ rule: 'uniqueItems', params: { first: 0, second: 0 } });
  return (value) => {
    const pair = repeatedItems(value as unknown[]); // asked of arrays only
    return pair === null || walk.tellItems(fault, value, pair);
  };
};

/** One violation for each of the names that is missing. */
function missing(
  { walk, fault }: Making,
  names: readonly string[],
  facts: (missing: string) => SchemaFacts,
): Step {
  const faults = names.map((name) => fault(facts(name)));
  return (value) => {
    let holds = true;
    for (let i = 0; i < names.length; i++) {
      if (Object.hasOwn(value as object, names[i]!)) continue; // asked of objects only
      holds = walk.tell(faults[i]!, value);
      if (walk.isQuiet) break;
    }
    return holds;
  };
}

export const required: MakeStep = (making) =>
  missing(making, making.node.required!, (name) => ({ rule: 'required', params: { missing: name } }));

export const dependentRequired: MakeStep = (making) => {
  const steps = Object.entries(making.node.dependentRequired!).map(([because, names]) => {
    const step = missing(making, names, (name) => ({
      rule: 'dependentRequired',
      params: { missing: name, because },
    }));
    return (value: unknown) => !Object.hasOwn(value as object, because) || step(value); // asked of objects only
  });
  return all(making, steps);
};

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** For messages: the texts of such numbers, by index. */
function writtenIn(values: readonly unknown[]): { readonly written?: Readonly<Record<number, string>> } {
  const texts = [...values.entries()].flatMap(([i, value]) =>
    value instanceof Decimal ? [[i, value.text] as const] : [],
  );
  return texts.length === 0 ? {} : { written: Object.fromEntries(texts) };
}

export const constant: MakeStep = (making) => {
  const wanted = exactValue(making.node, 'const');
  const fault = making.fault({
    rule: 'const',
    params: { allowed: [making.node.const], ...writtenIn([wanted]) },
  });
  const isWanted = isScalar(wanted)
    ? (value: unknown) => value === wanted
    : (value: unknown) => jsonEqual(value, wanted);
  return assertion(making, fault, isWanted);
};

export const enumeration: MakeStep = (making) => {
  const allowed = exactValue(making.node, 'enum') as readonly unknown[]; // a list in the file
  // A set regards -0 as 0, as JSON Schema does.
  const scalars = new Set(allowed.filter(isScalar));
  const others = allowed.filter((value) => !isScalar(value));
  const isAllowed = (value: unknown): boolean =>
    isScalar(value) ? scalars.has(value) : isAmong(value, others);
  return assertion(
    making,
    making.fault({ rule: 'enum', params: { allowed: making.node.enum!, ...writtenIn(allowed) } }),
    isAllowed,
  );
};

/** The step of the keyword `type`, for values of a type that it does not allow. */
export function wrongType(making: Making): Step {
  const expected = making.node.type!;
  // What is found there comes from the payload.
  const fault = making.fault({ rule: 'type', params: { expected, found: 'null' } });
  return assertion(making, fault, () => false);
}
