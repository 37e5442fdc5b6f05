/**
 * A regular expression as a tree with few kinds of nodes. It keeps only what decides which texts match, so there are no
 * groups, and quantifiers are neither greedy nor lazy.
 */
import type { CodePoints } from './code-points.ts';

/** Conditions at a position. `inside` is `\B`. */
export type Anchor = 'start' | 'end' | 'boundary' | 'inside';

/** A lookahead: the text after it must match `part`, or must not. */
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
  /** One code point of the set. Without the flag `u`, one code unit. */
  | { readonly type: 'set'; readonly set: CodePoints }
  | { readonly type: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly type: 'choice'; readonly options: readonly Expression[] }
  | Repeat
  | { readonly type: 'anchor'; readonly kind: Anchor }
  | Look;

/** A sequence, or the expression itself if there is only one. */
export function sequence(parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0]! : { type: 'sequence', parts };
}

/** A choice, or the expression itself if there is only one. */
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
