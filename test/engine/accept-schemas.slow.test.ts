/**
 * Accept, keyword by keyword: small schemas, and values at and around their bounds. What Ajv finds valid must be
 * accepted if it is written plainly. What Ajv finds invalid must never be accepted, however it is written.
 */

import { describe, expect, it } from 'vitest';
import { isJson } from '../../scripts/json-text.ts';
import { ajvVerdict, trySchema } from '../trial.ts';

/** Texts that accept must know the value of: no escapes, no exponents, numbers of few digits. */
const PLAIN = [
  ...['true', 'false', 'null'],
  ...['-1000', '-3', '-2', '-1.5', '-1', '-0.5', '-0', '0', '0.0', '0.1', '0.5', '1', '1.0', '1.000', '1.5'],
  ...['2', '2.0', '2.5', '2.9999', '3', '3.0001', '4', '10', '99', '99.9', '100', '2147483647', '2147483648'],
  ...['4294967295', '4294967296', '-2147483649', '99999999999999', '-99999999999999', '0.1234567890123'],
  ...['""', '"a"', '"b"', '"é"', '"😀"', '"ab"', '"aé"', '"é😀"', '"abc"', '"😀😀😀"', '"abcd"', '"true"', '"1"'],
  ...[14, 15, 16, 17, 31, 32, 33].flatMap((length) => ['x', 'é'].map((letter) => `"${letter.repeat(length)}"`)),
  ...['[]', '[1]', '["a"]', '[[]]', '[{}]', '[1,2]', '["a","a"]', '[1,"a"]', '[1,2,3]', '[null,true,"x",{}]'],
  ...['[ ]', '[ 1 , 2 ]', '[\n1\n]', ' \t', '{ }', '{ "a" : 1 }', '{\r\n\t"a":"x",\r\n\t"b":2\r\n}'],
  ...['{}', '{"a":1}', '{"a":1.5}', '{"a":"x"}', '{"a":null}', '{"a":true}', '{"a":{}}', '{"a":[]}', '{"a":[1]}'],
  ...['{"b":2}', '{"c":3}', '{"a":1,"b":2}', '{"b":"x","a":"y"}', '{"a":1,"c":{"a":1,"b":2}}', '{"":0}', '{"":"x"}'],
  ...['{"a":{"a":{"a":{}}}}', '{"a":{"a":{"a":1}}}', '{"a":{"a":{"b":"x"}}}', '{"a":[{"a":[{"a":[]}]}]}', '{"aa":1}'],
  ...['{"é":1}', '{"constructor":1}', '{"a":1,"b":2,"c":3,"d":4}', '{"d":4,"c":3,"b":2,"a":1}'],
].filter((text) => text.trim() !== '');

/** The same and other values, written in ways for which accept may be unsure but must not be wrong. */
const ODD = [
  ...['1e0', '1E0', '10e-1', '0.1e1', '1e2', '1e-2', '-1e-400', '2e0', '1e15', '5e-1', '0e0', '-0.0', '0e999'],
  ...['123456789012345', '1234567890123456', '0.12345678901234', '9007199254740993', '1.00000000000000000001'],
  ...['2.99999999999999999999', '0.99999999999999999999', '3.00000000000000000001', '100000000000000000000'],
  ...['"\\u0061"', '"\\u00e9"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\n"', '"a\\u0062"', '"\\u0061bc"', '"\\/"'],
  ...['{"\\u0061":1}', '{"\\u0061":"x"}', '{"a":1,"\\u0062":2}', '["\\u0061"]', '{"a":"\\u0078"}'],
];

