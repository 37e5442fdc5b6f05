/**
 * The topics of the help are complete: every format, framing and key of the config is in them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../src/report/report-formats.ts';
import { FRAMING_ALIASES, FRAMINGS } from '../../src/types.ts';
import { paylint } from '../world.ts';

const CONFIG = JSON.parse(readFileSync(join(import.meta.dirname, '../../schemas/config.schema.json'), 'utf8')) as {
  properties: object; // our own schema
};

it.each([
  ['formats', FORMAT_NAMES],
  ['framing', [...FRAMINGS, ...Object.keys(FRAMING_ALIASES)]],
  ['config', Object.keys(CONFIG.properties)],
])('%s', async (topic, names) => {
  const { code, stdout } = await paylint(['help', topic], { cwd: import.meta.dirname });
  expect(code).toBe(0);
  const words = stdout.split(/[\s,.]+/);
  expect(names.filter((name) => !words.includes(name))).toEqual([]);
  expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

it('the help names the topics', async () => {
  const { stdout } = await paylint(['help'], { cwd: import.meta.dirname });
  expect(stdout).toMatch(/help \[verb\].*formats, framing, config/);
});
