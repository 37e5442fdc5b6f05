/**
 * What decides whether a run passes: the levels of rules, and the flags of the config, whatever the number of threads.
 */
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { RULE_LISTS } from '../../scripts/rule-lists.ts';
import { flagKey } from '../../src/cli/config-flags.ts';
import { VALIDATE_FLAGS } from '../../src/cli/flags.ts';
import type { Examined } from '../../src/engine/judge/examine.ts';
import { NO_FILLS } from '../../src/engine/judge/fill-table.ts';
import { RULES } from '../../src/keywords/rules.ts';
import type { Claim } from '../../src/run/check/flow.ts';
import { judged } from '../../src/run/check/reporting.ts';
import { Identities } from '../../src/run/identities.ts';
import type { Finding } from '../../src/types.ts';
import { paylint } from '../world.ts';

mkdirSync(join(import.meta.dirname, '../tmp'), { recursive: true });
const TEMPORARY = mkdtempSync(join(import.meta.dirname, '../tmp/gate-'));
afterAll(() => rmSync(TEMPORARY, { recursive: true }));

interface ConfigSchema {
  readonly properties: Readonly<Record<string, unknown>> & {
    readonly rules: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../schemas/config.schema.json'), 'utf8'),
) as ConfigSchema;

describe('the schema of the config', () => {
  /** They ask for something else than a run, say what one run reads, or where the config is. */
  const ONLY_TYPED = [
    'config',
    'listFiles',
    'null',
    'filesFrom',
    'ref',
    'shard',
    'updateBaseline',
    'printConfig',
    'watch',
  ];

  it('has a member for every flag of validate', () => {
    const keys = VALIDATE_FLAGS.flatMap(({ flags }) => flags.map(flagKey));
    const expected = new Set([
      ...keys.filter((key) => !ONLY_TYPED.includes(key)),
      '$schema',
      'checks',
      'files',
      'formats',
      'kinds',
      'refs',
      'rules',
      'schemas',
      'vocabularies',
    ]);
    expect(Object.keys(schema.properties).sort()).toEqual([...expected].sort());
  });

  it('has a level for every rule, and no other for those that keep a payload from being read', () => {
    const { properties } = schema.properties.rules;
    const ofTests = /^test\//; // which never judges payloads by a config
    expect(Object.keys(properties)).toEqual([...RULES.keys()].filter((rule) => !ofTests.test(rule)));
    const fixed = Object.keys(properties).filter((rule) =>
      JSON.stringify(properties[rule]).includes('fixed'),
    );
    expect(fixed).toEqual(['json-syntax', 'json-encoding', 'payload-too-large', 'nested-too-deep']);
  });
});

describe('the lists of rules in the schemas', () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, '../../schemas', name), 'utf8');

  it.each(Object.entries(RULE_LISTS))('%s is as the build writes it', (name, updated) => {
    expect(updated(read(name))).toBe(read(name));
  });

  it.each(Object.entries(RULE_LISTS))('%s gets rules that are missing, and loses others', (name, updated) => {
    const other = read(name).replaceAll(/^ {8}"(?:minLength|required|json-syntax)": \{ "\$ref".*\n/gm, '');
    const strange = other.replace('unknown-kind', 'no-such-rule');
    expect(strange).not.toBe(read(name));
    expect(updated(strange)).toBe(read(name));
  });

  it('are not guessed if a schema has another form', () => {
    for (const updated of Object.values(RULE_LISTS)) expect(() => updated('{}')).toThrow('no list of rules');
  });
});

