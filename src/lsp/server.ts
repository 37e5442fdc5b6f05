/** The language server: the protocol on two streams, a thin layer on the library. It ends with the client. */
import { Writable } from 'node:stream';
import {
  ErrorCodes,
  Message,
  type MessageStrategy,
  type MessageWriter,
  type RequestMessage,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import {
  type Connection,
  ConnectionError,
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  LogMessageNotification,
  MessageType,
  type PublishDiagnosticsParams,
  ShowMessageNotification,
  type TextDocumentIdentifier,
  TextDocumentSyncKind,
  type WatchDog,
} from 'vscode-languageserver';
import { Interrupted } from '../errors.ts';
import type { Paylint } from '../library/api.ts';
import { DOCUMENT_BYTES } from '../limits.ts';
import { rulesPage, version } from '../package.ts';
import type { Io } from '../source/io.ts';
import { visible } from '../words/escape.ts';
import { ACTION_KINDS, actionsFor } from './actions.ts';
import { DEFAULTS, type EditorSettings, type Host, OpenDocument } from './documents.ts';
import { type Broken, Instances } from './instances.ts';
import { completionsAt, hoverAt, symbolsOf } from './requests.ts';

/** Milliseconds between two looks at the client's process, and at configs and schemas, which it need not watch. */
const LOOK = 1000;

const NOT_INITIALIZED = { code: ErrorCodes.ServerNotInitialized, message: 'the first request must be "initialize"' };
const SHUT_DOWN = { code: ErrorCodes.InvalidRequest, message: 'after "shutdown" there is only "exit"' };
const AGAIN = { code: ErrorCodes.InvalidRequest, message: '"initialize" is sent once' };

/** Serves until the client ends it or is gone. Resolves to the exit code. Throws Interrupted. */
export async function serve(io: Io): Promise<number> {
  const end = endOf(io);
  const connection = connect(io, end.watchDog);
  const server = new Server(connection, io, end.client);
  connection.listen();
  try {
    return await end.code;
  } finally {
    server.close();
    io.stdin.destroy();
  }
}

function connect(io: Io, watchDog: WatchDog): Connection {
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      io.stdout.write(chunk, done);
    },
  });
  const reader = new StreamMessageReader(io.stdin);
  const writer = new StreamMessageWriter(output);
  const options = { messageStrategy: inOrder(writer) };
  return createConnection((logger) => createProtocolConnection(reader, writer, logger, options), watchDog);
}

