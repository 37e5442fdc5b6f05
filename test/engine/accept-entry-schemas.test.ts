/**
 * How accept tells the kinds apart, for entry schemas of many shapes. A payload is accepted as the kind that the entry
 * schema's tests give it, and as no other. A test that accept does not support makes it refuse that kind and those
 * after it.
 */
import { describe, expect, it } from 'vitest';
import { compareNotes } from '../../scripts/mutations/notes.ts';
import { Unsupported } from '../../src/keywords/keyword-code.ts';
import { loadFiles, tryFiles } from '../trial.ts';

/** Payloads around the members that the entry schemas below test. */
const PAYLOADS: readonly string[] = [
  ...['{}', '[]', '5', '"a"', 'true', 'null', '{"x":1}', '{"n":1}'],
  ...[
    '"a"',
    '"b"',
    '"c"',
    '"d"',
    '""',
    '5',
    '0',
    'true',
    'false',
    'null',
    '{}',
    '[]',
    '["a"]',
    '"\\u0061"',
    '"aa"',
  ].flatMap((value) => [
    `{"t":${value}}`,
    `{"u":${value}}`,
    `{"n":1,"t":${value}}`,
    `{"t":${value},"n":"x"}`,
    `{"t":${value},"x":1}`,
    ...['"a"', '"b"', '5', 'null'].map((other) => `{"u":${other},"t":${value}}`),
  ]),
  ...[
    '{"\\u0074":"a"}',
    '{"\\u0074":"b","n":1}',
    '{"t":"a","\\u0074":"b"}',
    '{"t":"a","t":"b"}',
    '{"t":"b","\\u0075":1}',
  ],
];

const has = (...required: string[]) => ({ type: 'object', required });
const is = (name: string, ...values: unknown[]) => ({
  ...has(name),
  properties: { [name]: values.length === 1 ? { const: values[0] } : { enum: values } },
});
const mayBe = (name: string, ...values: unknown[]) => ({
  type: 'object',
  properties: { [name]: values.length === 1 ? { const: values[0] } : { enum: values } },
});

const ANY_OBJECT = { type: 'object' };
const NUMBER_N = { type: 'object', properties: { n: { type: 'number' } } };
const TYPED = { type: 'object', properties: { t: { type: 'string' }, u: { enum: ['a', 'c', 5, null] } } };
const CLOSED = { type: 'object', properties: { t: {}, n: { type: 'number' } }, additionalProperties: false };
const NEEDS_T = { type: 'object', properties: { t: { enum: ['a', 'b', 'd', 5, true, null] } }, required: ['t'] };
const LONG_T = { type: 'object', properties: { t: { minLength: 2 } } };

/** A test and a schema for each kind, called k0, k1, … */
type EntrySchema = readonly (readonly [test: unknown, schema: unknown])[];

function filesOf(entry: EntrySchema): Record<string, unknown> {
  const chain = entry.reduceRight<unknown>(
    // biome-ignore lint/suspicious/noThenProperty: a keyword; nothing awaits this object
    (otherwise, [test], i) => ({ if: test, then: { title: `k${i}`, $ref: `k${i}.json` }, else: otherwise }),
    false,
  );
  const kinds = entry.map(([, schema], i) => [`k${i}.json`, schema] as const);
  return { 'entry.json': chain, ...Object.fromEntries(kinds) };
}

