/** The operators of checks with two operands: comparisons, and what gives numbers, texts, lists and times. */
import { Failure, type StepCount } from './failure.ts';
import { arithmetic, isNumeric } from './numbers.ts';
import { between, Duration, movedBy, sumOfDurations, Timestamp } from './time.ts';
import { type CelType, type Closure, equal, noOverload, order } from './values.ts';

type Type = CelType | 'dyn';

interface Comparator {
  readonly numbers: (a: number, b: number) => boolean;
  /** Of the order of two values; null: they need only be equal, or not. */
  readonly by: ((order: number) => boolean) | null;
}

export const COMPARISONS: Readonly<Record<string, Comparator>> = {
  '<': { numbers: (a, b) => a < b, by: (order) => order < 0 },
  '<=': { numbers: (a, b) => a <= b, by: (order) => order <= 0 },
  '>': { numbers: (a, b) => a > b, by: (order) => order > 0 },
  '>=': { numbers: (a, b) => a >= b, by: (order) => order >= 0 },
  '==': { numbers: (a, b) => a === b, by: null },
  '!=': { numbers: (a, b) => a !== b, by: null },
};

/** The type of a result; null: there is no such operation. Of values that are not known, nothing is refused. */
export function resultOf(operator: string, a: Type, b: Type): Type | null {
  if (operator === '==' || operator === '!=') return 'bool';
  if (operator === 'in') return b === 'dyn' || b === 'list' || b === 'map' ? 'bool' : null;
  const results = RESULTS[operator] ?? ORDERED;
  const fits = ([x, y]: readonly [Type, Type, Type]): boolean => (a === 'dyn' || a === x) && (b === 'dyn' || b === y);
  const [first, ...others] = results.filter(fits);
  if (first === undefined) return null;
  return others.every((other) => other[2] === first[2]) ? first[2] : 'dyn';
}

type ResultRow = readonly [a: Type, b: Type, result: Type];

const DOUBLES: readonly ResultRow[] = [
  ['int', 'double', 'double'],
  ['double', 'int', 'double'],
  ['double', 'double', 'double'],
];
const NUMBERS: readonly ResultRow[] = [['int', 'int', 'int'], ...DOUBLES];
const PLAIN: readonly CelType[] = ['int', 'string', 'bool', 'timestamp', 'duration'];
const ORDERED: readonly ResultRow[] = [
  ...DOUBLES.map(([a, b]) => [a, b, 'bool'] as const),
  ...PLAIN.map((type) => [type, type, 'bool'] as const),
];
const RESULTS: Readonly<Record<string, readonly ResultRow[]>> = {
  '+': [
    ...NUMBERS,
    ['string', 'string', 'string'],
    ['list', 'list', 'list'],
    ['timestamp', 'duration', 'timestamp'],
    ['duration', 'timestamp', 'timestamp'],
    ['duration', 'duration', 'duration'],
  ],
  '-': [
    ...NUMBERS,
    ['timestamp', 'timestamp', 'duration'],
    ['timestamp', 'duration', 'timestamp'],
    ['duration', 'duration', 'duration'],
  ],
  '*': NUMBERS,
  '/': NUMBERS,
  '%': [['int', 'int', 'int']],
};

export function comparison(operator: string, x: Closure, y: Closure, steps: StepCount): Closure {
  const { numbers, by } = COMPARISONS[operator]!;
  return (scope) => {
    const a = x(scope);
    const b = y(scope);
    if (typeof a === 'number' && typeof b === 'number') return numbers(a, b);
    if (a instanceof Failure) return a;
    if (b instanceof Failure) return b;
    if (by === null) return equal(a, b, steps) === (operator === '==');
    const found = order(a, b, steps);
    return found === null ? noOverload(operator, a, b) : by(found);
  };
}

/** Undefined or null: there is no such operation for the values. */
type Operation = (a: unknown, b: unknown, steps: StepCount) => unknown;

export function operation(operator: string): Operation {
  const numbers = arithmetic(operator as Parameters<typeof arithmetic>[0]); // all others are comparisons
  const others = operator === '+' ? sum : operator === '-' ? difference : () => undefined;
  return (a, b, steps) => (isNumeric(a) && isNumeric(b) ? numbers(a, b) : others(a, b, steps));
}

const sum: Operation = (a, b, steps) => {
  if (typeof a === 'string' && typeof b === 'string') {
    steps.takeText(a.length + b.length);
    return a + b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    steps.take(a.length + b.length);
    return a.concat(b) as unknown[];
  }
  if (a instanceof Timestamp && b instanceof Duration) return movedBy(a, b, 1, steps);
  if (a instanceof Duration && b instanceof Timestamp) return movedBy(b, a, 1, steps);
  return a instanceof Duration && b instanceof Duration ? sumOfDurations(a, b, 1, steps) : undefined;
};

const difference: Operation = (a, b, steps) => {
  if (a instanceof Timestamp && b instanceof Timestamp) return between(a, b, steps);
  if (a instanceof Timestamp && b instanceof Duration) return movedBy(a, b, -1, steps);
  return a instanceof Duration && b instanceof Duration ? sumOfDurations(a, b, -1, steps) : undefined;
};