class Server {
  readonly #connection: Connection;
  readonly #instances: Instances;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #io: Io;
  readonly #rulesPage = rulesPage();
  #client: Client = clientOf({ capabilities: {}, processId: null, rootUri: null });
  #settings: EditorSettings = DEFAULTS;
  readonly #broken = new Map<string, Broken>();
  /** URIs that were said to be none of files. */
  readonly #unnamed = new Set<string>();
  /** Names of files for whose changes the client was asked. */
  readonly #watched = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(connection: Connection, io: Io, onClient: (processId: number | null) => void) {
    this.#connection = connection;
    this.#io = io;
    this.#instances = new Instances(io);
    this.#timer = setInterval(() => this.#look(), LOOK);
    connection.onInitialize((params) => {
      onClient(params.processId);
      return this.#initialize(params);
    });
    connection.onInitialized(() => this.#initialized().catch(this.#fail));
    connection.onDidOpenTextDocument(({ textDocument }) => {
      if (!OpenDocument.isFor(textDocument)) return;
      this.#documents.get(textDocument.uri)?.close();
      const document = new OpenDocument(textDocument, this.#host());
      this.#documents.set(textDocument.uri, document);
      if (!document.isNamed) this.#showUnnamed(textDocument.uri);
    });
    connection.onDidChangeTextDocument(({ textDocument, contentChanges }) =>
      this.#documents.get(textDocument.uri)?.change(contentChanges, textDocument.version),
    );
    connection.onDidSaveTextDocument(() => this.#look());
    connection.onDidCloseTextDocument(({ textDocument }) => {
      this.#documents.get(textDocument.uri)?.close();
      this.#documents.delete(textDocument.uri);
    });
    connection.onDidChangeWatchedFiles(() => this.#look());
    connection.onDidChangeConfiguration(({ settings }) => this.#configure(settings).catch(this.#fail));
    connection.onCodeAction((params) => this.#ask(params, (context) => actionsFor(context, params)));
    connection.onHover((params) =>
      this.#ask(params, ({ document, paylint }) =>
        document.isPlainJson && !this.#settings.json.hover ? null : hoverAt(document, params.position, paylint),
      ),
    );
    connection.onCompletion((params) =>
      this.#ask(params, ({ document, paylint }) => {
        if (document.isPlainJson && !this.#settings.json.completion) return null;
        return completionsAt(document, params.position, paylint, this.#client.snippets);
      }),
    );
    connection.onDocumentSymbol((params) => this.#ask(params, ({ document }) => symbolsOf(document)));
    connection.languages.diagnostics.on(async ({ textDocument: { uri } }) => {
      this.#look();
      const document = this.#documents.get(uri);
      return { kind: 'full', items: [...(document === undefined ? this.#brokenAt(uri) : await document.settled())] };
    });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const document of this.#documents.values()) document.drop();
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.#client = clientOf(params);
    this.#settings = settingsFrom(params.initializationOptions, this.#settings);
    return {
      serverInfo: { name: 'paylint', version: version() },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        diagnosticProvider: { identifier: 'paylint', interFileDependencies: false, workspaceDiagnostics: false },
        codeActionProvider: { codeActionKinds: ACTION_KINDS },
        hoverProvider: true,
        completionProvider: { triggerCharacters: ['"', ':'] },
        documentSymbolProvider: true,
        workspace: { workspaceFolders: { supported: true } },
      },
    };
  }

  /** The answer about a document that has been judged; null if it is not open, or there is nothing to judge it with. */
  async #ask<Answer>(
    { textDocument: { uri } }: { readonly textDocument: TextDocumentIdentifier },
    answer: (context: { readonly document: OpenDocument; readonly paylint: Paylint }) => Answer,
  ): Promise<Answer | null> {
    const document = this.#documents.get(uri);
    if (document === undefined) return null;
    this.#look();
    await document.settled();
    const paylint = await document.paylint();
    return paylint === null ? null : answer({ document, paylint });
  }

  async #initialized(): Promise<void> {
    if (this.#client.watches) await this.#watch(['**/*.json']);
    if (!this.#client.hasConfiguration) return;
    await this.#connection.client.register(DidChangeConfigurationNotification.type, { section: 'paylint' });
    await this.#configure(undefined);
  }

  async #watch(globs: readonly string[]): Promise<void> {
    const watchers = globs.map((globPattern) => ({ globPattern }));
    await this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }

  /** Asks the client for changes of files that were read and are not JSON, such as lists of values. */
  async #watchOthers(names: readonly string[]): Promise<void> {
    const others = names.filter((name) => !name.endsWith('.json') && !this.#watched.has(name));
    for (const name of others) this.#watched.add(name);
    // What is special in a glob can be any character.
    if (others.length > 0) await this.#watch(others.map((name) => `**/${name.replace(/[^\w.-]/g, '?')}`));
  }

  /** `given`: what the client has sent, if it is not asked. */
  async #configure(given: unknown): Promise<void> {
    const asked = this.#client.hasConfiguration
      ? await this.#connection.workspace.getConfiguration('paylint')
      : (given as { readonly paylint?: unknown } | null | undefined)?.paylint;
    const settings = settingsFrom(asked);
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    this.#settings = settings;
    this.#renew();
  }

  #host(): Host {
    return {
      longest: DOCUMENT_BYTES,
      settings: () => this.#settings,
      rulesPage: this.#rulesPage,
      relatesInformation: this.#client.relatesInformation,
      instanceOf: async (folder) => {
        // Others that were judged by the same files, which have changed, are judged again, too.
        this.#look();
        const instance = await this.#instances.of(folder || this.#io.cwd, this.#settings.config);
        this.#showBroken(instance.broken, instance.config);
        if (this.#client.watches) this.#watchOthers(this.#instances.names).catch(this.#fail);
        return instance;
      },
      publish: (uri, version, diagnostics) => {
        if (!this.#client.pulls) this.#send({ uri, version, diagnostics: [...diagnostics] });
      },
      fail: this.#fail,
    };
  }

  /** Once for each URI. */
  #showUnnamed(uri: string): void {
    if (this.#unnamed.has(uri)) return;
    this.#unnamed.add(uri);
    const message = `${visible(uri)} is not a URI of a file: "%" must be followed by the digits of UTF-8 bytes`;
    this.#show(MessageType.Warning, message);
  }

  #show(type: MessageType, message: string): void {
    const shown = { type, message: `paylint: ${message}` };
    this.#connection.sendNotification(ShowMessageNotification.type, shown).catch(this.#fail);
  }

  #showBroken(broken: Broken | null, config: string): void {
    const known = this.#broken.get(config);
    if (known?.message === broken?.message) return;
    if (known !== undefined) this.#send({ uri: known.uri, diagnostics: [] });
    if (broken === null) {
      this.#broken.delete(config);
      return;
    }
    this.#broken.set(config, broken);
    this.#send({ uri: broken.uri, diagnostics: this.#brokenAt(broken.uri) });
    if (!this.#isClosed) this.#show(MessageType.Error, broken.message);
  }

  #brokenAt(uri: string): Diagnostic[] {
    const broken = [...this.#broken.values()].find((one) => one.uri === uri);
    if (broken === undefined) return [];
    const start = { line: broken.line, character: broken.column };
    return [{ range: { start, end: start }, severity: 1, source: 'paylint', message: broken.message }];
  }

  /** Judges all again if a file that was read has changed. */
  #look(): void {
    if (this.#documents.size > 0 && this.#instances.dropStale()) this.#renew();
  }

  #renew(): void {
    for (const document of this.#documents.values()) document.forget();
    if (this.#client.pulls && this.#client.refreshes)
      this.#connection.sendRequest(DiagnosticRefreshRequest.type).catch(this.#fail);
  }

  #send(params: PublishDiagnosticsParams): void {
    if (!this.#isClosed) this.#connection.sendDiagnostics(params).catch(this.#fail);
  }

  readonly #fail = (error: unknown): void => {
    // The client may be gone before the end is known.
    if (this.#isClosed || error instanceof ConnectionError) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const message = `this is a bug in paylint, please report it\n${text}`;
    void this.#connection.sendNotification(LogMessageNotification.type, { type: MessageType.Error, message });
  };
}

type Client = ReturnType<typeof clientOf>;

function clientOf({ capabilities: { textDocument, workspace } }: InitializeParams) {
  return {
    /** It asks for diagnostics, so they are not pushed. */
    pulls: textDocument?.diagnostic !== undefined,
    refreshes: workspace?.diagnostics?.refreshSupport === true,
    hasConfiguration: workspace?.configuration === true,
    watches: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    /** False: it says that it does not show it. */
    relatesInformation: textDocument?.publishDiagnostics?.relatedInformation !== false,
    snippets: textDocument?.completion?.completionItem?.snippetSupport === true,
  };
}

/** The settings of the client, which may be anything. */
function settingsFrom(given: unknown, otherwise: EditorSettings = DEFAULTS): EditorSettings {
  if (typeof given !== 'object' || given === null) return otherwise;
  const { validate, config, json } = given as Partial<Record<keyof EditorSettings, unknown>>;
  const { hover, completion } = (json ?? {}) as Partial<Record<'hover' | 'completion', unknown>>;
  return {
    validate: validate === 'all' || validate === 'off' ? validate : 'payloads',
    config: typeof config === 'string' && config !== '' ? config : null,
    json: { hover: hover === true, completion: completion === true },
  };
}

/**
 * By `exit`, when standard input is closed, when the process that started the server is gone, and by a signal. `client` is told
 * the process id of the client; null: it gives none. `code`: 0 after `shutdown`, else 1; rejects with Interrupted.
 */
function endOf(io: Io) {
  let resolve: (code: number) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const code = new Promise<number>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  const watchDog: WatchDog = { shutdownReceived: false, initialize() {}, exit: (given) => resolve(given) };
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
    client: (processId: number | null): void => {
      client = processId;
    },
    code: ended,
  };
}

/**
 * The order of messages that LSP 3.17 asks for: before `initialize` and after `shutdown`, requests are errors and
 * notifications are dropped, except `exit`; `initialize` comes once.
 */
function inOrder(writer: MessageWriter): MessageStrategy {
  let phase: 'new' | 'running' | 'over' = 'new';
  const faultOf = ({ method }: RequestMessage): { readonly code: number; readonly message: string } | null => {
    if (phase === 'over') return SHUT_DOWN;
    if (method === 'initialize') return phase === 'new' ? null : AGAIN;
    return phase === 'new' ? NOT_INITIALIZED : null;
  };
  return {
    handleMessage(message, next) {
      if (Message.isRequest(message)) {
        const error = faultOf(message);
        if (error !== null) return writer.write({ jsonrpc: '2.0', id: message.id, error } as Message); // a response
        if (message.method === 'initialize') phase = 'running';
        if (message.method === 'shutdown') phase = 'over';
      } else if (Message.isNotification(message) && phase !== 'running' && message.method !== 'exit') return;
      return next(message);
    },
  };
}
