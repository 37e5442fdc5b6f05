/** A sink for tests: what is found goes to the function for its type; what has none is not expected. */
import type { Sink, SourceEvent } from '../src/run/outlets/sink.ts';

type Takers = { readonly [T in SourceEvent['type']]?: (found: Extract<SourceEvent, { readonly type: T }>) => void };

/** Takes what the check, or an outlet, finds besides violations. A payload that could not be checked fails the test. */
export function emitTo(takers: Takers): Sink['emit'] {
  return (found) => {
    if (found.type === 'fault') throw new Error(`could not be checked: ${found.fault.message}`);
    const take = takers[found.type] as ((one: SourceEvent) => void) | undefined; // for its type
    if (take === undefined) throw new Error(`not expected: ${JSON.stringify(found)}`);
    take(found);
  };
}

/** Never stops the run, and is never due to be flushed. */
export function sinkOf(
  violation: (...of: Parameters<Sink['violation']>) => void,
  takers: Takers,
  flush: Sink['flush'] = async () => {},
): Sink {
  return {
    stopped: false,
    isDue: false,
    violation: (...of) => {
      violation(...of);
      return false;
    },
    emit: emitTo(takers),
    flush,
  };
}