/** Each with the kinds that accept refuses. */
const ENTRY_SCHEMAS: readonly (readonly [about: string, entry: EntrySchema, refused: readonly string[]])[] = [
  ['one value', [[is('t', 'a'), ANY_OBJECT]], []],
  ['one value of a member without a type', [[is('t', 'a'), { type: 'object', properties: { t: {} } }]], []],
  ['one value of several', [[is('t', 'a', 'b'), NEEDS_T]], []],
  ['a value that the schema allows no more', [[is('t', 'c'), NEEDS_T]], []],
  ['a member that may be missing', [[mayBe('t', 'a'), ANY_OBJECT]], []],
  ['a member that may be missing, of many types', [[mayBe('t', 'a', 'd'), NUMBER_N]], []],
  ['a member that is there', [[has('t'), NUMBER_N]], []],
  ['two members that are there', [[has('t', 'u'), TYPED]], []],
  ['any object', [[ANY_OBJECT, {}]], ['k0']],
  ['any object, and the schema says so, too', [[ANY_OBJECT, NUMBER_N]], []],
  [
    'values, in order',
    [
      [is('t', 'a'), TYPED],
      [is('t', 'b'), NUMBER_N],
      [is('t', 'c'), CLOSED],
    ],
    [],
  ],
  [
    'values that overlap',
    [
      [is('t', 'a', 'b'), TYPED],
      [is('t', 'b', 'c'), CLOSED],
      [is('t', 'c', 'a'), NUMBER_N],
    ],
    [],
  ],
  [
    'a value, then its member',
    [
      [is('t', 'a'), TYPED],
      [has('t'), NUMBER_N],
    ],
    [],
  ],
  [
    'a value, then its member, of some length',
    [
      [is('t', 'a'), TYPED],
      [has('t'), LONG_T],
    ],
    [],
  ],
  [
    'a value, then another member',
    [
      [is('t', 'a'), TYPED],
      [has('u'), TYPED],
      [has('n'), CLOSED],
    ],
    [],
  ],
  [
    'a value, then a value that may be missing',
    [
      [is('t', 'a'), TYPED],
      [mayBe('t', 'a', 'b'), NUMBER_N],
    ],
    [],
  ],
  [
    'a value, then any object',
    [
      [is('t', 'a'), TYPED],
      [ANY_OBJECT, NUMBER_N],
    ],
    [],
  ],
  [
    'a member, then another',
    [
      [has('t'), TYPED],
      [has('n'), NUMBER_N],
      [has('u'), TYPED],
    ],
    [],
  ],
  [
    'a member, then any object',
    [
      [has('t'), TYPED],
      [ANY_OBJECT, NUMBER_N],
    ],
    [],
  ],
  [
    'two members, then one of them',
    [
      [has('t', 'u'), TYPED],
      [has('u'), TYPED],
    ],
    [],
  ],
  [
    'two members, then the other of them',
    [
      [has('t', 'u'), TYPED],
      [has('t'), TYPED],
    ],
    [],
  ],
  [
    'a member, then a value of it',
    [
      [has('t'), TYPED],
      [is('t', 'a'), TYPED],
    ],
    ['k1'],
  ],
  [
    'a value and a member',
    [
      [{ ...is('t', 'a'), required: ['t', 'n'] }, NUMBER_N],
      [has('t'), TYPED],
    ],
    [],
  ],
  [
    'a value of two members',
    [
      [{ ...has('t', 'u'), properties: { t: { const: 'a' }, u: { const: 'b' } } }, { type: 'object' }],
      [is('t', 'a'), NUMBER_N],
      [has('u'), TYPED],
    ],
    [],
  ],
  [
    'a member that may be missing, then another',
    [
      [mayBe('t', 'a'), TYPED],
      [has('u'), TYPED],
    ],
    ['k1'],
  ],
  [
    'any object, then a member',
    [
      [ANY_OBJECT, TYPED],
      [has('u'), TYPED],
    ],
    ['k1'],
  ],
  ['a schema that takes more than objects', [[is('t', 'a'), {}]], ['k0']],
  ['a schema of two types', [[is('t', 'a'), { type: ['object', 'null'] }]], ['k0']],
  ['a schema after a $ref', [[is('t', 'a'), { $ref: '#/$defs/x', $defs: { x: TYPED } }]], []],
  [
    'a schema that accept does not know',
    [
      [is('t', 'a'), { pattern: 'x' }],
      [is('t', 'b'), TYPED],
    ],
    ['k0'],
  ],
  [
    'a schema that nothing fits',
    [
      [is('t', 'a'), false],
      [has('t'), TYPED],
    ],
    ['k0'],
  ],
  ['no type in the test', [[{ required: ['t'] }, TYPED]], ['k0']],
  [
    'no type in the first test',
    [
      [{ required: ['t'] }, TYPED],
      [has('u'), TYPED],
    ],
    ['k0', 'k1'],
  ],
  [
    'a test of a number',
    [
      [is('t', 5), TYPED],
      [has('u'), TYPED],
    ],
    ['k0', 'k1'],
  ],
  ['a test of a text and a number', [[is('t', 'a', 5), TYPED]], ['k0']],
  [
    'a test that says more',
    [
      [{ ...has('t'), minProperties: 2 }, TYPED],
      [is('t', 'a'), TYPED],
    ],
    ['k0', 'k1'],
  ],
  ['a test of a length', [[{ ...has('t'), properties: { t: { minLength: 1 } } }, TYPED]], ['k0']],
  ['a test of enum and const', [[{ ...has('t'), properties: { t: { enum: ['a'], const: 'a' } } }, TYPED]], ['k0']],
  [
    'a test that is true',
    [
      [true, TYPED],
      [has('t'), TYPED],
    ],
    ['k0', 'k1'],
  ],
  [
    'a value that needs escapes',
    [
      [is('t', '"'), TYPED],
      [has('t'), TYPED],
    ],
    [],
  ],
  [
    'a name that needs escapes',
    [
      [has('"'), TYPED],
      [has('t'), TYPED],
    ],
    [],
  ],
];

