/**
 * `--stats`: violations counted by kind, rule and pointer, with one example each, the most frequent first.
 * Array indices in pointers count as one, written `*`, so that the table stays small for any input.
 */
import { patternOfViolation } from '../json/pointer-pattern.ts';
import { GROUPS_IN_MEMORY, SHOWN_GROUPS } from '../limits.ts';
import { violationsOf } from '../log/violation-table.ts';
import type { ReportEvent, ReportStyle, Violation } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number, plural } from '../words/number-text.ts';
import { createPalette, cutInTheMiddle, type Paint, type Palette, place, pointerText } from './paint.ts';
import { displayWidth } from './text-width.ts';

interface Group {
  count: number;
  readonly kind: string;
  readonly rule: string;
  readonly pointer: string;
  readonly example: string;
}

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
  const pointer = pointerText(patternOfViolation(violation));
  const key = `${kind}\n${rule}\n${pointer}`;
  const group = groups.get(key);
  if (group) group.count++;
  else if (groups.size < GROUPS_IN_MEMORY) {
    groups.set(key, { count: 1, kind, rule, pointer, example: place(violation) });
  }
}

const HEAD = ['count', 'kind', 'rule', 'pointer', 'example'];

function table(groups: readonly Group[], violations: number, width: number, { quiet, rule }: Palette): string {
  // Sorting is stable: equally frequent groups stay in the order in which they were found.
  const shown = [...groups].sort((a, b) => b.count - a.count).slice(0, SHOWN_GROUPS);
  const rows = shown.map((group) => [
    number(group.count),
    group.kind,
    group.rule,
    cutInTheMiddle(group.pointer, width - 4 - HEAD[0]!.length),
    group.example,
  ]);
  const widths = HEAD.map((head, i) => Math.max(head.length, ...rows.map((row) => displayWidth(row[i]!))));
  const line = (texts: readonly string[], paints: readonly Paint[]): string =>
    texts
      .map((text, i) => {
        const padding = ' '.repeat(widths[i]! - displayWidth(text));
        return `  ${(paints[i] ?? String)(i === 0 ? padding + text : i < HEAD.length - 1 ? text + padding : text)}`;
      })
      .join('');
  const lines = [quiet(line(HEAD, [])), ...rows.map((row) => line(row, [String, String, rule, String, quiet]))];
  const rest = violations - shown.reduce((sum, group) => sum + group.count, 0);
  if (rest > 0) lines.push(quiet(`  … and ${plural(rest, 'violation')} of other sorts`));
  return `${lines.join('\n')}\n`;
}
