/**
 * Checks beside another implementation of CEL: random expressions over random payloads. It does not witness the order of texts,
 * days that do not exist, or more than nine digits of a fraction.
 */
import { type CelInput, celEnv, parse, plan } from '@bufbuild/cel';
import { expect, it } from 'vitest';
import { expressionOf } from '../../src/checks/expression.ts';
import { Failure, StepCount } from '../../src/checks/failure.ts';
import { UsageError } from '../../src/errors.ts';
import { rounds } from '../rounds.ts';
import { oneOf, randomFrom } from './random.ts';

type Random = (below: number) => number;

type Applies = (text: string, wanted: boolean | 'failure') => boolean;

/** Where the two differ, by decision or because the other one is wrong. */
const DIFFERENT: readonly (readonly [reason: string, applies: Applies])[] = [
  ['an int and a double go together in arithmetic', (text, wanted) => wanted === 'failure' && / [-+*/] /.test(text)],
  ['a member that is null is there', (text) => text.includes('has(self.n)')],
  ['timestamp(int) is in seconds', (text) => text.includes('timestamp(1700000000)')],
  ['the text of a duration has no zeros at its end', (text) => text.includes('string(') && text.includes('duration(')],
  ['the negation of the least int fails', (text) => text.includes('9223372036854775808')],
  ['double() of a text that is no number fails', (text) => text.includes('double(')],
];

const TIMES = [
  '2026-03-01T12:00:00Z',
  '2026-03-01T14:30:00+02:30',
  '2024-02-29T23:59:59.123456789Z',
  '1969-12-31T23:59:59-01:00',
  'x',
  '',
];
const DURATIONS = ['1s', '1h30m', '-1.5s', '100ms', '0', 'x', '90m'];
const TEXTS = ['', 'a', 'ab', 'b', '1', '2.5', 'true', 'é', '😀'];

/** An expression that is mostly of the type; sometimes it is of another one. */
function expression(random: Random, type: string, depth: number, names: readonly string[]): string {
  const inner = (of: string): string => expression(random, of, depth - 1, names);
  const leaf = depth <= 0 || random(5) === 0;
  if (random(25) === 0)
    return expression(random, oneOf(random, ['bool', 'num', 'int', 'text', 'list', 'time']), depth, names);
  const self = (...of: string[]): string => `${oneOf(random, names)}.${oneOf(random, [...of, 'gone'])}`;
  switch (type) {
    case 'bool': {
      if (leaf) return oneOf(random, ['true', 'false', self('b'), `has(${self('n', 's', 'o')})`]);
      const of = oneOf(random, ['num', 'int', 'text', 'time', 'span', 'bool']);
      return oneOf(random, [
        () => `(${inner('bool')} ${oneOf(random, ['&&', '||'])} ${inner('bool')})`,
        () => `!(${inner('bool')})`,
        () => `(${inner('bool')} ? ${inner('bool')} : ${inner('bool')})`,
        () =>
          `(${inner(of)} ${of === 'text' ? oneOf(random, ['==', '!=']) : oneOf(random, ['==', '!=', '<', '<=', '>', '>='])} ${inner(of)})`,
        () => {
          // Times are so far apart that only the same one tells which way it was moved.
          const [time, span] = [inner('time'), inner('span')];
          const moved = oneOf(random, [
            `${time} - ${span}`,
            `${time} - ${span}`,
            `${time} + ${span}`,
            `${span} + ${time}`,
          ]);
          return `(${moved} ${oneOf(random, ['<', '<=', '>', '>='])} ${time})`;
        },
        () => `(${inner('num')} in ${inner('list')})`,
        () => `(${inner('text')} in ${self('o')})`,
        () => `${inner('text')}.${oneOf(random, ['contains', 'startsWith', 'endsWith'])}(${inner('text')})`,
        () => `${inner('text')}.matches("${oneOf(random, ['^a', 'b$', '[0-9]+', '^.$', '(?i)A'])}")`,
        () =>
          `${inner('list')}.${oneOf(random, ['all', 'exists', 'exists_one'])}(${oneOf(random, ['x', 'y'])}, ${expression(random, 'bool', depth - 1, names).replaceAll('self.d', 'x')})`,
        () => `(${inner('list')} == ${inner('list')})`,
        () => `bool(${oneOf(random, [inner('text'), inner('bool')])})`,
      ])();
    }
    case 'int':
      if (leaf) return oneOf(random, ['0', '1', '-7', '9223372036854775807', '-9223372036854775808', '3']);
      return oneOf(random, [
        () => `(${inner('int')} ${oneOf(random, ['+', '-', '*', '/', '%'])} ${inner('int')})`,
        () => `size(${oneOf(random, [inner('text'), inner('list'), self('o')])})`,
        () => `int(${oneOf(random, [inner('num'), inner('text'), inner('int'), inner('time')])})`,
        () => `(-(${inner('int')}))`,
        () =>
          `${inner('time')}.${oneOf(random, ['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'])}(${oneOf(random, ['', '', '"+05:30"', '"-23:59"'])})`,
        () => `${inner('span')}.${oneOf(random, ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'])}()`,
      ])();
    case 'num':
      if (leaf) return oneOf(random, ['0.5', '-1.5', '2.0', self('d', 'e'), `${self('l')}[${random(3)}]`, '1e3']);
      return oneOf(random, [
        () => `(${inner('num')} ${oneOf(random, ['+', '-', '*', '/'])} ${inner('num')})`,
        () => `double(${oneOf(random, [inner('int'), inner('text'), inner('num')])})`,
        () => `(${inner('bool')} ? ${inner('num')} : ${inner('num')})`,
      ])();
    case 'text':
      if (leaf) return oneOf(random, [self('s', 't'), `"${oneOf(random, TEXTS)}"`]);
      return oneOf(random, [
        () => `(${inner('text')} + ${inner('text')})`,
        () => `string(${oneOf(random, [inner('int'), inner('bool'), inner('text'), inner('time'), inner('span')])})`,
      ])();
    case 'list':
      if (leaf) return oneOf(random, [self('l'), '[]', '[1, 2, 3]', '[0.5, 2.0]']);
      return oneOf(random, [
        () => `(${inner('list')} + ${inner('list')})`,
        () => `[${inner('num')}, ${inner('num')}]`,
        () => `${inner('list')}.filter(x, ${inner('bool').replaceAll('self.e', 'x')})`,
        () => `${inner('list')}.map(x, ${inner('num').replaceAll('self.d', 'x')})`,
        () => `${inner('list')}.map(x, x != ${inner('num')}, x)`,
      ])();
    case 'time':
      if (leaf) return `timestamp(${oneOf(random, [self('w', 'v'), `"${oneOf(random, TIMES)}"`, '0', '1700000000'])})`;
      if (random(4) === 0) return `(${inner('span')} + ${inner('time')})`;
      return `(${inner('time')} ${oneOf(random, ['+', '-'])} ${inner('span')})`;
    default:
      if (leaf) return `duration(${oneOf(random, [`"${oneOf(random, DURATIONS)}"`, self('u')])})`;
      return oneOf(random, [
        () => `(${inner('span')} ${oneOf(random, ['+', '-'])} ${inner('span')})`,
        () => `(${inner('time')} - ${inner('time')})`,
      ])();
  }
}

