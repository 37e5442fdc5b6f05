/** What `prune` of the library says of one text: the text without the members, each of them, and the edits. */
import { deletionsOf, FROM, NAME, REMOVAL_WIDTH, type Removals, TO, VALUE } from '../engine/judge/row-log.ts';
import { applyEdits } from '../json/edits.ts';
import { Follower, NOT_KEPT } from '../json/follow.ts';
import { LineTracker } from '../json/lines.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { removedValue } from '../repair/removal-edits.ts';
import type { PrunedPlace } from '../types.ts';
import type { FillEdit, PruneResult } from './api.ts';
import { codeUnitsAt } from './inputs.ts';
import { type OneText, TEXT_NAME } from './one-text.ts';

/** `input`: the text of the caller, which is `bytes`; `redact`: values are left out. */
export function withoutMembers<Text extends string | Uint8Array>(
  input: Text,
  { bytes, start, end }: OneText,
  removals: Removals,
  redact: boolean,
): Pick<PruneResult<Text>, 'text' | 'removed' | 'edits'> {
  if (removals.length === 0) return { text: input, removed: [], edits: [] };
  const left = applyEdits(bytes, { start: 0, end: bytes.length }, 0, deletionsOf(removals));
  const text = (typeof input === 'string' ? Buffer.from(left).toString() : left) as Text; // the type of the input
  const rows = Array.from({ length: removals.length }, (_, i) =>
    removals.rows.slice(i * REMOVAL_WIDTH, (i + 1) * REMOVAL_WIDTH),
  );
  const places = new LineTracker(byteOrderMark(bytes)).places(
    bytes,
    0,
    rows.map((row) => row[NAME]!),
  );
  const follower = new Follower(bytes, start, end, NOT_KEPT);
  const removed: PrunedPlace[] = rows.map((row) => {
    const [name, value] = [row[NAME]!, row[VALUE]!];
    const { line, column } = places.get(name)!; // requested above
    const place = { file: TEXT_NAME, payload: 0, line, column, offset: name, pointer: follower.seek(name).pointer };
    return redact ? place : { ...place, ...removedValue(bytes, value, end) };
  });
  const bounds = rows.flatMap((row) => [row[FROM]!, row[TO]!]);
  const units = typeof input === 'string' ? codeUnitsAt(bytes, bounds) : bounds;
  const edits: FillEdit[] = removed.map(({ pointer }, i) => {
    const [offset, to] = [units[2 * i]!, units[2 * i + 1]!];
    return { offset, length: to - offset, text: '', payload: 0, pointer };
  });
  return { text, removed, edits: edits.filter(({ length }) => length > 0) };
}
