/**
 * Whatever the payload, and however it is laid out: only members with a default are inserted, they are those that Ajv inserts, twice is
 * once, and it makes no difference which engine looks at it, nor how its bytes come in.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { readDefaults } from '../../src/repair/defaults.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { Framing } from '../../src/types.ts';
import { Choices, LAYOUTS, randomText, shuffled, textIn } from '../fill-layout.ts';
import { createFiller, type Filled, withInsertions } from '../fill-world.ts';
import { rounds, seededUnlessAll } from '../rounds.ts';
import { expectSame } from '../same.ts';

const FRAMINGS = ['lines', 'json', 'stream'] as const;
const RUNS = rounds(150);

const schemas = loadSchemas(bundledSchema(ENTRY_SCHEMA));
const defaults = await readDefaults(schemas, false, true);
const fast = createFiller(schemas, defaults, true);
const slow = createFiller(schemas, defaults, false);

const ajv = new Ajv2020({ useDefaults: true, allErrors: true, strict: false });
const truths = Object.fromEntries(
  ['content-item', 'contract', 'emoji'].map((name) => {
    const schema = JSON.parse(readFileSync(bundledSchema(`${name}.schema.json`), 'utf8'));
    return [name, ajv.compile(schema)];
  }),
);
const CONTENT_TYPES = ['Article', 'Discussion', 'LiveDiscussion', 'QAndADiscussion', 'Comment'];

/** What Ajv makes of a payload; its value as it is, and no verdict, where it is of no kind. */
function truth(text: string): { value: unknown; valid: boolean } {
  const value = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return { value, valid: false };
  const type = value['@type'];
  const kind = CONTENT_TYPES.includes(type)
    ? 'content-item'
    : type === 'Contract'
      ? 'contract'
      : Object.hasOwn(value, 'emoji')
        ? 'emoji'
        : null;
  return { valid: kind !== null && truths[kind]!(value), value };
}

const text = fc.oneof(fc.constantFrom('x', 'é 😀 "/\\', '\u2028'), fc.string({ minLength: 1, maxLength: 5 }));
/** Members that no schema knows, some of them called as members are elsewhere. */
const others = fc.dictionary(
  fc.constantFrom('x', 'a/b', '', '@type ', 'publishStatus', '1', '~', 'é', '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 2 },
);

function reference(type: string, ids: fc.Arbitrary<unknown> = text): fc.Arbitrary<object> {
  const model = { '@id': ids, '@type': fc.constant(type) };
  const whole = fc.record(model, { requiredKeys: ['@id'] });
  const partial = fc.record(model, { requiredKeys: [] });
  const more = fc.tuple(whole, others).map(([one, other]) => ({ ...other, ...one }));
  return fc.oneof({ weight: 5, arbitrary: whole }, partial, more);
}

const any = fc.jsonValue({ maxDepth: 1 });
/** Now and then there is something else. */
const mostly = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary }, { weight: 1, arbitrary: any });

function members(known: Record<string, fc.Arbitrary<unknown>>, ...optional: string[]): fc.Arbitrary<object> {
  const model = Object.fromEntries(Object.entries(known).map(([name, one]) => [name, mostly(one)]));
  const needed = Object.keys(known).filter((name) => !optional.includes(name));
  const whole = fc.record(model, { requiredKeys: needed });
  const partial = fc.record(model, { requiredKeys: needed.slice(0, 1) });
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: partial }), others)
    .map(([one, more]) => ({ ...more, ...one }));
}

