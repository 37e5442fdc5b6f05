/**
 * One walk over a payload's value: its place, its costs, and the violations it reports. The place is cheap to keep: it
 * is a list of the tokens of the path, which is overwritten. A walk serves one payload after another.
 */
import { SchemaError, TooCostly } from '../../errors.ts';
import { once } from '../../json/on-demand.ts';
import { formatPointer } from '../../json/pointer.ts';
import { isContainer, type JsonObject, ValueTexts } from '../../json/value.ts';
import type { Span } from '../../json/vocabulary.ts';
import type { KeywordContext, Test } from '../../keywords/keyword.ts';
import type { SchemaFacts } from '../../keywords/params.ts';
import { SCHEMA_STEPS, SCHEMA_STEPS_OF_A_BYTE } from '../../limits.ts';
import type { ValueType } from '../../schema/facts.ts';
import type { Schema, SchemaNode } from '../../schema/node.ts';

/**
 * A keyword, or a whole schema, becomes a step: whether the value at the walk's place meets it. Each violation is told
 * to the walk; if that is quiet, nothing is reported, and a step may end at the first violation.
 */
export interface Step {
  (value: unknown): boolean;
  /** The same for a quiet walk over objects that inherit nothing, in fewer calls; absent: the step itself. */
  readonly test?: Test;
  /** Its tests by type, if it leads to no other schemas, and needs no place. */
  readonly leaf?: (type: ValueType) => Test;
}

export const ALWAYS: Step = Object.assign(() => true, { leaf: (): Test => ALWAYS });

/** The steps of a node for values of a type that it may not allow, and all as one, unless what is judged is counted. */
export interface NodeSteps extends Pick<Step, 'test'> {
  readonly all: readonly Step[];
  /** The keyword `type` allows the type. */
  readonly isAllowed: boolean;
}

/** A violation that one place of the schemas can give: everything about it that does not come from the payload. */
export interface KeywordFault {
  readonly node: SchemaNode | null;
  readonly facts: SchemaFacts;
  /** File and pointer of the keyword. */
  readonly place: string;
  /** Why the schema asks for it of the value at hand, as `if "a" is 1`; absent: it always does. */
  readonly reason?: string | undefined;
}

export interface Log {
  /**
   * Adds a violation by the value at the walk's place. `name`: the member of the value that it is about, which is
   * payload text; null: it is about the value. `indexes`: of two items of the value.
   */
  add(fault: KeywordFault, value: unknown, name: string | null, indexes: readonly [number, number]): void;
  /** It takes remarks as well, which are no violations; absent: false. */
  readonly takesRemarks?: boolean;
}

/** What a walk needs to know about a payload. */
export interface Walked {
  /** Length of its text in bytes. */
  readonly size: number;
  /** Where it is in the payload (RFC 6901); absent: it is all of it. */
  readonly base?: string;
}

/** For all of the payload in `span`. */
export function walkedIn({ start, end }: Span): Walked {
  return { size: end - start };
}

/** The error if a schema refers to itself for the same value without end: the fault is in the schema. */
export function endless({ origin }: SchemaNode): SchemaError {
  return new SchemaError(`${origin.place}: refers to itself without end`);
}

/** Maximum number of results that are kept: each takes about 100 bytes. */
const MOST_KEPT = 1_000_000;
/** Visits before results are kept. For fewer visits, keeping results costs more than it saves. */
const FREE_VISITS = 1000;
const FREE_VISITS_OF_A_BYTE = 2;

/** Whether a schema allows a value, and whether the violations, or else the remarks, were reported. */
type Result = 0 | 1 | 2 | 3;
const HOLDS = 0;
const UNREPORTED = 1;
const REPORTED = 2;
const HOLDS_UNREPORTED = 3;

export class SchemaResults {
  readonly ofObjects = new Map<object, Result>();
  /** The place of the last text, number or literal. */
  place = -1;
  ofPlace: Result = HOLDS;
}

const NO_INDEXES: readonly [number, number] = [0, 0];
const NO_MEMBERS = {};

