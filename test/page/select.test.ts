/** Which violations a view shows, in which order; and what each chart counts: all that the other filters let through. */
import { describe, expect, it } from 'vitest';
import { axesOf } from '../../src/page/axis.ts';
import { Selector } from '../../src/page/select.ts';
import { readState, type State, toggled } from '../../src/page/state.ts';
import { modelOf, row } from './page-world.ts';

const MODEL = modelOf([
  row({ rule: 'type', file: 'a.json', line: 1, pointer: '/b', message: 'Zebra' }),
  row({ rule: 'enum', file: 'a.json', line: 5, pointer: '/a', message: 'apple', suggestion: 'Apfel' }),
  row({ rule: 'type', file: 'b.json', line: 2, pointer: '/a', message: 'apple', kind: null, severity: 'warning' }),
]);
const selector = new Selector(MODEL, axesOf(MODEL));
const START = readState('');
const shown = (state: Partial<State>): number[] => [...selector.select({ ...START, ...state }).shown];

describe('the violations that are shown', () => {
  it('are all, in their order', () => {
    expect(shown({})).toEqual([0, 1, 2]);
    expect(shown({ descending: true })).toEqual([2, 1, 0]);
  });

  it('have one of the values that are picked of each facet', () => {
    const rule = toggled(START, 'rule', 'type');
    expect(shown(rule)).toEqual([0, 2]);
    expect(shown(toggled(rule, 'rule', 'enum'))).toEqual([0, 1, 2]);
    expect(shown(toggled(rule, 'file', 'b.json'))).toEqual([2]);
    expect(shown(toggled(START, 'kind', ''))).toEqual([2]);
    expect(shown(toggled(START, 'rule', 'none'))).toEqual([]);
  });

  it.each([
    ['APPLE', [1, 2]],
    ['apple type', [2]],
    ['type  apple ', [2]],
    ['b.json:2:1', [2]],
    ['apfel', [1]],
    [' ', [0, 1, 2]],
    ['apple zebra', []],
  ])('have every word that is searched: %j', (query, rows) => {
    expect(shown({ query })).toEqual(rows);
  });

  it('are in the part of the file that is picked, both ends included', () => {
    expect(shown({ part: { file: 'a.json', from: 1, to: 5 } })).toEqual([0, 1]);
    expect(shown({ part: { file: 'a.json', from: 2, to: 4 } })).toEqual([]);
    expect(shown({ part: { file: 'none.json', from: 1, to: 9 } })).toEqual([]);
  });

  it('are sorted by the text of a column, equal ones by their place', () => {
    expect(shown({ order: 'message' })).toEqual([0, 1, 2]);
    expect(shown({ order: 'pointer' })).toEqual([1, 2, 0]);
    expect(shown({ order: 'pointer', descending: true })).toEqual([0, 2, 1]);
    expect(shown({ order: 'rule' })).toEqual([1, 0, 2]);
  });
});

describe('the counts of a chart', () => {
  it('leave out its own filter, and no other', () => {
    const state = toggled(toggled(START, 'rule', 'type'), 'file', 'a.json');
    const { counts } = selector.select(state);
    const named = (facet: 'rule' | 'file' | 'severity') =>
      Object.fromEntries(MODEL.columns[facet].names.map((name, id) => [name, counts[facet][id]]));
    expect(named('rule')).toEqual({ type: 1, enum: 1 });
    expect(named('file')).toEqual({ 'a.json': 1, 'b.json': 1 });
    expect(named('severity')).toEqual({ error: 1, warning: 0 });
  });

  it('of the strips are those of all files, and of all parts', () => {
    const state = {
      ...toggled(toggled(START, 'rule', 'type'), 'file', 'a.json'),
      part: { file: 'a.json', from: 1, to: 1 },
    };
    expect([...selector.select(state).anywhere]).toEqual([0, 2]);
  });
});
