import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { deflateRawSync, gzipSync, constants as zlib } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Interrupted, SourceError } from '../../src/errors.ts';
import { openBytes } from '../../src/source/open-bytes.ts';
import type { ByteReader } from '../../src/source/read-file.ts';
import { sourceError, wordsFor } from '../../src/source/system-errors.ts';
import type { Source } from '../../src/types.ts';
import { needs } from '../tools.ts';

const fifos = needs('mkfifo');

const home = mkdtempSync(join(tmpdir(), 'paylint-bytes-'));
afterAll(() => rmSync(home, { recursive: true }));

const never = new AbortController().signal;
const STDIN: Source = { name: '<stdin>', path: null, regular: false, framing: null, kind: null };

let count = 0;
function pathOf(content: string | Uint8Array): string {
  const path = join(home, String(count++));
  writeFileSync(path, content);
  return path;
}

function fifo(): string {
  const path = join(home, String(count++));
  fifos.run('mkfifo', [path], { cwd: home });
  return path;
}

function openFile(path: string, interrupt = never): Promise<ByteReader> {
  return openBytes({ name: 'it', path, regular: false, framing: null, kind: null }, new PassThrough(), interrupt);
}

/** A stream that gives these chunks one by one, each a moment after the other. */
function slowly(chunks: Iterable<Uint8Array | string>): Readable {
  return Readable.from(
    (async function* () {
      for (const chunk of chunks) {
        await setTimeout(0);
        yield chunk;
      }
    })(),
  );
}

