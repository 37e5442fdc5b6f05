/**
 * `--shard`: for any sources and any number of shares, each source is in exactly one of them, whatever the order in which they are named, and
 * none has much more than another. And reports of shares, merged, are the report of one run.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { baselineText } from '../../src/report/baseline.ts';
import { sourcesOfShard } from '../../src/source/shard.ts';
import type { Source } from '../../src/types.ts';
import { rounds } from '../rounds.ts';
import { SCRATCH } from '../tools.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(SCRATCH, 'paylint-shard-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = (name: string): Source => ({ name, path: name, regular: true, framing: null, kind: null });

const files = fc.uniqueArray(fc.record({ name: fc.string({ minLength: 1 }), size: fc.nat(10_000_000) }), {
  selector: ({ name }) => name,
  maxLength: 60,
});

it('shares are complete, disjoint, stable and balanced', () => {
  fc.assert(
    fc.property(files, fc.integer({ min: 1, max: 9 }), (list, count) => {
      const sizes = new Map(list.map(({ name, size }) => [name, size]));
      const sizeOf = ({ name }: Source): number => sizes.get(name)!;
      const sources = list.map(({ name }) => source(name));
      const share = (of: readonly Source[], k: number): string[] =>
        sourcesOfShard(of, { index: k, count }, sizeOf).map(({ name }) => name);
      const shares = Array.from({ length: count }, (_, i) => share(sources, i + 1));
      expect(shares.flat().sort()).toEqual(sources.map(({ name }) => name).sort());
      for (const [i, names] of shares.entries())
        expect(share([...sources].reverse(), i + 1).sort()).toEqual([...names].sort());
      const loads = shares.map((names) => names.reduce((sum, name) => sum + sizes.get(name)! + (1 << 14), 0));
      // No share is more than the largest file above another.
      const largest = Math.max(0, ...sizes.values()) + (1 << 14);
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(largest);
    }),
    { numRuns: 300 },
  );
});

const VALID = '{"@context":"c","@type":"t","emoji":"a"}';
const LINES = [VALID, '{"emoji":1}', '{', VALID, '{"@type":"Artcle"}', '{"@type":"Contract"}'];

beforeAll(() => {
  mkdirSync(join(folder, 'in/deep'), { recursive: true });
  for (let i = 0; i < 23; i++) {
    const lines = Array.from({ length: 1 + ((i * 7) % 30) }, (_, j) => LINES[(i + j) % LINES.length]!);
    writeFileSync(join(folder, `in/${i % 3 ? 'deep/' : ''}${i}.ndjson`), lines.join('\n'));
  }
  writeFileSync(join(folder, 'in/bad.json.gz'), Buffer.from([0x1f, 0x8b, 8, 0, 1]));
});

const timeless = (text: string): string =>
  text.replaceAll(/"elapsedMs":\d+/g, '"elapsedMs":0').replaceAll(/[\d.]+ (?:ms|s)$/gm, '<time>');

/** Without what no report carries: the bytes of regions, and fixes. */
const withoutBytes = (text: string): string =>
  text.replaceAll(/,"byteOffset":\d+,"byteLength":\d+/g, '').replaceAll(/"fixes":.*?,(?="properties":)/g, '');

describe.each([
  ['validate', 4],
  ['validate', 40],
  ['fill --check', 3],
])('reports of %s in %i shares', (verb, count) => {
  const runShards = async (): Promise<string[]> => {
    const names: string[] = [];
    for (let k = 1; k <= count; k++) {
      const name = `report-${k}.ndjson`;
      const args = [...verb.split(' '), 'in', 'none', '--shard', `${k}/${count}`, '--format', `ndjson=${name}`];
      await paylint(args, { cwd: folder });
      names.unshift(name);
    }
    return names;
  };

  it('are together the report of one run, in every format', async () => {
    const names = await runShards();
    const formats = ['ndjson', 'json', 'gitlab', 'sarif', 'junit', 'line'];
    const into = (end: string) => formats.flatMap((format) => ['--format', `${format}=${format}.${end}`]);
    const one = await paylint([...verb.split(' '), 'in', 'none', ...into('one')], { cwd: folder });
    const merged = await paylint(['render', ...names, ...into('merged')], { cwd: folder });
    expect(merged.code).toBe(one.code);
    for (const format of formats) {
      const [whole, together] = ['one', 'merged'].map((end) => readFileSync(join(folder, `${format}.${end}`), 'utf8'));
      expect(timeless(together!)).toBe(timeless(withoutBytes(whole!)));
    }
    if (verb === 'validate') {
      const entry = { file: 'in/3.ndjson', pointer: '/emoji', rule: 'type', count: 1 };
      const baseline = join(folder, 'known.ndjson');
      writeFileSync(baseline, baselineText([entry]));
      const flags = ['--baseline', 'known.ndjson', '--format', 'ndjson'];
      const one = await paylint(['validate', 'in', 'none', ...flags], { cwd: folder });
      const merged = await paylint(['render', ...names, ...flags], { cwd: folder });
      expect(timeless(merged.stdout)).toBe(timeless(one.stdout));
      expect(merged.code).toBe(one.code);
      expect(merged.stdout).toContain('"known":1');
      const updates: string[] = [];
      for (const args of [
        ['validate', 'in'],
        ['render', ...names],
      ]) {
        writeFileSync(baseline, baselineText([{ ...entry, rule: 'gone' }]));
        await paylint([...args, ...flags, '--update-baseline'], { cwd: folder });
        updates.push(readFileSync(baseline, 'utf8'));
      }
      expect(updates[1]).toBe(updates[0]);
      expect(updates[0]).not.toContain('gone');
    }
    const all = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
    const joined = await paylint(['render', '--format', 'ndjson'], { cwd: folder, stdin: all });
    const separate = await paylint(['render', ...names, '--format', 'ndjson'], { cwd: folder });
    expect(joined).toEqual(separate);
  });
});

