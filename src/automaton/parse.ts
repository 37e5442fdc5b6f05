/**
 * The text of a regular expression with the flag `u` to an `Expression`. The parser is `@eslint-community/regexpp`.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import {
  type CodePoints,
  complement,
  DIGITS,
  LINE_TERMINATORS,
  MAX_CODE_POINT,
  propertySet,
  SPACE,
  union,
  WORD,
} from './code-points.ts';
import { choice, type Expression, sequence } from './expression.ts';
import { Unsupported } from './limits.ts';

/** Nesting depth of groups. The code that reads the tree is recursive. */
const MAX_DEPTH = 200;

/** Throws Unsupported, and SyntaxError for a source that `new RegExp(source, 'u')` rejects. */
export function parse(source: string): Expression {
  new RegExp(source, 'u');
  let pattern: AST.Pattern;
  try {
    pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, true);
  } catch (cause) {
    throw new Unsupported('its syntax is too new or too deeply nested', { cause });
  }
  return new Reader().choice(pattern.alternatives, 0);
}

class Reader {
  /** One set per notation, so that the results for a set are computed once. */
  readonly #sets = new Map<string, Expression>();

  choice(alternatives: readonly AST.Alternative[], depth: number): Expression {
    if (depth > MAX_DEPTH) throw new Unsupported('its groups are too deeply nested');
    return choice(
      alternatives.map(({ elements }) => sequence(elements.map((element) => this.#element(element, depth)))),
    );
  }

  #element(element: AST.Element, depth: number): Expression {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#oneOf(element);
      case 'Group':
        if (element.modifiers !== null) throw new Unsupported('it changes flags for a group');
        return this.choice(element.alternatives, depth + 1);
      case 'CapturingGroup':
        return this.choice(element.alternatives, depth + 1);
      case 'Quantifier': {
        const { min, max } = element;
        return { type: 'repeat', part: this.#element(element.element, depth + 1), min, max };
      }
      case 'Assertion':
        return this.#assertion(element, depth);
      case 'Backreference':
        throw new Unsupported('it refers back to a group');
      case 'ExpressionCharacterClass':
        throw new Unsupported('it needs the flag v');
    }
  }

  #assertion(element: AST.Assertion, depth: number): Expression {
    switch (element.kind) {
      case 'start':
      case 'end':
        return { type: 'anchor', kind: element.kind };
      case 'word':
        return { type: 'anchor', kind: element.negate ? 'inside' : 'boundary' };
      case 'lookahead':
        return {
          type: 'look',
          part: this.choice(element.alternatives, depth + 1),
          negate: element.negate,
        };
      case 'lookbehind':
        throw new Unsupported('it looks behind');
    }
  }

  #oneOf(element: AST.Character | AST.CharacterSet | AST.CharacterClass): Expression {
    const known = this.#sets.get(element.raw);
    if (known !== undefined) return known;
    const made: Expression = { type: 'set', set: union(this.#points(element)) };
    this.#sets.set(element.raw, made);
    return made;
  }

  /** In any order. */
  #points(element: AST.CharacterSet | AST.CharacterClassElement | AST.CharacterClass): CodePoints {
    switch (element.type) {
      case 'Character':
        return [[element.value, element.value]];
      case 'CharacterClassRange':
        return [[element.min.value, element.max.value]];
      case 'CharacterClass': {
        if (element.elements.some(isProperty)) return propertySet(element.raw);
        return unless(element.negate, union(element.elements.flatMap((one) => this.#points(one))));
      }
      case 'CharacterSet':
        return this.#escape(element);
      default:
        throw new Unsupported('it needs the flag v');
    }
  }

  #escape(element: AST.CharacterSet): CodePoints {
    switch (element.kind) {
      case 'any':
        return complement(LINE_TERMINATORS, MAX_CODE_POINT);
      case 'digit':
        return unless(element.negate, DIGITS);
      case 'space':
        return unless(element.negate, SPACE);
      case 'word':
        return unless(element.negate, WORD);
      case 'property':
        return propertySet(element.raw);
    }
  }
}

function unless(negate: boolean, set: CodePoints): CodePoints {
  return negate ? complement(set, MAX_CODE_POINT) : set;
}

function isProperty(element: AST.CharacterClass['elements'][number]): boolean {
  return element.type === 'CharacterSet' && element.kind === 'property';
}
