/**
 * What a config does to make a run pass is in the summary, whatever the way of the payloads: in threads, arrays and compressed files, with
 * violations that are only counted, in merged reports.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { sumOfEffects } from '../../src/report/summary.ts';
import { paylint, type WorldResult } from '../world.ts';

const root = mkdtempSync(join(tmpdir(), 'paylint-effects-'));
afterAll(() => rmSync(root, { recursive: true }));

function place(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(root, 'x'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

const run = (line: string, cwd: string, stdin = ''): Promise<WorldResult> => paylint(line.split(' '), { cwd, stdin });

/** Two violations of a rule that is off, and one that is not. */
const LINE = '{"@context":"c","@type":"t","emoji":1,"a":1,"b":1}';
const OFF = '{"rules":{"additionalProperties":"off"},"exitZero":true}';
const COUNT = 5000;
const SAID = '10,000 violations off by rules in paylint.config.json · exit 0 by exitZero in paylint.config.json';

/** The summary as one line. */
const unwrapped = (text: string): string => text.replaceAll(/\n {2}(?=\S)/g, ' ');

describe('violations of rules that are off are counted', () => {
  const array = `[${`${LINE},\n`.repeat(COUNT)}${LINE}]`;
  it.each<[string, Record<string, string | Uint8Array>]>([
    ['of lines', { 'a.ndjson': `${LINE}\n`.repeat(COUNT) }],
    ['of lines in several files', { 'a.ndjson': `${LINE}\n`.repeat(COUNT - 1), 'b.ndjson': LINE }],
    ['of compressed lines', { 'a.ndjson.gz': gzipSync(`${LINE}\n`.repeat(COUNT)) }],
    ['of an array', { 'a.json': array.replace(`${LINE},\n`, '') }],
    ['of one payload', { 'a.json': `{"@context":"c","@type":"t","emoji":1,${members(2 * COUNT)}}` }],
  ])('%s, with any number of threads', async (_, files) => {
    const folder = place({ ...files, 'paylint.config.json': OFF });
    for (const flags of ['--threads 1', '--threads 2 --max-violations 1', '--threads 2 --format line']) {
      const { code, stdout } = await run(`validate . ${flags}`, folder);
      expect([flags, code]).toEqual([flags, 0]);
      expect(unwrapped(stdout)).toContain(SAID);
      expect(stdout).not.toContain('additionalProperties');
    }
  });

  function members(count: number): string {
    return Array.from({ length: count }, (_, i) => `"m${i}":1`).join(',');
  }

  it('by fill, filter and standard input, too', async () => {
    const folder = place({ 'paylint.config.json': OFF });
    for (const line of ['validate', 'fill', 'filter', 'validate --with-defaults']) {
      const { stdout, stderr } = await run(line, folder, LINE);
      expect(stdout + stderr).toContain('2 violations off by rules in paylint.config.json');
    }
  });
});

describe('exit 0 by exitZero', () => {
  it('is not said where the exit code is another one', async () => {
    const folder = place({ 'paylint.config.json': '{"exitZero":true}', 'a.json': LINE });
    const comment =
      '{"@id":"/c","@type":"Comment","application":{"@id":"/a"},"author":{"@id":"/u","@type":"U"},"content":"","publishStatus":{"@id":"P"}}';
    writeFileSync(join(folder, 'b.json'), comment);
    const check = await run('fill --check b.json', folder);
    expect([check.code, check.stdout.includes('would fill'), check.stdout.includes('exitZero')]).toEqual([
      1,
      true,
      false,
    ]);
    const bail = await run('validate a.json --bail', folder);
    expect([bail.code, bail.stdout.includes('stopped early'), bail.stdout.includes('exitZero')]).toEqual([
      0,
      true,
      true,
    ]);
  });

  it('is in the summary of merged reports', async () => {
    const folder = place({ 'paylint.config.json': OFF, 'a.json': LINE, 'b.json': LINE });
    for (const name of ['a', 'b']) await run(`validate ${name}.json --format ndjson=${name}.ndjson`, folder);
    const { stdout } = await run('render a.ndjson b.ndjson', folder);
    expect(unwrapped(stdout)).toContain(SAID.replace('10,000', '4'));
  });
});

it('effects of several runs are added by their config', () => {
  const a = { file: 'a', exitZero: true } as const;
  const b = { file: 'a', baseline: true } as const;
  expect(sumOfEffects([a, b])).toEqual([{ file: 'a', exitZero: true, baseline: true }]);
  expect(sumOfEffects([a, { ...b, file: 'b' }])).toEqual([a, { ...b, file: 'b' }]);
});
