/**
 * Finds the members that the schemas certainly do not allow, and takes them out of a value: those for which there is a
 * violation of `additionalProperties`, `unevaluatedProperties` or `propertyNames`, or of the schema `false`. What another
 * schema that applies to the same object describes stays: beside `allOf`, `additionalProperties` means less than it
 * says. So does what only an alternative, `not`, `if` or `contains` rejects.
 *
 * It goes in rounds: what the present value breaks is removed at once, then the rest is asked again, because a member
 * that is gone can change which schemas apply.
 */
import { evaluatedIn } from '../engine/judge/evaluated.ts';
import type { Judge } from '../engine/judge/judge.ts';
import type { JudgedKinds } from '../engine/judge/judged-kinds.ts';
import type { Pruning } from '../engine/judge/repaired.ts';
import type { Step, Walked } from '../engine/judge/walk.ts';
import type { Pruned } from '../json/edits.ts';
import { entryOf, memoized } from '../json/on-demand.ts';
import { isJsonObject } from '../json/value.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import type { SchemaSet } from '../schema/set.ts';
import { leadingTo, memberNames } from './insertion.ts';
import { removalEdits } from './removal-edits.ts';

/** What a schema says about the members of an object. */
interface MemberSchemas {
  /** Its schemas for a member by name and by pattern. */
  of(name: string): readonly Schema[];
  /** Its schema for any other member. */
  readonly others: readonly [Schema];
  /** The schema of names; null: there is none. */
  readonly ofNames: Step | null;
}

/** The names that are evaluated in an object; null: nothing asks that. */
type EvaluatedNames = ReturnType<typeof evaluatedIn> | null;

interface RemovableMember {
  readonly object: Record<string, unknown>;
  readonly name: string;
}

export class Pruner {
  readonly #judge: Judge;
  /** Schemas inside of which something can be removed. */
  readonly #leading: ReadonlySet<Schema>;
  readonly #membersOf = memoized((node: SchemaNode) => this.#makeMembers(node));
  /** The containers around the walk's place, it included. */
  readonly #path: object[] = [];
  #found: RemovableMember[] = [];
  #around = new Set<object>();

  /** `nodes`: all of the schemas. */
  constructor(judge: Judge, nodes: readonly SchemaNode[]) {
    this.#judge = judge;
    this.#leading = leadingTo(mayForbid, nodes);
  }

