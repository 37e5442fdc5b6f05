/**
 * The conformance data of CEL itself: each case gives its value, or is refused when it is read because checks do not have that part
 * of CEL, or is one of the few in which numbers count as they are written.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tests as all } from '@bufbuild/cel-spec/testdata/conformance.js';
import { expect, it } from 'vitest';
import { ExpressionCompiler } from '../../src/checks/evaluate.ts';
import { parse } from '../../src/checks/expression.ts';
import { Failure, StepCount } from '../../src/checks/failure.ts';
import { durationOf, timestampOf } from '../../src/checks/time.ts';
import { equal, typeOf } from '../../src/checks/values.ts';
import { UsageError } from '../../src/errors.ts';

const steps = new StepCount();

/** What checks do not have, by the message of a refusal, or by the suite of the case. */
const OUT: readonly (readonly [reason: string, RegExp])[] = [
  ['extensions', /^(?:bindings_ext|block_ext|encoders_ext|macros2|math_ext|string_ext|optionals|proto2_ext)\b/],
  [
    'messages and enums',
    /^(?:enums|dynamic|wrappers|proto2|proto3)\b|'\{'|LBRACE|objectValue|enumValue|google\.protobuf/,
  ],
  ['uint', /unsigned integers|uint/],
  ['bytes', /bytes/],
  [
    'type',
    /type_comparison$|have no type|typeValue|there is no variable "(?:int|string|bool|double|list|map|null_type)"/,
  ],
  ['optionals', /optional|orValue/],
  [
    'names of containers, and quoted names',
    /^(?:namespace|fields\/(?:quoted|qualified))|there is no variable ".*"; there is \S+\.|Unexpected (?:token: DOT|character: `)/,
  ],
  ['time zones with a name', /those with a name are not known/],
  [
    'functions and variables that are declared by the program',
    /^(?:basic\/functions|basic\/variables\/unbound|parse\/receiver_function_names)/,
  ],
  ['types that are only deduced', /^type_deductions/],
  ['a form feed between words', /Unexpected character: \\u000c/],
];

/** Cases that differ, because numbers are compared as they are written: CEL compares the nearest doubles. */
const DIFFERENT: readonly string[] = [
  'comparisons/lt_literal/not_lt_dyn_int_big_lossy_double',
  'comparisons/lt_literal/not_lt_dyn_small_double_int',
  'comparisons/gt_literal/not_gt_dyn_int_small_lossy_double',
  'comparisons/gt_literal/not_gt_dyn_big_double_int',
  'comparisons/lte_literal/lte_dyn_int_small_lossy_double',
  'comparisons/lte_literal/lte_dyn_big_double_int',
  'comparisons/gte_literal/gte_dyn_int_big_lossy_double',
  'comparisons/gte_literal/gte_dyn_small_double_int',
  'conversions/int/double_int_max_range',
  'conversions/int/double_int_min_range',
];

type Json = Readonly<Record<string, unknown>>;

interface Case {
  readonly name: string;
  readonly expr: string;
  readonly bindings: Readonly<Record<string, { readonly value: Json }>>;
  /** Null: an evaluation that fails. */
  readonly value: Json | null;
}

/** A suite as the package has it. */
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: Json & { readonly name: string; readonly expr: string } }[];
}

function casesOf({ suites = [], tests = [] }: Suite, path: string): Case[] {
  const own = tests.map(({ original }) => {
    const { name, expr, bindings = {}, value, typedResult, evalError, unknown } = original;
    const result = (typedResult as { readonly result?: Json } | undefined)?.result;
    const expected = evalError !== undefined || unknown !== undefined ? null : (value ?? result ?? { boolValue: true });
    return { name: `${path}/${name}`, expr, bindings, value: expected } as Case;
  });
  return [...suites.flatMap((one) => casesOf(one, path === '' ? one.name : `${path}/${one.name}`)), ...own];
}

/** The value of CEL's own JSON form. Throws an Error for one of a type that checks do not have. */
function valueIn(json: Json): unknown {
  const [[type, value] = ['', null]] = Object.entries(json);
  const inner = value as {
    readonly values?: Json[];
    readonly entries?: { key: Json; value: Json }[];
    '@type'?: string;
    value?: string;
  };
  if (type === 'int64Value') return BigInt(value as string);
  if (type === 'doubleValue') return Number(value);
  if (['stringValue', 'boolValue', 'nullValue'].includes(type)) return type === 'nullValue' ? null : value;
  if (type === 'listValue') return (inner.values ?? []).map(valueIn);
  if (type === 'mapValue') return new Map((inner.entries ?? []).map((one) => [valueIn(one.key), valueIn(one.value)]));
  if (inner?.['@type']?.endsWith('google.protobuf.Timestamp')) return timestampOf(inner.value!, steps);
  if (inner?.['@type']?.endsWith('google.protobuf.Duration')) return durationOf(inner.value!, steps);
  throw new UsageError(type === '' ? 'objectValue' : type);
}

/** Why checks do not have it; null: it gives its value. Throws an Error if it gives another one. */
function outcome({ name, expr, bindings, value }: Case): string | null {
  const reasonFor = (text: string): string | undefined => OUT.find(([, pattern]) => pattern.test(text))?.[0];
  let read: () => unknown;
  let wanted: unknown;
  try {
    const values = Object.values(bindings).map((one) => valueIn(one.value));
    wanted = value === null ? null : valueIn(value);
    const variables = new Map(Object.keys(bindings).map((one) => [one, null]));
    const compiled = new ExpressionCompiler(variables, { at: '', steps }).value(parse(expr, ''));
    read = () => compiled.read([...values]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const reason = reasonFor(name) ?? reasonFor(error.message);
    if (reason !== undefined) return reason;
    if (value === null || OF_TYPES.test(error.message)) return null;
    throw error;
  }
  const found = read();
  if (value === null ? found instanceof Failure : areSame(found, wanted)) return null;
  if (DIFFERENT.includes(name)) return 'numbers as they are written';
  if (reasonFor(name) !== undefined) return reasonFor(name)!;
  throw new Error(`found ${found instanceof Failure ? found.why : String(found)}`);
}

/** The types of an operation are wrong, which CEL would not notice when it is evaluated. */
const OF_TYPES = /^there is no (?:&&|\|\|) for \w+$/;

function areSame(a: unknown, b: unknown): boolean {
  return a instanceof Failure ? false : Object.is(a, b) || (typeOf(a) === typeOf(b) && equal(a, b, steps));
}

it('each case of the conformance data gives its value, or is refused for a reason', () => {
  steps.begin('conformance', 1e6);
  const cases = casesOf(all as unknown as Suite, '');
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  for (const one of cases) {
    try {
      const reason = outcome(one) ?? 'its value';
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    } catch (error) {
      wrong.push(`${one.name}: ${one.expr}: ${(error as Error).message}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(cases.length).toBe(2344);
  const docs = readFileSync(join(import.meta.dirname, '../../docs/internals/suites.md'), 'utf8');
  const shown = [...docs.matchAll(/^\| ([\w ,]+) \| (\d+) \|$/gm)].map(
    ([, reason, count]) => [reason!, Number(count)] as const,
  );
  expect([...counts].sort()).toEqual([...shown].sort());
  expect(counts.get('its value')).toBeGreaterThanOrEqual(700);
});
