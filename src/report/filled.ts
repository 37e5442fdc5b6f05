/**
 * What `fill` filled in, as the text formats tell it: members by pointer, with how many times each.
 */
import type { SourceCounts } from '../types.ts';
import { number, plural } from './numbers.ts';
import { type Palette, pointerText } from './paint.ts';

type Patterns = ReadonlyMap<string, number>;

/** How many members were filled in, or would be, because `--check` and `--diff` only look; and in how many files. */
export class FillCounts {
  readonly #done = { verb: 'filled', members: 0, files: 0 };
  readonly #left = { verb: 'would fill', members: 0, files: 0 };

  add({ filled = 0, wouldFill }: SourceCounts): void {
    if (filled === 0) return;
    const counts = wouldFill ? this.#left : this.#done;
    counts.members += filled;
    counts.files++;
  }

  /** True if something is missing that was only looked for. */
  get isLeft(): boolean {
    return this.#left.members > 0;
  }

  /** `filled 6 members in 2 files`; null if there is nothing to say. */
  get text(): string | null {
    const texts = [this.#done, this.#left].flatMap(({ verb, members, files }) =>
      members === 0 ? [] : [`${verb} ${plural(members, 'member')} in ${plural(files, 'file')}`],
    );
    return texts.length === 0 ? null : texts.join(', ');
  }
}

/** A heading, and a line for each pointer with the count before it. */
export function fillTable(patterns: Patterns, palette: Palette, { wouldFill }: SourceCounts): string {
  const rows = sorted(patterns);
  const width = Math.max(...rows.map(([, count]) => number(count).length));
  const heading = palette.quiet(
    `  members ${wouldFill ? 'to fill in' : 'filled in'}, by pointer (* is any index)`,
  );
  const lines = rows.map(
    ([pattern, count]) => `  ${palette.help(`+ ${number(count).padStart(width)}`)}  ${pointerText(pattern)}`,
  );
  return [heading, ...lines].join('\n');
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
