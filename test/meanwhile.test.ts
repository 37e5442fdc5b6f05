/**
 * Output to a file is written while the next payloads are read: in order, complete, from memory of its own, and an error ends the run.
 */
import { closeSync, linkSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { standardOutput } from '../src/cli/outputs.ts';
import type { Io } from '../src/input/io.ts';
import { StreamDestination } from '../src/outlet/stream.ts';
import type { ByteTarget } from '../src/output/byte-target.ts';
import { SCRATCH } from './tools.ts';

const folder = mkdtempSync(join(SCRATCH, 'paylint-meanwhile-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ioFor = (fd: number): Io => ({ stdout: { fd, on() {} } }) as unknown as Io;

/** Keeps each write back until it is let go. */
class SlowTarget implements ByteTarget {
  readonly name = 'slow';
  readonly writesMeanwhile = true;
  readonly written: string[] = [];
  waiting: (() => void) | null = null;
  error: Error | null = null;

  async write(bytes: Uint8Array): Promise<void> {
    expect(this.waiting, 'one write at a time').toBe(null);
    await new Promise<void>((done) => {
      this.waiting = done;
    });
    this.waiting = null;
    if (this.error !== null) throw this.error;
    this.written.push(Buffer.from(bytes).toString('latin1'));
  }

  async finish(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {}
}

describe('a target that writes meanwhile', () => {
  it('has its own copy, and the caller waits for the write before', async () => {
    const target = new SlowTarget();
    const destination = new StreamDestination([target]);
    const chunk = Buffer.from('first');
    destination.bytes(chunk, false, 0);
    await destination.flush();
    chunk.write('later');
    destination.bytes(chunk, false, 0);
    let isThrough = false;
    const second = destination.flush().then(() => {
      isThrough = true;
    });
    await setImmediate();
    expect([target.written, isThrough]).toEqual([[], false]);
    target.waiting!();
    await second;
    const end = destination.finish('whole');
    await setImmediate();
    target.waiting!();
    await end;
    expect(target.written).toEqual(['first', 'later']);
  });

  it('gets every byte in order, whatever the sizes', async () => {
    const path = join(folder, 'sizes');
    const fd = openSync(path, 'w');
    const target = standardOutput(ioFor(fd), []);
    expect(target.writesMeanwhile).toBe(true);
    const destination = new StreamDestination([target]);
    const all: Buffer[] = [];
    for (const size of [1, 70_000, 0, 3 << 20, 2 << 20, 5, (2 << 20) + 1, 65_536, 65_535]) {
      const chunk = Buffer.alloc(size, all.length + 0x30);
      destination.bytes(chunk, false, 0);
      if (size % 2 === 1) await destination.flush();
      all.push(Buffer.from(chunk));
    }
    await destination.finish('whole');
    await destination.close();
    closeSync(fd);
    expect(readFileSync(path).equals(Buffer.concat(all))).toBe(true);
  });

  it('ends the run with the error of an earlier write, once', async () => {
    const target = new SlowTarget();
    const destination = new StreamDestination([target]);
    destination.bytes(Buffer.from('a'), false, 0);
    await destination.flush();
    target.error = new Error('no space');
    target.waiting!();
    await setImmediate();
    destination.bytes(Buffer.from('b'), false, 0);
    await expect(destination.flush()).rejects.toThrow('no space');
    await destination.close();
  });
});

describe('standard output is written in turn', () => {
  const ownFile = (others: readonly string[]): boolean | undefined => {
    const path = join(folder, 'out');
    const fd = openSync(path, 'w');
    try {
      return standardOutput(ioFor(fd), others).writesMeanwhile;
    } finally {
      closeSync(fd);
    }
  };
  it.each([
    ['unless nothing else is written there', () => [join(folder, 'missing'), folder], true],
    ['if a report goes to the same file', () => [join(folder, 'out')], undefined],
    [
      'if a report goes to a hard link to it',
      () => {
        writeFileSync(join(folder, 'out'), '');
        linkSync(join(folder, 'out'), join(folder, 'link'));
        return [join(folder, 'link')];
      },
      undefined,
    ],
  ])('%s', (_, others, meanwhile) => {
    expect(ownFile(others())).toBe(meanwhile);
  });
});
