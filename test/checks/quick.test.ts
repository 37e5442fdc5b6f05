/**
 * The quick evaluator of checks says the same as the library, wherever it says something: random expressions over random values.
 */
import { describe, expect, it } from 'vitest';
import { CelExpression, StepCount } from '../../src/checks/expression.ts';
import { Shape } from '../../src/checks/shape.ts';
import { toCel } from '../../src/checks/values.ts';
import { exactValue } from '../../src/json/decimal.ts';
import { rounds } from '../rounds.ts';
import { loadFiles } from '../trial.ts';

/** Numbers from a seed, so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const one = <T>(random: (below: number) => number, from: readonly T[]): T => from[random(from.length)]!;

const MEMBERS = ['i', 'j', 'd', 'e', 's', 't', 'b', 'o', 'l', 'n', 'x', '__proto__', 'toString', 'length'];
const VALUES = [
  ...[
    '0',
    '1',
    '-1',
    '7',
    '5.0',
    '1e2',
    '-0',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '1e30',
  ],
  ...['0.5', '0.1', '0.30000000000000004', '0.3', '5.00000000000000000001', '1e-400', '1e308'],
  ...[
    '""',
    '"a"',
    '"b"',
    '"ab"',
    '"é"',
    '"\\ud83d\\ude00"',
    '"\\uffff"',
    '"2026-01-01T00:00:00Z"',
    '"2026-01-01T01:00:00+01:00"',
  ],
  ...[
    '"2026-02-30T00:00:00Z"',
    '"2026-13-01T00:00:00Z"',
    'true',
    'false',
    'null',
    '[]',
    '[1,2]',
    '["a"]',
    '{}',
    '{"i":1,"s":"a"}',
  ],
];
const LITERALS = [
  '0',
  '1',
  '7',
  '0.5',
  '1.0',
  '0.3',
  "''",
  "'a'",
  "'ab'",
  'true',
  'false',
  'null',
  "'2026-01-01T00:00:00Z'",
];

function expressionFrom(random: (below: number) => number, depth: number): string {
  const inner = (): string => expressionFrom(random, depth - 1);
  const member = (): string => one(random, [`.${one(random, MEMBERS)}`, `['${one(random, MEMBERS)}']`]);
  if (depth === 0)
    return one(random, [one(random, LITERALS), `self${member()}`, `self${member()}`, `self.o${member()}`]);
  return one(random, [
    () => `(${inner()} ${one(random, ['<', '<=', '>', '>=', '==', '!='])} ${inner()})`,
    () => `(${inner()} ${one(random, ['+', '-', '*', '/', '%'])} ${inner()})`,
    () => `(${inner()} ${one(random, ['&&', '||'])} ${inner()})`,
    () => `!(${inner()})`,
    () => `(${inner()} ? ${inner()} : ${inner()})`,
    () => `has(self${one(random, ['', '.o', '.s', '.x'])}.${one(random, MEMBERS)})`,
    () => `size(${inner()})`,
    () => `timestamp(${inner()})`,
    () => `${inner()}.${one(random, ['contains', 'startsWith', 'endsWith'])}(${inner()})`,
    () => `self.s.matches('^a+$')`,
    () => `(${inner()} in self.l)`,
    inner,
  ])();
}

/** Null: it is no expression. */
function parsed(text: string, steps: StepCount): CelExpression | null {
  try {
    return new CelExpression(text, '', steps);
  } catch {
    return null;
  }
}

describe('the quick evaluator', () => {
  it('says what the library says', async () => {
    const { kinds } = await loadFiles({
      'it.json': {
        properties: {
          ...Object.fromEntries(['i', 'j'].map((name) => [name, { type: 'integer' }])),
          o: { properties: { i: { type: 'integer' }, d: { type: 'number' } } },
        },
      },
    });
    const shape = Shape.of([kinds[0]!.schema]);
    const steps = new StepCount();
    const random = randomFrom(7);
    const counts = { certain: 0, all: 0 };
    for (let round = 0; round < rounds(4000); round++) {
      const text = expressionFrom(random, 1 + random(3));
      const expression = parsed(text, steps);
      const quick = expression?.quickTester(shape) ?? null;
      if (expression === null) continue;
      for (let i = 0; i < 12; i++) {
        const members = MEMBERS.filter(() => random(4) > 0).map((name) => `"${name}":${one(random, VALUES)}`);
        const json = `{${members.join(',')}}`;
        const answer = quick?.(JSON.parse(json));
        counts.all++;
        if (answer === undefined) continue;
        counts.certain++;
        steps.begin(json.length);
        const said = expression.evaluate(toCel(exactValue(json), shape), 'id', false);
        if (said !== answer) expect({ text, json, said }).toEqual({ text, json, said: answer });
      }
    }
    expect(counts.certain).toBeGreaterThan(counts.all / 20);
  });

  it('says what the library says of a number that is the value itself', async () => {
    const { kinds } = await loadFiles({ 'it.json': { type: 'integer' } });
    const shape = Shape.of([kinds[0]!.schema]);
    const steps = new StepCount();
    let certain = 0;
    for (const text of ['self > 0 || self <= 0', 'self + 1 > 0', 'self * 2 != self', 'self - 1 < self', '!(self == 7)'])
      for (const json of VALUES.filter((value) => /^-?[0-9]/.test(value))) {
        const expression = new CelExpression(text, '', steps);
        const answer = expression.quickTester(shape)?.(JSON.parse(json));
        steps.begin(json.length);
        const said = expression.evaluate(toCel(exactValue(json), shape), 'id', false);
        if (answer !== undefined) expect({ text, json, said }).toEqual({ text, json, said: answer });
        certain += Number(answer !== undefined);
        if (json === '9223372036854775808') expect(said).toEqual({ why: 'an integer is beyond int64', hint: null });
      }
    expect(certain).toBeGreaterThan(20);
  });

  it('leaves what takes too many steps to the library', () => {
    const steps = new StepCount();
    const quick = new CelExpression("self.s.matches('^a+$')", '', steps).quickTester(null);
    steps.begin(0);
    expect(quick?.({ s: 'a' })).toBe(true);
    expect(quick?.({ s: 'a'.repeat(10_000_000) })).toBeUndefined();
  });
});