const content = members(
  {
    '@type': fc.constantFrom(...CONTENT_TYPES),
    '@id': text,
    application: reference('Application'),
    author: fc.record({ '@id': text, '@type': fc.constantFrom('Worker', 'ServiceUser') }),
    content: text,
    publishStatus: reference('PublishStatus', fc.constantFrom('Published', 'Unpublished')),
    moderationStatus: reference('ModerationStatus', fc.constantFrom('PassedModeration')),
    minAge: fc.nat(120),
    category: reference('Category'),
    thumbnail: reference('Thumbnail'),
  },
  'minAge',
  'category',
  'thumbnail',
);
const date = fc.constant('2024-01-01T00:00:00Z');
const contract = members(
  {
    '@type': fc.constant('Contract'),
    name: text,
    startDate: date,
    endDate: date,
    effectiveDate: date,
    active: fc.boolean(),
    contactName: text,
    coverage: members({
      '@type': text,
      customer: reference('Customer'),
      applicationCoverage: reference('Application'),
      monthlyCounsellingHours: fc.nat(90),
      monthlyIandPHours: fc.nat(90),
      monthlyDynamicModerationHours: fc.nat(90),
      minAge: fc.integer({ min: 1, max: 20 }),
      maxAge: fc.integer({ min: 20, max: 99 }),
      faceToFace: fc.boolean(),
      subLocation: fc.array(reference('Place'), { maxLength: 3 }),
    }),
    customer: reference('Customer'),
  },
  'active',
  'customer',
);
const emoji = members({ emoji: text, '@context': text, '@type': text });
const payload = fc.oneof(
  { weight: 4, arbitrary: content },
  { weight: 3, arbitrary: contract },
  { weight: 1, arbitrary: emoji },
  { weight: 1, arbitrary: any },
);

/** A payload's text in a source, and whether it is one that may be filled in. */
interface Piece {
  readonly text: string;
  readonly start: number;
  readonly sound: boolean;
}

interface Source {
  readonly framing: Framing;
  readonly bytes: Buffer;
  readonly pieces: readonly Piece[];
}

const BETWEEN = {
  lines: ['\n', '\n', '\r\n', '\n\n', '\n \t\r\n\n'],
  json: [',', ', ', '\n,\n', ',\r\n\t'],
  stream: ['\n', ' ', '\n\n\n', ''],
};
/** What makes a line malformed. */
const SPOILT = [' x', '}', ' {}', ',', '"', '\u0000', '\u00a0'];
const MALFORMED = ['{"@type":"Article"', '{"@type":"Contract",}', 'nul', '01', '{"publishStatus":{}', '"\\x"'];
const ENDS = { lines: ['', '\n', '\r\n', '\n\n'], json: ['', '\n', ' \n\n'], stream: ['', '\n', '\n\n'] };

/** A source in which payloads are laid out and spelled as the choices say. */
function sourceOf(framing: Framing, values: readonly unknown[], choices: Choices): Source {
  let source = choices.pick(['', '', '\ufeff']);
  const pieces: Piece[] = [];
  if (framing === 'json') source += choices.pick(['[', '\n[ ', ' [\r\n']);
  for (const [i, value] of values.entries()) {
    if (i > 0) source += choices.pick(BETWEEN[framing]);
    if (framing === 'lines' && choices.next(12) === 11)
      source += `${choices.pick(MALFORMED)}${choices.pick(BETWEEN.lines)}`;
    const before = choices.doubled;
    const twice = choices.next(8) === 7;
    const written = randomText(shuffled(value, choices), choices, framing !== 'lines', twice);
    const spoilt = framing === 'lines' && choices.next(12) === 11 ? choices.pick(SPOILT) : '';
    const sound = choices.doubled === before && spoilt === '';
    pieces.push({ text: written, start: Buffer.byteLength(source), sound });
    source += written + spoilt;
    // Numbers and words need something between them.
    if (framing === 'stream' && !/[}\]"]$/.test(written)) source += ' ';
  }
  if (framing === 'json') source += choices.pick([']', ' ]', '\n]']);
  // What is malformed at the end ends the source, and takes nothing with it.
  if (choices.next(12) === 11) source += framing === 'json' ? ' x' : `\n${choices.pick(MALFORMED)}`;
  source += choices.pick(ENDS[framing]);
  return { framing, bytes: Buffer.from(source), pieces };
}

const sources = (framing: Framing): fc.Arbitrary<Source> =>
  fc
    .tuple(fc.array(payload, { minLength: 1, maxLength: 5 }), fc.uint8Array({ maxLength: 200 }))
    .map(([values, bytes]) => sourceOf(framing, values, new Choices(bytes)));