function inChunks(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

interface Outcome {
  readonly bytes: Buffer;
  /** The message of the source error that ended it, if one did. */
  readonly fault: string | null;
}

/** Reads to the end or the fault, `size` bytes of room at a time, and closes. */
async function drain(opening: Promise<ByteReader>, size = 1 << 16): Promise<Outcome> {
  const parts: Buffer[] = [];
  let reader: ByteReader | null = null;
  let fault: string | null = null;
  try {
    reader = await opening;
    // Room before and after, to check that both stay unchanged.
    const into = Buffer.alloc(size + 2, 0xee);
    for (;;) {
      const got = await reader.read(into.subarray(0, size + 1), 1);
      if (got === 0) break;
      parts.push(Buffer.from(into.subarray(1, 1 + got)));
      expect([into[0], into[size + 1]]).toEqual([0xee, 0xee]);
    }
    expect(await reader.read(into, 0)).toBe(0);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    fault = error.message;
  }
  await reader?.close();
  return { bytes: Buffer.concat(parts), fault };
}

/** The same bytes as a file, and as standard input whole, in slow chunks, and byte by byte if they are few. */
async function drainAll(content: Uint8Array): Promise<readonly Outcome[]> {
  const stdin = (chunks: readonly Uint8Array[]): Promise<ByteReader> => openBytes(STDIN, slowly(chunks), never);
  return [
    await drain(openFile(pathOf(content))),
    await drain(openFile(pathOf(content)), 1000),
    await drain(stdin([content])),
    await drain(stdin(inChunks(content, 50_021)), 1000),
    ...(content.length < 10_000 ? [await drain(stdin(inChunks(content, 100)))] : []),
    ...(content.length < 1000 ? [await drain(stdin(inChunks(content, 1)), 1)] : []),
  ];
}

/** Whole outcomes would fill the screen; where they differ, this says how. */
function expectAll(outcomes: readonly Outcome[], bytes: Uint8Array, fault: string | null): void {
  for (const outcome of outcomes) {
    expect({ length: outcome.bytes.length, fault: outcome.fault }).toEqual({ length: bytes.length, fault });
    expect(outcome.bytes.equals(bytes)).toBe(true);
  }
}

const TEXT = Buffer.from('{"emoji":"\u{1f600}"}\n'.repeat(20));
/** Larger, packed, than several pieces of any size. */
const LARGE = Buffer.from(randomBytes(700_000).toString('base64'));
/** Larger, packed, than a chunk of 100 bytes. */
const MEDIUM = Buffer.from(randomBytes(700).toString('base64'));
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/** gzip data that holds all of `bytes` and then a block of a type that does not exist, and more. */
function gzipWithFault(bytes: Uint8Array): Buffer {
  const blocks = deflateRawSync(bytes, { finishFlush: zlib.Z_SYNC_FLUSH });
  return Buffer.concat([HEADER, blocks, Buffer.from([0x07]), Buffer.alloc(3000, 0x55)]);
}

describe('a regular file', () => {
  test.each([
    ['empty', Buffer.alloc(0)],
    ['one byte', Buffer.from('1')],
    ['small', TEXT],
    ['large', LARGE],
    ['beginning as gzip does', Buffer.from([0x1f])],
    ['beginning almost as gzip does', Buffer.from([0x1f, 0x8c, 1])],
  ])('%s is read as it is, by path or as a stream', async (_, content) => {
    expectAll(await drainAll(content), content, null);
  });

  test('fills what room there is in one read', async () => {
    const reader = await openFile(pathOf(LARGE));
    const into = new Uint8Array(100_000);
    expect(await reader.read(into, 10_000)).toBe(90_000);
    expect(LARGE.subarray(0, 90_000).equals(into.subarray(10_000))).toBe(true);
    await reader.close();
  });

  test('refuses to read into no room, which would look like its end', async () => {
    for (const opening of [
      openFile(pathOf(TEXT)),
      openFile(pathOf(gzipSync(TEXT))),
      openBytes(STDIN, slowly([TEXT]), never),
    ]) {
      const reader = await opening;
      await expect(reader.read(new Uint8Array(4), 4)).rejects.toThrow(RangeError);
      await reader.close();
    }
  });

  test('tells its progress in bytes of the file', async () => {
    const packed = gzipSync(LARGE);
    for (const content of [LARGE, packed]) {
      const reader = await openFile(pathOf(content));
      expect(reader.progress.size).toBe(content.length);
      expect(reader.progress.bytes).toBeLessThan(content.length);
      const into = new Uint8Array(1 << 16);
      while ((await reader.read(into, 0)) > 0);
      expect(reader.progress.bytes).toBe(content.length);
      await reader.close();
    }
  });

  test('is closed, and may be closed twice', async () => {
    const path = pathOf(TEXT);
    const lowest = openSync(path, 'r');
    closeSync(lowest);
    for (let i = 0; i < 2; i++) {
      const reader = await openFile(path);
      await reader.close();
      await reader.close();
    }
    const next = openSync(path, 'r');
    closeSync(next);
    expect(next).toBe(lowest);
  });
});

describe('what cannot be read', () => {
  test.each([
    ['that is not there', () => join(home, 'no'), 'no such file or folder'],
    ['below a file', () => join(pathOf(''), 'x'), 'no such file or folder: a part of its path is a file'],
    ['that is a folder', () => home, 'is a folder, not a file'],
    ['with a long name', () => join(home, 'x'.repeat(300)), 'its name is too long for this file system'],
    [
      'that fails when it is read',
      () => '/proc/self/mem',
      'input/output error: the device or network drive did not deliver',
    ],
  ])('a file %s is a source error', async (_, path, message) => {
    expect(await drain(openFile(path()))).toEqual({ bytes: Buffer.alloc(0), fault: message });
  });

  test('a link that leads in a circle, or a socket, is a source error', async () => {
    const loop = join(home, 'loop');
    symlinkSync(loop, loop);
    expect((await drain(openFile(loop))).fault).toBe('too many symbolic links, or links that lead in a circle');
    const path = join(home, 'socket');
    const server = createServer().listen(path);
    await new Promise((listening) => server.once('listening', listening));
    expect((await drain(openFile(path))).fault).toBe('no such device, or a socket, which cannot be opened as a file');
    await new Promise((closed) => server.close(closed));
  });

  test('leaves no descriptor open', async () => {
    const lowest = openSync(home, 'r');
    closeSync(lowest);
    await drain(openFile(home));
    await drain(openFile('/proc/self/mem'));
    const next = openSync(home, 'r');
    closeSync(next);
    expect(next).toBe(lowest);
  });

  test('is said in plain words, with its cause kept', async () => {
    const system = (code: string, errno: number): Error => Object.assign(new Error(`${code}: x`), { code, errno });
    expect(wordsFor(system('EACCES', -13))).toBe('permission denied');
    expect(wordsFor(system('EPERM', -1))).toBe('permission denied');
    expect(wordsFor(system('EMFILE', -24))).toBe('too many open files in this process');
    expect(wordsFor(system('EPIPE', -32))).toBe('broken pipe (EPIPE)');
    expect(wordsFor(new Error('other'))).toBe('other');
    expect(wordsFor('text')).toBe('text');
    const cause = system('EIO', -5);
    expect(sourceError(cause).cause).toBe(cause);
    const known = new SourceError('known');
    expect(sourceError(known)).toBe(known);
  });
});

describe('gzip data', () => {
  const two = Buffer.concat([gzipSync(TEXT), gzipSync(LARGE)]);

  test.each([
    ['small', gzipSync(TEXT), TEXT],
    ['large', gzipSync(LARGE), LARGE],
    ['of many times its size', gzipSync(Buffer.alloc(5_000_000, ' ')), Buffer.alloc(5_000_000, ' ')],
    ['of nothing', gzipSync(''), Buffer.alloc(0)],
    ['of two members', two, Buffer.concat([TEXT, LARGE])],
    ['of 300 small members', Buffer.concat(Array(300).fill(gzipSync('{}\n'))), Buffer.from('{}\n'.repeat(300))],
    ['of an empty member and another', Buffer.concat([gzipSync(''), gzipSync(TEXT)]), TEXT],
    ['padded with zeros', Buffer.concat([two, Buffer.alloc(600_000)]), Buffer.concat([TEXT, LARGE])],
    ['of gzip data, which is unpacked once', gzipSync(gzipSync(TEXT)), gzipSync(TEXT)],
  ])('%s is unpacked', async (_, packed, content) => {
    expectAll(await drainAll(packed), content, null);
  });

  test.each([
    ['small', gzipSync(TEXT).subarray(0, -1), TEXT],
    ['small, without its trailer', gzipSync(TEXT).subarray(0, -8), TEXT],
    ['in its header', HEADER.subarray(0, 5), Buffer.alloc(0)],
    ['after its magic number', HEADER.subarray(0, 2), Buffer.alloc(0)],
    ['in the header of its second member', Buffer.concat([gzipSync(LARGE), HEADER.subarray(0, 4)]), LARGE],
    ['large', gzipSync(LARGE).subarray(0, -3), LARGE],
  ])('cut off (%s) gives all before the cut, then the fault', async (_, packed, content) => {
    expectAll(await drainAll(packed), content, 'its gzip data is cut off');
  });

  test('cut off anywhere gives as much as can be decoded', async () => {
    const packed = gzipSync(LARGE);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: packed.length - 1 }), async (cut) => {
        const { bytes, fault } = await drain(openFile(pathOf(packed.subarray(0, cut))));
        expect(fault).toBe('its gzip data is cut off');
        expect(bytes.equals(LARGE.subarray(0, bytes.length))).toBe(true);
        // Base64 packs to three quarters, in blocks that begin with a table of codes.
        expect(bytes.length).toBeGreaterThan(1.3 * cut - 200);
      }),
      { numRuns: 20 },
    );
  });

  const badSum = (packed: Buffer): Buffer => {
    const bad = Buffer.from(packed);
    bad.writeUInt8(bad.readUInt8(bad.length - 8) ^ 1, bad.length - 8);
    return bad;
  };
  const foreign = 'its gzip data is followed by something that is not gzip';
  test.each([
    ['small', gzipWithFault(TEXT), TEXT, 'its gzip data is corrupt: invalid block type'],
    [
      'from its beginning',
      gzipWithFault(Buffer.alloc(0)),
      Buffer.alloc(0),
      'its gzip data is corrupt: invalid block type',
    ],
    ['in its checksum, small', badSum(gzipSync(TEXT)), TEXT, 'its gzip data is corrupt: incorrect data check'],
    [
      'in its checksum, after several chunks',
      badSum(gzipSync(MEDIUM)),
      MEDIUM,
      'its gzip data is corrupt: incorrect data check',
    ],
    ['by something after several chunks', Buffer.concat([gzipSync(MEDIUM), TEXT]), MEDIUM, foreign],
    ['by something after it', Buffer.concat([gzipSync(TEXT), TEXT]), TEXT, foreign],
    ['by something after its padding', Buffer.concat([gzipSync(TEXT), Buffer.alloc(9), TEXT]), TEXT, foreign],
    ['by something far after it', Buffer.concat([gzipSync(TEXT), Buffer.alloc(600_000), TEXT]), TEXT, foreign],
  ])('corrupt (%s) gives all before the fault, then the fault', async (_, packed, content, fault) => {
    expectAll(await drainAll(packed), content, fault);
  });

  // zlib drops the output of the piece of input that has the fault.
  test.each([
    ['', gzipWithFault(LARGE), 'its gzip data is corrupt: invalid block type'],
    ['in its checksum', badSum(gzipSync(LARGE)), 'its gzip data is corrupt: incorrect data check'],
    ['by something after it', Buffer.concat([gzipSync(LARGE), TEXT]), foreign],
  ])('large and corrupt %s loses no more than 256 KiB of its input', async (_, packed, fault) => {
    for (const outcome of await drainAll(packed)) {
      expect(outcome.fault).toBe(fault);
      expect(outcome.bytes.equals(LARGE.subarray(0, outcome.bytes.length))).toBe(true);
      // Base64 packs to three quarters.
      expect(outcome.bytes.length).toBeGreaterThan(LARGE.length - 1.4 * (256 << 10));
    }
  });

  test('says its fault again when it is read again', async () => {
    const reader = await openFile(pathOf(gzipWithFault(TEXT)));
    const into = new Uint8Array(1 << 16);
    expect(await reader.read(into, 0)).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) {
      await expect(async () => {
        while ((await reader.read(into, 0)) > 0);
      }).rejects.toThrow('invalid block type');
    }
    await reader.close();
  });
});

