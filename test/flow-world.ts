/**
 * A world for `checkSource` in tests: sources as bytes that come in chunks, random sources in each framing, and all that the
 * flow says of one.
 */
import { join } from 'node:path';
import { mutate, type Random } from '../scripts/mutations/mutate.ts';
import { fixturePayloads } from '../scripts/mutations/payloads.ts';
import { lazyAccept } from '../src/engine/accept.ts';
import { compileAcceptCode } from '../src/engine/compilers.ts';
import { plainEngine } from '../src/engine/plain.ts';
import { SourceError } from '../src/errors.ts';
import type { DefaultMap } from '../src/repair/wanted-defaults.ts';
import { checkSource } from '../src/run/check/check.ts';
import { budgetOf, NO_BUDGET } from '../src/run/check/flow.ts';
import { FillOutlet } from '../src/run/outlets/fill-outlet.ts';
import type { Pieces } from '../src/run/outlets/outlet.ts';
import type { LoadedSchemas } from '../src/schema/load.ts';
import type { ByteReader } from '../src/source/read-file.ts';
import { Window } from '../src/source/window.ts';
import type { FilledPlace, Framing } from '../src/types.ts';
import { WINDOW } from '../src/wasm/layout.ts';
import { RUN_OPTIONS } from './run-options.ts';
import { emitTo, sinkOf } from './sinks.ts';

/** All that the flow says of a source. */
export interface Said {
  /** Violations, invalid payloads, and how many of each kind were valid before them, in order. */
  readonly found: readonly unknown[];
  readonly lineFeeds: number;
  /** Payloads by kind and validity. */
  readonly counts: Readonly<Record<string, number>>;
  /** Where defaults are filled in: the source then, and members by pointer. */
  readonly filled: { readonly text: string; readonly members: Readonly<Record<string, number>> } | null;
}

export interface Checker {
  check(bytes: Buffer, options: SourceOptions, sizes: Sizes): Promise<Said>;
  /** Bytes of memory in which the sources lie. */
  memory(): number;
  /** Payloads since the last call, those of them that were accepted, and those accepted one after another, without being cut out first. */
  takeShare(): Share;
}

export interface Share {
  readonly payloads: number;
  readonly accepted: number;
  readonly inRuns: number;
}

export interface SourceOptions {
  readonly framing: Framing | null;
  readonly kind?: string | null;
  readonly whole?: boolean;
  readonly redact?: boolean;
  /** Code frames are wanted, for which some bytes are read ahead; true unless given. */
  readonly excerpts?: boolean;
  /** Violations are only counted. */
  readonly countsOnly?: boolean;
  /** Defaults are filled in, and each is wanted with its place. */
  readonly wantsFills?: boolean;
  /** Bytes after which reading fails. */
  readonly failsAfter?: number;
}

export interface Setting {
  readonly schemas: LoadedSchemas;
  readonly maxDepth: number;
  readonly maxBytes: number;
  /** Filled in; null: nothing is. */
  readonly defaults: DefaultMap | null;
}

/** Bytes in the next chunk. */
export type Sizes = () => number;
export const allAtOnce: Sizes = () => Number.MAX_SAFE_INTEGER;

/** Gives bytes in chunks. */
export class Chunks implements ByteReader {
  readonly progress: { bytes: number; readonly size: number | null };
  readonly #bytes: Buffer;
  readonly #sizes: Sizes;
  readonly #failsAfter: number;

  constructor(bytes: Buffer, sizes: Sizes, failsAfter: number) {
    this.#bytes = bytes.subarray(0, failsAfter);
    this.#sizes = sizes;
    this.#failsAfter = failsAfter;
    // Regular files say how large they are, pipes do not.
    this.progress = { bytes: 0, size: sizes === allAtOnce ? bytes.length : null };
  }

