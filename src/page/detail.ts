/**
 * One violation in full: what is wrong and what was expected, the text of the line with carets, where it is, and what
 * its rule means.
 */
import type { EndData, FrameData, RowData } from '../report/html-data.ts';
import { number } from '../words/number-text.ts';
import { button, element, foreign, lineText } from './dom.ts';

/** Values of a list, and code units of a value, that are shown. */
const LISTED = 50;
const VALUE = 200;
/** Levels of what is listed below a violation that are told apart. */
const DEEPEST = 4;

/** What the rules mean. */
type RuleTexts = EndData['rules'];

export interface DetailActions {
  readonly close: () => void;
  /** Moves by a number of rows. */
  readonly move: (by: 1 | -1) => void;
  /** What else can be done about it: the words of a button, and what it does. */
  readonly others: readonly (readonly [words: string, run: () => void])[];
}

export function drawDetail(root: HTMLElement, row: RowData, rules: RuleTexts, actions: DetailActions): void {
  const { rule, severity, message, frame, params, suggestion, fix } = row;
  const heading = element('h3', {}, element('span', { class: `badge ${severity}` }, severity), foreign(rule));
  const close = button({ class: 'icon', 'aria-label': 'Close', 'data-do': 'close' }, actions.close, '✕');
  const back = button({ class: 'icon', 'aria-label': 'Previous violation' }, () => actions.move(-1), '↑');
  const on = button({ class: 'icon', 'aria-label': 'Next violation' }, () => actions.move(1), '↓');
  root.replaceChildren(
    element('div', { class: 'top' }, heading, element('div', { class: 'icons' }, back, on, close)),
    element('p', { class: 'message' }, foreign(message)),
    ...(frame === null ? [] : [frameOf(frame, row)]),
    ...childrenOf(row),
    ...(suggestion === null ? [] : [hint('Did you mean ', foreign(suggestion), '?')]),
    ...(fix === null ? [] : [hint('Fixable with ', element('code', {}, `paylint ${fix}`), '.')]),
    ...(params === null || Object.keys(params).length === 0 ? [] : [factsOf(params)]),
    placeOf(row),
    ...explained(row, rules),
    element('div', { class: 'only' }, ...actions.others.map(([words, run]) => button({}, run, words))),
  );
  scrollTo(root.querySelector<HTMLElement>('.frame'));
}

/** What is wrong by the closest alternative. */
function childrenOf({ file, children = [] }: RowData): HTMLElement[] {
  if (children.length === 0) return [];
  const items = children.map(({ level, line, column, pointer, rule, message }) => {
    const shown = pointer === '' ? '(root)' : pointer;
    const head = element('span', { class: 'at' }, foreign(`${file}:${line}:${column}`), ' ', foreign(shown));
    return element('li', { class: `level-${Math.min(level, DEEPEST)}` }, head, foreign(rule), ' ', foreign(message));
  });
  return [element('ul', { class: 'children' }, ...items)];
}

function hint(...words: (Node | string)[]): HTMLElement {
  return element('p', { class: 'hint' }, ...words);
}

/** Scrolls the violation into view if its line is wider than the page. */
function scrollTo(frame: HTMLElement | null): void {
  const mark = frame?.querySelector('mark');
  if (!frame || !mark) return;
  const { left, width } = mark.getBoundingClientRect();
  const box = frame.getBoundingClientRect();
  // All of it if it fits, else its beginning.
  const before = Math.max(box.width * 0.2, Math.min(box.width * 0.5, box.width - width - 40));
  if (left + width > box.right - 16) frame.scrollLeft += left - box.left - before;
}

