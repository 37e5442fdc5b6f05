/**
 * The charts: violations by rule, kind, pointer and file. Each bar is a button that filters, and says how many there are.
 */

import { UNKNOWN_KIND } from '../types.ts';
import { number, plural } from '../words/number-text.ts';
import { button, element, foreign } from './dom.ts';
import { type Facet, type Model, NONE } from './model.ts';
import type { Selection } from './select.ts';
import { type State, toggled } from './state.ts';

const CHARTS = [
  { facet: 'rule', title: 'By rule' },
  { facet: 'kind', title: 'By kind' },
  { facet: 'pointer', title: 'By pointer' },
  { facet: 'file', title: 'By file' },
] as const satisfies readonly { facet: Facet; title: string }[];

/** Bars that a chart has at first, and at most. */
const FEW = 7;
const MOST = 200;

/** What a facet calls one of its values. */
export function labelOf(facet: Facet, value: string): string {
  if (facet === 'pointer') return value === '' ? '(root)' : value;
  if (facet === 'fix') return value === NONE ? 'not fixable' : `fixable with paylint ${value}`;
  if (facet === 'severity') return value === 'error' ? 'violations' : 'warnings';
  return value === NONE ? '(none)' : value;
}

export class Charts {
  readonly #model: Model;
  readonly #go: (change: (state: State) => State) => void;
  readonly #root: HTMLElement;
  readonly #whole = new Set<Facet>();

  constructor(model: Model, root: HTMLElement, go: (change: (state: State) => State) => void) {
    this.#model = model;
    this.#root = root;
    this.#go = go;
  }

  draw(state: State, selection: Selection): void {
    // The element with the focus is made again, and gets the focus back.
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    this.#root.replaceChildren(...CHARTS.map(({ facet, title }) => this.#chart(facet, title, state, selection)));
    if (focused === undefined) return;
    const again = [...this.#root.querySelectorAll('button')].find(({ dataset }) => dataset.key === focused);
    again?.focus({ preventScroll: true });
  }

  #chart(facet: Facet, title: string, state: State, selection: Selection): HTMLElement {
    const { names, totals } = this.#model.columns[facet];
    const counts = selection.counts[facet];
    const picked = state.picked[facet];
    const order = [...names.keys()].filter((id) => counts[id]! > 0 || picked.has(names[id]!));
    order.sort((a, b) => counts[b]! - counts[a]! || totals[b]! - totals[a]! || (names[a]! < names[b]! ? -1 : 1));
    const whole = this.#whole.has(facet);
    // A filter is always to be seen, and to be ended.
    const limit = whole ? MOST : FEW;
    const listed = order.filter((id, i) => i < limit || picked.has(names[id]!));
    const most = Math.max(1, ...order.slice(0, 1).map((id) => counts[id]!));
    const bars = listed.map((id) => this.#bar(facet, names[id]!, { count: counts[id]!, most }, picked.has(names[id]!)));
    const heading = element('h2', {}, title, ' ', element('small', {}, number(order.length)));
    const card = element(
      'div',
      { class: 'card panel' },
      heading,
      element('ul', {}, ...bars.map((bar) => element('li', {}, bar))),
    );
    const more = Math.min(order.length, MOST) - (whole ? FEW : listed.length);
    if (more > 0) {
      const words = whole ? 'Show fewer' : `Show ${number(more)} more`;
      const toggle = (): void => {
        if (!this.#whole.delete(facet)) this.#whole.add(facet);
        this.#go((same) => same);
      };
      card.append(
        button({ class: 'more', 'data-key': `more ${facet}`, 'aria-expanded': String(whole) }, toggle, words),
      );
    }
    if (whole && order.length > listed.length)
      card.append(remark(`${number(order.length - listed.length)} more are not shown.`));
    if (facet === 'file') card.append(...this.#unlisted());
    return card;
  }

  /** Files of which no violation is listed. */
  #unlisted(): HTMLElement[] {
    const listed = new Set(this.#model.columns.file.names);
    const count = [...this.#model.sources.keys()].filter((file) => !listed.has(file)).length;
    return count === 0 ? [] : [remark(`${plural(count, 'more file')} with violations that are not listed.`)];
  }

  #bar(facet: Facet, name: string, { count, most }: { count: number; most: number }, isPicked: boolean): HTMLElement {
    const label = labelOf(facet, name);
    const bar = element('span', { class: 'bar', 'aria-hidden': 'true' });
    bar.style.width = `${(100 * count) / most}%`;
    const made = button(
      { class: 'choice', 'data-key': `${facet} ${name}`, 'aria-pressed': String(isPicked) },
      () => this.#go((state) => toggled(state, facet, name)),
      bar,
      foreign(label, 'name'),
      element('span', { class: 'number' }, number(count)),
    );
    made.title = this.#tip(facet, name, made.querySelector('.name')!.textContent ?? '');
    return made;
  }

  /** The whole name, and how many payloads there are. */
  #tip(facet: Facet, name: string, label: string): string {
    const counts =
      facet === 'file' ? this.#model.sources.get(name) : facet === 'kind' ? this.#kindCounts(name) : undefined;
    if (counts === undefined) return label;
    return `${label}\n${number(counts.invalid)} of ${plural(counts.payloads, 'payload')} invalid`;
  }

  #kindCounts(name: string): { payloads: number; invalid: number } | undefined {
    const kinds = this.#model.end?.summary.kinds ?? {};
    const kind = name === NONE ? UNKNOWN_KIND : name;
    return Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  }
}

function remark(words: string): HTMLElement {
  return element('p', { class: 'remark' }, words);
}
