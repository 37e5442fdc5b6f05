/**
 * The long calls of an instance in progress. Each ends if its signal aborts, or if the instance is closed.
 */
import { UsageError } from '../errors.ts';
import type { StopSignal } from './api.ts';

/** One call. */
export interface LongCall {
  /** Aborted by the signal of the call, with its reason, or by `close`. */
  readonly stop: AbortController;
  /** Call it when the call ends; repeated calls have no effect. */
  readonly ended: () => void;
}

export class OpenCalls {
  readonly #calls = new Set<AbortController>();
  #isClosed = false;
  /** Functions to call when no call is left. */
  readonly #waiting: (() => void)[] = [];

  /** Throws UsageError after `close`. */
  requireOpen(): void {
    if (this.#isClosed) throw closedError();
  }

  /** `signal`: of the call. Throws UsageError after `close`. */
  begin(signal: StopSignal | undefined): LongCall {
    this.requireOpen();
    const stop = new AbortController();
    const abort = (): void => stop.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    this.#calls.add(stop);
    const ended = (): void => {
      signal?.removeEventListener('abort', abort);
      if (this.#calls.delete(stop) && this.#calls.size === 0) for (const resolve of this.#waiting) resolve();
    };
    return { stop, ended };
  }

  /** Ends all calls, and resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#calls.size === 0) return;
    const ended = new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
    for (const stop of [...this.#calls]) stop.abort(closedError());
    await ended;
  }
}

function closedError(): UsageError {
  return new UsageError('the instance of paylint is closed');
}
