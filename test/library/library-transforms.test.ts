/**
 * `filter` and `convert` of the library: they give the bytes of the command line, in pieces as they come, from paths, bytes and streams.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openPaylint, type PayloadInput, SourceError, UsageError, type Violation } from '../../src/index.ts';
import { paylint as commandLine } from '../world.ts';

const built: { openPaylint: typeof openPaylint } = await import(
  String(new URL('../../dist/index.js', import.meta.url))
);
const folder = mkdtempSync(join(tmpdir(), 'paylint-transforms-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VALID = '{"@context":"c", "@type":"e","emoji":"👍"}';
const LINES = `${VALID}\r\n\n{"emoji":1}\n{"@type":"Contract"}\noops\n${VALID}`;
const SOURCES = {
  'a.ndjson': LINES,
  'a.json': `\ufeff[${VALID},\n {"emoji": 1.0},${VALID}]\n`,
  'a.txt': `{\n"emoji": 1e2}\n${VALID}`,
  'empty.ndjson': '',
  'none.json': '[]',
};
for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, name), text);
const NAMES = Object.keys(SOURCES) as (keyof typeof SOURCES)[]; // they are all

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

/** The same content as a path, as bytes, as gzip, and as streams of bytes and of strings. */
function inputsOf(name: keyof typeof SOURCES): readonly PayloadInput[] {
  const bytes = Buffer.from(SOURCES[name]);
  const single = Array.from(bytes, (byte) => Buffer.of(byte));
  return [join(folder, name), bytes, gzipSync(bytes), Readable.from(single), Readable.from([...SOURCES[name]])];
}

describe.each([
  ['from source', openPaylint],
  ['as built', built.openPaylint],
])('%s', (_, open) => {
  describe.each(NAMES)('of %s', (name) => {
    it.each([
      ['filter', {}, []],
      ['filter', { invert: true }, ['--invert']],
      ['convert', {}, ['--to', 'ndjson']],
      ['convert', { to: 'json' }, ['--to', 'json']],
      ['convert', { to: 'json', pretty: true }, ['--to', 'json', '--pretty']],
      ['convert', { kind: 'emoji' }, ['--to', 'ndjson', '--kind', 'emoji']],
    ] as const)('%s with %j gives what the command line writes', async (verb, options, flags) => {
      const paylint = await open();
      const line = await commandLine([verb, name, '--no-config', ...flags], { cwd: folder });
      for (const input of inputsOf(name)) {
        const given = { ...options, file: join(folder, name) };
        expect(await textOf(paylint[verb](input, given))).toBe(line.stdout);
      }
    });
  });
});

const paylint = await openPaylint();

describe('a transform', () => {
  it('tells the violations of what it leaves out', async () => {
    const seen: string[] = [];
    const onViolation = ({ line, rule }: Violation): number => seen.push(`${line} ${rule}`);
    await textOf(paylint.filter(Buffer.from(LINES), { input: 'lines', onViolation }));
    expect(seen).toContain('3 required');
    expect(seen).toContain('5 json-syntax');
    seen.length = 0;
    await textOf(paylint.convert(Buffer.from(LINES), { input: 'lines', onViolation }));
    expect(seen).toEqual(['5 json-syntax']);
  });

  it('is judged by the rules of the instance', async () => {
    const lax = await openPaylint({ rules: { required: 'off', type: 'warning' } });
    expect(await textOf(lax.filter(Buffer.from('{"emoji":1}')))).toBe('{"emoji":1}\n');
  });

  it('passes each payload on as soon as it is complete', async () => {
    const stream = new PassThrough();
    const chunks = paylint.filter(stream, { input: 'lines' });
    stream.write(`${VALID}\n`);
    expect(Buffer.from((await chunks.next()).value!).toString()).toBe(`${VALID}\n`);
    stream.end(`${VALID}\n`);
    expect(await textOf(chunks)).toBe(`${VALID}\n`);
  });

  it('is a part of a pipeline of streams', async () => {
    const path = join(folder, 'a.ndjson');
    let text = '';
    const to = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
    const source = Readable.from([readFileSync(path)]);
    await pipeline(source, (stream: Readable) => paylint.convert(paylint.filter(stream), { to: 'json' }), to);
    expect(JSON.parse(text)).toHaveLength(2);
  });

  it('ends with its reader, and with the signal', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield `${VALID}\n`;
      })(),
    );
    for await (const chunk of paylint.filter(endless, { input: 'lines' })) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(endless.destroyed).toBe(true);
    const stop = new AbortController();
    const waiting = paylint.filter(new PassThrough(), { signal: stop.signal });
    const next = waiting.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await expect(paylint.convert('a', { signal: stop.signal }).next()).rejects.toThrow('enough');
  });

  it('refuses what it cannot read or does not know', async () => {
    await expect(textOf(paylint.filter(join(folder, 'missing')))).rejects.toThrow(SourceError);
    expect(() => paylint.filter('a', { invrt: true } as never)).toThrow('did you mean "invert"?');
    expect(() => paylint.convert('a', { to: 'yaml' as 'json' })).toThrow(UsageError);
    expect(() => paylint.convert('a', { pretty: true })).toThrow(UsageError);
    expect(() => paylint.convert('a', { kind: 'none' })).toThrow(UsageError);
  });
});
