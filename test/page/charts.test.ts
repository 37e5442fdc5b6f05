/** The charts: which bars there are, in which order, what they say and do, and what is left out. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { axesOf } from '../../src/page/axis.ts';
import { Charts, labelOf } from '../../src/page/charts.ts';
import { type Model, NONE } from '../../src/page/model.ts';
import { Selector } from '../../src/page/select.ts';
import { readState, type State } from '../../src/page/state.ts';
import type { RowData } from '../../src/report/html-data.ts';
import { asElement, FakeElement, fakeDocument, modelOf, row, summary } from './page-world.ts';

beforeEach(() => fakeDocument());
afterEach(() => vi.unstubAllGlobals());

/** The charts of a model as the page has them: a change of the state draws them again. */
class ChartsPage {
  readonly root = new FakeElement();
  state: State = readState('');
  readonly #model: Model;
  readonly #charts: Charts;

  constructor(model: Model) {
    this.#model = model;
    this.#charts = new Charts(model, asElement(this.root), (change) => {
      this.state = change(this.state);
      this.draw();
    });
    this.draw();
  }

  draw(): void {
    this.#charts.draw(this.state, new Selector(this.#model, axesOf(this.#model)).select(this.state));
  }

  card(title: string): FakeElement {
    return this.root.querySelectorAll('.card').find((one) => one.all('h2')[0]!.textContent.startsWith(title))!;
  }

  bars(title: string): string[] {
    return this.card(title)
      .querySelectorAll('.choice')
      .map((bar) =>
        bar.children
          .map((child) => (child as FakeElement).textContent)
          .join(' ')
          .trim(),
      );
  }

  button(title: string, text: string): FakeElement {
    return this.card(title)
      .all('button')
      .find(({ textContent }) => textContent.includes(text))!;
  }
}

const many = (count: number, of: (i: number) => Partial<RowData>): RowData[] =>
  Array.from({ length: count }, (_, i) => row(of(i)));

it('has a bar for each value, the longest first, then by name', () => {
  const rows = [row({ rule: 'type' }), row({ rule: 'enum' }), row({ rule: 'required' }), row({ rule: 'enum' })];
  const page = new ChartsPage(modelOf(rows));
  expect(page.bars('By rule')).toEqual(['enum 2', 'required 1', 'type 1']);
  expect(page.card('By rule').all('h2')[0]!.textContent).toBe('By rule 3');
  const [first, second] = page.card('By rule').querySelectorAll('.bar');
  expect([first!.style.width, second!.style.width]).toEqual(['100%', '50%']);
});

it('filters by a bar, shows that it does, and ends it the second time', () => {
  const page = new ChartsPage(modelOf([row({ rule: 'type', file: 'a' }), row({ rule: 'enum', file: 'b' })]));
  page.button('By rule', 'enum').fire('click');
  expect([...page.state.picked.rule]).toEqual(['enum']);
  expect(page.button('By rule', 'enum').attributes['aria-pressed']).toBe('true');
  expect(page.bars('By file')).toEqual(['b 1']);
  page.button('By rule', 'enum').fire('click');
  expect([...page.state.picked.rule]).toEqual([]);
  expect(page.bars('By file')).toEqual(['a 1', 'b 1']);
});

it('shows a filter of which nothing is left', () => {
  const page = new ChartsPage(modelOf([row({ rule: 'type' })]));
  page.state = {
    ...readState(''),
    query: 'nothing is called so',
    picked: { ...page.state.picked, rule: new Set(['type']) },
  };
  page.draw();
  expect(page.bars('By rule')).toEqual(['type 0']);
});

it('shows seven bars, then all, and names what is not shown', () => {
  const page = new ChartsPage(modelOf(many(250, (i) => ({ pointer: `/p${String(i).padStart(3, '0')}` }))));
  expect(page.bars('By pointer')).toHaveLength(7);
  const more = page.button('By pointer', 'Show');
  expect([more.textContent, more.attributes['aria-expanded']]).toEqual(['Show 193 more', 'false']);
  more.fire('click');
  expect(page.bars('By pointer')).toHaveLength(200);
  expect(page.button('By pointer', 'Show').textContent).toBe('Show fewer');
  expect(page.card('By pointer').querySelector('.remark')!.textContent).toBe('50 more are not shown.');
  page.button('By pointer', 'Show').fire('click');
  expect(page.bars('By pointer')).toHaveLength(7);
});

it('gives the focus back to the bar that had it', () => {
  const page = new ChartsPage(modelOf([row({ rule: 'type' }), row({ rule: 'enum' })]));
  page.button('By rule', 'type').focus();
  page.button('By rule', 'type').fire('click');
  expect(document.activeElement).toBe(page.button('By rule', 'type'));
});

it('says in a tip how many payloads of a file or a kind are invalid', () => {
  const model = modelOf([row({ file: 'a.json', kind: 'content' })], [{ file: 'a.json', payloads: 1, invalid: 1 }]);
  const kinds = { content: { payloads: 2000, valid: 1995, invalid: 5 } };
  const end = { version: '1', summary: summary({ kinds }), fixable: 0, failures: [], rules: [], notes: [] };
  const page = new ChartsPage({ ...model, end });
  expect(page.button('By file', 'a.json').title).toBe('a.json\n1 of 1 payload invalid');
  expect(page.button('By kind', 'content').title).toBe('content\n5 of 2,000 payloads invalid');
  expect(page.button('By rule', 'type').title).toBe('type');
});

it('counts the files of which no violation is listed', () => {
  const sources = [{ file: 'a.json' }, { file: 'b.json' }, { file: 'c.json' }];
  const page = new ChartsPage(modelOf([row({ file: 'a.json' })], sources));
  expect(page.card('By file').querySelector('.remark')!.textContent).toBe(
    '2 more files with violations that are not listed.',
  );
});

it.each([
  ['pointer', '', '(root)'],
  ['pointer', '/a', '/a'],
  ['fix', NONE, 'not fixable'],
  ['fix', 'fill', 'fixable with paylint fill'],
  ['severity', 'error', 'violations'],
  ['severity', 'warning', 'warnings'],
  ['kind', NONE, '(none)'],
  ['rule', 'type', 'type'],
] as const)('calls the %s %j %s', (facet, value, label) => {
  expect(labelOf(facet, value)).toBe(label);
});
