/**
 * Engines that count which places of a schema payloads reach. Each payload is checked as always; then a judge that counts
 * applies the schema of its kind once more, whatever the verdict is.
 */
import type { Schemas } from '../../engine/accept.ts';
import { createEngines, type EngineHooks, type Engines } from '../../engine/engines.ts';
import { type Examined, type PayloadBytes, textOf } from '../../engine/judge/examine.ts';
import { Judge, loadJudgeModules } from '../../engine/judge/judge.ts';
import { SchemaPlaces } from '../../engine/judge/places.ts';
import { Tally, type TallyData } from '../../engine/judge/tally.ts';
import { type Soon, soon } from '../../engine/supply.ts';
import { OverTime, unlimited, withinTime } from '../../engine/time-limit.ts';
import { isStackOverflow, SchemaError, TooCostly } from '../../errors.ts';
import { exactValue } from '../../json/decimal.ts';
import { keepsRegExp, mayTakeLong } from '../../schema/costly.ts';
import type { SchemaSet } from '../../schema/set.ts';
import type { Limits } from '../../types.ts';
import { checkSource } from './check.ts';
import type { Judging, Mark, SourceChecker } from './flow.ts';
import { examinedAs, judged } from './reporting.ts';

/** Counts of a run in one thread. */
export interface Counting {
  /** Takes what was counted since the last call; null: nothing was. */
  readonly take: () => TallyData | null;
  /** Learns which payload comes next. */
  readonly mark: Mark;
}

interface CoveringEngines extends Engines {
  readonly counting: Counting;
}

/** What is known of a payload in its source, or in a part of it, that is counted. `isForced`: its kind was given. */
interface CountedPayload {
  readonly payload: number;
  readonly line: number;
  readonly kind: string;
  readonly isForced: boolean;
  readonly valid: boolean;
}

/** Payloads whose values may need more of the heap than there is. In bytes. */
const MOST_BYTES = 64 << 20;
/** Payloads of a schema that can take long for large ones. */
const QUICK_BYTES = 1 << 13;

/** `options`: with `covers`. */
export function coveringEngines(
  schemas: Schemas,
  ...[options, memory, hooks]: [Limits & Judging, WebAssembly.Memory, EngineHooks?]
): CoveringEngines {
  const own = createEngines(schemas, options, memory, hooks);
  const only = options.covers?.kind ?? null;
  let counter: Soon<Counter> | null = null;
  let at = { payload: 0, line: 1 };
  const makeCounter = async (): Promise<Counter> => {
    const set = await schemas.load();
    counter = new Counter(set, await loadJudgeModules(set), only);
    return counter;
  };
  const count = (payload: PayloadBytes, examined: Examined, isForced: boolean): Soon<Examined> => {
    const { kind } = examined;
    // What is malformed, or of no kind, reaches no place.
    if (kind === null) return examined;
    const { valid } = judged(examined, options);
    counter ??= makeCounter();
    return soon(counter, (ready) => {
      ready.count(payload, { kind, isForced, valid, ...at });
      return examined;
    });
  };
  return {
    ...own,
    notes: () => null,
    examine(payload, givenKind, countsOnly) {
      const accepted = payload.acceptedKind?.() ?? null;
      const isForced = givenKind !== null;
      if (accepted !== null) return count(payload, examinedAs({ kind: accepted }), isForced);
      return soon(own.examine(payload, givenKind, countsOnly), (examined) => count(payload, examined, isForced));
    },
    counting: {
      take: () => (counter instanceof Counter ? counter.tally.take() : null),
      mark: {
        examines: (payload, line) => {
          at = { payload, line };
        },
        examined() {},
      },
    },
  };
}

/** Checks a source as always, and passes on what was counted. */
export function checkCovered({ counting }: CoveringEngines): SourceChecker {
  return async (source, flow) => {
    const mark: Mark = {
      examines(payload, line) {
        counting.mark.examines(payload, line);
        flow.mark?.examines(payload, line);
      },
      examined: () => flow.mark?.examined(),
    };
    try {
      return await checkSource(source, { ...flow, mark });
    } finally {
      const counted = counting.take();
      if (counted !== null) flow.sink.covered?.(counted);
    }
  };
}

/** Applies the schemas of a set with a judge that counts. */
class Counter {
  readonly tally: Tally;
  readonly #set: SchemaSet;
  readonly #judge: Judge;
  /** Payloads with more bytes may take long. */
  readonly #mostQuick: number;

  /** `kind`: the only one that is counted; null: all are. */
  constructor(set: SchemaSet, modules: ConstructorParameters<typeof Judge>[0], kind: string | null) {
    this.tally = new Tally(new SchemaPlaces(set, kind, new Judge(modules)).numbers);
    this.#set = set;
    this.#judge = new Judge(modules, this.tally);
    // RegExp can take for ever with any text; the steps of other schemas are limited by the size of the payload.
    this.#mostQuick = keepsRegExp(set) ? 0 : mayTakeLong(set) ? QUICK_BYTES : MOST_BYTES;
  }

  count({ bytes, span }: PayloadBytes, subject: CountedPayload): void {
    const size = span.end - span.start;
    this.tally.begin(subject);
    try {
      if (size > MOST_BYTES) throw new TooCostly('its value may need too much memory');
      const within = size > this.#mostQuick ? withinTime : unlimited;
      within(() => this.#apply(exactValue(textOf(bytes.subarray(span.start, span.end))), subject, size));
    } catch (error) {
      const isKnown = error instanceof OverTime || error instanceof TooCostly || error instanceof SchemaError;
      if (!isKnown && !isStackOverflow(error)) throw error;
      this.tally.uncounted++;
    }
  }

  /** As the kind of a payload is found: by the first test that holds. */
  #apply(value: unknown, { kind: name, isForced }: CountedPayload, size: number): void {
    const judge = this.#judge;
    for (const kind of this.#set.kinds) {
      if (kind.test !== null && !isForced) judge.judge(judge.stepOf(kind.test), value, { size }, COUNTS);
      if (kind.name !== name) continue;
      judge.judge(judge.stepOf(kind.schema), value, { size }, COUNTS);
      return;
    }
  }
}

/** Violations are counted, not told; but all are found. */
const COUNTS = { add() {} };
