/** When code that notes violations is made: after many payloads, or at once for a large one, which is reported as the judge would. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NOTED, type NotingParts, notingSource } from '../../src/engine/thresholds.ts';
import { SCRATCH } from '../tools.ts';
import { paylint } from '../world.ts';

/** The number of payloads of `size` bytes with which noting begins. */
function payloadsBefore(size: number, nodes: number): number {
  const set = { nodes: Array.from({ length: nodes }) } as unknown as Awaited<ReturnType<NotingParts['load']>>;
  const begin = () => {
    throw new Error('nothing is noted here');
  };
  const noting = notingSource({ precompiled: null, load: () => set, after: NOTED.run, make: () => begin });
  let payloads = 1;
  while (noting(null, size) === null) payloads++;
  return payloads;
}

describe('code that notes violations is made', () => {
  const few = NOTED.nodes;
  it.each<[string, number, number, number]>([
    ['after many small payloads', 20, few, 298],
    ['after half as many of 2 kB', NOTED.bytes, few, 151],
    ['at once for a large one', 1_000_000, few, 1],
    ['later for a schema with many subschemas', 1_000_000, few + 1, 11],
  ])('%s', (_, size, nodes, payloads) => {
    expect(payloadsBefore(size, nodes)).toBe(payloads);
  });
});

describe('a large document', () => {
  const folder = mkdtempSync(join(SCRATCH, 'paylint-large-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is reported as the judge reports a small one with the same features', async () => {
    const feature = (i: number): unknown => ({
      type: i === 7 ? 'Featur' : 'Feature',
      id: i,
      properties: i === 8 ? { lanes: 'x', other: 1 } : { name: `Feature number ${i}`, lanes: i === 9 ? -1 : 2 },
      ...(i === 10 ? {} : { geometry: { type: 'Point', coordinates: i === 11 ? [1] : [i, i / 2] } }),
    });
    const text = (count: number): string =>
      `{"type":"FeatureCollection","features":[\n${Array.from({ length: count }, (_, i) => JSON.stringify(feature(i))).join(',\n')}\n]}`;
    const coordinates = { type: 'array', minItems: 2, items: { type: 'number' } };
    const geometry = { required: ['type', 'coordinates'], properties: { type: { enum: ['Point'] }, coordinates } };
    const properties = {
      additionalProperties: false,
      properties: { name: { type: 'string' }, lanes: { type: 'integer', minimum: 0 } },
    };
    const items = {
      ...{ type: 'object', required: ['properties', 'geometry'] },
      properties: { type: { const: 'Feature' }, properties, geometry },
    };
    const schema = { type: 'object', properties: { features: { type: 'array', items } } };
    writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
    for (const format of ['pretty', 'json', 'github', 'junit', 'gitlab', 'line']) {
      const reports: string[] = [];
      for (const count of [20, 15_000]) {
        writeFileSync(join(folder, 'p.json'), text(count));
        const { stdout } = await paylint(['validate', 'p.json', '-s', 's.json', '-f', format], { cwd: folder });
        reports.push(stdout.replace(/"elapsedMs":\d+|· [\d.]+ m?s\n|"?time="?[^ >]*/g, ''));
      }
      expect(reports[1], format).toBe(reports[0]);
      expect(reports[0], format).toContain('expected an integer');
    }
  });
});
