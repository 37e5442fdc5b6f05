/**
 * Standard output that is written without a stream: nothing is lost or changed in its order, whatever the descriptor does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../spawned.ts';

const MODULE = join(import.meta.dirname, '../../bin/standard-output.js');

/** Writes texts of these lengths, one letter each, and says on standard error how each went and who wrote them. */
const WRITER = `
  const fs = require('node:fs');
  const real = fs.writeSync;
  let direct = 0;
  fs.writeSync = (fd, bytes, at = 0, count = bytes.length - at) => {
    direct++;
    return (FAKE)(fd, bytes.subarray(at, at + count), direct);
  };
  const { standardOutput } = require(${JSON.stringify(MODULE)});
  const output = standardOutput();
  output.on('error', (error) => process.stderr.write('event ' + error.code + '\\n'));
  const write = (i) => {
    if (i === LENGTHS.length) return process.stderr.write('direct ' + direct + '\\n');
    output.write(String.fromCharCode(97 + (i % 26)).repeat(LENGTHS[i]), (error) => {
      if (error) process.stderr.write('failed ' + error.code + '\\n');
      write(i + 1);
    });
  };
  write(0);
`;

function writer(lengths: readonly number[], fake: string, stdout: 'pipe' | number): ChildProcess {
  const script = WRITER.replace('FAKE', fake).replaceAll('LENGTHS', JSON.stringify(lengths));
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', stdout, 'pipe'] });
}

const expected = (lengths: readonly number[]): string =>
  lengths.map((length, i) => String.fromCharCode(97 + (i % 26)).repeat(length)).join('');

const REAL = '(fd, bytes) => real(fd, bytes)';
const FULL =
  '(fd, bytes, call) => { if (call > 1) throw Object.assign(new Error("full"), { code: "ENOSPC" }); return real(fd, bytes.subarray(0, 5000)); }';
const SHORT = [17, 40, 3];
const LONG = [100, 5000, 7, 300_000, 1, 4096];

describe('standard output', () => {
  it.each([
    ['a few short texts', SHORT, REAL, 3],
    ['long texts among short ones', LONG, REAL, 1],
    ['a pipe that takes a part only', SHORT, '(fd, bytes) => real(fd, bytes.subarray(0, 5))', 1],
    ['a pipe that is full', SHORT, '(fd, bytes) => { throw Object.assign(new Error("full"), { code: "EAGAIN" }); }', 1],
    [
      'a pipe that is full later',
      SHORT,
      '(fd, bytes, call) => { if (call > 1) throw Object.assign(new Error("full"), { code: "EAGAIN" }); return real(fd, bytes); }',
      2,
    ],
  ])('%s', async (_, lengths, fake, direct) => {
    const { code, stdout, stderr } = await outcomeOf(writer(lengths, fake, 'pipe'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: `direct ${direct}\n` });
    expect(stdout).toBe(expected(lengths));
  });

  it.each([
    ['a file', LONG, REAL, 'direct 6\n', expected(LONG)],
    ['a large file', [3_000_000], REAL, 'direct 3\n', expected([3_000_000])],
    [
      'a file system that takes a part',
      [9000],
      '(fd, bytes) => real(fd, bytes.subarray(0, 5000))',
      'direct 2\n',
      expected([9000]),
    ],
    ['a disk with room for a part', [9000], FULL, 'failed ENOSPC\ndirect 2\n', expected([9000]).slice(0, 5000)],
  ])('%s', async (_, lengths, fake, said, written) => {
    const folder = mkdtempSync(join(tmpdir(), 'paylint-output-'));
    try {
      const path = join(folder, 'out');
      const fd = openSync(path, 'w');
      const { stderr } = await outcomeOf(writer(lengths, fake, fd));
      closeSync(fd);
      expect(stderr).toBe(said);
      expect(readFileSync(path, 'utf8')).toBe(written);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says what went wrong to the one who wrote', async () => {
    const fake = '() => { throw Object.assign(new Error("gone"), { code: "EPIPE" }); }';
    const { stderr } = await outcomeOf(writer([5], fake, 'pipe'));
    expect(stderr).toBe('failed EPIPE\ndirect 1\n');
  });

  it('tells the listeners of what the stream says', async () => {
    const child = writer([10, 2_000_000], REAL, 'pipe');
    child.stdout!.destroy();
    const { stderr } = await outcomeOf(child);
    expect(stderr).toContain('event EPIPE\n');
  });
});

describe('standard error', () => {
  it.each([
    ['a short text', [17], 1],
    ['a long text after it', [17, 9000], 1],
  ])('%s', async (_, lengths, direct) => {
    const script = WRITER.replace('FAKE', REAL)
      .replaceAll('LENGTHS', JSON.stringify(lengths))
      .replaceAll('standardOutput', 'standardError')
      .replaceAll('process.stderr', 'process.stdout');
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const { stdout, stderr } = await outcomeOf(child);
    expect({ stdout, stderr }).toEqual({ stdout: `direct ${direct}\n`, stderr: expected(lengths) });
  });
});