function payload(random: Random): Record<string, unknown> {
  const number = (): number => oneOf(random, [0, 1, -1, 0.5, 2, 2.5, 1e21, -7.25, 1e-7]);
  const all = {
    ...{ b: random(2) === 0, d: number(), e: number(), s: oneOf(random, TEXTS), t: oneOf(random, TEXTS), n: null },
    ...{ o: { a: number(), b: 'b' }, l: Array.from({ length: random(4) }, number) },
    ...{ w: oneOf(random, TIMES), v: oneOf(random, TIMES), u: oneOf(random, DURATIONS) },
  };
  return Object.fromEntries(
    Object.entries(all)
      .filter(() => random(12) !== 0)
      .map(([name, value]) => [name, random(20) === 0 ? number() : value]),
  );
}

const steps = new StepCount();
const environment = celEnv({});

function ours(text: string): ((self: unknown) => boolean | 'failure') | null {
  try {
    const { evaluate } = expressionOf(text, null, { at: '', steps });
    return (self) => {
      steps.begin('random', 100_000);
      const value = evaluate(self);
      return value instanceof Failure ? 'failure' : value;
    };
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

function theirs(text: string): (self: unknown) => boolean | 'failure' {
  const run = plan(environment, parse(text));
  return (self) => {
    const value = run({ self: self as CelInput }); // plain JSON
    return typeof value === 'boolean' ? value : 'failure';
  };
}

it('gives what another implementation gives', () => {
  let compared = 0;
  let values = 0;
  for (let seed = 1; seed <= rounds(5000); seed++) {
    const random = randomFrom(seed);
    const text = expression(random, 'bool', 1 + random(4), ['self']);
    const run = ours(text);
    if (run === null) continue; // refused when it is read
    const other = theirs(text);
    for (let i = 0; i < 5; i++) {
      const self = payload(random);
      const found = run(self);
      const wanted = other(self);
      if (found !== wanted && DIFFERENT.some(([, applies]) => applies(text, wanted))) continue;
      expect([seed, text, JSON.stringify(self), found]).toEqual([seed, text, JSON.stringify(self), wanted]);
      compared++;
      if (found !== 'failure') values++;
    }
  }
  expect(compared).toBeGreaterThan(rounds(5000));
  expect(values).toBeGreaterThan(compared / 3);
});
