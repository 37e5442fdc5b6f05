/**
 * Values are judged as JSON.stringify writes them, whatever they are; and `fill` gives the same result from the first text on, whichever engine has filled it,
 * in every field.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutate, seeded } from '../scripts/mutations/mutate.ts';
import { fixturePayloads } from '../scripts/mutations/payloads.ts';
import * as source from '../src/index.ts';
import { rounds, times } from './rounds.ts';

const built: typeof source = await import(String(new URL('../dist/index.js', import.meta.url)));

const payloads = fixturePayloads(join(import.meta.dirname, '../fixtures')).map(({ bytes }) => bytes);
const emoji = { '@context': 'c', '@type': 'Emoji', emoji: '👍' };
const NOWHERE = { line: null, column: null, endLine: null, endColumn: null, offset: null, file: '<value>' };

/** What `validateValue` must say. */
function expected(paylint: source.Paylint, value: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(value) as string | undefined;
  } catch {
    return { valid: false, kind: null, violations: [], failure: expect.any(String) };
  }
  if (json === undefined) return { valid: false, kind: null, violations: [], failure: expect.any(String) };
  const { violations, ...verdict } = paylint.validate(json);
  return { ...verdict, violations: violations.map((violation) => ({ ...violation, ...NOWHERE })) };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function fixture(name: string): unknown {
  return parsed(readFileSync(join(import.meta.dirname, '../fixtures', name)));
}

class Named {
  readonly emoji = '👍';
  readonly '@type' = 'Emoji';
  readonly '@context' = 'c';
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { value };
  return value;
}

function circle(): unknown {
  const value: Record<string, unknown> = { ...content };
  value.more = { value };
  return value;
}

/** A proxy of an emoji payload that throws in the places of `thrown`. */
function throwing(thrown: Readonly<Partial<Record<keyof ProxyHandler<object>, () => unknown>>>): unknown {
  const traps = Object.entries(thrown).map(([name, error]) => [
    name,
    () => {
      throw error();
    },
  ]);
  return new Proxy({ ...emoji }, Object.fromEntries(traps));
}

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const content = fixture('content/valid/full.json') as Record<string, unknown>;
const application = content.application as object;

const VALUES: readonly (readonly [string, unknown])[] = [
  ...[undefined, null, true, 1, Number.NaN, 1n, 'x', Symbol('x'), () => emoji, [], [emoji], new Date(0)].map(
    (value) => [String(typeof value === 'symbol' ? 'symbol' : value), value] as const,
  ),
  ['a member that is undefined', { ...emoji, reason: undefined }],
  ['an unknown one that is undefined', { ...emoji, reson: undefined }],
  ['a required one that is undefined', { ...emoji, emoji: undefined }],
  ['a function', { ...emoji, reason: () => 'x' }],
  ['a symbol', { ...emoji, reason: Symbol('x') }],
  ['a name that is a symbol', { ...emoji, [Symbol('x')]: 1 }],
  ['a String object', { ...emoji, reason: new String('x') }],
  ['a class', new Named()],
  ['no prototype', Object.assign(Object.create(null) as object, emoji)],
  ['inherited members', Object.create(emoji)],
  ['hidden members', Object.defineProperty({ ...emoji }, 'emoji', { enumerable: false })],
  [
    'hidden ones inside',
    { ...content, application: Object.defineProperty({ ...application }, '@id', { enumerable: false }) },
  ],
  [
    'a getter',
    {
      ...emoji,
      get emoji() {
        return '👍';
      },
    },
  ],
  ['toJSON', { ...emoji, toJSON: () => ({ emoji: 1 }) }],
  ['toJSON that is a member', { ...content, toJSON: 'x' }],
  ['toJSON inside', { ...content, application: { ...application, toJSON: () => 1 } }],
  ['toJSON of what no schema knows', { ...content, more: { toJSON: () => 1 } }],
  [
    'toJSON that throws',
    {
      ...content,
      more: {
        toJSON() {
          throw new Error('no');
        },
      },
    },
  ],
  ['a date inside', { ...content, more: [new Date(0)] }],
  ['a map inside', { ...content, more: new Map([[1, 2]]) }],
  ['a bigint inside', { ...content, more: [1n] }],
  ['NaN inside', { ...content, more: [Number.NaN, Number.POSITIVE_INFINITY, -0] }],
  ['NaN', { ...content, minAge: Number.NaN }],
  ['-0', { ...content, minAge: -0 }],
  ['1e21', { ...content, maxAge: 1e21 }],
  ['a list with holes', { ...content, more: new Array(2) }],
  ['half a character', { ...content, content: '\ud83d' }],
  ['half a character inside', { ...content, more: ['\ud83d'] }],
  ['a circle', circle()],
  ...[98, 99, 100, 999, 1000, 1001, 20_000].map(
    (levels) => [`${levels} levels`, { ...content, more: nested(levels) }] as const,
  ),
  ['a getter that throws', throwing({ get: () => 'no' })],
  ['a getter that throws inside', { ...content, application: throwing({ get: () => 'no' }) }],
  ['names that throw', throwing({ ownKeys: () => 'no' })],
  ['a test of a name that throws', throwing({ has: () => 'no' })],
  ['a prototype that throws', throwing({ getPrototypeOf: () => null })],
  [
    'a description that throws',
    throwing({ get: () => throwing({ getOwnPropertyDescriptor: () => 'no', get: () => 'no' }) }),
  ],
  ['an error without words', throwing({ get: () => Object.create(null) })],
  [
    'an error whose words throw',
    throwing({
      get: () =>
        Object.defineProperty(new Error('x'), 'message', {
          get: () => {
            throw new Error('no');
          },
        }),
    }),
  ],
  ['a proxy that was revoked', revoked({})],
  ['a list that was revoked, inside', { ...content, more: revoked([]) }],
  ['__proto__', JSON.parse('{"@context":"c","@type":"e","emoji":"x","__proto__":1}')],
  ['constructor', { ...emoji, constructor: 'x' }],
];

