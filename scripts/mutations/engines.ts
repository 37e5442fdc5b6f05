/**
 * Compares the two engines: if accept calls a payload valid, examine must find nothing wrong with it, and must give the
 * kind that accept counted; if it calls a payload surely invalid, examine must find something.
 */

import { isUtf8 } from 'node:buffer';
import { Acceptor } from '../../src/engine/compile/acceptor.ts';
import type { AcceptCode } from '../../src/engine/compile/code.ts';
import { compileAccept } from '../../src/engine/compile/module.ts';
import { Examiner } from '../../src/engine/judge/examine.ts';
import { scan } from '../../src/json/scan.ts';
import { skipSpace } from '../../src/json/skip.ts';
import type { OwnFormats } from '../../src/schema/formats/format.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { Window } from '../../src/source/window.ts';
import { encode } from '../../src/wasm/encode.ts';
import { PADDING } from '../../src/wasm/layout.ts';
import { judgedKinds } from '../judged-kinds.ts';
import { FAULT_NAMES, type Fault, plant } from './faults.ts';
import { mutate, seeded } from './mutate.ts';
import { fixturePayloads } from './payloads.ts';

export { FAULT_NAMES, fixturePayloads };

export interface EnginesOptions {
  /** To be planted in accept. */
  readonly fault?: Fault;
  /** Every payload is of this kind. */
  readonly givenKind?: string;
  readonly maxDepth?: number;
  /** The rule `deprecated` is on. */
  readonly deprecations?: boolean;
  readonly formats?: OwnFormats;
}

export interface Engines {
  /** The kind that the payload is accepted as, or null for unsure. */
  accept(payload: Buffer): string | null;
  /** Accept is sure that the payload is invalid. */
  refuses(payload: Buffer): boolean;
  /** The kind of a payload without violations; otherwise null. */
  examine(payload: Buffer): string | null;
  /** False if the text is regarded as plain although `scan` has a note about it. */
  plainIsRight(payload: Buffer): boolean;
  /** What accept does not support: kind name, or file and pointer, to reason. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Both engines for the entry schema at `path`. */
export async function createEngines(path: string, options: EnginesOptions = {}): Promise<Engines> {
  const { fault, givenKind = null, maxDepth = 1000, deprecations = false, formats = new Map() } = options;
  const limits = { maxDepth, maxBytes: 1 << 30 };
  const schemas = loadSchemas(path, { deprecations, formats });
  const examiner = new Examiner(await judgedKinds(schemas), { ...limits, redact: false });
  const { module, reasons, unsure, ...others } = compileAccept(schemas, { givenKind, defaults: null });
  const planted = fault === undefined ? module : plant(module, fault);
  const code: AcceptCode = { ...others, module: new WebAssembly.Module(encode(planted)) };
  const window = new Window();
  const acceptor = new Acceptor(code, window.memory, limits);
  return {
    reasons: new Map([...reasons, ...unsure]),
    accept(payload) {
      window.bytes.set(payload);
      window.bytes.fill(0, payload.length, payload.length + PADDING);
      if (acceptor.read(window, { start: 0, end: payload.length }) !== 'valid') return null;
      let accepted: string | null = null;
      acceptor.takeCounts((kind) => {
        accepted = kind;
      });
      return accepted;
    },
    refuses(payload) {
      window.bytes.set(payload);
      window.bytes.fill(0, payload.length, payload.length + PADDING);
      // A payload begins with its first token.
      const verdict = acceptor.read(window, { start: skipSpace(payload, 0, payload.length), end: payload.length });
      acceptor.takeCounts(() => {});
      return verdict === 'invalid';
    },
    plainIsRight(payload) {
      if (!isUtf8(payload)) return true;
      window.bytes.set(payload);
      window.bytes.fill(0, payload.length, payload.length + PADDING);
      if (!acceptor.isPlain(0, payload.length)) return true;
      const { fault, notes } = scan(payload, 0, payload.length, maxDepth);
      return fault === null && notes.length === 0;
    },
    examine(payload) {
      const span = { start: 0, end: payload.length };
      const { kind, findings } = examiner.examine({ bytes: payload, span, base: 0, ending: 'text' }, givenKind);
      return findings.length === 0 ? kind : null;
    },
  };
}

/** The payloads to start mutations from: all of them, the valid ones most often. */
export function weighted(payloads: readonly Buffer[], engines: Engines): Buffer[] {
  const valid = payloads.filter((payload) => engines.examine(payload) !== null);
  return [...payloads, ...valid, ...valid, ...valid, ...valid];
}

/** A payload on which the engines differ. */
export interface Difference {
  readonly payload: Buffer;
  /** The kind that it was accepted as; `invalid`; `plain` if it was only regarded as a text without notes. */
  readonly accept: string;
  /** The kind that it is valid as; null: it is invalid. */
  readonly examine: string | null;
}

export interface Outcome {
  readonly tried: number;
  /** Accepted payloads by kind. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Payloads that accept is sure are invalid. */
  readonly refused: number;
  /** Payloads that accept calls valid, or valid as another kind, against examine. */
  readonly wrong: readonly Difference[];
}

/** Stop after this number of differences. */
const ENOUGH = 10;

/**
 * Tries `count` mutations of `payloads`, always the same ones for a `seed`; fewer if there are `ENOUGH` differences.
 */
export function tryMutations(engines: Engines, payloads: readonly Buffer[], count: number, seed: number): Outcome {
  const random = seeded(seed);
  const wrong: Difference[] = [];
  const accepted = new Map<string, number>();
  let tried = 0;
  let refused = 0;
  for (; tried < count && wrong.length < ENOUGH; tried++) {
    const payload = mutate(payloads[random(payloads.length)]!, random);
    const kind = engines.accept(payload);
    if (!engines.plainIsRight(payload)) wrong.push({ payload, accept: 'plain', examine: null });
    if (kind === null) {
      if (!engines.refuses(payload)) continue;
      refused++;
      const truth = engines.examine(payload);
      if (truth !== null) wrong.push({ payload, accept: 'invalid', examine: truth });
      continue;
    }
    accepted.set(kind, (accepted.get(kind) ?? 0) + 1);
    const truth = engines.examine(payload);
    if (truth !== kind) wrong.push({ payload, accept: kind, examine: truth });
  }
  return { tried, accepted, refused, wrong };
}