describe('standard input', () => {
  test('of strings is their UTF-8', async () => {
    const { bytes } = await drain(openBytes(STDIN, slowly(['é', '', '\u{1f600}']), never));
    expect(bytes.toString()).toBe('é\u{1f600}');
  });

  test('that ended already, with or without bytes left, is read to its end', async () => {
    const stream = new PassThrough();
    stream.end('text');
    expect((await drain(openBytes(STDIN, stream, never))).bytes.toString()).toBe('text');
    expect(await drain(openBytes(STDIN, stream, never))).toEqual({ bytes: Buffer.alloc(0), fault: null });
  });

  test('is asked for no more than is read', async () => {
    let given = 0;
    const endless = new Readable({
      read() {
        given += 65_536;
        this.push(Buffer.alloc(65_536, ' '));
      },
    });
    const reader = await openBytes(STDIN, endless, never);
    const into = new Uint8Array(100);
    for (let i = 0; i < 50; i++) {
      expect(await reader.read(into, 0)).toBe(100);
      await setTimeout(0);
    }
    expect(given).toBeLessThanOrEqual(4 * 65_536);
    expect(reader.progress.size).toBe(null);
    await reader.close();
    expect(endless.destroyed).toBe(true);
  });

  test('that fails gives what came before, then its fault, and never an uncaught error', async () => {
    const failing = (error: unknown): Readable =>
      Readable.from(
        (async function* () {
          yield 'text';
          throw error;
        })(),
      );
    const error = Object.assign(new Error('EISDIR: x'), { code: 'EISDIR', errno: -21 });
    const { bytes, fault } = await drain(openBytes(STDIN, failing(error), never), 2);
    expect({ text: bytes.toString(), fault }).toEqual({ text: 'text', fault: 'is a folder, not a file' });

    const broken = new PassThrough();
    broken.once('error', () => {});
    broken.destroy(error);
    await setTimeout(0);
    expect((await drain(openBytes(STDIN, broken, never))).fault).toBe('is a folder, not a file');

    const late = new PassThrough();
    late.write('x');
    const reader = await openBytes(STDIN, late, never);
    await reader.close();
    late.emit('error', error);
  });

  test('that is closed before its end is a source error', async () => {
    const stream = new PassThrough();
    stream.write('text');
    const reader = await openBytes(STDIN, stream, never);
    const into = new Uint8Array(10);
    expect(await reader.read(into, 0)).toBe(4);
    const pending = reader.read(into, 0);
    stream.destroy();
    await expect(pending).rejects.toThrow(new SourceError('it was closed before its end'));
    await reader.close();
  });

  test('from a regular file is read from the position of its descriptor, which stays open', async () => {
    const packed = Buffer.concat([Buffer.from('skipped'), gzipSync(TEXT)]);
    const fd = openSync(pathOf(packed), 'r');
    readSync(fd, Buffer.alloc(7));
    const stdin = Object.assign(new PassThrough(), { fd });
    const reader = await openBytes(STDIN, stdin, never);
    expect(reader.progress.size).toBe(packed.length);
    const { bytes, fault } = await drain(Promise.resolve(reader));
    expect({ text: bytes.toString(), fault }).toEqual({ text: TEXT.toString(), fault: null });
    expect(fstatSync(fd).isFile()).toBe(true);
    closeSync(fd);
  });

  test('that somebody read from, or whose descriptor is no file, is read as a stream', async () => {
    const fd = openSync(pathOf('file'), 'r');
    const begun = Object.assign(new PassThrough(), { fd });
    begun.end('stream');
    begun.read(3);
    expect((await drain(openBytes(STDIN, begun, never))).bytes.toString()).toBe('eam');
    closeSync(fd);
    const gone = Object.assign(new PassThrough(), { fd: 1_000_000 });
    const opening = openBytes(STDIN, gone, never);
    gone.end('stream');
    expect((await drain(opening)).bytes.toString()).toBe('stream');
  });
});

