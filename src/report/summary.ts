/**
 * The last lines of the text formats: the whole run in numbers, with failures; the members that `fill` filled in and
 * `prune` removed; how a config helped the run to pass, so that a passing result shows on what it depends. Flags that
 * were typed are not mentioned: the user knows them.
 */
import { entryOf } from '../json/on-demand.ts';
import { LISTED_POINTERS } from '../limits.ts';
import {
  allCompared,
  type ChangedPatterns,
  type Compared,
  type ConfigEffects,
  type KindCounts,
  type Repair,
  type SourceCounts,
  type Summary,
  type Tolerated,
  type Unread,
} from '../types.ts';
import { visible } from '../words/escape.ts';
import { duration, number, plural } from '../words/number-text.ts';
import { type Paint, type Palette, pointerText } from './paint.ts';

/** Facts of the summary line that are not in the summary. */
export interface SummaryFacts {
  /** How many of the violations are fixable. */
  readonly fixable: number;
  /** Absent: members that were filled in or removed are not mentioned. */
  readonly changes?: ChangeCounts;
  /** Not all violations are counted. Absent: false. */
  readonly uncounted?: boolean | undefined;
  /** Payloads are tests. Absent: false. */
  readonly tests?: boolean | undefined;
}

/** A part of the line, and how it is coloured. */
type Fact = readonly [text: string, paint: Paint];

/** `✗ 12 violations in 4 of 1,000 payloads (3 files) · 5 fixable with paylint fill · 0.3 s` */
export function summaryLine(summary: Summary, facts: SummaryFacts, palette: Palette): string {
  return factsOf(summary, facts, palette)
    .map(([text, paint]) => paint(text))
    .join(palette.quiet(' · '));
}

function factsOf(
  summary: Summary,
  { fixable, changes, uncounted = false, tests = false }: SummaryFacts,
  palette: Palette,
): readonly Fact[] {
  const { rule, quiet, bad, help } = palette;
  const clauses = loweredBy(summary).map(visible);
  const { known, knownPayloads = 0, empty = 0 } = summary;
  const where = knownPayloads > 0 ? ` in ${plural(knownPayloads, 'payload')}` : '';
  const when = (holds: boolean, text: () => string, paint: Paint): Fact[] => (holds ? [[text(), paint]] : []);
  return [
    ...(tests ? [testVerdict(summary, palette)] : verdictWith(changes, summary, uncounted, palette)),
    ...when(summary.warnings > 0, () => plural(summary.warnings, 'warning'), rule),
    ...when(known !== undefined, () => `${number(known!)} known${where}`, quiet),
    ...when(summary.arrays !== undefined, () => arraysText(summary.arrays!), quiet),
    ...when(fixable > 0 && !uncounted, () => fixableText(fixable, summary.fillable), help),
    ...when(
      empty > 0 && summary.payloads > 0,
      () => `${plural(empty, 'file')} ${empty === 1 ? 'has' : 'have'} no payload`,
      rule,
    ),
    ...(summary.config ?? []).flatMap(({ file, files }): Fact[] =>
      files ? [[`files of ${visible(file)}`, quiet]] : [],
    ),
    ...when(summary.unread?.maxInvalid !== undefined, () => unreadText(summary.unread!), bad),
    ...when(summary.failures > 0, () => plural(summary.failures, 'failure'), bad),
    ...clauses.map((clause): Fact => [clause, rule]),
    ...when(summary.interrupted === true, () => 'stopped early', bad),
    [duration(summary.elapsedMs), quiet],
  ];
}

/** `1 fixable with paylint fill, which adds 3 members in all`: those that no violation is about, too. */
function fixableText(fixable: number, members: number | undefined): string {
  const all = members === undefined ? '' : `, which adds ${plural(members, 'member')} in all`;
  return `${number(fixable)} fixable with paylint fill${all}`;
}

