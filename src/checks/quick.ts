/**
 * Most expressions compare texts and numbers that are there. This evaluates such ones as functions, over values as JSON.parse
 * makes them. It answers only where it is certain what CEL says; for all else, undefined, the library evaluates.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import type { Shape } from './shape.ts';

/** `undefined`: not certain. */
type QuickRead = (self: unknown) => unknown;

/** What numbers of a part are; `time`: they are milliseconds, of a timestamp. */
type Sort = 'int' | 'double' | 'time';

interface QuickPart {
  readonly read: QuickRead;
  readonly sort: Sort;
  readonly shape: Shape | null;
}

/** Matches a regular expression of the expression. Throws an Error if that takes too many steps. */
type Matches = (text: string, source: string) => boolean;

export type Tester = (self: unknown) => boolean | undefined;

/** Null: the expression is of another form. `shape`: of `self`; null: nothing is known of it. */
export function quickTester(ast: ASTNode, shape: Shape | null, matches: Matches): Tester | null {
  const part = partOf(ast, shape, matches);
  if (part === null) return null;
  return (self) => {
    try {
      const value = part.read(self);
      return typeof value === 'boolean' ? value : undefined;
    } catch {
      return undefined; // too many steps, which the library tells with the check
    }
  };
}

const part = (read: QuickRead, sort: Sort = 'double', shape: Shape | null = null): QuickPart => ({ read, sort, shape });

function partOf(node: ASTNode, self: Shape | null, matches: Matches): QuickPart | null {
  const inner = (one: ASTNode): QuickPart | null => partOf(one, self, matches);
  switch (node.op) {
    case 'value':
      return literal(node.args);
    case 'id':
      return node.args === 'self' ? typed((value) => value, self) : null;
    case '.':
      return member(inner(node.args[0]), node.args[1]);
    case '[]': {
      const [object, key] = node.args;
      return key.op === 'value' && typeof key.args === 'string' ? member(inner(object), key.args) : null;
    }
    case '!_':
      return unary(inner(node.args), (value) => (typeof value === 'boolean' ? !value : undefined));
    case '?:':
      return conditional(node.args.map(inner));
    case 'call':
      return call(node.args[0], node.args[1], inner);
    case 'rcall':
      return method(node.args, inner, matches);
    case '&&':
    case '||':
      return logical(node.op === '||', node.args.map(inner));
    default:
      return Array.isArray(node.args) ? binary(node.op, (node.args as ASTNode[]).map(inner)) : null; // its operands
  }
}

function literal(value: unknown): QuickPart | null {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? part(() => Number(value), 'int') : null;
  const isPlain = ['string', 'boolean', 'number'].includes(typeof value);
  return isPlain ? part(() => value) : null;
}

/** A value of the payload; of an int that no double holds, the digits are not known. */
function typed(read: QuickRead, shape: Shape | null): QuickPart {
  if (shape?.isInteger !== true) return part(read, 'double', shape);
  const certain = (value: unknown): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : value;
  return part((self) => certain(read(self)), 'int', shape);
}

/** A member of a JSON object. */
function member(object: QuickPart | null, name: string): QuickPart | null {
  if (object === null) return null;
  const { read } = object;
  return typed((self) => ownMember(read(self), name), object.shape?.member(name) ?? null);
}

function ownMember(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** `apply` returns undefined for values of other types. */
function unary(of: QuickPart | null, apply: (value: unknown) => unknown, sort?: Sort): QuickPart | null {
  if (of === null) return null;
  const { read } = of;
  return part((self) => apply(read(self)), sort);
}

/** The same for two values. */
function both(first: QuickPart, second: QuickPart, apply: (a: unknown, b: unknown) => unknown, sort?: Sort): QuickPart {
  const [a, b] = [first.read, second.read];
  return part((self) => apply(a(self), b(self)), sort);
}

function conditional([test, yes, no]: readonly (QuickPart | null)[]): QuickPart | null {
  if (!test || !yes || !no || yes.sort !== no.sort) return null;
  return part((self) => {
    const value = test.read(self);
    return value === true ? yes.read(self) : value === false ? no.read(self) : undefined;
  }, yes.sort);
}

/** `ending`: the value that needs no other operand. */
function logical(ending: boolean, [first, second]: readonly (QuickPart | null)[]): QuickPart | null {
  if (!first || !second) return null;
  const [a, b] = [first.read, second.read];
  return part((self) => {
    const left = a(self);
    if (typeof left !== 'boolean' || left === ending) return typeof left === 'boolean' ? left : undefined;
    const right = b(self);
    return typeof right === 'boolean' ? right : undefined;
  });
}

function call(name: string, args: readonly ASTNode[], inner: (one: ASTNode) => QuickPart | null): QuickPart | null {
  const [arg] = args;
  if (arg === undefined || args.length > 1) return null;
  if (name === 'has') {
    if (arg.op !== '.') return null;
    const [object, key] = [inner(arg.args[0]), arg.args[1]];
    const value = member(object, key);
    if (object === null || value === null) return null;
    return both(object, value, (holder, held) =>
      held !== undefined ? true : isObject(holder) && !Object.hasOwn(holder, key) ? false : undefined,
    );
  }
  if (name === 'size') return unary(inner(arg), (list) => (Array.isArray(list) ? list.length : undefined), 'int');
  return name === 'timestamp' ? unary(inner(arg), millisecondsOf, 'time') : null;
}

function millisecondsOf(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.length < 20 || text.length > 30) return undefined;
  const time = Date.parse(text);
  return time <= 253402300799999 && time >= -62135596800000 ? time : undefined;
}

const TESTS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  contains: (text, other) => text.includes(other),
  startsWith: (text, other) => text.startsWith(other),
  endsWith: (text, other) => text.endsWith(other),
};

function method(
  [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
  inner: (one: ASTNode) => QuickPart | null,
  matches: Matches,
): QuickPart | null {
  const test = name === 'matches' ? matches : Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
  const [text, other] = [inner(receiver), args.length === 1 ? inner(args[0]!) : null];
  if (test === undefined || text === null || other === null) return null;
  return both(text, other, (a, b) => (typeof a === 'string' && typeof b === 'string' ? test(a, b) : undefined));
}

type Comparable = string | number;

const COMPARISONS: Readonly<Record<string, (a: Comparable, b: Comparable) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const SUMS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
};

function binary(op: string, [a, b]: readonly (QuickPart | null)[]): QuickPart | null {
  if (!a || !b) return null;
  if ((a.sort === 'time') !== (b.sort === 'time')) return null;
  const compare = Object.hasOwn(COMPARISONS, op) ? COMPARISONS[op] : undefined;
  if (compare !== undefined)
    return both(a, b, (x, y) =>
      (typeof x === 'string' && typeof y === 'string') || (typeof x === 'number' && typeof y === 'number')
        ? compare(x, y)
        : undefined,
    );
  const sum = Object.hasOwn(SUMS, op) && a.sort !== 'time' ? SUMS[op] : undefined;
  if (sum === undefined) return null;
  const isInt = a.sort === 'int' && b.sort === 'int';
  const isCertain = isInt ? Number.isSafeInteger : Number.isFinite;
  return both(
    a,
    b,
    (x, y) => {
      const result = typeof x === 'number' && typeof y === 'number' ? sum(x, y) : undefined;
      return isCertain(result) ? result : undefined;
    },
    isInt ? 'int' : 'double',
  );
}
