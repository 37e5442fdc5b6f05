/**
 * Threads never change the output: the same bytes whatever their number, for work that other threads really share. And the ways
 * in which work is cut: ranges hold every line once, plans every source in order.
 */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mutate, seeded } from '../../scripts/mutations/mutate.ts';
import { threadScript } from '../../src/package.ts';
import type { Batch } from '../../src/run/part.ts';
import { oneByOne } from '../../src/run/run.ts';
import type { BatchResults } from '../../src/run/workers/check-batch.ts';
import { Claims, createShared } from '../../src/run/workers/claims.ts';
import { plan } from '../../src/run/workers/schedule.ts';
import { openRange } from '../../src/source/range.ts';
import type { Source } from '../../src/types.ts';
import { VALID } from '../flow-world.ts';
import { textOf, workedThrough } from '../threads-world.ts';
import { paylint } from '../world.ts';

/** What threads have done. */
const threads = vi.hoisted(() => ({ started: 0, batches: 0, ended: 0 }));
vi.mock('node:worker_threads', async (load) => {
  const real = await load<typeof import('node:worker_threads')>();
  class Worker extends real.Worker {
    constructor(...options: ConstructorParameters<typeof real.Worker>) {
      super(...options);
      threads.started++;
      this.on('message', () => threads.batches++).on('exit', () => threads.ended++);
    }
  }
  return { ...real, Worker };
});
beforeEach(() => Object.assign(threads, { started: 0, batches: 0, ended: 0 }));

let cwd: string;
beforeAll(() => {
  expect(existsSync(threadScript()!), 'npm run build makes the script that threads run').toBe(true);
  cwd = mkdtempSync(join(tmpdir(), 'paylint-threads-'));
  writeFiles();
});
afterAll(() => rmSync(cwd, { recursive: true }));

const MIB = 1 << 20;
const LINES = VALID.filter((payload) => !payload.includes(0x0a));
const EMOJI = '{"@context":"c","@type":"t","emoji":"e"}';

/** Lines up to a number of bytes; one in `every` is unusual. */
function lines(bytes: number, seed: number, every = 40): Buffer {
  const random = seeded(seed);
  const parts: Buffer[] = [];
  for (let size = 0; size < bytes; size += parts.at(-1)!.length) {
    const payload = LINES[random(LINES.length)]!;
    const odd = [
      Buffer.concat([Buffer.from('   \t'), mutate(payload, random), Buffer.from('  \r\n')]),
      Buffer.from(`${EMOJI.replace('"e"', '5')}\r\n`),
      Buffer.from('\n\r\n{"cut":\n'),
      Buffer.from(`{"emoji":1,"é😀":${'[1,'.repeat(5)}"\\u00e9","emoji":2}\n`),
      Buffer.concat([payload.subarray(0, random(payload.length)), Buffer.from([0xff, 0x0a])]),
    ];
    parts.push(random(every) === 0 ? odd[random(odd.length)]! : Buffer.concat([payload, Buffer.from('\n')]));
  }
  return Buffer.concat(parts);
}

/** Lines of `content` and others, one of which ends (after its line feed) this many bytes before or after each border of ranges. */
function endingAround(content: Buffer, shifts: readonly number[]): Buffer {
  let bytes = Buffer.alloc(0);
  for (const [i, shift] of shifts.entries()) {
    const end = (i + 1) * MIB + shift;
    const line = long(1000 * (i + 1), i % 2 === 0);
    const room = end - line.length - bytes.length;
    const whole = content.subarray(0, content.lastIndexOf(0x0a, room - EMOJI.length - 2) + 1);
    const filler = `${EMOJI}${' '.repeat(room - whole.length - EMOJI.length - 1)}\n`;
    bytes = Buffer.concat([bytes, whole, Buffer.from(filler), line]);
    expect([bytes.length, bytes.at(-1)]).toEqual([end, 0x0a]);
  }
  return bytes;
}

