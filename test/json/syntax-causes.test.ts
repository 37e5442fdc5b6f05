/**
 * The causes of syntax errors: the same however the bytes come in, named for texts beyond the first bytes of a window as well, and
 * never with payload text under `--redact`.
 */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCases } from '../case-files.ts';
import { rounds } from '../rounds.ts';
import { paylint } from '../world.ts';

/** The payload files of the cases about syntax errors, and the framing that their names say. */
const TEXTS = readCases()
  .filter(({ name }) => name.startsWith('json-syntax-'))
  .flatMap(({ name, told }) =>
    [...told.files]
      .filter(([file]) => /^[^./][^/]*\.(?:nd)?json$/.test(file))
      .map(([file, bytes]) => ({
        name: `${name}/${file}`,
        framing: file.endsWith('.ndjson') ? 'lines' : 'json',
        bytes: bytes as Buffer, // no link
      })),
  );

async function report(bytes: Buffer, framing: string, chunk: number, ...flags: string[]): Promise<string> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk));
  const args = ['validate', '--no-config', '--quiet', '--input', framing, ...flags];
  const { stdout } = await paylint(args, {
    cwd: import.meta.dirname,
    stdin: Readable.from(slowly(chunks), { objectMode: true, highWaterMark: 1 }),
  });
  return stdout.replace(/"elapsedMs":\d+/, '"elapsedMs":0');
}

/** One at a time, each after what was done with the one before. */
async function* slowly(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    await new Promise((resolve) => setImmediate(resolve));
    yield chunk;
  }
}

describe('causes', () => {
  it('have many texts', () => expect(TEXTS.length).toBeGreaterThan(35));

  it.each(TEXTS)('of $name are the same byte by byte', async ({ bytes, framing }) => {
    for (const format of ['pretty', 'ndjson']) {
      const whole = await report(bytes, framing, bytes.length || 1, '--format', format);
      expect(whole).not.toBe('');
      expect(await report(bytes, framing, 1, '--format', format)).toBe(whole);
    }
  });

  it('after elements of an array, with much white space, are the same byte by byte', async () => {
    const element = '{"@context": "c", "@type": "t", "emoji": "x"}';
    for (const spaces of [1, 300, 500, 2000]) {
      const space = `\n${' '.repeat(spaces)}\n`;
      const bytes = Buffer.from(`[${`${element},\n`.repeat(30)}${element},${space}]`);
      const whole = await report(bytes, 'json', bytes.length, '--format', 'pretty');
      expect(await report(bytes, 'json', 7, '--format', 'pretty')).toBe(whole);
      expect(whole.includes('a trailing comma')).toBe(spaces <= 300);
    }
  });
});

describe('--redact', () => {
  const FAULTS = [
    'secret',
    "'secret'",
    '`secret`',
    '“secret”',
    '// secret\n',
    '# secret\n',
    '/* secret */',
    '"secret"',
    '"secret',
    'b"secret"',
    '<secret>',
    'secret: ',
    '\\secret',
    ',',
    '}',
    ']',
    ':',
    '"se"cret"',
    'nullsecret',
    '1secret',
    '\u00a0',
  ];
  const PIECES = ['{"secret": ', '"secret"', '[', ']', '}', ', ', ': ', '\n', '1', 'true', ...FAULTS];

  it('holds no text of a malformed payload', async () => {
    const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('json', 'lines', 'stream'), async (pieces, framing) => {
        const bytes = Buffer.from(`[${pieces.join('')}`);
        const out = await report(bytes, framing, bytes.length, '--redact', '--format', 'ndjson');
        // A pointer is a place, and holds names.
        const messages = out
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line));
        for (const { rule, message, params } of messages) {
          if (rule !== 'json-syntax') continue;
          expect(message + JSON.stringify(params)).not.toContain('secret');
        }
      }),
      { numRuns: rounds(600) },
    );
  });
});
