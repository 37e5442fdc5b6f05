/**
 * What the library says of one text is what examine says of it, in every field: whichever engine has judged it, however the text is given, and whenever its
 * violations are read.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { mutate, seeded } from '../../scripts/mutations/mutate.ts';
import { fixturePayloads } from '../../scripts/mutations/payloads.ts';
import { createExaminer } from '../../src/engine/examiner.ts';
import * as source from '../../src/index.ts';
import { examineText, oneText, verdictOf } from '../../src/library/one-text.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { NO_DEFAULTS } from '../../src/repair/wanted-defaults.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { rounds } from '../rounds.ts';

const built: typeof source = await import(String(new URL('../../dist/index.js', import.meta.url)));

const payloads = fixturePayloads(join(import.meta.dirname, '../../fixtures')).map(({ bytes }) => bytes);
const LIMITS = { maxBytes: 64 << 20, maxDepth: 1000, redact: false };

/** The verdict of examine alone, with all its violations made. */
async function examining(
  schema = bundledSchema(ENTRY_SCHEMA),
  limits: Partial<typeof LIMITS> & { kind?: string } = {},
): Promise<(input: string | Uint8Array) => source.Verdict> {
  const { kind = null, ...others } = limits;
  const all = { ...LIMITS, ...others };
  const examiner = await createExaminer({ set: loadSchemas(schema), defaults: NO_DEFAULTS }, all);
  return (input) => {
    const text = oneText(input);
    return verdictOf(text, examineText(text, examiner, kind, all), { rules: {} });
  };
}

const EMOJI = '{"@context":"c","@type":"Emoji","emoji":"👍"}';
const WRONG = '{"@context":"c","@type":"Emoji","emoji":1,"reson":""}';

/** Texts in which something else than the schema matters. */
const TEXTS: readonly string[] = [
  ...['', ' ', '\n\t ', '\uFEFF', '\uFEFF{}', `\uFEFF \n${EMOJI}\n`, `${EMOJI}\0`, `\0${EMOJI}`, '\uFEFF\uFEFF{}'],
  ...[`  ${WRONG}\r\n`, `\uFEFF${WRONG}`, `${EMOJI}${EMOJI}`, `[${EMOJI}]`, '[]', 'null', '"👍"', '1', 'x', '{'],
  ...['\ud83d', '\udc4d', '"\ud83d"', '"\udc4d\ud83d"', EMOJI.replace('👍', '\ud83d'), `${EMOJI}\ud83d`],
  ...[EMOJI.replace('👍', '\\ud83d'), EMOJI.replace('👍', '\\u0000'), EMOJI.replace('👍', '\u0000')],
  ...['é', '߿', 'ࠀ', '\uffff', '𐀀', '\u{10ffff}', '\u007f\u0080'].map((text) => EMOJI.replace('👍', text)),
  ...['é', 'ࠀ', '𐀀'].map((text) => WRONG.replace('"c"', JSON.stringify(text.repeat(100)))),
  // Each length up to a few steps of what reads sixteen characters at once, with one beyond ASCII at each place.
  ...Array.from({ length: 70 }, (_, i) => EMOJI.replace('"c"', `"${'x'.repeat(i)}é${'y'.repeat(70 - i)}😀"`)),
  ...Array.from({ length: 70 }, (_, i) => EMOJI.replace('"c"', `"${'x'.repeat(i)}"`)),
  EMOJI.replace('"c"', `"${'é'.repeat(1 << 20)}"`),
  WRONG.replace('"c"', `"${'x'.repeat(2 << 20)}"`),
  WRONG.replace('"c"', `"${'x'.repeat(9 << 20)}"`),
  `${' '.repeat(2 << 20)}${EMOJI}`,
  `${'['.repeat(1001)}${']'.repeat(1001)}`,
  EMOJI.replace('"c"', `${'['.repeat(200)}${']'.repeat(200)}`),
  EMOJI.replace('"emoji"', '"emoji":"a","emoji"'),
  EMOJI.replace('"👍"', '1e400'),
];