it('render says of members that were only looked for that fill would fill them, and fails as --check does', async () => {
  const payload = {
    '@id': '/articles/1',
    '@type': 'Article',
    application: { '@id': '/applications/1' },
    author: { '@id': '/workers/7', '@type': 'Worker' },
    content: 'x',
    publishStatus: { '@id': 'Published' },
    moderationStatus: { '@id': 'PassedModeration' },
  };
  writeFileSync(join(folder, 'gap.json'), JSON.stringify(payload));
  const said = async (...args: string[]): Promise<readonly [number, string]> => {
    const one = await paylint([...args, 'gap.json', '--format', 'ndjson=gap.report'], { cwd: folder });
    const { code, stdout } = await paylint(['render', 'gap.report', '--format', 'line'], { cwd: folder });
    expect(code).toBe(one.code);
    return [code, /(would fill|filled) 3 members in 1 file/.exec(stdout)?.[1] ?? stdout];
  };
  expect(await said('fill')).toEqual([0, 'filled']);
  expect(await said('fill', '--check')).toEqual([1, 'would fill']);
  expect(await said('fill', '--diff')).toEqual([0, 'would fill']);
});

describe('compare and coverage of shares, rendered, are byte for byte the whole run', () => {
  const random = seeded(25);
  const names = Array.from({ length: 9 }, (_, i) => `of-shares-${i}.ndjson`);
  const pick = (...values: readonly unknown[]): unknown => values[random(values.length)];

  function writeAll(): void {
    const old = { properties: { a: { type: 'integer' }, b: { enum: ['x', 'y'] } } };
    const now = {
      properties: { a: { minimum: 5 }, b: { enum: ['x'] }, c: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      required: ['a'],
    };
    writeFileSync(join(folder, 'old.json'), JSON.stringify(old));
    writeFileSync(join(folder, 'now.json'), JSON.stringify(now));
    for (const name of names) {
      const lines = Array.from({ length: 1 + random(12) }, () =>
        JSON.stringify({
          a: pick(1, 6, 7, 'q', undefined),
          b: pick('x', 'y', undefined),
          c: pick('x', null, 3, undefined),
        }),
      );
      writeFileSync(join(folder, name), lines.join('\n'));
    }
  }

  async function outputs(verb: readonly string[], format: string, share: string): Promise<readonly [string, string]> {
    const timeless = ({ stdout }: { readonly stdout: string }): string =>
      stdout.replace(/"elapsedMs":\d+|· [\d.]+ m?s|time="[^"]*"/gm, '<time>');
    const args = [...verb, ...names, '--no-config', '--schema', 'now.json'];
    const whole = await paylint([...args, '--format', format], { cwd: folder });
    const shares: string[] = [];
    for (let k = 1; k <= 3; k++) {
      const out = await paylint([...args, '--shard', `${k}/3`, '--format', share], { cwd: folder });
      writeFileSync(join(folder, `share-${k}`), out.stdout);
      shares.splice(random(k), 0, `share-${k}`);
    }
    return [timeless(await paylint(['render', ...shares, '--format', format], { cwd: folder })), timeless(whole)];
  }

  it.each(['json', 'ndjson', 'line', 'github', 'gitlab', 'junit'])('compare in %s', async (format) => {
    for (let i = 0; i < rounds(12); i++) {
      writeAll();
      const [merged, whole] = await outputs(['compare', '--against', 'old.json'], format, 'ndjson');
      expect(merged).toBe(whole);
    }
  });

  it.each(['json', 'pretty', 'lcov', 'html'])('coverage in %s', async (format) => {
    for (let i = 0; i < rounds(12); i++) {
      writeAll();
      const [merged, whole] = await outputs(['coverage'], format, 'json');
      expect(merged).toBe(whole);
    }
  });
});