/** `not tolerated by --max-invalid 5%: a.json was not read to its end` */
function unreadText({ sources, files, maxInvalid }: Unread): string {
  const named = files.slice(0, MOST_NAMED).map(visible).join(', ');
  const more = sources - Math.min(files.length, MOST_NAMED);
  const were = sources === 1 ? 'was not read to its end' : 'were not read to their end';
  return `not tolerated by --max-invalid ${maxInvalid}: ${named}${more > 0 ? ` and ${plural(more, 'more file')}` : ''} ${were}`;
}

const MOST_NAMED = 3;

/** Most sources not read to their end that a summary has. */
export const NAMED_UNREAD = 10;

/** The verdict, and what was filled in and removed. */
function verdictWith(
  changes: ChangeCounts | undefined,
  summary: Summary,
  uncounted: boolean,
  palette: Palette,
): readonly Fact[] {
  const first = verdict(summary, uncounted, palette);
  const text = changes?.text ?? null;
  if (text === null) return [first];
  const state = changes?.state;
  if (summary.violations === 0 && state !== 'done') {
    // What would be changed comes before valid payloads.
    const fails = state === 'checked' || summary.failures > 0;
    return [fails ? [`✗ ${text}`, palette.bad] : [`– ${text}`, palette.rule], [share(summary), String]];
  }
  const { bad, rule, good } = palette;
  return [first, [text, state === 'checked' ? bad : state === 'shown' ? rule : good]];
}

/** `2 of 40 tests fail (3 files)` */
function testVerdict(summary: Summary, { good, bad, rule }: Palette): Fact {
  const { payloads, invalid, failures, interrupted } = summary;
  const files = filesOf(summary);
  const tests = plural(payloads, 'test');
  if (invalid > 0) {
    const fail = payloads === 1 ? 'fails' : 'fail';
    return [`✗ ${number(invalid)} of ${tests} ${fail}${files && ` (${files})`}`, bad];
  }
  if (payloads === 0) return [interrupted ? '– no test has ended' : '– no tests', rule];
  const text = `${tests} ${payloads === 1 ? 'passes' : 'pass'}${files && ` in ${files}`}`;
  return failures > 0 ? [`✗ ${text}`, bad] : [`✓ ${text}`, good];
}

/** Top-level arrays are payloads because of the schema, not because of a flag. */
export function arraysText(arrays: number): string {
  const are = arrays === 1 ? '1 array is one payload' : `${number(arrays)} arrays are one payload each`;
  return `${are}, as the schema says`;
}

function verdict(summary: Summary, uncounted: boolean, palette: Palette): Fact {
  const { payloads, invalid, violations, failures, compare } = summary;
  if (compare !== undefined && payloads > 0) {
    const fails = invalid > 0 || failures > 0;
    return [`${fails ? '✗' : '✓'} ${comparedText(compare)}`, fails ? palette.bad : palette.good];
  }
  if (violations > 0) {
    const of = payloads > 1 ? `${number(invalid)} of ${plural(payloads, 'payload')}` : plural(payloads, 'payload');
    const files = filesOf(summary);
    const what = uncounted ? `${of} invalid` : `${plural(violations, 'violation')} in ${of}`;
    return [`✗ ${what}${files && ` (${files})`}`, palette.bad];
  }
  const text = (summary.known ?? 0) > 0 ? 'no new violations' : share(summary);
  if (failures > 0) return [`✗ ${text}`, palette.bad];
  return payloads > 0 ? [`✓ ${text}`, palette.good] : [`– ${text}`, palette.rule];
}

