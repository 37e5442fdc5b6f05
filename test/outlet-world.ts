/**
 * A world for outlets in tests: one source as bytes that come in chunks, and what the outlet makes of it in each of its channels.
 */

import { lazyAccept, type Schemas } from '../src/engine/accept.ts';
import { plainEngine } from '../src/engine/plain.ts';
import { NO_DEFAULTS } from '../src/repair/wanted-defaults.ts';
import { checkSource } from '../src/run/check/check.ts';
import type { Plan } from '../src/run/check/flow.ts';
import { loadOutlet } from '../src/run/outlets/load-outlet.ts';
import type { OutletSpec, Pieces } from '../src/run/outlets/outlet.ts';
import type { SchemaSet } from '../src/schema/set.ts';
import { Window } from '../src/source/window.ts';
import type { Violation } from '../src/types.ts';
import { allAtOnce, Chunks, type Sizes } from './flow-world.ts';
import { RUN_OPTIONS } from './run-options.ts';
import { emitTo, sinkOf } from './sinks.ts';

export interface Made {
  /** What each channel got. */
  readonly channels: readonly Buffer[];
  readonly violations: readonly Violation[];
  readonly payloads: number;
  readonly invalid: number;
  /** As the outlet counts them. */
  readonly rejected: number;
}

/** Payloads are judged by the schemas of `set`. */
export function schemasOf(set: SchemaSet): Schemas {
  const load = async (): Promise<SchemaSet> => set;
  return { load, accept: lazyAccept(load, NO_DEFAULTS, null), precompiled: null, defaults: NO_DEFAULTS };
}

/** A function that runs the outlet of `spec` over a source. */
export async function outletRunner(
  schemas: Schemas,
  spec: OutletSpec,
  options: Partial<Plan> = {},
): Promise<(bytes: Buffer, sizes?: Sizes) => Promise<Made>> {
  const window = new Window(spec.type === 'convert');
  const runOptions = { ...RUN_OPTIONS, ...options, outlet: spec };
  const engine = plainEngine(schemas, runOptions, window.memory);
  const make = await loadOutlet(spec);
  return async (bytes, sizes = allAtOnce) => {
    const violations: Violation[] = [];
    const made = new Channels();
    let payloads = 0;
    let invalid = 0;
    const sink = sinkOf(
      (statement, place) => violations.push({ ...place, ...statement }),
      {
        payload: ({ valid }) => {
          payloads++;
          if (!valid) invalid++;
        },
        accepted: ({ count }) => {
          payloads += count;
        },
        hint: () => {},
        hidden: () => {},
      },
      async () => made.flush(),
    );
    const source = { name: 'it', path: null, regular: false, framing: null, kind: null };
    window.reset(new Chunks(bytes, sizes, Number.MAX_SAFE_INTEGER));
    const outlet = make({ source, window, pieces: made });
    await checkSource(source, { window, engine, options: runOptions, sink, outlet });
    made.flush();
    return { channels: made.all(), violations, payloads, invalid, rejected: made.rejectedCount };
  };
}

/** Gathers what an outlet makes. */
class Channels implements Pieces {
  rejectedCount = 0;
  /** Copied no sooner than they must be: until the next flush they are good. */
  #chunks: { readonly chunk: Uint8Array; readonly channel: number }[] = [];
  readonly #buffers: Buffer[][] = [];

  bytes(chunk: Uint8Array, _changed: boolean, channel = 0): void {
    this.#chunks.push({ chunk, channel });
  }

  flush(): void {
    for (const { chunk, channel } of this.#chunks) {
      this.#buffers[channel] ??= [];
      this.#buffers[channel].push(Buffer.from(chunk));
    }
    this.#chunks = [];
  }

  all(): Buffer[] {
    return Array.from(this.#buffers, (buffers) => Buffer.concat(buffers ?? []));
  }

  readonly emit = emitTo({
    rejected: ({ count }) => {
      this.rejectedCount += count;
    },
  });
}
