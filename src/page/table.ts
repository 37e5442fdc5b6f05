/**
 * The table of violations: only the rows in sight are elements, so that any number of them scrolls smoothly. Screen
 * readers are told how many there are; the arrow keys move from row to row, and Enter opens one.
 */
import type { RowData } from '../report/html-data.ts';
import { number } from '../words/number-text.ts';
import { button, element, foreign } from './dom.ts';
import type { Model } from './model.ts';
import type { Order, State } from './state.ts';

const COLUMNS = [
  { order: 'rule', title: 'Rule' },
  { order: 'place', title: 'Place' },
  { order: 'pointer', title: 'Pointer' },
  { order: 'message', title: 'What is wrong' },
] as const satisfies readonly { order: Order; title: string }[];

/** Rows made beyond those in sight. */
const SPARE = 8;
/** Rows on paper. */
const PRINTED = 1000;

export interface TableActions {
  /** Row at a place of the table. */
  readonly open: (row: number) => void;
  readonly sort: (order: Order) => void;
}

export class Table {
  readonly #model: Model;
  readonly #actions: TableActions;
  readonly #grid: HTMLElement;
  readonly #head: HTMLElement;
  readonly #body: HTMLElement;
  readonly #narrow = matchMedia('(max-width: 720px)');
  #shown: Uint32Array = new Uint32Array();
  #open: number | null = null;
  /** Place in `shown` that the arrow keys have reached. */
  #active = 0;
  #printing = false;

  constructor(model: Model, root: HTMLElement, actions: TableActions) {
    this.#model = model;
    this.#actions = actions;
    this.#head = element('div', { role: 'row', class: 'row', 'aria-rowindex': '1' });
    this.#body = element('div', { role: 'rowgroup', class: 'body' });
    this.#grid = element(
      'div',
      { role: 'grid', tabindex: '0', class: 'grid', 'aria-labelledby': 'violations-title', 'aria-colcount': '4' },
      element('div', { role: 'rowgroup', class: 'head' }, this.#head),
      this.#body,
    );
    root.replaceChildren(this.#grid);
    this.#grid.addEventListener('scroll', () => this.#rows(), { passive: true });
    this.#grid.addEventListener('keydown', (event) => this.#key(event));
    this.#body.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
      if (row !== null) this.#choose(Number(row.dataset.row));
    });
    this.#narrow.addEventListener('change', () => this.#rows());
    window.addEventListener('resize', () => this.#rows());
    window.addEventListener('beforeprint', () => this.#print(true));
    window.addEventListener('afterprint', () => this.#print(false));
  }

  draw(state: State, shown: Uint32Array): void {
    const isSame = shown.length === this.#shown.length && shown.every((row, place) => row === this.#shown[place]);
    this.#shown = shown;
    this.#open = state.open;
    const open = state.open === null ? -1 : shown.indexOf(state.open);
    if (open >= 0) this.#active = open;
    else if (!isSame) this.#active = 0;
    this.#grid.setAttribute('aria-rowcount', String(shown.length + 1));
    this.#drawHead(state);
    if (!isSame && open < 0) this.#grid.scrollTop = 0;
    this.#rows();
    if (open >= 0) this.#reveal();
  }

  focus(): void {
    this.#grid.focus({ preventScroll: true });
  }

  #drawHead({ order, descending }: State): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.order : undefined;
    const cells = COLUMNS.map((column) => {
      const isSorted = column.order === order;
      const sorted = isSorted ? (descending ? 'descending' : 'ascending') : 'none';
      const mark = element('span', { 'aria-hidden': 'true', class: 'mark' }, isSorted ? (descending ? '▼' : '▲') : '');
      const sort = (): void => this.#actions.sort(column.order);
      const inner = button({ 'data-order': column.order }, sort, column.title, mark);
      return element('div', { role: 'columnheader', class: column.order, 'aria-sort': sorted }, inner);
    });
    this.#head.replaceChildren(...cells);
    this.#head.querySelector<HTMLElement>(`[data-order="${focused}"]`)?.focus({ preventScroll: true });
  }

  /** In pixels; the style sheet has the same. */
  get #height(): number {
    return this.#narrow.matches ? 76 : 38;
  }

