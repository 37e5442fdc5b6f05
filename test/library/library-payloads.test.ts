/**
 * The payloads of the library, one by one: the same from a file, from a stream in chunks of any size, from bytes and from a text, without promises and with
 * them; and the same as the run over the file. Calls that are ended, and instances that are closed.
 */
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fastGlob from 'fast-glob';
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as source from '../../src/index.ts';
import type { FramingName } from '../../src/types.ts';

const built: typeof source = await import(String(new URL('../../dist/index.js', import.meta.url)));

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const FILES = fastGlob.sync('**/*.{json,ndjson,jsonl,gz}', { cwd: FIXTURES }).sort();
const folder = mkdtempSync(join(tmpdir(), 'paylint-payloads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EMOJI = '{"@context":"c","@type":"Emoji","emoji":"👍"}';
const WRONG = '{"@context":"c","@type":"Emoji","emoji":1,"reson":""}';
const CONTRACT = readFileSync(join(FIXTURES, 'contract/valid/full.json'), 'utf8');

/** Contents of a file in which payloads of several kinds follow one another, some of them invalid. */
const CONTENTS: readonly string[] = [
  '',
  '\n \n',
  `\uFEFF${EMOJI}\n\n${WRONG}\r\n  ${EMOJI}  \noops\n${EMOJI}`,
  `${`${EMOJI}\n${JSON.stringify(JSON.parse(CONTRACT))}\n`.repeat(300)}${WRONG}\n${EMOJI}\n`,
  `[${`${EMOJI},\n${CONTRACT},`.repeat(40)}${WRONG}, ${EMOJI}]`,
  `${CONTRACT}${EMOJI} ${EMOJI}${WRONG}${CONTRACT}`,
  `\x1e${EMOJI}\n\x1e${WRONG}\n`,
  `${EMOJI}\n${EMOJI.replace('👍', 'x'.repeat(1 << 21))}\n${EMOJI}\n`,
  `[${EMOJI}`,
  `${EMOJI}\n{"emoji": "\ud83d`,
];

const FRAMINGS: readonly (FramingName | undefined)[] = [undefined, 'json', 'lines', 'stream'];

type Results = readonly source.PayloadResult[];

async function listed(results: AsyncIterable<source.PayloadResult>): Promise<Results | string> {
  const found: source.PayloadResult[] = [];
  try {
    for await (const result of results) found.push(result);
  } catch (error) {
    return `${found.length} ${(error as Error).name}: ${(error as Error).message}`;
  }
  return withoutFiles(found);
}

/** A clock that goes on by itself, so that turns do not depend on the machine. */
function everyLookTakesMilliseconds(): Disposable {
  let now = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 5;
    return now;
  });
  return { [Symbol.dispose]: () => spy.mockRestore() };
}

function listedNow(results: Iterable<source.PayloadResult>): Results | string {
  const found: source.PayloadResult[] = [];
  try {
    for (const result of results) found.push(result);
  } catch (error) {
    return `${found.length} ${(error as Error).name}: ${(error as Error).message}`;
  }
  return withoutFiles(found);
}

/** The name of the source is another each time. */
function withoutFiles(results: Results): Results {
  return results.map((result) => ({
    ...result,
    violations: result.violations.map((violation) => ({ ...violation, file: '' })),
  }));
}

function chunks(bytes: Uint8Array, size: number): Readable {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return Readable.from(parts);
}