describe('a file that changes while it is read', () => {
  test.each([
    ['is cut', 4500],
    ['is emptied', 0],
  ])('and %s is a failure', async (_, size) => {
    const path = join(home, 'changing');
    writeFileSync(path, Buffer.alloc(10_000, 0x20));
    const reader = await openFile(path);
    const into = new Uint8Array(4400);
    expect(await reader.read(into, 0)).toBe(4400);
    truncateSync(path, size);
    await expect(
      (async () => {
        while ((await reader.read(into, 0)) > 0);
      })(),
    ).rejects.toThrow('was changed while it was read');
    await reader.close();
  });

  test('and grows is read to its new end', async () => {
    const path = join(home, 'changing');
    writeFileSync(path, Buffer.alloc(10_000, 0x20));
    const reader = await openFile(path);
    appendFileSync(path, Buffer.alloc(5000, 0x20));
    expect((await drain(Promise.resolve(reader))).bytes.length).toBe(15_000);
  });
});

/** Opens a FIFO for writing as soon as it has a reader. */
async function whenRead(path: string): Promise<number> {
  for (;;) {
    const fd = tryToWrite(path);
    if (fd !== null) return fd;
    await setTimeout(1);
  }
}

/** Returns as soon as a FIFO has no reader. */
async function untilUnread(path: string): Promise<void> {
  for (let fd = tryToWrite(path); fd !== null; fd = tryToWrite(path)) {
    closeSync(fd);
    await setTimeout(1);
  }
}

