/**
 * What is wrong with schema files, and where. A fault is told like a violation, with file, line, column and place: one
 * is thrown with its place, and the position is found when all are known.
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { linesOf, SchemaError, type SchemaFault } from '../errors.ts';
import { LineTracker } from '../json/lines.ts';
import { locate } from '../json/locate.ts';
import { visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';

/** A fault whose position is not known. */
export interface PlacedFault {
  /** `s.json#/type`. */
  readonly place: string;
  readonly message: string;
  /** It is about the name of the member, not about its value. */
  readonly atName?: boolean;
}

/** The error for a fault at a place. `missing`: files that are not there; with them, the schema may be usable. */
export function faultAt(place: string, message: string, missing: readonly string[] = []): SchemaError {
  return schemaError([withoutPosition({ place, message })], missing);
}

function withoutPosition({ place, message }: PlacedFault): SchemaFault {
  return { path: null, file: null, line: null, column: null, place, message };
}

export function schemaError(faults: readonly SchemaFault[], missing: readonly string[] = []): SchemaError {
  return new SchemaError(linesOf(faults).join('\n'), { faults, missing });
}

type Documents = readonly { readonly path: string; readonly name: string; readonly bytes: Buffer }[];

/**
 * The faults with their positions: one document after another, each in the order of its text. `called`: the paths of
 * documents that are in memory only, so that lines would say nothing.
 */
export function located(
  faults: readonly PlacedFault[],
  documents: Documents,
  called: ReadonlyMap<string, string> = new Map(),
): SchemaFault[] {
  const remaining = new Set(faults);
  const found = documents.flatMap(({ path, name, bytes }) => {
    const here = [...remaining].filter(({ place }) => place.startsWith(`${name}#`));
    if (here.length === 0 || called.has(path)) return [];
    for (const fault of here) remaining.delete(fault);
    const pointerOf = ({ place }: PlacedFault): string => place.slice(name.length + 1);
    const spans = locate(bytes, 0, bytes.length, here.map(pointerOf));
    const rows = here.map((fault) => {
      const at = spans.get(pointerOf(fault));
      return { ...fault, start: ((fault.atName && at?.name) || at?.value)?.start ?? 0 };
    });
    rows.sort((a, b) => a.start - b.start);
    const places = new LineTracker(0).places(
      bytes,
      0,
      rows.map(({ start }) => start),
    );
    return rows.map(({ place, message, start }): SchemaFault => {
      const { line, column } = places.get(start);
      return { path, file: name, line, column, place, message };
    });
  });
  return [...found, ...[...remaining].map(withoutPosition)];
}

/** The error as it is told at the end: with the faults that were found before it, and all positions. */
export function withPositions(
  error: unknown,
  before: readonly PlacedFault[],
  documents: Documents,
  called?: ReadonlyMap<string, string>,
): unknown {
  if (!(error instanceof SchemaError)) return error;
  const { faults, missing } = error;
  if (faults.length + before.length === 0) return error;
  const open = faults.flatMap((fault) =>
    fault.path === null && fault.place !== null ? [{ ...fault, place: fault.place }] : [],
  );
  const known = faults.filter(({ path, place }) => path !== null || place === null);
  return schemaError([...located([...before, ...open], documents, called), ...known], missing);
}

/** What a file that cannot be read as a schema was probably meant to be, as the end of a sentence. */
export function meantPath(path: string): string {
  if (basename(path) === '-') return '; standard input is /dev/stdin';
  try {
    const ending = extname(path);
    const names = readdirSync(dirname(path)).filter((name) => extname(name) === ending);
    const stems = names.map((name) => basename(name, ending));
    const near = nearMiss(basename(path, ending), stems);
    return near === null ? '' : `; did you mean ${visible(`${near}${ending}`)}?`;
  } catch {
    return '';
  }
}
