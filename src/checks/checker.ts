/**
 * Evaluates the checks of a config on one payload after another. They can only add violations.
 */
import { locate } from '../json/locate.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import type { Kind } from '../schema/set.ts';
import type { Check, Finding } from '../types.ts';
import { Expression, Steps } from './expression.ts';
import { inside, placesOf } from './places.ts';
import { Shape } from './shape.ts';
import { toCel } from './values.ts';

/** A payload of a known kind without duplicate names, and what was read from its bytes. */
export interface Checked {
  readonly kind: Kind;
  readonly value: unknown;
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: { readonly start: number; readonly end: number };
  /** Nothing else is wrong with it: then an evaluation that fails is reported. */
  readonly isRight: boolean;
}

interface Compiled {
  readonly check: Check;
  readonly at: readonly string[];
  readonly when: Expression | null;
  readonly assert: Expression;
}

/** What a check says of a place. */
interface Said {
  readonly rule: `check/${string}`;
  readonly message: string;
  readonly pointer: string;
}

export class Checker {
  readonly #checks: readonly Compiled[];
  readonly #redact: boolean;
  readonly #steps = new Steps();
  readonly #shapes = new Map<Kind, Shape | null>();

  /** The checks were read by `requireChecks`, so they are right. `redact`: no payload text in messages. */
  constructor(checks: readonly Check[], redact: boolean) {
    this.#redact = redact;
    this.#checks = checks.map((check) => ({
      check,
      at: parsePointer(check.at),
      when: check.when === null ? null : new Expression(check.when, '', this.#steps),
      assert: new Expression(check.assert, '', this.#steps),
    }));
  }

  /** Throws TooCostly. */
  findings({ kind, value, bytes, span, isRight }: Checked): readonly Finding[] {
    const own = this.#checks.filter(({ check }) => check.kind === null || check.kind === kind.name);
    if (own.length === 0) return [];
    this.#steps.begin(span.end - span.start);
    const root = toCel(value, this.#shapeOf(kind));
    const said = own.flatMap((one) =>
      placesOf(root, one.at).flatMap((tokens) => this.#judge(one, root, tokens, isRight)),
    );
    if (said.length === 0) return [];
    const pointers = said.map(({ pointer }) => pointer);
    const places = locate(bytes, span.start, span.end, pointers);
    return said.map(({ rule, message, pointer }) => ({
      ...{ rule, message, pointer, params: {}, schema: null, fixable: false, suggestion: null },
      span: places.get(pointer)!.value, // the value was read from these bytes
    }));
  }

  #shapeOf(kind: Kind): Shape | null {
    let shape = this.#shapes.get(kind);
    if (shape === undefined) {
      shape = Shape.of([kind.schema]);
      this.#shapes.set(kind, shape);
    }
    return shape;
  }

  #judge(
    { check, when, assert }: Compiled,
    root: unknown,
    tokens: readonly string[],
    isRight: boolean,
  ): Said[] {
    const { id, report, message } = check;
    const self = tokens.reduce(inside, root);
    const asked = when?.evaluate(self, id, this.#redact) ?? true;
    const outcome = asked === true ? assert.evaluate(self, id, this.#redact) : asked;
    if (outcome === true || asked === false) return [];
    const place = formatPointer(tokens);
    if (outcome === false) return [{ rule: `check/${id}`, message, pointer: nearest(root, place + report) }];
    if (!isRight) return [];
    const { why, hint } = outcome;
    const help = hint === null ? '' : `; ask ${hint} first`;
    return [
      {
        rule: `check/${id}/evaluation`,
        message: `the check cannot be evaluated: ${why}${help}`,
        pointer: place,
      },
    ];
  }
}

/** The pointer, or that of the innermost value around it that is there. */
function nearest(root: unknown, pointer: string): string {
  const tokens = parsePointer(pointer);
  while (tokens.length > 0 && tokens.reduce(inside, root) === undefined) tokens.pop();
  return formatPointer(tokens);
}