export class Walk {
  visits = 0;
  /** After this number of visits, results are kept, so that no value is judged again and again. */
  #free = FREE_VISITS;
  #most = SCHEMA_STEPS;
  #kept = 0;
  #results: SchemaResults[] = [];
  depth = 0;
  #base = '';
  readonly texts = new ValueTexts();
  readonly #path: (string | number)[] = [];
  /** By depth: a number that is different for each visit of the walk to a value. */
  readonly #places: number[] = [0];
  #lastPlace = 0;
  #log: Log | null = null;
  /** No violation is reported, so a step may end at the first one. */
  isQuiet = true;
  /** Objects inherit members: somebody has added some to the prototype of all. */
  inherits = false;

  begin({ size, base = '' }: Walked, log: Log | null): void {
    this.#base = base;
    this.visits = 0;
    this.#free = FREE_VISITS + FREE_VISITS_OF_A_BYTE * size;
    this.#most = SCHEMA_STEPS + SCHEMA_STEPS_OF_A_BYTE * size;
    this.depth = 0;
    this.#lastPlace++;
    this.#places[0] = this.#lastPlace;
    this.#log = log;
    this.isQuiet = log === null;
    this.inherits = false;
    for (const _ in NO_MEMBERS) this.inherits = true;
  }

  end(): void {
    this.#log = null;
    this.forget();
  }

