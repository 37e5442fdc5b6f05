/** Evaluates the checks of a config on one payload after another. They can only add violations. */
import { locate } from '../json/locate.ts';
import { memoized, once } from '../json/on-demand.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import type { Kind } from '../schema/set.ts';
import type { Check, Finding, Span } from '../types.ts';
import { CelExpression, StepCount } from './expression.ts';
import type { Tester } from './quick.ts';
import { Shape } from './shape.ts';
import { inside, placesOf, toCel } from './values.ts';

/** A payload of a known kind without duplicate names, and what was read from its bytes. */
export interface Checked {
  readonly kind: Kind;
  /** As JSON.parse makes it, or exact. */
  readonly value: unknown;
  /** Its numbers as they are written. */
  readonly exact: () => unknown;
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: Span;
  /** Nothing else is wrong with it: then an evaluation that fails is reported. */
  readonly isRight: boolean;
}

interface Compiled {
  readonly check: Check;
  readonly at: readonly string[];
  readonly when: CelExpression | null;
  readonly assert: CelExpression;
}

/** What a check says of a place. */
interface CheckResult {
  readonly rule: `check/${string}`;
  readonly message: string;
  readonly pointer: string;
}

export class Checker {
  readonly #checks: readonly Compiled[];
  readonly #redact: boolean;
  readonly #steps = new StepCount();

  /** The checks were read by `requireChecks`, so they are right. `redact`: no payload text in messages. */
  constructor(checks: readonly Check[], redact: boolean) {
    this.#redact = redact;
    this.#checks = checks.map((check) => ({
      check,
      at: parsePointer(check.at),
      when: check.when === null ? null : new CelExpression(check.when, '', this.#steps),
      assert: new CelExpression(check.assert, '', this.#steps),
    }));
  }

  /** Throws TooCostly. */
  findings({ kind, value, exact, bytes, span, isRight }: Checked): readonly Finding[] {
    const { shape, checks } = this.#ofKind(kind);
    if (checks.length === 0) return [];
    this.#steps.begin(span.end - span.start);
    const root = once(() => toCel(exact(), shape));
    const results: CheckResult[] = [];
    for (const one of checks)
      for (const tokens of one.at.length === 0 ? ROOT : placesOf(value, one.at)) {
        const self = tokens.length === 0 ? value : tokens.reduce(inside, value);
        const asked = one.asks(self);
        if (asked === false) continue;
        const holds = asked === true ? one.holds(self) : undefined;
        if (holds === undefined) results.push(...this.#judge(one, root(), tokens, isRight));
        else if (!holds) results.push(broken(one.check, value, formatPointer(tokens)));
      }
    if (results.length === 0) return [];
    const pointers = results.map(({ pointer }) => pointer);
    const places = locate(bytes, span.start, span.end, pointers);
    return results.map(({ rule, message, pointer }) => ({
      ...{ rule, message, pointer, params: {}, schema: null, fixable: false, suggestion: null },
      span: places.get(pointer)!.value, // the value was read from these bytes
    }));
  }

  /** The checks of a kind, with functions that answer for most payloads. */
  readonly #ofKind = memoized((kind: Kind) => {
    const shape = Shape.of([kind.schema]);
    const own = this.#checks.filter(({ check }) => check.kind === null || check.kind === kind.name);
    const checks = own.map((one) => {
      const self = shapeAt(shape, one.at);
      const asks = one.when === null ? always : (one.when.quickTester(self) ?? unsure);
      return { ...one, asks, holds: one.assert.quickTester(self) ?? unsure };
    });
    return { shape, checks };
  });

  #judge({ check, when, assert }: Compiled, root: unknown, tokens: readonly string[], isRight: boolean): CheckResult[] {
    const { id } = check;
    const self = tokens.reduce(inside, root);
    const asked = when?.evaluate(self, id, this.#redact) ?? true;
    const outcome = asked === true ? assert.evaluate(self, id, this.#redact) : asked;
    if (outcome === true || asked === false) return [];
    const place = formatPointer(tokens);
    if (outcome === false) return [broken(check, root, place)];
    if (!isRight) return [];
    const { why, hint } = outcome;
    const help = hint === null ? '' : `; ask ${hint} first`;
    return [
      { rule: `check/${id}/evaluation`, message: `the check cannot be evaluated: ${why}${help}`, pointer: place },
    ];
  }
}

const ROOT: readonly (readonly string[])[] = [[]];

const always: Tester = () => true;
const unsure: Tester = () => undefined;

function shapeAt(root: Shape | null, at: readonly string[]): Shape | null {
  return at.reduce<Shape | null>(
    (shape, token) => (token === '*' ? (shape?.item ?? null) : (shape?.member(token) ?? null)),
    root,
  );
}

/** `place`: of the value that the check is about. */
function broken({ id, report, message }: Check, root: unknown, place: string): CheckResult {
  return { rule: `check/${id}`, message, pointer: nearest(root, place + report) };
}

/** The pointer, or that of the innermost value around it that is there. */
function nearest(root: unknown, pointer: string): string {
  const tokens = parsePointer(pointer);
  while (tokens.length > 0 && tokens.reduce(inside, root) === undefined) tokens.pop();
  return formatPointer(tokens);
}
