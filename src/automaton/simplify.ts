/**
 * Rewrites lookaheads for one character before one character, such as `(?!\.)\w`, as the set of what both allow. Most
 * lookaheads inside of groups and repetitions are of this kind.
 */
import { type CodePoints, complement, MAX_CODE_POINT, union } from './code-points.ts';
import type { Expression } from './expression.ts';

/** An expression that matches the same texts. */
export function simplify(expression: Expression): Expression {
  switch (expression.type) {
    case 'sequence':
      return { ...expression, parts: withoutLooks(expression.parts.map(simplify)) };
    case 'choice':
      return { ...expression, options: expression.options.map(simplify) };
    case 'repeat':
    case 'look':
      return { ...expression, part: simplify(expression.part) };
    default:
      return expression;
  }
}

function withoutLooks(parts: readonly Expression[]): Expression[] {
  const out: Expression[] = [];
  // From the last one on, so that several lookaheads before one character are rewritten.
  for (const part of [...parts].reverse()) {
    const next = out[0];
    if (part.type === 'look' && part.part.type === 'set' && next?.type === 'set') {
      const seen = part.negate ? complement(part.part.set, MAX_CODE_POINT) : part.part.set;
      out[0] = { type: 'set', set: common(next.set, seen) };
    } else out.unshift(part);
  }
  return out;
}

function common(a: CodePoints, b: CodePoints): CodePoints {
  const outside = [...complement(a, MAX_CODE_POINT), ...complement(b, MAX_CODE_POINT)];
  return complement(union(outside), MAX_CODE_POINT);
}
