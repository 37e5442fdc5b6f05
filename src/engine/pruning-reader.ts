/**
 * A reader for `prune`, whose runs over lines go on after a payload with which nothing is wrong but members that the only schema
 * of their object does not list, once violations are noted: these go, and the code reads what is left. All else is explained.
 */
import { applyEdits, deletionsOf, type Removals } from '../json/edits.ts';
import { lineAt } from '../json/skip.ts';
import { decodeString } from '../json/utf8.ts';
import { RemovedMembers } from '../repair/removal-edits.ts';
import { IN_PLACE, linksOf } from '../schema/facts.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Span } from '../types.ts';
import type { Mode } from '../wasm/layout.ts';
import { Acceptor, type AcceptRun, type AcceptWindow, type ExamineSettings, partOf } from './compile/acceptor.ts';
import type { AcceptCode } from './compile/code.ts';
import { A, B, SITE } from './compile/output.ts';
import { TextEngine } from './text-engine.ts';

/** Payloads that are pruned in a run, after which other work may be done first. */
const MANY_PRUNED = 1000;

export class PruningReader extends Acceptor {
  readonly #lone: ReadonlySet<SchemaNode>;
  readonly #mostBytes: number;
  /** Reads what is left. */
  readonly #engine: TextEngine;
  #removed: Removals[] = [];

  constructor({ kinds }: SchemaSet, code: AcceptCode, memory: WebAssembly.Memory, limits: ExamineSettings) {
    super(code, memory, limits);
    this.#lone = loneNodes(kinds.map(({ schema }) => schema));
    this.#mostBytes = limits.maxBytes;
    this.#engine = new TextEngine(code, limits);
  }

  override run(window: AcceptWindow, mode: Mode): AcceptRun | null {
    let run = super.run(window, mode);
    if (mode !== 'lines' || !this.takesRemovals || this.notes === null) return run;
    const { bytes, end, atEnd } = window;
    let lineFeeds = 0;
    while (run !== null && !run.full && run.stop < end && this.#removed.length < MANY_PRUNED) {
      const line = lineAt(bytes, run.stop, end);
      const { next, isWhole } = line;
      if ((!isWhole && !atEnd) || !this.#prune(bytes, line)) break;
      lineFeeds += run.lineFeeds + Number(isWhole);
      run = super.run(partOf(window, next, end), mode) ?? { ...run, stop: next, lineFeeds: 0 };
    }
    const full = run?.full === true || this.#removed.length >= MANY_PRUNED;
    return run && { ...run, lineFeeds: lineFeeds + run.lineFeeds, full };
  }

  override takeRemovals(take: (removals: Removals) => void): void {
    for (const removals of this.#removed) take(removals);
    this.#removed = [];
  }

  /** Accepts a payload without what is removed; false: only an examination can say what that is. */
  #prune(bytes: Buffer, span: Span): boolean {
    const kind = span.end - span.start > this.#mostBytes ? -1 : this.note(bytes, span, true);
    const { rows, sites } = this.notes!; // the caller has looked
    if (kind < 0 || rows.length === 0) return false;
    const removed = new RemovedMembers();
    // Rows about members are in the order of the text.
    for (let row = 0; row < rows.length; row++) {
      const { schema, keyword, pointer = null } = sites[rows.number(row, SITE)] ?? {};
      const isUnlisted = schema !== undefined && keyword === 'additionalProperties' && this.#lone.has(schema);
      if (!isUnlisted || pointer === null) return false;
      const start = rows.get(row, A);
      // Names with escapes are not noted.
      removed.add(start, pointer, decodeString(bytes, start, rows.get(row, B), false));
    }
    const removals = removed.removals(bytes, span.end);
    // What is valid has nothing else to remove, and nothing that was not there before.
    if (this.#engine.kindOf(applyEdits(bytes, span, 0, deletionsOf(removals))) !== kind) return false;
    this.count(kind);
    this.#removed.push(removals);
    return true;
  }
}

/** The schemas that are, wherever they apply, the only one that says something about members. `roots`: of payloads. */
export function loneNodes(roots: readonly Schema[]): ReadonlySet<SchemaNode> {
  const isLone = new Map<SchemaNode, boolean>();
  const visit = (node: Schema, alone: boolean): void => {
    if (!isNode(node) || isLone.get(node) === false || isLone.get(node) === alone) return;
    const inPlace = linksOf(node, IN_PLACE).length;
    const isReference =
      inPlace === 1 && node.$ref !== undefined && NAMING.every((keyword) => node[keyword] === undefined);
    isLone.set(node, alone && inPlace === 0);
    const isPlain = isReference || (inPlace === 0 && node.patternProperties === undefined);
    for (const inner of linksOf(node)) visit(inner, alone && isPlain);
  };
  for (const root of roots) visit(root, true);
  return new Set([...isLone].flatMap(([node, alone]) => (alone ? [node] : [])));
}

/** The keywords that say which members an object may have. */
const NAMING = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'] as const;
