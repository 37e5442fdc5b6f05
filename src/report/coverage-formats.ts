/**
 * The formats of coverage: `pretty` for people, `json` for programs and for `render`, `lcov` for viewers of coverage, in
 * which the lines are those of the schema files.
 */
import type { ReportStyle } from '../types.ts';
import { jsonText, visible } from '../words/escape.ts';
import { duration, number, plural } from '../words/number-text.ts';
import { schemaText } from '../words/value-text.ts';
import { ascii } from './ascii.ts';
import type { CoverageDocument, CoverageSummary, PlaceCoverage, Reach, SchemaCoverage } from './coverage.ts';
import { createPalette, type Palette, pointerText } from './paint.ts';

export const COVERAGE_FORMATS = ['pretty', 'json', 'lcov'] as const;
export type CoverageFormat = (typeof COVERAGE_FORMATS)[number];

/** What the text of a document depends on. */
export type CoverageStyle = Pick<ReportStyle, 'colorLevel' | 'quiet' | 'unicode'>;

export async function coverageWriter(
  format: CoverageFormat,
  style: CoverageStyle,
): Promise<(document: CoverageDocument) => string> {
  if (format === 'json') return coverageJson;
  if (format === 'lcov') return coverageLcov;
  const palette = await createPalette(style.colorLevel);
  const pretty = (document: CoverageDocument): string => coveragePretty(document, style, palette);
  return style.unicode ? pretty : (document) => ascii(pretty(document));
}

/** One place per line. `render` knows the document by its first member. */
function coverageJson({ schemas, summary, version, coverageVersion }: CoverageDocument): string {
  const files = schemas.map(
    ({ file, places }) => `{"file":${jsonText(file)},"places":[\n${places.map(jsonText).join(',\n')}\n]}`,
  );
  const head = `{"coverageVersion":${coverageVersion},"version":${jsonText(version)}`;
  return `${head},\n"schemas":[${files.join(',\n')}],\n"summary":${jsonText(summary)}}\n`;
}

/** How often a valid payload reached the place, as `covered` means it. */
function hits({ sort, valid }: PlaceCoverage): number {
  return sort === 'value' || sort === 'alternative' ? valid.held : valid.reached;
}

function coverageLcov({ schemas }: CoverageDocument): string {
  return schemas.map(lcovRecord).join('');
}

function lcovRecord({ file, places }: SchemaCoverage): string {
  const lines = new Map<number, number[]>();
  for (const place of places) {
    if (place.unreachable || place.line === null) continue;
    const counts = lines.get(place.line) ?? [];
    counts.push(hits(place));
    lines.set(place.line, counts);
  }
  const sorted = [...lines].sort(([a], [b]) => a - b);
  const branches = sorted.flatMap(([line, counts]) =>
    counts.map((count, i) => `BRDA:${line},0,${i},${count}`),
  );
  const data = sorted.map(([line, counts]) => [line, counts.reduce((a, b) => Math.min(a, b))] as const);
  const found = sorted.flatMap(([, counts]) => counts);
  const reached = (counts: readonly number[]): number => counts.filter((count) => count > 0).length;
  return [
    'TN:',
    `SF:${visible(file)}`,
    ...branches,
    `BRF:${found.length}`,
    `BRH:${reached(found)}`,
    ...data.map(([line, count]) => `DA:${line},${count}`),
    `LF:${data.length}`,
    `LH:${reached(data.map(([, count]) => count))}`,
    'end_of_record\n',
  ].join('\n');
}

/** Rows of a section that are shown. */
const MOST_ROWS = 20;

/** A place in a file, and what is said of it. */
type ListedPlace = readonly [file: string, place: Pick<PlaceCoverage, 'line' | 'pointer'>, text: string];

function coveragePretty(document: CoverageDocument, { quiet }: CoverageStyle, palette: Palette): string {
  const { schemas, summary } = document;
  const all = schemas.flatMap(({ file, places }) => places.map((place) => ({ file, place })));
  const pick = (says: (place: PlaceCoverage) => string | null): ListedPlace[] =>
    all.flatMap(({ file, place }) => {
      const text = says(place);
      return text === null ? [] : [[file, place, text] as const];
    });
  const sections = [
    section('Never reached by a valid payload', schemas.flatMap(deadIn), palette),
    section('Values that were never seen', pick(neverSeen), palette),
    section('Members that are always present, and not required', pick(alwaysPresent), palette),
    section('Limits, and what was observed', pick(observed), palette),
    section('Patterns and formats that never failed', pick(neverFailed), palette),
  ].filter((text) => text !== '');
  const remark =
    'What is not covered is not a defect: these payloads do not show whether the schema is right there.';
  if (!quiet && sections.length > 0) sections.push(palette.quiet(remark));
  return `${[...(quiet ? [] : sections), lastLine(summary, palette)].join('\n\n')}\n`;
}