/** Holds what filling made of a source against Ajv, payload by payload. */
function judge({ bytes, pieces }: Source, filled: Filled): void {
  expect(filled.bytes.equals(withInsertions(bytes, filled.insertions))).toBe(true);
  let seen = 0;
  let valid = 0;
  for (const piece of pieces) {
    const end = piece.start + Buffer.byteLength(piece.text);
    const own = filled.insertions.filter(({ offset }) => offset > piece.start && offset < end);
    seen += own.length;
    if (!piece.sound) expect(own).toEqual([]);
    else {
      const inside = own.map((edit) => ({ ...edit, offset: edit.offset - piece.start }));
      const after = withInsertions(Buffer.from(piece.text), inside).toString();
      const expected = truth(piece.text);
      expect(JSON.parse(after)).toEqual(expected.value);
      valid += Number(expected.valid);
    }
  }
  expect(seen).toBe(filled.insertions.length);
  expect(filled.valid).toBe(valid);
}

describe.each(FRAMINGS)('in %s', (framing) => {
  it('what is inserted is what Ajv fills in, and nothing else is touched', async () => {
    let accepted = 0;
    let inserted = 0;
    await fc.assert(
      fc.asyncProperty(sources(framing), async (source) => {
        const filled = await fast(source.bytes, { framing });
        judge(source, filled);
        if (filled.insertions.length > 0) accepted += filled.accepted;
        inserted += filled.insertions.length;
      }),
      seededUnlessAll(RUNS),
    );
    // It was worth it, and the fast way was taken as well.
    expect(inserted).toBeGreaterThan(RUNS / 2);
    expect(accepted).toBeGreaterThan(RUNS / 10);
  });

  it('filled twice is filled once', async () => {
    await fc.assert(
      fc.asyncProperty(sources(framing), async ({ bytes }) => {
        const once = await fast(bytes, { framing });
        const twice = await fast(once.bytes, { framing });
        expect(twice.insertions).toEqual([]);
        expect(twice.bytes.equals(once.bytes)).toBe(true);
        expect([twice.payloads, twice.valid]).toEqual([once.payloads, once.valid]);
      }),
      { numRuns: RUNS },
    );
  });

  it('every way makes the same edits', async () => {
    await fc.assert(
      fc.asyncProperty(sources(framing), fc.integer({ min: 1, max: 400 }), async ({ bytes }, chunk) => {
        const one = await slow(bytes, { framing });
        const told = { ...one, accepted: 0, places: [] };
        expectSame({ ...(await fast(bytes, { framing })), accepted: 0 }, told);
        expectSame({ ...(await fast(bytes, { framing, chunk })), accepted: 0 }, told);
        expectSame(await slow(bytes, { framing, chunk }), told);
        const placed = await fast(bytes, { framing, chunk, wantsFills: true });
        expectSame({ ...placed, accepted: 0, places: [] }, told);
        expect(placed.places.map(({ pointer }) => pointer.replace(/\/\d+(?=\/|$)/g, '')).length).toBe(
          Object.values(one.members).reduce((sum, count) => sum + count, 0),
        );
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  });
});

describe.each(LAYOUTS.map((layout) => [layout.name, layout] as const))('laid out: %s', (_, layout) => {
  it.each([
    ['alone', false],
    ['in an array', true],
  ])('a payload %s is filled as if it had been written so', async (_name, inArray) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(content, contract), async (value) => {
        const wrap = (one: unknown): unknown => (inArray ? [value, one, { emoji: 1 }] : one);
        const expected = truth(JSON.stringify(value)).value;
        const after = inArray ? [expected, expected, { emoji: 1 }] : expected;
        for (const filler of [fast, slow]) {
          const { bytes } = await filler(Buffer.from(textIn(layout, wrap(value))), { framing: 'json' });
          expect(bytes.toString()).toBe(textIn(layout, after));
        }
      }),
      { numRuns: Math.ceil(RUNS / 5) },
    );
  });
});
