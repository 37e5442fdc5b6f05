/**
 * An expression of CEL, made safe before the first payload: it cannot run a program, a regular expression in it is a literal
 * that is matched in linear time, macros over items do not nest, and what it does with the items of a payload is counted.
 */
import { type ASTNode, Environment, EvaluationError, type ParseResult } from '@marcbachmann/cel-js';
import { TooCostly, UsageError } from '../errors.ts';
import { compileMatcher } from '../regex/matcher.ts';
import { regExpFault, toRegExp } from '../schema/regexp.ts';
import { cutTo, quote, visible } from '../words/escape.ts';
import { quickTester, type Tester } from './quick.ts';
import type { Shape } from './shape.ts';
import { sumOf } from './values.ts';

/** What one expression may have. */
const LIMITS = { maxAstNodes: 1000, maxDepth: 50, maxListElements: 1000, maxMapEntries: 100, maxCallArguments: 10 };

export const MACROS: readonly string[] = ['all', 'exists', 'exists_one', 'map', 'filter'];

/** Steps that the expressions of one payload may take, in all, and more for each byte of it. */
const STEPS = 100_000;
const STEPS_OF_A_BYTE = 10;
/** Characters of a text that take as long as one step. */
const CHARACTERS = 32;

/** Counts what expressions do with items, for one payload at a time. */
export class StepCount {
  #left = 0;
  /** Values in a list or a map, by which an operation on it is counted. */
  #sizes = new WeakMap<object, number>();

  begin(bytes: number): void {
    this.#left = STEPS + STEPS_OF_A_BYTE * bytes;
    this.#sizes = new WeakMap();
  }

  /** Throws TooCostly. */
  require(id: string): void {
    if (this.#left < 0) throw new TooCostly(`the check ${quote(id)} takes too many steps`);
  }

  /** Counts a value that is about to be looked through, and returns it. */
  take = <T>(value: T): T => {
    this.#left -= typeof value === 'string' ? 1 + value.length / CHARACTERS : this.#sizeOf(value);
    if (this.#left < 0) throw new Error('too many steps');
    return value;
  };

  #sizeOf(value: unknown): number {
    if (typeof value === 'string') return 1 + value.length / CHARACTERS;
    if (typeof value !== 'object' || value === null) return 1;
    let size = this.#sizes.get(value);
    if (size === undefined) {
      size = 1;
      for (const inner of Object.values(value)) size += this.#sizeOf(inner);
      this.#sizes.set(value, size);
    }
    return size;
  }
}

/** What an evaluation gives; a text: why it failed, with what would prevent that. */
export type EvaluationResult = boolean | { readonly why: string; readonly hint: string | null };

export class CelExpression {
  /** As it was written. */
  readonly ast: ASTNode;
  readonly #evaluate: ParseResult;
  readonly #steps: StepCount;
  readonly #matchers: Printer['matchers'];

  /** `at`: the beginning of a message. Throws UsageError. */
  constructor(text: string, at: string, steps: StepCount) {
    this.#steps = steps;
    const printer = new Printer(at);
    this.#matchers = printer.matchers;
    const environment = environmentFor(steps, printer.matchers);
    try {
      this.ast = environment.parse(text).ast;
      const printed = printer.print(this.ast);
      this.#evaluate = environment.parse(printed);
    } catch (cause) {
      throw cause instanceof UsageError ? cause : new UsageError(at + summaryOf(cause), { cause });
    }
    const { valid, type, error } = this.#evaluate.check();
    if (!valid) throw new UsageError(at + summaryOf(error));
    if (type !== 'bool' && type !== 'dyn')
      throw new UsageError(`${at}expected an expression that is true or false, found one of the type ${type}`);
  }

  /** A function that answers for most values of `shape`; null: there is none. */
  quickTester(shape: Shape | null): Tester | null {
    const matches = (text: string, source: string): boolean => this.#matchers.get(source)!(this.#steps.take(text)); // as printed
    return quickTester(this.ast, shape, matches);
  }

  /** `redact`: no text of the payload. Throws TooCostly. */
  evaluate(self: unknown, id: string, redact: boolean): EvaluationResult {
    try {
      const result: unknown = this.#evaluate({ self });
      // CEL goes on after some errors, so one may be lost.
      this.#steps.require(id);
      if (typeof result === 'boolean') return result;
      return { why: `it is a ${Array.isArray(result) ? 'list' : typeof result}, neither true nor false`, hint: null };
    } catch (error) {
      if (error instanceof TooCostly) throw error;
      this.#steps.require(id);
      const missing = error instanceof EvaluationError && error.code === 'no_such_key' ? error : null;
      const name = /^No such key: (.*)/.exec(missing?.message ?? '')?.[1] ?? '';
      const why = missing === null ? summaryOf(error) : `there is no member ${quote(name)}`;
      return {
        why: redact ? 'an operation on these values is not possible' : visible(cutTo(MOST_OF_MESSAGE, why)),
        hint: missing === null ? null : guardFor(missing),
      };
    }
  }
}

const MOST_OF_MESSAGE = 120;

/** The first line: the others show the expression. */
function summaryOf(error: unknown): string {
  const { message } = error as Error; // the library throws no others
  return visible(message.split('\n')[0]!.replace(/.*BeyondInt64$/, 'an integer is beyond int64')); // our own class
}

/** The test of the member that is missing: `has(self.x)`; null: it is not named in the expression. */
function guardFor({ node }: EvaluationError): string | null {
  const print = (one: ASTNode): string => new Printer('').print(one).replaceAll('counted(', '(');
  if (node?.op === '.') return `has(${print(node)})`;
  if (node?.op !== '[]') return null;
  const [object, key] = node.args;
  return key.op === 'value' ? `${print(key)} in ${print(object)}` : null;
}

function environmentFor(steps: StepCount, matchers: Printer['matchers']): Environment {
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS });
  environment.registerVariable('self', 'dyn');
  environment.registerFunction('counted(dyn): dyn', steps.take);
  environment.registerFunction('sum(list): dyn', (list: readonly unknown[]) => sumOf(steps.take(list)));
  environment.registerFunction(
    'string.matchesLinearly(string): bool',
    (text: string, source: string) => matchers.get(source)!(steps.take(text)), // compiled when it was printed
  );
  const mixed: readonly (readonly [string, (a: number, b: number) => number])[] = [
    ['+', (a, b) => a + b],
    ['-', (a, b) => a - b],
    ['*', (a, b) => a * b],
    ['/', (a, b) => a / b],
  ];
  for (const [operator, apply] of mixed)
    for (const [left, right] of ['int double', 'double int'].map((types) => types.split(' ')))
      environment.registerOperator(`${left} ${operator} ${right}: double`, (a: number | bigint, b: number | bigint) =>
        apply(Number(a), Number(b)),
      );
  return environment;
}