/** Bytes that are no text in UTF-8. */
const BYTES: readonly Uint8Array[] = [
  new Uint8Array(0),
  ...[[0xff], [0xc3], [0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]].map(
    (bytes) => new Uint8Array(bytes),
  ),
  ...(['utf16le', 'latin1'] as const).map((encoding) => Buffer.from(EMOJI.replace('👍', 'é'), encoding)),
  Buffer.from(`\uFEFF${EMOJI}`, 'utf16le'),
  Buffer.concat([Buffer.from(EMOJI.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')]),
];

describe.each([
  ['from source', source],
  ['as built', built],
])('%s', (_, { openPaylint }) => {
  it('every fixture and mutations of them', async () => {
    const paylint = await openPaylint();
    const expected = await examining();
    const random = seeded(28);
    const mutations = Array.from({ length: rounds(8000) }, () => mutate(payloads[random(payloads.length)]!, random));
    for (const bytes of [...payloads, ...mutations]) {
      const wanted = expected(bytes);
      expect(paylint.validate(bytes)).toEqual(wanted);
      expect(paylint.isValid(bytes)).toBe(wanted.valid);
      const text = bytes.toString();
      if (Buffer.from(text).equals(bytes)) expect(paylint.validate(text)).toEqual(wanted);
    }
  });

  it('any text', async () => {
    const paylint = await openPaylint();
    const expected = await examining();
    const together = TEXTS.map((text) => paylint.validate(text));
    for (const [i, text] of TEXTS.entries()) {
      const wanted = expected(text);
      expect([i, paylint.validate(text), paylint.isValid(text)]).toEqual([i, wanted, wanted.valid]);
      // Read after others were judged.
      expect([i, together[i]]).toEqual([i, wanted]);
    }
  });

  it('any bytes, in any view', async () => {
    const paylint = await openPaylint();
    const expected = await examining();
    for (const bytes of [...BYTES, ...TEXTS.slice(0, 40).map((text) => Buffer.from(text))]) {
      const wanted = expected(bytes);
      const shifted = new Uint8Array(bytes.length + 7);
      shifted.set(bytes, 3);
      const views = [bytes, new DataView(shifted.buffer, 3, bytes.length), shifted.subarray(3, 3 + bytes.length)];
      const foreign = runInNewContext('new Uint8Array(list)', { list: [...bytes] });
      for (const view of [...views, foreign]) {
        expect(paylint.validate(view)).toEqual(wanted);
        expect(paylint.isValid(view)).toBe(wanted.valid);
      }
    }
  });

  it('schemas of the caller’s own, from the first text on', async () => {
    const schema = join(import.meta.dirname, '../../schemas/contract.schema.json');
    const paylint = await openPaylint({ schema });
    const expected = await examining(schema);
    for (let round = 0; round < 3; round++)
      for (const bytes of payloads) {
        const wanted = expected(bytes);
        expect([paylint.validate(bytes), paylint.isValid(bytes)]).toEqual([wanted, wanted.valid]);
      }
  });

  it('a kind that is given, limits, and redacted messages', async () => {
    const limits = { maxBytes: 200, maxDepth: 2, redact: true, kind: 'emoji' };
    const { maxBytes: maxPayloadBytes, ...others } = limits;
    const paylint = await openPaylint({ ...others, maxPayloadBytes });
    const expected = await examining(undefined, limits);
    for (const input of [...payloads, ...TEXTS, ...BYTES]) {
      const wanted = expected(input);
      expect([paylint.validate(input), paylint.isValid(input)]).toEqual([wanted, wanted.valid]);
    }
  });

  it('bytes that the caller changes afterwards', async () => {
    const paylint = await openPaylint();
    const expected = (await examining())(WRONG);
    const bytes = Buffer.from(WRONG);
    const verdict = paylint.validate(bytes);
    bytes.fill(0x20);
    paylint.validate(EMOJI);
    expect(verdict).toEqual(expected);
    expect(expected.violations).toHaveLength(2);
  });

  describe('results are plain objects', async () => {
    const paylint = await openPaylint();
    const wanted = (await examining())(WRONG);

    it.each([
      ['compared', (verdict: source.Verdict) => verdict],
      ['copied', (verdict: source.Verdict) => ({ ...verdict })],
      ['assigned', (verdict: source.Verdict) => Object.assign({}, verdict)],
      ['cloned', (verdict: source.Verdict) => structuredClone(verdict)],
      ['written as JSON', (verdict: source.Verdict) => JSON.parse(JSON.stringify(verdict))],
      ['frozen', (verdict: source.Verdict) => Object.freeze(verdict)],
      ['read as entries', (verdict: source.Verdict) => Object.fromEntries(Object.entries(verdict))],
    ])('%s', (_, changed) => {
      deepStrictEqual(changed(paylint.validate(WRONG)), wanted);
      expect(changed(paylint.validate(WRONG))).toStrictEqual(wanted);
      expect(Object.keys(changed(paylint.validate(WRONG)))).toEqual(['valid', 'kind', 'violations']);
    });

    it('with the same violations each time', () => {
      const verdict = paylint.validate(WRONG);
      expect(verdict.violations).toBe(verdict.violations);
      const { valid, kind, violations } = verdict;
      expect({ valid, kind, violations }).toEqual(wanted);
    });
  });

  it('refuse what is neither a string nor bytes', async () => {
    const paylint = await openPaylint();
    for (const value of [null, undefined, 1, {}, [], Symbol('x')])
      for (const call of ['isValid', 'validate'] as const)
        expect(() => paylint[call](value as string)).toThrow(TypeError);
    expect([EMOJI, WRONG].map((text) => paylint.isValid(text))).toEqual([true, false]);
    // `map` passes an index and the list.
    expect([EMOJI, WRONG].map(paylint.isValid.bind(paylint) as (text: string) => boolean)).toEqual([true, false]);
    expect(() => (paylint.isValid as (text: string, options: object) => boolean)(EMOJI, { deep: true })).toThrow(
      'isValid',
    );
  });
});
