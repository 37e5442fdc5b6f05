/** A report format as a table: what it writes for each type of event. */
import type { ReportEvent, Reporter } from '../types.ts';

/** What is absent, or returns undefined, writes nothing. */
export type Handlers = { readonly [E in ReportEvent as E['type']]?: (event: E) => string | undefined };

export function reporterOf(handlers: Handlers): Reporter {
  return (event) => {
    const handle = handlers[event.type] as ((event: ReportEvent) => string | undefined) | undefined; // of its type
    return handle?.(event) ?? '';
  };
}
