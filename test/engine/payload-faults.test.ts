/**
 * A payload whose check throws, be it by a bug: it is a failure that names the payload, and the others are still checked, in threads too.
 * The fault is planted in `JSON.parse`, in every thread of a process of its own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VALID } from '../flow-world.ts';
import { type Outcome, outcomeOf, startIn } from '../spawned.ts';

const FAULTY = '{"planted":1}';
const INVALID = '{"unknown":1}';
const PLANT = `
const parse = JSON.parse;
JSON.parse = (text, reviver) => {
  if (text === '${FAULTY}') throw process.env.PLANT === 'memory' ? new RangeError('Invalid string length') : new TypeError('planted \\u001b fault');
  return parse(text, reviver);
};`;

/** More than a part that a thread does. */
const MUCH = 3 << 20;
const line = JSON.stringify(JSON.parse(VALID[0]!.toString()));

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'paylint-faults-'));
  writeFileSync(join(cwd, 'plant.cjs'), PLANT);
  writeFileSync(join(cwd, 'few.ndjson'), `${[line, line, FAULTY, INVALID, FAULTY, line].join('\n')}\n`);
  const many = Array.from({ length: Math.ceil(MUCH / line.length) }, () => line);
  for (const at of [10, many.length >> 1]) many.splice(at, 0, INVALID, FAULTY, INVALID);
  writeFileSync(join(cwd, 'many.ndjson'), `${many.join('\n')}\n`);
});

afterAll(() => rmSync(cwd, { recursive: true }));

function paylint(args: string, plant = 'bug'): Promise<Outcome> {
  const NODE_OPTIONS = `--require=./plant.cjs`;
  return outcomeOf(startIn({ ...process.env, NODE_OPTIONS, PLANT: plant }, cwd, args.split(' ')));
}

const untimed = (text: string): string =>
  text.replace(/"elapsedMs":\d+/, '"elapsedMs":0').replace(/· [\d.]+ m?s$/m, '· <time>');

describe('a payload whose check throws', () => {
  it('is a failure between the violations of the others', async () => {
    const { code, stdout, stderr } = await paylint('validate few.ndjson --format ndjson');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(events.map(({ type }) => type)).toEqual(['failure', 'violation', 'failure', 'source', 'summary']);
    expect(events[0]).toEqual({
      type: 'failure',
      file: 'few.ndjson',
      message: 'payload 2 (line 3) could not be checked: planted \u001b fault',
      payload: 2,
      line: 3,
    });
    expect(events[2]).toMatchObject({ message: 'payload 4 (line 5) could not be checked: planted \u001b fault' });
    expect(events[4]).toMatchObject({ payloads: 6, valid: 3, invalid: 3, violations: 1, failures: 2 });
    expect(code).toBe(2);
    expect(stderr).toContain('few.ndjson: payload 2 (line 3) could not be checked: planted \\u001b fault\n');
    expect(stderr.match(/this is a bug in paylint, please report it\nTypeError: .*\n +at /g)).toHaveLength(1);
  });

  it('ends the run with --bail', async () => {
    const { code, stdout } = await paylint('validate few.ndjson --format ndjson --bail');
    expect(stdout.split('\n').filter((text) => text.startsWith('{"type":"failure"'))).toHaveLength(1);
    expect(stdout).not.toContain('"violation"');
    expect(code).toBe(2);
  });

  it('shows nothing of what was thrown with --redact but where', async () => {
    const { stdout, stderr } = await paylint('validate few.ndjson --format ndjson --redact');
    expect(stdout).toContain('"message":"payload 2 (line 3) could not be checked"');
    expect(stdout + stderr).not.toContain('planted');
    expect(stderr).toMatch(/please report it\n +at /);
  });

  it('is no bug where memory is short', async () => {
    const { code, stderr } = await paylint('validate few.ndjson --format line', 'memory');
    expect(stderr).toContain('could not be checked: there is not enough memory (Invalid string length)');
    expect(stderr).not.toContain('bug');
    expect(code).toBe(2);
  });

  it('is counted by pretty as not valid', async () => {
    writeFileSync(join(cwd, 'one.ndjson'), `${line}\n${FAULTY}\n`);
    const { stdout } = await paylint('validate one.ndjson');
    expect(stdout).toContain('✗ 1 of 2 payloads valid · 1 failure');
  });

  it.each(['ndjson', 'json', 'line'])('is the same in %s with several threads', async (format) => {
    const [one, several] = [
      await paylint(`validate many.ndjson few.ndjson --format ${format} --threads 1`),
      await paylint(`validate many.ndjson few.ndjson --format ${format} --threads 3`),
    ];
    expect(untimed(several.stdout)).toBe(untimed(one.stdout));
    expect(several.code).toBe(2);
    expect(several.stderr.match(/could not be checked/g)).toHaveLength(4);
    expect(several.stderr.match(/this is a bug/g)).toHaveLength(1);
  });

  it('is left as it is by fill, which fills the others', async () => {
    const { code, stdout } = await paylint('fill few.ndjson');
    expect(code).toBe(2);
    expect(stdout.split('\n').filter((text) => text === FAULTY)).toHaveLength(2);
    expect(stdout.split('\n')).toHaveLength(7);
  });
});
