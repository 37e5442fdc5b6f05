/**
 * A large array checked by several threads gives the same as with one: reports, lines, code frames and what is written. The other threads run in
 * this one, so that many arrays can be tried; what real threads do is the last test.
 */
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mutate, type Random, seeded } from '../scripts/mutations/mutate.ts';
import { betweenElements, elementIn } from '../src/input/elements.ts';
import { Window } from '../src/input/window.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../src/package.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { Blocks } from '../src/threads/blocks.ts';
import { checkBatch } from '../src/threads/check-batch.ts';
import { CHUNK } from '../src/threads/chunks.ts';
import { Claims } from '../src/threads/claims.ts';
import type { Batch } from '../src/threads/part.ts';
import type { Offer, ThreadData } from '../src/threads/pool.ts';
import { createContext } from '../src/threads/thread.ts';
import { VALID } from './flow-world.ts';
import { rounds } from './rounds.ts';
import { paylint } from './world.ts';

/** How other threads run; how many have begun, how many chunks they have done, and what happens before each. */
const world = vi.hoisted(() => ({ real: false, started: 0, done: 0, before: (_chunk: number): void => {} }));
/** What happens before bytes of a file are read at an offset. */
const disk = vi.hoisted(() => ({ before: (_offset: number): void => {} }));

vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const readSync = (...args: [number, Uint8Array, number, number, number]): number => {
    disk.before(args[4]);
    return real.readSync(...args);
  };
  return { ...real, readSync };
});

vi.mock('node:worker_threads', async (load) => {
  const real = await load<typeof import('node:worker_threads')>();
  const { EventEmitter } = await import('node:events');

  /** Does the work of a thread in this one, a chunk at a time. */
  class InThisThread extends EventEmitter {
    #ended = false;
    readonly #offered = new Map<number, Batch>();

    constructor(data: ThreadData) {
      super();
      this.#work(data).catch((error) => {
        this.emit('error', error);
        this.emit('exit', 1);
      });
    }

    async #work({ claims, slot, ...settings }: ThreadData): Promise<void> {
      const own = new Claims(claims, slot);
      const context = await createContext(settings, async () => loadSchemas(bundledSchema(ENTRY_SCHEMA)));
      const blocks = new Blocks();
      for (let batch = own.take(false); batch !== null && !this.#ended; batch = own.take(false)) {
        if (batch === 'wait') await new Promise((next) => setImmediate(next));
        else {
          world.before(batch);
          const results = await checkBatch(this.#offered.get(batch)!, context, blocks);
          if (!this.#ended) this.emit('message', { batch, results: structuredClone(results) });
        }
      }
      this.emit('exit', 0);
    }

    postMessage({ index, batch }: Offer): void {
      this.#offered.set(index, batch);
    }

    async terminate(): Promise<void> {
      this.#ended = true;
    }
  }

  return {
    ...real,
    Worker: new Proxy(real.Worker, {
      construct(Worker, [script, options]: ConstructorParameters<typeof real.Worker>) {
        world.started++;
        return world.real
          ? new Worker(script, options).on('message', () => world.done++)
          : new InThisThread(options?.workerData as ThreadData);
      },
    }),
  };
});

