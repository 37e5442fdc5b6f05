/**
 * Removes duplicate violations. Several schemas that say the same may be applied to a value, or one in several ways, as by
 * `allOf` of two schemas that refer to the same third one. What they say is reported once, for the first of them.
 */
import { DIALECT_KEYWORDS } from '../schema/dialect.ts';
import type { SchemaNode } from '../schema/node.ts';
import type { Span } from '../types.ts';
import { Marks } from './marks.ts';
import { A, isElsewhere, type Records, SITE, START } from './records.ts';
import type { Elsewhere } from './row-log.ts';
import type { Sites } from './sites.ts';

/** True if two schemas can be applied to one value, so that violations can be reported twice. */
export function canRepeat(nodes: readonly SchemaNode[]): boolean {
  return nodes.some((node) => {
    const { $ref = [], allOf = [], dependentSchemas = {}, patternProperties = {} } = node;
    const patterns = Object.keys(patternProperties).length;
    const hasBranches = node.then !== undefined || node.else !== undefined;
    const inPlace = $ref.length + allOf.length + Object.keys(dependentSchemas).length + Number(hasBranches);
    return (
      inPlace > 1 ||
      (inPlace > 0 && DIALECT_KEYWORDS.filter((keyword) => node[keyword] !== undefined).length > 1) ||
      patterns > 1 ||
      (patterns > 0 && node.properties !== undefined)
    );
  });
}

/** `span`: of the payload. The first of equal violations stays, with the site of one that can be fixed, if there is one. */
export function removeRepeated(
  rows: Records,
  sites: Sites,
  elsewhere: readonly Elsewhere[],
  span: Span,
): void {
  const told = new Map<number, Marks>();
  const toldElsewhere = new Set<string>();
  /** The rows that stay, by what they say and where. Null: no repeated one can be fixed yet, which is the usual case. */
  let byPlace: Map<string, number> | null = null;
  let kept = 0;
  for (let row = 0; row < rows.length; row++) {
    const own = rows.get(row, SITE);
    const site = sites.sameAs(own);
    if (isElsewhere(rows, row)) {
      const { pointer, facts } = elsewhere[rows.get(row, A)]!;
      const key = JSON.stringify([site, pointer, facts]);
      if (toldElsewhere.has(key)) continue;
      toldElsewhere.add(key);
    } else {
      const marks = told.get(site) ?? new Marks(span);
      told.set(site, marks);
      const at = rows.get(row, sites.at(site).anchor === 'name' ? A : START);
      if (marks.has(at)) {
        if (sites.at(own).fix === null) continue;
        byPlace ??= placesOf(rows, kept, sites);
        const first = byPlace.get(`${site} ${at}`);
        if (first !== undefined && sites.at(rows.get(first, SITE)).fix === null) rows.set(first, SITE, own);
        continue;
      }
      marks.add(at);
      byPlace?.set(`${site} ${at}`, kept);
    }
    if (kept < row) rows.copy(kept, rows, row);
    kept++;
  }
  rows.truncate(kept);
}

/** Of the first `count` rows, those of missing members, which alone can be fixed. */
function placesOf(rows: Records, count: number, sites: Sites): Map<string, number> {
  const places = new Map<string, number>();
  for (let row = 0; row < count; row++) {
    const site = rows.get(row, SITE);
    if (!isElsewhere(rows, row) && sites.at(site).facts.rule === 'required')
      places.set(`${sites.sameAs(site)} ${rows.get(row, START)}`, row);
  }
  return places;
}
