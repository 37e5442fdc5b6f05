/**
 * The keyword `format`. What judges a format is loaded only for schemas that name it.
 */
import type { LoadedFormat } from '../../formats/load-formats.ts';
import { isNumber } from '../../json/decimal.ts';
import type { KeywordContext } from '../../keywords/keyword.ts';
import type { SchemaNode } from '../../schema/node.ts';

export type Formats = Pick<KeywordContext, 'format'>;

/** For schemas whose formats are annotations, or that have none. */
export const NO_FORMATS: Formats = { format: () => null };

/** The formats of nodes, by name. */
export type NamedFormats = ReadonlyMap<string, LoadedFormat>;

/** Loads the formats that nodes name; null if they name none. */
export async function formatsOf(nodes: Iterable<SchemaNode>): Promise<NamedFormats | null> {
  const names = new Set<string>();
  for (const { format } of nodes) if (format !== undefined) names.add(format);
  if (names.size === 0) return null;
  const { loadFormats } = await import('../../formats/load-formats.ts');
  return loadFormats(names);
}

export function formatsWith(named: NamedFormats): Formats {
  return {
    format(name) {
      const known = named.get(name);
      if (known === undefined) return null;
      const { type, test } = known;
      return (value) =>
        (type === 'number' ? !isNumber(value) : typeof value !== type) || test(value as never); // its type
    },
  };
}