/** The line, with carets below what is wrong, however wide its characters are; before it the line on which the cause is. */
function frameOf({ text, from, to, cutBefore, cutAfter, earlier }: FrameData, { line }: RowData): HTMLElement {
  const end = Math.max(from, Math.min(to, text.length));
  const marked = text.slice(from, end);
  const carets = element('span', { class: 'carets', 'aria-hidden': 'true' }, '^'.repeat(marked === '' ? 1 : 400));
  const mark = element('mark', marked === '' ? { class: 'empty' } : {}, lineText(marked), carets);
  const before = lineText(`${cutBefore ? '…' : ''}${text.slice(0, from)}`);
  const code = element('code', {}, before, mark, lineText(`${text.slice(end)}${cutAfter ? '…' : ''}`));
  const lines = [lineOf(line, code)];
  if (earlier !== undefined) {
    const above = lineText(`${earlier.cutBefore ? '…' : ''}${earlier.text}${earlier.cutAfter ? '…' : ''}`);
    lines.unshift(lineOf(earlier.line, element('code', {}, above)));
  }
  const label = `Line ${number(line)}`;
  return element('pre', { class: 'frame', tabindex: '0', role: 'region', 'aria-label': label }, ...lines);
}

function lineOf(line: number, code: HTMLElement): HTMLElement {
  return element(
    'span',
    { class: 'line' },
    element('span', { class: 'gutter', 'aria-hidden': 'true' }, number(line)),
    code,
  );
}

/** What the rule asks for, and what else is known. */
function factsOf(params: Readonly<Record<string, unknown>>): HTMLElement {
  const pairs = Object.entries(params).flatMap(([name, value]) => [
    element('dt', {}, FACTS[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`),
    element('dd', {}, ...valuesOf(value)),
  ]);
  return element('dl', { class: 'facts' }, ...pairs);
}

/** Names of facts that do not say it themselves. */
const FACTS: Readonly<Record<string, string>> = {
  additional: 'Not allowed',
  allowed: 'Expected',
  because: 'Asked for by',
  divisor: 'A multiple of',
  expected: 'Expected',
};

function valuesOf(value: unknown): (Node | string)[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const shown = all.slice(0, LISTED).map((one) => {
    const text = typeof one === 'string' ? one : JSON.stringify(one);
    const made = foreign(text.length > VALUE ? `${text.slice(0, VALUE)}…` : text, 'value');
    return made;
  });
  const more = all.length - shown.length;
  return more > 0 ? [...shown, ` and ${number(more)} more`] : shown;
}

function placeOf({ file, line, column, pointer, payload, kind, offset, schema }: RowData): HTMLElement {
  const facts: [string, string][] = [
    ['Place', `${file}:${line}:${column}`],
    ['Pointer', pointer === '' ? '(root)' : pointer],
    ['Payload', `${number(payload)}${kind === null ? '' : ` (${kind})`}`],
    ['Byte', number(offset)],
    ...(schema === null ? [] : [['Schema', schema] satisfies [string, string]]),
  ];
  return element(
    'dl',
    {},
    ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, foreign(value))]),
  );
}

/** The text with the facts of this violation in place of their names: `at most 99` for `at most params.limit`. */
function withFacts(text: string, params: RowData['params']): (Node | string)[] {
  return text.split(/\bparams\.(\w+)/).map((part, i) => {
    if (i % 2 === 0) return part;
    const value = params === null || !Object.hasOwn(params, part) ? null : factText(params[part]);
    return value === null ? `the ${part}` : foreign(value, 'value');
  });
}

/** A fact as part of a sentence; null: it is too long for that. */
function factText(value: unknown): string | null {
  if (isPlace(value)) {
    const { file, line, column } = value;
    return file === undefined ? `line ${line}, column ${column}` : `${file}:${line}:${column}`;
  }
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const text = all.map((one) => JSON.stringify(one)).join(', ');
  return text.length > VALUE ? null : text;
}

function isPlace(value: unknown): value is { file?: string; line: number; column: number } {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value;
}

function explained({ rule, params }: RowData, rules: RuleTexts): HTMLElement[] {
  const text = rules.find((one) => one.rule === rule);
  if (text === undefined) return [];
  const { meaning, fix, wrong, right } = text;
  const examples = [
    ['Wrong', wrong],
    ['Right', right],
  ].flatMap(([name, example]) => [element('dt', {}, name!), element('dd', {}, element('code', {}, example!))]);
  const heading = element('h4', {}, 'What the rule means');
  const words = [meaning, fix].map((text) => element('p', {}, ...withFacts(text, params)));
  return [element('div', { class: 'explain' }, heading, ...words, element('dl', {}, ...examples))];
}
