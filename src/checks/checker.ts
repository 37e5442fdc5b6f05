/** Evaluates the checks of a config on one payload after another. They can only add violations. */
import type { PayloadChecker, PlainPayload } from '../engine/judge/repaired.ts';
import { cutOut, MemberPaths } from '../json/cut.ts';
import { locate } from '../json/locate.ts';
import { memoized } from '../json/on-demand.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import { inside, placesOf } from '../json/pointer-pattern.ts';
import { Shape } from '../schema/described-members.ts';
import type { Kind } from '../schema/set.ts';
import type { Check, Finding, SaidText, Span } from '../types.ts';
import type { Wording } from '../words/rule.ts';
import { type CelExpression, expressionOf, reasonOf } from './expression.ts';
import { type Failure, StepCount } from './failure.ts';

interface Compiled {
  readonly check: Check;
  readonly at: readonly string[];
  readonly when: CelExpression | null;
  readonly assert: CelExpression;
}

/** What a check says of a place. */
type CheckResult = Pick<SaidText, 'message' | 'pointer'> & { readonly rule: `check/${string}` };

export class Checker implements PayloadChecker {
  readonly #checks: readonly Check[];
  readonly #wording: Wording;
  readonly #steps = new StepCount();

  /** The checks were read by `requireChecks`, so they are right. */
  constructor(checks: readonly Check[], wording: Wording) {
    this.#wording = wording;
    this.#checks = checks;
  }

  findings({ kind, value: whole, bytes, span }: PlainPayload): readonly Finding[] {
    const { checks } = this.#ofKind(kind);
    if (checks.length === 0) return [];
    const root = whole();
    const results = checks.flatMap((one) =>
      this.#placesIn(one, root, span).flatMap((tokens) => {
        const outcome = ask(one, root, tokens);
        return outcome === true ? [] : this.#resultOf(one.check, root, formatPointer(tokens), outcome);
      }),
    );
    if (results.length === 0) return [];
    const pointers = results.map(({ pointer }) => pointer);
    const places = locate(bytes, span.start, span.end, pointers);
    return results.map((result) => ({
      ...{ ...result, params: {}, schema: null, fixable: false },
      span: places.get(result.pointer)!.value, // the value was read from these bytes
    }));
  }

  holdFor(kind: Kind, bytes: Buffer, span: Span): boolean {
    const { checks, cut } = this.#ofKind(kind);
    if (checks.length === 0) return true;
    const value = cutOut(bytes, span, cut);
    return checks.every((one) => this.#placesIn(one, value, span).every((at) => ask(one, value, at) === true));
  }

  /** The places in a payload that a check is asked about next. */
  #placesIn({ check, at }: Compiled, value: unknown, { start, end }: Span): readonly (readonly string[])[] {
    this.#steps.begin(check.id, end - start);
    return at.length === 0 ? ROOT : placesOf(value, at);
  }

  /** Those about payloads of a kind, with what its schema says, and the parts that they read. */
  readonly #ofKind = memoized((kind: Kind) => {
    const root = Shape.of([kind.schema]);
    const cut = new MemberPaths();
    const ofKind = this.#checks.filter((check) => check.kind === null || check.kind === kind.name);
    const checks = ofKind.map((check): Compiled => {
      const at = parsePointer(check.at);
      const self = root?.at(at) ?? null;
      cut.add(at, true);
      this.#steps.begin(check.id, 0); // for what is written out
      const compiled = (text: string): CelExpression => {
        const expression = expressionOf(text, self, { at: '', steps: this.#steps });
        for (const { path, isAsked } of expression.places) cut.add([...at, ...path], isAsked);
        return expression;
      };
      return { check, at, when: check.when === null ? null : compiled(check.when), assert: compiled(check.assert) };
    });
    return { checks, cut };
  });

  /** `place`: of the value that the check is about. */
  #resultOf({ id, report, message }: Check, root: unknown, place: string, outcome: false | Failure): CheckResult {
    if (outcome === false) return { rule: `check/${id}`, message, pointer: nearest(root, place + report) };
    const why = reasonOf(outcome, this.#wording);
    return { rule: `check/${id}/evaluation`, message: `the check cannot be evaluated: ${why}`, pointer: place };
  }
}

const ROOT: readonly (readonly string[])[] = [[]];

/** True also if it is not asked. `place`: in `root`. */
function ask({ when, assert }: Compiled, root: unknown, place: readonly string[]): boolean | Failure {
  const self = place.reduce(inside, root);
  const asked = when === null ? true : when.evaluate(self);
  return asked === true ? assert.evaluate(self) : asked === false ? true : asked;
}

/** The pointer, or that of the innermost value around it that is there. */
function nearest(root: unknown, pointer: string): string {
  const tokens = parsePointer(pointer);
  while (tokens.length > 0 && tokens.reduce(inside, root) === undefined) tokens.pop();
  return formatPointer(tokens);
}
