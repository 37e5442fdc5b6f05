/** The table: only rows in sight are elements; what keys, clicks, a narrow window and paper do. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Model } from '../../src/page/model.ts';
import { readState, type State } from '../../src/page/state.ts';
import { Table } from '../../src/page/table.ts';
import { asElement, FakeElement, fakeDocument, modelOf, row } from './page-world.ts';

const COUNT = 3000;
const ROWS = Array.from({ length: COUNT }, (_, i) => row({ message: `m${i}`, file: `d/f${i}.json`, line: i + 1 }));
const ALL = Uint32Array.from(ROWS.keys());

let narrow: FakeElement & { matches: boolean };
let page: FakeElement;
beforeEach(() => {
  narrow = Object.assign(new FakeElement(), { matches: false });
  page = new FakeElement();
  fakeDocument();
  vi.stubGlobal('Element', FakeElement);
  vi.stubGlobal('matchMedia', () => narrow);
  vi.stubGlobal('window', page);
});
afterEach(() => vi.unstubAllGlobals());

/** A table of 380 pixels, which are ten rows. */
function tableOf(model: Model = modelOf(ROWS), shown = ALL) {
  const root = new FakeElement();
  const open = vi.fn();
  const sort = vi.fn();
  const table = new Table(model, asElement(root), { open, sort });
  const grid = root.querySelector('.grid')!;
  grid.clientHeight = 380;
  vi.stubGlobal('document', {
    ...document,
    getElementById: (id: string) => grid.all('div').find((one) => one.id === id) ?? null,
  });
  const draw = (state: Partial<State> = {}, rows = shown): void => table.draw({ ...readState(''), ...state }, rows);
  draw();
  const key = (name: string, more: object = {}): boolean => grid.fire('keydown', { key: name, target: grid, ...more });
  return { grid, open, sort, draw, key, rows: () => grid.querySelector('.body')!.children as FakeElement[] };
}

const placesOf = (rows: readonly FakeElement[]): number[] => rows.map((one) => Number(one.dataset.row));

it('has elements for the rows in sight and a few beyond, wherever it is scrolled to', () => {
  const { grid, rows } = tableOf();
  expect(placesOf(rows())).toEqual(Array.from({ length: 18 }, (_, i) => i));
  grid.scrollTop = 38 * 100;
  grid.fire('scroll');
  expect(placesOf(rows())).toEqual(Array.from({ length: 26 }, (_, i) => 92 + i));
  expect(rows()[0]!.style.transform).toBe('translateY(3496px)');
  expect(grid.querySelector('.body')!.style.height).toBe('114000px');
  expect([grid.attributes['aria-rowcount'], rows()[0]!.attributes['aria-rowindex']]).toEqual(['3001', '94']);
});

it('has rows of twice the height in a narrow window', () => {
  const { grid, rows } = tableOf();
  narrow.matches = true;
  narrow.fire('change');
  expect([rows().length, grid.querySelector('.body')!.style.height]).toEqual([13, '228000px']);
});

it('shows of a violation its rule, its place, its pointer and what is wrong', () => {
  const model = modelOf([row({ file: 'a/b.json', line: 2, column: 3, severity: 'warning', message: 'no\u202e' })]);
  const { rows } = tableOf(model, Uint32Array.of(0));
  const cells = rows()[0]!.children as FakeElement[];
  expect(cells.map(({ textContent }) => textContent)).toEqual(['!type', 'a/b.json:2:3', '(root)', 'no\\u202e']);
  expect(cells[1]!.title).toBe('a/b.json:2:3');
  expect(rows()[0]!.querySelector('.sign')!.attributes['aria-label']).toBe('warning');
});

it('says that nothing matches', () => {
  const { rows, key, open } = tableOf(modelOf(ROWS), new Uint32Array());
  expect(rows().map(({ textContent }) => textContent)).toEqual(['No violation matches.']);
  key('Enter');
  expect(open).not.toHaveBeenCalled();
});

it('goes from row to row by keys, scrolls with them, and opens one by Enter', () => {
  const { grid, key, open } = tableOf();
  const active = (): string | undefined => grid.attributes['aria-activedescendant'];
  expect(active()).toBe('row-0');
  for (const [name, to] of [
    ['ArrowUp', 'row-0'],
    ['ArrowDown', 'row-1'],
    ['PageDown', 'row-9'],
    ['End', 'row-2999'],
    ['PageUp', 'row-2991'],
    ['Home', 'row-0'],
  ] as const) {
    expect(key(name)).toBe(true);
    expect([name, active()]).toEqual([name, to]);
  }
  key('End');
  expect(grid.scrollTop).toBe(38 * COUNT - 380);
  key('Enter');
  expect(open.mock.calls).toEqual([[2999]]);
  expect(key('a')).toBe(false);
  expect(key('Home', { ctrlKey: true })).toBe(false);
});

it('takes an open violation along with the keys', () => {
  const { draw, key, open, rows } = tableOf(modelOf(ROWS), ALL.slice(0, 5));
  draw({ open: 3 });
  expect(rows().map((one) => one.attributes['aria-selected'])).toEqual(['false', 'false', 'false', 'true', 'false']);
  key('ArrowDown');
  expect(open.mock.calls).toEqual([[4]]);
});

it('begins at the top when other violations are shown, and stays when they are the same', () => {
  const { grid, draw } = tableOf();
  grid.scrollTop = 1000;
  draw();
  expect(grid.scrollTop).toBe(1000);
  draw({}, ALL.slice(0, 100));
  expect(grid.scrollTop).toBe(0);
});

it('opens the row that is clicked', () => {
  const { grid, open, rows } = tableOf();
  const target = Object.assign(new FakeElement(), { closest: () => rows()[7] });
  grid.querySelector('.body')!.fire('click', { target });
  expect(open.mock.calls).toEqual([[7]]);
});

it('sorts by a head, and says by which and how', () => {
  const { grid, sort, draw } = tableOf();
  draw({ order: 'pointer', descending: true });
  const head = grid.querySelector('.pointer')!;
  expect([head.attributes['aria-sort'], head.textContent]).toEqual(['descending', 'Pointer▼']);
  head.all('button')[0]!.fire('click');
  expect(sort.mock.calls).toEqual([['pointer']]);
});

it('has a thousand rows on paper, says how many more there are, and is as before afterwards', () => {
  const { rows } = tableOf();
  page.fire('beforeprint');
  expect(rows()).toHaveLength(1001);
  expect(rows().at(-1)!.textContent).toBe('… and 2,000 more');
  page.fire('afterprint');
  expect(rows()).toHaveLength(18);
});
