/**
 * Signals while something takes for ever: the run ends with its code, its reports are complete, and the payload at work is a failure that names it.
 * If that is not so after two seconds, the process ends without them. Runs what `npm run build` made.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OverTime, withinTime } from '../../src/engine/time-limit.ts';
import { mayTakeLong } from '../../src/schema/costly.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { outcomeOf, start } from '../spawned.ts';
import { type RunEvent, startTold } from './told.ts';

/** More bytes than are read before the signal. */
const ENDLESS = 2 ** 40;
/** No automaton matches it, and RegExp takes for ever. */
const SLOW = '{"pattern":"^(a+)+\\\\1$"}';
const HOSTILE = `"${'a'.repeat(60)}b"\n`;

const folder = mkdtempSync(join(tmpdir(), 'paylint-signals-'));
beforeAll(() => {
  writeFileSync(join(folder, 'endless.ndjson'), '');
  truncateSync(join(folder, 'endless.ndjson'), ENDLESS);
  writeFileSync(join(folder, 'slow.json'), SLOW);
  writeFileSync(join(folder, 'behind.json'), '{"pattern":"(?<=^)(a+)+$"}');
  for (const name of ['first.ndjson', 'first.json']) writeFileSync(join(folder, name), HOSTILE);
  writeFileSync(join(folder, 'one.ndjson'), `"b"\n"aa"\n${HOSTILE}"aa"\n`);
  writeFileSync(join(folder, 'many.ndjson'), `${'"aa"\n'.repeat(3000)}${HOSTILE}${'"aa"\n'.repeat(1_000_000)}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What comes of a run that gets a signal when it has begun with `event`, and its report on disk. */
async function interrupted(
  signal: NodeJS.Signals,
  event: RunEvent,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly report: readonly Record<string, unknown>[] }> {
  const name = `report-${Math.random()}`;
  const { child, begun } = startTold(folder, ...args, '--format', `ndjson=${name}`);
  // What it writes meanwhile may be more than fits into a string.
  for (const output of [child.stdout, child.stderr]) output?.resume();
  const ended = once(child, 'close');
  await begun(event);
  child.kill(signal);
  const [code] = (await ended) as [number | null];
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  return { code, report: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const ENDED = { type: 'summary', interrupted: true };

describe.concurrent('a signal', () => {
  it.each([
    ['validate', '--threads', '1'],
    ['validate', '--threads', '2'],
    ['filter'],
    ['fill'],
    ['convert', '--to', 'ndjson'],
  ])('ends %s %s %s over a line without end', async (...args) => {
    const { code, report } = await interrupted('SIGINT', 'read', ...args, 'endless.ndjson');
    expect({ code, last: report.at(-1) }).toMatchObject({ code: 130, last: ENDED });
  });

  it.each([['validate'], ['filter', '--rejects', 'rejects.ndjson'], ['fill']])(
    'ends %s while a payload is examined, which is named',
    async (...args) => {
      const { code, report } = await interrupted('SIGTERM', 'regexp', ...args, 'one.ndjson', '--schema', 'slow.json');
      expect(code).toBe(143);
      expect(report).toMatchObject([
        { type: 'violation', payload: 0, rule: 'pattern' },
        {
          type: 'failure',
          file: 'one.ndjson',
          message: 'payload 2 (line 3) could not be checked: the run was interrupted by SIGTERM',
        },
        { type: 'source', file: 'one.ndjson', payloads: 3, valid: 1, invalid: 2 },
        { ...ENDED, payloads: 3, failures: 1 },
      ]);
    },
  );

  // A file of lines, or one payload: it is judged before anything is compiled.
  it.each([
    ...['first.ndjson', 'first.json'].flatMap((file) =>
      ['slow.json', 'behind.json'].map((schema) => ['SIGINT', file, schema] as const),
    ),
    ['SIGTERM', 'first.ndjson', 'slow.json'],
    ['SIGHUP', 'first.json', 'behind.json'],
  ] as const)('%s ends validate while the first payload of %s is examined by %s', async (signal, file, schema) => {
    const { code, report } = await interrupted(signal, 'regexp', 'validate', file, '--schema', schema);
    expect(code).toBe(128 + constants.signals[signal]);
    const message = `payload 0 (line 1) could not be checked: the run was interrupted by ${signal}`;
    expect(report).toMatchObject([{ type: 'failure', message }, { type: 'source', invalid: 1 }, ENDED]);
  });

  it.each(['1', '2', '3'])('ends %s threads, and names the payload of the first that is at work', async (threads) => {
    const args = ['validate', 'many.ndjson', '--schema', 'slow.json', '--threads', threads];
    const { code, report } = await interrupted('SIGINT', 'regexp', ...args);
    const message = 'payload 3000 (line 3001) could not be checked: the run was interrupted by SIGINT';
    expect(code).toBe(130);
    expect(report).toMatchObject([
      { type: 'failure', file: 'many.ndjson', message },
      { type: 'source', payloads: 3001, valid: 3000 },
      { ...ENDED, failures: 1 },
    ]);
  });
});

/** Schemas and payloads that take long: by name, the schema, and the file. */
const LONG = {
  'a schema that doubles at each level': [
    {
      $ref: '#/$defs/a0',
      $defs: Object.fromEntries([
        ...Array.from({ length: 30 }, (_, i) => {
          const x = { $ref: `#/$defs/a${i + 1}` };
          return [`a${i}`, { properties: { x }, allOf: [{ properties: { x } }] }];
        }),
        ['a30', { type: 'integer' }],
      ]),
    },
    `${'{"x":'.repeat(30)}1${'}'.repeat(30)}\n`.repeat(100_000),
  ],
  'a payload of a million levels': [{ items: { $ref: '#' } }, '['.repeat(1e6) + ']'.repeat(1e6)],
  'members that are too many': [
    { properties: { a: true }, additionalProperties: false },
    `{"a":1,${Array.from({ length: 2000 }, (_, i) => `"z${i}":${i}`).join()}}\n`.repeat(3000),
  ],
  'hundreds of alternatives': [
    {
      anyOf: Array.from({ length: 700 }, (_, i) => ({ properties: { [`k${i}`]: { const: i } }, required: [`k${i}`] })),
    },
    Array.from({ length: 200_000 }, (_, i) => `{"k${i % 700}":${i}}\n`).join(''),
  ],
} as const;