/** Null: the FIFO has no reader. */
function tryToWrite(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENXIO' });
    return null;
  }
}

describe.skipIf(fifos.missing)(`a FIFO${fifos.note}`, () => {
  /** Holds a FIFO open for writing without waiting for a reader, as only Linux allows. */
  const writer = (path: string): number => openSync(path, constants.O_RDWR | constants.O_NONBLOCK);

  test('is waited for until a writer comes, even one that writes nothing', async () => {
    for (const written of ['text', '']) {
      const path = fifo();
      const drained = drain(openFile(path));
      const fd = await whenRead(path);
      writeSync(fd, written);
      closeSync(fd);
      expect(await drained).toEqual({ bytes: Buffer.from(written), fault: null });
    }
  });

  test('that no writer opens is let go by an interrupt', async () => {
    const path = fifo();
    const controller = new AbortController();
    const opening = expect(openFile(path, controller.signal)).rejects.toBeInstanceOf(Interrupted);
    await setTimeout(5);
    controller.abort();
    await opening;
    await untilUnread(path);
  });

  test.each([
    ['text', TEXT, TEXT],
    ['gzip data', gzipSync(TEXT), TEXT],
  ])('of %s, written before and in slow pieces after it is opened, is read', async (_, written, content) => {
    const path = fifo();
    const fd = writer(path);
    writeSync(fd, written.subarray(0, 1));
    const drained = drain(openFile(path));
    for (const piece of inChunks(written.subarray(1), 30)) {
      await setTimeout(2);
      writeSync(fd, piece);
    }
    closeSync(fd);
    const { bytes, fault } = await drained;
    expect({ text: bytes.toString(), fault }).toEqual({ text: content.toString(), fault: null });
  });

  test('whose writer has nothing yet is waited for', async () => {
    const path = fifo();
    const fd = writer(path);
    const opening = openFile(path);
    await setTimeout(5);
    writeSync(fd, 'text');
    const reader = await opening;
    expect(reader.progress).toEqual({ bytes: 4, size: null });
    closeSync(fd);
    expect((await drain(Promise.resolve(reader))).bytes.toString()).toBe('text');
  });

  test('that was written to before it is opened counts what was read at once', async () => {
    const path = fifo();
    const fd = writer(path);
    writeSync(fd, 'text');
    const reader = await openFile(path);
    expect(reader.progress).toEqual({ bytes: 4, size: null });
    await reader.close();
    closeSync(fd);
  });

  test('is let go when it is closed', async () => {
    const path = fifo();
    const fd = writer(path);
    writeSync(fd, 'text');
    const reader = await openFile(path);
    await reader.close();
    closeSync(fd);
    await untilUnread(path);
  });

  test('that a shell made for a command is read by its descriptor', async () => {
    const path = fifo();
    const fd = writer(path);
    writeSync(fd, 'te');
    const drained = drain(openFile(`/proc/self/fd/${fd}`));
    await setTimeout(5);
    writeSync(fd, 'xt');
    await setTimeout(5);
    closeSync(fd);
    expect((await drained).bytes.toString()).toBe('text');
  });
});

