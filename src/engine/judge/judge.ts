/**
 * Judges values by the nodes of a resolved schema: walks from node to node, and tests the keywords of each on the value
 * there. The steps of a node are created when a value of their type first reaches it, so unused parts of a schema cost
 * nothing.
 *
 * A schema is applied to a value once, even if several paths lead there: after some visits, results are kept. A
 * judgement that still costs too much ends with TooCostly, one without end with a SchemaError.
 */
import { isNumber } from '../../json/decimal.ts';
import { memoized } from '../../json/on-demand.ts';
import type { Test } from '../../keywords/keyword.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { keywordsWhere } from '../../schema/dialect.ts';
import { linksOf, typeOf, type ValueType } from '../../schema/facts.ts';
import type { LoadedFormat } from '../../schema/formats/format-table.ts';
import { isNode, placeIn, type Schema, type SchemaNode, writtenName } from '../../schema/node.ts';
import type { SchemaSet } from '../../schema/set.ts';
import { stepsFor } from './order.ts';
import {
  ALWAYS,
  type Applied,
  endless,
  type KeywordFault,
  type Log,
  type NodeSteps,
  SchemaResults,
  type Step,
  type StepContext,
  type StepCounter,
  Walk,
  type Walked,
} from './walk.ts';

const TO_OTHERS = keywordsWhere(({ role }) => role === 'descends');
const IN_PLACE = keywordsWhere(({ role }) => role === 'applies');

export type CompilePattern = (source: string) => (text: string) => boolean;

export class Judge {
  readonly walk = new Walk();
  readonly #formats: NamedFormats | null;
  readonly #counter: StepCounter | undefined;
  readonly #stepOf = memoized((node: SchemaNode) => this.#nodeStep(node));
  readonly pattern: CompilePattern;
  readonly #appliedTo = memoized((_: SchemaNode): Applied => ({ value: null, met: null }));
  /** For nodes that apply only under a condition: the innermost one, with the place below which it counts. */
  readonly #conditions = new Map<SchemaNode, { readonly place: string; readonly reason: () => string }>();

  /** `counter`: absent: nothing is counted. */
  constructor({ formats, pattern }: JudgeModules, counter?: StepCounter) {
    this.#formats = formats;
    this.#counter = counter;
    this.pattern = memoized(pattern ?? (() => () => true)); // no schema has one
  }

  /** Whether `value` meets `step`. `log`: null: the first violation ends the walk. Throws SchemaError and TooCostly. */
  judge(step: Step, value: unknown, walked: Walked, log: Log | null = null): boolean {
    this.walk.begin(walked, log);
    try {
      return step(value);
    } finally {
      this.walk.end();
    }
  }

  /** The step of a schema. `place`, `parent`: file and pointer of one that is `false`, and the node that it is in. */
  stepOf(schema: Schema, place = '', parent: SchemaNode | null = null): Step {
    if (isNode(schema)) return this.#stepOf(schema);
    if (schema) return ALWAYS;
    const { walk } = this;
    const fault = this.#fault({ node: null, facts: { rule: 'false', params: {} }, place }, parent);
    return (value) => walk.report(fault, value);
  }

