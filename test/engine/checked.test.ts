/**
 * Lines read with checks: those whose checks hold are passed over, the others are reported with their place, whatever is
 * around them; and the counts are those of a model in JavaScript.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { paylint } from '../world.ts';

const cwd = mkdtempSync(join(tmpdir(), 'paylint-checked-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const SCHEMA = { type: 'object', required: ['n'], properties: { n: { type: 'integer' }, d: { default: 1 } } };
const CHECKS = [{ id: 'small', assert: 'self.n < 7', message: 'n is not small' }];
writeFileSync(join(cwd, 's.json'), JSON.stringify(SCHEMA));
writeFileSync(join(cwd, 'paylint.config.json'), JSON.stringify({ schema: 's.json', checks: CHECKS }));

interface Line {
  readonly text: string;
  /** Null: it is blank. */
  readonly rule: string | null;
}

/** Lines with what each is by the schema and the check; `valid`: nothing. */
function linesOf(count: number, seed: number): Line[] {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  return Array.from({ length: count }, () => {
    const n = random(10);
    const around = (text: string): string => `${pick(['', '', ' ', '\t '])}${text}${pick(['', '', ' ', '\r'])}`;
    return pick([
      { text: around(`{"n":${n}}`), rule: n < 7 ? 'valid' : 'check/small' },
      { text: around(`{"n":${n},"d":2}`), rule: n < 7 ? 'valid' : 'check/small' },
      { text: around(`{"n":${n},"x":"${'é'.repeat(40)}"}`), rule: n < 7 ? 'valid' : 'check/small' },
      { text: around('{"n":"1"}'), rule: 'type' },
      { text: pick(['', ' ', '\r']), rule: null },
      { text: `{"n":${n}`, rule: 'json-syntax' },
    ]);
  });
}

/** The violations, by line; the counts of the run must fit them. */
async function reported(text: string, ...flags: string[]): Promise<readonly [line: number, rule: string][]> {
  writeFileSync(join(cwd, 'p.ndjson'), text);
  const { stdout } = await paylint(['validate', 'p.ndjson', '--format', 'ndjson', ...flags], { cwd });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  // Of a payload that is not JSON, and of one that breaks the schema, the check says nothing that counts here.
  const found = events.filter(({ type, rule }) => type === 'violation' && rule !== 'check/small/evaluation');
  const payloads = text.split('\n').filter((line) => line.trim() !== '').length;
  const valid = payloads - new Set(found.map(({ line }) => line)).size;
  expect(events.at(-1)).toMatchObject({ payloads, valid });
  return found.map(({ line, rule }) => [line as number, rule as string]);
}

const expected = (lines: readonly Line[]): [number, string][] =>
  lines.flatMap(({ rule }, i): [number, string][] => (rule === null || rule === 'valid' ? [] : [[i + 1, rule]]));

describe('lines with a check', () => {
  it.each([1, 2, 3, 4])('are reported as a model says, for random lines %i', async (seed) => {
    const lines = linesOf(3000, seed);
    const text = lines.map((one) => one.text).join('\n');
    expect(expected(lines).length).toBeGreaterThan(500);
    // With and without an end of the last line, and in parts.
    expect(await reported(text)).toEqual(expected(lines));
    expect(await reported(`${text}\n`, '--threads', '3')).toEqual(expected(lines));
  });

  it('are counted beside what fill would insert, of which a run lists only so much', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i): Line => {
      const n = i % 1000 === 999 ? 8 : 1;
      return { text: `{"n":${n}}`, rule: n < 7 ? 'valid' : 'check/small' };
    });
    const text = lines.map((one) => `${one.text}\n`).join('');
    expect(await reported(text)).toEqual(expected(lines));
    const { stdout, stderr } = await paylint(['fill', 'p.ndjson'], { cwd });
    const filled = stdout.trimEnd().split('\n');
    expect(filled).toHaveLength(60_000);
    expect(filled.filter((line) => !/^\{"n":[18],"d":1\}$/.test(line))).toEqual([]);
    expect(stderr).toContain('60 violations');
  });

  it('are too large by --max-payload-bytes as without a check', async () => {
    const long = `{"n":1,"x":"${'x'.repeat(200)}"}`;
    expect(await reported(`{"n":1}\n${long}\n{"n":9}\n`, '--max-payload-bytes', '100')).toEqual([
      [2, 'payload-too-large'],
      [3, 'check/small'],
    ]);
  });

  it('are read by the kind of each', async () => {
    const checks = [{ id: 'e', kind: 'emoji', assert: 'self.emoji != "x"', message: 'x' }];
    writeFileSync(join(cwd, 'kinds.json'), JSON.stringify({ checks }));
    const emoji = (text: string): string => `{"@context":"c","@type":"Emoji","emoji":"${text}"}`;
    const article = '{"@type":"Article","title":"t"}';
    const found = await reported(`${emoji('a')}\n${article}\n${emoji('x')}\n`, '--config', 'kinds.json');
    expect(found.filter(([, rule]) => rule.startsWith('check/'))).toEqual([[3, 'check/e']]);
  });
});
