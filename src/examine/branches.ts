/**
 * Removes errors from inside the alternatives of `anyOf` and `oneOf`, the items that `contains` tried, the names of
 * `propertyNames`, and the `if` that only says that its `then` failed. Of each such keyword one error is kept, its own.
 *
 * Ajv gives the errors of the alternatives right before the error of the keyword. They differ from earlier errors of the
 * same value in their subschema: the alternatives contain it or refer to it.
 */
import type { Elsewhere } from './error-log.ts';
import { A, B, END, isElsewhere, type Records, SITE, START } from './records.ts';
import type { Sites } from './sites.ts';

/** Keywords whose subschemas are tried: one that fails is not a violation by itself. */
const TRIES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames']);

/** Removes the errors in `rows` that are not violations of their own; the others keep their order. */
export function removeBranches(rows: Records, sites: Sites, elsewhere: readonly Elsewhere[]): void {
  let kept = 0;
  for (let row = 0; row < rows.length; row++) {
    const site = rows.get(row, SITE);
    const { rule } = sites.at(site).facts;
    if (rule === 'if') continue;
    if (TRIES.has(rule)) {
      while (
        kept > 0 &&
        isBelow(rows, kept - 1, row, elsewhere) &&
        sites.isInside(rows.get(kept - 1, SITE), site)
      )
        kept--;
    }
    if (kept < row) rows.copy(kept, rows, row);
    kept++;
  }
  rows.truncate(kept);
}

/** True for an error about the value that `outer` is about, or about one inside it. */
function isBelow(rows: Records, inner: number, outer: number, elsewhere: readonly Elsewhere[]): boolean {
  const start = rows.get(outer, START);
  const end = Math.max(rows.get(outer, END), isElsewhere(rows, outer) ? rows.get(outer, B) : 0);
  const at = rows.get(inner, START);
  if (end > start) return at >= start && at < end;
  if (!isElsewhere(rows, inner)) return false;
  const { pointer } = elsewhere[rows.get(outer, A)]!;
  const other = elsewhere[rows.get(inner, A)]!.pointer;
  return other === pointer || other.startsWith(`${pointer}/`);
}