  /** `within`: the node whose condition is the reason; null: there is none. */
  #fault(facts: Pick<KeywordFault, 'node' | 'facts' | 'place'>, within: SchemaNode | null): KeywordFault {
    const conditions = this.#conditions;
    return {
      ...facts,
      // Asked when a violation is told: it is about the value at hand, and something else may have made the steps before.
      get reason() {
        return within === null ? undefined : conditions.get(within)?.reason();
      },
    };
  }

  /** One function does all work of a node: each call takes stack, which limits the depth of payloads. */
  #nodeStep(node: SchemaNode): Step {
    const { walk } = this;
    const isInPlace = IN_PLACE.some((keyword) => node[keyword] !== undefined);
    const leadsOn = isInPlace || TO_OTHERS.some((keyword) => node[keyword] !== undefined);
    const context = this.contextOf(node);
    const made: (NodeSteps | undefined)[] = [];
    const stepsOf = (type: ValueType): NodeSteps => (made[type] ??= stepsFor(context, type));
    const results = new SchemaResults();
    /** The innermost place where the step has begun and not ended; -1: none. Outer calls keep the outer places. */
    let openAt = -1;
    const step: Step = (value) => {
      const type = typeOf(value);
      const { all, isAllowed, test } = made[type] ?? stepsOf(type);
      if (!isAllowed && walk.isQuiet) return false;
      if (!leadsOn) return test !== undefined && walk.isQuiet ? test(value) : walk.takeAll(all, value);
      const outer = openAt;
      if (isInPlace) {
        const { place } = walk;
        if (openAt === place) throw endless(node);
        openAt = place;
      }
      const keeps = walk.count(node);
      if (test !== undefined && !isInPlace && !keeps && walk.isQuiet && !walk.inherits) return test(value);
      let holds = keeps ? walk.knows(results, value) : null;
      if (holds === null) {
        holds = true;
        for (const step of all) {
          if (step(value)) continue;
          holds = false;
          if (walk.isQuiet) break;
        }
        if (keeps) walk.keep(results, value, holds);
      }
      openAt = outer;
      return holds;
    };
    if (node.ofCaller !== undefined || this.#counter !== undefined) return step;
    return leadsOn ? step : Object.assign(step, { leaf: (type: ValueType) => stepsOf(type).test ?? step });
  }

  contextOf(node: SchemaNode): StepContext {
    const counter = this.#counter;
    const placeOf: StepContext['placeOf'] = (keyword, ...tokens) => placeIn(node, keyword, tokens);
    return {
      node,
      walk: this.walk,
      ...(counter === undefined ? {} : { counter }),
      format: (name) => this.#format(name),
      placeOf,
      applyIf: (schema, place, reason) => this.#applyIf(schema, place, reason),
      applied: () => this.#appliedTo(node),
      pattern: this.pattern,
      stepOf: (schema, keyword, ...tokens) => {
        const step = schema === false ? this.stepOf(schema, placeOf(keyword, ...tokens), node) : this.stepOf(schema);
        return counter?.subschema(node, keyword, tokens, step) ?? step;
      },
      fault: ({ rule, params }) => {
        const facts = { rule: writtenName(node, rule), params } as SchemaFacts; // the names of one keyword have the same params
        return this.#fault({ node, facts, place: placeOf(rule) }, node);
      },
    };
  }

  #format(name: string): Test | null {
    const known = this.#formats?.get(name);
    if (known === undefined) return null;
    const { type, test } = known;
    return (value) => (type === 'number' ? !isNumber(value) : typeof value !== type) || test(value as never); // its type
  }

  #applyIf(schema: Schema | undefined, place: string, reason: () => string): void {
    if (!isNode(schema) || schema.origin.place !== place) return; // a reference: others may lead there, too
    const nodes = new Set([schema]);
    for (const node of nodes) {
      // Steps are made type by type, so an outer condition may come after an inner one.
      if ((this.#conditions.get(node)?.place ?? '').length <= place.length)
        this.#conditions.set(node, { place, reason });
      for (const inner of linksOf(node)) if (inner.origin.place.startsWith(`${place}/`)) nodes.add(inner);
    }
  }
}

export type NamedFormats = ReadonlyMap<string, LoadedFormat>;

/** Modules that only some schemas need. */
export interface JudgeModules {
  /** Null for schemas whose formats are annotations, or that have none. */
  readonly formats: NamedFormats | null;
  readonly pattern: CompilePattern | null;
}

export async function loadJudgeModules({ nodes, assertsFormats, formats }: SchemaSet): Promise<JudgeModules> {
  const names = assertsFormats === false ? [] : nodes.flatMap(({ format }) => format ?? []);
  const hasPatterns = nodes.some(
    ({ pattern, patternProperties }) => pattern !== undefined || patternProperties !== undefined,
  );
  const table = names.length === 0 ? null : await import('../../schema/formats/format-table.ts');
  return {
    formats: table && (await table.loadFormats(names, formats)),
    pattern: hasPatterns ? (await import('../../schema/regexp.ts')).linearMatcher : null,
  };
}
