/**
 * `fill --only` and `fill --except`: what is wanted is filled in, and nothing else, in both engines and in every way of filling.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDefaultFilters } from '../../src/fill/wanted-defaults.ts';
import { parsePointer } from '../../src/json/pointer.ts';
import { CASES, type Case } from '../fill-arbitraries.ts';
import { appliers, applyBoth, CONTRACT, eventsIn, fillsIn, place, run } from '../fill-run.ts';
import { createFiller, type Filled, loadForFilling } from '../fill-world.ts';
import { times } from '../rounds.ts';

/** Fills `text`, lines, as `flags` (`--only a --except /b`) want it, in all ways: they must be the same. */
async function fillWith(
  schema: unknown,
  flags: string,
  text: string,
  deep = false,
): Promise<Filled & { text: string }> {
  const words = flags.split(' ');
  const of = (flag: string): string[] => words.filter((_, i) => words[i - 1] === flag);
  const filters = readDefaultFilters(of('--only'), of('--except'));
  const { schemas, defaults } = await loadForFilling(schema, deep);
  const filler = (fast: boolean) => createFiller(schemas, defaults, fast, 1 << 20, filters);
  const bytes = Buffer.from(text);
  const slow = await filler(false)(bytes, { framing: 'lines' });
  const fast = await filler(true)(bytes, { framing: 'lines' });
  expect({ ...fast, accepted: 0 }).toEqual(slow);
  const told = await filler(true)(bytes, { framing: 'lines', wantsFills: true });
  expect({ ...told, accepted: 0, places: [] }).toEqual(slow);
  expect((await filler(true)(fast.bytes, { framing: 'lines' })).insertions).toEqual([]);
  return { ...told, accepted: fast.accepted, text: fast.bytes.toString() };
}

const filled = async (schema: unknown, flags: string, text: string, deep = false): Promise<string> =>
  (await fillWith(schema, flags, text, deep)).text;

const REF = { type: 'object', properties: { id: { type: 'string' }, t: { default: 1 }, u: { default: 2 } } };

