import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RULE_LISTS } from '../../scripts/rule-lists.ts';
import { flagKey, VALIDATE_FLAGS } from '../../src/config/flags.ts';
import type { Examined } from '../../src/engine/judge/examine.ts';
import { judged } from '../../src/engine/judge/judged.ts';
import { NO_FILLS } from '../../src/json/edits.ts';
import { RULES } from '../../src/keywords/rules.ts';
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
      '$comment',
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
    const fixed = Object.keys(properties).filter((rule) => JSON.stringify(properties[rule]).includes('fixed'));
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
  const lines = Array.from({ length: 4500 }, (_, i) => (i % 3 === 0 ? wrong('"reason":1') : wrong('"more":1')));
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
    expect(one.stdout.match(/"rule":"check\/blank-content"/g)).toHaveLength(expected);
    expect(one.stdout).toContain(`"warnings":${expected},"failures":0`);
    expect(one.code).toBe(0);
  });
});
