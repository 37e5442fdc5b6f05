/**
 * What a regular expression matches, whatever its dialect: a tree with few kinds of nodes, without groups and laziness, which
 * do not decide what matches; and forms of it that match the same texts and have smaller automata.
 */
import { type CodePoints, complement } from './code-points.ts';

/** Conditions at a position. `inside` is `\B`. */
export type Anchor = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'boundary' | 'inside';

/** Reads the text of an expression. Throws UnsupportedPattern, and SyntaxError if the text is none. */
export type Dialect = (source: string) => Expression;

export type Expression =
  | { readonly type: 'set'; readonly set: CodePoints }
  | { readonly type: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly type: 'choice'; readonly parts: readonly Expression[] }
  /** `max` may be Infinity. */
  | { readonly type: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number }
  | { readonly type: 'anchor'; readonly kind: Anchor }
  /** The text after it must match `part`, or must not. */
  | { readonly type: 'look'; readonly part: Expression; readonly negate: boolean };

export type Repeat = Extract<Expression, { readonly type: 'repeat' }>;

/** A sequence, or the expression itself if there is only one. */
export function sequence(parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0]! : { type: 'sequence', parts };
}

/** A choice, or the expression itself if there is only one. */
export function choice(parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0]! : { type: 'choice', parts };
}

export function partsOf(expression: Expression): readonly Expression[] {
  if ('parts' in expression) return expression.parts;
  return 'part' in expression ? [expression.part] : [];
}

/** Whether `test` is true for `expression` or anything in it. */
export function contains(expression: Expression, test: (one: Expression) => boolean): boolean {
  return test(expression) || partsOf(expression).some((part) => contains(part, test));
}

/** The expression with `change` done to each of its parts. */
function mapped(expression: Expression, change: (part: Expression) => Expression): Expression {
  if ('parts' in expression) return { ...expression, parts: expression.parts.map(change) };
  return 'part' in expression ? { ...expression, part: change(expression.part) } : expression;
}

/**
 * An expression that matches the same texts. Lookaheads for one character before one, such as `(?!\.)\w`, become a set:
 * most inside of groups are of this kind. Repetitions of repetitions, such as `(a{1,9}){1,9}`, become one.
 */
export function simplify(expression: Expression): Expression {
  const one = mapped(expression, simplify);
  if (one.type === 'sequence') return { ...one, parts: withoutLooks(one.parts) };
  return one.type === 'repeat' ? joined(one) : one;
}

/** One repetition, if its part can occur any number of times between the least and the most. */
function joined(outer: Repeat): Expression {
  const inner = outer.part;
  if (inner.type !== 'repeat' || outer.max === 0 || inner.max === 0) return outer;
  // With `min` and with `min + 1` repetitions, the ranges of counts must not leave a gap.
  const most = outer.min === 0 ? 0 : outer.min * inner.max;
  if (outer.max > outer.min && (outer.min + 1) * inner.min > most + 1) return outer;
  return { ...inner, min: outer.min * inner.min, max: outer.max * inner.max };
}

/** Matches the same texts of fewer than `length` UTF-16 code units: without upper limits that these cannot reach. */
export function withoutMost(expression: Expression, length: number): Expression {
  const one = mapped(expression, (part) => withoutMost(part, length));
  return one.type === 'repeat' && one.max >= length ? { ...one, max: Number.POSITIVE_INFINITY } : one;
}

function withoutLooks(parts: readonly Expression[]): Expression[] {
  const out: Expression[] = [];
  // Backwards, so that several lookaheads before one character are rewritten.
  for (const part of [...parts].reverse()) {
    const next = out[0];
    if (part.type === 'look' && part.part.type === 'set' && next?.type === 'set') {
      const refused = part.negate ? part.part.set : complement(part.part.set);
      out[0] = { type: 'set', set: complement([...complement(next.set), ...refused]) };
    } else out.unshift(part);
  }
  return out;
}