  async read(into: Uint8Array, at: number): Promise<number> {
    const from = this.progress.bytes;
    const count = Math.min(into.length - at, this.#sizes(), this.#bytes.length - from);
    if (from === this.#failsAfter) throw new SourceError('it fails');
    into.set(this.#bytes.subarray(from, from + count), at);
    this.progress.bytes += count;
    return count;
  }

  async close(): Promise<void> {}
}

/** A checker that has the fast engine, or (where `fast` is false) one that is sure of nothing. */
export function createChecker({ schemas, defaults, ...limits }: Setting, fast: boolean): Checker {
  const window = new Window();
  const load = async () => schemas;
  const wanted = { texts: defaults };
  const nothing = async () => compileAcceptCode(schemas, 'no such kind', defaults);
  const accept = fast ? lazyAccept(load, wanted, null) : nothing;
  // The slow one never gets code that notes violations, because that code accepts as well.
  const noting = fast ? {} : { noting: () => null };
  const schemaSource = { load, accept, ...noting, precompiled: null, defaults: wanted };
  const engine = plainEngine(schemaSource, { ...limits, redact: false }, window.memory);
  let share = { payloads: 0, accepted: 0, inRuns: 0 };
  const reader = async (givenKind: string | null) => {
    const made = await engine.reader(givenKind);
    const { read, isPlain } = Object.getPrototypeOf(made) as typeof made;
    return Object.assign(made, {
      read(...of: Parameters<typeof read>) {
        const verdict = read.apply(made, of);
        if (verdict === 'valid') share.inRuns--;
        return verdict;
      },
      isPlain: fast ? isPlain : () => false,
    });
  };

  async function check(bytes: Buffer, options: SourceOptions, sizes: Sizes): Promise<Said> {
    const {
      framing,
      kind = null,
      whole = false,
      redact = false,
      excerpts = true,
      failsAfter = Number.MAX_SAFE_INTEGER,
    } = options;
    const found: unknown[] = [];
    const counts: Record<string, number> = {};
    const count = (of: string | null, valid: boolean, payloads: number): void => {
      const name = `${of} ${valid ? 'valid' : 'invalid'}`;
      counts[name] = (counts[name] ?? 0) + payloads;
      share.payloads += payloads;
    };
    const filling = defaults === null ? null : new Filling(found);
    window.reset(new Chunks(bytes, sizes, failsAfter));
    const source = { name: 'it', path: null, regular: false, framing: null, kind };
    const budget = options.countsOnly === true ? budgetOf(0, true) : NO_BUDGET;
    const runOptions = { ...RUN_OPTIONS, ...limits, framing, whole, redact, excerpts, budget };
    const sink = sinkOf(
      (statement, place, extra) =>
        found.push({ violation: { ...place, ...statement }, excerpt: extra?.excerpt ?? null }),
      {
        hint: ({ text }) => {
          // The only one about sources of one framing.
          if (!text.startsWith('--whole ')) throw new Error(text);
        },
        hidden: ({ rule, fixable, count: times }) => {
          for (let i = 0; i < times; i++) found.push({ violation: { rule, fixable: fixable > i } });
        },
        payload: ({ kind: of, valid }) => {
          count(of, valid, 1);
          // Valid payloads may be counted before invalid ones that they follow.
          if (!valid) found.push({ invalid: of });
        },
        accepted: ({ kind: of, count: times }) => {
          count(of, true, times);
          share.accepted += times;
          share.inRuns += times;
        },
      },
      async () => filling?.flush(),
    );
    const own = { repairs: ['fill'], values: true, members: options.wantsFills === true } as const;
    const spec = { type: 'fill', bytes: true, edits: false, ...own } as const;
    const outlet = filling === null ? null : new FillOutlet({ source, window, pieces: filling }, spec);
    const flow = { window, engine: { ...engine, reader }, options: runOptions, sink, outlet };
    const end = checkSource(source, flow);
    const { lines: lineFeeds } = await end.catch((error) => {
      if (!(error instanceof SourceError)) throw error;
      found.push(error.message);
      return { lines: -1 };
    });
    return { found, lineFeeds, counts: sorted(counts), filled: filling?.result() ?? null };
  }

  return {
    check,
    memory: () => window.memory.buffer.byteLength - WINDOW,
    takeShare() {
      const taken = share;
      share = { payloads: 0, accepted: 0, inRuns: 0 };
      return taken;
    },
  };
}

const sorted = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Gathers the source as it is filled in. */
class Filling implements Pieces {
  readonly #found: unknown[];
  /** Taken no sooner than they must be: until the next flush they are good. */
  #chunks: Uint8Array[] = [];
  #text = '';
  readonly #members: Record<string, number> = {};

  constructor(found: unknown[]) {
    this.#found = found;
  }

  bytes(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  flush(): void {
    for (const chunk of this.#chunks) this.#text += Buffer.from(chunk).toString('latin1');
    this.#chunks = [];
  }

  readonly emit = emitTo({
    changed: ({ pattern, count }) => {
      this.#members[pattern] = (this.#members[pattern] ?? 0) + count;
    },
    change: ({ place }) => this.#found.push(place as FilledPlace), // nothing is removed
  });

  result(): NonNullable<Said['filled']> {
    this.flush();
    return { text: this.#text, members: sorted(this.#members) };
  }
}

const FIXTURES = fixturePayloads(join(import.meta.dirname, '../fixtures')).filter(({ bytes }) => bytes.length > 0);
export const VALID = FIXTURES.filter(({ file }) => /^\w+\/valid\//.test(file)).map(({ bytes }) => bytes);
const INVALID = FIXTURES.filter(({ file }) => file.includes('invalid')).map(({ bytes }) => bytes);
const SCALARS = ['1', '-0.5', '1e2', '99', '100', '"a"', '"\\u00e9"', '"abcdefgh"', 'true', 'null', 'tru', '01', '1x'];
const PIECES = [...SCALARS, '[]', '[1]', '[[[1]]]', '{}', '{"emoji":1}', '"', '{', '}', ']', ',', ':', '{"a":"\ud83d'];

const pick = <T>(items: readonly T[], random: Random): T => items[random(items.length)]!;
const chance = (percent: number, random: Random): boolean => random(100) < percent;

/** Most often a valid one of the fixtures; else one that is not, a mutation, or a scrap. */
function randomPayload(random: Random): Buffer {
  const percent = random(100);
  if (percent < 60) return pick(VALID, random);
  if (percent < 75) return pick(INVALID, random);
  if (percent < 88) return mutate(pick(VALID, random), random);
  return Buffer.from(pick(PIECES, random));
}

const BLANKS = ['', '', '', ' ', '  \t', '\r', ' '.repeat(40)];
const SPACES = [...BLANKS, '\n', '\r\n    ', '\n'.repeat(17)];

function randomLines(random: Random): (Buffer | string)[] {
  const parts: (Buffer | string)[] = [];
  for (let count = random(12); count > 0; count--) {
    const payload = randomPayload(random);
    const isLong = chance(97, random);
    parts.push(pick(BLANKS, random), isLong ? oneLine(payload) : payload, pick(BLANKS, random));
    if (count > 1 || chance(70, random)) parts.push(pick(['\n', '\n', '\r\n', '\n\n', '\n \r\n\t\n'], random));
  }
  return parts;
}

/** Most payloads are on one line; a pretty one becomes so. */
function oneLine(payload: Buffer): Buffer {
  const copy = Buffer.from(payload);
  for (let i = 0; i < copy.length; i++) if (copy[i] === 0x0a) copy[i] = 0x20;
  return copy;
}

function randomDocument(random: Random): (Buffer | string)[] {
  if (chance(15, random)) return [pick(SPACES, random), randomPayload(random), pick(SPACES, random)];
  const parts: (Buffer | string)[] = [pick(SPACES, random), '['];
  const compact = chance(40, random);
  const space = (): string => (compact ? '' : pick(SPACES, random));
  for (let count = random(10); count > 0; count--) {
    parts.push(space(), randomPayload(random), space());
    if (count > 1) parts.push(chance(97, random) ? ',' : pick(['', ',,', ', ]', ';', ':', '}'], random));
  }
  parts.push(space(), pick([']', ']', ']', ']', ']', ',]', '', ']]', '] x', '}'], random), pick(SPACES, random));
  return parts;
}

function randomStream(random: Random): (Buffer | string)[] {
  const records = random(4);
  const parts: (Buffer | string)[] = [];
  for (let count = random(10); count > 0; count--) {
    // Record separators all the time, now and then, or never.
    if (records === 0 || (records === 1 && chance(10, random))) parts.push('\u001e');
    parts.push(pick(SPACES, random), randomPayload(random), pick(['', '\n', ' ', '\n\n', ' , '], random));
  }
  return parts;
}

const SOURCES = { lines: randomLines, json: randomDocument, stream: randomStream };

/** Bytes that look like a source in this framing; often there is something wrong with them. */
export function randomSource(framing: Framing, random: Random): Buffer {
  let bytes = Buffer.concat(SOURCES[framing](random).map((part) => Buffer.from(part)));
  if (chance(15, random)) bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
  if (chance(15, random)) bytes = bytes.subarray(0, random(bytes.length + 1));
  if (chance(15, random) && bytes.length > 0) {
    bytes = Buffer.from(bytes);
    bytes[random(bytes.length)] = pick([0x80, 0xc3, 0xe2, 0xf0, 0xff, 0x00], random);
  }
  return chance(1, random) ? Buffer.from(bytes.toString(), 'utf16le') : bytes;
}

/** Chunks of up to `most` bytes. */
export const randomSizes =
  (random: Random, most: number): Sizes =>
  () =>
    1 + random(most);