  /** Takes out of `value` what `schema` does not allow. Null: there was nothing. Throws SchemaError and TooCostly. */
  prune(schema: Schema, value: unknown, walked: Walked): Pruned | null {
    if (!this.#leading.has(schema) || !isNode(schema) || !isContainer(value)) return null;
    const names = new Map<object, Set<string>>();
    this.#around = new Set();
    // One walk for all rounds, so that they have one limit of steps together.
    const isValid = this.#judge.judge(() => this.#rounds(schema, value, names), value, walked);
    return names.size === 0 ? null : { names, around: this.#around, isValid };
  }

  /** Whether `value` is valid in the end. */
  #rounds(schema: SchemaNode, value: object, names: Map<object, Set<string>>): boolean {
    const step = this.#judge.stepOf(schema);
    for (;;) {
      this.#path.length = 0;
      this.#found = [];
      this.#visit([schema], value);
      if (this.#found.length === 0) return false;
      for (const { object, name } of this.#found) {
        entryOf(names, object, () => new Set()).add(name);
        delete object[name];
      }
      this.#judge.walk.forget();
      if (step(value)) return true;
    }
  }

  /** Finds what `schemas`, which apply to `value`, do not allow in it. */
  #visit(schemas: readonly SchemaNode[], value: object): void {
    if (!schemas.some((schema) => this.#leading.has(schema))) return;
    const applied = new Set<SchemaNode>();
    for (const schema of schemas) this.#apply(schema, value, applied);
    this.#path.push(value);
    if (Array.isArray(value)) this.#items(value, [...applied]);
    else this.#members(value as Record<string, unknown>, schemas, [...applied]); // it is an object
    this.#path.pop();
  }

  /** Adds the schemas that certainly apply to the value because `schema` does. */
  #apply(schema: Schema | undefined, value: object, applied: Set<SchemaNode>): void {
    if (!isNode(schema) || applied.has(schema)) return;
    this.#judge.walk.count(schema);
    applied.add(schema);
    for (const inner of this.#inPlace(schema, value)) this.#apply(inner, value, applied);
    const { if: test, then: yes, else: no } = schema;
    if (test !== undefined && (yes ?? no) !== undefined)
      this.#apply(this.#holds(test, value) ? yes : no, value, applied);
  }

  /** What a schema applies without a condition that has to be judged. */
  #inPlace({ $ref = [], allOf = [], dependentSchemas = {} }: SchemaNode, value: object): readonly Schema[] {
    const dependent = Object.entries(dependentSchemas).filter(
      ([name]) => !Array.isArray(value) && Object.hasOwn(value, name),
    );
    return [...$ref, ...allOf, ...dependent.map(([, schema]) => schema)];
  }

  #holds(schema: Schema, value: unknown): boolean {
    return this.#judge.walk.test(this.#judge.stepOf(schema), value);
  }

  #members(object: Record<string, unknown>, schemas: readonly SchemaNode[], applied: readonly SchemaNode[]): void {
    const { walk } = this.#judge;
    const sides = applied.map((node) => {
      const asks = node.unevaluatedProperties !== undefined && node.unevaluatedProperties !== true;
      const evaluated: EvaluatedNames = asks ? evaluatedIn(this.#judge.contextOf(node), object) : null;
      return { node, members: this.#membersOf(node), evaluated };
    });
    /** Those that describe members; made if something is not allowed. */
    let describing: ReadonlyMap<SchemaNode, boolean> | null = null;
    for (const name of Object.keys(object)) {
      const inner: Schema[] = [];
      let isForbidden = false;
      for (const { node, members, evaluated } of sides) {
        const own = members.of(name);
        const others = own.length > 0 ? own : members.others;
        const rest = evaluated === null || evaluated.has(name) ? true : node.unevaluatedProperties!; // it asks
        const named = members.ofNames === null || walk.visit(members.ofNames, name, name);
        isForbidden ||= others.includes(false) || rest === false || !named;
        if (isContainer(object[name])) inner.push(...others, rest);
      }
      if (isForbidden) {
        describing ??= this.#describingIn(schemas, object);
        if (!this.#isDescribed(name, describing)) {
          this.#add(object, name);
          continue;
        }
      }
      if (inner.length > 0) this.#inside(inner.filter(isNode), name, object[name]);
    }
  }

  #add(object: Record<string, unknown>, name: string): void {
    this.#found.push({ object, name });
    for (let i = this.#path.length - 1; i >= 0 && !this.#around.has(this.#path[i]!); i--)
      this.#around.add(this.#path[i]!);
  }

  #items(list: readonly unknown[], applied: readonly SchemaNode[]): void {
    const sides = applied.map((node) => {
      const asks = isNode(node.unevaluatedItems);
      return { node, evaluated: asks ? evaluatedIn(this.#judge.contextOf(node), list) : null };
    });
    for (const [i, item] of list.entries()) {
      if (!isContainer(item)) continue;
      const inner: SchemaNode[] = [];
      for (const { node, evaluated } of sides) {
        const { prefixItems = [], items, unevaluatedItems } = node;
        const rest = evaluated === null || evaluated.has(i) ? undefined : unevaluatedItems;
        for (const schema of [prefixItems[i] ?? items, rest]) if (isNode(schema)) inner.push(schema);
      }
      this.#inside(inner, i, item);
    }
  }

  #inside(schemas: readonly SchemaNode[], token: string | number, value: unknown): void {
    if (schemas.length === 0 || !isContainer(value)) return;
    this.#judge.walk.enter(token);
    this.#visit(schemas, value);
    this.#judge.walk.leave();
  }

  /** The schemas that apply to an object, those of alternatives included; true for one that may be meant only. */
  #describingIn(schemas: readonly SchemaNode[], object: object): ReadonlyMap<SchemaNode, boolean> {
    const all = new Map<SchemaNode, boolean>();
    for (const schema of schemas) this.#describe(schema, object, all, false);
    return all;
  }

  /** Of alternatives, those that hold; if none does, all of them: it is not known which one was meant. */
  #describe(schema: Schema | undefined, object: object, all: Map<SchemaNode, boolean>, isMeant: boolean): void {
    if (!isNode(schema) || all.get(schema) === true || all.get(schema) === isMeant) return;
    this.#judge.walk.count(schema);
    all.set(schema, isMeant);
    for (const inner of this.#inPlace(schema, object)) this.#describe(inner, object, all, isMeant);
    const { if: test, then: yes, else: no } = schema;
    if (test !== undefined)
      for (const inner of this.#holds(test, object) ? [test, yes] : [no]) this.#describe(inner, object, all, isMeant);
    for (const alternatives of [schema.anyOf, schema.oneOf]) {
      const holding = alternatives?.filter((one) => this.#holds(one, object)) ?? [];
      const isNone = holding.length === 0;
      for (const one of isNone ? (alternatives ?? []) : holding) this.#describe(one, object, all, isMeant || isNone);
    }
  }

  #isDescribed(name: string, describing: ReadonlyMap<SchemaNode, boolean>): boolean {
    for (const [node, isMeant] of describing) {
      const own = this.#membersOf(node).of(name);
      if (own.length > 0 && !own.includes(false)) return true;
      // If it was meant, it allows others, too.
      if (isMeant && own.length === 0 && (node.additionalProperties ?? node.unevaluatedProperties ?? false) !== false)
        return true;
    }
    return false;
  }

  #makeMembers(node: SchemaNode): MemberSchemas {
    const { properties = {}, patternProperties = {}, propertyNames, additionalProperties = true } = node;
    const known = new Map(Object.entries(properties).map(([name, schema]) => [name, [schema]]));
    const patterns = Object.entries(patternProperties).map(
      ([source, schema]) => [this.#judge.pattern(source), schema] as const,
    );
    const ofNames = propertyNames === undefined ? null : this.#judge.stepOf(propertyNames);
    return {
      of(name) {
        const own = known.get(name) ?? NO_SCHEMAS;
        if (patterns.length === 0) return own;
        return [...own, ...patterns.filter(([matches]) => matches(name)).map(([, schema]) => schema)];
      },
      others: [additionalProperties],
      ofNames: ofNames && ((name) => this.#judge.walk.test(ofNames, name)),
    };
  }
}

const NO_SCHEMAS: readonly Schema[] = [];

/** How an examiner takes out members. */
export function createPruning({ nodes }: Pick<SchemaSet, 'nodes'>, { judge }: JudgedKinds): Pruning {
  const pruner = new Pruner(judge, nodes);
  const names = new Set(memberNames(nodes).values());
  const knows = (name: string): boolean => names.has(name);
  return {
    prune: ({ schema }, value, walked) => pruner.prune(schema, value, walked),
    edits: (bytes, span, value, pruned) => removalEdits(bytes, span, value, pruned, { knows }),
  };
}

/** True for a schema that can say that a member is not allowed. */
function mayForbid(node: SchemaNode): boolean {
  const { properties = {}, patternProperties = {}, additionalProperties, unevaluatedProperties, propertyNames } = node;
  const isForbidden = [additionalProperties, unevaluatedProperties].includes(false) || propertyNames !== undefined;
  return isForbidden || [...Object.values(properties), ...Object.values(patternProperties)].includes(false);
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isJsonObject(value);
}
