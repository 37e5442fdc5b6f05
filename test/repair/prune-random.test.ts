/** What is true of `prune` whatever the schema and the payload are: random ones of all keywords. */
import { expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { Generator } from '../../scripts/mutations/schemas.ts';
import { openPaylint } from '../../src/library/open.ts';
import type { Violation } from '../../src/types.ts';
import { rounds } from '../rounds.ts';

const keyOf = ({ rule, pointer, schema, params }: Violation): string =>
  JSON.stringify([rule, pointer, schema, 'missing' in params ? params.missing : null]);

/** The value without what the pointers lead to. */
function deleted(text: string, pointers: readonly string[]): unknown {
  const value: unknown = JSON.parse(text);
  for (const pointer of pointers) {
    const tokens = pointer.split('/').slice(1);
    const name = tokens.pop()!.replaceAll('~1', '/').replaceAll('~0', '~');
    const names = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    const object = names.reduce<unknown>((inner, token) => (inner as Record<string, unknown>)[token], value);
    delete (object as Record<string, unknown>)[name];
  }
  return value;
}

it('a valid payload stays, nothing new is wrong, and pruning twice is pruning once', async () => {
  const generator = new Generator(seeded(11));
  const seen = { pruned: 0, healed: 0, unsafe: 0, valid: 0, left: 0 };
  for (let i = 0; i < rounds(1600); i++) {
    const schema = { ...(generator.schema() as object) };
    // Many schemas are open: half of them get what forbids members.
    const closed = i % 2 === 0 ? schema : { allOf: [schema], ...CLOSED[i % CLOSED.length] };
    const paylint = await openPaylint({ schema: closed }).catch(() => null);
    for (let j = 0; paylint !== null && j < 5; j++) {
      const text = JSON.stringify(generator.value(3));
      const before = paylint.validate(text);
      const { text: left, removed, violations, valid } = paylint.prune(text);
      const what = `${JSON.stringify(closed)} ${text}`;
      expect([what, JSON.parse(left)]).toEqual([
        what,
        deleted(
          text,
          removed.map(({ pointer }) => pointer),
        ),
      ]);
      if (before.valid) {
        seen.valid++;
        expect([what, left, removed]).toEqual([what, text, []]);
      }
      const unsafe = violations.filter(({ rule }) => rule === 'unsafe-prune');
      if (unsafe.length > 0) {
        seen.unsafe++;
        expect([what, left]).toEqual([what, text]);
        continue;
      }
      if (removed.length > 0) {
        seen.pruned++;
        if (valid) seen.healed++;
        else seen.left++;
      }
      const had = new Set(before.violations.map(keyOf));
      expect([what, violations.map(keyOf).filter((key) => !had.has(key))]).toEqual([what, []]);
      expect([what, valid]).toEqual([what, paylint.validate(left).valid]);
      expect([what, paylint.prune(left).text]).toEqual([what, left]);
    }
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > rounds(8)]).toEqual([what, true]);
});

const CLOSED = [
  { unevaluatedProperties: false },
  { properties: { a: true, b: true }, additionalProperties: false },
  { propertyNames: { maxLength: 1 } },
  { properties: { a: false }, minProperties: 1 },
] as const;
