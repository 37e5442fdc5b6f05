/**
 * What `fill` filled in, for the text formats: members by pointer, with how many times each.
 */
import type { FillVerb, ReportStyle, SourceCounts } from '../types.ts';
import { number, plural } from './numbers.ts';
import { type Palette, pointerText } from './paint.ts';

type Patterns = ReadonlyMap<string, number>;

/** How many members were filled in, or would be, and in how many files. */
export class FillCounts {
  readonly #verb: FillVerb;
  #members = 0;
  #files = 0;

  constructor(verb: FillVerb) {
    this.#verb = verb;
  }

  add({ filled = 0 }: SourceCounts): void {
    this.#members += filled;
    if (filled > 0) this.#files++;
  }

  /** What became of the members; null: there are none. */
  get verb(): FillVerb | null {
    return this.#members > 0 ? this.#verb : null;
  }

  /** `filled 6 members in 2 files`; null if there is nothing to say. */
  get text(): string | null {
    if (this.#members === 0) return null;
    return `${this.#verb === 'filled' ? 'filled' : 'would fill'} ${plural(this.#members, 'member')} in ${plural(this.#files, 'file')}`;
  }
}

/** A heading, and a line for each pointer with the count before it. */
export function fillTable(
  patterns: Patterns,
  palette: Palette,
  { fills = 'filled', width }: Pick<ReportStyle, 'fills' | 'width'>,
): string {
  const rows = sorted(patterns);
  const digits = Math.max(...rows.map(([, count]) => number(count).length));
  const about = `  members ${fills === 'filled' ? 'filled in' : 'to fill in'}, by pointer`;
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
