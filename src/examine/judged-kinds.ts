/**
 * The kinds of a set for examine: their resolved schemas, and the judge that applies these.
 */
import { linksOf } from '../schema/facts.ts';
import type { Schema, SchemaNode } from '../schema/node.ts';
import type { Kind, SchemaSet } from '../schema/set.ts';
import { createJudge, type Judge, loadJudgeModules } from './judge/judge.ts';
import type { Step } from './judge/walk.ts';
import { canRepeat } from './row-log.ts';
import { ALLOWS_ALL, type AllowsDefault, Sites } from './sites.ts';

export interface JudgedKind {
  readonly kind: Kind;
  /** The set that the kind belongs to. */
  readonly set: SchemaSet;
  readonly schema: Schema;
  readonly step: Step;
  /** The entry schema's test for the kind; null if every value fits. */
  readonly test: Step | null;
}

export interface JudgedKinds {
  readonly all: readonly JudgedKind[];
  readonly judge: Judge;
  /** The places in the schemas that gave violations, by the numbers that the judge uses. */
  readonly sites: Sites;
  /** Deeper payloads need more of the stack. */
  readonly isRecursive: boolean;
  /** A violation can be reported twice. */
  readonly canRepeat: boolean;
}

/** For a set whose defaults do not matter. Throws SchemaError. */
export async function judgedKinds(set: SchemaSet): Promise<JudgedKinds> {
  return judgedKindsWith(set, createJudge(await loadJudgeModules(set)), ALLOWS_ALL);
}

/** `allows`: tells which defaults can fix a payload. Throws SchemaError. */
export function judgedKindsWith(set: SchemaSet, judge: Judge, allows: AllowsDefault): JudgedKinds {
  const { nodes, kinds } = set;
  return {
    all: kinds.map((kind) => ({
      kind,
      set,
      schema: kind.schema,
      step: judge.stepOf(kind.schema, `${kind.document.name}#`),
      test: kind.test === null ? null : judge.stepOf(kind.test),
    })),
    judge,
    sites: new Sites(allows),
    // Computed on demand, because few runs need it.
    get isRecursive() {
      return isRecursive(nodes);
    },
    canRepeat: canRepeat(nodes),
  };
}

/** Kinds that are not detected, and whose schemas are not applied. */
export function kindsWithoutSchemas(set: SchemaSet): JudgedKinds {
  const judge = createJudge({ formats: null, pattern: null });
  const all = set.kinds.map((kind) => ({ kind, set, schema: true, step: judge.stepOf(true), test: null }));
  return { all, judge, sites: new Sites(ALLOWS_ALL), isRecursive: false, canRepeat: false };
}

/**
 * True if applying the nodes can take more of the stack for deeper payloads: one leads back to itself, or compares
 * items of any depth.
 */
function isRecursive(nodes: readonly SchemaNode[]): boolean {
  const done = new Set<SchemaNode>();
  const open = new Set<SchemaNode>();
  // With a list of its own, because a chain may be longer than the stack.
  const path: { readonly node: SchemaNode; readonly next: SchemaNode[] }[] = [];
  const enter = (node: SchemaNode): void => {
    open.add(node);
    path.push({ node, next: linksOf(node) });
  };
  for (const root of nodes) {
    if (root.uniqueItems === true) return true;
    if (!done.has(root)) enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.next.pop();
      if (next === undefined) {
        open.delete(top.node);
        done.add(top.node);
        path.pop();
      } else if (open.has(next)) return true;
      else if (!done.has(next)) enter(next);
    }
  }
  return false;
}
