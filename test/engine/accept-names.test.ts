/**
 * Accept compares names and values sixteen bytes at a time. Names and values of every length, and with one byte
 * changed; payloads that are cut off at the end of the memory.
 */
import { describe, expect, it } from 'vitest';
import { Acceptor } from '../../src/engine/compile/acceptor.ts';
import { Window } from '../../src/source/window.ts';
import { PADDING } from '../../src/wasm/layout.ts';
import { acceptCode, trySchema } from '../trial.ts';

/** A name or word of `length` letters, the same every time. */
const word = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(0x61 + ((i * 7) % 26))).join('');

/** The same with another letter at `at`. */
const changed = (text: string, at: number): string => `${text.slice(0, at)}!${text.slice(at + 1)}`;

const LENGTHS = Array.from({ length: 40 }, (_, i) => i + 1);

describe('names', () => {
  it.each(LENGTHS)('of %i letters, alone in a schema', async (length) => {
    const name = word(length);
    const { accept } = await trySchema({
      properties: { [name]: { type: 'number' } },
      required: [name],
      additionalProperties: { type: 'string' },
    });
    expect(accept(JSON.stringify({ [name]: 1 }))).toBe('it');
    expect(accept(JSON.stringify({ [name]: '1' }))).toBe(null);
    expect(accept(`{"${name}":1,"${name}":1}`)).toBe(null);
    const near = [
      `${name}x`,
      name.slice(0, -1),
      `x${name}`,
      name.toUpperCase(),
      `${name} `,
      name + name,
      `${name}\u0001`,
    ];
    const others = [...near, ...Array.from(name, (_, at) => changed(name, at))];
    for (const other of others) {
      expect(accept(JSON.stringify({ [name]: 1, [other]: 'x' }))).toBe(other.endsWith('\u0001') ? null : 'it');
      expect(accept(JSON.stringify({ [other]: 'x', [name]: 1 }))).toBe(other.endsWith('\u0001') ? null : 'it');
      expect(accept(JSON.stringify({ [other]: 'x' }))).toBe(null);
      expect(accept(JSON.stringify({ [name]: 1, [other]: 1 }))).toBe(null);
    }
  });

  it('with escapes, which are compared as texts', async () => {
    const schema = {
      properties: { name: { type: 'number' } },
      patternProperties: { '^\\u00e9$': { type: 'null' } },
      additionalProperties: { type: 'string' },
    };
    const { accept } = await trySchema(schema);
    // More of them than there is room for at once.
    for (let i = 0; i < 2000; i++) expect(accept('{"a":"","caf\\u00e9 \\ud83d\\ude00":"x"}')).toBe('it');
    expect(accept('{"\\u00e9":null,"café":""}')).toBe('it');
    expect(accept('{"\\u00e9":""}')).toBe(null);
    expect(accept('{"caf\\u00e9":"","café":""}')).toBe(null);
    expect(accept('{"café":"","b":"","caf\\u00e9":""}')).toBe(null);
    expect(accept('{"caf\\u00e9":"","caf\\u00E9":""}')).toBe(null);
    // It may be a known one.
    expect(accept('{"\\u006eame":1}')).toBe(null);
    expect(accept('{"\\ud83d":""}')).toBe(null);
    const nameless = await trySchema({ additionalProperties: { type: 'string' } });
    expect(nameless.accept('{"\\u006eame":"","n":""}')).toBe('it');
    expect(nameless.accept('{"\\u006eame":"","name":""}')).toBe(null);
    const foreign = await trySchema({ properties: { é: { type: 'number' } } });
    expect(foreign.accept('{"\\u00e9":""}')).toBe(null);
  });

  it('of all those lengths in one schema, each known by itself', async () => {
    const properties = Object.fromEntries(LENGTHS.map((length) => [word(length), { const: length }]));
    const { accept } = await trySchema({ properties, required: LENGTHS.map(word), additionalProperties: false });
    const payload = Object.fromEntries(LENGTHS.map((length) => [word(length), length]));
    expect(accept(JSON.stringify(payload))).toBe('it');
    for (const length of LENGTHS) {
      expect(accept(JSON.stringify({ ...payload, [word(length)]: length + 1 }))).toBe(null);
      expect(accept(JSON.stringify({ ...payload, [word(length)]: undefined }))).toBe(null);
      expect(accept(JSON.stringify({ ...payload, [changed(word(length), length - 1)]: length }))).toBe(null);
    }
  });

  it.each([4, 15, 16, 17, 31, 32, 33])('of %i letters that differ in one', async (length) => {
    const names = Array.from({ length }, (_, at) => changed(word(length), at));
    const properties = Object.fromEntries(names.map((name, at) => [name, { const: at }]));
    const { accept } = await trySchema({ properties, required: names, additionalProperties: false });
    const payload = Object.fromEntries(names.map((name, at) => [name, at]));
    expect(accept(JSON.stringify(payload))).toBe('it');
    for (const name of names) {
      expect(accept(JSON.stringify({ ...payload, [name]: -1 }))).toBe(null);
      expect(accept(JSON.stringify({ ...payload, [name]: undefined }))).toBe(null);
    }
    expect(accept(JSON.stringify({ ...payload, [word(length)]: 0 }))).toBe(null);
  });

  it('that are longer in bytes than in characters, or hold what escapes are made of', async () => {
    for (const name of ['é'.repeat(8), '😀'.repeat(4), `${'é'.repeat(7)}xx`, '/', "'", '@type', 'a/b~c', ' ', '']) {
      const { accept } = await trySchema({ properties: { [name]: { const: 1 } }, required: [name] });
      expect(accept(JSON.stringify({ [name]: 1 }))).toBe('it');
      expect(accept(JSON.stringify({ [name]: 2 }))).toBe(null);
      expect(accept(JSON.stringify({ [`${name}.`]: 1 }))).toBe(null);
    }
  });

  it('that are unknown may be any, but not twice', async () => {
    const { accept } = await trySchema({ properties: { known: { type: 'number' } } });
    for (const name of ['', 'a', 'known ', 'knowns', word(15), word(16), word(17), word(40), 'é', '😀'.repeat(20)]) {
      expect(accept(`{"${name}":1,"x":{"${name}":1},"known":2}`)).toBe('it');
      expect(accept(`{"${name}":1,"x":{},"${name}":2}`)).toBe(null);
      expect(accept(`{"x":[{"${name}":1},{"${name}":1}]}`)).toBe('it');
      expect(accept(`{"x":[{"y":2,"${name}":1,"${name}":1}]}`)).toBe(null);
    }
    expect(accept('{"known":1,"k":1,"know":1,"\\u006bnown":1}')).toBe(null);
    expect(accept('{"x":{"y":1},"y":{"x":1}}')).toBe('it');
  });
});

