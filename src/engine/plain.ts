/**
 * The engine of one set of schemas. Its reader is compiled, or judges the first payloads of a run; what it does not accept is
 * explained by the notes of the compiled code, once there are enough payloads for that, or else by the judge. Each
 * part is made at its first use.
 */
import { once, type Soon, soon } from '../json/on-demand.ts';
import { jsonFile, threadScript } from '../package.ts';
import { lazyNoting, type Schemas } from './accept.ts';
import { Acceptor, type ExamineSettings, explainsAll } from './compile/acceptor.ts';
import { type AcceptCode, readAccept } from './compile/code.ts';
import type { Engine, EngineWorld } from './engine.ts';
import { createExamining, type Examining } from './examining.ts';
import type { FirstPayloads } from './first.ts';
import type { Examined } from './judge/examine.ts';
import type { NoteTaker } from './judge/noted.ts';
import type { NotingSource } from './thresholds.ts';
import { type RunWithinLimit, unlimited, withinTime } from './time-limit.ts';

/** Payloads that are explained, and the bytes of one, after which other work is done first. */
const FEW_EXPLAINED = 10;
const LARGE = 1 << 16;

/** What an engine is made with, apart from its schemas. */
export interface PlainParts extends EngineWorld {
  /** Tried first; null: the engine's own examiner explains the payload. Throws Unexamined. */
  readonly examineHere?: (...question: Parameters<Engine['explain']>) => Examined | null;
  /** Makes the reader of a kind from its code; absent: the plain one, which asks the checks if there are any. */
  readonly readerOf?: ((code: AcceptCode, givenKind: string | null) => Soon<Acceptor>) | undefined;
}

/** An engine over the bytes in `memory`. */
export function plainEngine(
  schemas: Schemas,
  limits: ExamineSettings,
  memory: WebAssembly.Memory,
  { beforeMuchWork = () => {}, interrupt = null, examineHere, readerOf }: PlainParts = {},
): Engine {
  // Most runs compile nothing, so it is not checked in advance whether there is a script for threads.
  const within: RunWithinLimit = (work) =>
    (interrupt === null || threadScript() === null ? unlimited : withinTime)(work);
  const readers = new Map<string | null, Acceptor>();
  const prunes = schemas.defaults.prunes === 'payloads' && schemas.defaults.texts === null;
  const readerFor = readerMaker(prunes, schemas, limits, memory);
  const compiled = (givenKind: string | null): Soon<Acceptor> =>
    readers.get(givenKind) ??
    soon(schemas.accept(givenKind), (code) =>
      soon(readerOf?.(code, givenKind) ?? readerFor(code), (reader) => {
        readers.set(givenKind, reader);
        return reader;
      }),
    );
  let first: FirstPayloads | null = null;
  const judgesFirst = schemas.interpreted === true && !explainsAll(limits);
  const makeFirst = once(async () => {
    const code = readAccept(jsonFile('lines'));
    if (code === null) return;
    const [{ FirstPayloads }, set] = await Promise.all([import('./first.ts'), schemas.load()]);
    first = await FirstPayloads.of(set, code, memory, { ...limits, within });
  });
  const takerFor = takers(schemas, limits, { within, compiled });
  let examining: Examining | null = null;
  const examine = (...question: Parameters<Engine['explain']>): Soon<Examined> => {
    const examined = examineHere?.(...question) ?? null;
    if (examined !== null) return examined;
    examining ??= createExamining(schemas, limits, {
      ...{ within, interrupt, judge: () => first?.giveJudge() ?? null, isSlow: first?.isSlow === true },
    });
    return examining.examine(...question);
  };
  const prepare = once(() => beforeMuchWork('payloads'));
  let explained = 0;
  return {
    reader(givenKind, areFew = false) {
      if (!areFew || !judgesFirst || first?.isOver) return compiled(givenKind);
      return makeFirst().then(() => first?.readerOf(givenKind) ?? compiled(givenKind));
    },
    explain(payload, givenKind, countsOnly) {
      const { span, bytes, reader } = payload;
      if (++explained >= FEW_EXPLAINED || span.end - span.start > LARGE) prepare();
      if (reader === undefined || reader.isProvisional) return examine(payload, givenKind, countsOnly);
      return soon(takerFor(givenKind, { size: span.end - span.start, countsOnly }), (taker) => {
        const isUtf8 = taker !== null && reader.isUtf8(payload, span.end);
        // What is noted of a payload that is pruned, its reader reads.
        const noted = prunes ? null : taker?.take({ bytes, span, countsOnly, isUtf8 });
        return noted ?? examine(payload, givenKind, countsOnly);
      });
    },
    close: async () => examining?.close(),
  };
}

/** Makes readers from code: those that ask the checks, those of `prune`, or plain ones. */
function readerMaker(prunes: boolean, ...given: Parameters<typeof checkedReaders>) {
  const [, limits, memory] = given;
  const asksChecks = explainsAll(limits) && limits.covers === undefined;
  const makers = once(() => (asksChecks ? checkedReaders(...given) : pruningReaders(...given)));
  if (asksChecks || prunes) return (code: AcceptCode) => makers().then((make) => make(code));
  return (code: AcceptCode) => new Acceptor(code, memory, limits);
}

async function pruningReaders({ load }: Schemas, limits: ExamineSettings, memory: WebAssembly.Memory) {
  const [{ PruningReader }, set] = await Promise.all([import('./pruning-reader.ts'), load()]);
  return (code: AcceptCode) => new PruningReader(set, code, memory, limits);
}

async function checkedReaders({ load }: Schemas, limits: ExamineSettings, memory: WebAssembly.Memory) {
  const modules = [import('../checks/checker.ts'), import('./checked.ts'), load()] as const;
  const [{ Checker }, { CheckedReader }, { kinds }] = await Promise.all(modules);
  const checking = { checker: new Checker(limits.checks ?? [], limits), kinds };
  return (code: AcceptCode) => new CheckedReader(checking, code, memory, limits);
}

interface Asked {
  /** Of the payload, in bytes. */
  readonly size: number;
  /** Violations are only counted. */
  readonly countsOnly: boolean;
}

interface TakerParts {
  readonly within: RunWithinLimit;
  readonly compiled: (givenKind: string | null) => Soon<Acceptor>;
}

/**
 * What reads the violations that the reader of a kind notes; null: it notes none. It is asked for each payload that
 * is explained: the first ones are left to the judge (`NOTED` in thresholds.ts).
 */
function takers(schemas: Schemas, limits: ExamineSettings, { within, compiled }: TakerParts) {
  const { texts, fixes } = schemas.defaults;
  const { relations, syntaxOnly } = limits;
  const isPlain = !explainsAll(limits) && relations === undefined && !syntaxOnly;
  const takesNotes = isPlain && texts === null;
  const noting: NotingSource = schemas.noting ?? lazyNoting(schemas, within);
  const made = new Map<string | null, NoteTaker>();
  return (givenKind: string | null, { size, countsOnly }: Asked): Soon<NoteTaker | null> => {
    // Noted violations do not show what `fill` would insert.
    if (!takesNotes || (fixes !== undefined && !countsOnly)) return null;
    return (
      made.get(givenKind) ??
      soon(noting(givenKind, size), (begin) =>
        begin === null
          ? null
          : soon(compiled(givenKind), (reader) => {
              const taker = begin(reader, limits);
              made.set(givenKind, taker);
              return taker;
            }),
      )
    );
  };
}
