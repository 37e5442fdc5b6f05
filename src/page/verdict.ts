/**
 * The top of the page: the verdict in words, the totals, what could not be checked, and what the page leaves out.
 */

import { arraysText } from '../report/summary.ts';
import { duration, number, plural } from '../words/number-text.ts';
import { element, foreign } from './dom.ts';
import type { Model } from './model.ts';

/**
 * `hasFiles`: the payloads are in files, of which there may be several.
 * @returns the verdict, for the title of the page
 */
export function drawVerdict({ end, rows }: Pick<Model, 'end' | 'rows'>, root: HTMLElement, hasFiles = true): string {
  const summary = end?.summary ?? null;
  const isBad = summary === null || summary.violations > 0 || summary.failures > 0;
  const isEmpty = !isBad && summary.payloads === 0;
  const words = summary === null ? found(rows) : verdictWords(summary);
  const sign = element('span', { class: 'mark', 'aria-hidden': 'true' }, isBad ? '✗' : isEmpty ? '–' : '✓');
  root.className = isBad ? 'bad' : isEmpty ? 'empty' : 'good';
  root.replaceChildren(
    element('div', { class: 'headline' }, sign, element('div', {}, element('h1', {}, words), subtitle(end, hasFiles))),
    ...(summary === null ? [] : [share(summary), totals(summary, end?.fixable ?? 0, hasFiles)]),
    ...notes(end).map((note) => element('p', { class: 'note' }, note)),
  );
  return `${isBad ? '✗' : '✓'} ${words}`;
}

type Summary = NonNullable<Model['end']>['summary'];

/** The words for a report that was cut off. */
function found(rows: Model['rows']): string {
  const violations = rows.filter(({ severity }) => severity === 'error').length;
  return violations > 0 ? plural(violations, 'violation') : 'No violations';
}

function verdictWords({ payloads, invalid, violations, failures, known = 0 }: Summary): string {
  if (violations > 0)
    return `${plural(violations, 'violation')} in ${number(invalid)} of ${plural(payloads, 'payload')}`;
  if (failures > 0) return `${plural(failures, 'file')} could not be checked`;
  if (payloads === 0) return 'Nothing to check';
  if (known > 0) return 'No new violations';
  return payloads === 1 ? 'The payload is valid' : `All ${number(payloads)} payloads are valid`;
}

function subtitle(end: Model['end'], hasFiles: boolean): HTMLElement {
  const summary = end?.summary ?? null;
  const facts = summary === null ? [] : [duration(summary.elapsedMs)];
  if (summary !== null && hasFiles) facts.unshift(plural(summary.sources, 'file'));
  if (summary?.arrays !== undefined) facts.push(arraysText(summary.arrays));
  return element(
    'p',
    { class: 'facts' },
    ['paylint', end?.version ?? ''].join(' ').trim(),
    ...facts.map((fact) => ` · ${fact}`),
  );
}

/** How much of the whole is valid. */
function share({ payloads, valid }: Summary): HTMLElement {
  const percent = payloads === 0 ? 0 : (100 * valid) / payloads;
  const inner = element('span');
  inner.style.width = `${percent}%`;
  const words = `${percent > 99 && percent < 100 ? percent.toFixed(2) : Math.round(percent)} % of the payloads are valid`;
  return element('div', { class: 'share', role: 'img', 'aria-label': words, title: words }, inner);
}

function totals(summary: Summary, fixable: number, hasFiles: boolean): HTMLElement {
  const facts: [string, number, string][] = [
    ['Payloads', summary.payloads, ''],
    ['Valid', summary.valid, 'good'],
    ['Invalid', summary.invalid, summary.invalid > 0 ? 'bad' : ''],
    ['Violations', summary.violations, summary.violations > 0 ? 'bad' : ''],
  ];
  if (summary.warnings > 0) facts.push(['Warnings', summary.warnings, 'warn']);
  if (summary.known !== undefined) facts.push(['Known', summary.known, 'warn']);
  if (summary.tolerated !== undefined) facts.push(['Tolerated', summary.tolerated.invalid, 'warn']);
  if (fixable > 0) facts.push(['Fixable', fixable, 'accent']);
  if (hasFiles) facts.push(['Files', summary.sources, '']);
  if (summary.empty !== undefined) facts.push(['Files without a payload', summary.empty, 'warn']);
  if (summary.failures > 0) facts.push(['Failures', summary.failures, 'bad']);
  const cells = facts.map(([name, value, look]) =>
    element('div', look === '' ? {} : { class: look }, element('dt', {}, name), element('dd', {}, number(value))),
  );
  return element('dl', { class: 'totals' }, ...cells);
}

function notes(end: Model['end']): string[] {
  if (end === null) return ['This report was cut off before its end.'];
  const stopped = end.summary.interrupted ? ['The run was stopped before all files were checked.'] : [];
  return [...stopped, ...end.notes];
}

export function drawFailures({ end }: Model, root: HTMLElement): void {
  const failures = end?.failures ?? [];
  root.hidden = failures.length === 0;
  const items = failures.map(({ file, message }) => element('li', {}, foreign(file, 'name'), ': ', foreign(message)));
  root.replaceChildren(element('h2', {}, 'Could not be checked'), element('ul', {}, ...items));
}