  /** Forgets all results: the value has changed. */
  forget(): void {
    this.texts.clear();
    if (this.#kept === 0) return;
    for (const { ofObjects } of this.#results) ofObjects.clear();
    this.#results = [];
    this.#kept = 0;
  }

  /** Whether the value at the walk's place meets `step`. No violation is reported. */
  test(step: Step, value: unknown): boolean {
    if (this.isQuiet) return step(value);
    this.isQuiet = true;
    const holds = step(value);
    this.isQuiet = false;
    return holds;
  }

  takeAll(steps: readonly Step[], value: unknown): boolean {
    let holds = true;
    for (const step of steps) {
      if (step(value)) continue;
      if (this.isQuiet) return false;
      holds = false;
    }
    return holds;
  }

  /** Whether `holds` is true of all. If the walk is quiet, it ends with the first of which it is not. */
  every<T>(all: Iterable<T>, holds: (one: T) => boolean): boolean {
    let holdsAll = true;
    for (const one of all) {
      if (holds(one)) continue;
      if (this.isQuiet) return false;
      holdsAll = false;
    }
    return holdsAll;
  }

  enter(token: string | number): void {
    this.#path[this.depth] = token;
    this.depth++;
    this.#places[this.depth] = ++this.#lastPlace;
  }

  leave(): void {
    this.depth--;
  }

  /** Whether a member or an item meets `step`, which is applied there. */
  visit(step: Step, token: string | number, value: unknown): boolean {
    this.enter(token);
    const holds = step(value);
    this.leave();
    return holds;
  }

  /** The number of the value at the walk's place. It is a new one each time that the walk goes there. */
  get place(): number {
    return this.#places[this.depth]!;
  }

  /** The same for the value around at `depth`. */
  placeAt(depth: number): number {
    return this.#places[depth]!;
  }

  /** The token that leads to the value around at `depth`, which is not 0. */
  tokenTo(depth: number): string {
    return String(this.#path[depth - 1]);
  }

  /** Counts a visit of `node`. True if results must be kept from now on. Throws TooCostly. */
  count(node: SchemaNode): boolean {
    this.visits++;
    if (this.visits <= this.#free) return false;
    if (this.visits > this.#most) throw new TooCostly(`its schema takes too many steps (at ${node.origin.place})`);
    return true;
  }

  /** The result for the value at the walk's place; null: not known, or its violations must still be reported. */
  knows(results: SchemaResults, value: unknown): boolean | null {
    const known = isContainer(value)
      ? results.ofObjects.get(value)
      : results.place === this.place
        ? results.ofPlace
        : undefined;
    if (known === undefined || (!this.isQuiet && (known === UNREPORTED || known === HOLDS_UNREPORTED))) return null;
    return known === HOLDS || known === HOLDS_UNREPORTED;
  }

  /** Keeps a result, unless there are too many. In a payload, each object has only one place. */
  keep(results: SchemaResults, value: unknown, holds: boolean): void {
    const right = this.isQuiet && this.#log?.takesRemarks ? HOLDS_UNREPORTED : HOLDS;
    const result = holds ? right : this.isQuiet ? UNREPORTED : REPORTED;
    if (!isContainer(value)) {
      results.place = this.place;
      results.ofPlace = result;
    } else if (this.#kept < MOST_KEPT) {
      if (results.ofObjects.size === 0) this.#results.push(results);
      results.ofObjects.set(value, result);
      this.#kept++;
    }
  }

  /** Reports that the value breaks a rule, or its member called `name`, or two of its items; returns false. */
  report(fault: KeywordFault, value: unknown, name: string | null = null, indexes = NO_INDEXES): false {
    if (!this.isQuiet) this.#log?.add(fault, value, name, indexes);
    return false;
  }

  /** Remarks on the member at the walk's place: on its name. What is no member has no name. */
  remark(fault: KeywordFault): void {
    const name = this.#path[this.depth - 1];
    if (this.isQuiet || this.depth === 0 || typeof name !== 'string' || !this.#log?.takesRemarks) return;
    this.depth--;
    this.#log.add(fault, null, name, NO_INDEXES);
    this.depth++;
  }

  /** The walk's place, from the payload's root (RFC 6901). */
  get pointer(): string {
    return formatPointer(this.#path.slice(0, this.depth));
  }

  /** The same if only a part of a payload is judged. */
  get fullPointer(): string {
    return this.#base + this.pointer;
  }
}

export type MemberStep = (object: JsonObject, name: string) => boolean;

/** Counts what steps return: it puts steps of its own around them when they are made. */
export interface StepCounter {
  /** Around the step of a keyword of `node`. */
  keyword(node: SchemaNode, keyword: string, step: Step): Step;
  /** Around the step of a subschema at the keyword and the tokens; without a keyword: of one that is judged once more. */
  subschema(node: SchemaNode, keyword: string, tokens: readonly (string | number)[], step: Step): Step;
  /** Around what refuses members of an object that no other keyword mentions. */
  refusal(node: SchemaNode, refuse: MemberStep): MemberStep;
}

/** The arguments from which the steps of one node are made. */
export interface StepContext extends KeywordContext {
  /** Absent: nothing is counted. */
  readonly counter?: StepCounter;
  readonly walk: Walk;
  /** The step of the subschema at the keyword and the tokens of the node. */
  readonly stepOf: (schema: Schema, keyword: string, ...tokens: readonly (string | number)[]) => Step;
  /** File and pointer of the keyword and the tokens of the node. */
  readonly placeOf: (keyword: string, ...tokens: readonly (string | number)[]) => string;
  /** A subschema applies only under a condition: violations below its place are reported with what `reason` gives then. */
  readonly applyIf: (schema: Schema | undefined, place: string, reason: () => string) => void;
  /** The value that the node is applied to, for what `reason` gives: one for all steps that are made of the node. */
  readonly applied: () => Applied;
  /** The violation of the keyword that is the rule of `facts`. */
  readonly fault: (facts: KeywordFault['facts']) => KeywordFault;
}

/** What a node with a condition is applied to while violations are reported. */
export interface Applied {
  value: unknown;
  /** Why the value meets the condition; null: nothing has asked. */
  met: string | null;
}

/** Makes the step of a keyword that the node has; null if the keyword allows every value. */
export type MakeStep = (making: StepContext) => Step | null;

/** A step that reports one violation if `holds` returns false. */
export function assertion({ walk, fault }: StepContext, facts: SchemaFacts | (() => SchemaFacts), holds: Test): Step {
  const made = once(() => fault(typeof facts === 'function' ? facts() : facts));
  const step: Step = (value) => holds(value) || (!walk.isQuiet && walk.report(made(), value));
  return Object.assign(step, { test: holds });
}

/** All of `steps` as one. */
export function all({ walk }: StepContext, steps: readonly Step[]): Step {
  const [first] = steps;
  if (first !== undefined && steps.length === 1) return first;
  return (value) => walk.takeAll(steps, value);
}
