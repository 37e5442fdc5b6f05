/**
 * Fills in members that are missing and have a default: a walk over the resolved schema beside that of examine, which
 * judges conditions for it. It fills in what Ajv's `useDefaults` does, whatever the members are called, in its order: at
 * each schema first what references, `allOf` and conditions lead to, then the schema's own members, then what is inside
 * of them. Inside alternatives, `not`, `if`, `contains` and `propertyNames` nothing is filled in.
 */
import { evaluatedIn } from '../engine/judge/evaluated.ts';
import type { Judge } from '../engine/judge/judge.ts';
import { endless, type Step, type StepContext, type Walked } from '../engine/judge/walk.ts';
import { EndlessDefaults } from '../errors.ts';
import { exactValue } from '../json/decimal.ts';
import { entryOf, memoized } from '../json/on-demand.ts';
import { isJsonObject, setMember } from '../json/value.ts';
import { FILL_PASSES, JUDGED_LEVELS } from '../limits.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import { leadingTo } from './insertion.ts';
import type { DefaultMap } from './wanted-defaults.ts';

/** Fills in a value where the walk is. */
type Fill = (value: object) => void;

type Members = Record<string, unknown>;

const ENDLESS = 'each default that is filled in makes another one missing, without end';

const NO_FILL: Fill = () => {};

export class Filler {
  readonly #judge: Judge;
  readonly #defaults: DefaultMap;
  /** Schemas inside of which something can be filled in. */
  readonly #leading: ReadonlySet<Schema>;
  /** The values that a schema was applied to, in a pass with many visits. */
  readonly #done = new Map<SchemaNode, Set<unknown>>();

  /** `nodes`: all of the schemas. */
  constructor(judge: Judge, nodes: readonly SchemaNode[], defaults: DefaultMap) {
    this.#judge = judge;
    this.#defaults = defaults;
    this.#leading = leadingTo((node) => this.#ownOf(node).length > 0, nodes);
  }

  /**
   * Fills in `value` by `schema`. One pass may be too few: a default can make an `if` hold, or create an object in
   * which an earlier `allOf` would have filled in more.  Throws EndlessDefaults, SchemaError and TooCostly.
   */
  fill(schema: Schema, value: unknown, walked: Walked): void {
    const fill = this.#fillOf(schema);
    if (fill === NO_FILL) return;
    const pass: Step = (root) => {
      if (isContainer(root)) fill(root);
      return true;
    };
    let members = membersIn(value);
    for (let passes = 0; passes < FILL_PASSES; passes++) {
      this.#done.clear();
      this.#judge.judge(pass, value, walked);
      const now = membersIn(value);
      if (now === members) return;
      members = now;
    }
    throw new EndlessDefaults(ENDLESS);
  }

