/**
 * The command line's interface to the world: arguments, streams, signals, time. No other code uses the process. Work
 * that never waits takes turns of the event loop, in which signals and pipes are handled.
 */
import type { Readable } from 'node:stream';
import { Interrupted } from '../errors.ts';
import type { OutputStream } from '../json/vocabulary.ts';
import { visible } from '../words/escape.ts';

/** What `main` needs from the world, so that tests can provide it. */
export interface Io {
  readonly args: readonly string[];
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly fd?: number };
  readonly stdout: OutputStream & { readonly fd?: number };
  readonly stderr: OutputStream & {
    /** As on a terminal's stream. */
    cursorTo?(column: number): boolean;
    clearLine?(direction: -1 | 0 | 1): boolean;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Other processes; absent: they cannot be seen. */
  readonly processes?: {
    isAlive(pid: number): boolean;
    /** Process id of the parent. */
    parent(): number;
  };
  /** The user as whom this process acts; absent if the system has no such numbers. */
  readonly uid?: number | undefined;
  readonly cwd: string;
  /** Milliseconds since a fixed moment; never decreases. */
  readonly now: () => number;
  /**
   * Called before a large schema is read (`schema`), and (`payloads`) after that, before the first payload is examined
   * (many may follow), and before other threads are started.
   */
  readonly beforeMuchWork?: (work: 'schema' | 'payloads') => void;
  /**
   * Aborts if the user interrupts the process or the system ends it. The reason is the signal's name: SIGHUP, SIGINT or
   * SIGTERM. Signals are handled after this property is first read. Before that, they end the process.
   */
  readonly interrupt: AbortSignal;
}

/** The same world with other properties. All are read when they are needed, and no sooner: to open a stream takes time. */
export function ioWith(io: Io, own: PropertyDescriptorMap): Io {
  return Object.defineProperties({} as Io, { ...Object.getOwnPropertyDescriptors(io), ...own });
}

/** Milliseconds of work between two turns. A step of work takes little more: a turn comes at least every 10. */
const WORK = 4;

export class Turns {
  readonly #now: () => number;
  readonly #interrupt: AbortSignal;
  #last: number;

  constructor({ now, interrupt }: Pick<Io, 'now' | 'interrupt'>) {
    this.#now = now;
    this.#interrupt = interrupt;
    this.#last = now();
  }

  /** The last turn was some time ago. */
  get isDue(): boolean {
    return this.#now() - this.#last > WORK;
  }

  /** Takes a turn, if it is due. Throws Interrupted after a signal. */
  async take(): Promise<void> {
    if (this.isDue) await this.turn();
    if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
  }

  async turn(): Promise<void> {
    await new Promise((turn) => setImmediate(turn));
    this.#last = this.#now();
  }
}

/** Writes messages to standard error, each on lines of its own. */
export function printMessages(messages: readonly string[], { stderr }: Pick<Io, 'stderr'>): void {
  for (const message of messages) stderr.write(`paylint: ${message.split('\n').map(visible).join('\n')}\n`);
}