function long(length: number, valid: boolean): Buffer {
  const frame = valid ? EMOJI.replace('"e"', '"#"') : EMOJI.replace('"e"', '["#"]');
  return Buffer.from(`${frame.replace('#', 'e'.repeat(length - frame.length))}\n`);
}

function writeFiles(): void {
  const many = lines(4 * MIB, 1, 16);
  const wide = [long(2.2 * MIB, true), long(2.2 * MIB, false), lines(MIB / 2, 5)];
  const borders = Buffer.concat([endingAround(lines(7 * MIB, 2, 200), [-2, -1, 0, 1, 2, 3]), ...wide]);
  const indented = `${' '.repeat(30)}{"emoji":"${'e'.repeat(2800)}"}\n`;
  writeFileSync(join(cwd, 'many.ndjson'), many);
  writeFileSync(join(cwd, 'indented.ndjson'), indented.repeat(1500));
  writeFileSync(join(cwd, 'borders.ndjson'), borders);
  writeFileSync(join(cwd, 'cut-off.ndjson'), Buffer.concat([lines(1.5 * MIB, 3), Buffer.from(EMOJI.slice(0, 20))]));
  writeFileSync(join(cwd, 'one-line.ndjson'), `${EMOJI.slice(0, -1)},"x":[${'12345,'.repeat(MIB / 2)}1]}`);
  mkdirSync(join(cwd, 'small'));
  mkdirSync(join(cwd, 'refs'));
  const known = { $id: 'https://example.com/known', type: 'object', required: ['@type'] };
  writeFileSync(join(cwd, 'refs', 'known.json'), JSON.stringify(known));
  writeFileSync(join(cwd, 'ref.schema.json'), JSON.stringify({ $ref: known.$id }));
  const random = seeded(4);
  for (let i = 0; i < 300; i++) {
    const isLines = i % 3 === 0;
    const content = isLines ? lines(random(4000), i, 12) : mutate(LINES[random(LINES.length)]!, random);
    writeFileSync(join(cwd, 'small', `${i}.${isLines ? 'ndjson' : 'json'}`), content);
  }
  const elements = lines(1.5 * MIB, 6)
    .toString('latin1')
    .split('\n')
    .filter((line) => line.startsWith('{"@') && line.endsWith('}'));
  const array = (from: number): Buffer => Buffer.from(`[${elements.slice(from).join(',\n')}]`, 'latin1');
  writeFileSync(join(cwd, 'array.json'), array(0));
  // What their names do not say: they are large, or compressed, or empty.
  writeFileSync(join(cwd, 'small', '100-large.json'), array(0));
  writeFileSync(join(cwd, 'small', '200-middle.json'), array(Math.round(elements.length * 0.9)));
  writeFileSync(join(cwd, 'small', '290-packed.json'), gzipSync(array(elements.length - 9)));
  writeFileSync(join(cwd, 'small', '295-empty.json'), '');
  writeFileSync(join(cwd, 'packed.ndjson.gz'), gzipSync(lines(2 * MIB, 7), { level: 1 }));
}

/** Times are all that may differ. */
function timeless(text: string): string {
  return text.replaceAll(/"elapsedMs":\d+/g, '"elapsedMs":0').replaceAll(/ · (in )?[\d.]+ m?s$/gm, ' · time');
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], count: number, stdin?: Buffer): Promise<Outcome> {
  const options = stdin === undefined ? { cwd } : { cwd, stdin };
  const { code, stdout, stderr } = await paylint(['validate', '--threads', `${count}`, ...args], options);
  return { code, stdout: timeless(stdout), stderr };
}

