/**
 * What `fill` filled in, as the text formats tell it: members by pointer, with how many times each.
 */
import { number, plural } from './numbers.ts';
import { type Palette, pointerText } from './paint.ts';

type Patterns = ReadonlyMap<string, number>;

/** A line for each pointer, the count before it. */
export function fillTable(patterns: Patterns, palette: Palette): string {
  const rows = sorted(patterns);
  const width = Math.max(...rows.map(([, count]) => number(count).length));
  return rows
    .map(
      ([pattern, count]) =>
        `  ${palette.help(`+ ${number(count).padStart(width)}`)}  ${pointerText(pattern)}`,
    )
    .join('\n');
}

/** `3 members filled in: /active 1, /author/@type 2` */
export function fillList(patterns: Patterns): string {
  const rows = sorted(patterns);
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  const list = rows.map(([pattern, count]) => `${pointerText(pattern)} ${number(count)}`).join(', ');
  return `${plural(total, 'missing member')} with a default: ${list}`;
}

function sorted(patterns: Patterns): [string, number][] {
  return [...patterns].sort(([a], [b]) => (a < b ? -1 : 1));
}
