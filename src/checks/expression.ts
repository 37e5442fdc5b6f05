/**
 * An expression of CEL, made safe before the first payload: it cannot run a program, a regular expression in it is a literal
 * that is matched in linear time, and what it does with the items of a payload is counted.
 */
import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { UsageError } from '../errors.ts';
import { once } from '../json/on-demand.ts';
import { EXPRESSION_LEVELS, EXPRESSION_PARTS } from '../limits.ts';
import type { Shape } from '../schema/described-members.ts';
import { cutTo, visible } from '../words/escape.ts';
import { showsText, type Wording } from '../words/rule.ts';
import { type Compiling, ExpressionCompiler, type ReadPlace } from './evaluate.ts';
import { Failure } from './failure.ts';

/** What one expression may have. */
const LIMITS = {
  ...{ maxAstNodes: EXPRESSION_PARTS, maxDepth: EXPRESSION_LEVELS },
  ...{ maxListElements: 1000, maxMapEntries: 100, maxCallArguments: 10 },
};

/** It only reads: what expressions mean is in `evaluate.ts`. */
const parser = once(() => new Environment({ limits: LIMITS, enableOptionalTypes: true }));

/** `at`: the beginning of a message. Throws UsageError. */
export function parse(text: string, at: string): ASTNode {
  try {
    return parser().parse(text).ast;
  } catch (cause) {
    const [summary] = (cause as Error).message.split('\n') as [string]; // the other lines show the expression
    throw new UsageError(at + visible(summary), { cause });
  }
}

export interface CelExpression {
  readonly places: readonly ReadPlace[];
  /** Throws TooCostly. */
  readonly evaluate: (self: unknown) => boolean | Failure;
}

/** `shape`: of `self`; null: nothing is known of it. Throws UsageError. */
export function expressionOf(text: string, shape: Shape | null, options: Compiling): CelExpression {
  const compiler = new ExpressionCompiler(new Map([['self', shape]]), options);
  const { read, type } = compiler.value(parse(text, options.at));
  if (type !== 'bool' && type !== 'dyn')
    throw new UsageError(`${options.at}expected an expression that is true or false, found one of the type ${type}`);
  const scope: unknown[] = [];
  const evaluate = (self: unknown): boolean | Failure => {
    scope[0] = self;
    const value = read(scope);
    return typeof value === 'boolean' || value instanceof Failure ? value : NO_BOOL;
  };
  return { evaluate, places: compiler.places };
}

const NO_BOOL = new Failure('it is neither true nor false');
const MOST_OF_MESSAGE = 120;

export function reasonOf({ why, hint }: Failure, wording: Wording): string {
  const said = visible(cutTo(MOST_OF_MESSAGE, why));
  const clause = showsText(wording) ? said : 'an operation on these values is not possible';
  return `${clause}${hint === null ? '' : `; ask ${hint} first`}`;
}
