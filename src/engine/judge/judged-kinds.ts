/** The kinds of a set for examine: their resolved schemas, and the judge that applies these. */
import { linksOf, loopIn } from '../../schema/facts.ts';
import type { Schema } from '../../schema/node.ts';
import { hasRemarks, type Kind, type SchemaSet } from '../../schema/set.ts';
import type { Span } from '../../types.ts';
import type { Logged } from './fault.ts';
import { canRepeat, FaultLog } from './fault-log.ts';
import { Judge } from './judge.ts';
import { judgesNumber } from './schema-findings.ts';
import { ALLOWS_ALL, type AllowsDefault, Sites } from './sites.ts';
import { type Step, type Walked, walkedIn } from './walk.ts';

export interface JudgedKind {
  readonly kind: Kind;
  /** The set that the kind belongs to. */
  readonly set: SchemaSet;
  readonly schema: Schema;
  readonly step: Step;
  /** The entry schema's test for the kind; null if every value fits. */
  readonly test: Step | null;
}

/** Bytes of a text, and where a payload is in them. */
export interface JudgedBytes {
  readonly bytes: Buffer;
  readonly span: Span;
}

export interface JudgedKinds {
  readonly all: readonly JudgedKind[];
  readonly byName: ReadonlyMap<string, JudgedKind>;
  readonly judge: Judge;
  /** The places in the schemas that gave violations, by the numbers that the judge uses. */
  readonly sites: Sites;
  /** Deeper payloads need more of the stack. */
  readonly isRecursive: boolean;
  /** A violation can be reported twice. */
  readonly canRepeat: boolean;
  /** The schemas have remarks on values. */
  readonly takesRemarks: boolean;
}

/** `allows`: tells which defaults can fix a payload. Throws SchemaError. */
export function judgedKindsWith(set: SchemaSet, judge: Judge, allows: AllowsDefault): JudgedKinds {
  const { nodes, kinds } = set;
  const all = kinds.map((kind) => ({
    kind,
    set,
    schema: kind.schema,
    step: judge.stepOf(kind.schema, `${kind.document.name}#`),
    test: kind.test === null ? null : judge.stepOf(kind.test),
  }));
  return {
    all,
    byName: new Map(all.map((one) => [one.kind.name, one])),
    judge,
    sites: new Sites(allows),
    // Computed on demand, because few runs need it.
    get isRecursive() {
      // A node leads back to itself, or compares items of any depth.
      return nodes.some((node) => node.uniqueItems === true) || loopIn(nodes, linksOf) !== null;
    },
    canRepeat: canRepeat(nodes),
    takesRemarks: hasRemarks(set),
  };
}

/** Kinds that are not detected, and whose schemas are not applied. */
export function kindsWithoutSchemas(set: SchemaSet): JudgedKinds {
  const kinds = set.kinds.map((kind) => ({ ...kind, schema: true, test: null }));
  return judgedKindsWith({ ...set, kinds, nodes: [] }, new Judge({ formats: null, pattern: null }), ALLOWS_ALL);
}

/** The kind of a value: the given one, or the first whose test it meets; null: it is of none. */
export function kindOf(
  kinds: JudgedKinds,
  value: unknown,
  givenKind: string | null,
  walked: Walked,
): JudgedKind | null {
  const { all, byName, judge } = kinds;
  if (givenKind !== null) return byName.get(givenKind) ?? null;
  for (const kind of all) if (kind.test === null || judge.judge(kind.test, value, walked)) return kind;
  return null;
}

/** The violations of a payload by the schema of its kind, and remarks; null: none. */
export type Judgement = (Logged & { readonly isValid: boolean }) | null;

/** Judges `value`, which is that of `bytes[span)`, or is made of it. */
export function judgementOf(
  kinds: JudgedKinds,
  { step }: JudgedKind,
  value: unknown,
  { bytes, span }: JudgedBytes,
): Judgement {
  const { judge, takesRemarks } = kinds;
  const log = new FaultLog(judge.walk, bytes, span, kinds);
  const isValid = judge.judge(step, value, walkedIn(span), {
    takesRemarks,
    add(fault, found, ...where) {
      // A number beyond a double is reported as such: a schema cannot be applied to it.
      const isBeyond = typeof found === 'number' && !Number.isFinite(found);
      if (!isBeyond || !judgesNumber(fault.facts)) log.add(fault, found, ...where);
    },
  });
  const errors = isValid && !takesRemarks ? null : log.take();
  return errors === null || errors.faults.length === 0 ? null : { ...errors, isValid };
}

export function isValid(errors: Judgement): boolean {
  return errors === null || errors.isValid;
}
