/**
 * Why a value matches none of the alternatives of `anyOf` or `oneOf`: which one is the closest, and how the value
 * violates it. This is found only when a violation is shown, so violations that are only counted cost nothing. For each
 * violation, the output and the work are limited.
 */
import { TooCostly } from '../../errors.ts';
import { Decimal } from '../../json/decimal.ts';
import { escapeToken } from '../../json/pointer.ts';
import { isContainer } from '../../json/value.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { writtenIn } from '../../keywords/values.ts';
import { COUNTED_VIOLATIONS, EXPLAINED_LEVELS, LISTED_CHILDREN, MEASURED_VIOLATIONS } from '../../limits.ts';
import { alternativeName, scalarsOf } from '../../schema/facts.ts';
import { placeIn, type Schema } from '../../schema/node.ts';
import type { Finding, Span } from '../../types.ts';
import { showsText } from '../../words/rule.ts';
import { alternativesIn, type Expected } from './alternatives.ts';
import { ascending, type Fault, shownSpan } from './fault.ts';
import { FaultLog } from './fault-log.ts';
import type { JudgedKinds } from './judged-kinds.ts';
import { type Explainable, type Explained, schemaFinding } from './schema-findings.ts';
import type { Choice } from './sites.ts';
import { type Log, type Step, type Walk, walkedIn } from './walk.ts';

/** Maximum number of facts that say why a name is not allowed. */
const MOST_OF_NAME = 4;

type JudgingParts = Pick<JudgedKinds, 'judge' | 'sites' | 'canRepeat'>;

export class Explainer {
  readonly #judging: JudgingParts;

  constructor(judging: JudgingParts) {
    this.#judging = judging;
  }

  /** What is wrong with a value; null: there is nothing more to say. */
  explain(about: Explainable): Explained | null {
    const { node, keyword } = about.choice;
    const alternatives = alternativesIn(node[keyword]!);
    const { span } = about.fault;
    const value = about.fault.value();
    const expected = alternatives.expected(value);
    if (expected !== null) return { params: expectedParams(expected), children: [] };
    const { context, childBudget } = about;
    if (childBudget === null || childBudget.level === EXPLAINED_LEVELS || childBudget.left.children === 0) return null;
    try {
      const number = this.#best(alternatives.meant(value), about);
      if (number === null) return null;
      // For an object or an array, the closest alternative is more helpful than words.
      const words = isContainer(value) ? null : alternatives.words();
      const place = placeIn(node, keyword, [number]);
      const { title, tag } = alternativeName(node[keyword]![number]!, value);
      const name = {
        ...(title === undefined ? {} : { title }),
        ...(tag !== undefined && showsText(context.wording) ? { tag } : {}),
      };
      const params = { closest: place, ...name, ...(words === null ? {} : { wanted: words }) };
      if (span === null) return { params, children: [] };
      const { children, more } = this.#violations(number, about, span);
      return { params: more > 0 ? { ...params, more } : params, children };
    } catch (error) {
      if (error instanceof TooCostly) return null;
      throw error;
    }
  }

  /** What a schema asks of the name of a member that it does not allow, at most a few facts. */
  explainName(schema: Schema, name: string): readonly SchemaFacts[] {
    const { judge } = this.#judging;
    if (schema === false) return [];
    const facts: SchemaFacts[] = [];
    const log: Log = {
      add(fault) {
        if (facts.length < MOST_OF_NAME) facts.push(fault.facts);
      },
    };
    try {
      judge.judge(judge.stepOf(schema), name, { size: name.length }, log);
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error;
    }
    return facts;
  }

