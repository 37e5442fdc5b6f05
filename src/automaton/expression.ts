/**
 * A regular expression as a tree of few kinds of node: what is left of its syntax once it only matters which texts match.
 * So there are no groups, and quantifiers are not greedy or lazy.
 */
import type { CodePoints } from './code-points.ts';

/** Where a match may begin, end or go on. `inside` is `\B`. */
export type Anchor = 'start' | 'end' | 'boundary' | 'inside';

/** A lookahead: whether what follows matches `part`, or does not. */
export interface Look {
  readonly type: 'look';
  readonly part: Expression;
  readonly negate: boolean;
}

/** `max` may be Infinity. */
export interface Repeat {
  readonly type: 'repeat';
  readonly part: Expression;
  readonly min: number;
  readonly max: number;
}

export type Expression =
  /** One code point of the set; in an expression without the flag `u`, one code unit. */
  | { readonly type: 'set'; readonly set: CodePoints }
  | { readonly type: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly type: 'choice'; readonly options: readonly Expression[] }
  | Repeat
  | { readonly type: 'anchor'; readonly kind: Anchor }
  | Look;

/** The expression itself where it is the only one. */
export function sequence(parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0]! : { type: 'sequence', parts };
}

/** The expression itself where it is the only one. */
export function choice(options: readonly Expression[]): Expression {
  return options.length === 1 ? options[0]! : { type: 'choice', options };
}

/** Whether `test` is true for `expression` or anything in it. */
export function contains(expression: Expression, test: (one: Expression) => boolean): boolean {
  if (test(expression)) return true;
  switch (expression.type) {
    case 'sequence':
      return expression.parts.some((part) => contains(part, test));
    case 'choice':
      return expression.options.some((option) => contains(option, test));
    case 'repeat':
    case 'look':
      return contains(expression.part, test);
    default:
      return false;
  }
}
