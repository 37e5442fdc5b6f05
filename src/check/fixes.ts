/**
 * Which violation of a payload gets which insertion of `fill` as its fix. Each insertion is the fix of one violation, and no two are at the same
 * place: all of them together, in any order, make the payload what `fill` writes.
 */
import type { Findings } from '../examine/lists.ts';
import { parentPointer } from '../json/pointer.ts';
import type { Fill, Finding } from '../types.ts';

const NONE: readonly Fill[] = [];

export class Fixes {
  /** By the pointer of the object, those that are not given out yet. */
  readonly #byObject: Map<string, Fill>;
  /** Of objects without a fixable violation: they go with the payload's first. */
  #others: readonly Fill[];

  /** `fills`: what `fill` inserts in the payload that has these findings. */
  constructor(findings: Findings, fills: readonly Fill[]) {
    this.#byObject = new Map(fills.map((fill) => [parentPointer(fill.members[0]!.pointer), fill]));
    const objects = new Set<string>();
    if (fills.length > 0) for (const { fixable, pointer } of findings) if (fixable) objects.add(pointer);
    this.#others = [...this.#byObject].flatMap(([pointer, fill]) => (objects.has(pointer) ? [] : [fill]));
  }

  /** To be asked once for each finding, in order. */
  of({ fixable, pointer }: Finding): readonly Fill[] {
    if (!fixable) return NONE;
    const own = this.#byObject.get(pointer);
    this.#byObject.delete(pointer);
    const fills = own === undefined ? this.#others : [...this.#others, own];
    this.#others = NONE;
    return fills.length < 2 ? fills : [...fills].sort((a, b) => a.at - b.at);
  }
}
