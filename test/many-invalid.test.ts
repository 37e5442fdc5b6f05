/**
 * Many invalid payloads: those after the first thousands are not examined, and have the same violations.
 */
import { describe, expect, it } from 'vitest';
import { openPaylint } from '../src/library/open.ts';

const WRONG = [
  '{"emoji":1,"@type":"Emoji"}',
  '{"@type":"Contract"}',
  '{"@type":"Article","content":"","title":7,"tags":[1,"a"],"x":{"y":1}}',
  '{"@type":"Emoji","emoji":"é","more":{"a":[1]}}',
  '{"@type":"Artcle"}',
  '{"@type":"Article","content":"a","content":"b"}',
];

describe('a source with many invalid payloads', () => {
  it('has the same violations from its first payload to its last', async () => {
    const paylint = await openPaylint();
    const first: string[] = [];
    let count = 0;
    const lines = Buffer.from(`${Array.from({ length: 1200 }, () => WRONG.join('\n')).join('\n')}\n`);
    for await (const { index, violations } of paylint.payloads(lines, { input: 'lines' })) {
      const facts = JSON.stringify(
        violations.map(({ payload: _, line: __, endLine: ___, offset: ____, params, ...rest }) => [
          rest,
          // Where the first of two members is depends on the line.
          'first' in params ? null : params,
        ]),
      );
      const kind = index % WRONG.length;
      first[kind] ??= facts;
      expect(facts).toBe(first[kind]);
      count++;
    }
    expect(count).toBe(1200 * WRONG.length);
  });
});
