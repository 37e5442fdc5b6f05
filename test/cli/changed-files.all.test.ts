/**
 * A file that changes while a process reads it is a failure, whatever the number of threads: what was checked is not what is there. The change is made
 * by the process itself, right after the main thread has read a part from the middle.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { VALID } from '../flow-world.ts';
import { outcomeOf, startIn } from '../spawned.ts';

const PLANT = `
const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const size = fs.statSync('many.ndjson').size;
const changes = {
  cut: () => fs.truncateSync('many.ndjson', size - 1000),
  emptied: () => fs.truncateSync('many.ndjson', 0),
  'cut at a line': () => fs.truncateSync('many.ndjson', fs.readFileSync('many.ndjson').lastIndexOf(10, size - 2) + 1),
  replaced: () => (fs.writeFileSync('other', 'x\\n'), fs.renameSync('other', 'many.ndjson')),
  removed: () => fs.rmSync('many.ndjson'),
  rewritten: () => fs.writeFileSync('many.ndjson', fs.readFileSync('many.ndjson')),
  appended: () => fs.appendFileSync('many.ndjson', '{"x":1}\\n'),
};
const { readSync } = fs;
let done = !isMainThread;
fs.readSync = (fd, ...rest) => {
  const count = readSync(fd, ...rest);
  if (!done && rest[3] > 0 && fs.fstatSync(fd).size === size) {
    done = true;
    changes[process.env.CHANGE]();
  }
  return count;
};`;

const line = JSON.stringify(JSON.parse(VALID[0]!.toString()));
const cwd = mkdtempSync(join(tmpdir(), 'paylint-changed-'));
afterAll(() => rmSync(cwd, { recursive: true }));
beforeEach(() => {
  writeFileSync(join(cwd, 'plant.cjs'), PLANT);
  writeFileSync(join(cwd, 'many.ndjson'), `${line}\n`.repeat(Math.ceil((12 << 20) / line.length)));
});

describe.each(['1', '2'])('with %s threads', (threads) => {
  it.each([
    ['cut', true],
    ['emptied', true],
    ['cut at a line', true],
    ['replaced', true],
    ['removed', true],
    ['appended', false],
  ])('a file that is %s while it is read: a failure: %s', async (change, fails) => {
    const env = { ...process.env, NODE_OPTIONS: '--require=./plant.cjs', CHANGE: change };
    const args = ['validate', 'many.ndjson', '--threads', threads, '--format', 'line'];
    const { code, stdout, stderr } = await outcomeOf(startIn(env, cwd, args));
    if (!fails) {
      // What a log has grown by is read, too.
      expect(stdout).toMatch(/^many\.ndjson:\d+:1: unknown-kind.*\n✗ 1 violation in 1 of /);
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      return;
    }
    expect(stderr).toMatch(/^paylint: many\.ndjson: (was changed while it was read|no such file or folder)\n$/);
    expect(stdout).toContain('1 failure');
    expect(code).toBe(2);
  });
});

describe.each([['filter'], ['convert', '--to', 'ndjson', '--output', 'out.ndjson']])('%s', (...verb) => {
  it.each([
    ['1', 'rewritten'],
    ['2', 'rewritten'],
    ['1', 'appended'],
    ['2', 'appended'],
  ])('with %s threads fails for a file that is %s in place', async (threads, change) => {
    const env = { ...process.env, NODE_OPTIONS: '--require=./plant.cjs', CHANGE: change };
    const { code, stderr } = await outcomeOf(startIn(env, cwd, [...verb, 'many.ndjson', '--threads', threads]));
    expect(stderr).toContain('paylint: many.ndjson: was changed while it was read\n');
    expect(code).toBe(2);
    expect(existsSync(join(cwd, 'out.ndjson'))).toBe(false);
  });
});