/** `1,203 of 2,000,000 payloads break, 0.06 %; 14 become valid; 2 are invalid by both; 1 was not compared` */
function comparedText(compare: Compared): string {
  const { broken, healed, invalid, judge, failed = 0 } = compare;
  const compared = allCompared(compare) - failed;
  const of = plural(compared, 'payload');
  const others = failed === 0 ? '' : `; ${number(failed)} ${failed === 1 ? 'was' : 'were'} not compared`;
  if (judge !== undefined) {
    const differing = broken + healed;
    const results = differing === 0 ? `agree on ${of}` : `differ on ${number(differing)} of ${of}`;
    return `the results ${results}${others}`;
  }
  const breaks =
    broken === 0 ? `none of ${of} breaks` : `${number(broken)} of ${of} break, ${share100(broken, compared)}`;
  const both = invalid === 0 ? '' : `; ${number(invalid)} ${invalid === 1 ? 'is' : 'are'} invalid by both`;
  return `${breaks}; ${number(healed)} ${healed === 1 ? 'becomes' : 'become'} valid${both}${others}`;
}

/** `0.06 %` */
function share100(part: number, all: number): string {
  const percent = (100 * part) / all;
  return `${percent < 0.01 ? 'less than 0.01' : Number(percent.toFixed(2))} %`;
}

/** Valid payloads, and the number of files: `3 payloads valid in 2 files`. */
function share(summary: Summary): string {
  const { payloads, valid, invalid } = summary;
  const of = invalid > 0 ? `${number(valid)} of ` : '';
  const files = filesOf(summary);
  return `${payloads > 0 ? `${of}${plural(payloads, 'payload')} valid` : 'no payloads'}${files && ` in ${files}`}`;
}

/** Empty for one. */
function filesOf({ sources }: Summary): string {
  return sources > 1 ? plural(sources, 'file') : '';
}

/** What lowered the verdict: `6 violations off by rules in paylint.config.json`, `exit 0 by exitZero in …`. */
export function loweredBy({ off = 0, known = 0, tolerated, config = [] }: Summary): string[] {
  const files = config.map(({ file }) => file).join(', ');
  const clauses = config.flatMap(({ file, baseline, exitZero, allowEmpty, vocabularies = [], formats = [] }) => [
    known > 0 && baseline ? `known by baseline in ${file}` : '',
    exitZero ? `exit 0 by exitZero in ${file}` : '',
    allowEmpty ? `exit 0 by allowEmpty in ${file}` : '',
    formats.length > 0
      ? `${formats.length > 1 ? 'formats' : 'format'} ${formats.join(', ')} off by formats in ${file}`
      : '',
    vocabularies.length > 0 ? `keywords of ${vocabularies.join(', ')} by vocabularies in ${file}` : '',
  ]);
  return [
    off > 0 ? `${plural(off, 'violation')} off by rules in ${files}` : '',
    tolerated === undefined ? '' : toleratedText(tolerated),
    ...clauses,
  ].filter(Boolean);
}

/** `3 invalid payloads tolerated by --max-invalid 1%` */
export function toleratedText({ invalid, maxInvalid, config }: Tolerated): string {
  const by = config === undefined ? `--max-invalid ${maxInvalid}` : `maxInvalid ${maxInvalid} in ${config}`;
  return `${plural(invalid, 'invalid payload')} tolerated by ${by}`;
}

/** The effects in several runs, by config. */
export function sumOfEffects(effects: readonly ConfigEffects[]): readonly ConfigEffects[] {
  const byFile = new Map<string, ConfigEffects>();
  for (const one of effects) byFile.set(one.file, { ...byFile.get(one.file), ...one });
  return [...byFile.values()];
}

/** How each repair is told: what was done, what would be, and the rest. */
const WORDS = {
  prune: {
    ...{ did: 'removed', would: 'would remove', toDo: 'to remove', sign: '-' },
    listed: (count: number) => `${plural(count, 'member')} not allowed`,
  },
  fill: {
    ...{ did: 'filled', would: 'would fill', toDo: 'to fill in', sign: '+' },
    listed: (count: number) => `${plural(count, 'missing member')} with a default`,
  },
} as const satisfies Record<Repair, object>;

const REPAIRS = ['prune', 'fill'] as const;

type MembersByRepair = Readonly<Record<Repair, { readonly members: number }>>;