describe('levels of rules', () => {
  // More than 1 MiB: less is not shared among threads.
  const wrong = (extra: string) => `{"@context":"c","@type":"t","emoji":"x",${extra}${' '.repeat(300)}}\n`;
  const lines = Array.from({ length: 4500 }, (_, i) =>
    i % 3 === 0 ? wrong('"reason":1') : wrong('"more":1'),
  );
  writeFileSync(join(TEMPORARY, 'a.ndjson'), lines.join(''));
  writeFileSync(join(TEMPORARY, 'paylint.config.json'), '{"rules": {"additionalProperties": "warning"}}');

  it.each([
    ['ndjson', '0'],
    ['line', '20'],
    ['pretty', '5'],
  ])('are the same in all threads: %s, --max-violations %s', async (format, shown) => {
    const args = ['validate', 'a.ndjson', '--format', format, '--max-violations', shown];
    const one = await paylint([...args, '--threads', '1'], { cwd: TEMPORARY });
    const two = await paylint([...args, '--threads', '2'], { cwd: TEMPORARY });
    const withoutTimes = (text: string) => text.replace(/"elapsedMs":\d+|[\d.]+ m?s$/gm, '');
    expect(withoutTimes(two.stdout)).toBe(withoutTimes(one.stdout));
    expect(one.code).toBe(1);
    expect(one.stdout).toMatch(/3,000 warnings|"warnings":3000/);
  });
});

describe('a payload with many findings', () => {
  const finding = (rule: string, at: number): Finding =>
    ({
      rule,
      pointer: '',
      span: { start: at, end: at + 1 },
      params: {},
      schema: null,
      fixable: false,
      message: rule,
      suggestion: null,
    }) as Finding; // params do not matter
  const all = Array.from({ length: 25 }, (_, i) => finding(i % 3 === 0 ? 'type' : 'enum', i));
  const examined: Examined = { kind: null, findings: all, hidden: [], fills: NO_FILLS, wellFormed: true };

  it('keeps those that are not off', () => {
    const { findings, off, valid } = judged(examined, { rules: { type: 'off', enum: 'warning' } });
    expect(off).toEqual([[{ rule: 'type', fixable: false }, 9]]);
    const kept = all.filter(({ rule }) => rule === 'enum');
    expect(valid).toBe(true);
    expect(findings).toEqual(kept);
  });

  it('is invalid if one of those that are only counted is an error', () => {
    const hidden = ['type', 'enum'].map((rule) => [{ rule, fixable: false }, 1] as const);
    const counted = { ...examined, findings: [], hidden };
    expect(judged(counted, { rules: { enum: 'off' } }).valid).toBe(false);
    expect(judged(counted, { rules: { enum: 'off', type: 'warning' } }).valid).toBe(true);
  });
});

