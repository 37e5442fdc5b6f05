/** Sentences of `paylint test` and of `compare --against ajv`: what differs, what is listed, and which difference is known. */
import { describe, expect, it } from 'vitest';
import { ajvSentence, type Rejected, TEST_RULES } from '../../src/words/test-rules.ts';

const at = (pointer: string, rule = 'type') => ({ rule, pointer });

describe('a test that fails', () => {
  it('is named, if it has a name', () => {
    expect(TEST_RULES['test/expected-invalid'].sentence({ test: 'no "name"' })).toBe(
      '"no \\"name\\"": expected an invalid payload, found a valid one',
    );
    expect(TEST_RULES['test/expected-invalid'].sentence({})).toBe('expected an invalid payload, found a valid one');
  });

  it('lists five violations, and says how many more there are', () => {
    const found = ['', '/a', '/b', '/c', '/d', '/e', '/f'].map((pointer) => at(pointer));
    expect(TEST_RULES['test/expected-valid'].sentence({ found })).toBe(
      'expected a valid payload, found 7 violations: type at (root), type at /a, type at /b, type at /c, type at /d and 2 more',
    );
  });

  it('has no payload, or one that is no JSON', () => {
    const { sentence } = TEST_RULES['test/not-json'];
    expect(sentence({ found: [] })).toBe('expected a payload, found none');
    expect(sentence({ found: [at('', 'json-syntax')] })).toBe(
      'expected an invalid payload, found no JSON: json-syntax at (root)',
    );
  });

  it('says what is missing, what is below it, and what is too much', () => {
    const { sentence } = TEST_RULES['test/violations'];
    const below = { ...at('/pay', 'oneOf'), children: [at('/pay/name')] };
    expect(sentence({ missing: [below], unexpected: [at('/x', 'required')] })).toBe(
      'expected and not found: oneOf at /pay (below it: type at /pay/name); found and not expected: required at /x',
    );
    const elsewhere = { ...at('/pay/name'), below: at('/pay', 'oneOf') };
    expect(sentence({ missing: [elsewhere], unexpected: [] })).toBe(
      'expected and not found: type at /pay/name (which is among the "children" of oneOf at /pay)',
    );
  });
});

describe('two judges that differ', () => {
  const INVALID_HERE = { here: 'invalid', ajv: 'valid' } as const;
  const known = (more: Partial<Rejected>, ofNumbers: readonly string[] = []): string => {
    const rejected = { ...at('/a'), message: 'no', text: null, ...more };
    return ajvSentence(INVALID_HERE, [rejected], new Set(ofNumbers));
  };
  const reason = /a known difference may be that (.*) \(docs\/reference\/ajv\.md\)$/;

  it('say why the payload is rejected', () => {
    expect(known({ pointer: '' })).toBe('invalid here, valid by Ajv: type at (root): no');
    expect(ajvSentence({ here: 'valid', ajv: 'invalid' }, [], new Set())).toBe('valid here, invalid by Ajv');
  });

  it.each<[string, Partial<Rejected>, readonly string[]]>([
    ['JSON.parse keeps the last of equal names', { rule: 'duplicate-member' }, []],
    [
      'Ajv takes "nullable" as OpenAPI means it, and here it needs "vocabularies": ["openapi"]',
      { rule: 'type', text: 'null' },
      [],
    ],
    ['numbers count as they are written here, and as doubles in Ajv', { rule: 'const', text: '{"a": 1}' }, ['const']],
    [
      'keywords beside $ref are ignored in the draft of this schema, and Ajv asserts them',
      { rule: 'minimum', besideRef: true, text: '1' },
      ['minimum'],
    ],
  ])('for the reason that %s', (why, more, ofNumbers) => {
    expect(reason.exec(known(more, ofNumbers))?.[1]).toBe(why);
  });

  it.each<[string, Partial<Rejected>, readonly string[]]>([
    ['a rule without one', { rule: 'required' }, []],
    ['digits in a string only', { rule: 'const', text: '{"a": "1\\"2"}' }, ['const']],
    ['a rule that compares no numbers', { rule: 'pattern', text: '1' }, ['const']],
    ['a name of every object', { rule: 'constructor' }, []],
  ])('for no known reason: %s', (_, more, ofNumbers) => {
    expect(known(more, ofNumbers)).not.toMatch(reason);
  });

  it('what is beside a reference comes first', () => {
    const rejected = [
      { ...at('/a', 'required'), message: 'first', text: null },
      { ...at('/b', 'type'), message: 'beside', text: null, besideRef: true },
    ];
    expect(ajvSentence(INVALID_HERE, rejected, new Set())).toContain('type at /b: beside; a known difference');
  });
});