describe.each([
  ['from source', source],
  ['as built', built],
])('%s', (_, { openPaylint, UsageError }) => {
  it('take a kind, whole arrays and halves of characters', async () => {
    const paylint = await openPaylint();
    const results = [...paylint.payloadsOf(`${EMOJI}\n${WRONG}`, { kind: 'emoji', input: 'lines' })];
    expect(results.map(({ kind, valid, text }) => [kind, valid, text])).toEqual([
      ['emoji', true, EMOJI],
      ['emoji', false, WRONG],
    ]);
    expect(results[1]!.violations.map(({ file, line }) => [file, line])).toEqual([
      ['<text>', 2],
      ['<text>', 2],
    ]);
    expect([...paylint.payloadsOf(`[${EMOJI}]`, { whole: true })].map(({ valid }) => valid)).toEqual([false]);
    const [half] = [...paylint.payloadsOf(EMOJI.replace('👍', '\ud83d'))];
    expect(half!.violations.map(({ rule }) => rule)).toEqual(['json-encoding']);
  });

  it('are judged as they are asked for', async () => {
    const paylint = await openPaylint();
    const results = paylint.payloadsOf(CONTENTS[3]!, { input: 'lines' });
    expect(results.next().value).toMatchObject({ index: 0, kind: 'emoji' });
    // Another source meanwhile.
    expect([...paylint.payloadsOf(CONTENTS[5]!, { input: 'stream' })]).toHaveLength(5);
    expect(results.next().value).toMatchObject({ index: 1, kind: 'contract' });
    expect(results.return(undefined)).toEqual({ done: true, value: undefined });
    expect(results.next()).toEqual({ done: true, value: undefined });
  });

  it('refuse what cannot be used at once', async () => {
    const paylint = await openPaylint();
    expect(() => paylint.payloadsOf(1 as never)).toThrow(TypeError);
    expect(() => paylint.payloadsOf('{}', { inptu: 'lines' } as never)).toThrow('did you mean "input"');
    expect(() => paylint.payloadsOf('{}', { kind: 'nothing' })).toThrow(UsageError);
    const cutOff = gzipSync(Buffer.from(CONTENTS[3]!)).subarray(0, 100);
    expect(listedNow(paylint.payloadsOf(cutOff))).toBe('0 SourceError: its gzip data is cut off');
  });

  it('can be asked for without waiting for those before', async () => {
    const paylint = await openPaylint();
    const results = paylint.payloads(chunks(Buffer.from(CONTENTS[2]!), 10), { input: 'lines' });
    const all = await Promise.all(Array.from({ length: 7 }, () => results.next()));
    expect(all.map(({ done, value }) => (done ? 'done' : value.index))).toEqual([0, 1, 2, 3, 4, 'done', 'done']);
  });

  it('close their source, however they end', async () => {
    const paylint = await openPaylint();
    const endings: ((results: AsyncGenerator<source.PayloadResult>) => Promise<unknown>)[] = [
      async (results) => results.return(undefined),
      async (results) => expect(results.throw(new Error('mine'))).rejects.toThrow('mine'),
      async (results) => {
        for await (const _ of results) break;
      },
      async (results) => {
        for await (const _ of results);
      },
      async () => paylint.close(),
    ];
    for (const end of endings) {
      const stream = chunks(Buffer.from(CONTENTS[3]!), 1000);
      const results = paylint.payloads(stream, { input: 'lines' });
      expect((await results.next()).done).toBe(false);
      await end(results);
      expect(stream.destroyed).toBe(true);
    }
  });

  it('take larger chunks than usual from the stream of a file, and what other streams give', async () => {
    const paylint = await openPaylint();
    const path = join(folder, 'large.ndjson');
    writeFileSync(path, `${EMOJI}\n`.repeat(70_000));
    const file = createReadStream(path);
    const passed = createReadStream(path).pipe(new PassThrough({ highWaterMark: 1000 }));
    for (const stream of [file, passed])
      expect(await listed(paylint.payloads(stream, { input: 'lines' }))).toHaveLength(70_000);
    expect([file.readableHighWaterMark, passed.readableHighWaterMark]).toEqual([1 << 20, 1000]);
  });

  it('leave a stream alone that is not asked for', async () => {
    const paylint = await openPaylint();
    const stream = chunks(Buffer.from(EMOJI), 1000);
    const results = paylint.payloads(stream);
    expect(await results.return(undefined)).toEqual({ done: true, value: undefined });
    expect(await results.next()).toEqual({ done: true, value: undefined });
    expect([stream.destroyed, stream.readableDidRead]).toEqual([false, false]);
  });

  describe('signals', () => {
    const reason = new Error('enough');

    it('end an iteration, also while it waits, with their reason', async () => {
      const paylint = await openPaylint();
      const waiting = new Readable({ read() {} });
      waiting.push(`${EMOJI}\n`);
      const controller = new AbortController();
      const results = paylint.payloads(waiting, { input: 'lines', signal: controller.signal });
      expect((await results.next()).value).toMatchObject({ index: 0, valid: true });
      const next = results.next();
      controller.abort(reason);
      await expect(next).rejects.toBe(reason);
      expect(await results.next()).toEqual({ done: true, value: undefined });
      expect(waiting.destroyed).toBe(true);
    });

    it('that have aborted before end it before anything is read', async () => {
      const paylint = await openPaylint();
      const options = { input: 'lines', signal: AbortSignal.abort(reason) } as const;
      const stream = chunks(Buffer.from(EMOJI), 1000);
      await expect(paylint.payloads(stream, options).next()).rejects.toBe(reason);
      expect(stream.readableDidRead).toBe(false);
      expect(() => paylint.payloadsOf(EMOJI, options).next()).toThrow(reason);
      const run = await paylint.validateFiles([FIXTURES], { signal: options.signal });
      expect([run.interrupted, run.exitCode, run.payloads]).toEqual([true, 130, 0]);
    });

    it.each([
      ['accepted', EMOJI, 200_000],
      ['invalid', WRONG, 2000],
    ] as const)('of a timer end work that never waits: payloads that are %s', async (...row) => {
      const [, text, count] = row;
      const paylint = await openPaylint();
      const bytes = Buffer.from(`${text}\n`.repeat(count));
      using _clock = everyLookTakesMilliseconds();
      const controller = new AbortController();
      let turns = 0;
      const turn = (): void => {
        if (++turns === 3) controller.abort(reason);
        else setImmediate(turn);
      };
      setImmediate(turn);
      const all = async (): Promise<void> => {
        for await (const _ of paylint.payloads(bytes, { input: 'lines', signal: controller.signal }));
      };
      await expect(all()).rejects.toBe(reason);
    });

    it('end payloadsOf at the next payload', async () => {
      const paylint = await openPaylint();
      const controller = new AbortController();
      const seen: number[] = [];
      const all = (): void => {
        for (const { index } of paylint.payloadsOf(CONTENTS[3]!, { input: 'lines', signal: controller.signal })) {
          seen.push(index);
          if (index === 2) controller.abort(reason);
        }
      };
      expect(all).toThrow(reason);
      expect(seen).toEqual([0, 1, 2]);
    });

    it('are let go at the end', async () => {
      const paylint = await openPaylint();
      let listeners = 0;
      const signal = {
        aborted: false,
        reason: undefined,
        addEventListener: () => listeners++,
        removeEventListener: () => listeners--,
      };
      for await (const _ of paylint.payloads(Buffer.from(EMOJI), { signal }));
      for (const _ of paylint.payloadsOf(EMOJI, { signal }));
      await paylint.validateFiles([join(FIXTURES, 'emoji/valid')], { signal });
      expect(listeners).toBe(0);
    });
  });

  describe('an instance that is closed', () => {
    it('has ended all that was at work, and refuses more', async () => {
      const paylint = await openPaylint();
      const waiting = new Readable({ read() {} });
      const next = paylint.payloads(waiting).next();
      const now = paylint.payloadsOf(CONTENTS[3]!, { input: 'lines' });
      now.next();
      const other = paylint.payloads(new Readable({ read() {} })).next();
      const run = paylint.validateFiles([FIXTURES]);
      const verdict = paylint.validate(WRONG);
      const settled = Promise.allSettled([next, other, run]);
      await Promise.all([paylint.close(), paylint.close()]);
      const [first, second, third] = await settled;
      expect(first).toMatchObject({ status: 'rejected', reason: { message: 'the instance of paylint is closed' } });
      expect(second).toMatchObject({ status: 'rejected', reason: { message: 'the instance of paylint is closed' } });
      expect(third).toMatchObject({ status: 'fulfilled', value: { interrupted: true } });
      expect(waiting.destroyed).toBe(true);
      expect(() => now.next()).toThrow(UsageError);
      expect(verdict.violations).toHaveLength(2);
      await paylint.close();
      for (const call of [
        () => paylint.isValid(EMOJI),
        () => paylint.validate(EMOJI),
        () => paylint.validateValue({}),
        () => paylint.fill(EMOJI),
        () => paylint.kindOf(EMOJI),
        () => paylint.kinds,
        () => paylint.payloads(Buffer.from(EMOJI)),
        () => paylint.payloadsOf(EMOJI),
      ])
        expect(call).toThrow(UsageError);
      await expect(paylint.validateFiles([FIXTURES])).rejects.toThrow(UsageError);
    });

    it('does not matter to others', async () => {
      const [closed, open] = await Promise.all([openPaylint(), openPaylint()]);
      await closed!.close();
      expect(open!.isValid(EMOJI)).toBe(true);
    });
  });
});

