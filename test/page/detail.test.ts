/** One violation in full: its parts, in order, with the facts of this violation; and what cannot be shown is left out. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type DetailActions, drawDetail } from '../../src/page/detail.ts';
import type { EndData, RowData } from '../../src/report/html-data.ts';
import { asElement, FakeElement, fakeDocument, row } from './page-world.ts';

beforeEach(() => fakeDocument());
afterEach(() => vi.unstubAllGlobals());

const NOTHING: DetailActions = { close: () => {}, move: () => {}, others: [] };

function drawn(fields: Partial<RowData>, rules: EndData['rules'] = [], actions = NOTHING): FakeElement {
  const root = new FakeElement();
  drawDetail(asElement(root), row(fields), rules, actions);
  return root;
}

const texts = (root: FakeElement, selector: string): string[] =>
  root.querySelectorAll(selector).map(({ textContent }) => textContent);

const FRAME = { text: 'ab\tcdef', from: 3, to: 5, cutBefore: false, cutAfter: false };

it('says what is wrong, how bad it is, and where', () => {
  const fields = {
    file: 'a.json',
    line: 1200,
    column: 7,
    pointer: '/x',
    payload: 1999,
    kind: 'content',
    offset: 54_321,
  };
  const root = drawn({ ...fields, message: 'expected\u0000 a string', severity: 'warning', schema: 's.json#/type' });
  expect(texts(root, 'h3')).toEqual(['warningtype']);
  expect(texts(root, '.message')).toEqual(['expected\\u0000 a string']);
  const [places] = root.all('dl');
  expect(places!.children.map((one) => (one as FakeElement).textContent)).toEqual([
    ...['Place', 'a.json:1200:7', 'Pointer', '/x', 'Payload', '1,999 (content)', 'Byte', '54,321'],
    ...['Schema', 's.json#/type'],
  ]);
  expect(texts(drawn({ kind: null, schema: null }), 'dd')).toEqual(['a.json:1:1', '(root)', '0', '0']);
});

it('marks the part of the line, and an empty part as well', () => {
  const [frame] = drawn({ line: 3, frame: FRAME }).all('pre');
  expect(frame!.attributes['aria-label']).toBe('Line 3');
  const [mark] = frame!.all('mark');
  expect(mark!.children.map((one) => (one as FakeElement).textContent)).toEqual(['cd', '^'.repeat(400)]);
  expect(frame!.all('code')[0]!.textContent.replace('^'.repeat(400), '|')).toBe('ab\tcd|ef');
  for (const to of [3, 2]) {
    const [empty] = drawn({ frame: { ...FRAME, to } }).all('mark');
    expect([empty!.attributes, empty!.textContent]).toEqual([{ class: 'empty' }, '^']);
  }
});

it('says where a line is cut, and has the line of the cause above', () => {
  const earlier = { text: '{ "a"', line: 2, cutBefore: false, cutAfter: true };
  const root = drawn({ line: 4, frame: { ...FRAME, cutBefore: true, cutAfter: true, earlier: earlier as never } });
  const lines = texts(root, '.line').map((text) => text.replace('^'.repeat(400), '|'));
  expect(lines).toEqual(['2{ "a"…', '4…ab\tcd|ef…']);
});

it('lists what the closest alternative does not allow, by levels', () => {
  const child = { line: 2, column: 5, pointer: '', rule: 'type', message: 'no' };
  const children = [1, 2, 9].map((level) => ({ ...child, level }));
  const root = drawn({ file: 'a.json', children: children as never });
  const [list] = root.querySelectorAll('.children');
  expect(list!.all('li').map((item) => item.attributes.class)).toEqual(['level-1', 'level-2', 'level-4']);
  expect(list!.all('li')[0]!.textContent).toBe('a.json:2:5 (root)type no');
});

it('has what was probably meant, and the command that fixes it', () => {
  const root = drawn({ suggestion: 'Article', fix: 'fill' });
  expect(texts(root, '.hint')).toEqual(['Did you mean Article?', 'Fixable with paylint fill.']);
  expect(texts(drawn({}), '.hint')).toEqual([]);
});

it('lists the facts by their names, long ones cut', () => {
  const allowed = Array.from({ length: 60 }, (_, i) => `v${i}`);
  const root = drawn({ params: { allowed, limit: 3, because: 'x'.repeat(300) } });
  const [facts] = root.querySelectorAll('.facts');
  expect(facts!.all('dt').map(({ textContent }) => textContent)).toEqual(['Expected', 'Limit', 'Asked for by']);
  const [list, limit, because] = facts!.all('dd');
  expect(list!.querySelectorAll('.value')).toHaveLength(50);
  expect(list!.textContent).toMatch(/ and 10 more$/);
  expect(limit!.textContent).toBe('3');
  expect(because!.textContent).toBe(`${'x'.repeat(200)}…`);
});

it('explains its rule with its facts', () => {
  const fix = 'At most params.limit, first at params.first; not params.other.';
  const rules = [{ rule: 'type', meaning: 'Wrong.', fix, wrong: '1', right: '"1"' }];
  const root = drawn({ params: { limit: [1, 2], first: { line: 3, column: 4, offset: 5 } } }, rules);
  const [explained] = root.querySelectorAll('.explain');
  expect(explained!.all('p').map(({ textContent }) => textContent)).toEqual([
    'Wrong.',
    'At most 1, 2, first at line 3, column 4; not the other.',
  ]);
  expect(explained!.all('dd').map(({ textContent }) => textContent)).toEqual(['1', '"1"']);
  expect(drawn({ rule: 'enum' }, rules).querySelectorAll('.explain')).toEqual([]);
});

it('has buttons that close it, move on, and do what else can be done', () => {
  const actions = { close: vi.fn(), move: vi.fn(), others: [['Copy', vi.fn()]] as const };
  const root = drawn({}, [], actions);
  const named = (label: string): FakeElement =>
    root.all('button').find((one) => one.attributes['aria-label'] === label || one.textContent === label)!;
  for (const label of ['Close', 'Previous violation', 'Next violation', 'Copy']) named(label).fire('click');
  expect(actions.close).toHaveBeenCalledOnce();
  expect(actions.move.mock.calls).toEqual([[-1], [1]]);
  expect(actions.others[0][1]).toHaveBeenCalledOnce();
});