function section(title: string, rows: readonly ListedPlace[], { file: bold, quiet }: Palette): string {
  if (rows.length === 0) return '';
  const shown = rows.slice(0, MOST_ROWS).map(([file, { line, pointer }, text]) => {
    const at = visible(line === null ? file : `${file}:${line}`);
    return `  ${at} ${pointerText(pointer)}${quiet(':')} ${text}`;
  });
  const more = rows.length - shown.length;
  if (more > 0) shown.push(quiet(`  … and ${number(more)} more; --format json has all`));
  return [bold(title), ...shown].join('\n');
}

/** The places that are not covered. Those below one, or in a part of the file without any that is covered, are only counted. */
function deadIn({ file, places }: SchemaCoverage): ListedPlace[] {
  const reachable = places.filter(({ unreachable }) => !unreachable);
  const covered = new Set(reachable.flatMap((one) => (one.covered ? pointersTo(one.pointer) : [])));
  const dead = new Map(reachable.flatMap((one) => (one.covered ? [] : [[one.pointer, one] as const])));
  const tops = new Map<string, PlaceCoverage[]>();
  for (const place of dead.values()) {
    if (place.sort === 'value' && place.valid.reached > 0) continue;
    const top = pointersTo(place.pointer).find((above) => dead.has(above) || !covered.has(above))!; // at last, itself
    tops.set(top, [...(tops.get(top) ?? []), place]);
  }
  return [...tops].map(([pointer, all]) => {
    const first = dead.get(pointer);
    const text =
      first === undefined ? `${plural(all.length, 'place')} in it` : deadText(first, all.length - 1);
    return [file, { line: (first ?? all[0]!).line, pointer }, text];
  });
}

function deadText(place: PlaceCoverage, below: number): string {
  const { sort, keyword, objects, valid, examples } = place;
  const first = examples?.failed;
  const where = first === undefined ? '' : `, the first in ${visible(`${first.file}:${first.line}`)}`;
  const more = below === 0 ? '' : `, with ${plural(below, 'place')} in it`;
  if (sort === 'member' && objects !== undefined && objects.valid > 0)
    return `the member is never present in ${plural(objects.valid, 'object')}${more}`;
  if (sort === 'alternative' && valid.reached > 0)
    return `the alternative never held (${plural(valid.reached, 'value')} tried${where})${more}`;
  return `${visible(sort === 'keyword' ? keyword : `${keyword} (${sort})`)} is never reached${more}`;
}

/** `/a/b`: the root, `/a` and `/a/b`. */
function pointersTo(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return ['', ...tokens.map((_, i) => `/${tokens.slice(0, i + 1).join('/')}`)];
}

function neverSeen({ sort, covered, unreachable, valid, value }: PlaceCoverage): string | null {
  return sort === 'value' && !covered && !unreachable && valid.reached > 0 ? schemaText(value) : null;
}

function alwaysPresent({ sort, valid, objects, required }: PlaceCoverage): string | null {
  if (sort !== 'member' || required || objects === undefined || valid.reached < 2) return null;
  return valid.reached === objects.valid ? `in all of ${plural(objects.valid, 'object')}` : null;
}

function observed({ keyword, value, valid, invalid }: PlaceCoverage): string | null {
  const range = rangeIn(valid);
  if (range === null) return null;
  const others = rangeIn(invalid);
  const apart = others === null ? '' : `, and ${others} in invalid payloads`;
  return `${visible(keyword)} ${schemaText(value)}, observed ${range}${apart}`;
}

function rangeIn({ least, most }: Reach): string | null {
  if (least === undefined || most === undefined) return null;
  return least === most ? String(least) : `${least} to ${most}`;
}

function neverFailed({ keyword, value, valid, invalid }: PlaceCoverage): string | null {
  const reached = valid.reached + invalid.reached;
  const isText = keyword === 'pattern' || keyword === 'format';
  if (!isText || reached === 0 || valid.failed + invalid.failed > 0) return null;
  return `${schemaText(value)} held for ${plural(reached, 'text')}`;
}

/** `– 41 of 46 places reached, 89.1 % · 1,203 payloads, 3 invalid · 0.3 s` */
function lastLine(summary: CoverageSummary, { good, rule, bad, quiet }: Palette): string {
  const { places, covered, payloads, invalid, failures, uncounted, interrupted, elapsedMs } = summary;
  const reached = `${number(covered)} of ${plural(places, 'place')} reached, ${shareText(summary)}`;
  const apart = invalid === 0 ? '' : `, ${number(invalid)} invalid and counted apart`;
  const facts = [
    covered === places ? good(`✓ ${reached}`) : rule(`– ${reached}`),
    `${plural(payloads, 'payload')}${apart}`,
    ...(uncounted === 0 ? [] : [rule(`${plural(uncounted, 'payload')} could not be counted to the end`)]),
    ...(failures === 0 ? [] : [bad(plural(failures, 'failure'))]),
    ...(interrupted ? [bad('stopped early')] : []),
    quiet(duration(elapsedMs)),
  ];
  return facts.join(quiet(' · '));
}

/** Rounded down, so that only all is 100 %. */
export function shareText({ covered, places }: Pick<CoverageSummary, 'covered' | 'places'>): string {
  const permille = places === 0 ? 1000 : Math.floor((1000 * covered) / places);
  return `${permille % 10 === 0 ? permille / 10 : (permille / 10).toFixed(1)} %`;
}