describe('the fixtures, and mixed payloads, as built', () => {
  it.each(FRAMINGS)('are the same for mixed payloads, framing %s', async (input) => {
    const paylint = await built.openPaylint();
    const options = input === undefined ? {} : { input };
    for (const [i, content] of CONTENTS.entries()) {
      const bytes = Buffer.from(content);
      const file = join(folder, `content${i}`);
      writeFileSync(file, bytes);
      const expected = await listed(paylint.payloads(file, options));
      for (const given of [bytes, gzipSync(bytes)]) {
        expect([i, listedNow(paylint.payloadsOf(given, options))]).toEqual([i, expected]);
        expect([i, await listed(paylint.payloads(given, options))]).toEqual([i, expected]);
        expect([i, await listed(paylint.payloads(chunks(given, 70_000), options))]).toEqual([i, expected]);
      }
      expect([i, await listed(paylint.payloads(createReadStream(file), options))]).toEqual([i, expected]);
      if (content.isWellFormed()) expect(listedNow(paylint.payloadsOf(content, options))).toEqual(expected);
    }
  });

  it('are the same for every fixture, however it is given', async () => {
    const paylint = await built.openPaylint();
    let payloads = 0;
    for (const name of FILES) {
      const file = join(FIXTURES, name);
      const bytes = readFileSync(file);
      const expected = await listed(paylint.payloads(file));
      payloads += expected.length;
      expect([name, listedNow(paylint.payloadsOf(bytes, { file: name }))]).toEqual([name, expected]);
      expect([name, await listed(paylint.payloads(chunks(bytes, 100), { file: name }))]).toEqual([name, expected]);
      expect([name, await listed(paylint.payloads(bytes, { file: name }))]).toEqual([name, expected]);
    }
    expect(payloads).toBeGreaterThan(300);
  });

  it('have the violations that the run over the file has, and each its own text', async () => {
    const paylint = await built.openPaylint();
    for (const name of FILES) {
      const file = join(FIXTURES, name);
      const reported: source.Violation[] = [];
      const run = await paylint.validateFiles([file], {
        onEvent: (event) => {
          if (event.type !== 'violation') return;
          const { type: __, ...violation } = event;
          reported.push({ ...violation, file: '' } as source.Violation); // without its type
        },
      });
      const results = await listed(paylint.payloads(file));
      if (typeof results === 'string') {
        expect([name, run.failures]).toEqual([name, 1]);
        continue;
      }
      // A run shows only the first violations of a file that clearly has another framing than its name says.
      const found = results.flatMap(({ violations }) => violations);
      expect([name, found.slice(0, reported.length)]).toEqual([name, reported]);
      expect([name, results.length, results.filter(({ valid }) => valid).length]).toEqual([
        name,
        run.payloads,
        run.valid,
      ]);
      for (const { index, text, kind, valid } of results.filter((one) => one.valid))
        expect([name, index, paylint.validate(text).kind]).toEqual([name, index, valid ? kind : null]);
    }
  });

  it('of many sources at once', async () => {
    const paylint = await built.openPaylint();
    const expected = await Promise.all(FILES.map((name) => listed(paylint.payloads(join(FIXTURES, name)))));
    const single: (Results | string)[] = [];
    for (const name of FILES) single.push(await listed(paylint.payloads(join(FIXTURES, name))));
    expect(expected).toEqual(single);
  });
});
