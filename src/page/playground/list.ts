/**
 * The violations beside the text: one row each, which opens to what is known about it.
 */
import type { EndData, RowData } from '../../report/html-data.ts';
import { number } from '../../words/number-text.ts';
import { drawDetail } from '../detail.ts';
import { button, element, foreign } from '../dom.ts';
import type { Fix } from './editor.ts';

/** Rows that are drawn at once. */
const DRAWN = 300;

export interface ListActions {
  /** Shows the violation in the text. */
  readonly jump: (row: RowData) => void;
  readonly fixesOf: (row: RowData) => readonly Fix[];
}

export class List {
  readonly #root: HTMLElement;
  readonly #actions: ListActions;
  #rows: readonly RowData[] = [];
  #rules: EndData['rules'] = [];
  #open: RowData | null = null;

  constructor(root: HTMLElement, actions: ListActions) {
    this.#root = root;
    this.#actions = actions;
  }

  /** `rules`: what they mean. The row that is open stays so, if it is there. */
  draw(rows: readonly RowData[], rules: EndData['rules']): void {
    this.#rows = rows;
    this.#rules = rules;
    const open = this.#open;
    this.#open = open === null ? null : (rows.find((row) => keyOf(row) === keyOf(open)) ?? null);
    const items = rows.slice(0, DRAWN).map((row) => this.#item(row));
    const more = rows.length - items.length;
    if (more > 0) items.push(element('li', { class: 'remark' }, `… and ${number(more)} more`));
    this.#root.replaceChildren(...items);
  }

  #item(row: RowData): HTMLElement {
    const { line, column, rule, severity, message } = row;
    const isOpen = row === this.#open;
    const sign = severity === 'error' ? '✗' : '!';
    const made = button(
      { class: 'violation', 'aria-expanded': String(isOpen) },
      () => this.#toggle(row),
      element('span', { class: `sign ${severity}`, 'aria-hidden': 'true' }, sign),
      element(
        'span',
        { class: 'words' },
        element(
          'span',
          { class: 'top' },
          foreign(rule, 'rule'),
          element('span', { class: 'at' }, `${number(line)}:${number(column)}`),
        ),
        foreign(message, 'message'),
      ),
    );
    const item = element('li', isOpen ? { class: 'open' } : {}, made);
    const fixes = this.#actions.fixesOf(row).map(([words, run]) => button({}, run, words));
    if (fixes.length > 0) item.append(element('div', { class: 'only' }, ...fixes));
    if (isOpen) item.append(this.#detail(row));
    return item;
  }

  #detail(row: RowData): HTMLElement {
    const detail = element('div', { class: 'detail' });
    drawDetail(detail, row, this.#rules, {
      close: () => this.#toggle(row),
      move: (by) => this.#move(row, by),
      others: [['Show in the text', () => this.#actions.jump(row)]],
    });
    return detail;
  }

  #toggle(row: RowData): void {
    this.#open = this.#open === row ? null : row;
    this.draw(this.#rows, this.#rules);
    this.#root.querySelectorAll<HTMLElement>('.violation')[this.#rows.indexOf(row)]?.focus();
    if (this.#open !== null) this.#actions.jump(row);
  }

  #move(row: RowData, by: 1 | -1): void {
    const next = this.#rows[this.#rows.indexOf(row) + by];
    if (next !== undefined) this.#toggle(next);
  }
}

function keyOf({ line, column, rule, pointer }: RowData): string {
  return JSON.stringify([line, column, rule, pointer]);
}
