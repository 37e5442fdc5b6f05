/**
 * Windows with the engines that work in their memories: each for one source at a time, an unused one is kept for the
 * next. They use the schemas of the instance, with code that is made without waiting.
 */
import type { Schemas } from '../engine/accept.ts';
import type { Acceptor } from '../engine/compile/acceptor.ts';
import { type AcceptCode, readAccept, readNoting } from '../engine/compile/code.ts';
import { compileAcceptCode, compileNotingCode } from '../engine/compilers.ts';
import { createEngines, type EngineHooks, type Engines } from '../engine/engines.ts';
import type { Examiner } from '../engine/judge/examine.ts';
import { notingWith } from '../engine/judge/noted.ts';
import type { AllowsDefault } from '../engine/judge/sites.ts';
import { type BeginNoting, NOTED, notingSource, now } from '../engine/supply.ts';
import { unexamined } from '../errors.ts';
import { memoized } from '../json/on-demand.ts';
import type { PrecompiledFiles } from '../package.ts';
import { NO_DEFAULTS } from '../repair/wanted-defaults.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { Window } from '../source/window.ts';
import type { Limits } from '../types.ts';

export interface WorkspaceParts {
  readonly limits: Limits;
  readonly examiner: Examiner;
  readonly schemas: ReadySchemas;
}

/** A larger memory is released together with the source that needed it. In bytes. */
const KEPT = 8 << 20;

export class SourceWorkspaces {
  readonly #parts: WorkspaceParts;
  #idle: SourceWorkspace | null = null;

  constructor(parts: WorkspaceParts) {
    this.#parts = parts;
  }

  take(): SourceWorkspace {
    const workspace = this.#idle ?? new SourceWorkspace(this.#parts);
    this.#idle = null;
    return workspace;
  }

  giveBack(workspace: SourceWorkspace): void {
    if (workspace.window.bytes.length <= KEPT) this.#idle = workspace;
  }

  clear(): void {
    this.#idle = null;
  }
}

/** Larger payloads are left to engines that limit the time and have more room. In bytes. */
const SMALL = 1 << 17;

export class SourceWorkspace {
  readonly window = new Window();
  readonly engines: Engines;
  /** True: the caller cannot wait, so all payloads are examined here. */
  isSync = false;

  constructor({ schemas, limits, examiner }: WorkspaceParts) {
    const examineHere: EngineHooks['examineHere'] = (payload, kind, countsOnly) => {
      const { start, end } = payload.span;
      // The caller's own schemas may take long. The other engines limit that time.
      if (!this.isSync && (schemas.precompiled === null || end - start > SMALL)) return null;
      try {
        const examined = examiner.tryExamine(payload, kind, countsOnly);
        return examined ?? (this.isSync ? examiner.examine(payload, kind, countsOnly) : null);
      } catch (error) {
        throw unexamined(error);
      }
    };
    this.engines = createEngines(schemas, limits, this.window.memory, { examineHere });
  }

  acceptor(kind: string | null): Acceptor {
    return now(this.engines.acceptor(kind));
  }
}

export interface ReadySchemas extends Schemas {
  readonly accept: (kind: string | null) => AcceptCode;
  readonly noting: (kind: string | null) => BeginNoting | null;
}

/** `allows`: which defaults `fill` adds; `precompiled`: files made for all kinds of `set`; null: there are none. */
export function readySchemas(
  set: LoadedSchemas,
  allows: AllowsDefault,
  precompiled: PrecompiledFiles | null,
): ReadySchemas {
  const noting = notingSource({
    ...{ precompiled, load: () => set, after: NOTED.library },
    make(_, kind, file) {
      const code = (file === null ? null : readNoting(file, set)) ?? compileNotingCode(set, kind);
      return code && notingWith(code, set, allows);
    },
  });
  return {
    ...{ precompiled, load: async () => set, defaults: NO_DEFAULTS },
    accept: memoized((kind: string | null) => {
      const made = kind === null && precompiled !== null ? readAccept(precompiled.accept) : null;
      return made ?? compileAcceptCode(set, kind, null);
    }),
    noting: (kind) => now(noting(kind)),
  };
}