/** Throws UsageError if it is not matched in linear time. */
function linearMatcher(source: string, at: string): (text: string) => boolean {
  const fault = regExpFault(source);
  if (fault !== null) throw new UsageError(at + visible(fault));
  const { matches, reason } = compileMatcher(toRegExp(source).source);
  if (matches === null || reason !== null)
    throw new UsageError(`${at}${quote(source)} cannot be matched in linear time: ${reason}`);
  return matches;
}

const BINARY = ['!=', '==', 'in', '+', '-', '*', '/', '%', '<', '<=', '>', '>=', '||', '&&'];
const LOGICAL = ['||', '&&'];

/** Writes an expression with what counts its steps. Literals stay as they were written. */
class Printer {
  /** By the text of a regular expression. */
  readonly matchers = new Map<string, (text: string) => boolean>();
  readonly #at: string;

  constructor(at: string) {
    this.#at = at;
  }

  /** `inMacro`: it is evaluated for each item, so each operand is counted. */
  print(node: ASTNode, inMacro = false): string {
    const inner = (one: ASTNode): string => this.print(one, inMacro);
    switch (node.op) {
      case 'value':
        return node.input.slice(node.start, node.end);
      case 'id':
        return node.args;
      case '.':
        return `${inner(node.args[0])}.${node.args[1]}`;
      case '[]':
        return `${inner(node.args[0])}[${inner(node.args[1])}]`;
      case 'list':
        return `[${node.args.map(inner).join(', ')}]`;
      case 'map':
        return `{${node.args.map(([name, value]) => `${inner(name)}: ${inner(value)}`).join(', ')}}`;
      case '?:':
        return `(${inner(node.args[0])} ? ${inner(node.args[1])} : ${inner(node.args[2])})`;
      case '!_':
        return `!(${inner(node.args)})`;
      case '-_':
        return `-(${inner(node.args)})`;
      case 'call':
        return this.#call(node.args[0], node.args[1], inMacro);
      case 'rcall':
        return this.#method(node.args, inMacro);
      default:
        return this.#binary(node, inMacro);
    }
  }

  #binary(node: ASTNode, inMacro: boolean): string {
    if (!BINARY.includes(node.op)) throw new UsageError(`${this.#at}checks have no ${node.op}`);
    const [left, right] = node.args as [ASTNode, ASTNode]; // it has two operands
    // A sum of lists or texts is longer than both.
    const isCounted = node.op === '+' || (inMacro && !LOGICAL.includes(node.op));
    const print = (one: ASTNode): string => this.#operand(one, inMacro, isCounted);
    return `(${print(left)} ${node.op} ${print(right)})`;
  }

  #call(name: string, args: readonly ASTNode[], inMacro: boolean): string {
    if (name === 'matches') throw new UsageError(`${this.#at}write text.matches("…"), not matches(text, "…")`);
    if (name === 'counted') throw new UsageError(`${this.#at}there is no function counted`);
    const isCounted = inMacro && name !== 'has';
    return `${name}(${args.map((one) => this.#operand(one, inMacro, isCounted)).join(', ')})`;
  }

  #method([name, receiver, args]: [string, ASTNode, ASTNode[]], inMacro: boolean): string {
    const object = this.print(receiver, inMacro);
    if (name === 'matches') return this.#matches(object, args);
    if (MACROS.includes(name)) {
      if (inMacro)
        throw new UsageError(`${this.#at}${name} is inside of another macro over items, and macros do not nest`);
      const [variable, ...rest] = args.map((one, i) => this.print(one, i > 0));
      return `counted(${object}).${name}(${[variable, ...rest].join(', ')})`;
    }
    const isCounted = inMacro && !(receiver.op === 'id' && receiver.args === 'cel');
    const on = isCounted && receiver.op !== 'value' ? `counted(${object})` : object;
    return `${on}.${name}(${args.map((one) => this.#operand(one, inMacro, isCounted)).join(', ')})`;
  }

  #operand(node: ASTNode, inMacro: boolean, isCounted: boolean): string {
    const text = this.print(node, inMacro);
    return isCounted && node.op !== 'value' ? `counted(${text})` : text;
  }

  #matches(object: string, args: readonly ASTNode[]): string {
    const [literal, ...others] = args;
    if (others.length > 0 || literal?.op !== 'value' || typeof literal.args !== 'string')
      throw new UsageError(`${this.#at}the argument of matches must be a text that is written out`);
    this.matchers.set(literal.args, linearMatcher(literal.args, this.#at));
    return `${object}.matchesLinearly(${literal.input.slice(literal.start, literal.end)})`;
  }
}
