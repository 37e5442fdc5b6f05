/**
 * The client: what it can do, its settings, and its end, with which the server ends too.
 */
import type { InitializeParams, WatchDog } from 'vscode-languageserver';
import { Interrupted } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { DEFAULTS, type Settings } from './documents.ts';
import type { Encoding } from './line-text.ts';

/** What the client can do. */
export interface Client {
  readonly encoding: Encoding;
  readonly related: boolean;
  /** It asks for diagnostics, so they are not pushed. */
  readonly pulls: boolean;
  readonly refreshes: boolean;
  readonly hasConfiguration: boolean;
  readonly watches: boolean;
  /** In completions. */
  readonly snippets: boolean;
}

const ENCODINGS: readonly string[] = ['utf-8', 'utf-16', 'utf-32'] satisfies Encoding[];

export function clientOf({ capabilities: { general, textDocument, workspace } }: InitializeParams): Client {
  const encoding = general?.positionEncodings?.find((name) => ENCODINGS.includes(name));
  return {
    encoding: (encoding as Encoding | undefined) ?? 'utf-16', // one of those above
    related: textDocument?.publishDiagnostics?.relatedInformation === true,
    pulls: textDocument?.diagnostic !== undefined,
    refreshes: workspace?.diagnostics?.refreshSupport === true,
    hasConfiguration: workspace?.configuration === true,
    snippets: textDocument?.completion?.completionItem?.snippetSupport === true,
    watches: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
  };
}

/** The settings of the client, which may be anything. */
export function settingsFrom(given: unknown, otherwise: Settings = DEFAULTS): Settings {
  if (typeof given !== 'object' || given === null) return otherwise;
  const { validate, config, json } = given as Partial<Record<keyof Settings, unknown>>;
  const { hover, completion } = (json ?? {}) as Partial<Record<'hover' | 'completion', unknown>>;
  return {
    validate: validate === 'all' || validate === 'off' ? validate : 'payloads',
    config: typeof config === 'string' && config !== '' ? config : null,
    json: { hover: hover === true, completion: completion === true },
  };
}

/** Milliseconds between two looks at the process of the client. */
const LOOK = 1000;

/** The end of the server. */
interface End {
  readonly watchDog: WatchDog;
  /** To be told the process id of the client; null: it gives none. */
  readonly client: (processId: number | null) => void;
  /** The exit code: 0 after `shutdown`, else 1. Rejects with Interrupted. */
  readonly code: Promise<number>;
}

/** By `exit`, when standard input is closed, when the process that started the server is gone, and by a signal. */
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
