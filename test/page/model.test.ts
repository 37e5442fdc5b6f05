/** The data of the page: read from its compressed blocks, in their order, and counted by the value of each facet. */
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { NONE, readModel } from '../../src/page/model.ts';
import { row } from './page-world.ts';

afterEach(() => vi.unstubAllGlobals());

/** A page with these blocks; the names of those that are removed go into `removed`. */
function page(blocks: readonly (readonly [part: string, data: object])[], removed: string[] = []): void {
  const scripts = blocks.map(([part, data]) => ({
    textContent: gzipSync(JSON.stringify(data)).toString('base64'),
    dataset: { part },
    remove: () => removed.push(part),
  }));
  vi.stubGlobal('document', { querySelectorAll: () => scripts });
}

const ROWS = [
  row({ rule: 'type', pattern: '/*', pointer: '/0', kind: null, message: 'é 👍' }),
  row({ rule: 'enum', pattern: '/*', pointer: '/1', fix: 'fill', file: 'b.json' }),
];

it('has the rows and files of all blocks, and the end', async () => {
  const removed: string[] = [];
  const end = { version: '1', notes: [] };
  const first = { rows: ROWS.slice(0, 1), sources: [{ file: 'a.json', payloads: 1 }] };
  const second = { rows: ROWS.slice(1), sources: [{ file: 'a.json', payloads: 2 }, { file: 'b.json' }] };
  page(
    [
      ['block', first],
      ['block', second],
      ['end', end],
    ],
    removed,
  );
  const model = await readModel();
  expect(model.rows).toEqual(ROWS);
  expect([...model.sources]).toEqual([
    ['a.json', { file: 'a.json', payloads: 2 }],
    ['b.json', { file: 'b.json' }],
  ]);
  expect(model.end).toEqual(end);
  // The page keeps them once.
  expect(removed).toEqual(['block', 'block', 'end']);
});

it('has a column for each facet: pointers with * for indexes, nothing for null', async () => {
  page([['block', { rows: [...ROWS, ROWS[0]], sources: [] }]]);
  const { columns, end } = await readModel();
  const plain = Object.entries(columns).map(([facet, { ids, names, totals }]) => [facet, [...ids], names, [...totals]]);
  expect(plain).toEqual([
    ['rule', [0, 1, 0], ['type', 'enum'], [2, 1]],
    ['kind', [0, 1, 0], [NONE, 'content'], [2, 1]],
    ['pointer', [0, 0, 0], ['/*'], [3]],
    ['file', [0, 1, 0], ['a.json', 'b.json'], [2, 1]],
    ['severity', [0, 0, 0], ['error'], [3]],
    ['fix', [0, 1, 0], [NONE, 'fill'], [2, 1]],
  ]);
  expect(end).toBeNull();
});

it('is refused if a block is not what paylint writes', async () => {
  vi.stubGlobal('document', { querySelectorAll: () => [{ textContent: 'AAAA', dataset: {}, remove: () => {} }] });
  await expect(readModel()).rejects.toThrow();
});
