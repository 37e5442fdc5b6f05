/**
 * The page of an `html` report: reads the data, draws what the address asks for, and follows clicks, keys and the address.
 */
import { number, plural } from '../words/number-text.ts';
import { axesOf } from './axis.ts';
import { Charts, labelOf } from './charts.ts';
import { Density } from './density.ts';
import { drawDetail } from './detail.ts';
import { button, byId, element, foreign } from './dom.ts';
import { FACETS, type Facet, type Model, readModel } from './model.ts';
import { type Selection, Selector } from './select.ts';
import { isFiltered, readState, type State, toggled, withoutFilters, writeState } from './state.ts';
import { Table } from './table.ts';
import { drawFailures, drawVerdict } from './verdict.ts';

/** Milliseconds of rest before a search begins. */
const REST = 120;
/** Milliseconds between two changes of the address: browsers refuse more than 100 in 30 seconds. */
const PAUSE = 400;

class Page {
  readonly #model: Model;
  readonly #selector: Selector;
  readonly #charts: Charts;
  readonly #density: Density;
  readonly #table: Table;
  readonly #search = byId('search') as HTMLInputElement; // it is one in page.html
  #state: State;
  #selection: Selection;
  /** When the address was changed, and when it is to be. */
  #written = Number.NEGATIVE_INFINITY;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(model: Model) {
    const axes = axesOf(model);
    const go = (change: (state: State) => State): void => this.go(change(this.#state));
    this.#model = model;
    this.#selector = new Selector(model, axes);
    this.#charts = new Charts(model, byId('charts'), go);
    this.#density = new Density(model, axes, byId('density'), go);
    this.#table = new Table(model, byId('table'), {
      open: (open) => this.go({ ...this.#state, open }, 'replace'),
      sort: (order) =>
        this.go({ ...this.#state, order, descending: this.#state.order === order && !this.#state.descending }),
    });
    this.#state = readState(location.hash);
    this.#selection = this.#selector.select(this.#state);
    this.#listen();
    this.#draw();
  }

  /** `replace`: the button "back" does not lead to the present view. */
  go(state: State, history: 'push' | 'replace' = 'push'): void {
    const hash = writeState(state);
    if (hash !== writeState(this.#state)) this.#write(hash, history);
    this.#show(state);
  }

  #write(hash: string, history: 'push' | 'replace'): void {
    const write = (): void => {
      this.#written = performance.now();
      window.history[`${history}State`](null, '', hash);
    };
    clearTimeout(this.#later);
    if (history === 'push' || performance.now() - this.#written > PAUSE) write();
    else this.#later = setTimeout(write, PAUSE);
  }

  #show(state: State): void {
    const isOnlyOpen = writeState({ ...state, open: null }) === writeState({ ...this.#state, open: null });
    this.#state = state;
    if (isOnlyOpen) {
      this.#drawOpen();
      return;
    }
    this.#selection = this.#selector.select(state);
    this.#draw();
  }

  #draw(): void {
    this.#charts.draw(this.#state, this.#selection);
    this.#density.draw(this.#state, this.#selection);
    this.#drawFilters();
    if (document.activeElement !== this.#search) this.#search.value = this.#state.query;
    this.#drawOpen();
  }

  #drawOpen(): void {
    const detail = byId('detail');
    const row = this.#state.open === null ? undefined : this.#model.rows[this.#state.open];
    detail.hidden = row === undefined;
    byId('list').classList.toggle('split', row !== undefined);
    if (row !== undefined) {
      const label = document.activeElement?.closest('#detail')
        ? document.activeElement.getAttribute('aria-label')
        : null;
      drawDetail(detail, row, this.#model.end?.rules ?? [], {
        close: () => this.#close(),
        move: (by) => this.#move(by),
        others: [
          ['Only this rule', () => this.#only('rule', row.rule)],
          ['Only this pointer', () => this.#only('pointer', row.pattern)],
          ['Only this file', () => this.#only('file', row.file)],
        ],
      });
      const again = [...detail.querySelectorAll('button')].find(
        (one) => label !== null && one.getAttribute('aria-label') === label,
      );
      again?.focus({ preventScroll: true });
    }
    this.#table.draw(this.#state, this.#selection.shown);
  }

  #close(): void {
    this.go({ ...this.#state, open: null }, 'replace');
    this.#table.focus();
  }

  #move(by: 1 | -1): void {
    const { shown } = this.#selection;
    const place = this.#state.open === null ? -1 : shown.indexOf(this.#state.open);
    const open = shown[place + by];
    if (open !== undefined) this.go({ ...this.#state, open }, 'replace');
  }

  #only(facet: Facet, value: string): void {
    const { picked } = this.#state;
    this.go({ ...this.#state, picked: { ...picked, [facet]: new Set([value]) } });
  }

  /** What is shown, and a button for each filter that ends it. */
  #drawFilters(): void {
    const { picked, part, query } = this.#state;
    byId('count').textContent = this.#counted();
    const chips = FACETS.flatMap((facet) =>
      [...picked[facet]].map((value) =>
        chip(facet, labelOf(facet, value), () => this.go(toggled(this.#state, facet, value))),
      ),
    );
    if (part !== null) {
      const words = `${part.file}, ${number(part.from)} to ${number(part.to)}`;
      chips.push(chip('part', words, () => this.go({ ...this.#state, part: null })));
    }
    if (query !== '') chips.push(chip('search', query, () => this.#find('')));
    if (chips.length > 0) chips.push(button({ class: 'reset' }, () => this.#reset(), 'Clear all'));
    byId('filters').replaceChildren(...this.#switches(), ...chips);
  }

  /** `3 of 8 violations, 2 warnings`: the totals are those at the top of the page. */
  #counted(): string {
    const { rows, end } = this.#model;
    const isPart = isFiltered(this.#state);
    const texts = (['violation', 'warning'] as const).map((name) => {
      const isIt = (index: number): boolean => (rows[index]!.severity === 'warning') === (name === 'warning');
      const shown = this.#selection.shown.filter(isIt).length;
      const listed = rows.filter((_, index) => isIt(index)).length;
      const all = Math.max(listed, end?.summary[`${name}s`] ?? 0);
      if (all === 0) return '';
      return isPart || shown < all ? `${number(shown)} of ${plural(all, name)}` : plural(all, name);
    });
    return texts.filter(Boolean).join(', ');
  }

  /** Where violations differ in severity, or in whether they can be fixed. */
  #switches(): HTMLElement[] {
    return (['severity', 'fix'] as const).flatMap((facet) => {
      const { names } = this.#model.columns[facet];
      if (names.length < 2) return [];
      return names
        .map((name, id) => ({ name, count: this.#selection.counts[facet][id]! }))
        .filter(({ name, count }) => name !== '' && count > 0 && !this.#state.picked[facet].has(name))
        .map(({ name, count }) =>
          button(
            { class: 'switch' },
            () => this.go(toggled(this.#state, facet, name)),
            labelOf(facet, name),
            element('span', { class: 'number' }, number(count)),
          ),
        );
    });
  }

  #reset(): void {
    this.#search.value = '';
    this.go(withoutFilters(this.#state));
    this.#table.focus();
  }

  #find(query: string): void {
    this.#search.value = query;
    this.go({ ...this.#state, query }, 'replace');
  }

  #listen(): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#search.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.go({ ...this.#state, query: this.#search.value }, 'replace'), REST);
    });
    const follow = (): void => {
      clearTimeout(this.#later);
      this.#show(readState(location.hash));
    };
    window.addEventListener('popstate', follow);
    window.addEventListener('hashchange', follow);
    document.addEventListener('keydown', (event) => {
      const isTyping = event.target === this.#search;
      if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
        this.#search.focus();
        event.preventDefault();
      } else if (event.key === 'Escape' && this.#state.open !== null && !isTyping) this.#close();
    });
  }
}

function chip(name: string, value: string, onClick: () => void): HTMLElement {
  const words = [
    element('span', { class: 'of' }, name),
    foreign(value, 'name'),
    element('span', { 'aria-hidden': 'true' }, '✕'),
  ];
  const made = button({ class: 'chip' }, onClick, ...words);
  made.title = 'Remove this filter';
  return made;
}

async function begin(): Promise<void> {
  const verdict = byId('verdict');
  verdict.replaceChildren(element('p', {}, 'Reading the report…'));
  if (typeof DecompressionStream === 'undefined') {
    verdict.replaceChildren(element('p', {}, 'This browser is too old for this page: it needs DecompressionStream.'));
    return;
  }
  const model = await readModel();
  document.title = `${drawVerdict(model, verdict)} · paylint`;
  drawFailures(model, byId('failures'));
  byId('main').hidden = false;
  const isEmpty = model.rows.length === 0;
  for (const id of ['charts', 'density', 'violations']) byId(id).hidden = isEmpty;
  if (!isEmpty) new Page(model);
  byId('footer').replaceChildren(
    element(
      'p',
      {},
      'Press / to search, the arrow keys and Enter in the table, Esc to close. The address of the page has the view in it.',
    ),
  );
}

document.addEventListener('DOMContentLoaded', async () => {
  try {
    await begin();
  } catch {
    byId('verdict').replaceChildren(element('p', {}, 'This report cannot be read: its data are damaged.'));
  }
  document.documentElement.dataset.ready = 'true';
});