/** Whole outputs would fill the screen. */
function expectSame(actual: Outcome, expected: Outcome): void {
  expect([actual.code, actual.stderr]).toEqual([expected.code, expected.stderr]);
  if (actual.stdout === expected.stdout) return;
  const [a, b] = [actual.stdout.split('\n'), expected.stdout.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  expect({ line: at, text: a.slice(at, at + 5) }).toEqual({ line: at, text: b.slice(at, at + 5) });
}

const NDJSON = ['--format', 'ndjson'];
const PRETTY = ['--format', 'pretty', '--max-violations', '0'];
/** Of threads. */
const MANY = 3;
const ALL = ['array.json', 'borders.ndjson', 'cut-off.ndjson', 'one-line.ndjson', 'packed.ndjson.gz', 'small'];

describe('the output is the same for 1 and more threads', () => {
  it.each([
    ['a large file of lines', ['many.ndjson', ...NDJSON]],
    ['a large file of lines, the first violations shown', ['many.ndjson', '--format', 'pretty', '--stats']],
    [
      'a large file of lines, with a schema of --ref',
      ['many.ndjson', '--schema', 'ref.schema.json', '--ref', 'refs', ...NDJSON],
    ],
  ])('%s, of which other threads do a part', async (_, args) => {
    const single = await run(args, 1);
    expect(threads).toEqual({ started: 0, batches: 0, ended: 0 });
    // On a busy machine they may have begun when all is done.
    for (let attempt = 0; attempt < 5 && threads.batches === 0; attempt++) {
      threads.started = 0;
      expectSame(await run(args, MANY), single);
      expect(threads.started).toBe(MANY - 1);
    }
    expect(threads.batches).toBeGreaterThan(0);
  });

  it.each([
    ['indented lines, of which windows cut some in two', ['indented.ndjson', ...PRETTY]],
    ['lines and a limit that some exceed', ['borders.ndjson', '--max-payload-bytes', '2500', ...PRETTY]],
    [
      'lines at the borders of ranges, a line of many, many small files and others',
      [...ALL, 'no-such-file.json', ...NDJSON],
    ],
    ['all of that, up to the first violations', [...ALL, '--max-violations', '7', '--format', 'pretty']],
    ['some of that, of one kind', ['small', 'cut-off.ndjson', '--kind', 'emoji', '--format', 'line', '--bail']],
    ['all of that, as one array each', [...ALL, '--input', 'json', '--redact', '--format', 'pretty']],
  ])('%s', async (_, args) => {
    const single = await run(args, 1);
    expect(single.stdout.length).toBeGreaterThan(100);
    expectSame(await run(args, MANY), single);
  });

  it('standard input among files', async () => {
    const stdin = lines(MIB / 2, 8);
    const args = ['-', 'cut-off.ndjson', 'array.json', '--stdin-filename', 'my.ndjson', ...PRETTY];
    const single = await run(args, 1, stdin);
    expect(single.stdout).toContain('my.ndjson');
    expectSame(await run(args, MANY, stdin), single);
  });

  it.each(['many.ndjson', 'borders.ndjson', 'small'])('up to the first invalid payload of %s', async (path) => {
    // Valid for a while, so that others have begun by then.
    const folder = join(cwd, 'bail');
    mkdirSync(folder);
    const valid = Buffer.concat(
      Array.from({ length: 20_000 }, (_, i) => Buffer.concat([LINES[i % 40]!, Buffer.from('\n')])),
    );
    const only = valid
      .toString('latin1')
      .split('\n')
      .filter((line) => line.includes('"@type"'));
    writeFileSync(join(folder, 'a.ndjson'), Buffer.from(`${only.join('\n')}\n`, 'latin1'));
    for (const format of [NDJSON, PRETTY]) {
      const args = ['bail', path, '--bail', ...format];
      const single = await run(args, 1);
      expect(single.code).toBe(1);
      expectSame(await run(args, MANY), single);
    }
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['', ['cut-off.ndjson', 'small', '--format', 'pretty']],
    [', missing objects as well', ['many.ndjson', '--deep', '--format', 'pretty']],
  ])('what fill writes%s', async (_, args) => {
    const fill = (count: number): Promise<Outcome> => paylint(['fill', '--threads', `${count}`, ...args], { cwd });
    const single = await fill(1);
    // Deep payloads are examined in a thread of their own, which is not seen here if another thread has started it.
    const apart = threads.started;
    const other = await fill(MANY);
    expect([MANY - 1, MANY - 1 + apart]).toContain(threads.started - apart);
    expectSame({ ...other, stderr: timeless(other.stderr) }, { ...single, stderr: timeless(single.stderr) });
  });
});

const source = (name: string): Source => ({
  name,
  path: join(cwd, name),
  regular: false,
  framing: 'lines',
  kind: null,
});

describe('threads that are started at once', () => {
  it('do much of the work, where they are quicker, and its results keep their order', async () => {
    const names = [
      'cut-off.ndjson',
      ...Array.from({ length: 100 }, (_, i) => `small/${3 * i}.ndjson`),
      'borders.ndjson',
    ];
    const batches = plan(names.map(source), null);
    const alone = await workedThrough(batches, 1, 0);
    expect(threads).toEqual({ started: 0, batches: 0, ended: 0 });
    const shared = await workedThrough(batches, 3, 10);
    expect(threads.started).toBe(2);
    // How much depends on what else the machine does.
    expect(threads.batches).toBeGreaterThan(batches.length / 5);
    expect(textOf(shared)).toBe(textOf(alone));
  });

  it('end when the run is left', async () => {
    const batches = plan(Array(8).fill(source('many.ndjson')), null);
    expect(batches.length).toBeGreaterThan(29);
    expect(await workedThrough(batches, 3, 0, 1)).toMatchObject([{ batch: batches[0] }]);
    expect(threads).toMatchObject({ started: 2, ended: 2 });
    expect(threads.batches).toBeLessThan(20);
  });
});

describe('ranges', () => {
  const TEXTS = ['a\nbb\n\nccc\r\n\n\nd', 'a\n', '\n', '\n\n', 'abc', '', '\nabc', `é\n${'x'.repeat(20)}\n😀\n`];

  async function contentOf(path: string, from: number, to: number, room: number): Promise<Buffer> {
    const reader = openRange(path, from, to);
    const parts: Buffer[] = [];
    const into = Buffer.alloc(room);
    for (let count = await reader.read(into, 0); count > 0; count = await reader.read(into, 0)) {
      parts.push(Buffer.from(into.subarray(0, count)));
    }
    const content = Buffer.concat(parts);
    expect(reader.progress).toEqual({ bytes: content.length, size: content.length });
    const whole = readFileSync(path);
    expect(whole.subarray(reader.start, reader.start + content.length).equals(content)).toBe(true);
    await reader.close();
    await reader.close();
    return content;
  }

  it.each(TEXTS)('of %j, cut at every byte, hold every line once, where it begins', async (text) => {
    const path = join(cwd, 'ranges');
    const bytes = Buffer.from(text);
    writeFileSync(path, bytes);
    const begins = [0, ...[...bytes.keys()].filter((at) => bytes[at] === 0x0a).map((at) => at + 1)];
    const linesIn = (from: number, to: number): Buffer => {
      const first = begins.find((begin) => begin >= from) ?? bytes.length;
      const last = begins.find((begin) => begin >= to) ?? bytes.length;
      return bytes.subarray(first, Math.max(first, last));
    };
    for (let from = 0; from <= bytes.length + 1; from++) {
      for (let to = from + 1; to <= bytes.length + 2; to++) {
        const content = await contentOf(path, from, to, 1 + (to % 7));
        expect([from, to, content.toString()]).toEqual([from, to, linesIn(from, to).toString()]);
      }
      expect(await contentOf(path, from, Number.MAX_SAFE_INTEGER, 100)).toEqual(linesIn(from, bytes.length + 1));
    }
  });

  it('find the ends of lines that are longer than what is looked at in one go', async () => {
    const path = join(cwd, 'ranges');
    for (const length of [65_534, 65_535, 65_536, 65_537, 200_000]) {
      const bytes = Buffer.from(`${'x'.repeat(length)}\ny\n`);
      writeFileSync(path, bytes);
      for (const cut of [1, 2, 65_535, 65_536, 65_537, length - 1, length, length + 1, length + 2, length + 3]) {
        const both = [await contentOf(path, 0, cut, MIB), await contentOf(path, cut, length * 2, MIB)];
        expect(Buffer.concat(both).equals(bytes)).toBe(true);
        expect(both[0]!.length).toBe(cut <= length + 1 ? length + 1 : length + 3);
      }
    }
  });

  it('of a file that shrinks while it is read are a failure', async () => {
    const path = join(cwd, 'ranges');
    writeFileSync(path, 'a\nb\nc\n');
    const reader = openRange(path, 2, 5);
    truncateSync(path, 3);
    const into = Buffer.alloc(10);
    expect([await reader.read(into, 0), into[0]]).toEqual([1, 0x62]);
    await expect(reader.read(into, 1)).rejects.toThrow('was changed while it was read');
    await reader.close();
    expect(await contentOf(path, 10, 20, 10)).toEqual(Buffer.alloc(0));
  });

  it.each([
    ['shrunk', (path: string) => truncateSync(path, 2 * MIB), true],
    ['been emptied', (path: string) => truncateSync(path, 0), true],
    [
      'been replaced by another of its size',
      (path: string) => {
        copyFileSync(path, `${path}.new`);
        renameSync(`${path}.new`, path);
      },
      true,
    ],
    ['grown', (path: string) => appendFileSync(path, `${EMOJI}\n`), false],
  ])('of a file that has %s since they were planned', async (_, change, fails) => {
    const path = join(cwd, 'changed.ndjson');
    const source = { name: 'changed.ndjson', path, regular: true, framing: 'lines', kind: null } as const;
    const count = Math.ceil((3.5 * MIB) / (EMOJI.length + 1));
    for (const threads of [1, 2]) {
      writeFileSync(path, `${EMOJI}\n`.repeat(count));
      const batches = plan([source], null);
      change(path);
      const turns = await workedThrough(batches, threads, 0);
      const results = turns.flatMap((turn) => (turn as { results: BatchResults }).results);
      const failures = results.flatMap((result) => result?.end.failure ?? []);
      const payloads = results.map((result) => result?.gathered.counts.payloads ?? 0);
      if (fails) expect(failures).toEqual(Array(batches.length).fill('was changed while it was read'));
      else {
        expect(failures).toEqual([]);
        expect(payloads.reduce((sum, count) => sum + count, 0)).toBe(count + 1);
      }
    }
  });

  it('of what cannot be read are a failure', () => {
    expect(() => openRange(join(cwd, 'none'), 0, 5)).toThrow('no such file or folder');
    expect(() => openRange(cwd, 5, 10)).toThrow('is a folder, not a file');
  });
});

describe('a plan', () => {
  const sourceOf = (name: string, framing: Source['framing'] = 'lines'): Source => ({
    name,
    path: join(cwd, name),
    regular: false,
    framing,
    kind: null,
  });
  const brief = (batches: readonly Batch[]): unknown[] =>
    batches.map(({ parts, serial }) => [
      serial ? 'serial' : 'shared',
      ...parts.map(({ source, range, last }) => [source.name, range?.from ?? null, range?.to ?? null, last]),
    ]);
  const write = (name: string, content: Buffer | string, size = 0): Source => {
    writeFileSync(join(cwd, name), content);
    if (size > 0) truncateSync(join(cwd, name), size);
    return sourceOf(name);
  };

  it('divides large files of lines, side by side from their first byte to whatever comes', () => {
    const source = write('plan', '{}\n', 2.5 * MIB);
    const end = Number.MAX_SAFE_INTEGER;
    const wanted = [
      ['shared', ['plan', 0, MIB, false]],
      ['shared', ['plan', MIB, 2 * MIB, false]],
      ['shared', ['plan', 2 * MIB, end, true]],
    ];
    expect(brief(plan([source], null))).toEqual(wanted);
    expect(brief(plan([{ ...source, framing: null }], 'lines'))).toEqual(wanted);
    for (const whole of [
      [...oneByOne([source])].map(({ batch }) => batch),
      plan([{ ...source, framing: 'json' }], null),
      plan([{ ...source, framing: null }], null),
      plan([source], 'stream'),
    ]) {
      expect(brief(whole)).toEqual([['serial', ['plan', null, null, true]]]);
    }
  });

  it('leaves whole what has no lines to cut at, and standard input', () => {
    const wholes = [
      write('plan-gz', gzipSync(Buffer.alloc(10)), 2 * MIB),
      write('plan-16', Buffer.from('{}\n', 'utf16le'), 2 * MIB),
      write('plan-bom-16', Buffer.from([0xfe, 0xff, 0, 0x7b]), 2 * MIB),
      { ...sourceOf('<stdin>'), path: null },
    ];
    expect(brief(plan(wholes, null))).toEqual(wholes.map(({ name }) => ['serial', [name, null, null, true]]));
  });

  it('treats files as small that probably are, until they are opened', async () => {
    const small = { ...write('plan-regular.json', '{}'), regular: true, framing: 'json' } as const;
    const large = { ...write('plan-regular-large.json', '[', MIB + 1), regular: true, framing: 'json' } as const;
    const middle = { ...write('plan-regular-middle.json', '[', MIB), regular: true, framing: 'json' } as const;
    const gone = { ...sourceOf('plan-gone.json'), regular: true, framing: 'json' } as const;
    const [batch, ...others] = plan([small, large, middle, gone], null);
    expect(others).toEqual([]);
    expect(batch!.parts.map(({ small }) => small)).toEqual([true, true, true, true]);
    expect([...oneByOne([large])].map(({ batch }) => batch.parts[0]!.small)).toEqual([true]);
    const results = await workedThrough([batch!], 1, 0);
    expect(results).toMatchObject([
      {
        results: [
          { end: { opened: true, bytes: 2 } },
          null,
          { end: { opened: true, bytes: MIB } },
          { end: { opened: false } },
        ],
      },
    ]);
  });

  it('puts small files together, in order, whatever is between them', () => {
    const small = write('plan-small', '{}');
    const missing = sourceOf('plan-missing');
    const large = write('plan-large', '[', MIB + 1);
    copyFileSync(join(cwd, 'plan-small'), join(cwd, 'plan-copy'));
    const sources = [small, missing, { ...large, framing: 'json' } as const, small, small];
    const whole = (name: string): unknown => [name, null, null, true];
    expect(brief(plan(sources, null))).toEqual([
      ['shared', whole('plan-small'), whole('plan-missing')],
      ['serial', whole('plan-large')],
      ['shared', whole('plan-small'), whole('plan-small')],
    ]);
    const many = plan(
      Array.from({ length: 150 }, () => small),
      null,
    );
    expect(many.map(({ parts }) => parts.length)).toEqual([64, 64, 22]);
    const half = write('plan-half', '{}\n', 600_000);
    expect(plan([half, half, half, half, half], null).map(({ parts }) => parts.length)).toEqual([2, 2, 1]);
  });
});

describe('claims', () => {
  const claimsOf = (serials: readonly boolean[], ahead: number): Claims =>
    new Claims({ shared: createShared(0), serial: Uint8Array.from(serials, Number), ahead }, null);

  it('give every batch once, but for the serial ones', () => {
    const claims = claimsOf([true, false, false, true, true, false], 10);
    expect([1, 2, 3, 4].map(() => claims.take(false))).toEqual([1, 2, 5, null]);
    expect(claims.left).toBe(0);
  });

  it('give none that is far ahead of what was reported', () => {
    const claims = claimsOf(Array(6).fill(false), 2);
    expect([1, 2, 3].map(() => claims.take(false))).toEqual([0, 1, 'wait']);
    expect(claims.left).toBe(4);
    claims.report(1);
    expect([1, 2].map(() => claims.take(false))).toEqual([2, 'wait']);
    claims.report(4);
    expect([1, 2, 3, 4].map(() => claims.take(false))).toEqual([3, 4, 5, null]);
  });
});