describe.each([
  ['from source', source],
  ['as built', built],
])('%s', (_, { openPaylint, isContract, isEmoji, isContentItem, isPayload }) => {
  describe('validateValue', () => {
    it.each([
      {},
      { kind: 'emoji' },
      { kind: 'content', maxDepth: 5 },
      { maxPayloadBytes: 500 },
      { redact: true },
    ])('of any value, %j', async (options) => {
      const paylint = await openPaylint(options);
      for (const [name, value] of VALUES)
        expect([name, paylint.validateValue(value)]).toEqual([name, expected(paylint, value)]);
    });

    it('of every fixture and mutations of them', async () => {
      const paylint = await openPaylint();
      const random = seeded(29);
      const mutations = Array.from({ length: rounds(5000) }, () =>
        mutate(payloads[random(payloads.length)]!, random),
      );
      for (const bytes of [...payloads, ...mutations]) {
        const value = parsed(bytes);
        expect(paylint.validateValue(value)).toEqual(expected(paylint, value));
      }
    });

    it('if every object has a member of that name', async () => {
      const paylint = await openPaylint();
      const { reason: __, ...rest } = { ...emoji, reason: 1 };
      const world = Object.prototype as unknown as Record<string, unknown>;
      Object.defineProperty(world, 'emoji', {
        value: '👍',
        configurable: true,
        writable: true,
        enumerable: false,
      });
      try {
        const { emoji: ___, ...without } = rest;
        expect([isEmoji(rest), isEmoji(without), isContentItem(content)]).toEqual([true, false, true]);
        expect(paylint.validateValue({ ...rest }).valid).toBe(true);
        expect(paylint.validateValue(without).valid).toBe(false);
      } finally {
        delete world.emoji;
      }
    });
  });

  describe('guards', () => {
    it('read a hole in a list as undefined', async () => {
      const contract = fixture('contract/valid/full.json') as { readonly coverage: object };
      const paylint = await openPaylint();
      const place = { name: 'x' };
      const lists = [new Array(1), Object.assign([place], { 2: place }), [place, undefined], [place], []];
      for (const [i, subLocation] of lists.entries()) {
        const value = { ...contract, coverage: { ...contract.coverage, subLocation } };
        const isValid = i > 2;
        expect([isContract(value), isPayload(value), paylint.validateValue(value).valid]).toEqual([
          isValid,
          isValid,
          isValid,
        ]);
      }
    });

    it('count code points, where it matters', () => {
      const contract = fixture('contract/valid/full.json');
      for (const startDate of [
        '2024-01-01T00:00:00Z',
        '😀'.repeat(20),
        '😀'.repeat(10),
        `${'😀'.repeat(19)}\ud83d`,
        'x'.repeat(21),
      ])
        expect([startDate, built.isContract({ ...(contract as object), startDate })]).toEqual([
          startDate,
          source.isContract({ ...(contract as object), startDate }),
        ]);
    });
  });

  describe('fill', () => {
    const spaced = payloads.flatMap((bytes, i) => {
      if (i % times(1, 4) !== 0) return [];
      const value = parsed(bytes);
      if (typeof value !== 'object' || value === null) return [bytes.toString()];
      const pretty = JSON.stringify(value, null, 2);
      return [
        bytes.toString(),
        pretty,
        pretty.replaceAll('\n', '\r\n'),
        JSON.stringify(value, null, '\t'),
        `\uFEFF ${pretty}\n`,
      ];
    });

    it.each([{ deep: false }, { deep: true }])('of every fixture, %j', async (options) => {
      const warm = await openPaylint();
      for (let i = 0; i < 200; i++) warm.fill('{}', options);
      let cold = await openPaylint();
      let filled = 0;
      for (const [i, text] of spaced.entries()) {
        // Before code is made for them, texts are filled by examine.
        if (i % 40 === 0) cold = await openPaylint();
        const wanted = cold.fill(text, options);
        expect(warm.fill(text, options)).toEqual(wanted);
        const bytes = Buffer.from(text);
        const ofBytes = cold.fill(bytes, options);
        const result = warm.fill(bytes, options);
        expect(Buffer.from(result.text)).toEqual(Buffer.from(ofBytes.text));
        bytes.fill(0);
        warm.fill('{}', options);
        expect([result.fills, result.edits, result.valid]).toEqual([
          ofBytes.fills,
          ofBytes.edits,
          ofBytes.valid,
        ]);
        if (wanted.fills.length > 0) filled++;
      }
      expect(filled).toBeGreaterThan(20);
    });

    it('has results that are plain objects', async () => {
      const paylint = await openPaylint();
      for (let i = 0; i < 200; i++) paylint.fill('{}');
      const text = '{"@type":"Contract","name":"x","startDate":"2024-01-01T00:00:00Z"}';
      const keys = ['text', 'fills', 'edits', 'valid', 'kind', 'violations'];
      expect(Object.keys(paylint.fill(text))).toEqual(keys);
      expect(Object.keys(paylint.fill(JSON.stringify(content)))).toEqual(keys);
      const { '@type': __, ...without } = application as Record<string, unknown>;
      const result = paylint.fill(JSON.stringify({ ...content, application: without }));
      expect(Object.keys(result)).toEqual(keys);
      expect(JSON.parse(JSON.stringify(result))).toEqual({ ...result });
      expect(structuredClone(result)).toEqual(result);
      expect([result.valid, result.fills.length, result.edits.length]).toEqual([true, 1, 1]);
    });
  });
});
