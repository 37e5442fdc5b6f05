/**
 * The keywords that judge a value by themselves, as steps. Equality, multiples of decimals, lengths in code points and names that every
 * JavaScript object has are as JSON Schema has them, in which Ajv differs.
 */
import { isMultipleOf } from '../../json/decimal.ts';
import { isAmong, jsonEqual, repeatedItems } from '../../json/equal.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { all, assertion, type FormatLimit, type MakeStep, type Making, type Step } from './step.ts';

type Limit =
  | 'maxLength'
  | 'minLength'
  | 'maxItems'
  | 'minItems'
  | 'maxProperties'
  | 'minProperties'
  | keyof typeof NUMBER_LIMITS;

/** A keyword with a limit, by what it says of a value. */
function limited<T>(keyword: Limit, holds: (value: T, limit: number) => boolean): MakeStep {
  return (making) => {
    const limit = making.node[keyword]!;
    const fault = making.fault({ rule: keyword, params: { limit } });
    return assertion(making, fault, (value) => holds(value as T, limit)); // asked of values of this type only
  };
}

const NUMBER_LIMITS = {
  maximum: (value: number, limit: number) => value <= limit,
  minimum: (value: number, limit: number) => value >= limit,
  exclusiveMaximum: (value: number, limit: number) => value < limit,
  exclusiveMinimum: (value: number, limit: number) => value > limit,
};

export function numberLimit(keyword: keyof typeof NUMBER_LIMITS): MakeStep {
  return limited(keyword, NUMBER_LIMITS[keyword]);
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
  const divisor = making.node.multipleOf!;
  const fault = making.fault({ rule: 'multipleOf', params: { divisor } });
  const text = (): string | undefined => making.walk.numberText();
  return assertion(making, fault, (value) => isMultipleOf(value as number, divisor, text())); // asked of numbers only
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

export const constant: MakeStep = (making) => {
  const wanted = making.node.const;
  const fault = making.fault({ rule: 'const', params: { allowed: [wanted] } });
  const isWanted = isScalar(wanted)
    ? (value: unknown) => value === wanted
    : (value: unknown) => jsonEqual(value, wanted);
  return assertion(making, fault, isWanted);
};

export const enumeration: MakeStep = (making) => {
  const allowed = making.node.enum!;
  // A set regards -0 as 0, as JSON Schema does.
  const scalars = new Set(allowed.filter(isScalar));
  const others = allowed.filter((value) => !isScalar(value));
  const isAllowed = (value: unknown): boolean =>
    isScalar(value) ? scalars.has(value) : isAmong(value, others);
  return assertion(making, making.fault({ rule: 'enum', params: { allowed } }), isAllowed);
};

/** The step of the keyword `type`, for values of a type that it does not allow. */
export function wrongType(making: Making): Step {
  const expected = making.node.type!;
  // What is found there comes from the payload.
  const fault = making.fault({ rule: 'type', params: { expected, found: 'null' } });
  return assertion(making, fault, () => false);
}
