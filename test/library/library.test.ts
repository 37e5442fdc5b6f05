/**
 * The library's guards, from source and as they are built: they agree with the fixtures, payload by payload, and hold for values that
 * no JSON text gives.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fastGlob from 'fast-glob';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ContentItem, Contract, Emoji, KindName, Payload } from '../../src/index.ts';
import * as source from '../../src/index.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { OWN_RULES } from '../../src/words/own-rules.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const KINDS: readonly KindName[] = ['content', 'contract', 'emoji'];
/** What `npm run build` made, which has the same exports. */
const built: typeof source = await import(String(new URL('../../dist/index.js', import.meta.url)));

describe.each([
  ['from source', source],
  ['as built', built],
])('%s', (_, { isContentItem, isContract, isEmoji, isPayload, kindOf }) => {
  const GUARDS: Readonly<Record<KindName, (value: unknown) => boolean>> = {
    content: isContentItem,
    contract: isContract,
    emoji: isEmoji,
  };

  describe('the guards agree with the fixtures', () => {
    for (const kind of KINDS) {
      it(`valid ${kind}`, () => {
        const payloads = payloadsIn(`${kind}/valid/*`);
        expect(payloads.filter(({ value }) => kindOf(value) === kind).length).toBeGreaterThan(7);
        for (const { where, value } of payloads) {
          const passed = KINDS.filter((name) => GUARDS[name](value));
          expect([where, isPayload(value), passed]).toEqual([where, true, [kindOf(value)]]);
        }
      });

      it(`invalid ${kind}`, () => {
        let invalid = 0;
        for (const { where, value, violations } of payloadsIn(`${kind}/invalid/*`)) {
          const valid = violations.length === 0;
          if (!valid) invalid++;
          expect([where, GUARDS[kind](value), isPayload(value)]).toEqual([where, valid, valid]);
        }
        expect(invalid).toBeGreaterThan(20);
      });

      it(`${kind}, whatever detection says`, () => {
        const payloads = payloadsIn(`${kind}/forced/{valid,invalid}/*`);
        expect(payloads.length).toBeGreaterThan(3);
        for (const { where, value, violations } of payloads) {
          expect([where, GUARDS[kind](value)]).toEqual([where, violations.length === 0]);
        }
      });
    }

    it('payloads of no kind, and of another', () => {
      const payloads = payloadsIn('detection/invalid/*');
      expect(payloads.length).toBeGreaterThan(20);
      for (const { where, value, violations } of payloads) {
        const unknown = violations.includes('unknown-kind');
        expect([where, isPayload(value), kindOf(value) === null]).toEqual([where, violations.length === 0, unknown]);
      }
    });
  });

  describe('values that no JSON text gives', () => {
    const emoji = { '@context': 'c', '@type': 'Emoji', emoji: '👍' };

    it('takes a member that is undefined for one that is missing', () => {
      expect(isEmoji({ ...emoji, reason: undefined })).toBe(true);
      expect(isEmoji({ ...emoji, emoji: undefined })).toBe(false);
    });

    it('sees own members only', () => {
      expect(isEmoji(Object.create(emoji))).toBe(false);
      expect(kindOf(Object.create(emoji))).toBe(null);
    });

    it('knows no NaN and no Infinity', () => {
      const [contract] = payloadsIn('contract/valid/full.json');
      const withAge = (maxAge: number): unknown => {
        const copy = structuredClone(contract!.value) as { coverage: { maxAge: number; minAge: number } }; // a contract
        copy.coverage.maxAge = maxAge;
        copy.coverage.minAge = maxAge;
        return copy;
      };
      expect([99, Number.NaN, Number.POSITIVE_INFINITY].map((age) => isContract(withAge(age)))).toEqual([
        true,
        false,
        false,
      ]);
      const minAgeOnly = withAge(99) as { coverage: { minAge: number } }; // a contract; minAge has no upper bound
      minAgeOnly.coverage.minAge = Number.POSITIVE_INFINITY;
      expect(isContract(minAgeOnly)).toBe(false);
    });

    it('refuses everything that is no object', () => {
      for (const value of [undefined, null, true, 1, 1n, 'x', Symbol('x'), [], [emoji], () => emoji, new Date()]) {
        expect(isPayload(value) || KINDS.some((kind) => GUARDS[kind](value))).toBe(false);
        expect(kindOf(value)).toBe(null);
      }
    });
  });

  it.each(['Article', 'Comment', 'Contract'])('knows no valid emoji payload whose @type is %s', (type) => {
    const value = { '@context': 'c', '@type': type, emoji: '👍' };
    const kind = type === 'Contract' ? 'contract' : 'content';
    expect([isEmoji(value), kindOf(value), isPayload(value)]).toEqual([true, kind, false]);
  });
});

it('is built with the same exports', () => {
  expect(Object.keys(built)).toEqual(Object.keys(source));
});

it('knows the kinds of the bundled entry schema', () => {
  const names = loadSchemas(bundledSchema(ENTRY_SCHEMA)).kinds.map(({ name }) => name);
  expect(names, 'KindName and the guards of src/library/guards.ts are of all kinds').toEqual(KINDS);
});

it('narrows', () => {
  const { isContentItem, isContract, isEmoji, isPayload } = source;
  const value: unknown = null;
  if (isContentItem(value)) expectTypeOf(value).toEqualTypeOf<ContentItem>();
  if (isContract(value)) expectTypeOf(value).toEqualTypeOf<Contract>();
  if (isEmoji(value)) expectTypeOf(value).toEqualTypeOf<Emoji>();
  if (isPayload(value)) expectTypeOf(value).toEqualTypeOf<Payload>();
});

interface Judged {
  /** File and index, for messages. */
  readonly where: string;
  readonly value: unknown;
  /** The rules that it breaks. */
  readonly violations: readonly string[];
}

/**
 * The payloads of the fixtures that match, as values. Left out: those in which only the text is at fault, and texts that
 * are not JSON.
 */
function payloadsIn(glob: string): Judged[] {
  const files = fastGlob.sync(glob, { cwd: FIXTURES, ignore: ['**/*.expected'] }).sort();
  return files.flatMap((file) => {
    const expected = expectationsOf(file);
    return valuesIn(file).flatMap((value, index): Judged[] => {
      const violations = expected.filter(({ payload }) => payload === index).map(({ rule }) => rule);
      const textAtFault = violations.some((rule) => rule !== 'unknown-kind' && TEXT_RULES.includes(rule));
      if (value === undefined || textAtFault) return [];
      return [{ where: `${file} ${index}`, value, violations }];
    });
  });
}

const TEXT_RULES: readonly string[] = Object.keys(OWN_RULES);

function expectationsOf(file: string): { payload: number; rule: string }[] {
  if (!file.includes('invalid/')) return [];
  return JSON.parse(readFileSync(join(FIXTURES, `${file}.expected`), 'utf8')); // a shape that fixtures.test.ts holds
}

/** In their order; undefined where the text is not JSON. */
function valuesIn(file: string): unknown[] {
  const raw = readFileSync(join(FIXTURES, file));
  const text = (file.endsWith('.gz') ? gunzipSync(raw) : raw).toString('utf8').replace(/^\uFEFF/, '');
  if (!/\.json(\.gz)?$/.test(file)) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map(parsed);
  }
  const value = parsed(text);
  return Array.isArray(value) ? value : [value];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