/** Kinds of which accept does not accept every valid payload: it rules out more than it must. */
const PARTLY = new Map([
  ['a value and a member', 'k1'],
  ['a value of two members', 'k1'],
]);

describe.each(ENTRY_SCHEMAS)('an entry schema with %s', (about, entry, refused) => {
  it('leads to the kind that its tests give', async () => {
    const { accept, examine, reasons } = await tryFiles(filesOf(entry));
    expect([...reasons.keys()]).toEqual(refused);
    for (const payload of PAYLOADS) {
      const accepted = accept(payload);
      const truth = examine(payload);
      const sure = truth !== null && truth !== PARTLY.get(about) && !refused.includes(truth) && !payload.includes('\\');
      if (accepted !== null || sure) expect([payload, accepted]).toEqual([payload, truth]);
    }
  });
});

it.each(ENTRY_SCHEMAS.filter(([, , refused]) => refused.length === 0))(
  'violations are noted as the kind that the tests give, with %s',
  async (_, entry) => {
    const set = await loadFiles(filesOf(entry));
    const payloads = PAYLOADS.map((payload) => Buffer.from(payload));
    // What is not supported is not noted.
    const outcome = await compareNotes(set, payloads).catch((error: unknown) => {
      if (!(error instanceof Unsupported)) throw error;
      return { wrong: [] };
    });
    expect(outcome.wrong).toEqual([]);
  },
);

describe.each(ENTRY_SCHEMAS.filter(([, entry]) => entry.length === 3))(
  'with a given kind, an entry schema with %s',
  (_, entry) => {
    it.each(entry.map((__, i) => `k${i}`))('makes no difference: %s', async (givenKind) => {
      const { accept, examine } = await tryFiles(filesOf(entry), { givenKind });
      for (const payload of PAYLOADS) {
        const accepted = accept(payload);
        if (accepted !== null || !payload.includes('\\'))
          expect([payload, accepted]).toEqual([payload, examine(payload)]);
      }
    });
  },
);

it('a given kind is accepted without its test, and no other kind is', async () => {
  const files = filesOf([
    [is('t', 'a'), { type: 'object', required: ['n'] }],
    [has('u'), { type: ['object', 'number'] }],
  ]);
  const first = await tryFiles(files, { givenKind: 'k0' });
  const second = await tryFiles(files, { givenKind: 'k1' });
  expect(['{"n":1}', '{"t":"b","n":1}', '{"t":"a"}', '5'].map(first.accept)).toEqual(['k0', 'k0', null, null]);
  expect(['{}', '{"t":"a","n":1}', '5', '"x"'].map(second.accept)).toEqual(['k1', 'k1', 'k1', null]);
});

it('64 kinds are known, and the others have a reason', async () => {
  const entry: EntrySchema = Array.from({ length: 66 }, (_, i) => [is('t', `v${i}`), ANY_OBJECT]);
  const { accept, reasons } = await tryFiles(filesOf(entry));
  expect([...reasons]).toEqual([
    ['k64', 'too many kinds'],
    ['k65', 'too many kinds'],
  ]);
  const accepted = entry.map((_, i) => accept(`{"t":"v${i}"}`));
  expect(accepted).toEqual(entry.map((_, i) => (i < 64 ? `k${i}` : null)));
});
