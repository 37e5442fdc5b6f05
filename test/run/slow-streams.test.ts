/**
 * Streams without end: each payload is passed on as soon as it is complete, a signal or a closed pipe ends the run with the counts so far, and
 * nothing is lost. Nothing is timed: the next payload is written only once the one before has come out.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startIn } from '../spawned.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-slow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VALID = (i: number): string => `{"@context":"c","@type":"t","emoji":"${i}"}`;
const INVALID = '{"@context":"c","@type":"t","emoji":1}';

/** A process, and what it has printed so far. */
class Running {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #ended: Promise<unknown>;

  constructor(args: readonly string[]) {
    this.child = startIn({ PATH: process.env.PATH }, folder, args);
    this.child.stdout!.on('data', (chunk: Buffer) => {
      this.stdout += chunk;
    });
    this.child.stderr!.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
    });
    this.#ended = once(this.child, 'close');
  }

  write(text: string): void {
    this.child.stdin!.write(text);
  }

  /** Waits until standard output has come to this; rejects if the process ends before. */
  async until(stdout: string): Promise<void> {
    while (this.stdout !== stdout) {
      if (this.child.exitCode !== null) throw new Error(`it ended with ${JSON.stringify(this.stdout)}`);
      await Promise.race([once(this.child.stdout!, 'data'), this.#ended]);
    }
  }

  async end(): Promise<number | null> {
    await this.#ended;
    return this.child.exitCode;
  }
}

describe.each(['filter', 'convert', 'fill'])('%s', (verb) => {
  it('passes each payload on as soon as its line is complete', async () => {
    const run = new Running([verb, '--quiet']);
    let printed = '';
    for (let i = 0; i < 5; i++) {
      run.write(`${VALID(i)}\n`);
      printed += `${VALID(i)}\n`;
      await run.until(printed);
    }
    run.child.stdin!.end();
    expect(await run.end()).toBe(0);
  });
});

it('a pretty-printed stream is passed on text by text', async () => {
  const run = new Running(['convert', '--quiet']);
  run.write('{\n  "a": 1\n}\n');
  await run.until('{"a":1}\n');
  run.write('{\n  "a": 2\n}');
  await run.until('{"a":1}\n{"a":2}\n');
  run.child.stdin!.end();
  expect(await run.end()).toBe(0);
});

it('scalars and arrays are passed on line by line, until a text over several lines comes', async () => {
  const run = new Running(['convert', '--quiet']);
  run.write('1\n');
  await run.until('1\n');
  run.write('[2]\n');
  await run.until('1\n[2]\n');
  run.write('{\n"a":\n3}\n');
  await run.until('1\n[2]\n{"a":3}\n');
  run.child.stdin!.end();
  expect(await run.end()).toBe(0);
});

it('after a malformed first line, each line is passed on', async () => {
  const run = new Running(['filter', '--quiet']);
  run.write(`{"a":}\n${VALID(1)}\n`);
  await run.until(`${VALID(1)}\n`);
  run.child.stdin!.end();
  expect(await run.end()).toBe(1);
});

it('validate reports each violation as soon as its line is complete', async () => {
  const run = new Running(['validate', '--format', 'line', '--quiet']);
  const line = (i: number): string => `<stdin>:${i}:37: type expected a string, found 1\n`;
  run.write(`${VALID(0)}\n${INVALID}\n`);
  await run.until(line(2));
  run.write(`${INVALID}\n`);
  await run.until(line(2) + line(3));
  run.child.stdin!.end();
  expect(await run.end()).toBe(1);
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a run with the counts so far', async (signal, code) => {
  const run = new Running(['filter', '--format', 'ndjson=report', '--rejects', 'rejects', '--quiet']);
  run.write(`${VALID(1)}\n${INVALID}\n${VALID(2)}\n`);
  await run.until(`${VALID(1)}\n${VALID(2)}\n`);
  run.child.kill(signal);
  expect(await run.end()).toBe(code);
  expect(readFileSync(join(folder, 'rejects'), 'utf8')).toBe(`${INVALID}\n`);
  const report = readFileSync(join(folder, 'report'), 'utf8');
  expect(
    report
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { type: 'violation' },
    { type: 'source', payloads: 3 },
    { type: 'summary', payloads: 3, interrupted: true },
  ]);
});

it('a reader that is gone ends the run with 141', async () => {
  const run = new Running(['filter', '--quiet']);
  run.write(`${VALID(1)}\n`);
  await run.until(`${VALID(1)}\n`);
  run.child.stdout!.destroy();
  run.child.stdin!.on('error', () => {}); // it is not read any more
  for (let i = 0; run.child.exitCode === null; i++) {
    run.write(`${VALID(i)}\n`);
    await new Promise((turn) => setImmediate(turn));
  }
  expect(await run.end()).toBe(141);
});
