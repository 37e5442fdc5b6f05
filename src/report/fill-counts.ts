/**
 * What `fill` filled in, for the text formats: members by pointer, with how many times each.
 */
import type { ReportStyle, SourceCounts } from '../types.ts';
import { number, plural } from '../words/number-text.ts';
import { type Palette, pointerText } from './paint.ts';

type Patterns = ReadonlyMap<string, number>;

/**
 * What `fill` did with members: filled them in, failed the run because they are missing (`--check`), or showed them
 * (`--diff`).
 */
export type FillVerb = 'filled' | 'checked' | 'shown';

/** How many members were filled in, or would be, because `--check` and `--diff` write no file; and in how many files. */
export class FillCounts {
  readonly #done = { verb: 'filled', members: 0, files: 0 };
  readonly #left = { verb: 'would fill', members: 0, files: 0 };
  #isChecked = false;

  add({ filled = 0, wouldFill }: SourceCounts): void {
    if (filled === 0) return;
    const counts = wouldFill ? this.#left : this.#done;
    counts.members += filled;
    counts.files++;
    this.#isChecked ||= wouldFill === 'check';
  }

  /**
   * What happened to the members. If reports of several runs are merged, the most severe result; null: there are no
   * members.
   */
  get verb(): FillVerb | null {
    if (this.#left.members > 0) return this.#isChecked ? 'checked' : 'shown';
    return this.#done.members > 0 ? 'filled' : null;
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
export function fillTable(
  patterns: Patterns,
  palette: Palette,
  { width, wouldFill }: Pick<ReportStyle, 'width'> & Pick<SourceCounts, 'wouldFill'>,
): string {
  const rows = sorted(patterns);
  const digits = Math.max(...rows.map(([, count]) => number(count).length));
  const about = `  members ${wouldFill ? 'to fill in' : 'filled in'}, by pointer`;
  const note = '(* is any index)';
  const isNarrow = about.length + 1 + note.length > width;
  const heading = palette.quiet(`${about}${isNarrow ? '\n  ' : ' '}${note}`);
  const lines = rows.map(
    ([pattern, count]) => `  ${palette.help(`+ ${number(count).padStart(digits)}`)}  ${pointerText(pattern)}`,
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
