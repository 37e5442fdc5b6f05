/** An engine that says which payload it explains, so that another thread can name the payload if that never ends. */

import type { Soon } from '../json/on-demand.ts';
import type { Engine } from './engine.ts';
import type { Examined } from './judge/examine.ts';

/** Records which payload is explained. */
export interface Mark {
  /** `payload`: its index in the source or the range of it that is checked; `line`: there, from 1. */
  examines(payload: number, line: number): void;
  examined(): void;
}

export function markedEngine(own: Engine, mark: Mark): Engine {
  return {
    ...own,
    explain(payload, givenKind, countsOnly) {
      const place = payload.place?.();
      if (place === undefined) return own.explain(payload, givenKind, countsOnly);
      mark.examines(place.payload, place.line);
      let examined: Soon<Examined> | null = null;
      try {
        examined = own.explain(payload, givenKind, countsOnly);
      } finally {
        if (!(examined instanceof Promise)) mark.examined();
      }
      return examined instanceof Promise ? examined.finally(() => mark.examined()) : examined;
    },
  };
}