describe.each(Object.entries(LONG))('%s', (name, [schema, text]) => {
  const [schemaFile, file] = [`${name}.schema.json`, `${name}.ndjson`];
  beforeAll(() => {
    writeFileSync(join(folder, schemaFile), JSON.stringify(schema));
    writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, 'true.json'), 'true');
  });

  it.each([
    ['validate'],
    ['filter'],
    ['fill', '--check'],
    ['prune', '--check'],
    ['fill', '--prune'],
    ['compare', '--against', 'true.json'],
    ['coverage'],
  ])('does not keep %s %s from ending by a signal', async (...args) => {
    const command = [...args, file, '--schema', schemaFile, '--max-depth', '2000000', '--threads', '1'];
    const isCoverage = args[0] === 'coverage';
    const { child, begun } = startTold(
      folder,
      ...command,
      '--format',
      isCoverage ? 'json=long.json' : 'ndjson=long.ndjson',
    );
    for (const output of [child.stdout, child.stderr]) output?.resume();
    const ended = once(child, 'close');
    await begun('begun');
    child.kill('SIGINT');
    // Without its handler, the process would end by the signal itself, with no code.
    expect((await ended)[0]).toBe(130);
    const written = readFileSync(join(folder, isCoverage ? 'long.json' : 'long.ndjson'), 'utf8').trimEnd();
    const last = JSON.parse(isCoverage ? written : written.split('\n').at(-1)!) as { summary?: object };
    expect(isCoverage ? last.summary : last).toMatchObject({ interrupted: true });
  });
});

it('a signal ends render while it reads', async () => {
  const line = JSON.stringify({ type: 'failure', file: 'a.json', message: 'x'.repeat(100) });
  writeFileSync(join(folder, 'long.ndjson'), `${line}\n`.repeat(500_000));
  const { child, begun } = startTold(folder, 'render', 'long.ndjson', '--format', 'json=rendered.json');
  const outcome = outcomeOf(child);
  await begun('read');
  child.kill('SIGINT');
  expect(await outcome).toMatchObject({ code: 130, stdout: '', stderr: '' });
});

