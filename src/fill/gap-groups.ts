/**
 * The insertions for the gaps that accept has found. Most objects of one schema with the same missing members are
 * compact, so they get the same text.
 */
import type { AcceptGap } from '../accept/acceptor.ts';
import type { FillableObject } from '../accept/context.ts';
import {
  afterMembers,
  betweenBrackets,
  COMPACT,
  isCompactMember,
  spaceBefore,
  styleOf,
} from './insertion.ts';

/** Objects of a schema with the same missing members. */
export interface GapGroup {
  readonly object: FillableObject;
  readonly members: FillableObject['members'];
  /** The text for compact objects. */
  readonly compact: GapText;
  /** Number of objects in the group. */
  times: number;
}

/** A text to insert, and its bytes. */
interface GapText {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface GapInsertion extends GapText {
  /** Index in the bytes of the gap. */
  readonly at: number;
  readonly group: GapGroup;
}

export class GapGroups {
  /** By object, then by the mask of missing members. */
  readonly #groups = new Map<FillableObject, Map<bigint, GapGroup>>();
  /** The same for objects without members. */
  readonly #emptyGroups = new Map<FillableObject, Map<bigint, GapGroup>>();

  /** The insertion for the gap in `bytes`. It is counted. */
  insertion(bytes: Buffer, gap: AcceptGap): GapInsertion {
    const group = this.#groupOf(gap);
    group.times++;
    const at = spaceBefore(bytes, gap.close);
    const isCompact = gap.lastName < 0 || (at === gap.close && isCompactMember(bytes, gap.lastName));
    const { text, bytes: inserted } = isCompact
      ? group.compact
      : gapText(afterMembers(group.members, styleOf(bytes, gap.lastName, gap.close)));
    return { at, group, text, bytes: inserted };
  }

  *[Symbol.iterator](): Generator<GapGroup> {
    for (const groups of [this.#groups, this.#emptyGroups])
      for (const byMissing of groups.values()) yield* byMissing.values();
  }

  /** The group of a gap: the same object of the schema, with the same missing members. */
  #groupOf({ object, missing, lastName }: AcceptGap): GapGroup {
    const isEmpty = lastName < 0;
    const groups = isEmpty ? this.#emptyGroups : this.#groups;
    let byMissing = groups.get(object);
    if (byMissing === undefined) {
      byMissing = new Map();
      groups.set(object, byMissing);
    }
    let group = byMissing.get(missing);
    if (group === undefined) {
      const members = object.members.filter(({ bit }) => (missing & bit) !== 0n);
      const compact = gapText(isEmpty ? betweenBrackets(members, COMPACT) : afterMembers(members, COMPACT));
      group = { object, members, compact, times: 0 };
      byMissing.set(missing, group);
    }
    return group;
  }
}

function gapText(text: string): GapText {
  return { text, bytes: Buffer.from(text) };
}