const folder = mkdtempSync(join(tmpdir(), 'paylint-arrays-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'it.json');
const other = join(folder, 'other.json');

/** How often the check of a source has gone on elsewhere. */
const jumps = vi.spyOn(Window.prototype, 'jump');
beforeEach(() => {
  jumps.mockClear();
  Object.assign(world, { real: false, started: 0, done: 0, before: () => {} });
  disk.before = () => {};
  CHUNK.bytes = 1 << 13;
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], threads: number): Promise<Outcome> {
  const { code, stdout, stderr } = await paylint([...args, '--threads', `${threads}`, path], { cwd: folder });
  const timeless = (text: string): string =>
    text.replaceAll(/"elapsedMs":\d+/g, '').replaceAll(/ · (in )?[\d.]+ m?s$/gm, '');
  return { code, stdout: timeless(stdout), stderr: timeless(stderr) };
}

const VERBS: readonly (readonly string[])[] = [
  ['validate', '--format', 'ndjson'],
  ['validate', '--format', 'pretty', '--max-violations', '0'],
  ['convert', '--to', 'ndjson'],
  ['validate', '--format', 'pretty', '--max-violations', '3', '--max-payload-bytes', '3000'],
  ['validate', '--format', 'line', '--bail'],
  ['convert', '--to', 'json'],
  ['convert', '--to', 'json', '--pretty'],
  ['convert', '--to', 'ndjson', '--kind', 'emoji'],
  ['filter'],
  ['filter', '--invert'],
];

async function expectSame(args: readonly string[], threads: number): Promise<void> {
  const alone = await run(args, 1);
  const shared = await run(args, threads);
  expect([args, shared.code, shared.stderr]).toEqual([args, alone.code, alone.stderr]);
  if (shared.stdout === alone.stdout) return;
  // Whole outputs would fill the screen.
  let at = 0;
  while (shared.stdout[at] === alone.stdout[at]) at++;
  const around = ({ stdout }: Outcome): unknown => [args, at, stdout.slice(Math.max(0, at - 200), at + 200)];
  expect(around(shared)).toEqual(around(alone));
}

const EMOJI = '{"@context":"c","@type":"Emoji","emoji":"e"}';

/** Elements that look as if others began in them, and others that are unusual. */
const ODD: readonly (string | Buffer)[] = [
  '{"@context":"c","@type":"t","x":[{"@context":"c"},{"@context":"d","y":[{},{"@context":[1]}]}]}',
  '{"@context":"},{\\"@context\\":","@type":"},{","emoji":"[{},{"}',
  `{"x":[${`${EMOJI},`.repeat(300)}${EMOJI}]}`,
  `[${`${EMOJI},`.repeat(300)}${EMOJI}]`,
  '{}',
  '{"emoji":1,"emoji":2}',
  `{"@context":"${'é😀中'.repeat(40)}","@type":"t","emoji":"\\ud83d"}`,
  '1',
  '"},{"',
  'null',
  '[[],[]]',
  `${'[1,'.repeat(5)}1${']'.repeat(5)}`,
  `{"emoji":"${'x'.repeat(20_000)}"}`,
  Buffer.from('{"@context":"\xff","@type":"t","emoji":"e"}', 'latin1'),
];
/** They end the array. */
const BROKEN: readonly string[] = ['{"@context":tru}', '{"@context"', '1x', ',', ']', '}', '"\n"', ']]', ':'];

const USUAL = VALID.slice(0, 3);
/** Most of what begins in them is no element of the array. */
const ALIKE = [EMOJI, ODD[0]!, ODD[2]!, ODD[3]!].map((element) => Buffer.from(element));
const EMPTY = ['{}', '{}', '{}', '"},{"', '[{},{}]', '{"},{":"},{}"}'].map((element) => Buffer.from(element));

const COMMAS = [',', ',\n', ',\n  ', ' ,\r\n\t', `,${' '.repeat(700)}`];

const ROUNDS = rounds(80);

/** Most bytes that the window reads at first. Only what follows is checked in advance. */
const READ_AT_FIRST = 1 << 20;

/** An array, mostly of elements that are accepted. */
function randomArray(random: Random): { readonly bytes: Buffer; readonly verbs: typeof VERBS } {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const comma = pick(COMMAS);
  const layout = random(4) === 0 ? 2 : 0;
  const usual = pick([VALID, USUAL, USUAL, ALIKE, EMPTY]);
  const rare = pick([20, 100, 1000, 1_000_000]);
  const parts: (string | Buffer)[] = [random(4) === 0 ? '\ufeff' : '', random(3) === 0 ? '\n[\n  ' : '['];
  for (let size = 0; size < READ_AT_FIRST + 400_000; ) {
    const payload = pick(usual);
    const text = layout === 0 ? payload : JSON.stringify(JSON.parse(payload.toString()), null, layout);
    const chance = size < READ_AT_FIRST ? random(1_000_000) : random(rare);
    const element = chance === 0 ? pick(ODD) : chance === 1 ? mutate(payload, random) : text;
    parts.push(element, random(2000) === 0 ? pick(COMMAS) : comma);
    size += element.length + comma.length;
    if (size > READ_AT_FIRST && random(3000) === 0) parts.push(pick(BROKEN), comma);
  }
  parts.push(EMOJI, pick([']', ']\n', '\n]\n', '', '] x', ',]', ']{}', ', {"@context":']));
  // A report of thousands of violations takes long.
  const verbs = usual === EMPTY ? VERBS.filter(([verb]) => verb === 'convert') : VERBS;
  return { bytes: Buffer.concat(parts.map((part) => Buffer.from(part))), verbs };
}

/** Valid elements, then one with a violation, then a valid one. */
function longArray(bytes: number, comma: string, indent: number): Buffer {
  const texts = USUAL.map((payload) => JSON.stringify(JSON.parse(payload.toString()), null, indent));
  const unit = `${texts.join(comma)}${comma}`;
  const last = `{"emoji":5,"@context":"${'é😀中'.repeat(40)}","@type":"t"}`;
  return Buffer.from(`[${unit.repeat(Math.ceil(bytes / unit.length))}${last}${comma}${texts[0]}]\n`);
}

describe('a large array', () => {
  it.each([
    ['in one line', ',', 0],
    ['in lines', ',\n', 0],
    ['in lines with CR LF', ' ,\r\n', 0],
    ['indented', ',\n  ', 2],
    ['with much white space', `,${' '.repeat(700)}`, 0],
  ])(
    '%s is taken from other threads, and a violation after it has its place and its frame',
    async (_, comma, indent) => {
      writeFileSync(path, longArray(READ_AT_FIRST + 300_000, comma, indent));
      for (const bytes of [3000, 1 << 14, 1 << 16]) {
        CHUNK.bytes = bytes;
        for (const verb of VERBS.filter((verb) => !verb.includes('--kind'))) {
          jumps.mockClear();
          await expectSame(verb, 2);
          // What is laid out is made a piece at a time, by one thread.
          expect([bytes, verb, jumps.mock.calls.length > 0]).toEqual([
            bytes,
            verb,
            !verb.includes('--pretty'),
          ]);
        }
      }
    },
  );

  it.each([
    [',', 0],
    [',\n', 2],
  ])(
    'that ends too early, with %j between its elements, has its violation at its place when it is converted',
    async (comma, indent) => {
      const whole = longArray(READ_AT_FIRST + 300_000, comma, indent);
      writeFileSync(path, whole.subarray(0, -10));
      await expectSame(VERBS[2]!, 2);
      expect(jumps.mock.calls.length).toBeGreaterThan(0);
      expect((await run(VERBS[2]!, 2)).stderr).toMatch(/:\d+:\d+/);
    },
  );

  it('is the same with chunks that are larger than a window, and white space that is', async () => {
    CHUNK.bytes = 5 << 19;
    const unit = longArray(3 << 20, ',\n', 2)
      .toString()
      .slice(1, -2);
    writeFileSync(
      path,
      `[${Array(4)
        .fill(unit)
        .join(`,\n${' '.repeat(3 << 19)}`)}]`,
    );
    for (const verb of [VERBS[0]!, VERBS[2]!]) await expectSame(verb, 2);
    expect(jumps.mock.calls.length).toBeGreaterThan(1);
  });

  it('is the same where a frame shows what is after the beginning of a chunk, and elements end where it ends', async () => {
    // A KiB with its comma; the end of one in five is invalid.
    const element = (i: number): string => {
      const emoji = `,"emoji":${i % 5 === 0 ? '["e"]' : '"e"'}}`;
      return `{"@context":"${'c'.repeat(1023 - 26 - emoji.length)}","@type":"t"${emoji}`;
    };
    expect(element(0)).toHaveLength(1023);
    writeFileSync(path, `[${Array.from({ length: 1500 }, (_, i) => element(i)).join(',')}]`);
    await expectSame(VERBS[1]!, 2);
    expect(jumps.mock.calls.length).toBeGreaterThan(1);
  });

  it('is taken a chunk at a time, though windows end in the middle of elements', async () => {
    CHUNK.bytes = 5 << 19;
    writeFileSync(path, longArray(READ_AT_FIRST + 2 * CHUNK.bytes, ',', 0));
    for (const verb of [VERBS[0]!, VERBS[2]!]) {
      jumps.mockClear();
      await expectSame(verb, 2);
      expect([1, 2], `${verb}`).toContain(jumps.mock.calls.length);
    }
  });

  it('is the same with a real thread', async () => {
    Object.assign(world, { real: true });
    CHUNK.bytes = 1 << 16;
    writeFileSync(path, longArray(READ_AT_FIRST + (1 << 19), ',', 0));
    const { take } = Claims.prototype;
    // This thread begins once the other one has done a chunk.
    const claims = vi.spyOn(Claims.prototype, 'take').mockImplementation(function (this: Claims, mayBlock) {
      return world.started > 0 && world.done === 0 ? 'wait' : take.call(this, mayBlock);
    });
    onTestFinished(() => claims.mockRestore());
    for (const verb of [VERBS[0]!, VERBS[2]!]) {
      Object.assign(world, { started: 0, done: 0 });
      jumps.mockClear();
      await expectSame(verb, 2);
      expect(world.started).toBe(1);
      expect(jumps.mock.calls.length).toBeGreaterThan(0);
    }
  });

  it.each([
    ['becomes shorter', () => truncateSync(path, READ_AT_FIRST + 200_000)],
    ['is replaced', () => renameSync(other, path)],
    ['is removed', () => rmSync(path)],
  ])('that %s while it is read is a failure', async (_, change) => {
    writeFileSync(other, longArray(READ_AT_FIRST + 300_000, ',', 0));
    writeFileSync(path, longArray(READ_AT_FIRST + 300_000, ',', 0));
    world.before = (chunk) => {
      if (chunk > 3) change();
      world.before = chunk > 3 ? () => {} : world.before;
    };
    const { code, stdout, stderr } = await run(['validate', '--format', 'ndjson'], 2);
    expect([code, stderr]).toEqual([2, expect.stringContaining('was changed while it was read')]);
    expect(stdout).toContain('"type":"failure"');
  });

  it('on a disk that fails is a failure of its own, and the next file is checked', async () => {
    writeFileSync(path, longArray(READ_AT_FIRST + 300_000, ',', 0));
    writeFileSync(other, EMOJI);
    const words = 'input/output error: the device or network drive did not deliver';
    for (const from of [READ_AT_FIRST, READ_AT_FIRST + 100_000]) {
      disk.before = (offset) => {
        if (offset > from) throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5, syscall: 'read' });
      };
      const { code, stderr, stdout } = await run(['validate', other, '--format', 'line'], 2);
      expect([code, stderr]).toEqual([2, `paylint: it.json: ${words}\n`]);
      expect(stdout).toMatch(/^✗ [\d,]+ payloads valid in 2 files · 1 failure$/m);
    }
  });

  it('is the same where other threads end early, and where what is between elements is not found again', async () => {
    writeFileSync(path, longArray(READ_AT_FIRST + 300_000, ',', 0));
    const limit = Object.assign(new Error('no memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    for (const last of [0, 3, 9]) {
      world.before = (chunk) => {
        if (chunk >= last) throw limit;
      };
      for (const verb of [VERBS[0]!, VERBS[2]!]) await expectSame(verb, 3);
    }
    world.before = () => {};
    const others = `${EMOJI.replace('"@context"', ' "@context"')},`.repeat(8000);
    writeFileSync(path, `[${`${EMOJI},`.repeat(25_000)}${others}${EMOJI}]`);
    for (const verb of [VERBS[0]!, VERBS[2]!]) await expectSame(verb, 3);
  });

  it('is the same whatever is in it', async () => {
    const random = seeded(Number(process.env.SEED ?? 12));
    let shared = 0;
    for (let i = 0; i < ROUNDS; i++) {
      const { bytes, verbs } = randomArray(random);
      writeFileSync(path, bytes);
      CHUNK.bytes = 1000 << random(7);
      jumps.mockClear();
      for (const verb of new Set([...verbs.slice(0, 3), verbs[random(verbs.length)]!]))
        await expectSame(verb, 2 + random(2));
      if (jumps.mock.calls.length > 0) shared++;
    }
    expect(shared).toBeGreaterThan(ROUNDS / 4);
  });
});

describe('the place of an element', () => {
  it.each([
    ['[{"a":1},{"b":2}]', '},{"b"'],
    ['[{"a":"},{"} ,\r\n { "b\\"":2}]', '} ,\r\n { "b\\""'],
    ['[[1],[2]]', '],['],
    ['[{},{}]', '},{'],
    ['[{"a":1},2]', null],
    ['[1,{"b":2}]', null],
    ['["},{",{"b":2}]', null],
    ['[{"a":1} {"b":2}]', null],
    ['[{"a":1},{"b":', '},{"b"'],
    ['[{"a":1},{"b', null],
    ['[{"a":1},', null],
    [`[{},${' '.repeat(2000)}{}]`, null],
  ])('is searched for by what is between the first two of %j', (text, expected) => {
    const bytes = Buffer.from(text);
    const between = betweenElements(bytes, 1, bytes.length);
    expect(between === null ? null : Buffer.from(between.bytes).toString()).toBe(expected);
    if (between !== null) expect('{['.includes(String.fromCharCode(between.bytes[between.at]!))).toBe(true);
  });

  it('is found wherever it is, and not before or after the range', () => {
    const between = { bytes: Buffer.from('},{"a"'), at: 2 };
    for (const at of [
      0,
      1,
      4090,
      ...Array.from({ length: 12 }, (_, i) => 4088 + i),
      4096 + 65_530,
      4096 + 65_536,
    ]) {
      const bytes = Buffer.alloc(200_000, ' ');
      Buffer.from(between.bytes).copy(bytes, 1000 + at);
      writeFileSync(path, bytes);
      const fd = openSync(path, 'r');
      expect(elementIn(fd, 1000, 200_000, between)).toBe(1000 + at + 2);
      expect(elementIn(fd, 1000, 1000 + at + 1, between)).toBe(1000 + at + 2);
      expect([elementIn(fd, 1000, 1000 + at, between), elementIn(fd, 1001 + at, 200_000, between)]).toEqual([
        null,
        null,
      ]);
      closeSync(fd);
    }
  });
});