it.each([
  ['validate', '--threads', '1'],
  ['filter', '--invert'],
  ['fill', '--check'],
])('a signal while one payload is reported by %s leaves a report that render takes', async (verb, ...flags) => {
  const wrong = Array.from({ length: 20_000 }, () => '{"a":1}').join();
  writeFileSync(join(folder, 'two.ndjson'), `[true]\n[${wrong}]\n`);
  const items = { properties: { a: { type: 'string' }, b: { default: 1 } } };
  writeFileSync(join(folder, 'two.json'), JSON.stringify({ type: 'array', items }));
  const report = `two-${verb}.report`;
  const reports = ['--max-violations', '0', '--format', 'line', '--format', `ndjson=${report}`];
  const child = start(folder, verb, 'two.ndjson', '--schema', 'two.json', ...flags, ...reports);
  const said = verb === 'filter' ? child.stderr! : child.stdout!;
  said.once('data', () => child.kill('SIGINT'));
  expect(await outcomeOf(child)).toMatchObject({ code: 130 });
  const rendered = await outcomeOf(start(folder, 'render', report, '--format', 'json'));
  expect(rendered.code).toBe(1);
  const { payloads, valid, violations, interrupted } = JSON.parse(rendered.stdout).summary;
  expect({ payloads, valid, interrupted }).toEqual({ payloads: 2, valid: 1, interrupted: true });
  expect(violations).toBeGreaterThan(0);
  expect(violations).toBeLessThan(20_000);
});

it.each([['validate'], ['filter'], ['fill', '--check'], ['compare', '--against', 'old.json']])(
  'a signal ends %s %s while payloads are compared with thousands of alternatives',
  async (...args) => {
    const anyOf = Array.from({ length: 3000 }, (_, i) => ({
      type: 'object',
      required: ['kind', `v${i}`],
      properties: { kind: { const: `k${i}` }, [`v${i}`]: { type: 'integer' } },
    }));
    writeFileSync(join(folder, 'alternatives.json'), JSON.stringify({ anyOf }));
    writeFileSync(join(folder, 'old.json'), 'true');
    // Fewer than violations that are written together.
    const lines = Array.from({ length: 900 }, (_, i) => `${JSON.stringify({ kind: `k${i}`, no: 1 })}\n`);
    writeFileSync(join(folder, 'kinds.ndjson'), lines.join(''));
    const command = [...args, 'kinds.ndjson', '--schema', 'alternatives.json', '--threads', '1'];
    const { code, report } = await interrupted('SIGTERM', 'limited', ...command);
    expect(code).toBe(143);
    const { payloads, ...last } = report.at(-1)!;
    expect(last).toMatchObject(ENDED);
    expect(payloads).toBeLessThan(900);
  },
);

/** What is reported after the last source: more than is still listed after a signal (`LISTED_AT_END` of src/run/related-payloads.ts). */
const DUPLICATES = 70_000;
const AFTER_LAST = {
  unique: ['SIGINT', 'any.json', Array.from({ length: DUPLICATES }, (_, i) => `{"id":${i % 9}}\n`).join('')],
  references: ['SIGTERM', 'any.json', Array.from({ length: DUPLICATES }, (_, i) => `{"to":${i}}\n`).join('')],
  // These wait until it is known what payloads have in common.
  'others that have waited': [
    'SIGHUP',
    'text.json',
    Array.from({ length: DUPLICATES }, (_, i) => `{"a":${i}}\n`).join(''),
  ],
} as const;

describe.each(Object.entries(AFTER_LAST))(
  'violations of %s that are reported after the last source',
  (name, [signal, schema, text]) => {
    const args = [
      'validate',
      `${name}.ndjson`,
      '--config',
      'related.json',
      '--schema',
      schema,
      '--max-violations',
      '0',
    ];
    const config = {
      checks: [
        { id: 'u', message: 'twice', unique: '/id' },
        { id: 'r', message: 'nowhere', references: '/to', to: { at: '/id' } },
      ],
    };

    async function endedBy(end: (child: ChildProcess) => void) {
      writeFileSync(join(folder, 'any.json'), '{"type":"object"}');
      writeFileSync(join(folder, 'text.json'), '{"properties":{"a":{"type":"string"}}}');
      writeFileSync(join(folder, 'related.json'), JSON.stringify(config));
      writeFileSync(join(folder, `${name}.ndjson`), text);
      const report = `after-${Math.random()}`;
      const { child } = startTold(folder, ...args, '--format', 'line', '--format', `ndjson=${report}`);
      child.stdout!.once('data', () => end(child));
      const { code } = await outcomeOf(child);
      const rendered = await outcomeOf(start(folder, 'render', report, '--format', 'json', '--max-violations', '1'));
      return { code, summary: JSON.parse(rendered.stdout).summary as Record<string, unknown> };
    }

    it(`are listed in part after ${signal}`, async () => {
      const { code, summary } = await endedBy((child) => child.kill(signal));
      expect(code).toBe(128 + constants.signals[signal]);
      expect(summary).toMatchObject({ interrupted: true, payloads: DUPLICATES, failures: 0 });
    });

    it('are listed in part if nobody reads them any more', async () => {
      const { code, summary } = await endedBy((child) => child.stdout!.destroy());
      expect(code).toBe(141);
      expect(summary).toMatchObject({ interrupted: true, payloads: DUPLICATES, failures: 0 });
    });
  },
);

