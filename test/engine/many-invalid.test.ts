/**
 * Many invalid payloads: those after the first are not examined, and on lines many are read at once. The violations are the same, field by
 * field, however the source is read, and however they are reported.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutate, seeded } from '../../scripts/mutations/mutate.ts';
import { lazyAccept } from '../../src/engine/accept.ts';
import { plainEngine } from '../../src/engine/plain.ts';
import { openPaylint } from '../../src/library/open.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { NO_DEFAULTS } from '../../src/repair/wanted-defaults.ts';
import { checkSource } from '../../src/run/check/check.ts';
import { Blocks, Gatherer } from '../../src/run/workers/gather.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { Window } from '../../src/source/window.ts';
import { VALID } from '../flow-world.ts';
import { RUN_OPTIONS } from '../run-options.ts';
import { paylint } from '../world.ts';

const WRONG = [
  '{"emoji":1,"@type":"Emoji"}',
  '{"@type":"Contract"}',
  '{"@type":"Article","content":"","title":7,"tags":[1,"a"],"x":{"y":1}}',
  '{"@type":"Emoji","emoji":"é","more":{"a":[1]}}',
  '{"@type":"Artcle"}',
  '{"@type":"Article","content":"a","content":"b"}',
  // The same unknown name, with and without the one that may be meant.
  '{"@type":"Emoji","emoji":"a","reson":1,"reason":"a"}',
  '{"@type":"Emoji","emoji":"a","reson":1}',
];

describe('a source with many invalid payloads', () => {
  it('has the same violations from its first payload to its last', async () => {
    const paylint = await openPaylint();
    const first: string[] = [];
    let count = 0;
    const lines = Buffer.from(`${Array.from({ length: 300 }, () => WRONG.join('\n')).join('\n')}\n`);
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
    expect(count).toBe(300 * WRONG.length);
  });
});

/** How often something that takes notes is asked for, in lines that come in pieces of some bytes. */
async function notesAskedFor(lines: string): Promise<number> {
  const bytes = Buffer.from(lines);
  let at = 0;
  const reader = {
    async read(into: Uint8Array, to: number) {
      const piece = bytes.subarray(at, Math.min(at + 500, at + into.length - to));
      into.set(piece, to);
      at += piece.length;
      return piece.length;
    },
    progress: { bytes: 0, size: null },
    close: async () => {},
  };
  const window = new Window();
  window.reset(reader, 0);
  const load = async () => loadSchemas(bundledSchema(ENTRY_SCHEMA));
  let count = 0;
  const noting = () => {
    count++;
    return null;
  };
  const accept = lazyAccept(load, NO_DEFAULTS, null);
  const schemas = { load, accept, noting, precompiled: null, defaults: NO_DEFAULTS };
  const engine = plainEngine(schemas, RUN_OPTIONS, window.memory);
  const sink = new Gatherer(RUN_OPTIONS, new Blocks());
  const source = { name: 'a', path: null, regular: false, framing: 'lines', kind: null } as const;
  await checkSource(source, { window, engine, options: RUN_OPTIONS, sink, outlet: null });
  return count;
}

