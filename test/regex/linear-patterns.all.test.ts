/**
 * No text makes a run hang over a pattern of a schema: paylint as a process, and with threads, on texts for which RegExp would take hours.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linearMatcher } from '../../src/schema/regexp.ts';
import { BIN, type Outcome, outcomeOf } from '../spawned.ts';
import { paylint } from '../world.ts';

const HOSTILE = `${'a'.repeat(100_000)}!`;
const VALID = 'a'.repeat(100_000);

let cwd: string;
const children: ChildProcess[] = [];
beforeAll(() => {
  expect(existsSync(join(BIN, '../../dist/main.cjs')), 'npm run build makes it').toBe(true);
  cwd = mkdtempSync(join(tmpdir(), 'paylint-patterns-'));
});
afterAll(() => {
  // A run that hangs answers no other signal.
  for (const child of children) child.kill('SIGKILL');
  rmSync(cwd, { recursive: true });
});

function write(name: string, value: unknown): string {
  writeFileSync(join(cwd, name), JSON.stringify(value));
  return name;
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [BIN, ...args, '--no-config'], { cwd, env: { ...process.env, ...env } });
  children.push(child);
  return outcomeOf(child);
}

/** Of each line of the report, what was found where. */
function violations(stdout: string): string[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines
    .map((line): { pointer?: string; rule?: string } => JSON.parse(line)) // our own report
    .filter(({ rule }) => rule !== undefined)
    .map(({ pointer, rule }) => `${rule} at ${pointer?.replace(HOSTILE, 'HOSTILE').replace(VALID, 'VALID')}`);
}

describe('a hostile text of 100 kB', () => {
  it('violates a pattern', async () => {
    const schema = write('pattern.schema.json', { type: 'array', items: { pattern: '^(a+)+$' } });
    const payload = write('pattern.json', [VALID, HOSTILE, 'b', 'aa']);
    const { code, stdout, stderr } = await run([
      'validate',
      '--schema',
      schema,
      '--whole',
      '--format',
      'ndjson',
      payload,
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(violations(stdout)).toEqual(['pattern at /1', 'pattern at /2']);
  });

  it('is a name that no pattern is for', async () => {
    const schema = write('names.schema.json', {
      patternProperties: { '^(a|a)*$': { type: 'integer' }, '^(?:\\w+\\s?)*$': true },
      additionalProperties: { type: 'boolean' },
    });
    const payload = write('names.json', { [VALID]: 'x', [HOSTILE]: 1, 'b ': 3 });
    const { code, stdout, stderr } = await run(['validate', '--schema', schema, '--format', 'ndjson', payload]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(violations(stdout)).toEqual(['type at /VALID', 'type at /HOSTILE']);
  });

  it('is seen by fill', async () => {
    const schema = write('fill.schema.json', {
      type: 'object',
      properties: { a: { pattern: '^(a+)+$' }, b: { default: 1 } },
      if: { properties: { a: { pattern: '^(a+)+!$' } } },
      // biome-ignore lint/suspicious/noThenProperty: a schema
      then: { properties: { c: { default: 2 } } },
    });
    const payload = write('fill.json', { a: HOSTILE });
    const { code, stdout } = await run(['fill', '--schema', schema, payload]);
    expect([code, stdout.replace(HOSTILE, '')]).toEqual([1, '{"a":"","c":2,"b":1}']);
  });
});

/** Notes in a file every thread that a process starts. */
const NOTE_THREADS = `
const threads = require('node:worker_threads');
const { Worker, isMainThread } = threads;
class Noted extends Worker {
  constructor(...options) {
    super(...options);
    require('node:fs').appendFileSync(__dirname + '/started', '1');
  }
}
if (isMainThread) threads.Worker = Noted;
`;

describe('threads', () => {
  it('match in linear time as well, and find the same', async () => {
    writeFileSync(join(cwd, 'note-threads.cjs'), NOTE_THREADS);
    const schema = write('lines.schema.json', { pattern: '^(a+)+$' });
    const line = (i: number): string => JSON.stringify((i % 2 === 0 ? HOSTILE : VALID).slice(i));
    writeFileSync(join(cwd, 'lines.ndjson'), Array.from({ length: 1000 }, (_, i) => `${line(i)}\n`).join(''));
    const report = ['--format', 'line', '--max-violations', '0', '--quiet'];
    const args = ['validate', '--schema', schema, ...report, 'lines.ndjson', '--threads'];
    const noted = { NODE_OPTIONS: `--require=${join(cwd, 'note-threads.cjs')}` };
    const one = await run([...args, '1'], noted);
    expect(existsSync(join(cwd, 'started'))).toBe(false);
    const two = await run([...args, '2'], noted);
    expect(readFileSync(join(cwd, 'started'), 'utf8')).toBe('1');
    expect({ code: one.code, stderr: one.stderr }).toEqual({ code: 1, stderr: '' });
    expect(one.stdout.match(/^lines\.ndjson:\d+:1: .*pattern/gm)).toHaveLength(500);
    expect(two).toEqual(one);
  });
});

describe('the matcher of a pattern', () => {
  it('says what RegExp says, where that has to match, too', () => {
    for (const source of ['^(a+)+$', '(a)\\1', '(?<=b)a', '', '^a/b$']) {
      const regExp = new RegExp(source, 'u');
      const linear = linearMatcher(source);
      for (const text of ['a', 'aa', 'ba', 'a/b', '', 'c'])
        expect([source, text, linear(text)]).toEqual([source, text, regExp.test(text)]);
    }
  });

  it('refuses what RegExp refuses, before anything is matched', async () => {
    expect(() => linearMatcher('(')).toThrow(SyntaxError);
    // Without the flag it is one.
    expect(linearMatcher('[\\w-.]')('-')).toBe(true);
    const schema = write('bad.schema.json', { properties: { a: { pattern: '(' } } });
    const { code, stderr } = await paylint(['validate', '--schema', schema], { cwd, stdin: '{}' });
    expect(code).toBe(2);
    expect(stderr).toContain('bad.schema.json#/properties/a/pattern: Invalid regular expression: /(/u');
  });
});
