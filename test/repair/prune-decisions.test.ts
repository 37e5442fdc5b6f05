/** Which members `prune` removes, and which it never does: the decision alone, by schemas in which each case is alone. */
import { describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/library/open.ts';

/** What is left of a text, with the pointers of what was removed, and the rules of what is still wrong. */
async function prunedBy(schema: unknown, text: string) {
  const paylint = await openPaylint({ schema: schema as object });
  const { text: left, removed, violations, valid } = paylint.prune(text);
  expect(valid).toBe(violations.length === 0);
  const again = paylint.prune(left);
  expect([again.text, again.removed]).toEqual([left, []]);
  return { left, removed: removed.map(({ pointer }) => pointer), rules: violations.map(({ rule }) => rule) };
}

/** A schema as text: an object with the member `then` would look like a promise. */
const json = (text: string): unknown => JSON.parse(text);

const CLOSED = { properties: { a: true }, additionalProperties: false };

describe('a member is removed', () => {
  it.each<[what: string, schema: unknown, text: string, left: string]>([
    ['by additionalProperties', CLOSED, '{"a":1,"x":2}', '{"a":1}'],
    [
      'by unevaluatedProperties',
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      '{"a":1,"x":2}',
      '{"a":1}',
    ],
    ['by propertyNames', { propertyNames: { maxLength: 1 } }, '{"a":1,"long":2}', '{"a":1}'],
    ['by the schema false of its name', { properties: { x: false } }, '{"a":1,"x":2}', '{"a":1}'],
    ['by the schema false of a pattern', { patternProperties: { '^x': false } }, '{"a":1,"x1":2,"x2":3}', '{"a":1}'],
    ['if two schemas forbid it', { allOf: [CLOSED, { properties: { x: false } }] }, '{"a":1,"x":2}', '{"a":1}'],
    [
      'if the same schema does so twice',
      { allOf: [CLOSED, { $ref: '#/$defs/c' }, { $ref: '#/$defs/c' }], $defs: { c: CLOSED } },
      '{"a":1,"x":2}',
      '{"a":1}',
    ],
    ['inside another one', { properties: { a: CLOSED } }, '{"a":{"a":1,"x":2}}', '{"a":{"a":1}}'],
    [
      'inside nested arrays',
      { items: { items: CLOSED } },
      '[[{"x":1}],[],[{"a":1},{"a":2,"x":3}]]',
      '[[{}],[],[{"a":1},{"a":2}]]',
    ],
    ['inside one that no other schema describes', { additionalProperties: CLOSED }, '{"k":{"x":1}}', '{"k":{}}'],
    [
      'inside an unevaluated one',
      { properties: { a: true }, unevaluatedProperties: CLOSED },
      '{"a":{"x":1},"k":{"x":1}}',
      '{"a":{"x":1},"k":{}}',
    ],
    [
      'inside an unevaluated item',
      { prefixItems: [true], unevaluatedItems: CLOSED },
      '[{"x":1},{"x":1}]',
      '[{"x":1},{}]',
    ],
    ['with all that is inside', CLOSED, '{"x":{"a":1,"y":[2]},"a":1}', '{"a":1}'],
    [
      'by then, if the condition holds',
      json('{"if": {"required": ["k"]}, "then": {"properties": {"x": false}}}'),
      '{"k":1,"x":2}',
      '{"k":1}',
    ],
    [
      'by else, if it does not',
      json('{"if": {"required": ["k"]}, "then": {"properties": {"x": true}}, "else": {"properties": {"x": false}}}'),
      '{"j":1,"x":2}',
      '{"j":1}',
    ],
    ['by dependentSchemas', { dependentSchemas: { k: { properties: { x: false } } } }, '{"k":1,"x":2}', '{"k":1}'],
    ['called __proto__', CLOSED, '{"__proto__":{"b":1},"a":1}', '{"a":1}'],
    ['called like a method', CLOSED, '{"constructor":1,"a":1,"toString":2}', '{"a":1}'],
    ['whose name is written with escapes', CLOSED, '{"\\u0061":1,"\\u0078":2}', '{"\\u0061":1}'],
    [
      'that only another alternative describes',
      {
        oneOf: [{ properties: { t: { const: 1 }, a: true } }, { properties: { t: { const: 2 }, x: true } }],
        unevaluatedProperties: false,
      },
      '{"t":1,"a":1,"x":2}',
      '{"t":1,"a":1}',
    ],
    [
      'though other violations stay',
      { properties: { a: { type: 'string' } }, additionalProperties: false },
      '{"a":1,"x":2}',
      '{"a":1}',
    ],
    [
      'that a test forbids, when the test does not matter any more',
      json('{"properties": {"k": false}, "if": {"required": ["k"]}, "then": {"minProperties": 9}}'),
      '{"k":1,"a":2}',
      '{"a":2}',
    ],
  ])('%s', async (_, schema, text, left) => {
    expect((await prunedBy(schema, text)).left).toBe(left);
  });
});

describe('a member stays', () => {
  const b = { properties: { b: true }, additionalProperties: false };
  it.each<[what: string, schema: unknown, text: string]>([
    ['if another schema of allOf describes it, each of them', { allOf: [CLOSED, b] }, '{"a":1,"b":2}'],
    [
      'if a pattern beside allOf describes it',
      { allOf: [CLOSED, { patternProperties: { '^b': true } }] },
      '{"a":1,"b":2}',
    ],
    [
      'if a reference describes it',
      { $ref: '#/$defs/b', ...CLOSED, $defs: { b: { properties: { b: true } } } },
      '{"a":1,"b":2}',
    ],
    [
      'if an alternative that holds describes it',
      { ...CLOSED, anyOf: [{ properties: { b: { type: 'number' } } }] },
      '{"a":1,"b":2}',
    ],
    [
      'if it may be meant by an alternative',
      {
        oneOf: [{ properties: { t: { const: 1 }, b: { type: 'string' } } }, { properties: { t: { const: 2 } } }],
        unevaluatedProperties: false,
      },
      '{"t":1,"b":2}',
    ],
    [
      'if an alternative that may be meant allows any',
      {
        oneOf: [{ properties: { t: { const: 1 } }, additionalProperties: { type: 'string' } }],
        unevaluatedProperties: false,
      },
      '{"t":1,"z":2}',
    ],
    ['if only the closest alternative forbids it', { anyOf: [CLOSED, { type: 'string' }] }, '{"a":1,"x":2}'],
    ['if only oneOf forbids it', { oneOf: [CLOSED, { type: 'string' }] }, '{"a":1,"x":2}'],
    ['if only not forbids it', { not: { required: ['x'] } }, '{"x":2}'],
    ['if only contains forbids it', { contains: CLOSED }, '[{"x":2}]'],
    [
      'if only a test forbids it',
      json('{"if": {"properties": {"x": false}}, "then": true, "else": {"required": ["a"]}}'),
      '{"x":2}',
    ],
    ['if it is of the wrong type', { properties: { a: { type: 'string' } } }, '{"a":1}'],
    [
      'if a condition says false of its value',
      json('{"properties": {"a": {"if": {"type": "number"}, "then": false}}}'),
      '{"a":1}',
    ],
    [
      'if its own schema describes it, and propertyNames forbids it',
      { properties: { long: true }, propertyNames: { maxLength: 1 } },
      '{"long":1}',
    ],
    ['if there are too many', { maxProperties: 1 }, '{"a":1,"b":2}'],
    ['as an item', { prefixItems: [true], items: false }, '[1,{"x":1}]'],
    ['in an object with a name twice', CLOSED, '{"a":1,"x":2,"x":3}'],
    ['in an object with a name twice, once with escapes', CLOSED, '{"a":1,"x":2,"\\u0078":3}'],
    ['in a text that is not JSON', CLOSED, '{"a":1,"x":2'],
  ])('%s', async (_, schema, text) => {
    const { left, removed, rules } = await prunedBy(schema, text);
    expect([left, removed]).toEqual([text, []]);
    expect(rules.length).toBeGreaterThan(0);
    expect(rules).not.toContain('unsafe-prune');
  });

  it('in a payload that is valid, whatever is in it', async () => {
    const schema = { anyOf: [CLOSED, { required: ['x'] }] };
    expect(await prunedBy(schema, '{"a":1,"x":2}')).toEqual({ left: '{"a":1,"x":2}', removed: [], rules: [] });
  });

  it('in a payload of no kind', async () => {
    const paylint = await openPaylint();
    const { text, violations } = paylint.prune('{"@type":"Nothing","x":1}');
    expect([text, violations.map(({ rule }) => rule)]).toEqual(['{"@type":"Nothing","x":1}', ['unknown-kind']]);
  });
});

describe('rounds', () => {
  it('end when one removal has led to the next ones', async () => {
    const dependent = (name: string, next: string) =>
      json(`{"if": {"not": {"required": ["${name}"]}}, "then": {"properties": {"${next}": false}}}`);
    const schema = { properties: { x: false }, allOf: [dependent('x', 'y'), dependent('y', 'z')] };
    expect(await prunedBy(schema, '{"x":1,"y":2,"z":3,"a":4}')).toEqual({
      left: '{"a":4}',
      removed: ['/x', '/y', '/z'],
      rules: [],
    });
  });

  it('ask anew what is evaluated', async () => {
    const schema = {
      properties: { x: false },
      allOf: [json('{"if": {"required": ["x"]}, "then": {"properties": {"b": true}}}')],
      unevaluatedProperties: false,
    };
    expect((await prunedBy(schema, '{"x":1,"b":2}')).left).toBe('{}');
  });
});

describe('what would break the payload in another way', () => {
  it.each<[what: string, schema: object, text: string, params: object]>([
    ['a minimum', { ...CLOSED, minProperties: 2 }, '{"a":1,"x":2}', { rule: 'minProperties' }],
    ['a member that is required', { ...CLOSED, required: ['x'] }, '{"a":1,"x":2}', { rule: 'required', missing: 'x' }],
    [
      'another one that is required, where one is missing',
      { ...CLOSED, required: ['a', 'x'] },
      '{"x":2}',
      { rule: 'required', missing: 'x' },
    ],
    [
      'an alternative',
      { ...CLOSED, anyOf: [{ required: ['x'] }, { required: ['y'] }] },
      '{"a":1,"x":2}',
      { rule: 'anyOf' },
    ],
    [
      'what another member depends on',
      { properties: { a: true, x: false }, dependentRequired: { a: ['x'] } },
      '{"a":1,"x":2}',
      { rule: 'dependentRequired' },
    ],
  ])('%s: the payload stays, and it is said why', async (_, schema, text, params) => {
    const paylint = await openPaylint({ schema });
    const { text: left, removed, edits, violations, valid } = paylint.prune(text);
    expect([left, removed, edits, valid]).toEqual([text, [], [], false]);
    const unsafe = violations.filter(({ rule }) => rule === 'unsafe-prune');
    expect(unsafe).toHaveLength(1);
    expect(unsafe[0]).toMatchObject({ params, fixable: false });
    expect(unsafe[0]).not.toHaveProperty('fix');
    expect(unsafe[0]!.message).toMatch(/^without the members that the schema does not allow, .*; it is left as it is$/);
    // All that is wrong with the payload as it is is there, too.
    const others = violations.filter(({ rule }) => rule !== 'unsafe-prune');
    expect(others).toEqual(paylint.validate(text).violations);
  });

  it('one of another kind', async () => {
    const kinds = { a: { schema: CLOSED, when: { required: ['x'] } } };
    const paylint = await openPaylint({ schemas: kinds as never });
    const { text, violations } = paylint.prune('{"a":1,"x":2}');
    expect(text).toBe('{"a":1,"x":2}');
    expect(violations.map(({ rule, message }) => [rule, message])).toContainEqual([
      'unsafe-prune',
      'without the members that the schema does not allow, this payload would be of an unknown kind instead of "a"; it is left as it is',
    ]);
  });

  it('but not a violation that was there before, at the same place by the same keyword', async () => {
    const schema = { ...CLOSED, minProperties: 5 };
    expect(await prunedBy(schema, '{"a":1,"x":2}')).toEqual({
      left: '{"a":1}',
      removed: ['/x'],
      rules: ['minProperties'],
    });
  });
});

describe('sizes', () => {
  it('10,000 members of which 9,999 go', async () => {
    const paylint = await openPaylint({ schema: CLOSED });
    for (const comma of [',', ',\n', '\n,']) {
      const members = Array.from({ length: 10_000 }, (_, i) => (i === 5000 ? '"a": 1' : `"x${i}": ${i}`));
      const { text, removed, valid } = paylint.prune(`{${members.join(comma)}}`);
      expect([text, removed.length, valid]).toEqual(['{"a": 1}', 9999, true]);
    }
  });

  it('as many that a schema in place forbids again and again', async () => {
    const schema = { allOf: Array.from({ length: 20 }, () => CLOSED), properties: { c: { $ref: '#' } } };
    const paylint = await openPaylint({ schema });
    const deep = `${'{"a":1,"x":2,"c":'.repeat(300)}1${'}'.repeat(300)}`;
    const { text, removed } = paylint.prune(deep);
    // The rest of a level is not walked through: "c" is described.
    expect(text).toBe(`${'{"a":1,"c":'.repeat(300)}1${'}'.repeat(300)}`);
    expect(removed).toHaveLength(300);
  });
});

describe('the library', () => {
  it('gives what was removed with its place, exactly as it was written', async () => {
    const paylint = await openPaylint({ schema: CLOSED });
    const text = '\ufeff{"é👍":0.10000000000000000001,"a":1,\n "x~/":[1e400]}';
    const { removed, edits, text: left } = paylint.prune(text);
    expect(left).toBe('\ufeff{"a":1}');
    expect(removed).toMatchObject([
      { line: 1, column: 2, offset: 4, pointer: '/é👍', value: 0.1, written: '0.10000000000000000001' },
      { line: 2, column: 2, offset: 44, pointer: '/x~0~1', written: '[1e400]' },
    ]);
    expect(edits).toEqual([
      { offset: 2, length: 29, text: '', payload: 0, pointer: '/é👍' },
      { offset: 36, length: 16, text: '', payload: 0, pointer: '/x~0~1' },
    ]);
  });

  it('leaves out values with redact, and takes no options', async () => {
    const paylint = await openPaylint({ schema: CLOSED, redact: true });
    expect(paylint.prune('{"x":"secret"}').removed).toEqual([
      { file: '<text>', payload: 0, line: 1, column: 2, offset: 1, pointer: '/x' },
    ]);
    expect(() => (paylint.prune as (...all: unknown[]) => unknown)('{}', { deep: true })).toThrow(
      'prune has no option',
    );
    expect(() => paylint.prune(1 as never)).toThrow(TypeError);
  });
});
