/** The strips: in which parts of the files the violations are, and how a part is chosen by pointer and by keys. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { axesOf } from '../../src/page/axis.ts';
import { Density } from '../../src/page/density.ts';
import type { Model } from '../../src/page/model.ts';
import { Selector } from '../../src/page/select.ts';
import { readState, type State } from '../../src/page/state.ts';
import { asElement, FakeElement, fakeDocument, modelOf, row, summary } from './page-world.ts';

beforeEach(() => fakeDocument());
afterEach(() => vi.unstubAllGlobals());

/** The strips of a model as the page has them. */
class StripsPage {
  readonly root = new FakeElement();
  state: State = readState('');
  readonly #model: Model;
  readonly #density: Density;

  constructor(model: Model) {
    this.#model = model;
    this.#density = new Density(model, axesOf(model), asElement(this.root), (change) => {
      this.state = change(this.state);
      this.draw();
    });
    this.draw();
  }

  draw(): void {
    this.#density.draw(this.state, new Selector(this.#model, axesOf(this.#model)).select(this.state));
  }

  get strips(): FakeElement[] {
    return this.root.querySelectorAll('.strip');
  }

  get files(): string[] {
    return this.strips.map((one) => one.dataset.strip!);
  }

  /** The parts that are filled, as numbers from 0: of all violations, or of those that are found. */
  filled(kind: 'all' | 'found', strip = this.strips[0]!): number[] {
    return [...strip.querySelector(`.${kind}`)!.attributes.d!.matchAll(/M(\d+) /g)].map(([, bin]) => Number(bin));
  }
}

/** Violations on lines of a file of 1,200 lines: ten lines for each of the 120 parts. */
const onLines = (lines: readonly number[], file = 'a.json') => [
  ...lines.map((line) => row({ file, line, endLine: line })),
  row({ file, line: 1200, endLine: 1200, rule: 'enum' }),
];

it('has each violation in the part of its line', () => {
  const page = new StripsPage(modelOf(onLines([1, 10, 11, 605])));
  expect(page.filled('all')).toEqual([0, 1, 60, 119]);
  const [strip] = page.strips;
  expect(strip!.attributes['aria-valuemax']).toBe('120');
  // The densest part is described first.
  expect(strip!.attributes['aria-valuetext']).toBe('lines 1 to 10: 2 violations');
  expect(page.root.querySelectorAll('.scale')[0]!.textContent).toBe('line 11,200');
});

it('shows beside all violations those that the filters let through', () => {
  const page = new StripsPage(modelOf(onLines([5])));
  page.state = { ...page.state, picked: { ...page.state.picked, rule: new Set(['enum']) } };
  page.draw();
  expect([page.filled('all'), page.filled('found')]).toEqual([[0, 119], [119]]);
});

it('filters by the part that is dragged over, and no longer when it is chosen again', () => {
  const page = new StripsPage(modelOf(onLines([5])));
  const drag = (from: number, to: number): void => {
    const [strip] = page.strips;
    strip!.fire('pointerdown', { clientX: from, pointerId: 1 });
    strip!.fire('pointermove', { clientX: to });
    expect(strip!.querySelectorAll('.part')).toHaveLength(1);
    strip!.fire('pointerup', { clientX: to });
  };
  // The strip is 100 pixels wide: a half of it is 60 parts, each of ten lines.
  drag(99.9, 50);
  expect(page.state.part).toEqual({ file: 'a.json', from: 601, to: 1200 });
  drag(50, 99.9);
  expect(page.state.part).toBe(null);
});

it('is moved over by keys, and filters by Enter', () => {
  const page = new StripsPage(modelOf(onLines([5])));
  const press = (key: string): boolean => page.strips[0]!.fire('keydown', { key });
  expect(press('End')).toBe(true);
  expect(page.strips[0]!.attributes['aria-valuenow']).toBe('120');
  press('ArrowRight'); // there is nothing beyond
  press('ArrowLeft');
  expect(page.strips[0]!.attributes['aria-valuetext']).toBe('lines 1,181 to 1,190: 0 violations');
  expect(press('Enter')).toBe(true);
  expect(page.state.part).toEqual({ file: 'a.json', from: 1181, to: 1190 });
  expect(press('x')).toBe(false);
});

it('forgets where the pointer was when it leaves', () => {
  const page = new StripsPage(modelOf(onLines([5])));
  const [strip] = page.strips;
  strip!.fire('pointermove', { clientX: 50 });
  expect(strip!.querySelectorAll('.cursor')).toHaveLength(1);
  strip!.fire('pointerleave');
  expect(strip!.querySelectorAll('.cursor')).toHaveLength(0);
});

it('has four files at first, those with the most violations, and chosen ones before', () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f'];
  const rows = files.flatMap((file, i) => Array.from({ length: 6 - i }, () => row({ file })));
  const page = new StripsPage(modelOf(rows));
  expect(page.files).toEqual(['a', 'b', 'c', 'd']);
  const more = (): FakeElement => page.root.querySelectorAll('.more')[0]!;
  expect(more().textContent).toBe('Show 2 more files');
  more().fire('click');
  expect([page.files.length, more().textContent]).toEqual([6, 'Show fewer files']);
  more().fire('click');
  page.state = { ...page.state, part: { file: 'f', from: 1, to: 1 } };
  page.draw();
  expect(page.files).toEqual(['f', 'a', 'b', 'c']);
});

it('gives the focus back to the strip that had it', () => {
  const page = new StripsPage(modelOf([row({ file: 'a' }), row({ file: 'b' })]));
  page.strips[1]!.focus();
  page.draw();
  expect(document.activeElement).toBe(page.strips[1]);
});

it('says which part is not listed, and that warnings are counted', () => {
  const model = modelOf(
    onLines([5])
      .slice(0, 1)
      .concat(row({ line: 60, endLine: 60 })),
    [{ file: 'a.json', payloads: 1, violations: 90, warnings: 0 }],
  );
  const page = new StripsPage(model);
  expect(page.root.querySelectorAll('.remark')[0]!.textContent).toBe('the grey part is not listed');
  const end = { version: '1', summary: summary({ warnings: 1 }), fixable: 0, failures: [], rules: [], notes: [] };
  const warned = new StripsPage({ ...model, end });
  expect(warned.strips[0]!.title).toMatch(/: 1 violations and warnings$/);
});