describe('what is wanted is filled in, and nothing else', () => {
  const schema = {
    type: 'object',
    properties: {
      t: { default: 0 },
      a: { ...REF },
      b: { ...REF },
      'x/y': { default: 3 },
      l: { type: 'array', items: { ...REF } },
    },
    additionalProperties: { ...REF },
  };
  const text = '{"a":{"id":""},"b":{"id":""},"l":[{"id":""}],"z":{"id":""}}';
  const all = { t: 0, 'x/y': 3 };
  const ref = { id: '', t: 1, u: 2 };

  it.each<[string, object]>([
    ['--only t', { t: 0, a: { id: '', t: 1 }, b: { id: '', t: 1 }, l: [{ id: '', t: 1 }], z: { id: '', t: 1 } }],
    ['--only /t', { t: 0 }],
    ['--only /a/t', { a: { id: '', t: 1 } }],
    ['--only /a', { a: ref }],
    ['--only /a/t --only /b/u', { a: { id: '', t: 1 }, b: { id: '', u: 2 } }],
    ['--only /l/*/t', { l: [{ id: '', t: 1 }] }],
    ['--only /*/t', { a: { id: '', t: 1 }, b: { id: '', t: 1 }, z: { id: '', t: 1 } }],
    ['--only /z/t', { z: { id: '', t: 1 } }],
    ['--only /x~1y', { 'x/y': 3 }],
    ['--except t', { 'x/y': 3, a: { id: '', u: 2 }, b: { id: '', u: 2 }, l: [{ id: '', u: 2 }], z: { id: '', u: 2 } }],
    ['--except /a', { ...all, b: ref, l: [ref], z: ref }],
    ['--except /z/u', { ...all, a: ref, b: ref, l: [ref], z: { id: '', t: 1 } }],
    ['--only t --except /a --except /l', { t: 0, b: { id: '', t: 1 }, z: { id: '', t: 1 } }],
    ['--except /a --except /b --except /l --except /z', all],
  ])('%s', async (flags, expected) => {
    expect(JSON.parse(await filled(schema, flags, text))).toEqual({ ...JSON.parse(text), ...expected });
  });

  it('where one schema is for several places', async () => {
    const shared = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/r' }, b: { $ref: '#/$defs/r' }, l: { items: { $ref: '#/$defs/r' } } },
      $defs: { r: REF },
    };
    const before = '{"a":{},"b":{},"l":[{},{"t":0}]}';
    expect(await filled(shared, '--only /a/t', before)).toBe('{"a":{"t":1},"b":{},"l":[{},{"t":0}]}');
    expect(await filled(shared, '--except /a/t --except u', before)).toBe('{"a":{},"b":{"t":1},"l":[{"t":1},{"t":0}]}');
    expect(await filled(shared, '--only /l', before)).toBe('{"a":{},"b":{},"l":[{"t":1,"u":2},{"t":0,"u":2}]}');
  });

  it('in a tree, at the level that is named', async () => {
    const tree = { type: 'object', properties: { c: { $ref: '#' }, x: { default: 1 } } };
    expect(await filled(tree, '--only /c/x', '{"c":{"c":{}}}')).toBe('{"c":{"c":{},"x":1}}');
    expect(await filled(tree, '--except /c/c', '{"c":{"c":{}}}')).toBe('{"c":{"c":{},"x":1},"x":1}');
    expect(await filled(tree, '--only x', '{"c":{"c":{}}}')).toBe('{"c":{"c":{"x":1},"x":1},"x":1}');
  });

  it('between kinds: one as the payload, and in a payload of another one', async () => {
    const isFirst = { type: 'object', required: ['first'] };
    const entry = {
      if: isFirst,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { title: 'first', $ref: 'first.json' },
      else: {
        if: { type: 'object', required: ['second'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { title: 'second', $ref: 'second.json' },
        else: false,
      },
    };
    const others = {
      'first.json': { type: 'object', properties: { first: true, x: { default: 1 } } },
      'second.json': { type: 'object', properties: { second: true, c: { $ref: 'first.json' } } },
    };
    const filters = readDefaultFilters(['/x'], []);
    const { schemas, defaults } = await loadForFilling(entry, false, others);
    for (const fast of [true, false]) {
      const fill = createFiller(schemas, defaults, fast, 1 << 20, filters);
      const { bytes } = await fill(Buffer.from('{"first":1}\n{"second":1,"c":{}}\n'), { framing: 'lines' });
      expect(bytes.toString()).toBe('{"first":1,"x":1}\n{"second":1,"c":{}}\n');
    }
  });

  it('as if the others had no default', async () => {
    const chain = {
      properties: { x: { default: 1 } },
      if: { required: ['x'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { y: { default: 2 } } },
    };
    expect(await filled(chain, '--except x', '{"n":1}')).toBe('{"n":1}');
    expect(await filled(chain, '--only y', '{"x":0}')).toBe('{"x":0,"y":2}');
  });

  it('and what is missing then is a violation, which fill without the flags would fix', async () => {
    const { violations, text: after } = await fillWith({ ...REF, required: ['t', 'u'] }, '--only t', '{"id":""}');
    expect(after).toBe('{"id":"","t":1}');
    expect(violations).toMatchObject([{ rule: 'required', params: { missing: 'u' }, fixable: true }]);
  });
});

describe('with --deep', () => {
  const status = {
    type: 'object',
    required: ['id'],
    properties: { id: { default: 'a' }, t: { default: 'b' } },
  };
  const apart = { type: 'object', required: ['p', 'q'], properties: { p: { ...status }, q: { ...status } } };
  const shared = {
    ...apart,
    properties: { p: { $ref: '#/$defs/s' }, q: { $ref: '#/$defs/s' } },
    $defs: { s: status },
  };

  it.each([
    ['apart', apart],
    ['shared', shared],
  ])('objects are made whole or not at all, where their schemas are %s', async (_, schema) => {
    const s = '{"id":"a","t":"b"}';
    expect(await filled(schema, '--only /p', '{"n":1}', true)).toBe(`{"n":1,"p":${s}}`);
    expect(await filled(schema, '--except /p', '{"n":1}', true)).toBe(`{"n":1,"q":${s}}`);
    expect(await filled(schema, '--except t', '{"n":1,"q":{}}', true)).toBe(`{"n":1,"q":{"id":"a"},"p":${s}}`);
    expect(await filled(schema, '--only /p/t', '{"n":1}', true)).toBe('{"n":1}');
    expect(await filled(schema, '--only t', '{"p":{}}', true)).toBe('{"p":{"t":"b"}}');
  });
});

describe('a name that no schema has is noted, with the near miss', () => {
  const schema = {
    properties: { application: { properties: { '@type': { default: 1 } } }, active: { default: 2 }, n: {} },
  };

  it.each([
    ['--only', '/aplication/@type', '"aplication"; did you mean "application"?'],
    ['--except', '/*/@typ', '"@typ"; did you mean "@type"?'],
    ['--only', 'activ', '"activ"; did you mean "active"?'],
    ['--except', '/\u001b/x', '"\\u001b"'],
  ])('%s %s', async (flag, text, said) => {
    const folder = place({ 's.json': JSON.stringify(schema), 'a.json': '{}' });
    const args = ['fill', '--schema', 's.json', '--only', 'active', flag, text, 'a.json'];
    const { code, stdout, stderr } = await run(args, folder);
    const shown = text.replace('\u001b', '\\u001b');
    expect(stderr).toContain(`paylint: note: ${flag} ${shown}: no schema has a member ${said}\n`);
    expect([code, stdout.toString()]).toEqual([0, '{"active":2}']);
  });

  it('and an empty one is refused', async () => {
    const { code, stderr } = await run(['fill', '--except', '', 'a.json'], place({ 'a.json': '{}' }));
    expect([code, stderr]).toEqual([2, 'paylint: a value is missing: --except <pointer>\n']);
  });
});

describe('every way of filling', () => {
  const line = JSON.stringify(JSON.parse(CONTRACT));
  const expected = JSON.stringify({ ...JSON.parse(CONTRACT), active: false });
  const flags = ['--only', 'active'];

  it.each(['1', '4'])('fills in the same, with %s threads', async (threads) => {
    // More than 1 MiB where threads are to share it.
    const count = threads === '1' ? 10 : 4000;
    const folder = place({ 'a.ndjson': `${line}\n`.repeat(count), 'b.json': line });
    const args = [...flags, '--threads', threads];
    const to = await run(['fill', ...args, '.'], folder);
    expect(to.stdout.toString() === `${`${expected}\n`.repeat(count)}${expected}`).toBe(true);
    const check = await run(['fill', '--check', '--format', 'ndjson', ...args, '.'], folder);
    const fills = fillsIn(check.stdout.toString());
    expect([fills.length, new Set(fills.map(({ pointer }) => pointer))]).toEqual([count + 1, new Set(['/active'])]);
    expect(eventsIn(check.stdout.toString()).at(-1)).toMatchObject({ valid: count + 1 });
    await run(['fill', '--write', ...args, '.'], folder);
    expect(readFileSync(join(folder, 'b.json'), 'utf8')).toBe(expected);
    expect(readFileSync(join(folder, 'a.ndjson'), 'utf8') === `${expected}\n`.repeat(count)).toBe(true);
    const again = await run(['fill', '--check', '--quiet', ...args, '.'], folder);
    expect([again.code, again.stdout.toString()]).toEqual([0, '']);
  });

  it.skipIf(appliers.missing)(`also as a diff${appliers.note}`, async () => {
    const folder = place({ 'b.json': line });
    const { stdout } = await run(['fill', '--diff', ...flags, 'b.json'], folder);
    applyBoth(folder, stdout, { 'b.json': expected });
  });
});

describe('over random schemas', () => {
  const token = fc.constantFrom('*', 'a', 'b', 'c', 'd', 'name', '1', 'x~1y', 'é"\\');
  const wish = fc.oneof(
    fc.constantFrom('a', 'b', 'c', '1', 'name'),
    fc.array(token, { minLength: 1, maxLength: 3 }).map((tokens) => `/${tokens.join('/')}`),
  );
  const filters = fc.record({
    only: fc.array(wish, { maxLength: 2 }),
    except: fc.array(wish, { maxLength: 2 }),
  });

  interface Wanted {
    readonly only: readonly string[];
    readonly except: readonly string[];
  }

  /** Said in the plainest way. `pointer`: of a member, from its payload on; `value`: to tell names from indexes. */
  function isWanted({ only, except }: Wanted, pointer: string, value: unknown): boolean {
    let at: unknown = value;
    const path = parsePointer(pointer).map((name) => {
      const isIndex = Array.isArray(at);
      at = (at as Record<string, unknown>)[name]; // the pointer leads through it
      return isIndex ? '\u0000' : name;
    });
    const fits = (text: string): boolean => {
      if (!text.startsWith('/')) return path.includes(text);
      const tokens = parsePointer(text);
      return path.length >= tokens.length && tokens.every((one, i) => one === '*' || one === path[i]);
    };
    return (only.length === 0 || only.some(fits)) && !except.some(fits);
  }

  async function check(
    { schema, payloads }: Case,
    wanted: Wanted,
    complete: boolean,
    seen: Record<string, number>,
  ): Promise<void> {
    const all = await loadForFilling(schema).catch(() => null);
    const list = readDefaultFilters(wanted.only, wanted.except);
    if (all === null || list.length === 0) return;
    const bytes = Buffer.from(payloads.map((payload) => `${JSON.stringify(payload)}\n`).join(''));
    const by = (fast: boolean) => createFiller(all.schemas, all.defaults, fast, 1 << 20, list);
    const slow = await by(false)(bytes, { framing: 'lines' });
    const fast = await by(true)(bytes, { framing: 'lines' });
    expect({ ...fast, accepted: 0 }).toEqual(slow);
    const told = await by(true)(bytes, { framing: 'lines', wantsFills: true });
    expect({ ...told, accepted: 0, places: [] }).toEqual(slow);
    const values = fast.bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    for (const { pointer, payload } of told.places)
      expect([pointer, isWanted(wanted, pointer, values[payload])]).toEqual([pointer, true]);
    seen.filled = (seen.filled ?? 0) + told.places.length;
    const rest = await createFiller(
      all.schemas,
      all.defaults,
      true,
    )(fast.bytes, { framing: 'lines', wantsFills: true });
    const after = rest.bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    seen.left = (seen.left ?? 0) + rest.places.length;
    if (!complete) return;
    for (const { pointer, payload } of rest.places)
      expect([pointer, isWanted(wanted, pointer, after[payload])]).toEqual([pointer, false]);
  }

  it.each([
    ['of keywords that the fast engine knows', CASES.gentle, true],
    ['that refer to one another', CASES.referring, true],
    ['of all keywords', CASES.rich, false],
  ])('%s: what is wanted, all of it, and nothing else', async (_, cases, complete) => {
    const seen: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(cases, filters, (one, wanted) => check(one, wanted, complete, seen)),
      // How much is filled in depends on the schemas: the same ones each time.
      { numRuns: times(36, 18), seed: 9 },
    );
    expect(seen.filled).toBeGreaterThan(times(10, 1));
    expect(seen.left).toBeGreaterThan(times(10, 1));
  });
});