describe('advice', () => {
  const payload = (i: number): string =>
    JSON.stringify({
      '@id': `/comments/${i}`,
      '@type': 'Comment',
      application: { '@id': '/applications/1' },
      author: { '@id': '/workers/1', '@type': 'Worker' },
      content: i % 3 === 0 ? ' ' : 'text',
      publishStatus: { '@id': 'Published' },
      moderationStatus: { '@id': 'PassedModeration' },
    });
  const payloads = Array.from({ length: 4500 }, (_, i) => payload(i));

  it.each([
    ['lines', 'b.ndjson', payloads.join('\n')],
    ['an array', 'b.json', `[${payloads.join(',')}]`],
    ['a stream', 'b.txt', payloads.join(' ')],
    ['one payload', 'c.json', payloads[0]!],
  ])('is given on every payload, in all threads: %s', async (_, name, text) => {
    writeFileSync(join(TEMPORARY, name), text);
    const args = ['validate', name, '--no-config', '--advice', '--format', 'ndjson'];
    const one = await paylint([...args, '--threads', '1'], { cwd: TEMPORARY });
    const two = await paylint([...args, '--threads', '2'], { cwd: TEMPORARY });
    const withoutTime = (report: string) => report.replace(/"elapsedMs":\d+/, '');
    expect(withoutTime(two.stdout)).toBe(withoutTime(one.stdout));
    const expected = name === 'c.json' ? 1 : 1500;
    expect(one.stdout.match(/"rule":"advice\/blank"/g)).toHaveLength(expected);
    expect(one.stdout).toContain(`"warnings":${expected},"failures":0`);
    expect(one.code).toBe(0);
  });

  describe('of an @id with different content', () => {
    /** Payloads in two files and a compressed one; every eleventh has the @id of an earlier one, most of them with other content. */
    const claims = Array.from({ length: 9000 }, (_, i) =>
      i % 11 === 0 ? payload(i).replace(`/${i}"`, `/${Math.floor(i / 7)}"`) : payload(i),
    );
    const folder = join(TEMPORARY, 'ids');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.ndjson'), `${claims.slice(0, 5500).join('\n')}\n`);
    writeFileSync(join(folder, 'b.json'), `[${claims.slice(5500, 6000).join(',')}]`);
    writeFileSync(join(folder, 'c.ndjson.gz'), gzipSync(claims.slice(6000).join('\n')));

    /** By the definition: in the order of the sources, compared with the first. */
    const first = new Map<string, { content: unknown; at: number }>();
    const expected = claims.flatMap((text, at) => {
      const value = JSON.parse(text);
      const known = first.get(value['@id']);
      if (known === undefined) first.set(value['@id'], { content: value, at });
      return known === undefined || JSON.stringify(known.content) === text ? [] : [[at, known.at]];
    });

    it.each(['1', '2', '3'])('is found across files and threads: %s', async (threads) => {
      const args = ['validate', 'ids', '--no-config', '--advice', '--format', 'ndjson', '--threads', threads];
      const { stdout, code } = await paylint(args, { cwd: TEMPORARY });
      const start = { 'ids/a.ndjson': 0, 'ids/b.json': 5500, 'ids/c.ndjson.gz': 6000 };
      const index = ({ file, payload }: { file: string; payload: number }) =>
        start[file as keyof typeof start] + payload;
      const found = stdout
        .split('\n')
        .filter((line) => line.includes('"rule":"advice/id-conflict"'))
        .map((line) => JSON.parse(line));
      expect(found.map((one) => [index(one), index(one.params.first)])).toEqual(expected);
      expect(found.length).toBeGreaterThan(300);
      const [[later, earlier] = []] = expected;
      const id = JSON.parse(claims[later!]!)['@id'];
      expect(found[0].message).toBe(
        `"${id}" is also the @id of a payload with other content, at ids/a.ndjson:${earlier! + 1}`,
      );
      expect(code).toBe(0);
    });

    it.each(['ndjson', 'line', 'pretty'])(
      'can be an error, whatever the number of threads: %s',
      async (format) => {
        const config = join(TEMPORARY, 'strict.json');
        writeFileSync(config, '{"rules": {"advice/id-conflict": "error", "advice/blank": "off"}}');
        const args = ['validate', 'ids', '--config', config, '--advice', '--format', format];
        const withoutTime = (report: string) => report.replace(/"elapsedMs":\d+|[\d.]+ m?s$/gm, '');
        const run = async (...flags: string[]) => {
          const { stdout, code } = await paylint([...args, ...flags], { cwd: TEMPORARY });
          expect(code).toBe(1);
          return withoutTime(stdout);
        };
        const one = await run('--threads', '1');
        expect(await run('--threads', '3')).toBe(one);
        expect(one).toContain(
          format === 'ndjson'
            ? `"valid":${9000 - expected.length},"invalid":${expected.length}`
            : `in ${expected.length} of 9,000 payloads`,
        );
        const bail = await run('--bail', '--threads', '3');
        expect(await run('--bail', '--threads', '1')).toBe(bail);
        expect(bail.match(/is also the @id/g)).toHaveLength(1);
      },
    );

    it('is bounded in memory: what is new beyond the limit is not remembered, and known ones still are', () => {
      const identities = new Identities(2000);
      const take = (i: number, content: string) => {
        const hashOf = (text: string) => hash('sha256', text).slice(0, 16);
        const claim = { id: hashOf(`${i}`), content: hashOf(content), payload: i, line: i + 1 };
        return identities.take(claim as Claim, `${i % 5}.json`);
      };
      for (let i = 0; i < 2000; i++) expect(take(i, 'a')).toBeNull();
      expect(identities.isFull).toBe(false);
      expect(take(2000, 'a')).toBeNull();
      expect(identities.isFull).toBe(true);
      expect(take(2000, 'b')).toBeNull();
      for (let i = 0; i < 2000; i++) {
        expect(take(i, 'a')).toBeNull();
        expect(take(i, 'b')).toEqual({ file: `${i % 5}.json`, payload: i, line: i + 1 });
      }
    });
  });
});