  #fillOf(schema: Schema | undefined): Fill {
    return isNode(schema) && this.#leading.has(schema) ? this.#nodeFill(schema) : NO_FILL;
  }

  readonly #nodeFill = memoized((node: SchemaNode): Fill => {
    const { walk } = this.#judge;
    let parts: readonly Fill[] | null = null;
    /** The innermost place where this has begun and not ended; -1: none. */
    let openAt = -1;
    return (value) => {
      const { place } = walk;
      if (openAt === place) throw endless(node);
      if (walk.count(node) && !this.#addNew(node, value)) return;
      parts ??= this.#partsOf(node);
      const outer = openAt;
      openAt = place;
      for (const part of parts) part(value);
      openAt = outer;
    };
  });

  /** Remembers that the node is applied to the value. True if it was not before. */
  #addNew(node: SchemaNode, value: object): boolean {
    const done = entryOf(this.#done, node, () => new Set());
    return !done.has(value) && done.add(value) === done;
  }

  /** What the keywords of a node fill in, in order. */
  #partsOf(node: SchemaNode): Fill[] {
    const { $ref = [], allOf = [] } = node;
    const inPlace = [...$ref, ...allOf].map((schema) => this.#fillOf(schema));
    const parts = [
      ...inPlace,
      this.#condition(node),
      forArrays(this.#items(node)),
      forObjects(this.#own(node)),
      forObjects(this.#members(node)),
      forObjects(this.#dependents(node)),
      forArrays(this.#unevaluatedItems(node)),
      forObjects(this.#unevaluatedMembers(node)),
    ];
    return parts.filter((part) => part !== NO_FILL);
  }

  #condition({ if: test, then: yes, else: no }: SchemaNode): Fill {
    const [fillYes, fillNo] = [this.#fillOf(yes), this.#fillOf(no)];
    if (test === undefined || (fillYes === NO_FILL && fillNo === NO_FILL)) return NO_FILL;
    const step = this.#judge.stepOf(test);
    return (value) => (this.#judge.walk.test(step, value) ? fillYes : fillNo)(value);
  }

  /** The members of a node that have a default, with its text. */
  #ownOf({ properties = {} }: SchemaNode): [name: string, text: string][] {
    return Object.entries(properties).flatMap(([name, member]): [string, string][] => {
      const text = isNode(member) ? this.#defaults.get(member.origin.place) : undefined;
      return text === undefined ? [] : [[name, text]];
    });
  }

  #own(node: SchemaNode): FillOf<Members> | null {
    const own = this.#ownOf(node);
    if (own.length === 0) return null;
    return (object) => {
      for (const [name, text] of own) {
        if (Object.hasOwn(object, name)) continue;
        setMember(object, name, exactValue(text));
        this.#judge.walk.forget();
      }
    };
  }

  #members({ properties = {}, patternProperties = {}, additionalProperties }: SchemaNode): FillOf<Members> | null {
    const known = new Map(Object.entries(properties).map(([name, schema]) => [name, this.#fillOf(schema)]));
    const patterns = Object.entries(patternProperties).map(
      ([source, schema]) => [this.#judge.pattern(source), this.#fillOf(schema)] as const,
    );
    const other = this.#fillOf(additionalProperties);
    const all = [...known.values(), ...patterns.map(([, fill]) => fill), other];
    if (all.every((fill) => fill === NO_FILL)) return null;
    return (object) => {
      for (const name of Object.keys(object)) {
        const matching = patterns.filter(([matches]) => matches(name)).map(([, fill]) => fill);
        const own = known.get(name);
        if (own !== undefined) this.#inside(own, name, object[name]);
        for (const fill of matching) this.#inside(fill, name, object[name]);
        if (own === undefined && matching.length === 0) this.#inside(other, name, object[name]);
      }
    };
  }

  #dependents({ dependentSchemas = {} }: SchemaNode): FillOf<Members> | null {
    const fills = Object.entries(dependentSchemas).map(([name, schema]) => [name, this.#fillOf(schema)] as const);
    if (fills.every(([, fill]) => fill === NO_FILL)) return null;
    return (object) => {
      for (const [name, fill] of fills) if (Object.hasOwn(object, name)) fill(object);
    };
  }

  #items({ prefixItems = [], items }: SchemaNode): FillOf<unknown[]> | null {
    const first = prefixItems.map((schema) => this.#fillOf(schema));
    const rest = this.#fillOf(items);
    if ([...first, rest].every((fill) => fill === NO_FILL)) return null;
    return (list) => {
      const end = rest === NO_FILL ? Math.min(first.length, list.length) : list.length;
      for (let i = 0; i < end; i++) this.#inside(first[i] ?? rest, i, list[i]);
    };
  }

  #unevaluatedItems(node: SchemaNode): FillOf<unknown[]> | null {
    const fill = this.#fillOf(node.unevaluatedItems);
    if (fill === NO_FILL) return null;
    const context = this.#judge.contextOf(node);
    return (list) => {
      const evaluated = evaluatedIn(context, list);
      for (const [i, item] of list.entries()) if (!evaluated.has(i)) this.#inside(fill, i, item);
    };
  }

  #unevaluatedMembers(node: SchemaNode): FillOf<Members> | null {
    const fill = this.#fillOf(node.unevaluatedProperties);
    if (fill === NO_FILL) return null;
    const context: StepContext = this.#judge.contextOf(node);
    return (object) => {
      const evaluated = evaluatedIn(context, object);
      for (const name of Object.keys(object)) if (!evaluated.has(name)) this.#inside(fill, name, object[name]);
    };
  }

  #inside(fill: Fill, token: string | number, value: unknown): void {
    if (fill === NO_FILL || !isContainer(value)) return;
    const { walk } = this.#judge;
    walk.enter(token);
    // Objects that are filled in can ask for others inside of them, without end. Deeper ones are not judged either.
    if (walk.depth > JUDGED_LEVELS) throw new EndlessDefaults(ENDLESS);
    fill(value);
    walk.leave();
  }
}

/** Fills in a value of one type. */
type FillOf<T> = (value: T) => void;

function forArrays(fill: FillOf<unknown[]> | null): Fill {
  return fill === null ? NO_FILL : (value) => (Array.isArray(value) ? fill(value) : undefined);
}

function forObjects(fill: FillOf<Members> | null): Fill {
  return fill === null ? NO_FILL : (value) => (Array.isArray(value) ? undefined : fill(value as Members)); // it is an object
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isJsonObject(value);
}

function membersIn(value: unknown): number {
  if (!isContainer(value)) return 0;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.reduce<number>((sum, item) => sum + membersIn(item), inner.length);
}
