/**
 * `--stats`: violations counted by kind, rule and pointer, with one example each, the most frequent first.
 * Array indices in pointers count as one, written `*`, so that the table stays small for any input.
 */
import type { ReportEvent, ReportStyle, Violation } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number, plural } from '../words/number-text.ts';
import { createPalette, cutInTheMiddle, foldIndices, type Paint, type Palette, place, pointerText } from './paint.ts';
import { displayWidth } from './text-width.ts';
import { violationsOf } from './violation-table.ts';

interface Group {
  count: number;
  readonly kind: string;
  readonly rule: string;
  readonly pointer: string;
  readonly example: string;
}

/** Groups that are shown. */
const SHOWN = 50;
/**
 * Groups remembered: pointers contain member names, so payloads can have any number of them. Later ones are only
 * counted.
 */
const REMEMBERED = 10_000;

/** A reporter that writes only at the summary: the table, or nothing if there are no violations. */
export async function createStats(style: ReportStyle): Promise<(event: ReportEvent) => string> {
  const palette = await createPalette(style.colorLevel);
  const groups = new Map<string, Group>();
  let violations = 0;
  return (event) => {
    if (event.type === 'violations') {
      violations += event.to - event.from;
      for (const violation of violationsOf(event)) addTo(groups, violation);
    }
    return event.type === 'summary' && violations > 0
      ? table([...groups.values()], violations, style.width, palette)
      : '';
  };
}

function addTo(groups: Map<string, Group>, violation: Violation): void {
  const kind = violation.kind === null ? '–' : visible(violation.kind);
  const rule = visible(violation.rule);
  const pointer = pointerText(foldIndices(violation.pointer));
  const key = `${kind}\n${rule}\n${pointer}`;
  const group = groups.get(key);
  if (group) group.count++;
  else if (groups.size < REMEMBERED) {
    groups.set(key, { count: 1, kind, rule, pointer, example: place(violation) });
  }
}

const HEAD = ['count', 'kind', 'rule', 'pointer', 'example'];

function table(groups: readonly Group[], violations: number, width: number, { quiet, rule }: Palette): string {
  // Sorting is stable: equally frequent groups stay in the order in which they were found.
  const shown = [...groups].sort((a, b) => b.count - a.count).slice(0, SHOWN);
  const rows = shown.map((group) => [
    number(group.count),
    group.kind,
    group.rule,
    cutInTheMiddle(group.pointer, width - 4 - HEAD[0]!.length),
    group.example,
  ]);
  const widths = HEAD.map((head, index) => Math.max(head.length, ...rows.map((row) => displayWidth(row[index]!))));
  const beside = columnsBeside(widths, width);
  const plain: Paint[] = [String, String, String, String, String];
  const lines = [quiet(drawRow(HEAD.slice(0, beside), widths, beside, plain))];
  for (const row of rows) lines.push(drawRow(row, widths, beside, [String, String, rule, String, quiet]));

  const rest = violations - shown.reduce((sum, group) => sum + group.count, 0);
  if (rest > 0) lines.push(quiet(`  … and ${plural(rest, 'violation')} of other sorts`));
  return `${lines.join('\n')}\n`;
}

/**
 * The number of columns that fit beside each other. In a narrow terminal, the example and if necessary the pointer are
 * on a line below their row.
 */
function columnsBeside(widths: readonly number[], width: number): number {
  const needed = (columns: number) => widths.slice(0, columns).reduce((sum, column) => sum + 2 + column, 0);
  return [5, 4].find((columns) => needed(columns) <= width) ?? 3;
}

function drawRow(
  texts: readonly string[],
  widths: readonly number[],
  beside: number,
  paints: readonly Paint[],
): string {
  const below = `\n${' '.repeat(2 + widths[0]! + 2)}`;
  const cells = texts.map((text, index) => {
    const room = ' '.repeat(widths[index]! - displayWidth(text));
    const padded = index === 0 ? room + text : index < beside - 1 ? text + room : text;
    return (index < beside ? '  ' : below) + paints[index]!(padded);
  });
  return cells.join('');
}
