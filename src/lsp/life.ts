/**
 * When the server ends: by `exit`, when standard input is closed, when the process that started it is gone, and by a signal.
 */
import type { WatchDog } from 'vscode-languageserver';
import { Interrupted } from '../errors.ts';
import type { Io } from '../input/io.ts';

/** Milliseconds between two looks at the process of the client. */
const LOOK = 1000;

export interface End {
  readonly watchDog: WatchDog;
  /** To be told the process id of the client; null: it gives none. */
  readonly client: (processId: number | null) => void;
  /** The exit code: 0 after `shutdown`, else 1. Rejects with Interrupted. */
  readonly code: Promise<number>;
}

export function endOf(io: Io): End {
  let resolve: (code: number) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const code = new Promise<number>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  const watchDog: WatchDog = {
    shutdownReceived: false,
    initialize() {},
    exit: (given) => resolve(given),
  };
  const over = (): void => resolve(watchDog.shutdownReceived ? 0 : 1);
  for (const event of ['end', 'close', 'error']) io.stdin.on(event, over);
  io.stdout.on('error', over);
  const { interrupt, processes } = io;
  const stop = (): void => reject(new Interrupted(interrupt));
  if (interrupt.aborted) stop();
  else interrupt.addEventListener('abort', stop);
  const parent = processes?.parent();
  let client: number | null = null;
  const timer = setInterval(() => {
    if (processes === undefined) return;
    // Without an id, another parent means that the first one is gone.
    const isGone = client === null ? processes.parent() !== parent : !processes.isAlive(client);
    if (isGone) over();
  }, LOOK);
  const ended = code.finally(() => {
    clearInterval(timer);
    interrupt.removeEventListener('abort', stop);
  });
  return {
    watchDog,
    client: (processId) => {
      client = processId;
    },
    code: ended,
  };
}
