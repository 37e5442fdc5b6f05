/**
 * Coverage beside a second way to count: a walk over schema and value that knows nothing of the judge. It has keywords of
 * every sort of place, and alternatives of one keyword, because the first that fails ends a value's visit there.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Random, seeded } from '../../scripts/mutations/mutate.ts';
import type { CoverageDocument } from '../../src/report/coverage.ts';
import { rounds } from '../rounds.ts';
import { paylint } from '../world.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-coverage-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Value = unknown;
type Schema = Readonly<Record<string, unknown>>;
type Counts = Map<string, [held: number, failed: number]>;

const typeOf = (value: Value): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const isObject = (value: Value): value is Readonly<Record<string, Value>> => typeOf(value) === 'object';

/** Keywords with a verdict of their own: the type that each is about, and whether a value fits. */
const KEYWORDS: Readonly<
  Record<string, readonly [type: string | null, fits: (value: never, limit: never) => boolean]>
> = {
  type: [null, (value: Value, type: string) => typeOf(value) === type],
  enum: [null, (value: Value, values: Value[]) => values.includes(value)],
  minimum: ['number', (value: number, limit: number) => value >= limit],
  maxLength: ['string', (value: string, limit: number) => value.length <= limit],
  minItems: ['array', (value: Value[], limit: number) => value.length >= limit],
  required: ['object', (value: object, names: string[]) => names.every((name) => name in value)],
};

/** Counts into `counts`, and returns the verdict. */
function count(schema: Schema, value: Value, at: string, counts: Counts): boolean {
  const note = (pointer: string, holds: boolean): boolean => {
    const [held, failed] = counts.get(pointer) ?? [0, 0];
    counts.set(pointer, holds ? [held + 1, failed] : [held, failed + 1]);
    return holds;
  };
  const verdicts = Object.entries(schema).map(([keyword, limit]): boolean => {
    const place = `${at}/${keyword}`;
    const [type, fits] = KEYWORDS[keyword] ?? [undefined, undefined];
    if (fits !== undefined)
      return (type !== null && typeOf(value) !== type) || note(place, fits(value as never, limit as never));
    if (keyword === 'anyOf' || keyword === 'oneOf') {
      const all = (limit as Schema[]).map((one, i) =>
        note(`${place}/${i}`, count(one, value, `${place}/${i}`, counts)),
      );
      const held = all.filter(Boolean).length;
      return note(place, keyword === 'anyOf' ? held > 0 : held === 1);
    }
    if (keyword === 'not') return note(place, !count(limit as Schema, value, place, counts));
    if (keyword === 'items') {
      if (!Array.isArray(value)) return true;
      return value.map((item) => count(limit as Schema, item, place, counts)).every(Boolean);
    }
    if (!isObject(value)) return true;
    if (keyword === 'additionalProperties') {
      const known = Object.keys((schema.properties as object | undefined) ?? {});
      return note(
        place,
        Object.keys(value).every((name) => known.includes(name)),
      );
    }
    // properties
    return Object.entries(limit as Record<string, Schema>)
      .filter(([name]) => name in value)
      .map(([name, inner]) => note(`${place}/${name}`, count(inner, value[name], `${place}/${name}`, counts)))
      .every(Boolean);
  });
  return verdicts.every(Boolean);
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!;
const NAMES = ['a', 'b', 'c'];

function payloadOf(random: Random, depth = 2): Value {
  const kind = random(depth > 0 ? 8 : 5);
  if (kind === 5) return Array.from({ length: random(3) }, () => payloadOf(random, depth - 1));
  if (kind > 5)
    return Object.fromEntries(NAMES.filter(() => random(2) === 0).map((name) => [name, payloadOf(random, depth - 1)]));
  return [null, true, random(10), 'x'.repeat(random(5)), 'red'][kind];
}

/** One keyword: what alternatives are. */
function keywordOf(random: Random): Schema {
  const keyword = pick(random, Object.keys(KEYWORDS));
  const limits: Readonly<Record<string, () => Value>> = {
    type: () => pick(random, ['null', 'boolean', 'number', 'string', 'array', 'object']),
    enum: () => ['red', 'x', 3, null].filter((_, i) => i === 0 || random(2) === 0),
    required: () => NAMES.filter(() => random(2) === 0),
  };
  return { [keyword]: (limits[keyword] ?? (() => random(4)))() };
}

function schemaOf(random: Random, depth = 2): Schema {
  const inner = (): Schema => schemaOf(random, depth - 1);
  const own = Object.assign({}, ...Array.from({ length: random(3) }, () => keywordOf(random))) as Schema;
  const members =
    depth > 0 && random(3) > 0 ? { properties: Object.fromEntries(NAMES.map((name) => [name, inner()])) } : {};
  return {
    ...own,
    ...members,
    ...('properties' in members && random(3) === 0 ? { additionalProperties: false } : {}),
    ...(depth > 0 && random(2) === 0 ? { items: inner() } : {}),
    ...(random(3) === 0 ? { [pick(random, ['anyOf', 'oneOf'])]: [keywordOf(random), keywordOf(random)] } : {}),
    ...(random(4) === 0 ? { not: keywordOf(random) } : {}),
  };
}

it('counts what a reference counts on the values', async () => {
  const random = seeded(7);
  let compared = 0;
  for (let round = 0; round < rounds(150); round++) {
    const schema = { required: [], ...schemaOf(random) };
    const payloads = Array.from({ length: 20 }, () => payloadOf(random));
    writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
    writeFileSync(join(folder, 'p.ndjson'), payloads.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const args = ['coverage', 'p.ndjson', '--input', 'lines', '--no-config', '--schema', 's.json', '--format', 'json'];
    const { stdout, stderr } = await paylint([...args, '--quiet'], { cwd: folder });
    expect(stdout, stderr).not.toBe('');
    const { schemas } = JSON.parse(stdout) as CoverageDocument; // held by another test
    const expected = { valid: new Map() as Counts, invalid: new Map() as Counts };
    for (const payload of payloads)
      count(schema, payload, '', count(schema, payload, '', new Map()) ? expected.valid : expected.invalid);
    for (const { pointer, sort, valid, invalid } of schemas.flatMap(({ places }) => places)) {
      if (sort === 'value') continue; // counted by the first test of coverage
      const want = [...(expected.valid.get(pointer) ?? [0, 0]), ...(expected.invalid.get(pointer) ?? [0, 0])];
      const hint = `${pointer} of ${JSON.stringify(schema)}: ${JSON.stringify(payloads)}`;
      expect([valid.held, valid.failed, invalid.held, invalid.failed], hint).toEqual(want);
      compared += want.some((one) => one > 0) ? 1 : 0;
    }
  }
  expect(compared).toBeGreaterThan(rounds(150) * 2);
});
