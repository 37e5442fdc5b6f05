/**
 * Patterns that only RegExp can match, and a text for which it takes for ever: a signal still ends the process, with its code.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepsRegExp } from '../../src/schema/costly.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { BIN, type Outcome, outcomeOf } from '../spawned.ts';

const HOSTILE = `"${'a'.repeat(60)}b"\n`;
const folder = mkdtempSync(join(tmpdir(), 'paylint-slow-'));

beforeAll(() => {
  writeFileSync(join(folder, 's.json'), '{"pattern":"^(a+)+\\\\1$"}');
  writeFileSync(join(folder, 'first.ndjson'), '"b"\n');
  writeFileSync(join(folder, 'hostile.ndjson'), HOSTILE.repeat(100_000));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('while RegExp is at work', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the process with its code', async (signal, code) => {
    const why = `payload 1 (line 2) could not be checked: the run was interrupted by ${signal}`;
    // Nothing shows that it has read the line: who signals too soon tries again, later.
    let ended = await interrupted(signal, 100);
    for (let delay = 200; ended.stderr === ''; delay *= 2) ended = await interrupted(signal, delay);
    expect(ended).toMatchObject({ code, stderr: `paylint: <stdin>: ${why}\n` });
  });

  async function interrupted(signal: NodeJS.Signals, delay: number): Promise<Outcome> {
    const child = spawn(
      process.execPath,
      [BIN, 'validate', '--schema', 's.json', '--format', 'line', '--input', 'lines'],
      { cwd: folder },
    );
    const outcome = outcomeOf(child);
    child.stdin.write('"b"\n');
    await new Promise((seen) => child.stdout.once('data', seen));
    child.stdin.write(HOSTILE);
    await wait(delay);
    child.kill(signal);
    return outcome;
  }

  it('threads are ended, too', async () => {
    const args = [
      'validate',
      'first.ndjson',
      'hostile.ndjson',
      '--schema',
      's.json',
      '--threads',
      '3',
      '--format',
      'line',
    ];
    const child = spawn(process.execPath, [BIN, ...args], { cwd: folder });
    const outcome = outcomeOf(child);
    await new Promise((seen) => child.stdout.once('data', seen));
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect((await outcome).code).toBe(130);
  });
});

describe('a schema keeps RegExp', () => {
  it.each([
    [{ pattern: '^(a+)+\\1$' }, true],
    [{ properties: { x: { patternProperties: { '(?<=a)b': true } } } }, true],
    [{ pattern: '(?:(?=ab)a)*b' }, true],
    [{ pattern: '(?<n>a)\\k<n>' }, true],
    [{ pattern: '^(a+)+$' }, false],
    [{ pattern: '^(?!x)a' }, false],
    [{ pattern: '\\\\1' }, false],
    [{ default: { pattern: '(a)\\1' } }, false],
  ])('%j: %j', (schema, keeps) => {
    writeFileSync(join(folder, 'it.json'), JSON.stringify(schema));
    expect(keepsRegExp(loadSchemas(join(folder, 'it.json')))).toBe(keeps);
  });
});