const SCHEMAS: readonly (object | boolean)[] = [
  ...[true, false, {}, { title: 'x', description: 'x', $comment: 'x', examples: [1], default: 1, deprecated: true }],
  ...['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'].map((type) => ({ type })),
  ...[
    ['string', 'number'],
    ['integer', 'string'],
    ['integer', 'number'],
    ['null', 'object'],
    ['array', 'boolean'],
  ].map((type) => ({ type })),
  { type: ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] },

  ...[0, 1, 2, 3, 15, 16, 17, 32, 33].flatMap((n) => [
    { minLength: n },
    { maxLength: n },
    { type: 'string', minLength: n },
    { type: 'string', maxLength: n },
    { type: 'string', minLength: n, maxLength: n },
    { type: ['string', 'null'], minLength: 1, maxLength: n },
  ]),
  // More than a 32-bit number holds.
  ...[2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 40].flatMap((n) => [
    ...[{ minLength: n }, { maxLength: n }, { minItems: n }, { maxItems: n }],
    ...[{ minimum: n }, { maximum: n }, { const: n }],
  ]),

  ...[-2, -1.5, -0.5, 0, 0.1, 0.5, 1, 1.5, 2, 3, 99.9, 100].flatMap((n) => [
    ...[{ minimum: n }, { maximum: n }, { exclusiveMinimum: n }, { exclusiveMaximum: n }],
    ...[{ type: 'integer', minimum: n }, { type: 'integer', maximum: n }, { const: n }],
    { type: ['integer', 'string'], exclusiveMinimum: -n, exclusiveMaximum: n },
    { type: 'number', minimum: -n, maximum: n, exclusiveMinimum: -n },
  ]),
  ...[{ minimum: 1e300 }, { maximum: 1e300 }, { minimum: -1e-300 }, { exclusiveMaximum: 5e-324 }],
  ...[{ minimum: 0.1234567890123 }, { maximum: 0.1234567890123 }, { const: 0.1234567890123 }],

  ...['', 'a', 'é', '😀', 'ab', 'true', 1, 0, -0, 1.5, 99.9, true, false, null].flatMap((value) => [
    { const: value },
    { enum: [value] },
    { enum: [value, 'b', 2, null] },
    { enum: ['a', 1, true, value], const: value },
    { enum: ['c'], const: value },
  ]),
  { enum: ['a', 'b', 'abc', 'é'], minLength: 2 },
  { enum: ['a', 'b', 'abc', 'é', '😀😀😀'], maxLength: 1 },
  { enum: [1, 2, 3, 2.5], minimum: 2, type: 'integer' },
  { enum: [1, '1', true, 'true', null], type: ['string', 'boolean'] },
  { enum: ['x'.repeat(15), 'x'.repeat(16), 'é'.repeat(16), 'x'.repeat(33)] },
  { enum: ['"', '\\', '\n', 'a\u0000', '\ud83d', 'a'] },

  { properties: { a: { type: 'number' } } },
  { properties: { a: true, b: false } },
  { properties: { a: { type: 'number' }, b: { type: 'string' } }, type: 'object' },
  { properties: { '': { type: 'number' } } },
  { properties: { é: { type: 'string' }, constructor: { type: 'string' } } },
  { required: ['a'] },
  { required: ['a', 'b'], type: 'object' },
  { required: ['a', 'b', 'c', 'd'], properties: { d: { const: 4 } } },
  { required: [''] },
  { required: ['constructor'], type: 'object' },
  { required: [] },
  { additionalProperties: false },
  { additionalProperties: { type: 'number' } },
  { additionalProperties: true, required: ['a'] },
  { properties: { a: {} }, additionalProperties: false },
  { properties: { a: {} }, required: ['b'], additionalProperties: { type: 'string' } },
  { properties: { a: {} }, required: ['b'], additionalProperties: false },
  { properties: { a: { additionalProperties: false } }, type: ['object', 'array'] },

  ...[0, 1, 2, 3, 4].flatMap((n) => [{ minItems: n }, { maxItems: n }, { minItems: n, maxItems: n, type: 'array' }]),
  { items: { type: 'number' } },
  { items: { type: 'number' }, minItems: 1, maxItems: 2 },
  { items: false },
  { items: true, maxItems: 1 },
  { items: { items: { type: 'string' } }, type: 'array' },
  { type: 'array', items: { type: 'object', additionalProperties: false } },

  { $ref: '#/$defs/x', $defs: { x: { type: 'string', maxLength: 1 } } },
  { $ref: '#/$defs/x', $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#/$defs/z' }, z: { minimum: 2 } } },
  { properties: { a: { $ref: '#' } }, required: ['a'] },
  { properties: { a: { $ref: '#', description: 'itself' } }, additionalProperties: false },
  { type: 'object', properties: { a: { items: { $ref: '#' } } }, additionalProperties: { $ref: '#/properties/a' } },
  {
    $ref: '#/$defs/odd',
    $defs: {
      odd: { type: 'object', properties: { a: { $ref: '#/$defs/even' } }, required: ['a'] },
      even: { type: 'object', properties: { a: { $ref: '#/$defs/odd' } } },
    },
  },
  { properties: { 'a~/%': { const: 1 }, a: { $ref: '#/properties/a~0~1%25' } } },
  { properties: { a: { $ref: '#/$defs/n' }, b: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'number' } } },
];

