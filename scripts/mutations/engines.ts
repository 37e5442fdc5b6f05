/**
 * Holds the two engines together: what accept calls valid, examine must find nothing wrong with, and it must be of the kind that
 * accept counted it as.
 */
import { type AcceptCode, Acceptor } from '../../src/accept/acceptor.ts';
import { compileAccept } from '../../src/accept/module.ts';
import { Examiner } from '../../src/examine/examine.ts';
import { Window } from '../../src/input/window.ts';
import { compileKinds } from '../../src/schema/compile.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { encode } from '../../src/wasm/assembler.ts';
import type { Fault } from './faults.ts';
import { plant } from './faults.ts';
import { mutate, seeded } from './mutate.ts';

const LIMITS = { maxDepth: 1000, maxBytes: 1 << 30 };

export interface Engines {
  /** The kind as which the payload is accepted, or null for unsure. */
  accept(payload: Buffer): string | null;
  /** The kind of a payload in which nothing is wrong; else null. */
  examine(payload: Buffer): string | null;
}

/** Both engines for the schemas behind the door at `path`, accept with a fault planted in it or not. */
export async function createEngines(path: string, fault: Fault | null = null): Promise<Engines> {
  const schemas = loadSchemas(path);
  const examiner = new Examiner(await compileKinds(schemas), schemas.locations, { ...LIMITS, redact: false });
  const { module, ...others } = compileAccept(schemas, { forced: null, defaults: null });
  const planted = fault === null ? module : plant(module, fault);
  const code: AcceptCode = { ...others, module: new WebAssembly.Module(encode(planted)) };
  const window = new Window();
  const acceptor = new Acceptor(code, window.memory, LIMITS);
  return {
    accept(payload) {
      window.bytes.set(payload);
      window.bytes.fill(0, payload.length, payload.length + 64);
      if (!acceptor.one(window, 0, payload.length)) return null;
      let accepted: string | null = null;
      acceptor.takeCounts((kind) => {
        accepted = kind;
      });
      return accepted;
    },
    examine(payload) {
      const span = { start: 0, end: payload.length };
      const { kind, findings } = examiner.examine({ bytes: payload, span, base: 0, ending: 'text' }, null);
      return findings.length === 0 ? kind : null;
    },
  };
}

export interface Outcome {
  readonly tried: number;
  readonly accepted: number;
  /** Payloads that accept takes for valid, or for another kind, and examine does not: at most ten of them. */
  readonly wrong: readonly {
    readonly payload: Buffer;
    readonly accept: string;
    readonly examine: string | null;
  }[];
}

/** Tries `count` mutations of `payloads`, always the same ones for a `seed`. */
export function tryMutations(
  engines: Engines,
  payloads: readonly Buffer[],
  count: number,
  seed: number,
): Outcome {
  const random = seeded(seed);
  const wrong: { payload: Buffer; accept: string; examine: string | null }[] = [];
  let accepted = 0;
  for (let tried = 0; tried < count; tried++) {
    const payload = mutate(payloads[random(payloads.length)]!, random);
    const kind = engines.accept(payload);
    if (kind === null) continue;
    accepted++;
    const truth = engines.examine(payload);
    if (truth !== kind && wrong.length < 10) wrong.push({ payload, accept: kind, examine: truth });
  }
  return { tried: count, accepted, wrong };
}
