/** The top of the page: the verdict in words, the totals, the share that is valid, and what was left out. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawFailures, drawVerdict } from '../../src/page/verdict.ts';
import type { EndData } from '../../src/report/html-data.ts';
import type { Summary } from '../../src/types.ts';
import { asElement, FakeElement, fakeDocument, modelOf, row, summary } from './page-world.ts';

beforeEach(() => fakeDocument());
afterEach(() => vi.unstubAllGlobals());

const endOf = (fields: Partial<Summary>, more: Partial<EndData> = {}): EndData => ({
  ...{ version: '1.2.3', summary: summary(fields), fixable: 0, failures: [], rules: [], notes: [] },
  ...more,
});

function drawn(end: EndData | null, rows = [row({})], hasFiles = true) {
  const root = new FakeElement();
  const title = drawVerdict({ end, rows }, asElement(root), hasFiles);
  return { root, title };
}

describe('the verdict', () => {
  it.each<[string, string, Partial<Summary>]>([
    ['bad', '✗ 3 violations in 2 of 1,000 payloads', { violations: 3, invalid: 2, payloads: 1000, failures: 1 }],
    ['bad', '✗ 1 file could not be checked', { failures: 1, payloads: 5 }],
    ['empty', '✓ Nothing to check', {}],
    ['good', '✓ No new violations', { payloads: 5, known: 2 }],
    ['good', '✓ The payload is valid', { payloads: 1 }],
    ['good', '✓ All 2 payloads are valid', { payloads: 2, warnings: 1 }],
  ])('%s: %s', (look, title, fields) => {
    const { root, title: found } = drawn(endOf(fields));
    expect([root.className, found]).toEqual([look, title]);
    expect(`${title.slice(0, 2)}${root.all('h1')[0]!.textContent}`).toBe(title);
  });

  it('of a report that was cut off is what it lists, and says so', () => {
    const { root, title } = drawn(null, [row({}), row({ severity: 'warning' })]);
    expect(title).toBe('✗ 1 violation');
    expect(root.all('p').at(-1)!.textContent).toBe('This report was cut off before its end.');
    expect(drawn(null, []).title).toBe('✗ No violations');
  });
});

describe('the facts', () => {
  it('are files and time, and arrays that are one payload each', () => {
    const end = endOf({ payloads: 1, sources: 2, elapsedMs: 1500, arrays: 1 });
    const words = 'paylint 1.2.3 · 2 files · 1.5 s · 1 array is one payload, as the schema says';
    expect(drawn(end).root.all('p')[0]!.textContent).toBe(words);
    expect(drawn(end, [], false).root.all('p')[0]!.textContent).not.toContain('files');
  });

  it('are totals, of which the unusual ones are there only if there are some', () => {
    const totals = (end: EndData, hasFiles = true) => {
      const [list] = drawn(end, [], hasFiles).root.all('dl');
      return list!.children.map((cell) =>
        (cell as FakeElement).children.map((one) => (one as FakeElement).textContent).join(' '),
      );
    };
    expect(totals(endOf({ payloads: 1234, valid: 1234 }))).toEqual([
      'Payloads 1,234',
      'Valid 1,234',
      'Invalid 0',
      'Violations 0',
      'Files 1',
    ]);
    const many = endOf(
      { warnings: 2, known: 3, empty: 4, failures: 5, tolerated: { invalid: 6 } as never },
      { fixable: 7 },
    );
    expect(totals(many, false).slice(4)).toEqual([
      'Warnings 2',
      'Known 3',
      'Tolerated 6',
      'Fixable 7',
      'Files without a payload 4',
      'Failures 5',
    ]);
  });

  it.each([
    [1000, 999, '99.90 % of the payloads are valid'],
    [3, 2, '67 % of the payloads are valid'],
    [4, 4, '100 % of the payloads are valid'],
    [0, 0, '0 % of the payloads are valid'],
  ])('of %i payloads %i are valid: %s', (payloads, valid, words) => {
    const { root } = drawn(endOf({ payloads, valid }));
    const share = root.all('div').find(({ attributes }) => attributes.class === 'share')!;
    expect(share.attributes['aria-label']).toBe(words);
  });

  it('are what the page leaves out, and that the run was stopped', () => {
    const { root } = drawn(endOf({ payloads: 1, interrupted: true }, { notes: ['One more.'] }));
    const notes = root.all('p').filter(({ attributes }) => attributes.class === 'note');
    expect(notes.map(({ textContent }) => textContent)).toEqual([
      'The run was stopped before all files were checked.',
      'One more.',
    ]);
  });
});

describe('what could not be checked', () => {
  it('is listed, harmless, or there is nothing', () => {
    const root = new FakeElement();
    const failures = [{ file: 'a\n.json', message: 'no\u202e such file' }];
    drawFailures({ ...modelOf([]), end: endOf({}, { failures }) }, asElement(root));
    expect(root.hidden).toBe(false);
    expect(root.all('li').map(({ textContent }) => textContent)).toEqual(['a\\u000a.json: no\\u202e such file']);
    drawFailures(modelOf([]), asElement(root));
    expect(root.hidden).toBe(true);
  });
});