describe('accept and Ajv', () => {
  it.each(SCHEMAS.map((schema) => [JSON.stringify(schema), schema] as const))('%s', async (_, schema) => {
    const { accept, examine, reasons } = await trySchema(schema);
    expect([...reasons]).toEqual([]);
    const isValid = ajvVerdict(schema);
    const valid = PLAIN.filter(isValid);
    expect(PLAIN.filter((text) => accept(text) !== null)).toEqual(valid);
    expect(PLAIN.filter((text) => examine(text) !== null)).toEqual(valid);
    for (const text of ODD) if (accept(text) !== null) expect([text, isValid(text)]).toEqual([text, true]);
  });

  it('cover every keyword that accept supports', () => {
    const texts = SCHEMAS.map((schema) => JSON.stringify(schema));
    const keywords = ['type', 'enum', 'const', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum'];
    keywords.push('exclusiveMaximum', 'properties', 'required', 'additionalProperties', 'items', 'minItems');
    for (const keyword of [...keywords, 'maxItems', '$ref']) {
      expect(texts.filter((text) => text.includes(`"${keyword}":`)).length).toBeGreaterThan(2);
    }
  });

  it('agree that text that is not JSON is invalid', async () => {
    const { accept } = await trySchema({});
    const broken = PLAIN.flatMap((text) => [
      ...[`${text},`, `,${text}`, `${text}${text}`, `${text}\0`, `\0${text}`, `[${text},]`, `[${text} ${text}]`],
      ...[`{"a":${text},}`, `{"a"${text}}`, `{a:${text}}`, `{"a":${text}`, `[${text}`, `[${text}}`, `{"a":${text}]`],
      ...[`\u00a0${text}`, `${text}\f`, `{"a":${text},"a":${text}}`, `{"b":{"x":${text},"y":1,"x":1}}`],
      ...[text.slice(0, -1), text.slice(1)],
    ]).filter((text) => !isJson(text) || text.startsWith('{'));
    for (const text of broken) {
      const duplicate = /"a":.*"a":|"x":.*"x":/s.test(text);
      if (!isJson(text) || duplicate) expect([text, accept(text)]).toEqual([text, null]);
    }
    expect(broken.length).toBeGreaterThan(1000);
  });

  it('agree about seconds that a double rounds to 60', async () => {
    const { accept, examine } = await trySchema({ format: 'time' });
    for (const digits of [11, 12, 13, 14, 15, 17, 30]) {
      const text = `"00:00:59.${'9'.repeat(digits)}Z"`;
      const truth = examine(text) !== null;
      expect([text, accept(text), truth]).toEqual([text, 'it', true]);
    }
  });

  it('agree that bytes that are not UTF-8 are invalid', async () => {
    const { accept, examine } = await trySchema({});
    const bad = [[0x80], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xff]];
    for (const bytes of bad) {
      const text = Buffer.concat([Buffer.from('"a'), Buffer.from(bytes), Buffer.from('"')]);
      expect([accept(text), examine(text)]).toEqual([null, null]);
    }
  });
});

