/**
 * An engine that counts which places of a schema payloads reach. Each payload is explained as always; then a judge
 * that counts applies the schema of its kind once more, whatever the verdict is.
 */
import { isStackOverflow, SchemaError, TooCostly } from '../errors.ts';
import { exactValue } from '../json/decimal.ts';
import { type Soon, soon } from '../json/on-demand.ts';
import { COVERED_BYTES } from '../limits.ts';
import { keepsRegExp, mayTakeLong } from '../schema/costly.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Judging } from '../words/rule-levels.ts';
import type { Schemas } from './accept.ts';
import type { ExamineSettings } from './compile/acceptor.ts';
import type { Engine } from './engine.ts';
import type { Examined, PayloadBytes } from './judge/examine.ts';
import { Judge, loadJudgeModules } from './judge/judge.ts';
import { examinedAs, judged } from './judge/judged.ts';
import { textOf } from './judge/payload-findings.ts';
import { SchemaPlaces } from './judge/places.ts';
import { Tally } from './judge/tally.ts';
import { OverTime, unlimited, withinTime } from './time-limit.ts';

/** What is known of a payload in its source, or in a part of it, that is counted. `isForced`: its kind was given. */
interface CountedPayload {
  readonly payload: number;
  readonly line: number;
  readonly kind: string;
  readonly isForced: boolean;
  readonly valid: boolean;
}

/** Payloads of a schema that can take long for large ones. */
const QUICK_BYTES = 1 << 13;

const FIRST_PLACE = { payload: 0, line: 1 };

/** `own`: the engine of `schemas`, with limits that have `covers`. */
export function coveringEngine(own: Engine, schemas: Schemas, limits: ExamineSettings & Judging): Engine {
  const only = limits.covers?.kind ?? null;
  let counter: Soon<Counter> | null = null;
  const makeCounter = async (): Promise<Counter> => {
    const set = await schemas.load();
    counter = new Counter(set, await loadJudgeModules(set), only);
    return counter;
  };
  const count = (payload: PayloadBytes, examined: Examined, isForced: boolean): Soon<Examined> => {
    const { kind } = examined;
    // What is malformed, or of no kind, reaches no place.
    if (kind === null) return examined;
    const { valid } = judged(examined, limits);
    const place = payload.place?.() ?? FIRST_PLACE;
    counter ??= makeCounter();
    return soon(counter, (ready) => {
      ready.count(payload, { kind, isForced, valid, ...place });
      return examined;
    });
  };
  return {
    ...own,
    explain(payload, givenKind, countsOnly) {
      const { reader, span } = payload;
      const isForced = givenKind !== null;
      if (reader?.read(payload, span) === 'valid')
        return count(payload, examinedAs({ kind: reader.takeKind() }), isForced);
      return soon(own.explain(payload, givenKind, countsOnly), (examined) => count(payload, examined, isForced));
    },
    counted: () => (counter instanceof Counter ? counter.tally.take() : null),
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
    this.#mostQuick = keepsRegExp(set) ? 0 : mayTakeLong(set) ? QUICK_BYTES : COVERED_BYTES;
  }

  count({ bytes, span }: PayloadBytes, subject: CountedPayload): void {
    const size = span.end - span.start;
    this.tally.begin(subject);
    try {
      if (size > COVERED_BYTES) throw new TooCostly('its value may need too much memory');
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
      if (kind.test !== null && !isForced) judge.judge(judge.stepOf(kind.test), value, { size }, KEEPS_NOTHING);
      if (kind.name !== name) continue;
      judge.judge(judge.stepOf(kind.schema), value, { size }, KEEPS_NOTHING);
      return;
    }
  }
}

/** A log that keeps nothing: with a log, the walk does not stop at the first violation. */
const KEEPS_NOTHING = { add() {} };
