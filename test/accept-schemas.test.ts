/**
 * Accept, keyword by keyword: small schemas, and values at and around their bounds. What Ajv finds valid must be
 * accepted if it is written plainly. What Ajv finds invalid must never be accepted, however it is written.
 */
import { describe, expect, it } from 'vitest';
import { ajvVerdict, trySchema } from './trial.ts';

/** Texts that accept must know the value of: no escapes, no exponents, numbers of few digits. */
const PLAIN = [
  ...['true', 'false', 'null'],
  ...['-1000', '-3', '-2', '-1.5', '-1', '-0.5', '-0', '0', '0.0', '0.1', '0.5', '1', '1.0', '1.000', '1.5'],
  ...['2', '2.0', '2.5', '2.9999', '3', '3.0001', '4', '10', '99', '99.9', '100', '2147483647', '2147483648'],
  ...['4294967295', '4294967296', '-2147483649', '99999999999999', '-99999999999999', '0.1234567890123'],
  ...[
    '""',
    '"a"',
    '"b"',
    '"é"',
    '"😀"',
    '"ab"',
    '"aé"',
    '"é😀"',
    '"abc"',
    '"😀😀😀"',
    '"abcd"',
    '"true"',
    '"1"',
  ],
  ...[14, 15, 16, 17, 31, 32, 33].flatMap((length) =>
    ['x', 'é'].map((letter) => `"${letter.repeat(length)}"`),
  ),
  ...['[]', '[1]', '["a"]', '[[]]', '[{}]', '[1,2]', '["a","a"]', '[1,"a"]', '[1,2,3]', '[null,true,"x",{}]'],
  ...['[ ]', '[ 1 , 2 ]', '[\n1\n]', ' \t', '{ }', '{ "a" : 1 }', '{\r\n\t"a":"x",\r\n\t"b":2\r\n}'],
  ...[
    '{}',
    '{"a":1}',
    '{"a":1.5}',
    '{"a":"x"}',
    '{"a":null}',
    '{"a":true}',
    '{"a":{}}',
    '{"a":[]}',
    '{"a":[1]}',
  ],
  ...[
    '{"b":2}',
    '{"c":3}',
    '{"a":1,"b":2}',
    '{"b":"x","a":"y"}',
    '{"a":1,"c":{"a":1,"b":2}}',
    '{"":0}',
    '{"":"x"}',
  ],
  ...[
    '{"a":{"a":{"a":{}}}}',
    '{"a":{"a":{"a":1}}}',
    '{"a":{"a":{"b":"x"}}}',
    '{"a":[{"a":[{"a":[]}]}]}',
    '{"aa":1}',
  ],
  ...['{"é":1}', '{"constructor":1}', '{"a":1,"b":2,"c":3,"d":4}', '{"d":4,"c":3,"b":2,"a":1}'],
].filter((text) => text.trim() !== '');

/** The same and other values, written in ways for which accept may be unsure but must not be wrong. */
const ODD = [
  ...[
    '1e0',
    '1E0',
    '10e-1',
    '0.1e1',
    '1e2',
    '1e-2',
    '-1e-400',
    '2e0',
    '1e15',
    '5e-1',
    '0e0',
    '-0.0',
    '0e999',
  ],
  ...[
    '123456789012345',
    '1234567890123456',
    '0.12345678901234',
    '9007199254740993',
    '1.00000000000000000001',
  ],
  ...['2.99999999999999999999', '0.99999999999999999999', '3.00000000000000000001', '100000000000000000000'],
  ...[
    '"\\u0061"',
    '"\\u00e9"',
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
    '"\\n"',
    '"a\\u0062"',
    '"\\u0061bc"',
    '"\\/"',
  ],
  ...['{"\\u0061":1}', '{"\\u0061":"x"}', '{"a":1,"\\u0062":2}', '["\\u0061"]', '{"a":"\\u0078"}'],
];

const SCHEMAS: readonly (object | boolean)[] = [
  ...[
    true,
    false,
    {},
    { title: 'x', description: 'x', $comment: 'x', examples: [1], default: 1, deprecated: true },
  ],
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

  ...[0, 1, 2, 3, 4].flatMap((n) => [
    { minItems: n },
    { maxItems: n },
    { minItems: n, maxItems: n, type: 'array' },
  ]),
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
  {
    type: 'object',
    properties: { a: { items: { $ref: '#' } } },
    additionalProperties: { $ref: '#/properties/a' },
  },
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
    const keywords = [
      'type',
      'enum',
      'const',
      'minLength',
      'maxLength',
      'minimum',
      'maximum',
      'exclusiveMinimum',
    ];
    keywords.push('exclusiveMaximum', 'properties', 'required', 'additionalProperties', 'items', 'minItems');
    for (const keyword of [...keywords, 'maxItems', '$ref']) {
      expect(texts.filter((text) => text.includes(`"${keyword}":`)).length).toBeGreaterThan(2);
    }
  });

  it('agree that text that is not JSON is invalid', async () => {
    const { accept } = await trySchema({});
    const broken = PLAIN.flatMap((text) => [
      ...[
        `${text},`,
        `,${text}`,
        `${text}${text}`,
        `${text}\0`,
        `\0${text}`,
        `[${text},]`,
        `[${text} ${text}]`,
      ],
      ...[
        `{"a":${text},}`,
        `{"a"${text}}`,
        `{a:${text}}`,
        `{"a":${text}`,
        `[${text}`,
        `[${text}}`,
        `{"a":${text}]`,
      ],
      ...[`\u00a0${text}`, `${text}\f`, `{"a":${text},"a":${text}}`, `{"b":{"x":${text},"y":1,"x":1}}`],
      ...[text.slice(0, -1), text.slice(1)],
    ]).filter((text) => !isJson(text) || text.startsWith('{'));
    for (const text of broken) {
      const duplicate = /"a":.*"a":|"x":.*"x":/s.test(text);
      if (!isJson(text) || duplicate) expect([text, accept(text)]).toEqual([text, null]);
    }
    expect(broken.length).toBeGreaterThan(1000);
  });

  it('agree that bytes that are not UTF-8 are invalid', async () => {
    const { accept, examine } = await trySchema({});
    const bad = [
      [0x80],
      [0xc3],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0xe2, 0x82],
      [0xff],
    ];
    for (const bytes of bad) {
      const text = Buffer.concat([Buffer.from('"a'), Buffer.from(bytes), Buffer.from('"')]);
      expect([accept(text), examine(text)]).toEqual([null, null]);
    }
  });
});