describe('words', () => {
  const lengths = [...LENGTHS, 47, 48, 49, 63, 64, 65, 79, 80, 81, 100, 127, 128, 129, 200];

  it.each(lengths)('of %i letters', async (length) => {
    const text = word(length);
    const { accept } = await trySchema({ enum: [text, 'other'] });
    expect([accept(`"${text}"`), accept('"other"')]).toEqual(['it', 'it']);
    const near = [`${text}x`, text.slice(0, -1), `x${text}`, `${text} `, text + text, text.toUpperCase()];
    for (const other of [...near, ...Array.from(text, (_, at) => changed(text, at))]) {
      expect([other, accept(`"${other}"`)]).toEqual([other, null]);
    }
  });

  it.each([1, 5, 15, 16, 17, 31, 32, 33])('of %i letters, up to the closing quote', async (length) => {
    const { accept } = await trySchema({ items: { enum: [word(length)] } });
    expect(accept(`["${word(length)}"]`)).toBe('it');
    for (const wrong of [']', ',', '}', ' ', 'x', '\\', "'"]) {
      for (const rest of [']', ',"x"]', '"]', ' ]', ']]', '']) {
        expect(accept(`["${word(length)}${wrong}${rest}`)).toBe(null);
      }
    }
  });

  it('among a hundred like them', async () => {
    const words = Array.from({ length: 100 }, (_, i) => `${word(30)}${i}`);
    const { accept } = await trySchema({ items: { enum: words } });
    expect(accept(JSON.stringify(words))).toBe('it');
    expect(accept(JSON.stringify([...words, `${word(30)}100`]))).toBe(null);
  });
});

describe('at the end of the memory', () => {
  // A window that is as full as it can be, cut off anywhere in the payload.
  it.each([[10], [60], [100], [300], [900]])('a payload with names and words of %i letters', async (length) => {
    const name = word(length);
    const schema = { properties: { [name]: { enum: [name] } }, additionalProperties: { type: ['integer', 'array'] } };
    const window = new Window();
    const limits = { maxDepth: 1000, maxBytes: 1 << 30 };
    const acceptor = new Acceptor(await acceptCode(schema), window.memory, limits);
    const payload = Buffer.from(`{"${name}":"${name}","${name}x":12345,"y":[true,false,null,"\\u00e9"]}`);
    const end = window.bytes.length - PADDING;
    for (let cut = 0; cut <= payload.length; cut++) {
      window.bytes.fill(0x78);
      window.bytes.fill(0, end);
      const start = end - (payload.length - cut);
      payload.copy(window.bytes, start, 0, payload.length - cut);
      const whole = { memory: window.memory, bytes: window.bytes, start, end, base: 0, atEnd: true, outputAt: 0 };
      acceptor.reset();
      const run = acceptor.run(whole, 'lines');
      expect([cut, run?.stop ?? end]).toEqual([cut, cut === 0 || cut === payload.length ? end : start]);
    }
  });
});
