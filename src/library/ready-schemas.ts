/**
 * The schemas of an instance: loaded already, with code that is made without waiting, for texts and sources alike.
 */

import { kept, type Schemas } from '../engine/accept.ts';
import type { AcceptCode } from '../engine/compile/code.ts';
import { readAccept, readNoting } from '../engine/compile/code-file.ts';
import { compileAcceptCode, compileNotingCode } from '../engine/compilers.ts';
import { notingWith } from '../engine/judge/noted.ts';
import type { AllowsDefault } from '../engine/judge/sites.ts';
import { type BeginNoting, NOTED, notingSource, now } from '../engine/supply.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import type { PrecompiledFiles } from '../package.ts';
import type { LoadedSchemas } from '../schema/load.ts';

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
    accept: kept((kind: string | null) => {
      const made = kind === null && precompiled !== null ? readAccept(precompiled.accept) : null;
      return made ?? compileAcceptCode(set, kind, null);
    }),
    noting: (kind) => now(noting(kind)),
  };
}
