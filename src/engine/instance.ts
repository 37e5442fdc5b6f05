/**
 * The engines of an instance of the library: of schemas that were loaded once, for single texts and for sources, with
 * code that is made without waiting. Those for `fill` and `prune` are made when they are first needed: only they
 * refuse a default that its own schema does not allow.
 */
import { unexamined } from '../errors.ts';
import { memoized, once, synchronously } from '../json/on-demand.ts';
import type { PrecompiledFiles } from '../package.ts';
import { createFilling, readDefaultsWith } from '../repair/defaults.ts';
import { createPruning } from '../repair/pruner.ts';
import { NO_DEFAULTS } from '../repair/wanted-defaults.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import type { Schemas } from './accept.ts';
import { CheckedReader } from './checked.ts';
import type { ExamineSettings } from './compile/acceptor.ts';
import { type AcceptCode, readAccept, readNoting } from './compile/code.ts';
import { compileAcceptCode, compileNotingCode } from './compilers.ts';
import type { Engine } from './engine.ts';
import { Examiner } from './judge/examine.ts';
import { type BeginNoting, notingWith } from './judge/noted.ts';
import type { AllowsDefault } from './judge/sites.ts';
import type { InstanceJudge } from './judging.ts';
import { type PlainParts, plainEngine } from './plain.ts';
import { EngineMaker, TextEngine } from './text-engine.ts';
import { FILLED_TEXTS, NOTED, notingSource, TEXTS } from './thresholds.ts';

export interface InstanceEngines {
  readonly schemas: Schemas;
  /** Finds the kind of a payload without validating it. */
  readonly finder: Examiner;
  /** Examines a payload without the members that its schema does not allow. */
  readonly pruner: () => Examiner;
  /** Throws SchemaError for defaults that their own schemas reject. */
  readonly fillers: Readonly<Record<'shallow' | 'deep', () => FillEngines>>;
  /** For texts of a kind (null: of any), one after another. */
  readonly textsOf: (kind: string | null) => EngineMaker;
  /** For sources in a window with this memory; `isSync`: the caller cannot wait, so each payload is examined in this thread. */
  readonly overSources: (memory: WebAssembly.Memory, isSync: () => boolean) => Engine;
}

interface FillEngines {
  readonly texts: EngineMaker;
  /** For texts of which the others are unsure. */
  readonly examiner: Examiner;
}

export interface InstanceParts {
  readonly set: LoadedSchemas;
  /** The given kind; null: it is detected. */
  readonly kind: string | null;
  readonly limits: ExamineSettings;
  readonly judge: InstanceJudge;
  /** Files made for all kinds of `set`; null: there are none. */
  readonly precompiled: PrecompiledFiles | null;
}

/** Larger payloads of sources are left to means that limit the time and have more room. In bytes. */
const SMALL = 1 << 17;

export function instanceEngines({ set, kind, limits, judge, precompiled }: InstanceParts): InstanceEngines {
  const { kinds, allows, examining, examiner } = judge;
  const { checker } = examining;
  const schemas = readySchemas(set, allows, precompiled);
  // The bundled defaults are known to be valid.
  const fillers = (isDeep: boolean): FillEngines => {
    const texts = readDefaultsWith(kinds.judge, set, isDeep, precompiled !== null);
    const code = once(() => compileAcceptCode(set, kind, texts));
    return {
      examiner: new Examiner(kinds, examining, createFilling(set, kinds, texts)),
      texts: new EngineMaker(FILLED_TEXTS, () => new TextEngine(code(), limits)),
    };
  };
  return {
    schemas,
    finder: new Examiner(kinds, { ...examining, syntaxOnly: true }),
    pruner: once(() => new Examiner(kinds, { ...examining, pruning: createPruning(set, kinds) })),
    fillers: { shallow: once(() => fillers(false)), deep: once(() => fillers(true)) },
    textsOf(kind) {
      const first = kind === null && precompiled !== null ? 0 : TEXTS;
      return new EngineMaker(
        first,
        () => new TextEngine(schemas.accept(kind), limits, (size) => schemas.noting(kind, size)),
      );
    },
    overSources: (memory, isSync) =>
      plainEngine(schemas, limits, memory, {
        examineHere: hereWith(examiner, precompiled !== null, isSync),
        readerOf: checker && ((code) => new CheckedReader({ checker, kinds: set.kinds }, code, memory, limits)),
      }),
  };
}

/** Examines in this thread what is surely quick there; null: the payload is left to other means. */
function hereWith(examiner: Examiner, isQuick: boolean, isSync: () => boolean): NonNullable<PlainParts['examineHere']> {
  return (payload, kind, countsOnly) => {
    const { start, end } = payload.span;
    // The caller's own schemas may take long. The other means limit that time.
    if (!isSync() && (!isQuick || end - start > SMALL)) return null;
    try {
      const examined = examiner.tryExamine(payload, kind, countsOnly);
      return examined ?? (isSync() ? examiner.examine(payload, kind, countsOnly) : null);
    } catch (error) {
      throw unexamined(error);
    }
  };
}

/** `allows`: which defaults `fill` adds. */
function readySchemas(set: LoadedSchemas, allows: AllowsDefault, precompiled: PrecompiledFiles | null) {
  const noting = notingSource({
    ...{ precompiled, load: () => set, after: NOTED.library },
    make(_, kind, file) {
      const code = (file === null ? null : readNoting(file, set)) ?? compileNotingCode(set, kind);
      return code && notingWith(code, set, allows);
    },
  });
  return {
    ...{ precompiled, load: async () => set, defaults: NO_DEFAULTS },
    accept: memoized((kind: string | null): AcceptCode => {
      const made = kind === null && precompiled !== null ? readAccept(precompiled.accept) : null;
      return made ?? compileAcceptCode(set, kind, null);
    }),
    noting: (kind: string | null, size: number): BeginNoting | null => synchronously(noting(kind, size)),
  } satisfies Schemas;
}
