/**
 * Violations of schemas as they are found, before they are said in words, and those that are only counted: of one payload
 * some are listed, all are counted.
 */
import type { Span } from '../../json/vocabulary.ts';
import type { Seen } from '../../keywords/keyword.ts';
import { withHints } from '../../log/violation-table.ts';
import type { Finding, Hidden, Mutable, Severity, Statement } from '../../types.ts';
import type { Site } from './sites.ts';

/** A violation. Indexes are into the payload's bytes. */
export interface Fault extends Seen {
  readonly site: Site;
  /** The value's own bytes; null: it is not in the bytes, because it is a default that was filled in. */
  readonly span: Span | null;
  /** Those of the name, with its quotes, if the rule is about a member. */
  readonly nameSpan: Span | null;
  /** RFC 6901, from the payload's root: of the value, or of the member. */
  readonly pointer: string;
  /** Reads the value, or the object that has the member, which may take time. */
  value(): unknown;
}

/** The faults of a walk: those that are listed, in the order in which they were found, and the counts of others. */
export interface Logged {
  readonly faults: readonly Fault[];
  readonly unlisted: HiddenCounts;
}

/** The bytes that the finding for a fault shows; `payload`: those of the payload, or of the value that is examined. */
export function shownSpan({ site, span, nameSpan }: Pick<Fault, 'site' | 'span' | 'nameSpan'>, payload: Span): Span {
  if (site.anchor === 'name' && nameSpan !== null) return nameSpan;
  const { start, end } = span ?? payload;
  return { start, end: site.anchor === 'opening' ? start + 1 : end };
}

/** What to count for a violation that is not shown. */
export function hiddenOf({ facts, fix }: Site): Hidden {
  return { rule: facts.rule, fixable: fix === 'fill' };
}

/** What a finding says, but for what is below it; its params are as they are. */
export function bareStatement(finding: Finding, kind: string | null, severity: Severity): Mutable<Statement> {
  const { pointer, rule, message, params, schema, fixable } = finding;
  const statement = { kind, severity, pointer, rule, message, params, schema, fixable };
  return withHints(statement as Mutable<Statement>, finding); // the params match the rule
}

/** The numbers 0 to `count` - 1 in ascending order of their keys; equal keys keep their order. */
export function ascending(count: number, keyOf: (i: number) => number): readonly number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  const keys = order.map(keyOf);
  return order.sort((i, j) => keys[i]! - keys[j]!);
}

/** How many there are of each. */
export type HiddenCounts = readonly (readonly [hidden: Hidden, count: number])[];

/** Counts by rule, and by whether they are fixable. */
export class HiddenCounter {
  readonly #counts = new Map<string, [hidden: Hidden, count: number]>();

  add({ rule, fixable }: Hidden, count = 1): void {
    const key = `${rule} ${fixable}`;
    const counted = this.#counts.get(key);
    if (counted !== undefined) counted[1] += count;
    else if (count > 0) this.#counts.set(key, [{ rule, fixable }, count]);
  }

  /** In an order that does not depend on that in which they were added. */
  get counts(): HiddenCounts {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted);
  }
}

export function totalOf(counts: HiddenCounts): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

/** What to count for sites, and for what is counted already; `change` is applied last. */
export function countsOf(
  sites: Iterable<Site>,
  unlisted: HiddenCounts = [],
  change = (hidden: Hidden): Hidden => hidden,
): HiddenCounts {
  const counter = new HiddenCounter();
  for (const site of sites) counter.add(hiddenOf(site));
  for (const [hidden, count] of unlisted) counter.add(hidden, count);
  return counter.counts.map(([hidden, count]) => [change(hidden), count]);
}
