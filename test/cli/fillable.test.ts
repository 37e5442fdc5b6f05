/** The summary says how many members `fill` adds in all to files with a fixable violation: as many as `fill` says itself. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Interrupted } from '../../src/errors.ts';
import { fillableIn } from '../../src/run/fillable.ts';
import type { Job } from '../../src/run/job.ts';
import type { Io } from '../../src/source/io.ts';
import { SCRATCH } from '../tools.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(SCRATCH, 'paylint-fillable-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SCHEMA = {
  type: 'object',
  required: ['a'],
  properties: { a: { default: 1 }, b: { default: 2 }, o: { properties: { x: { default: 0 } } }, n: { type: 'number' } },
};
const FILES = {
  'fixable.ndjson': '{"n":1}\n{"a":3,"o":{}}\n{\n{"n":"x"}\n',
  'valid.ndjson': '{"a":1}\n',
  'wrong.json': '{"a":1,"n":"x"}',
  'other.json': '{"o":{}}',
  'bad.json': JSON.stringify({ required: ['a'], properties: { a: { type: 'string', default: 1 } } }),
};

beforeAll(() => {
  writeFileSync(join(folder, 's.json'), JSON.stringify(SCHEMA));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});

async function summaryOf(args: readonly string[], stdin = ''): Promise<{ readonly fillable?: number }> {
  const { stdout } = await paylint(['validate', '--format', 'ndjson', ...args], { cwd: folder, stdin });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
}

describe('members that fill adds in all', () => {
  const OWN = ['--schema', 's.json'];
  const BOTH = ['fixable.ndjson', 'other.json'];

  it('are those of the files with a fixable violation', async () => {
    const { stdout } = await paylint(['fill', '--check', ...BOTH, ...OWN], { cwd: folder });
    expect(stdout).toContain('would fill 9 members in 2 files');
    for (const more of [
      [],
      ['valid.ndjson', 'wrong.json'],
      ['--redact'],
      ['--threads', '2'],
      ['--max-violations', '1'],
    ])
      expect(await summaryOf([...BOTH, ...more, ...OWN]), more.join(' ')).toMatchObject({ fillable: 9 });
    const { stdout: text } = await paylint(['validate', ...BOTH, ...OWN], { cwd: folder });
    expect(text).toContain('3 fixable with paylint fill, which adds 9 members in all ·');
  });

  it('are not counted where nothing is fixable, nor known', async () => {
    expect(await summaryOf(['valid.ndjson', 'wrong.json', ...OWN])).not.toHaveProperty('fillable');
    expect(await summaryOf(['-', ...OWN], FILES['other.json'])).not.toHaveProperty('fillable');
    expect(await summaryOf(['other.json', '--schema', 'bad.json'])).not.toHaveProperty('fillable');
    expect(await summaryOf([...BOTH, '--bail', ...OWN])).not.toHaveProperty('fillable');
    expect(await summaryOf([...BOTH, '--with-defaults', ...OWN])).not.toHaveProperty('fillable');
  });

  it('add up over shards', async () => {
    const files = [...BOTH, 'valid.ndjson', 'wrong.json'];
    const whole = await paylint(['validate', ...files, ...OWN], { cwd: folder });
    for (const shard of ['1/2', '2/2']) {
      const name = `${shard[0]}.report`;
      await paylint(['validate', ...files, ...OWN, '--shard', shard, '--format', `ndjson=${name}`], { cwd: folder });
    }
    const rendered = await paylint(['render', '1.report', '2.report'], { cwd: folder });
    const last = (text: string): string =>
      text
        .trimEnd()
        .split('\n')
        .at(-1)!
        .replace(/[^·]*$/, '');
    expect(last(rendered.stdout)).toBe(last(whole.stdout));
    expect(last(whole.stdout)).toContain('adds 9 members in all');
  });

  it('are left out if a signal comes while they are counted, for the report is complete without them', async () => {
    const { signal } = new AbortController();
    const interrupted = () => Promise.reject(new Interrupted(signal));
    const job = { options: {} } as Job;
    expect(await fillableIn(new Set(), job, interrupted, { interrupt: signal } as Io)).toBe(null);
    const bug = () => Promise.reject(new TypeError('a bug'));
    await expect(fillableIn(new Set(), job, bug, { interrupt: signal } as Io)).rejects.toThrow('a bug');
  });
});
