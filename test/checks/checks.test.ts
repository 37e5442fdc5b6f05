/**
 * Checks of a config: what is accepted as an expression, what an evaluation may cost, and that all ways of a payload find the
 * same.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expressionOf, reasonOf } from '../../src/checks/expression.ts';
import { Failure, StepCount } from '../../src/checks/failure.ts';
import { sumOf } from '../../src/checks/numbers.ts';
import { type FileEvent, openPaylint } from '../../src/index.ts';
import { exactValue } from '../../src/json/decimal.ts';
import { Shape } from '../../src/schema/described-members.ts';
import { loadFiles } from '../trial.ts';
import { paylint } from '../world.ts';

const root = mkdtempSync(join(tmpdir(), 'paylint-checks-'));
afterAll(() => rmSync(root, { recursive: true }));

const steps = new StepCount();

function evaluate(text: string, self: unknown, shape: Shape | null = null): unknown {
  const expression = expressionOf(text, shape, { at: '', steps });
  steps.begin('id', 1000);
  const value = expression.evaluate(self);
  return value instanceof Failure ? reasonOf(value, { redact: false }) : value;
}

describe('an expression', () => {
  it.each<[string, unknown]>([
    ['self.a < self.b', { a: 'a', b: 'b' }],
    ['self.a + 1 == 2.5 && 1 + self.a == 2.5 && self.a * 2 > 2 && 3 / self.a == 2.0', { a: 1.5 }],
    ['!self.a || -1 < 2', { a: true }],
    ['self.a ? self.b == 1 : false', { a: true, b: 1 }],
    ['self.s.matches("^(a|b)+$")', { s: 'abab' }],
    ['sum(self.l.map(x, x.p)) == self.t', { l: [{ p: 0.1 }, { p: 0.2 }], t: 0.3 }],
    ['self.l.filter(x, x > 1).all(x, x == 2)', { l: [1, 2] }],
    ['self["@id"] != "b" && "@id" in self && size(self) == 1', { '@id': 'a' }],
    ['self.a == 0.12345678901234', { a: 0.12345678901234 }],
    ['self.l.all(x, self.l.exists(y, y > x) || x == 2)', { l: [1, 2] }],
    ['has({"a": 1}.a) && {"a": self.b}.a == 2 && matches(self.s, "^a") && "a".matches("a")', { b: 2, s: 'ab' }],
    ['timestamp(self.a) < timestamp(self.b)', { a: '2026-01-01T00:00:00+01:00', b: '2026-01-01T00:00:00Z' }],
    ['!has(self.constructor) && !has(self.__proto__)', {}],
  ])('%s is evaluated', (text, self) => {
    expect(evaluate(text, self)).toBe(true);
  });

  it.each([
    ['self.s.matches(self.r)', 'must be a text that is written out'],
    ['self.s.matches("(.)\\\\1")', 'RE2 does not refer back to a group'],
    ['self.s.matches("(")', 'a group is not closed'],
    ['"a" - 1 == 2', 'there is no - for string and int'],
    ['size(self)', 'expected an expression that is true or false'],
    ['unknown(self)', 'there is no function "unknown"'],
    ['self.l.exist(x, x)', 'did you mean "exists"?'],
    ['size(self, self) == 1', 'size has another number of arguments'],
    ['self.size == 1 && size(1) == 1', 'there is no size for int'],
    ['contains(self.a, "b")', 'write value.contains()'],
    ['self.a.int() == 1', 'write int(value)'],
    ['other.a', 'there is no variable "other"; there is self'],
    ['self.', 'Expected IDENTIFIER'],
    ['has(self["a"])', 'has takes a member, such as has(self.a)'],
    ['1u == self.a', 'checks have no unsigned integers'],
    ['b"a" == self.a', 'checks have no bytes'],
    ['self.?a == 1', 'checks have no optional values'],
    ['self[?"a"] == 1', 'checks have no optional values'],
    ['type(self) == type(1)', 'checks have no type'],
    ['cel.bind(a, 1, a == 1)', 'checks have no bind'],
    ['bytes("a") == self.a', 'checks have no bytes'],
    ['google.protobuf.Duration{seconds: 1} == self.a', 'Unexpected character'],
    ['self.a > 9223372036854775808', 'the integer 9223372036854775808 is beyond int64'],
    ['timestamp("2026-02-30T00:00:00Z") < timestamp(self.a)', 'it is not a date and time of RFC 3339'],
    ['timestamp("0000-01-01T00:00:00Z") < timestamp(self.a)', 'outside of the years 0001 to 9999'],
    ['timestamp("0001-01-01T00:00:00+01:00") < timestamp(self.a)', 'outside of the years 0001 to 9999'],
    ['duration("1x") < duration("1s")', 'it is not a duration'],
    ['timestamp(self.a).getHours("Europe/Berlin") == 1', 'a time zone is a fixed offset'],
    ['timestamp(self.a).getHours("UTC") == 1', 'a time zone is a fixed offset'],
    ['getHours("+01:00") == 1', 'write value.getHours()'],
    ['int("a") == 1', 'it is not an integer of 64 bits'],
    [`${'('.repeat(60)}true${')'.repeat(60)}`, 'maxDepth'],
  ])('%s is refused', (text, why) => {
    const read = () => expressionOf(text, null, { at: 'here: ', steps });
    expect(read).toThrow(/^here: /);
    expect(read).toThrow(why);
  });

  it('fails with what would help', () => {
    expect(evaluate('self.a.b == 1', { a: {} })).toBe('there is no member "b"; ask has(self.a.b) first');
    expect(evaluate('self["a b"] == 1', {})).toBe('there is no member "a b"; ask "a b" in self first');
    expect(evaluate('self.a', { a: 1 })).toBe('it is neither true nor false');
    expect(evaluate('self.a.b == 1', { a: 1 })).toBe('there is no member "b" for double');
    const secret = expressionOf('self[self.k] == 1', null, { at: '', steps }).evaluate({ k: 'secret' });
    expect(reasonOf(secret as Failure, { redact: true })).not.toContain('secret'); // it has no such member
  });

  it.each([
    ['self.l.all(x, x in self.l)'],
    ['self.l.all(x, self.l.all(y, y >= 0))'],
    ['self.l.all(x, self.l == self.l)'],
    ['self.l.exists(x, x < 0 || sum(self.l) < 0.0)'],
    ['self.l.all(x, size(self.s + self.s) > 0)'],
    [`[self.l]${'.map(a, a + a)'.repeat(20)}.all(a, size(a) > 0)`],
    ['[timestamp(self.t)].all(t, self.l.all(x, t.getHours() >= 0))'],
    ['[timestamp(self.t)].all(t, self.l.all(x, string(t) != ""))'],
    ['[duration(self.d)].all(d, self.l.all(x, d.getHours() >= 0))'],
  ])('%s is bounded', (text) => {
    const digits = '1'.repeat(3000);
    const times = { t: `2026-01-01T00:00:00.${digits}Z`, d: `0.${digits}s` };
    const self = { l: Array.from({ length: 20_000 }, (_, i) => i), s: 'x'.repeat(100_000), ...times };
    expect(() => evaluate(text, self)).toThrow('the check "id" takes too many steps');
  });
});

describe('numbers', () => {
  it('are ints where the schema says integer, and doubles elsewhere', async () => {
    const { kinds } = await loadFiles({
      'it.json': { properties: { i: { $ref: '#/$defs/i' }, d: { type: 'number' } }, $defs: { i: { type: 'integer' } } },
    });
    const shape = Shape.of([kinds[0]!.schema]);
    const of = (expression: string, text: string): unknown => evaluate(expression, exactValue(text), shape);
    expect(of('self.i / 2 == 3 && self.d / 2 == 3.5 && self.x / 2 == 3.5', '{"i":7,"d":7,"x":7}')).toBe(true);
    expect(of('self.i % 2 == 1', '{"i":5.0}')).toBe(true);
    expect(of('self.i + 1 > 0', '{"i":9223372036854775807}')).toBe('an integer is beyond int64');
    // What int64 does not hold can be compared, but nothing can be calculated with it.
    for (const text of ['{"i":9223372036854775808}', '{"i":1e30}']) {
      expect(of('self.i > 9223372036854775807', text)).toBe(true);
      expect(of('self.i - self.i == 0', text)).toBe('an integer is beyond int64');
    }
    expect(
      of(
        'int(self.x) == 36028797018963970 && int(double(36028797018963968)) == 36028797018963968',
        '{"x":36028797018963970}',
      ),
    ).toBe(true);
  });

  it('are summed as they are written', () => {
    const sum = (text: string): unknown => {
      steps.begin('id', 1000);
      const found = sumOf(exactValue(text) as unknown[], steps); // a list
      return found instanceof Failure ? found.why : String(found);
    };
    expect(sum('[0.1,0.2]')).toBe('0.3');
    expect(sum('[1,0.5]')).toBe('1.5');
    expect(sum('[1e21,1e-7,-1e21]')).toBe('1e-7');
    expect(sum('[9007199254740993,0.5]')).toBe('90071992547409935e-1');
    expect(sum('[9007199254740991,9007199254740991,-1]')).toBe('18014398509481981e0');
    expect(sum('["a"]')).toBe('sum takes a list of numbers');
    expect(() => sum('[1e-999999999,1]')).toThrow('too many steps');
    expect(sumOf([], steps)).toBe(0n);
    expect(sumOf([1n, 2n], steps)).toBe(3n);
    expect(sumOf([2n ** 63n - 1n, 1n], steps)).toMatchObject({ why: 'an integer is beyond int64' });
  });
});

const SCHEMA = '{"properties":{"a":{"type":"number"},"l":{"type":"array","items":{"type":"object"}}}}';
const CHECKS =
  '[{"id":"a","assert":"self.a < self.b","report":"/a","message":"a is not below b"},{"id":"l","at":"/l/*","assert":"self.x == 1","message":"x is not 1","severity":"warning"}]';

describe('checks', () => {
  const folder = mkdtempSync(join(root, 'x'));
  writeFileSync(join(folder, 's.json'), SCHEMA);
  writeFileSync(join(folder, 'checks.json'), CHECKS);
  writeFileSync(join(folder, 'paylint.config.json'), '{"schema":"s.json","checks":"checks.json"}');
  const LINES = ['{"a":1,"b":2}', '{"a":2,"b":1,"l":[{"x":1},{"x":2}]}', '{"a":1}', '{"a":"x","b":1}', '{"a":1,"a":2}'];

  it('find the same in every thread', async () => {
    writeFileSync(join(folder, 'a.ndjson'), `${LINES.join('\n')}\n`.repeat(2000));
    const outputs: string[] = [];
    for (const threads of ['1', '3']) {
      const args = ['validate', 'a.ndjson', '--format', 'ndjson', '--threads', threads];
      outputs.push((await paylint(args, { cwd: folder })).stdout.replace(/"elapsedMs":\d+/, ''));
    }
    expect(outputs[0]).toContain('"check/a":2000,"check/a/evaluation":2000,"check/l":2000');
    expect(outputs[0]).toContain('"payloads":10000,"valid":4000,"invalid":6000');
    expect(outputs[1]).toBe(outputs[0]);
  });

  it('find the same in the library, by every call', async () => {
    const one = await openPaylint({ config: join(folder, 'paylint.config.json') });
    const rules = (text: string): string[] => one.validate(text).violations.map(({ rule }) => rule);
    for (let i = 0; i < 20; i++) {
      expect(LINES.map(rules)).toEqual([
        [],
        ['check/a', 'check/l'],
        ['check/a/evaluation'],
        ['type'],
        ['duplicate-member'],
      ]);
      expect(LINES.map((line) => one.isValid(line))).toEqual([true, false, true, false, false]);
      expect(one.validateValue({ a: 2, b: 1 }).valid).toBe(false);
    }
    const [, second] = [...one.payloadsOf(LINES.join('\n'), { input: 'lines' })];
    expect(second!.violations).toMatchObject([
      { rule: 'check/a', pointer: '/a', severity: 'error', message: 'a is not below b', line: 2, column: 6 },
      { rule: 'check/l', pointer: '/l/1', severity: 'warning' },
    ]);
  });

  it('that take too many steps make the payload a failure', async () => {
    const other = mkdtempSync(join(root, 'x'));
    writeFileSync(join(other, 's.json'), '{"type":"object"}');
    writeFileSync(
      join(other, 'paylint.config.json'),
      '{"schema":"s.json","checks":[{"id":"q","assert":"self.l.all(x, x in self.l)","message":"m"}]}',
    );
    const stdin = JSON.stringify({ l: Array.from({ length: 20_000 }, (_, i) => i) });
    const { code, stderr } = await paylint(['validate', '-'], { cwd: other, stdin });
    expect(code).toBe(2);
    expect(stderr).toContain('could not be checked: the check "q" takes too many steps');
  });
});

describe('what is written out in an expression', () => {
  const digits = (count: number): string => '1'.repeat(count);
  /** What `validate` says of payloads with one check. */
  async function checked(assert: string, lines: readonly string[]) {
    const folder = mkdtempSync(join(root, 'x'));
    writeFileSync(join(folder, 's.json'), '{"type":"object"}');
    const checks = [{ id: 'long', message: 'm', assert }];
    writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify({ schema: 's.json', checks }));
    return paylint(['validate', '-', '--format', 'line'], { cwd: folder, stdin: lines.join('\n') });
  }

  it.each([
    [
      'a time with an offset',
      'timestamp("2026-01-01T00:00:00.000000+01:00") < timestamp(self.a)',
      '2025-12-31T23:00:00.1Z',
    ],
    ['a fraction', `timestamp("2026-01-01T00:00:00.${digits(1000)}Z") < timestamp(self.a)`, '2026-01-01T00:00:00.2Z'],
    ['texts', `size("${digits(4000)}") == 4000 && "${digits(40)}2".endsWith(self.a)`, '2'],
  ])('may be long: %s', async (_, assert, a) => {
    const lines = Array.from({ length: 5 }, () => JSON.stringify({ a }));
    expect(await checked(assert, lines)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('5 payloads valid'),
    });
    expect(await checked(assert, [JSON.stringify({ a: '2025-12-31T23:00:00Z' })])).toMatchObject({ code: 1 });
  });

  it('is bounded', async () => {
    const { code, stderr } = await checked(`duration("0.${digits(40_000)}s") > duration(self.a)`, ['{"a":"0s"}']);
    expect(code).toBe(2);
    expect(stderr).toBe('paylint: paylint.config.json#/checks/0: the check "long" takes too many steps\n');
  });

  it('is read with all its digits, like a fraction of a payload that is as long', async () => {
    const later = JSON.stringify({ a: `2026-01-01T00:00:00.${digits(20_000)}2Z` });
    const assert = `timestamp(self.a) > timestamp("2026-01-01T00:00:00.${digits(2000)}Z") && isTimestamp(self.a)`;
    expect(await checked(assert, [later])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 payload valid'),
    });
  });
});

