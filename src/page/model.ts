/**
 * The data of the page: read from its blocks, and turned into columns of small numbers, so that 100,000 violations are filtered,
 * counted and sorted in a few milliseconds.
 */

import { BLOCK_TYPE, type BlockData, type EndData, type RowData } from '../report/html-data.ts';
import type { SourceCounts } from '../types.ts';

/** What violations are counted by, and can be filtered by. */
export const FACETS = ['rule', 'kind', 'pointer', 'file', 'severity', 'fix'] as const;
export type Facet = (typeof FACETS)[number];

/** One value for each row, as an index into `names`. */
export interface Column {
  readonly ids: Uint32Array;
  readonly names: readonly string[];
  /** Rows of each name. */
  readonly totals: Uint32Array;
}

export interface Model {
  readonly rows: readonly RowData[];
  readonly columns: Readonly<Record<Facet, Column>>;
  readonly sources: ReadonlyMap<string, SourceCounts>;
  /** Null if the page was cut off before its end. */
  readonly end: EndData | null;
}

/** Used for null: no name is empty. */
export const NONE = '';

function nameOf(row: RowData, facet: Facet): string {
  switch (facet) {
    case 'pointer':
      return row.pattern;
    case 'kind':
      return row.kind ?? NONE;
    case 'fix':
      return row.fix ?? NONE;
    default:
      return row[facet];
  }
}

/** Reads every block of the page. Rejects if one is not what paylint writes. */
export async function readModel(): Promise<Model> {
  const rows: RowData[] = [];
  const sources = new Map<string, SourceCounts>();
  let end: EndData | null = null;
  for (const script of document.querySelectorAll<HTMLScriptElement>(`script[type="${BLOCK_TYPE}"]`)) {
    const text = await decompressed(script.textContent ?? '');
    script.remove();
    if (script.dataset.part === 'end')
      end = JSON.parse(text) as EndData; // what src/report/html.ts wrote
    else {
      const block = JSON.parse(text) as BlockData; // the same
      for (const row of block.rows) rows.push(row);
      for (const source of block.sources) sources.set(source.file, source);
    }
  }
  const columns = Object.fromEntries(FACETS.map((facet) => [facet, columnOf(rows, facet)]));
  return { rows, sources, end, columns: columns as Record<Facet, Column> }; // of all facets
}

async function decompressed(base64: string): Promise<string> {
  const binary = atob(base64);
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

function columnOf(rows: readonly RowData[], facet: Facet): Column {
  const known = new Map<string, number>();
  const ids = new Uint32Array(rows.length);
  for (const [index, row] of rows.entries()) {
    const value = nameOf(row, facet);
    let id = known.get(value);
    if (id === undefined) {
      id = known.size;
      known.set(value, id);
    }
    ids[index] = id;
  }
  const totals = new Uint32Array(known.size);
  for (const id of ids) totals[id]!++;
  return { ids, names: [...known.keys()], totals };
}