  /** Makes the rows that are in sight. */
  #rows(): void {
    const height = this.#height;
    const { scrollTop, clientHeight } = this.#grid;
    const first = this.#printing ? 0 : Math.max(0, Math.floor(scrollTop / height) - SPARE);
    const end = this.#printing ? PRINTED : Math.ceil((scrollTop + clientHeight) / height) + SPARE;
    const places = Array.from({ length: Math.max(0, Math.min(end, this.#shown.length) - first) }, (_, i) => first + i);
    this.#body.style.height = this.#printing ? '' : `${Math.max(1, this.#shown.length) * height}px`;
    const rows = places.map((place) => this.#row(place, height));
    this.#body.replaceChildren(...(rows.length > 0 ? rows : [nothing()]), ...this.#unprinted());
    const active = document.getElementById(`row-${this.#active}`);
    if (active === null) this.#grid.removeAttribute('aria-activedescendant');
    else this.#grid.setAttribute('aria-activedescendant', active.id);
  }

  #row(place: number, height: number): HTMLElement {
    const index = this.#shown[place]!;
    const data = this.#model.rows[index]!;
    const state = `${place === this.#active ? ' active' : ''}${index === this.#open ? ' open' : ''}`;
    const row = element(
      'div',
      {
        role: 'row',
        id: `row-${place}`,
        class: `row${state}`,
        'data-row': String(place),
        'aria-rowindex': String(place + 2),
        'aria-selected': String(index === this.#open),
      },
      ...cellsOf(data),
    );
    if (!this.#printing) row.style.transform = `translateY(${place * height}px)`;
    return row;
  }

  #unprinted(): HTMLElement[] {
    const more = this.#shown.length - PRINTED;
    if (!this.#printing || more <= 0) return [];
    const cell = element('div', { role: 'gridcell', class: 'nothing' }, `… and ${number(more)} more`);
    return [element('div', { role: 'row', class: 'row' }, cell)];
  }

  #choose(place: number): void {
    const row = this.#shown[place];
    if (row === undefined) return;
    this.#active = place;
    this.#actions.open(row);
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.#grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.#grid.clientHeight / this.#height) - 2);
    const last = this.#shown.length - 1;
    const active = this.#active;
    const to = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      PageUp: active - page,
      PageDown: active + page,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Enter' || event.key === ' ') this.#choose(active);
    else if (to !== undefined) {
      this.#active = Math.max(0, Math.min(last, to));
      this.#reveal();
      // An open violation goes along.
      if (this.#open !== null) this.#choose(this.#active);
    } else return;
    event.preventDefault();
  }

  /** Scrolls to the active row. */
  #reveal(): void {
    const height = this.#height;
    const top = this.#active * height;
    const head = this.#head.offsetHeight;
    const { scrollTop, clientHeight } = this.#grid;
    if (top < scrollTop) this.#grid.scrollTop = top;
    else if (top + height + head > scrollTop + clientHeight) this.#grid.scrollTop = top + height + head - clientHeight;
    this.#rows();
  }

  #print(begins: boolean): void {
    this.#printing = begins;
    this.#rows();
  }
}

function cellsOf({ rule, severity, file, line, column, pointer, message }: RowData): HTMLElement[] {
  const sign = element('span', { class: `sign ${severity}` }, severity === 'error' ? '✗' : '!');
  sign.setAttribute('aria-label', severity);
  sign.setAttribute('role', 'img');
  const name = file.lastIndexOf('/') + 1;
  const at = element('span', { class: 'at' }, `:${line}:${column}`);
  const folder = foreign(file.slice(0, name), 'folder');
  const place = element('div', { role: 'gridcell', class: 'place' }, folder, foreign(file.slice(name), 'base'), at);
  place.title = place.textContent ?? '';
  return [
    element('div', { role: 'gridcell', class: 'rule' }, sign, foreign(rule)),
    place,
    element('div', { role: 'gridcell', class: 'pointer' }, foreign(pointer === '' ? '(root)' : pointer)),
    element('div', { role: 'gridcell', class: 'message' }, foreign(message)),
  ];
}

function nothing(): HTMLElement {
  const cell = element('div', { role: 'gridcell', class: 'nothing' }, 'No violation matches.');
  return element('div', { role: 'row', class: 'row' }, cell);
}