describe('the examples in docs/guides/checks.md', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/guides/checks.md'), 'utf8');
  const examples = [
    ...docs.matchAll(/^```json\n(\{ "id"[\s\S]*?)^```\n\nRight: `(.*)`; wrong: `(.*)`, at `(.*)`\.$/gm),
  ].map(([, check, right, wrong, place]) => [check!, right!, wrong!, place!] as const);

  it('are twelve', () => {
    expect(examples.length).toBe(12);
  });

  it.each(examples)('%s', async (check, right, wrong, place) => {
    const folder = mkdtempSync(join(root, 'x'));
    writeFileSync(join(folder, 's.json'), '{"type":"object"}');
    writeFileSync(join(folder, 'paylint.config.json'), `{"schema":"s.json","checks":[${check}]}`);
    const one = await openPaylint({ config: join(folder, 'paylint.config.json') });
    const { id, message, assert } = JSON.parse(check) as Record<string, string>; // as the docs have it
    const violationsIn = async (payloads: string): Promise<FileEvent[]> => {
      writeFileSync(join(folder, 'a.ndjson'), payloads.replaceAll('` and `', '\n'));
      const events: FileEvent[] = [];
      await one.validateFiles(['a.ndjson'], { cwd: folder, onEvent: (event) => events.push(event) });
      return events.filter(({ type }) => type === 'violation');
    };
    expect(await violationsIn(right)).toEqual([]);
    const said = assert === undefined ? { authorMessage: message } : { message };
    const pointer = place === 'the root' ? '' : place;
    expect(await violationsIn(wrong)).toMatchObject([{ rule: `check/${id}`, ...said, pointer }]);
    if (assert !== undefined) expect(one.validate(wrong).violations).toMatchObject([{ message, pointer }]);
  });
});
