/**
 * The payloads of a source one by one, each with its verdict: the flow, with an outlet that passes every payload to the
 * caller.
 */
import { Readable } from 'node:stream';
import { checkSource } from '../check/check.ts';
import type { RunOptions } from '../check/run-options.ts';
import type { Sink } from '../check/sink.ts';
import type { Schemas } from '../engines/accept.ts';
import { createEngines } from '../engines/engines.ts';
import { openBytes } from '../input/bytes.ts';
import { framingOfName } from '../input/paths.ts';
import { Window } from '../input/window.ts';
import { skipSpace, withoutSpace } from '../json/space.ts';
import type { AcceptedRun, CheckedPayload, Outlet } from '../outlet/outlet.ts';
import type { Baseline } from '../report/baseline.ts';
import type { Source, Span, Violation } from '../types.ts';
import type { PayloadInput, PayloadResult } from './api.ts';
import { Handover } from './handover.ts';
import { byteChunks, isBytes } from './text-bytes.ts';

export interface PayloadRun {
  readonly options: RunOptions;
  /** Its violations are left out. */
  readonly baseline: Baseline | null;
}

/**
 * Payloads in order, in bounded memory: the source is read as the caller consumes them. Throws SourceError if it cannot
 * be read.
 */
export async function* payloadsOf(
  input: PayloadInput,
  source: Source,
  schemas: Schemas,
  { options, baseline }: PayloadRun,
): AsyncGenerator<PayloadResult> {
  const handover = new Handover<PayloadResult>();
  const stop = new AbortController();
  const work = check({ input, source, schemas, options, baseline }, handover, stop.signal).then(
    () => handover.end(),
    (error: unknown) => handover.end(error),
  );
  try {
    yield* handover.take();
  } finally {
    stop.abort();
    handover.end();
    await work;
  }
}

/** The name and the framing of a path, bytes or a stream. `file`: the path, or where bytes or a stream are from; null: not known. */
export function sourceOf(input: PayloadInput, file: string | null, kind: string | null): Source {
  return {
    name: file ?? (isBytes(input) ? '<bytes>' : '<stream>'),
    path: typeof input === 'string' ? input : null,
    regular: false,
    framing: file === null ? null : framingOfName(file),
    kind,
  };
}

interface Checked extends PayloadRun {
  readonly input: PayloadInput;
  readonly source: Source;
  readonly schemas: Schemas;
}

async function check(
  { input, source, schemas, options, baseline }: Checked,
  handover: Handover<PayloadResult>,
  stop: AbortSignal,
): Promise<void> {
  const window = new Window();
  const engines = createEngines(schemas, options, window.memory);
  const stream =
    typeof input === 'string' ? null : Readable.from(isBytes(input) ? [input] : byteChunks(input));
  try {
    const reader = await openBytes(source, stream, stop);
    try {
      window.reset(reader);
      const payloads = new Payloads(window, handover, { stop, baseline });
      const { sink } = payloads;
      await checkSource(source, { window, engines, options, sink, outlet: payloads });
      await handover.flush();
    } finally {
      await reader.close();
    }
  } finally {
    await engines.close();
  }
}

/** Receives payloads and their violations, and passes them on together. */
class Payloads implements Outlet {
  /** So that every payload is passed on by itself. */
  readonly wantsEachEdit = true;
  readonly wantsRest = false;
  readonly wantsEachKind = true;
  readonly rejects = null;
  readonly sink: Sink;
  readonly #window: Window;
  readonly #handover: Handover<PayloadResult>;
  #index = 0;
  #kind = '';
  #violations: Violation[] = [];
  #span: Span | null = null;

  constructor(
    window: Window,
    handover: Handover<PayloadResult>,
    { stop, baseline }: { readonly stop: AbortSignal; readonly baseline: Baseline | null },
  ) {
    this.#window = window;
    this.#handover = handover;
    this.sink = {
      violation: (violation) => {
        const event = { type: 'violation', violation, excerpt: null } as const;
        if (baseline === null || baseline.event(event) !== null) this.#violations.push(violation);
      },
      note: () => {},
      hidden: () => {},
      accepted: (kind) => {
        this.#kind = kind;
      },
      payload: (kind, valid) => {
        const violations = this.#violations;
        const isKnown = baseline !== null && violations.every(({ severity }) => severity === 'warning');
        this.#add({ valid: valid || isKnown, kind, violations });
        return !stop.aborted;
      },
      fault: ({ message, stack }) => {
        this.#add({ valid: false, kind: null, violations: [], failure: message ?? stack ?? 'unknown' });
        return !stop.aborted;
      },
      flush: () => handover.flush(),
    };
  }

  begin(): void {}

  accepted({ span, acceptor }: AcceptedRun): undefined {
    acceptor.dropGaps();
    this.#span = span;
    this.#add({ valid: true, kind: this.#kind, violations: [] });
  }

  payload({ span, open }: CheckedPayload): undefined {
    this.#span = open ? null : span;
  }

  rest(): void {}

  release(): void {}

  end(): void {}

  #add(verdict: Omit<PayloadResult, 'index' | 'text'>): void {
    const { bytes } = this.#window;
    const { start, end } = this.#span ?? { start: 0, end: 0 };
    const from = skipSpace(bytes, start, end);
    const text = bytes.toString('utf8', from, withoutSpace(bytes, from, end));
    this.#handover.add({ index: this.#index++, ...verdict, text });
    this.#violations = [];
    this.#span = null;
  }
}
