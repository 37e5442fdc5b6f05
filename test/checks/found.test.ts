/** What was found wrong in checks from outside (C1 to C12), with its kin: each as a run of the command. */
import { linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { paylint } from '../world.ts';

const root = mkdtempSync(join(tmpdir(), 'paylint-found-'));
afterAll(() => rmSync(root, { recursive: true }));

const ANY = { type: 'object' };

interface Trial {
  readonly config?: object;
  readonly schema?: object;
  readonly args?: readonly string[];
  readonly more?: Readonly<Record<string, string>>;
}

/** Validates the payload with a config and a schema, in a folder of their own. */
async function trial(payload: string, { config = {}, schema = ANY, args = ['a.json'], more = {} }: Trial) {
  const cwd = mkdtempSync(join(root, 'x'));
  const files = { 's.json': JSON.stringify(schema), 'a.json': payload, ...more };
  writeFileSync(join(cwd, 'paylint.config.json'), JSON.stringify({ schema: 's.json', ...config }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const { code, stdout, stderr } = await paylint(['validate', ...args, '--format', 'line'], { cwd });
  const rules = [...stdout.matchAll(/^a\.json:\d+:\d+: (?:warning: )?(\S+) /gm)].map(([, rule]) => rule);
  return { code, stdout, stderr, rules, cwd };
}

const check = (assert: string, more: object = {}): object => ({ checks: [{ id: 'x', message: 'M', assert, ...more }] });

/** The rules that one check finds. */
async function ask(assert: string, payload: string): Promise<unknown> {
  return (await trial(payload, { config: check(assert) })).rules;
}

const BROKEN = ['check/x'];
const FAILED = ['check/x/evaluation'];

describe('C1: an evaluation that fails with onError "error"', () => {
  const schema = { type: 'object', properties: { a: { minimum: 1 } } };
  const failing = check('self.b == 1', { onError: 'error' });

  it.each(['warning', 'off', 'error'])('is reported beside a violation whose rule is "%s"', async (level) => {
    const { code, rules } = await trial('{"a":0}', { schema, config: { ...failing, rules: { minimum: level } } });
    expect([code, rules.toSorted()]).toEqual([1, level === 'off' ? FAILED : ['check/x/evaluation', 'minimum']]);
  });

  it('is reported beside a violation that is known', async () => {
    const { cwd } = await trial('{"a":0}', { schema, config: { baseline: 'b.json' } });
    await paylint(['validate', 'a.json', '--update-baseline'], { cwd });
    writeFileSync(
      join(cwd, 'paylint.config.json'),
      JSON.stringify({ schema: 's.json', baseline: 'b.json', ...failing }),
    );
    const { code, stdout } = await paylint(['validate', 'a.json', '--format', 'line'], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining('check/x/evaluation')]);
    expect(stdout).toContain('1 known');
  });

  it('is what an explicit level makes of it', async () => {
    const rules = { minimum: 'warning', 'check/x/evaluation': 'warning' };
    const { code, stdout } = await trial('{"a":0}', { schema, config: { ...failing, rules } });
    expect([code, stdout]).toEqual([0, expect.stringContaining('warning: check/x/evaluation')]);
  });

  it('is left out at level warning beside an error, and only there', async () => {
    const warns = check('self.b == 1');
    expect((await trial('{"a":0}', { schema, config: warns })).rules).toEqual(['minimum']);
    const lowered = { ...warns, rules: { minimum: 'warning' } };
    expect((await trial('{"a":0}', { schema, config: lowered })).rules).toContain('check/x/evaluation');
    const off = { ...warns, rules: { minimum: 'off' } };
    expect((await trial('{"a":0}', { schema, config: off })).rules).toEqual(FAILED);
  });
});

describe('C2 to C4: times', () => {
  const both = (start: string, end: string): string => JSON.stringify({ start, end });
  const before = 'timestamp(self.start) < timestamp(self.end)';

  it.each(['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', ''])(
    'do not depend on TZ=%s',
    async (zone) => {
      const own = process.env.TZ;
      process.env.TZ = zone;
      try {
        expect(await ask(before, both('2026-03-01T12:00:00.123456', '2026-03-01T14:00:00Z'))).toEqual(FAILED);
        expect(await ask('timestamp(self.start).getHours() == 2', both('2026-03-29T02:30:00Z', ''))).toEqual([]);
      } finally {
        if (own === undefined) delete process.env.TZ;
        else process.env.TZ = own;
      }
    },
  );

  it('have every digit of a fraction', async () => {
    const [a, b] = ['2026-03-01T12:00:00.123456Z', '2026-03-01T12:00:00.123789Z'];
    expect(await ask(before, both(a, b))).toEqual([]);
    expect(await ask('timestamp(self.start) <= timestamp(self.end)', both(b, a))).toEqual(BROKEN);
    expect(await ask('timestamp(self.start) == timestamp(self.end)', both(a, b))).toEqual(BROKEN);
    const digits = '1'.repeat(4000);
    expect(await ask(before, both(`2026-03-01T12:00:00.${digits}1Z`, `2026-03-01T12:00:00.${digits}2Z`))).toEqual([]);
    expect(
      await ask(
        'timestamp(self.start) == timestamp(self.end)',
        both('2026-03-01T12:00:00.50Z', '2026-03-01t12:00:00.5z'),
      ),
    ).toEqual([]);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-03-01 12:00:00Z',
    '2026-03-01T12:00:00+0100',
    '2026-03-01T24:00:00Z',
    '2026-03-01T23:59:60Z',
    '+002026-03-01T12:00:00Z',
    '0000-03-01T12:00:00Z',
    'Sun, 01 Mar 2026 12:00:00 GMT',
    '2026-03-01T12:00Z',
    '2026-03-01',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00,5Z',
    '2026-03-01T12:00:00Z\n',
    '９026-03-01T12:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
  ])('%j is none', async (text) => {
    expect(await ask('timestamp(self.start) < timestamp("2030-01-01T00:00:00Z")', both(text, ''))).toEqual(FAILED);
    expect(await ask('isTimestamp(self.start)', both(text, ''))).toEqual(BROKEN);
    const { code, stderr } = await trial('{}', { config: check(`timestamp(${JSON.stringify(text)}) == self.a`) });
    expect([code, stderr]).toEqual([2, expect.stringContaining('paylint.config.json#/checks/0: timestamp(')]);
  });

  it.each([
    '2024-02-29T23:59:59Z',
    '2000-02-29T00:00:00.000000001-23:59',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ])('%s is one', async (text) => {
    expect(
      await ask(
        'isTimestamp(self.start) && timestamp(self.start) == timestamp(string(timestamp(self.start)))',
        both(text, ''),
      ),
    ).toEqual([]);
  });
});

describe('C5: matches', () => {
  it('is RE2', async () => {
    expect(await ask('!self.id.matches("[[:upper:]]")', '{"id":"ABC"}')).toEqual(BROKEN);
    expect(await ask('!self.id.matches("[[:upper:]]")', '{"id":"abc:"}')).toEqual([]);
    for (const pattern of ['\\\\Aa\\\\z', '\\\\x{61}', '\\\\Qa\\\\E', '^\\\\pL$', '(?P<n>a)', '(?i)A'])
      expect([pattern, await ask(`self.id.matches("${pattern}")`, '{"id":"a"}')]).toEqual([pattern, []]);
  });

  it.each([
    ['(?=a)', 'does not look ahead or behind'],
    ['(?<!a)b', 'does not look ahead or behind'],
    ['(a)\\1', 'does not refer back to a group'],
    ['\\h', 'write [ \\t]'],
    ['\\Z', 'write \\z'],
    ['a{1001}', 'at most 1000 times'],
    ['(a{100}){11}', 'at most 1000 times'],
    ['a**', 'a repetition is repeated'],
    ['a++', 'a repetition is repeated'],
    ['[[:foo:]]', 'there is no class [:foo:]'],
  ])('refuses %s', async (pattern, why) => {
    const { code, stderr } = await trial('{}', { config: check(`self.id.matches(r'${pattern}')`) });
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).toContain('paylint.config.json#/checks/0: ');
  });
});

describe('C6 to C8: texts and numbers', () => {
  it.each<[string, string]>([
    ['self.a < self.b', '{"a":"\\uFF5E","b":"😀"}'],
    ['self.a < self.b', '{"a":"\\ud83d","b":"😀"}'],
    ['self.a < self.b', '{"a":"😀","b":"😀a"}'],
    ['self.a > self.b && size(self.a) == 1 && self.a.size() == 1', '{"a":"😀","b":"\\ue000"}'],
    [
      '!self.a.contains(self.b) && !self.a.endsWith(self.b) && !self.a.startsWith(self.c)',
      '{"a":"😀","b":"\\ude00","c":"\\ud83d"}',
    ],
    ['sum(self.l) == self.c', '{"l":[9007199254740993,0.5],"c":9007199254740993.5}'],
    ['sum(self.l) != 9007199254740992', '{"l":[9007199254740993]}'],
    ['self.num == 9007199254740993 && self.num != 9007199254740992', '{"num":9007199254740993}'],
    ['self.num > 9007199254740992 && self.num in [9007199254740993]', '{"num":9007199254740993}'],
    ['self.a == self.b && self.a in [self.b] && {self.a: 1}[self.b] == 1', '{"a":1,"b":1.0}'],
    ['self.a != self.b && self.a < self.b', '{"a":0.1,"b":0.1000000000000000000000000001}'],
    ['self.a == 0.05 * 2.0 && self.a * 3 == 0.30000000000000004', '{"a":0.1}'],
    ['self.l == [9007199254740993, 0.5]', '{"l":[9007199254740993,0.50]}'],
    ['self.o == {"a": 9007199254740993}', '{"o":{"a":9007199254740993.0}}'],
    ['self.a < self.b', `{"a":0.${'1'.repeat(4000)}1,"b":0.${'1'.repeat(4000)}2}`],
  ])('%s', async (assert, payload) => {
    const config = { ...check(assert), rules: { 'unpaired-surrogate': 'off' } };
    expect((await trial(payload, { config })).rules).toEqual([]);
  });
});

describe('C9: what means nothing', () => {
  it.each<[object, string]>([
    [check('true', { at: '/lines/-' }), 'no item has the index "-"'],
    [check('true', { at: '/lines/00' }), 'no item has the index "00"'],
    [check('true', { report: '/lines/01' }), 'no item has the index "01"'],
    [{ checks: [{ id: 'u', unique: '/l/-' }] }, 'no item has the index "-"'],
    [{ checks: [{ id: 'u', references: '/l/*', to: { at: '/l/00' } }] }, 'no item has the index "00"'],
    [{ rules: { 'check/nope': 'off' } }, 'paylint.config.json#/rules/check~1nope: there is no check "nope"'],
    [{ ...check('true'), rules: { 'check/y': 'off' } }, 'there is no check "y"; did you mean "check/x"?'],
    [{ rules: { 'check/same-idd': 'off' } }, 'did you mean "check/same-id"?'],
    [{ ...check('true'), rules: { 'check/x/evaluatoin': 'off' } }, 'did you mean "check/x/evaluation"?'],
    [check('getHours("+01:00") == 1'), 'write value.getHours()'],
    [check('self.a == 1', { kind: 'nope' }), 'there is no kind "nope"'],
  ])('%j is refused when the config is read', async (config, why) => {
    const { code, stderr } = await trial('{}', { config });
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('but not the ids of the bundled advice, nor an own check', async () => {
    const rules = { 'check/same-id': 'off', 'check/start-time/evaluation': 'warning', 'check/x': 'warning' };
    const { code, rules: found } = await trial('{"a":1}', {
      config: { ...check('has({"a":1}.a) && self.a == 2'), rules },
    });
    expect([code, found]).toEqual([0, BROKEN]);
  });

  it('but not a member whose name is an index', async () => {
    const schema = { type: 'object', properties: { l: { properties: { '00': { type: 'number' } } } } };
    const { rules } = await trial('{"l":{"00":1}}', { schema, config: check('self == 2', { at: '/l/00' }) });
    expect(rules).toEqual(BROKEN);
  });
});

describe('C10: a file with two names', () => {
  it.each(['symbolic', 'hard'])('by a %s link is compared once', async (sort) => {
    const link = sort === 'hard' ? linkSync : symlinkSync;
    const config = {
      checks: [
        { id: 'u', unique: '/id' },
        { id: 'r', references: '/of', to: { at: '/id' } },
      ],
    };
    const { cwd } = await trial('{"id":1,"of":2}', { config });
    link(join(cwd, 'a.json'), join(cwd, 'b.json'));
    const { code, stdout, stderr } = await paylint(['validate', 'a.json', 'b.json', '--format', 'ndjson'], { cwd });
    expect(stdout.match(/"rule":"check\/\w"/g)).toEqual(['"rule":"check/r"']);
    expect(stdout).toContain('"payloads":2,"valid":1,"invalid":1');
    expect([code, stderr]).toEqual([1, expect.stringContaining('b.json: note: it is a.json by another name')]);
  });
});

describe('C11: --advice', () => {
  const advice = async (startTime: string, endTime: string) => {
    const cwd = mkdtempSync(join(root, 'x'));
    const file = join(import.meta.dirname, '../../fixtures/content/advice/date-order.ndjson');
    const [line] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(join(cwd, 'a.json'), JSON.stringify({ ...JSON.parse(line!), startTime, endTime }));
    const { stdout } = await paylint(['validate', 'a.json', '--advice', '--format', 'line'], { cwd });
    return [...stdout.matchAll(/^a\.json:\d+:\d+: warning: (\S+) /gm)].map(([, rule]) => rule);
  };

  it.each<[string, string, readonly string[]]>([
    ['2026-02-29T00:00:00Z', '2026-02-28T00:00:00Z', ['check/start-time']],
    ['2026-02-28T00:00:00Z', '2026-02-30T00:00:00Z', ['check/end-time']],
    ['2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z', []],
    ['2026-03-01T10:00:00.1239Z', '2026-03-01T10:00:00.1234Z', ['check/content-date-order']],
    ['2026-03-01T10:00:00.1234Z', '2026-03-01T10:00:00.1239Z', []],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z', ['check/start-time']],
  ])('%s to %s', async (start, end, rules) => {
    expect(await advice(start, end)).toEqual(rules);
  });
});

describe('C12: the frame of a check', () => {
  it('follows report, whatever the message says', async () => {
    const config = check('self.total > 3', {});
    const { cwd } = await trial('{\n  "parts": [1],\n  "total": 1\n}', {
      config: {
        checks: [{ ...(config as { checks: object[] }).checks[0], message: 'the total is wrong; there is "parts"' }],
      },
    });
    const { stdout } = await paylint(['validate', 'a.json'], { cwd });
    expect(stdout).toContain('there is "parts"');
    expect(stdout).not.toMatch(/2 \|/);
  });
});
