/**
 * Output to a file is written while the next payloads are read: in order, complete, from memory of its own, and an error ends the run.
 */
import { closeSync, linkSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { standardOutput } from '../src/cli/outputs.ts';
import type { Io } from '../src/input/io.ts';
import { StreamDestination } from '../src/outlet/stream.ts';
import type { ByteTarget } from '../src/output/byte-target.ts';
import { HEAD_BYTES, type SharedPiece } from '../src/output/shared-piece.ts';
import { SCRATCH } from './tools.ts';

/** Most bytes that the system takes at once, and the most that it was given. */
const system = vi.hoisted(() => ({ most: 1 << 30, given: 0 }));
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const writev = (
    fd: number,
    pieces: Uint8Array[],
    done: (error: Error | null, count: number) => void,
  ): void => {
    const bytes = Buffer.concat(pieces);
    system.given = Math.max(system.given, bytes.length);
    real.write(fd, bytes, 0, Math.min(system.most, bytes.length), done);
  };
  const write = (
    fd: number,
    bytes: Uint8Array,
    at: number,
    count: number,
    position: number | null,
    done: (error: Error | null, count: number) => void,
  ): void => {
    system.given = Math.max(system.given, count);
    real.write(fd, bytes, at, count, position, done);
  };
  const writeSync = (fd: number, bytes: Uint8Array, at = 0, count = bytes.length - at): number => {
    system.given = Math.max(system.given, count);
    return real.writeSync(fd, bytes, at, Math.min(system.most, count));
  };
  const writevSync = (fd: number, pieces: Uint8Array[]): number => writeSync(fd, Buffer.concat(pieces));
  return { ...real, write, writev, writeSync, writevSync };
});

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
    system.given = 0;
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
    // Larger writes take far longer on some systems.
    expect(system.given).toBe(5 << 18);
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

/** A piece in memory of its own that threads share, which begins with the number of those who need it. */
function sharedPiece(text: string, size: number): SharedPiece {
  const piece = new Uint8Array(new SharedArrayBuffer(HEAD_BYTES + size)).subarray(HEAD_BYTES);
  piece.fill(text.charCodeAt(0));
  return piece;
}
const holders = ({ buffer }: SharedPiece): number => new Int32Array(buffer)[0]!;

describe('large pieces that threads share', () => {
  const SIZE = 1 << 20;

  it('wait without the caller, in order, and are needed until they are written', async () => {
    const target = new SlowTarget();
    const destination = new StreamDestination([target]);
    const pieces = ['a', 'b', 'c'].map((text) => sharedPiece(text, SIZE));
    for (const piece of pieces) {
      destination.bytes(piece, false, 0);
      await destination.flush();
    }
    destination.bytes(Buffer.from('end'), false, 0);
    const end = destination.finish('whole');
    for (const left of [3, 2, 1, 0]) {
      await setImmediate();
      expect(pieces.filter((piece) => holders(piece) > 0).length).toBe(left);
      target.waiting!();
    }
    await end;
    expect(target.written.map((text) => text[0])).toEqual(['a', 'b', 'c', 'e']);
    expect(pieces.map(holders)).toEqual([0, 0, 0]);
  });

  it('make the caller wait if there are many', async () => {
    const target = new SlowTarget();
    const destination = new StreamDestination([target]);
    let flushed = 0;
    const all = (async () => {
      for (let i = 0; i < 12; i++) {
        destination.bytes(sharedPiece('x', SIZE), false, 0);
        await destination.flush();
        flushed++;
      }
    })();
    // Each flush that leaves something waiting takes a turn.
    for (let turns = 0; turns < 12; turns++) await setImmediate();
    expect(flushed).toBe(8);
    while (flushed < 12) {
      target.waiting?.();
      await setImmediate();
    }
    await all;
    const end = destination.finish('whole');
    while (target.written.length < 12) {
      target.waiting?.();
      await setImmediate();
    }
    await end;
  });

  it('are not written after an error, nor needed any more', async () => {
    const target = new SlowTarget();
    const destination = new StreamDestination([target]);
    const pieces = ['a', 'b', 'c'].map((text) => sharedPiece(text, SIZE));
    for (const piece of pieces) destination.bytes(piece, false, 0);
    await destination.flush();
    target.error = new Error('no space');
    target.waiting!();
    await setImmediate();
    expect([pieces.map(holders), target.waiting]).toEqual([[0, 0, 0], null]);
    await expect(destination.finish('whole')).rejects.toThrow('no space');
    destination.bytes(pieces[0]!, false, 0);
    await destination.flush();
    expect([holders(pieces[0]!), target.waiting, target.written]).toEqual([0, null, []]);
    await destination.close();
  });

  it('are written together up to a megabyte, whatever part of them the system takes at once', async () => {
    const SIZE = 1 << 18;
    const TEXTS = [...'abcdefghij'];
    const path = join(folder, 'together');
    for (const most of [1 << 30, 700_001, SIZE, 2 * SIZE]) {
      system.most = most;
      system.given = 0;
      const fd = openSync(path, 'w');
      const destination = new StreamDestination([standardOutput(ioFor(fd), [])]);
      for (const text of TEXTS) destination.bytes(sharedPiece(text, SIZE), false, 0);
      await destination.finish('whole');
      await destination.close();
      closeSync(fd);
      const written = readFileSync(path, 'latin1');
      expect(system.given).toBe(1 << 20);
      expect(written === TEXTS.map((text) => text.repeat(SIZE)).join('')).toBe(true);
    }
  });
});

describe('pieces in memory that the destination has given', () => {
  it('are not copied, and their memory is given again once they are written', async () => {
    const target = new SlowTarget();
    const destination = new StreamDestination([target]);
    const like = new Uint8Array(1 << 20);
    const [first, second] = [destination.room(like, 0)!, destination.room(like, 0)!];
    expect([first.length, second.length, first.buffer === second.buffer]).toEqual([1 << 20, 1 << 20, false]);
    for (const [piece, text] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      piece.fill(text.charCodeAt(0));
      destination.bytes(piece, true, 0);
    }
    await destination.flush();
    expect(destination.room(like, 0)!.buffer).not.toBe(first.buffer);
    // It is being written: what is there now counts.
    second.fill('c'.charCodeAt(0));
    target.waiting!();
    await setImmediate();
    expect(destination.room(like, 0)!.buffer).toBe(first.buffer);
    target.waiting!();
    await destination.finish('whole');
    expect(target.written.map((text) => text[0])).toEqual(['a', 'c']);
    await destination.close();
  });

  it('are for one channel, if its target writes meanwhile', async () => {
    const direct: ByteTarget = {
      name: '',
      write: async () => {},
      finish: async () => null,
      close: async () => {},
    };
    const destination = new StreamDestination([direct, new SlowTarget()]);
    const like = new Uint8Array(1 << 20);
    expect(destination.room(like, 0)).toBe(null);
    const room = destination.room(like, 1)!;
    expect(room.length).toBe(1 << 20);
    destination.bytes(room, true, 1);
    await destination.flush();
    // It is being written.
    expect(destination.room(like, 1)!.buffer).not.toBe(room.buffer);
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
