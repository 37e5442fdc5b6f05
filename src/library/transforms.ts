/**
 * `filter` and `convert` of the library: the flow of one source. The caller takes the outlet's bytes one chunk at a
 * time.
 */

import type { Schemas } from '../engine/accept.ts';
import { createEngines } from '../engine/engines.ts';
import { violationAt } from '../report/violation-table.ts';
import { checkSource } from '../run/check/check.ts';
import type { Plan, Sink } from '../run/check/flow.ts';
import { Turns } from '../source/io.ts';
import { Window } from '../source/window.ts';
import type { Source } from '../types.ts';
import { loadOutlet } from '../write/outlets/load-outlet.ts';
import { frameOf, StreamDestination } from '../write/outlets/stream-destination.ts';
import type { ByteTarget } from '../write/stream-output.ts';
import type { PayloadInput, TransformOptions } from './api.ts';
import { type LongCall, openInput } from './inputs.ts';

export interface Transform {
  readonly input: PayloadInput;
  readonly source: Source;
  readonly schemas: Schemas;
  /** Its outlet makes the bytes. */
  readonly options: Plan;
  /** Called first. */
  readonly begin: () => LongCall;
}

/**
 * The bytes that the outlet makes, in bounded memory: the source is read as the caller takes them. Throws SourceError,
 * and the reason of the signal.
 */
export async function* transformed(
  transform: Transform,
  onViolation: TransformOptions['onViolation'] = () => {},
): AsyncGenerator<Uint8Array> {
  const { stop, ended } = transform.begin();
  const { signal } = stop;
  const handover = new Handover<Uint8Array>();
  signal.addEventListener('abort', () => handover.end(signal.reason));
  if (signal.aborted) handover.end(signal.reason);
  const work = run(transform, handover, signal, onViolation)
    .then(
      () => handover.end(),
      (error: unknown) => handover.end(signal.aborted ? signal.reason : error),
    )
    .finally(ended);
  try {
    yield* handover.take();
  } finally {
    stop.abort();
    handover.end();
    await work;
  }
}

async function run(
  { input, source, schemas, options }: Transform,
  handover: Handover<Uint8Array>,
  stop: AbortSignal,
  onViolation: NonNullable<TransformOptions['onViolation']>,
): Promise<void> {
  const spec = options.outlet!; // the caller has set one
  const window = new Window(spec.type === 'convert');
  const engines = createEngines(schemas, options, window.memory);
  const frame = spec.type === 'convert' ? frameOf(spec.as) : null;
  const turns = new Turns({ now: () => performance.now(), interrupt: stop });
  const destination = new StreamDestination([targetOf(handover)], frame);
  try {
    const reader = await openInput(input, source, stop);
    try {
      window.reset(reader);
      const outlet = (await loadOutlet(spec))({ source, window, pieces: destination });
      const flush = async (): Promise<void> => {
        await destination.flush();
        await handover.flush();
        await turns.take();
      };
      const sink = { ...sinkOf(onViolation, stop), flush, isDue: () => turns.isDue };
      destination.begin();
      await checkSource(source, { window, engines, options, sink, outlet });
      await destination.finish('whole');
      await handover.flush();
    } finally {
      await reader.close();
    }
  } finally {
    await engines.close();
  }
}

/** The destination reuses its memory, so each chunk is a copy. */
function targetOf(handover: Handover<Uint8Array>): ByteTarget {
  return {
    name: 'the caller',
    async write(bytes) {
      handover.add(Uint8Array.from(bytes));
    },
    finish: async () => null,
    async close() {},
  };
}

function sinkOf(onViolation: NonNullable<TransformOptions['onViolation']>, stop: AbortSignal): Omit<Sink, 'flush'> {
  return {
    violation: (statement, place) => {
      onViolation(violationAt(place, statement));
      return true;
    },
    payload: () => !stop.aborted,
    fault: ({ message, stack }) => {
      throw new Error(message ?? stack ?? 'a payload could not be checked');
    },
  };
}

/** Passes items from one task to another, in order. The producer waits until all items were taken. */
class Handover<Item> {
  #items: Item[] = [];
  #isDone = false;
  #error: unknown = null;
  #taken: (() => void) | null = null;
  #given: (() => void) | null = null;

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Resolves when everything added so far has been taken. */
  async flush(): Promise<void> {
    if (this.#items.length === 0 || this.#isDone) return;
    const taken = new Promise<void>((resolve) => {
      this.#taken = resolve;
    });
    this.#given?.();
    await taken;
  }

  /** Marks the end of the items; `error`: the reason, if this is not the normal end. */
  end(error: unknown = null): void {
    this.#isDone = true;
    this.#error = error;
    this.#given?.();
    this.#taken?.();
  }

  /** All items in order. Throws the error that `end` was given. */
  async *take(): AsyncGenerator<Item> {
    for (;;) {
      while (this.#items.length > 0) {
        const items = this.#items;
        this.#items = [];
        yield* items;
      }
      this.#taken?.();
      if (this.#isDone && this.#items.length === 0) break;
      if (this.#items.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#given = resolve;
      });
      this.#given = null;
    }
    if (this.#error !== null) throw this.#error;
  }
}
