/**
 * Many invalid payloads: those after the first are not examined, and on lines many are read at once. The violations are the same, field by
 * field, however the source is read, and however they are reported.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutate, seeded } from '../scripts/mutations/mutate.ts';
import { openPaylint } from '../src/library/open.ts';
import type { Violation } from '../src/types.ts';
import { VALID } from './flow-world.ts';
import { paylint } from './world.ts';

const WRONG = [
  '{"emoji":1,"@type":"Emoji"}',
  '{"@type":"Contract"}',
  '{"@type":"Article","content":"","title":7,"tags":[1,"a"],"x":{"y":1}}',
  '{"@type":"Emoji","emoji":"é","more":{"a":[1]}}',
  '{"@type":"Artcle"}',
  '{"@type":"Article","content":"a","content":"b"}',
];

describe('a source with many invalid payloads', () => {
  it('has the same violations from its first payload to its last', async () => {
    const paylint = await openPaylint();
    const first: string[] = [];
    let count = 0;
    const lines = Buffer.from(`${Array.from({ length: 1200 }, () => WRONG.join('\n')).join('\n')}\n`);
    for await (const { index, violations } of paylint.payloads(lines, { input: 'lines' })) {
      const facts = JSON.stringify(
        violations.map(({ payload: _, line: __, endLine: ___, offset: ____, params, ...rest }) => [
          rest,
          // Where the first of two members is depends on the line.
          'first' in params ? null : params,
        ]),
      );
      const kind = index % WRONG.length;
      first[kind] ??= facts;
      expect(facts).toBe(first[kind]);
      count++;
    }
    expect(count).toBe(1200 * WRONG.length);
  });
});

/** With one byte that is not UTF-8, a window is read payload by payload. */
function utf8(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString());
}

/** Lines of payloads that are valid, invalid, of no kind, or malformed, and white space of all sorts around them. */
function oddLines(count: number, seed: number): Buffer {
  const random = seeded(seed);
  const payloads = VALID.filter((payload) => !payload.includes(0x0a));
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const one = (): Buffer => {
    const payload = pick(payloads);
    const text = payload.toString();
    const changed = [
      () => Buffer.from(text.replace(/"[^"@]*":/, '"é\u{1f600} x":')),
      () => Buffer.from(text.replace(/:"[^"]*"/, () => pick([':7', ':null', ':""', `:"${'é'.repeat(40)}"`]))),
      () =>
        Buffer.from(
          text.replace(/"@type": ?"[^"]*"/, () => `"@type":${pick(['"Artcle"', '5', '{}', '"é"'])}`),
        ),
      () => Buffer.from(text.replace(/"[^"]*": ?"[^"]*",/, '')),
      () => Buffer.from(pick(WRONG)),
      () => utf8(mutate(payload, random)),
      () => payload,
    ];
    return pick(changed)();
  };
  const space = (): Buffer => Buffer.from(pick(['', '', '', ' ', '\t ', '\n', '\n \n']));
  const end = (): Buffer => Buffer.from(pick(['\n', '\n', '\r\n', ' \n']));
  return Buffer.concat(Array.from({ length: count }, () => [space(), one(), end()]).flat());
}

describe('lines of which many are invalid', () => {
  let cwd: string;
  let source: Buffer;
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'paylint-many-invalid-'));
    source = oddLines(4000, 11);
    writeFileSync(join(cwd, 'odd.ndjson'), source);
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  const violationsIn = (ndjson: string): unknown[] =>
    ndjson
      .split('\n')
      .filter((line) => line.startsWith('{"type":"violation"'))
      .map((line) => JSON.parse(line));
  const summaryOf = (text: string): Record<string, unknown> => {
    const { payloads, valid, invalid, violations, rules, kinds } = JSON.parse(text);
    return { payloads, valid, invalid, violations, rules, kinds };
  };

  it('have the same violations as text that threads make and as objects', async () => {
    const args = ['validate', 'odd.ndjson', '--threads', '1'];
    const text = await paylint([...args, '--format', 'ndjson'], { cwd });
    const objects = await paylint([...args, '--format', 'json=all.json', '--format', 'ndjson'], { cwd });
    const json = JSON.parse(readFileSync(join(cwd, 'all.json'), 'utf8'));
    const found = violationsIn(text.stdout);
    expect(found.length).toBeGreaterThan(4000);
    expect(violationsIn(objects.stdout)).toEqual(found);
    expect(json.violations.map((one: Violation) => ({ type: 'violation', ...one }))).toEqual(found);
    // And the same bytes.
    const bytes = (stdout: string): string => stdout.slice(0, stdout.lastIndexOf('{"type":"source"'));
    expect(bytes(text.stdout)).toBe(bytes(objects.stdout));
    expect(summaryOf(text.stdout.trimEnd().split('\n').at(-1)!)).toEqual(
      summaryOf(JSON.stringify(json.summary)),
    );
  });

  it('are counted as they are shown', async () => {
    const args = ['validate', 'odd.ndjson', '--threads', '1', '--format', 'json'];
    const all = await paylint(args, { cwd });
    const few = await paylint([...args, '--max-violations', '1'], { cwd });
    const [shown, counted] = [all, few].map(({ stdout }) => JSON.parse(stdout));
    expect(counted.violations).toEqual(shown.violations.slice(0, 1));
    expect(summaryOf(JSON.stringify(counted.summary))).toEqual(summaryOf(JSON.stringify(shown.summary)));
  });

  it('are the same when they come in pieces of any size', async () => {
    const args = [
      'validate',
      '-',
      '--input',
      'lines',
      '--stdin-filename',
      'odd.ndjson',
      '--format',
      'ndjson',
    ];
    const whole = await paylint(args, { cwd, stdin: source });
    const random = seeded(5);
    const pieces: Buffer[] = [];
    for (let at = 0; at < source.length; at += pieces.at(-1)!.length)
      pieces.push(source.subarray(at, at + 1 + random(1500)));
    const inPieces = await paylint(args, { cwd, stdin: Readable.from(pieces) });
    expect(violationsIn(inPieces.stdout)).toEqual(violationsIn(whole.stdout));
    expect(violationsIn(whole.stdout).length).toBeGreaterThan(4000);
  });
});
