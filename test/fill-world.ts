/**
 * A world for filling in tests: bytes in, in chunks; out come the bytes as they are filled, every edit, and what is said of them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { lazyAccept } from '../src/engine/accept.ts';
import { compileAcceptCode } from '../src/engine/compilers.ts';
import { plainEngine } from '../src/engine/plain.ts';
import type { ByteEdit } from '../src/json/edits.ts';
import { readDefaults } from '../src/repair/defaults.ts';
import type { DefaultMap } from '../src/repair/wanted-defaults.ts';
import { checkSource } from '../src/run/check/check.ts';
import { FillOutlet } from '../src/run/outlets/fill-outlet.ts';
import type { Pieces } from '../src/run/outlets/outlet.ts';
import { type LoadedSchemas, loadSchemas } from '../src/schema/load.ts';
import type { ByteReader } from '../src/source/read-file.ts';
import { Window } from '../src/source/window.ts';
import type { FilledPlace, Framing, Source, Violation } from '../src/types.ts';
import { RUN_OPTIONS } from './run-options.ts';
import { emitTo, sinkOf } from './sinks.ts';

/** All that comes of filling a source. */
export interface Filled {
  readonly bytes: Buffer;
  readonly insertions: readonly ByteEdit[];
  /** By pointer pattern. */
  readonly members: Readonly<Record<string, number>>;
  /** Every member with its place, where that was asked for. */
  readonly places: readonly FilledPlace[];
  readonly violations: readonly Violation[];
  /** How many payloads there were, how many of them were valid, and how many were seen so without being examined. */
  readonly payloads: number;
  readonly valid: number;
  readonly accepted: number;
}

export interface FillOptions {
  readonly framing: Framing;
  readonly kind?: string | null;
  /** Bytes that come at once. */
  readonly chunk?: number;
  readonly wantsFills?: boolean;
}

export type Filler = (bytes: Uint8Array, options: FillOptions) => Promise<Filled>;

const FILL = { type: 'fill', repairs: ['fill'], values: true } as const;

/** `fast`: with the acceptor; else with one that knows no kind. */
export function createFiller(schemas: LoadedSchemas, defaults: DefaultMap, fast: boolean, maxBytes = 64 << 20): Filler {
  const window = new Window();
  const load = async (): Promise<LoadedSchemas> => schemas;
  const nothing = async () => compileAcceptCode(schemas, 'no such kind', defaults);
  const wanted = { texts: defaults };
  const accept = fast ? lazyAccept(load, wanted, null) : nothing;
  const limits = { ...RUN_OPTIONS, maxBytes };
  const engine = plainEngine({ load, accept, precompiled: null, defaults: wanted }, limits, window.memory);
  return async (bytes, { framing, kind = null, chunk = 1 << 30, wantsFills = false }) => {
    const pieces: Buffer[] = [];
    const insertions: ByteEdit[] = [];
    const members: Record<string, number> = {};
    const places: FilledPlace[] = [];
    const violations: Violation[] = [];
    const counts = { payloads: 0, valid: 0, accepted: 0 };
    const sink = sinkOf((statement, place) => violations.push({ ...place, ...statement }), {
      payload: ({ valid }) => {
        counts.payloads++;
        counts.valid += Number(valid);
      },
      accepted: ({ count }) => {
        counts.payloads += count;
        counts.valid += count;
        counts.accepted += count;
      },
    });
    const made: Pieces = {
      bytes: (piece) => pieces.push(Buffer.from(piece)),
      emit: emitTo({
        edit: ({ edit }) => insertions.push({ ...edit, bytes: Buffer.from(edit.bytes) }),
        change: ({ place }) => places.push(place as FilledPlace), // nothing is removed
        changed: ({ pattern, count }) => {
          members[pattern] = (members[pattern] ?? 0) + count;
        },
      }),
    };
    const source: Source = { name: 'it', path: null, regular: false, framing, kind };
    window.reset(chunks(Buffer.from(bytes), chunk));
    const spec = { ...FILL, bytes: true, edits: true, members: wantsFills } as const;
    const outlet = new FillOutlet({ source, window, pieces: made }, spec);
    await checkSource(source, { window, engine, options: { ...limits, framing }, sink, outlet });
    return { bytes: Buffer.concat(pieces), insertions, members, places, violations, ...counts };
  };
}

function chunks(bytes: Buffer, size: number): ByteReader {
  const progress = { bytes: 0, size: bytes.length };
  return {
    progress,
    async read(into, at) {
      const count = Math.min(into.length - at, size, bytes.length - progress.bytes);
      into.set(bytes.subarray(progress.bytes, progress.bytes + count), at);
      progress.bytes += count;
      return count;
    },
    async close() {},
  };
}

/** The schemas of a plain schema, or of the entry schema of several files, and their defaults. */
export async function loadForFilling(
  schema: unknown,
  deep = false,
  others: Readonly<Record<string, unknown>> = {},
): Promise<{ schemas: LoadedSchemas; defaults: DefaultMap }> {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-fill-'));
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  try {
    for (const [name, content] of Object.entries(others)) write(name, content);
    write('own.json', schema);
    const schemas = loadSchemas(join(folder, 'own.json'));
    return { schemas, defaults: await readDefaults(schemas, deep, false) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `source` with the insertions put in: the plainest way to do it. */
export function withInsertions(source: Uint8Array, insertions: readonly ByteEdit[]): Buffer {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { offset, bytes } of insertions) {
    pieces.push(source.subarray(from, offset), bytes);
    from = offset;
  }
  return Buffer.concat([...pieces, source.subarray(from)]);
}

/** Fills in `text`, one payload, in both engines and with every member told: it must be the same. `schema`: JSON text or a value. */
export async function fillBy(schema: unknown, text: string, deep = false): Promise<Filled & { text: string }> {
  const { schemas, defaults } = await loadForFilling(schema, deep);
  const options = { framing: 'json' } as const;
  const slow = await createFiller(schemas, defaults, false)(Buffer.from(text), options);
  const filler = createFiller(schemas, defaults, true);
  const fast = await filler(Buffer.from(text), options);
  expect({ ...fast, accepted: 0 }).toEqual(slow);
  const told = await filler(Buffer.from(text), { ...options, wantsFills: true });
  expect({ ...told, accepted: 0, places: [] }).toEqual(slow);
  expect((await filler(fast.bytes, options)).insertions).toEqual([]);
  return { ...fast, text: fast.bytes.toString() };
}

export const filled = async (schema: unknown, text: string, deep = false): Promise<string> =>
  (await fillBy(schema, text, deep)).text;
