/** The state of the page in its address: written and read again it is the same, and what others write there is no fault. */
import { describe, expect, it } from 'vitest';
import { isFiltered, readState, type State, toggled, withoutFilters, writeState } from '../../src/page/state.ts';

const START = readState('');
const FULL: State = {
  ...START,
  picked: { ...START.picked, rule: new Set(['type', 'a&b=c#d']), file: new Set(['ü/%20.json']), kind: new Set(['']) },
  query: 'two words + more',
  part: { file: 'a:1-2:\n.json', from: 3, to: 40 },
  order: 'message',
  descending: true,
  open: 12,
};

describe('the address', () => {
  it('has nothing of a page that was just opened', () => {
    expect(writeState(START)).toBe('#');
    expect(START).toMatchObject({ query: '', part: null, order: 'place', descending: false, open: null });
  });

  it('has all of the state, whatever characters there are', () => {
    expect(readState(writeState(FULL))).toEqual(FULL);
    expect(writeState(readState(writeState(FULL)))).toBe(writeState(FULL));
  });

  it.each([
    ['sort=size', { order: 'place' }],
    ['open=-1', { open: null }],
    ['open=1e3', { open: null }],
    ['open=1234567890', { open: null }],
    ['open=0', { open: 0 }],
    ['part=1-2', { part: null }],
    ['part=a-2:f', { part: null }],
    ['part=1-2:', { part: { file: '', from: 1, to: 2 } }],
    ['%%%', { query: '' }],
  ])('#%s is read', (hash, expected) => {
    expect(readState(`#${hash}`)).toMatchObject(expected);
    expect(readState(hash)).toMatchObject(expected);
  });
});

describe('filters', () => {
  it('are what is picked, searched, and a part of a file; not the order, nor what is open', () => {
    expect(isFiltered(START)).toBe(false);
    expect(isFiltered({ ...START, order: 'rule', descending: true, open: 3 })).toBe(false);
    for (const one of [{ query: 'x' }, { part: FULL.part }, { picked: FULL.picked }])
      expect(isFiltered({ ...START, ...one })).toBe(true);
  });

  it('are picked and no longer picked by the same click, and the state before stays', () => {
    const once = toggled(START, 'rule', 'type');
    expect([...once.picked.rule]).toEqual(['type']);
    expect([...toggled(toggled(once, 'rule', 'enum'), 'rule', 'type').picked.rule]).toEqual(['enum']);
    expect(START.picked.rule.size).toBe(0);
  });

  it('are ended together', () => {
    const plain = withoutFilters(FULL);
    expect(isFiltered(plain)).toBe(false);
    expect(plain).toMatchObject({ order: 'message', descending: true, open: 12 });
  });
});