describe('accept refuses a schema, with a reason', () => {
  it.each([
    [{ pattern: 'x' }, 'it.json#: the keyword "pattern"'],
    [{ properties: { a: { format: 'date' } } }, 'it.json#/properties/a: the keyword "format"'],
    [{ items: { 'x-mine': 1 } }, 'it.json#/items: the keyword "x-mine"'],
    [{ type: 'string', nullable: true }, 'it.json#: the keyword "nullable"'],
    [{ anyOf: [{}] }, 'it.json#: the keyword "anyOf"'],
    [{ multipleOf: 2 }, 'it.json#: the keyword "multipleOf"'],
    [{ const: { a: 1 } }, 'it.json#: an object or array in "enum" or "const"'],
    [{ enum: [1, []] }, 'it.json#: an object or array in "enum" or "const"'],
    [{ $ref: '#/$defs/x', minimum: 1, $defs: { x: {} } }, 'it.json#: "minimum" beside "$ref"'],
    [{ $ref: '#x', $defs: { x: { $anchor: 'x' } } }, 'it.json#: a $ref that is not followed'],
    [{ properties: { a: { $id: 'b.json' } } }, 'it.json#/properties/a: "$id" inside a schema'],
    [{ properties: { 'a"': {} } }, 'a member whose name needs escapes in JSON'],
    [{ required: ['\ud83d'] }, 'a member whose name needs escapes in JSON'],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'number' }] },
      'it.json#: "items" as a list',
    ],
  ])('%j', async (schema, reason) => {
    const { accept, reasons } = await trySchema(schema);
    expect(reasons.get('it')).toBe(reason);
    for (const text of PLAIN) expect(accept(text)).toBe(null);
  });

  it('of more than 64 known members, but not of 64', async () => {
    const names = Array.from({ length: 65 }, (_, i) => `m${i}`);
    const properties = (count: number) =>
      Object.fromEntries(names.slice(0, count).map((name) => [name, { type: 'number' }]));
    const fits = await trySchema({ properties: properties(63), required: names.slice(0, 64) });
    const all = Object.fromEntries(names.slice(0, 64).map((name, i) => [name, i]));
    expect(fits.accept(JSON.stringify(all))).toBe('it');
    for (const name of names.slice(0, 64)) {
      const { [name]: _, ...others } = all;
      const twice = JSON.stringify(all).replace('}', `,"${name}":1}`);
      expect([fits.accept(JSON.stringify(others)), fits.accept(twice)]).toEqual([null, null]);
    }
    const wrong = JSON.stringify({ ...all, m62: '62' });
    expect([fits.accept(wrong), fits.accept(JSON.stringify({ ...all, m63: '63', m64: '64' }))]).toEqual([
      null,
      'it',
    ]);
    for (const schema of [
      { properties: properties(65) },
      { properties: properties(64), required: ['m64'] },
    ]) {
      expect((await trySchema(schema)).reasons.get('it')).toBe('an object with more than 64 known members');
    }
  });

  it('of very many or very long values, but not of many', async () => {
    const words = Array.from({ length: 2001 }, (_, i) => `word ${i}`);
    const many = await trySchema({ enum: words.slice(1) });
    expect([many.accept('"word 2000"'), many.accept('"word 0"')]).toEqual(['it', null]);
    const long = await trySchema({ enum: ['x'.repeat(1000)], const: 'x'.repeat(1000) });
    expect(long.accept(JSON.stringify('x'.repeat(1000)))).toBe('it');
    const reasonOf = async (schema: object) => (await trySchema(schema)).reasons.get('it');
    expect(await reasonOf({ enum: words })).toBe('more than 2000 values of "enum"');
    const twice = {
      properties: { a: { $ref: '#/$defs/w' }, b: { $ref: '#/$defs/w' } },
      $defs: { w: { enum: words.slice(1) } },
    };
    expect(await reasonOf(twice)).toBe('more than 2000 values of "enum"');
    for (const schema of [{ const: 'x'.repeat(1001) }, { required: ['x'.repeat(1e6)] }]) {
      expect(await reasonOf(schema)).toBe('a name or value of more than 1000 characters');
    }
  });

  it('that refers to itself through an unfinished one', async () => {
    const { accept, examine, reasons } = await trySchema({
      properties: { child: { properties: { parent: { $ref: '#' } } }, the_rest: { pattern: 'x' } },
    });
    expect(reasons.get('it')).toBe('it.json#/properties/the_rest: the keyword "pattern"');
    expect([accept('{}'), examine('{"child":{"parent":{}}}')]).toEqual([null, 'it']);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
