/**
 * Equal values have equal texts, and no others; and comparing the items of all arrays of a payload takes time in
 * proportion to it, whatever the payload is made of.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { siteOf } from '../../src/engine/judge/sites.ts';
import { openPaylint } from '../../src/index.ts';
import { Decimal, jsonNumber } from '../../src/json/decimal.ts';
import { jsonEqual, ValueTexts } from '../../src/json/value.ts';
import type { SchemaNode } from '../../src/schema/node.ts';
import { atFileEnd } from '../file-end.ts';
import { rounds } from '../rounds.ts';

const numbers = fc.constantFrom(0, -0, 1, 12, jsonNumber('9007199254740993'), jsonNumber('9007199254740992'));
const texts = fc.constantFrom(
  '',
  '1',
  '12',
  '#1',
  '@0',
  'a,b',
  'a"',
  '[',
  '{}',
  'x'.repeat(9000),
  `${'x'.repeat(8999)}y`,
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    numbers,
    texts,
    fc.constantFrom(null, true, false),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'a":1,"b', '1'), tie('value'), {
    noNullPrototype: true,
  }),
}));

/** The same by comparing each item with each before it. */
function repeatedByPairs(items: readonly unknown[]): readonly [number, number] | null {
  for (const [later, item] of items.entries()) {
    const earlier = items.findIndex((other) => jsonEqual(other, item));
    if (earlier < later) return [earlier, later];
  }
  return null;
}

it('the first two equal items are those that a comparison of all pairs finds', () => {
  const same = new ValueTexts();
  fc.assert(
    fc.property(fc.array(values, { maxLength: 8 }), (items) => {
      expect(same.repeatedItems(items)).toEqual(repeatedByPairs(items));
    }),
    { numRuns: rounds(2000) },
  );
  expect(jsonNumber('9007199254740993')).toBeInstanceOf(Decimal);
});

it.each([
  ['arrays in arrays', (inner: string) => `[${inner},"x"]`],
  ['objects in arrays', (inner: string) => `[{"a":${inner}},{"a":1}]`],
  ['equal items', (inner: string) => `[${inner},1,1]`],
])('each level of %s is read once, not once for each level around it', async (_, wrap) => {
  const schema = join(mkdtempSync(join(tmpdir(), 'paylint-items-')), 's.json');
  atFileEnd(() => rmSync(dirname(schema), { recursive: true, force: true }));
  writeFileSync(schema, '{"uniqueItems":true,"items":{"$ref":"#"},"additionalProperties":{"$ref":"#"}}');
  const paylint = await openPaylint({ schema, maxDepth: 1000 });
  let text = `"${'x'.repeat(100_000)}"`;
  for (let i = 0; i < 450; i++) text = wrap(text);
  // Reading a value once for each level would take minutes.
  const { violations } = paylint.validate(text);
  expect(violations.map(({ rule }) => rule)).toEqual(
    text
      .split(',1,1]')
      .slice(1)
      .map(() => 'uniqueItems'),
  );
});

it('the missing members of a schema share the names that it knows', () => {
  const node = {
    id: 0,
    origin: { place: 's.json#' },
    required: ['a', 'b'],
    properties: { c: true },
  } as unknown as SchemaNode;
  const [a, b] = ['a', 'b'].map((missing) =>
    siteOf(
      { facts: { rule: 'required', params: { missing } }, place: 's.json#/required', node, reason: undefined },
      () => true,
    ),
  );
  expect(a!.properties).toBe(b!.properties);
  expect(Object.keys(a!.properties).sort()).toEqual(['a', 'b', 'c']);
});
