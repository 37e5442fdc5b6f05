/** The formats of coverage: `pretty`, `html`, `json`, and `lcov`, whose lines are those of the schema files. */
import { entryOf } from '../json/on-demand.ts';
import type { ReportStyle } from '../types.ts';
import { jsonText, visible } from '../words/escape.ts';
import { xmlText } from '../words/markup.ts';
import { duration, number, plural } from '../words/number-text.ts';
import { schemaText } from '../words/value-text.ts';
import {
  asCounted,
  type CoverageDocument,
  type CoverageSummary,
  type PlaceCoverage,
  type Reach,
  type SchemaCoverage,
} from './coverage.ts';
import { createPalette, type Palette, pointerText } from './paint.ts';

export const COVERAGE_FORMATS = ['pretty', 'json', 'lcov', 'html'] as const;
export type CoverageFormat = (typeof COVERAGE_FORMATS)[number];

export type CoverageStyle = Pick<ReportStyle, 'colorLevel' | 'quiet'>;

export async function coverageWriter(
  format: CoverageFormat,
  style: CoverageStyle,
): Promise<(document: CoverageDocument) => string> {
  if (format === 'json') return coverageJson;
  if (format === 'lcov') return (document) => asCounted(document).schemas.map(lcovRecord).join('');
  const palette = await createPalette(format === 'html' ? 0 : style.colorLevel);
  if (format === 'html') return (document) => coverageHtml(asCounted(document), palette);
  return (document) => coveragePretty(asCounted(document), style, palette);
}

/** One place per line. */
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

/**
 * As lcov 2 wants it: a line was hit as often as the place on it that was reached most often; its branches, which are the
 * places, were evaluated if and only if the line was hit.
 */
function lcovRecord({ file, places }: SchemaCoverage): string {
  const lines = new Map<number, number[]>();
  for (const place of places) {
    if (place.unreachable || place.line === null) continue;
    entryOf(lines, place.line, (): number[] => []).push(hits(place));
  }
  const sorted = [...lines].sort(([a], [b]) => a - b);
  const data = sorted.map(([line, counts]) => ({ line, counts, most: counts.reduce((a, b) => Math.max(a, b)) }));
  const branches = data.flatMap(({ line, counts, most }) =>
    counts.map((count, i) => `BRDA:${line},0,${i},${most === 0 ? '-' : count}`),
  );
  const found = data.flatMap(({ counts }) => counts);
  const reached = (counts: readonly number[]): number => counts.filter((count) => count > 0).length;
  return [
    'TN:',
    `SF:${visible(file)}`,
    ...branches,
    `BRF:${found.length}`,
    `BRH:${reached(found)}`,
    ...data.map(({ line, most }) => `DA:${line},${most}`),
    `LF:${data.length}`,
    `LH:${reached(data.map(({ most }) => most))}`,
    'end_of_record\n',
  ].join('\n');
}

const MOST_ROWS = 20;

/** A place in a file, and what is said of it. */
type ListedPlace = readonly [file: string, place: Pick<PlaceCoverage, 'line' | 'pointer'>, text: string];

const REMARK = 'What is not covered is not a defect: these payloads do not show whether the schema is right there.';

function coveragePretty(document: CoverageDocument, { quiet }: CoverageStyle, palette: Palette): string {
  const sections = quiet ? [] : remarkable(document).map(([title, rows]) => section(title, rows, palette));
  if (sections.length > 0) sections.push(palette.quiet(REMARK));
  const total = `${totalText(document.summary, palette)}${palette.quiet(` · ${duration(document.summary.elapsedMs)}`)}`;
  return `${[...sections, total].join('\n\n')}\n`;
}

/** What a reader may want to look at, by title; none of the lists is empty. */
function remarkable({ schemas, summary }: CoverageDocument): [title: string, rows: readonly ListedPlace[]][] {
  const all = schemas.flatMap(({ file, places }) => places.map((place) => ({ file, place })));
  const pick = (says: (place: PlaceCoverage) => string | null): ListedPlace[] =>
    all.flatMap(({ file, place }) => {
      const text = says(place);
      return text === null ? [] : [[file, place, text] as const];
    });
  const lists: [string, readonly ListedPlace[]][] = [
    [`Never reached by a ${summary.tests ? 'test' : 'valid payload'}`, schemas.flatMap(deadIn)],
    ['Values that were never seen', pick(neverSeen)],
    ['Members that are always present, and not required', pick(alwaysPresent)],
    ['Limits, and what was observed', pick(observed)],
    ['Patterns and formats that never failed', pick(neverFailed)],
  ];
  return lists.filter(([, rows]) => rows.length > 0);
}