describe('what takes notes', () => {
  const valid = '{"@context":"a","@type":"Emoji","emoji":"b"}\n'.repeat(100);
  it('is not asked for where lines only go on after the window', async () => {
    expect(await notesAskedFor(valid)).toBe(0);
    expect(await notesAskedFor(valid.trimEnd())).toBe(0);
    expect(await notesAskedFor(`${valid}{"emoji":1}`)).toBeGreaterThan(0);
    expect(await notesAskedFor(`${valid}{"emoji":1}\n${valid}`)).toBeGreaterThan(0);
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
      () => Buffer.from(text.replace(/"@type": ?"[^"]*"/, () => `"@type":${pick(['"Artcle"', '5', '{}', '"é"'])}`)),
      () => Buffer.from(text.replace(/"[^"]*": ?"[^"]*",/, '')),
      () => Buffer.from(pick(WRONG)),
      () => utf8(mutate(payload, random)),
      () => payload,
    ];
    return pick(changed)();
  };
  const space = (): Buffer => Buffer.from(pick(['', '', '', ' ', '\t ', '\n', '\n \n', ' '.repeat(12_000)]));
  const end = (): Buffer => Buffer.from(pick(['\n', '\n', '\r\n', ' \n']));
  return Buffer.concat(Array.from({ length: count }, () => [space(), one(), end()]).flat());
}

describe('lines of which many are invalid', () => {
  let cwd: string;
  let source: Buffer;
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'paylint-many-invalid-'));
    source = oddLines(700, 11);
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

  /** Without the time of the run. */
  const timeless = (report: string): string =>
    report.replace(/"elapsedMs":\d+/g, '"elapsedMs":0').replace(/(?<= · )[\d.]+ m?s\b/g, '0 s');

  describe('in all formats', () => {
    const formats = ['line', 'json', 'github', 'gitlab', 'junit', 'ndjson'];
    const files = formats.flatMap((format) => ['--format', `${format}=${format}.txt`]);
    /** The text that each format makes of objects. */
    const drawn = new Map<string, string>();
    let stats: string;
    beforeAll(async () => {
      // A report that shows code frames needs each violation as an object.
      const args = ['validate', 'odd.ndjson', '--threads', '1', '--format', 'pretty=frames.txt'];
      const { stdout } = await paylint([...args, '--format', 'ndjson'], { cwd });
      expect(violationsIn(stdout).length).toBeGreaterThan(700);
      writeFileSync(join(cwd, 'objects.ndjson'), stdout);
      await paylint(['render', 'objects.ndjson', ...files], { cwd });
      for (const format of formats) drawn.set(format, readFileSync(join(cwd, `${format}.txt`), 'utf8'));
      const { stderr } = await paylint(['render', 'objects.ndjson', '--format', 'json', '--stats'], { cwd });
      stats = stderr;
    });

    it('are the same on standard output', async () => {
      for (const format of ['line', 'ndjson']) {
        const { stdout } = await paylint(['validate', 'odd.ndjson', '--threads', '1', '--format', format], { cwd });
        expect(timeless(stdout)).toBe(timeless(drawn.get(format)!));
      }
    });

    it.each(['1', '2'])('are the same in files, all at once, with --threads %s', async (threads) => {
      expect(source.length).toBeGreaterThan(1 << 20); // several parts
      const args = ['validate', 'odd.ndjson', '--threads', threads];
      const { stderr } = await paylint([...args, '--format', 'json', '--stats'], { cwd });
      expect(timeless(stderr)).toBe(timeless(stats));
      await paylint([...args, ...files], { cwd });
      for (const format of formats)
        expect(timeless(readFileSync(join(cwd, `${format}.txt`), 'utf8'))).toBe(timeless(drawn.get(format)!));
    });
  });

  it.each(['1', '2'])('have the same code frames as payload by payload, with --threads %s', async (threads) => {
    // A severity in the config keeps violations from being noted many at once.
    writeFileSync(join(cwd, 'rules.json'), '{"rules":{"type":"error"}}');
    const args = ['validate', 'odd.ndjson', '--threads', threads, '--max-violations', '0'];
    const both = ['--format', 'pretty', '--format', 'html=page.html'];
    const shown = async (...flags: string[]): Promise<{ text: string; data: string }> => {
      const { stdout } = await paylint([...args, ...flags], { cwd });
      return { text: timeless(stdout), data: dataIn(readFileSync(join(cwd, 'page.html'), 'utf8')) };
    };
    const dataIn = (page: string): string => (page.match(/data-part="block">[^<]*/g) ?? []).join();
    const noted = await shown(...both);
    expect(noted.text).toContain('╰─');
    expect(noted.data.length).toBeGreaterThan(30_000);
    expect(await shown(...both, '--config', 'rules.json')).toEqual(noted);
    // With nothing but html, less is kept of long lines.
    const { stdout } = await paylint([...args, '--format', 'html'], { cwd });
    expect(dataIn(stdout)).toBe(noted.data);
  });

  it('make the same summary of a step in GitHub Actions', async () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const summaries: string[] = [];
    for (const args of [
      ['validate', 'odd.ndjson', '--threads', '2'],
      ['validate', 'odd.ndjson', '--format', 'pretty=frames.txt'],
    ]) {
      writeFileSync(env.GITHUB_STEP_SUMMARY, '');
      await paylint([...args, '--format', 'github'], { cwd, env });
      summaries.push(timeless(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')));
    }
    expect(summaries[0]).toContain('… and ');
    expect(summaries[0]).toBe(summaries[1]);
  });

  it('are counted as they are shown', async () => {
    const args = ['validate', 'odd.ndjson', '--threads', '1', '--format', 'json'];
    const all = await paylint(args, { cwd });
    const few = await paylint([...args, '--max-violations', '1'], { cwd });
    const [shown, counted] = [all, few].map(({ stdout }) => JSON.parse(stdout));
    expect(counted.violations).toEqual(shown.violations.slice(0, 1));
    expect(summaryOf(JSON.stringify(counted.summary))).toEqual(summaryOf(JSON.stringify(shown.summary)));
    // Fixes are for violations that are shown.
    const inSarif = ['validate', 'odd.ndjson', '--format', 'sarif', '--max-violations', '1'];
    const sarif = await paylint(inSarif, { cwd });
    const [{ text }] = JSON.parse(sarif.stdout).runs[0].invocations[0].toolExecutionNotifications.map(
      ({ message }: { message: unknown }) => message,
    );
    const counts: Record<string, number> = { ...shown.summary.rules };
    counts[shown.violations[0].rule]!--;
    for (const [rule, count] of Object.entries(counts))
      if (count > 0) expect(text).toContain(`${rule} ${count.toLocaleString('en')}`);
  });

  it('are the same when they come in pieces of any size', async () => {
    const args = ['validate', '-', '--input', 'lines', '--stdin-filename', 'odd.ndjson', '--format', 'ndjson'];
    const whole = await paylint(args, { cwd, stdin: source });
    const random = seeded(5);
    const pieces: Buffer[] = [];
    for (let at = 0; at < source.length; at += pieces.at(-1)!.length)
      pieces.push(source.subarray(at, at + 1 + random(1500)));
    const inPieces = await paylint(args, { cwd, stdin: Readable.from(pieces) });
    expect(violationsIn(inPieces.stdout)).toEqual(violationsIn(whole.stdout));
    expect(violationsIn(whole.stdout).length).toBeGreaterThan(700);
  });
});
