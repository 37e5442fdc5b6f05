/**
 * The keyword `format`, and limits for values of a format, which ajv-formats has. What judges a format is loaded only
 * for schemas that name it.
 */
import { SchemaError } from '../../errors.ts';
import type { Compare } from '../../formats/format.ts';
import type { LoadedFormat } from '../../formats/load-formats.ts';
import { isNumber } from '../../json/decimal.ts';
import type { FormatLimitKeyword, Means } from '../../keywords/keyword.ts';
import type { SchemaNode } from '../../schema/node.ts';
import { quote } from '../../words/escape.ts';

/** `formatLimit` throws SchemaError if the format has no order. */
export type Formats = Pick<Means, 'format' | 'formatLimit'>;

/** For schemas whose formats are annotations, or that have none. */
export const NO_FORMATS: Formats = { format: () => null, formatLimit: () => null };

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
    formatLimit({ format = '', origin, ...node }, keyword) {
      const known = named.get(format);
      if (known === undefined) return null;
      const { compare } = known;
      const limit = node[keyword]!; // it has the keyword
      if (compare === undefined)
        throw new SchemaError(`${origin.place}/${keyword}: the format ${quote(format)} has no order`);
      return (value) => typeof value !== 'string' || isWithin(keyword, compare(value, limit));
    },
  };
}

/** Whether the value is within the limit. It is, if there is no order because one of the two is not in the format. */
function isWithin(keyword: FormatLimitKeyword, order: ReturnType<Compare>): boolean {
  if (order === undefined) return true;
  switch (keyword) {
    case 'formatMaximum':
      return order <= 0;
    case 'formatExclusiveMaximum':
      return order < 0;
    case 'formatMinimum':
      return order >= 0;
    case 'formatExclusiveMinimum':
      return order > 0;
  }
}