  #stepOf({ node, keyword }: Choice, number: number): Step {
    return this.#judging.judge.stepOf(node[keyword]![number]!, placeIn(node, keyword, [number]));
  }

  /** The number with the fewest violations, then the deepest ones, then the first number; null: there is none. */
  #best(numbers: readonly number[], about: Explainable): number | null {
    const [only] = numbers;
    if (numbers.length <= 1) return only ?? null;
    const { choice, fault, context } = about;
    const { judge } = this.#judging;
    const walked = { ...walkedIn(fault.span ?? context.span), base: baseOf(about) };
    let best: { readonly number: number; readonly found: LimitedLog } | null = null;
    for (const number of numbers) {
      const enough = best === null ? MEASURED_VIOLATIONS : best.found.count + 1;
      const found = new LimitedLog(judge.walk, Math.min(MEASURED_VIOLATIONS, enough));
      judge.judge(this.#stepOf(choice, number), fault.value(), walked, found);
      if (best === null || found.isBetterThan(best.found)) best = { number, found };
    }
    return best!.number;
  }

  /** If no alternative allows the value of the discriminator: the one violation that says so. Else null. */
  #tagViolation({ choice, fault, context }: Explainable, faults: readonly Fault[], span: Span): Finding | null {
    const tag = alternativesIn(choice.node[choice.keyword]!).wrongTag(fault.value());
    if (tag === null) return null;
    const pointer = `/${escapeToken(tag.name)}`;
    const isAboutTag = ({ site, pointer: own }: Fault): boolean =>
      (site.facts.rule === 'const' || site.facts.rule === 'enum') && own === pointer;
    const found = faults.find(isAboutTag);
    if (found === undefined) return null;
    const facts: SchemaFacts = { rule: 'enum', params: { allowed: tag.allowed } };
    const site = { ...found.site, facts, schema: placeIn(choice.node, choice.keyword, []) };
    return schemaFinding(found, { ...context, span }, site);
  }

  /** The violations of an alternative by the value; `span`: of the value. */
  #violations(
    number: number,
    about: Explainable,
    span: Span,
  ): { readonly children: readonly Finding[]; readonly more: number } {
    const { choice, fault, context, childBudget } = about;
    const { judge } = this.#judging;
    const base = baseOf(about);
    const log = new FaultLog(judge.walk, context.bytes, span, this.#judging);
    const limited = new LimitedLog(judge.walk, COUNTED_VIOLATIONS, log);
    judge.judge(this.#stepOf(choice, number), fault.value(), { ...walkedIn(span), base }, limited);
    const { faults } = log.take();
    const { level, left } = childBudget!;
    const tag = this.#tagViolation(about, faults, span);
    if (tag !== null) {
      left.children--;
      return { children: [below(fault.pointer, tag)], more: 0 };
    }
    const count = Math.min(faults.length, LISTED_CHILDREN, left.children);
    left.children -= count;
    const inside = { ...context, span, base, childBudget: { level: level + 1, left } };
    const order = ascending(faults.length, (i) => shownSpan(faults[i]!, span).start).slice(0, count);
    const children = order.map((i) => below(fault.pointer, schemaFinding(faults[i]!, inside)));
    return { children, more: faults.length - count };
  }
}

/** The finding about a value with this pointer, and all below it. */
function below(pointer: string, finding: Finding): Finding {
  const { children = [] } = finding;
  return {
    ...finding,
    pointer: pointer + finding.pointer,
    ...(children.length === 0 ? {} : { children: children.map((child) => below(pointer, child)) }),
  };
}

function expectedParams({ types, valued }: Expected): object {
  const values = valued.flatMap((schema) => scalarsOf(schema) ?? []);
  const allowed = values.map((value) => (value instanceof Decimal ? value.double : value));
  return {
    ...(types.length === 0 ? {} : { expected: types }),
    ...(values.length === 0 ? {} : { allowed, ...writtenIn(values) }),
  };
}

function baseOf({ context, fault }: Explainable): string {
  return (context.base ?? '') + fault.pointer;
}

/** Counts violations, and passes them on, up to a limit, at which the walk ends. */
class LimitedLog implements Log {
  readonly #walk: Walk;
  readonly #most: number;
  readonly #log: Log | null;
  count = 0;
  #depth = Number.POSITIVE_INFINITY;

  constructor(walk: Walk, most: number, log: Log | null = null) {
    this.#walk = walk;
    this.#most = most;
    this.#log = log;
  }

  add(...violation: Parameters<Log['add']>): void {
    this.#log?.add(...violation);
    this.count++;
    this.#depth = Math.min(this.#depth, this.#walk.depth);
    if (this.count === this.#most) this.#walk.isQuiet = true;
  }

  isBetterThan(other: LimitedLog): boolean {
    return this.count < other.count || (this.count === other.count && this.#depth > other.#depth);
  }
}
