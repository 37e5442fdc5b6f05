/**
 * Defaults at the edges of doubles: what `fill` says of them is what `validate` says of the same number in a payload.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { SchemaError } from '../../src/errors.ts';
import { openPaylint } from '../../src/library/open.ts';
import { asBigInt } from '../exact-numbers.ts';
import { rounds } from '../rounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-fill-numbers-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 's.json');

/** Numbers that are the same as doubles, and the same numbers in other notations. */
const number = fc.oneof(
  fc.integer({ min: -2, max: 2 }).map((more) => String(2n ** 53n + BigInt(more))),
  fc.integer({ min: -2, max: 2 }).map((more) => `${2n ** 53n + BigInt(more)}.0`),
  fc.integer({ min: -2, max: 2 }).map((more) => `-${2n ** 53n + BigInt(more)}0e-1`),
  fc.constantFrom('1', '1.0', '1.0000000000000000001', '0.99999999999999999999', '10e-1'),
  fc.constantFrom('0.3', '0.30000000000000000001', '3e-1', '0.29999999999999998889776975'),
  fc.constantFrom('0', '-0', '1e-400', '-1e-400', '5e-324', '4e-324', '1e308', '1.00000000000000000001e308'),
);

const constraint = fc.oneof(
  fc
    .tuple(fc.constantFrom('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'const'), number)
    .map(([keyword, text]) => `"${keyword}":${text}`),
  fc.tuple(number, number).map((texts) => `"enum":[${texts.join()}]`),
  fc.constantFrom('"multipleOf":0.1', '"multipleOf":3', '"multipleOf":1e-20', '"type":"integer"'),
);

const MANY = rounds(2000);

it('a number is refused as a default if it is invalid in a payload, and filling twice changes nothing', async () => {
  const seen = { refused: 0, filled: 0, invalid: 0 };
  const property = fc.asyncProperty(
    number,
    constraint,
    number,
    fc.constantFrom('"then":{"required":["b"]}', '"else":{"required":["b"]}'),
    async (text, own, other, branch) => {
      const inList = `"list":{"uniqueItems":true,"items":{"properties":{"a":{"default":${text}}}}}`;
      const test = `"if":{"properties":{"a":{"const":${other}}}}`;
      writeFileSync(path, `{"properties":{"a":{${own},"default":${text}},${inList}},${test},${branch}}`);
      const paylint = await openPaylint({ schema: path, config: false });
      const judged = paylint.validate(`{"a":${text},"b":1}`);
      const fill = (payload: string) => paylint.fill(payload);
      if (!judged.valid) {
        seen.refused++;
        expect(() => fill('{}')).toThrow(SchemaError);
        return;
      }
      for (const before of ['{}', '{"b":1}', `{"b":1,"list":[{"a":${other}},{}]}`]) {
        const { text: after, valid, violations } = fill(before);
        const isUnsafe = violations.some(({ rule }) => rule === 'unsafe-default');
        expect(fill(after)).toMatchObject({ text: after, fills: [], valid });
        expect(isUnsafe ? !valid : paylint.validate(after).valid === valid).toBe(true);
        if (after !== before) seen.filled++;
        if (!valid) seen.invalid++;
      }
      // The verdict is the one that exact arithmetic gives.
      const isOther = asBigInt(text) === asBigInt(other);
      expect(fill('{}').valid).toBe(isOther === branch.includes('else'));
    },
  );
  await fc.assert(property, { numRuns: MANY });
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(MANY / 20);
});