function section(title: string, rows: readonly ListedPlace[], { file: bold, quiet }: Palette): string {
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
    entryOf(tops, top, (): PlaceCoverage[] => []).push(place);
  }
  return [...tops].map(([pointer, all]) => {
    const first = dead.get(pointer);
    const text = first === undefined ? `${plural(all.length, 'place')} in it` : deadText(first, all.length - 1);
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

/** `– 41 of 46 places reached, 89.1 % · 1,203 payloads, 3 invalid` */
function totalText(summary: CoverageSummary, { good, rule, bad, quiet }: Palette): string {
  const { places, covered, payloads, invalid, failures, uncounted, interrupted, tests } = summary;
  const reached =
    places === 0
      ? 'no places: the schema asserts nothing that payloads could reach'
      : `${number(covered)} of ${plural(places, 'place')} reached, ${shareText(summary)}`;
  const isAll = places > 0 && covered === places && !interrupted;
  const apart = invalid === 0 || tests ? '' : `, ${number(invalid)} invalid and counted apart`;
  const facts = [
    places === 0 && interrupted ? rule('– no places so far') : isAll ? good(`✓ ${reached}`) : rule(`– ${reached}`),
    `${plural(payloads, tests ? 'test' : 'payload')}${apart}`,
    ...(uncounted === 0 ? [] : [rule(`${plural(uncounted, 'payload')} could not be counted to the end`)]),
    ...(failures === 0 ? [] : [bad(plural(failures, 'failure'))]),
    ...(interrupted ? [bad('stopped early')] : []),
  ];
  return facts.join(quiet(' · '));
}

/** Rounded down, so that only all is 100 %. */
export function shareText({ covered, places }: Pick<CoverageSummary, 'covered' | 'places'>): string {
  const permille = places === 0 ? 1000 : Math.floor((1000 * covered) / places);
  return `${permille % 10 === 0 ? permille / 10 : (permille / 10).toFixed(1)} %`;
}

const STYLE = `:root{color-scheme:light dark;--line:#d8dde4;--soft:#5a6474;--bad:#c92a2a;--bad-tint:#fdebea}
@media (prefers-color-scheme:dark){:root{--line:#333d4b;--soft:#9aa5b5;--bad:#ff8a80;--bad-tint:#3a1d1f}}
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin:1.5rem 0 .3rem}ul{margin:0;padding-left:1.2rem}
code{font:13px ui-monospace,Consolas,monospace;overflow-wrap:anywhere}.soft{color:var(--soft)}
details{border:1px solid var(--line);border-radius:6px;margin:1rem 0;overflow-x:auto}
summary{padding:.5rem .8rem;cursor:pointer}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.25rem .8rem;border-top:1px solid var(--line);vertical-align:top}
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums}
tr.dead td{background:var(--bad-tint)}tr.dead td.n{color:var(--bad)}`;

/** One self-contained page, without a script: all text of schemas and files is escaped. */
function coverageHtml(document: CoverageDocument, palette: Palette): string {
  const { schemas, summary, version } = document;
  const lists = remarkable(document).map(([title, rows]) => {
    const items = rows.map(([file, place, text]) => `<li>${placeText(file, place)} ${xmlText(text)}</li>`);
    return [`<h2>${title}</h2>\n<ul>`, ...items, '</ul>'].join('\n');
  });
  return [
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>Coverage of schemas</title>\n<style>${STYLE}</style>\n<main>`,
    `<h1>Coverage of ${plural(schemas.length, 'schema')}</h1>`,
    `<p>${xmlText(totalText(summary, palette))}</p>`,
    ...lists,
    `<p class="soft">${REMARK}</p>`,
    ...schemas.map(tableOf),
    `<p class="soft">paylint ${xmlText(version)}</p>\n</main>\n</html>\n`,
  ].join('\n');
}

function placeText(file: string, { line, pointer }: Pick<PlaceCoverage, 'line' | 'pointer'>): string {
  return `<code>${xmlText(line === null ? file : `${file}:${line}`)} ${xmlText(pointerText(pointer))}</code>`;
}

/** Places that no valid payload can reach are left out. */
function tableOf({ file, places }: SchemaCoverage): string {
  const reachable = places.filter(({ unreachable }) => !unreachable);
  const covered = reachable.filter((place) => place.covered).length;
  const count = `${number(covered)} of ${plural(reachable.length, 'place')} reached`;
  return [
    `<details><summary><code>${xmlText(file)}</code> <span class="soft">${count}</span></summary>`,
    '<table><thead><tr><th class="n">line</th><th>place</th><th>what</th>',
    '<th class="n">reached</th><th class="n">failed</th></tr></thead><tbody>',
    ...reachable.map(rowOf),
    '</tbody></table></details>',
  ].join('\n');
}

function rowOf(place: PlaceCoverage): string {
  const { line, pointer, sort, keyword, value, covered, valid, invalid } = place;
  const what = sort === 'value' ? jsonText(value) : sort === 'keyword' ? keyword : `${keyword} (${sort})`;
  const cells = [
    `<td class="n">${line ?? ''}</td>`,
    `<td><code>${xmlText(pointerText(pointer))}</code></td>`,
    `<td><code>${xmlText(what)}</code></td>`,
    `<td class="n">${number(hits(place))}</td>`,
    `<td class="n">${number(valid.failed + invalid.failed)}</td>`,
  ];
  return `<tr${covered ? '' : ' class="dead"'}>${cells.join('')}</tr>`;
}