/** How many members were changed, or would be, because `--check` and `--diff` write no file; and in how many files. */
export class ChangeCounts {
  readonly #done = { prune: { members: 0, files: 0 }, fill: { members: 0, files: 0 } };
  readonly #left = { prune: { members: 0, files: 0 }, fill: { members: 0, files: 0 } };
  #isChecked = false;

  add({ filled = 0, pruned = 0, wouldFill, wouldPrune }: SourceCounts): void {
    this.#add('fill', filled, wouldFill);
    this.#add('prune', pruned, wouldPrune);
  }

  #add(repair: Repair, members: number, would: 'check' | 'diff' | undefined): void {
    if (members === 0) return;
    const counts = (would ? this.#left : this.#done)[repair];
    counts.members += members;
    counts.files++;
    this.#isChecked ||= would === 'check';
  }

  /** Members are changed, fail the run (`--check`) or are shown (`--diff`): the most severe; null: there are none. */
  get state(): 'done' | 'checked' | 'shown' | null {
    const isAny = ({ fill, prune }: MembersByRepair): boolean => fill.members + prune.members > 0;
    if (isAny(this.#left)) return this.#isChecked ? 'checked' : 'shown';
    return isAny(this.#done) ? 'done' : null;
  }

  /** `filled 6 members in 2 files`; null if there is nothing to say. */
  get text(): string | null {
    const told = (verb: string, { members, files }: { readonly members: number; readonly files: number }): string[] =>
      members === 0 ? [] : [`${verb} ${plural(members, 'member')} in ${plural(files, 'file')}`];
    const texts = REPAIRS.flatMap((repair) => [
      ...told(WORDS[repair].did, this.#done[repair]),
      ...told(WORDS[repair].would, this.#left[repair]),
    ]);
    return texts.length === 0 ? null : texts.join(', ');
  }
}

/** For each repair that changed something, a heading, and a line for each pointer with the count before it. */
export function changeTables(patterns: ChangedPatterns, palette: Palette, source: SourceCounts): string[] {
  return REPAIRS.filter((repair) => patterns[repair].size > 0).map((repair) => {
    const { did, toDo, sign } = WORDS[repair];
    const rows = [...patterns[repair]].sort(byName);
    const shown = rows.slice(0, LISTED_POINTERS);
    const digits = Math.max(...shown.map(([, count]) => number(count).length));
    const would = repair === 'fill' ? source.wouldFill : source.wouldPrune;
    const done = repair === 'fill' ? 'filled in' : did;
    const heading = palette.quiet(`  members ${would ? toDo : done}, by pointer (* is any index)`);
    const lines = shown.map(
      ([pattern, count]) => `  ${palette.help(`${sign} ${number(count).padStart(digits)}`)}  ${pointerText(pattern)}`,
    );
    const more = rows.length - shown.length;
    return [heading, ...lines, ...(more > 0 ? [palette.quiet(`  … and ${plural(more, 'more pointer')}`)] : [])].join(
      '\n',
    );
  });
}

/** `3 missing members with a default: /active 1, /author/@type 2` */
export function changeLists(patterns: ChangedPatterns): string[] {
  return REPAIRS.filter((repair) => patterns[repair].size > 0).map((repair) => {
    const rows = [...patterns[repair]].sort(byName);
    const total = rows.reduce((sum, [, count]) => sum + count, 0);
    const list = rows.slice(0, LISTED_POINTERS).map(([pattern, count]) => `${pointerText(pattern)} ${number(count)}`);
    const more = rows.length - list.length;
    return `${WORDS[repair].listed(total)}: ${[...list, ...(more > 0 ? [`and ${plural(more, 'more pointer')}`] : [])].join(', ')}`;
  });
}

/** Adds counts to those of a kind. */
export function addKind(kinds: Map<string, KindCounts>, kind: string, { payloads, valid, invalid }: KindCounts): void {
  const counts = entryOf(kinds, kind, () => ({ payloads: 0, valid: 0, invalid: 0 }));
  counts.payloads += payloads;
  counts.valid += valid;
  counts.invalid += invalid;
}

/** By UTF-16 code units. */
export function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