it('a signal ends test, which names the test that was at work, and says what it has counted', async () => {
  const tests = [
    { description: 'quick', valid: true, data: 'aa' },
    { description: 'slow', valid: true, data: HOSTILE.trim().slice(1, -1) },
    { description: 'not begun', valid: true, data: 'aa' },
  ];
  for (const [name, list] of Object.entries({ second: tests, first: tests.slice(1) })) {
    writeFileSync(join(folder, `${name}.test.json`), JSON.stringify({ target: './slow.json', tests: list }));
    const { child, begun } = startTold(folder, 'test', `${name}.test.json`, '--coverage');
    const outcome = outcomeOf(child);
    await begun('regexp');
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await outcome;
    const index = list.length - 2;
    expect(code).toBe(143);
    expect(stderr).toContain(`payload ${index} (line 1) could not be checked: the run was interrupted by SIGTERM`);
    expect(stdout).toContain(`✗ 1 of ${list.length === 2 ? '1 test fails' : '2 tests fail'}`);
    expect(stdout).toMatch(index === 0 ? /0 of 1 place reached, 0 %/ : /1 of 1 place reached, 100 %/);
    expect(stdout).toContain('stopped early');
  }
});

it('a signal ends render while it writes: there is no report, and an older one stays', async () => {
  const one = { file: 'a.json', message: 'x'.repeat(100) };
  const lines = Array.from({ length: 50_000 }, () => ({ type: 'failure', ...one }));
  const counts = { sources: 0, payloads: 0, valid: 0, invalid: 0, violations: 0, warnings: 0 };
  const summary = {
    type: 'summary',
    version: '0.1.0',
    ...counts,
    failures: lines.length,
    kinds: {},
    rules: {},
    elapsedMs: 1,
  };
  writeFileSync(
    join(folder, 'failures.ndjson'),
    [...lines, summary].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  writeFileSync(join(folder, 'older.json'), 'older');
  const files = ['--format', 'json=new.json', '--format', 'junit=older.json'];
  const child = start(folder, 'render', 'failures.ndjson', '--format', 'ndjson', ...files);
  child.stdout!.once('data', () => child.kill('SIGINT'));
  const { code, stdout } = await outcomeOf(child);
  expect({ code, older: readFileSync(join(folder, 'older.json'), 'utf8') }).toEqual({ code: 130, older: 'older' });
  expect(stdout).not.toContain('summary');
  expect(readdirSync(folder).filter((name) => name === 'new.json' || name.endsWith('.tmp'))).toEqual([]);
});

describe('work within a time', () => {
  it('returns and throws what the work does', () => {
    expect(withinTime(() => withinTime(() => 7))).toBe(7);
    const fault = new TypeError('it');
    expect(() =>
      withinTime(() => {
        throw fault;
      }),
    ).toThrow(fault);
  });

  it('is ended if it takes longer', () => {
    expect(() =>
      withinTime(() => {
        for (;;);
      }),
    ).toThrow(OverTime);
    expect(() => withinTime(() => /^(a+)+$/.test(`${'a'.repeat(60)}b`))).toThrow(OverTime);
  });
});

describe('examination may take long', () => {
  const BRANCHES = { anyOf: [{ $ref: '#' }, { $ref: '#' }] };
  it.each([
    [{ type: 'object', properties: { a: BRANCHES } }, true],
    [{ type: 'object', properties: { a: { $ref: '#' } } }, false],
    [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, false],
    [{ properties: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, { type: 'null' }])) }, true],
  ])('with a schema: %#', (schema, long) => {
    writeFileSync(join(folder, 'it.json'), JSON.stringify(schema));
    expect(mayTakeLong(loadSchemas(join(folder, 'it.json')))).toBe(long);
  });
});