describe('a part of a schema that accept does not support', () => {
  it.each([
    [{ pattern: '(a)\\1' }, '#', 'the pattern "(a)\\\\1": it refers back to a group', '"aa"'],
    [{ const: 'x'.repeat(1001) }, '#', 'a name or value of more than 1000 characters', '"x"'],
  ])('%j', async (schema, pointer, reason, text) => {
    const { accept, reasons } = await trySchema(schema);
    expect([...reasons]).toEqual([[`it.json${pointer}`, reason]]);
    expect(accept(text)).toBe(null);
  });

  it('is only that part, also if another part refers to it', async () => {
    const { accept, examine, reasons } = await trySchema({
      properties: { child: { properties: { parent: { $ref: '#' } } }, the_rest: { pattern: '(a)\\1' } },
    });
    expect([...reasons]).toEqual([
      ['it.json#/properties/the_rest', 'the pattern "(a)\\\\1": it refers back to a group'],
    ]);
    const text = '{"child":{"parent":{}}}';
    const other = '{"the_rest":"aa"}';
    expect([accept(text), accept(other), examine(other)]).toEqual(['it', null, 'it']);
  });
});

describe('a value that is read again', () => {
  const nested = ['{}', '[]', '{"s":"\\\\\\""}', '["}"]', '{"a":{"b":[[],{"c":"]]"}]}}', '["\\\\","\\"]}"]'];
  // The ends of longer values are kept while the payload is read.
  const padding = Array.from({ length: 40 }, (_, i) => 'p'.repeat(i < 20 ? i : i + 20));
  const texts = padding.flatMap((pad) =>
    nested.flatMap((value) => [
      `{"a":["${pad}",${value}],"z":1}`,
      `{"a":[${value},${value},"${pad}]\\"}",${value},{"x":${value}}],"z":1}`,
    ]),
  );

  it('is passed over to its end', async () => {
    const { accept } = await trySchema({ allOf: [true, { properties: { z: { const: 1 } }, required: ['z'] }] });
    for (const text of texts) {
      expect([text, accept(text)]).toEqual([text, 'it']);
      expect(accept(text.replace(/1\}$/, '2}'))).toBe(null);
    }
  });
});

describe('many names and values', () => {
  const names = Array.from({ length: 150 }, (_, i) => `m${i}`);
  const all = Object.fromEntries(names.map((name, i) => [name, i]));

  it('accepts objects with more known members than a mask has bits', async () => {
    const properties = Object.fromEntries(names.slice(1).map((name) => [name, { type: 'number' }]));
    const { accept } = await trySchema({ properties, required: names });
    expect(accept(JSON.stringify(all))).toBe('it');
    for (const name of names) {
      const { [name]: _, ...others } = all;
      const twice = JSON.stringify(all).replace('}', `,"${name}":1}`);
      expect([accept(JSON.stringify(others)), accept(twice)]).toEqual([null, null]);
      if (name !== 'm0') expect(accept(JSON.stringify({ ...all, [name]: 'text' }))).toBe(null);
    }
  });

  it('finds each of many values', async () => {
    const words = Array.from({ length: 3000 }, (_, i) => `word ${i}`);
    const { accept } = await trySchema({ enum: [...words, 'x'.repeat(1000)], type: 'string' });
    for (const word of [...words, 'x'.repeat(1000)]) expect(accept(JSON.stringify(word))).toBe('it');
    for (const word of ['word 3000', 'word', 'word 30001', 'x'.repeat(999), 'x'.repeat(1001)]) {
      expect(accept(JSON.stringify(word))).toBe(null);
    }
  });
});
