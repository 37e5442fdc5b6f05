/** What the build stores of the bundled schemas, as `src/engine/compile/code.ts` and `src/schema/resolved.ts` read it. */
import {
  type AcceptCode,
  KINDS_SECTION,
  NOTES_SECTION,
  type StoredNotes,
  type StoredSite,
  TABLES_SECTION,
} from '../src/engine/compile/code.ts';
import { FORMATS, necessaryPattern, sufficientPattern } from '../src/schema/formats/format-table.ts';
import { isNode, type Schema } from '../src/schema/node.ts';
import { mapped, type Ref, type ResolvedData } from '../src/schema/resolved.ts';
import type { SchemaSet } from '../src/schema/set.ts';

/** The part of a set that judges values. Its schemas must have no numbers that a double cannot hold. */
export function resolvedData({ kinds, nodes }: SchemaSet): ResolvedData {
  const refOf = (schema: Schema): Ref => (isNode(schema) ? schema.id : schema);
  return {
    kinds: kinds.map(({ name, document, schema, test }) => [
      name,
      document.name,
      refOf(schema),
      test === null ? null : refOf(test),
    ]),
    nodes: nodes.map(({ id: _, ...node }) => ({ ...node, ...mapped<Schema>(node, refOf) })),
  };
}

/** The sections of a file with a module, for `encode`. */
export function moduleSections({
  kinds,
  tables,
  notes,
}: Pick<AcceptCode, 'kinds' | 'tables' | 'notes'>): Record<string, Uint8Array> {
  const sections = { [KINDS_SECTION]: Buffer.from(JSON.stringify(kinds)), [TABLES_SECTION]: tables };
  if (notes === undefined) return sections;
  const sites = notes.sites.map(
    ({ schema, keyword, missing, pointer }): StoredSite => [schema.id, keyword, missing, pointer],
  );
  const stored: StoredNotes = { kinds: notes.kinds, sites };
  return { ...sections, [NOTES_SECTION]: Buffer.from(JSON.stringify(stored)) };
}

/** The patterns for accept of all formats. */
export function formatPatterns(): string[] {
  const patterns = Object.values(FORMATS).flatMap((format) => [sufficientPattern(format), necessaryPattern(format)]);
  return [...new Set(patterns.filter((pattern) => pattern !== null))];
}