describe('a device', () => {
  test('/dev/null is empty', async () => {
    expect(await drain(openFile('/dev/null'))).toEqual({ bytes: Buffer.alloc(0), fault: null });
  });

  test('/dev/zero is read as far as asked for, and has no size', async () => {
    const reader = await openFile('/dev/zero');
    expect(await reader.read(new Uint8Array(100_000), 0)).toBe(100_000);
    expect(reader.progress.size).toBe(null);
    await reader.close();
  });
});

describe('an interrupt', () => {
  test('before or between reads ends them, of every kind of source', async () => {
    const openings: readonly ((interrupt: AbortSignal) => Promise<ByteReader>)[] = [
      (interrupt) => openFile(pathOf(LARGE), interrupt),
      (interrupt) => openFile(pathOf(gzipSync(LARGE)), interrupt),
      (interrupt) => openBytes(STDIN, slowly([LARGE]), interrupt),
      (interrupt) => openBytes(STDIN, slowly([gzipSync(LARGE)]), interrupt),
    ];
    for (const open of openings) {
      await expect(open(AbortSignal.abort())).rejects.toBeInstanceOf(Interrupted);
      const controller = new AbortController();
      const reader = await open(controller.signal);
      const into = new Uint8Array(10);
      expect(await reader.read(into, 0)).toBe(10);
      controller.abort('why');
      await expect(reader.read(into, 0)).rejects.toMatchObject({ name: 'AbortError', cause: 'why' });
      await reader.close();
    }
  });

  test('ends a pending read of standard input, plain or packed, and closing destroys it', async () => {
    for (const begin of [TEXT, gzipSync(LARGE).subarray(0, 5000)]) {
      const controller = new AbortController();
      const stdin = new PassThrough();
      stdin.write(begin);
      const reader = await openBytes(STDIN, stdin, controller.signal);
      const reading = (async () => {
        const into = new Uint8Array(1 << 20);
        while ((await reader.read(into, 0)) > 0);
      })();
      await setTimeout(5);
      controller.abort();
      await expect(reading).rejects.toBeInstanceOf(Interrupted);
      await reader.close();
      expect(stdin.destroyed).toBe(true);
    }
  });

  test.skipIf(fifos.missing)(`ends the wait for the first byte, and leaves nothing open${fifos.note}`, async () => {
    const path = fifo();
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const controller = new AbortController();
    const stdin = new PassThrough();
    const openings = [openFile(path, controller.signal), openBytes(STDIN, stdin, controller.signal)];
    const ends = openings.map((opening) => expect(opening).rejects.toBeInstanceOf(Interrupted));
    await setTimeout(5);
    controller.abort();
    await Promise.all(ends);
    expect(stdin.destroyed).toBe(true);
    closeSync(fd);
    await untilUnread(path);
  });
});
