/**
 * Whole sources through the flow: with the fast engine and without it, and however their bytes come in, the same violations
 * (with their places and excerpts), the same counts and lines, and the same bytes where defaults are filled in.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Random, seeded } from '../../scripts/mutations/mutate.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { readDefaults } from '../../src/repair/defaults.ts';
import type { DefaultMap } from '../../src/repair/wanted-defaults.ts';
import { type LoadedSchemas, loadSchemas } from '../../src/schema/load.ts';
import type { Framing, Hidden } from '../../src/types.ts';
import {
  allAtOnce,
  type Checker,
  createChecker,
  randomSizes,
  randomSource,
  type Said,
  type Setting,
  type Sizes,
  type SourceOptions,
  VALID,
} from '../flow-world.ts';
import { times } from '../rounds.ts';

const FRAMINGS = ['lines', 'json', 'stream'] as const;

const entrySchema = loadSchemas(bundledSchema(ENTRY_SCHEMA));
const defaults = await readDefaults(entrySchema, false, true);
/** A schema for which bare numbers, words and strings are payloads. */
const scalars = load({
  type: ['string', 'number', 'boolean', 'null', 'array'],
  maxLength: 5,
  maximum: 100,
  maxItems: 3,
});

function load(schema: unknown): LoadedSchemas {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-test-'));
  try {
    writeFileSync(join(folder, 'scalars.json'), JSON.stringify(schema));
    return loadSchemas(join(folder, 'scalars.json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Pair {
  readonly fast: Checker;
  readonly slow: Checker;
}

const pairs = new Map<string, Pair>();
function pairFor(setting: Setting): Pair {
  const { schemas, maxDepth, maxBytes } = setting;
  const key = JSON.stringify([schemas.entry.name, setting.defaults !== null, maxDepth, maxBytes]);
  let pair = pairs.get(key);
  if (pair === undefined) {
    pair = { fast: createChecker(setting, true), slow: createChecker(setting, false) };
    pairs.set(key, pair);
  }
  return pair;
}

const roomy = (schemas: LoadedSchemas, filled: DefaultMap | null = null): Setting => ({
  schemas,
  maxDepth: 1000,
  maxBytes: 64 << 20,
  defaults: filled,
});

type Way = readonly [checker: Checker, sizes: Sizes];

/** Checks a source in all of `ways`, which must say the same as the slow engine does of all bytes at once. */
async function checkAll(slow: Checker, ways: readonly Way[], bytes: Buffer, options: SourceOptions): Promise<Said> {
  const truth = await slow.check(bytes, options, allAtOnce);
  for (const [way, [checker, sizes]] of ways.entries()) {
    const said = await checker.check(bytes, options, sizes);
    if (JSON.stringify(said) === JSON.stringify(truth)) continue;
    const hint = { way, options, source: bytes.toString('latin1', 0, 10_000) };
    const at = said.found.findIndex((one, i) => JSON.stringify(one) !== JSON.stringify(truth.found[i]));
    expect({ ...hint, ...around(said, at) }).toEqual({ ...hint, ...around(truth, at) });
  }
  return truth;
}

/** What is said from the first difference on, but not all of it: large sources have much to say. */
function around({ found, filled, ...others }: Said, at: number): object {
  return {
    ...others,
    found: found.slice(at).slice(0, 4),
    filled: filled?.text.slice(0, 10_000),
    members: filled?.members,
  };
}

/** The rules of each payload's violations, in no particular order; other findings may be between them. */
function rulesOf({ found }: Said): unknown[] {
  const groups: unknown[] = [];
  let rules: string[] = [];
  for (const one of found as readonly { violation?: Hidden }[]) {
    const { violation } = one;
    if (violation !== undefined) rules.push(`${violation.rule} ${violation.fixable}`);
    else {
      groups.push(rules.sort(), one);
      rules = [];
    }
  }
  return groups;
}

const waysOf = ({ fast, slow }: Pair, random: Random): Way[] => [
  [fast, allAtOnce],
  [fast, randomSizes(random, 10)],
  [fast, randomSizes(random, 500)],
  [slow, randomSizes(random, 100)],
];

/** Most kinds are to be found out, and most limits are wide. */
function randomSetting(framing: Framing, random: Random): { options: SourceOptions; limits: object } {
  const limits = [{}, {}, {}, { maxDepth: 2, maxBytes: 600 }, { maxDepth: 1, maxBytes: 40 }];
  const options = {
    framing: random(5) === 0 ? null : framing,
    kind: random(5) === 0 ? ['content', 'contract', 'emoji'][random(3)]! : null,
    whole: random(10) === 0,
    redact: random(10) === 0,
    wantsFills: random(2) === 0,
    excerpts: random(2) === 0,
    ...(random(10) === 0 ? { failsAfter: random(3000) } : {}),
  };
  return { options, limits: limits[random(limits.length)]! };
}

async function checkRandom(
  framing: Framing,
  seed: number,
  setting: Setting,
  kind?: null,
): Promise<{ said: Said; bytes: Buffer }> {
  const random = seeded(seed);
  const { options, limits } = randomSetting(framing, random);
  const pair = pairFor({ ...setting, ...limits });
  const bytes = randomSource(framing, random);
  const ways = waysOf(pair, random);
  return { said: await checkAll(pair.slow, ways, bytes, kind === null ? { ...options, kind } : options), bytes };
}

describe.each(FRAMINGS)('random sources in %s are the same in all ways', (framing) => {
  it('whatever is wrong with them', async () => {
    const rules = new Set<string>();
    let payloads = 0;
    for (let seed = 1; seed <= times(240, 120); seed++) {
      const { said } = await checkRandom(framing, seed, roomy(entrySchema));
      for (const rule of JSON.stringify(said.found).matchAll(/"rule":"([^"]*)"/g)) rules.add(rule[1]!);
      for (const count of Object.values(said.counts)) payloads += count;
    }
    // The sources were worth it.
    expect(payloads).toBeGreaterThan(times(600, 300));
    const builtin = ['json-syntax', 'json-encoding', 'duplicate-member', 'unknown-kind', 'payload-too-large'];
    expect([...rules]).toEqual(expect.arrayContaining([...builtin, 'nested-too-deep', 'required', 'type', 'enum']));
  });

  it('where they are only counted', async () => {
    for (let seed = 3001; seed <= 3000 + times(100, 50); seed++) {
      const random = seeded(seed);
      const setting = random(2) === 0 ? roomy(entrySchema) : roomy(entrySchema, defaults);
      const { options, limits } = randomSetting(framing, random);
      const pair = pairFor({ ...setting, ...limits });
      const bytes = randomSource(framing, random);
      const detailed = await pair.slow.check(bytes, options, allAtOnce);
      const counted = await checkAll(pair.slow, waysOf(pair, random), bytes, { ...options, countsOnly: true });
      expect(rulesOf(counted)).toEqual(rulesOf(detailed));
      expect({ ...counted, found: [] }).toEqual({ ...detailed, found: [] });
      // No more is found out than that.
      expect(JSON.stringify(counted.found)).not.toContain('"endLine"');
    }
  });

  it('where payloads are not objects', async () => {
    for (let seed = 1001; seed <= 1000 + times(100, 50); seed++) await checkRandom(framing, seed, roomy(scalars), null);
  });

  it('where defaults are filled in', async () => {
    let members = 0;
    for (let seed = 2001; seed <= 2000 + times(100, 50); seed++) {
      const { said, bytes } = await checkRandom(framing, seed, roomy(entrySchema, defaults));
      const { filled, lineFeeds } = said;
      for (const count of Object.values(filled!.members)) members += count;
      if (lineFeeds >= 0 && Object.keys(filled!.members).length === 0)
        expect(filled!.text).toBe(bytes.toString('latin1'));
    }
    expect(members).toBeGreaterThan(times(150, 50));
  });
});

const VALID_EMOJI = '{"@context":"é","@type":"t","emoji":"\u{1f600}"}';
const BAD_EMOJI = '{"@context":"é","@type":"t","emoji":5,"x":{"a":1,"a":2}}';
const MARK = '\ufeff';

/** Small, with everything at which a chunk could end. */
const SMALL: readonly (readonly [framing: Framing, text: string])[] = [
  [
    'lines',
    `${MARK}${VALID_EMOJI}\r\n\n  ${BAD_EMOJI} \t\r\n${VALID_EMOJI} \n{"emoji":\n"\\u00e9\\n\xff"}\n${VALID_EMOJI}`,
  ],
  ['lines', `\n\n${VALID_EMOJI}\n \r\n[1,"\\"",null]\n${'x'.repeat(70)}\n${VALID_EMOJI}\n{"emoji":"\u{1f600}`],
  ['json', `${MARK} [ ${VALID_EMOJI},\n${BAD_EMOJI}\n ,${VALID_EMOJI} , 12.5e1 , tru, "\\\\\\"é",${VALID_EMOJI}\n]\n`],
  ['json', `[${VALID_EMOJI},${VALID_EMOJI},1x,${VALID_EMOJI}, ,${VALID_EMOJI}]`],
  ['json', `\n{"@context":"\\ud83d\\ude00",\n"@type":"\u{1f600}",\n"emoji":{"a":[{}]}}\n\n[]`],
  ['json', `[${VALID_EMOJI}${VALID_EMOJI}`],
  ['json', `[${VALID_EMOJI} \u{1f600}]`],
  ['json', `${VALID_EMOJI} \xff\n\n\n`],
  ['stream', `${MARK}${VALID_EMOJI}${VALID_EMOJI}\n\n${BAD_EMOJI}"é"12 [\n{"emoji":\n5}\n]nul ${VALID_EMOJI}`],
  [
    'stream',
    `${VALID_EMOJI}\n\u001e${VALID_EMOJI}\n\u001e{"emoji":\n5}\n\u001e\u001e ${VALID_EMOJI.slice(0, 9)}\u001e${VALID_EMOJI}`,
  ],
  ['stream', `${VALID_EMOJI} : ${VALID_EMOJI}`],
];

describe.each(SMALL)('a small source in %s is the same', (framing, text) => {
  // In the texts, \xff is a byte that is not UTF-8.
  const bytes = Buffer.from(text);
  const spoiled = text.indexOf('\xff') < 0 ? -1 : Buffer.from(text.slice(0, text.indexOf('\xff'))).length;
  if (spoiled >= 0) bytes[spoiled] = 0x80;

  it.each([framing, null])('cut in two at every byte, and byte by byte; framing: %s', async (given) => {
    const settings = [
      roomy(entrySchema),
      { ...roomy(entrySchema), maxBytes: 60 },
      roomy(scalars),
      roomy(entrySchema, defaults),
    ];
    for (const [i, setting] of settings.entries()) {
      const { fast, slow } = pairFor(setting);
      const cuts = Array.from({ length: bytes.length + 1 }, (_, cut): Way => {
        let next = cut;
        const sizes = (): number => {
          const size = next === 0 ? bytes.length : next;
          next = 0;
          return size;
        };
        return [fast, sizes];
      });
      // Outside CI each setting has every third cut, and all of them every one.
      const some = cuts.filter((_, cut) => (cut + i) % times(1, 3) === 0);
      const ways: Way[] = [[fast, allAtOnce], [fast, () => 1], [slow, () => 1], [fast, () => 3], ...some];
      await checkAll(slow, ways, bytes, { framing: given, wantsFills: true, excerpts: true });
      await checkAll(slow, ways, bytes, { framing: given, excerpts: false });
    }
  });
});

describe('large sources', () => {
  const compact = VALID.filter((payload) => !payload.includes(0x0a));
  const line = (seed: number): Buffer => compact[seeded(seed)(compact.length)]!;
  /** What never ends before the window does, and is wrong in the middle of a line. */
  const long = Buffer.from(`{"emoji":"${'é'.repeat(700_000)}","x":[1,\n\n2],"y":"${'-'.repeat(100_000)}"}`);

  it.each(FRAMINGS)('in %s, whose payloads are larger than a window, too', async (framing) => {
    const payloads = Array.from({ length: 1600 }, (_, i) => (i === 777 || i === 778 ? long : line(i)));
    const invalid = Buffer.from(BAD_EMOJI);
    for (let i = 0; i < payloads.length; i += 97) payloads[i] = invalid;
    const between = { lines: '\n', json: ',', stream: '' }[framing];
    const parts = payloads.flatMap((payload) => [Buffer.from(between), payload]).slice(1);
    const brackets = framing === 'json' ? ['[', ']'] : ['', ''];
    const bytes = Buffer.concat([Buffer.from(brackets[0]!), ...parts, Buffer.from(brackets[1]!)]);
    const pair = pairFor(roomy(entrySchema, defaults));
    const ways: Way[] = [
      [pair.fast, allAtOnce],
      [pair.fast, randomSizes(seeded(1), 1 << 16)],
      [pair.fast, randomSizes(seeded(2), 1 << 21)],
      // Another window, which has not grown yet.
      [createChecker(roomy(entrySchema, defaults), true), () => 4096],
    ];
    const said = await checkAll(pair.slow, ways, bytes, { framing });
    expect(said.found.length).toBeGreaterThan(16);
  });

  it('whose payloads are all wrong go through untouched, in bounded memory', async () => {
    const bytes = Buffer.from(`[${`"${'-'.repeat(97)}",`.repeat(16_000)}"the last"]`);
    const checker = createChecker(roomy(entrySchema, defaults), true);
    for (const sizes of [randomSizes(seeded(1), 100_000), allAtOnce]) {
      const { counts, filled } = await checker.check(bytes, { framing: null }, sizes);
      expect(counts).toEqual({ 'null invalid': 16_001 });
      expect(filled!.text === bytes.toString('latin1')).toBe(true);
    }
    // A chunk, and what it begins with.
    expect(checker.memory()).toBeLessThan(1.3 * (1 << 20));
  });

  it('are judged by the same bytes, whatever comes with them', async () => {
    // An array that is longer than what is looked at, and another one, which is not.
    const text = `[${VALID_EMOJI},"${'-'.repeat(100_000)}"]\n[${VALID_EMOJI}]\n`;
    const { fast, slow } = pairFor(roomy(entrySchema));
    const ways: Way[] = [fast, slow].flatMap((checker) => [
      [checker, allAtOnce],
      [checker, () => 1000],
      [checker, () => 65_536],
      [checker, () => 65_537],
    ]);
    await checkAll(slow, ways, Buffer.from(text), { framing: null });
  });
});

describe('the fast way', () => {
  it.each(FRAMINGS)('is that of nearly all valid payloads in %s', async (framing) => {
    // As they come from programs: no odd spellings.
    const ordinary = VALID.map((payload) => JSON.stringify(JSON.parse(payload.toString())));
    const between = { lines: '\r\n', json: ' ,\n', stream: '\n' }[framing];
    const text = ordinary.join(between);
    const bytes = Buffer.from(framing === 'json' ? `[${text}]` : text);
    const { fast } = pairFor(roomy(entrySchema));
    for (const sizes of [allAtOnce, () => 300]) {
      fast.takeShare();
      await fast.check(bytes, { framing }, sizes);
      const { payloads, accepted, inRuns } = fast.takeShare();
      expect(payloads).toBe(ordinary.length);
      expect(accepted / payloads).toBeGreaterThan(0.95);
      // With all bytes at hand, hardly any must be cut out first.
      if (sizes === allAtOnce) expect(inRuns / payloads).toBeGreaterThan(0.95);
    }
  });

  it('is open to payloads of a given kind', async () => {
    const { fast } = pairFor(roomy(entrySchema));
    for (const [kind, share] of [
      ['emoji', 1],
      ['content', 0],
      ['contract', 0],
    ] as const) {
      fast.takeShare();
      await fast.check(Buffer.from(`${VALID_EMOJI}\n`.repeat(10)), { framing: 'lines', kind }, allAtOnce);
      expect(fast.takeShare()).toEqual({ payloads: 10, accepted: 10 * share, inRuns: 10 * share });
    }
  });

  it('is closed if nothing can be accepted', async () => {
    const { slow } = pairFor(roomy(entrySchema));
    slow.takeShare();
    await slow.check(Buffer.from(`${VALID_EMOJI}\n`.repeat(10)), { framing: 'lines' }, allAtOnce);
    expect(slow.takeShare()).toEqual({ payloads: 10, accepted: 0, inRuns: 0 });
  });
});
