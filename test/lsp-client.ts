/**
 * A client of `paylint lsp` for tests: starts it as a process, and speaks to it through `vscode-jsonrpc`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { ClientCapabilities, Diagnostic, InitializeResult } from 'vscode-languageserver';
import { ROOT } from './user-folder.ts';

export interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface RegistrationParams {
  readonly registrations: readonly {
    readonly registerOptions?: { readonly watchers?: readonly { readonly globPattern: string }[] };
  }[];
}

export interface ClientOptions {
  readonly cwd: string;
  readonly capabilities?: ClientCapabilities;
  readonly initializationOptions?: unknown;
  readonly processId?: number | null;
  /** Beside that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** The folder of the package. */
  readonly root?: string;
}

export class LspClient {
  readonly child: ChildProcess;
  readonly connection: MessageConnection;
  /** What was published and shown so far. */
  readonly published: Published[] = [];
  readonly shown: string[] = [];
  readonly logged: string[] = [];
  /** Globs that the server has asked for. */
  readonly watched: string[] = [];
  initialized: InitializeResult | null = null;
  /** The exit code. */
  readonly exit: Promise<number | null>;
  #wake: (() => void)[] = [];
  #version = 1;

  constructor(cwd: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, root: string = ROOT) {
    const command = [join(root, 'bin/paylint.js'), 'lsp', ...args];
    this.child = spawn(process.execPath, command, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.exit = new Promise((resolve) => this.child.on('exit', resolve));
    this.connection = createMessageConnection(
      new StreamMessageReader(this.child.stdout!),
      new StreamMessageWriter(this.child.stdin!),
    );
    const note = <Params>(method: string, take: (params: Params) => void): void => {
      this.connection.onNotification(method, (params: unknown) => {
        take(params as Params); // as the protocol says
        for (const wake of this.#wake.splice(0)) wake();
      });
    };
    note('textDocument/publishDiagnostics', (params: Published) => this.published.push(params));
    note('window/showMessage', ({ message }: { message: string }) => this.shown.push(message));
    note('window/logMessage', ({ message }: { message: string }) => this.logged.push(message));
    this.connection.onRequest('client/registerCapability', ({ registrations }: RegistrationParams) => {
      for (const { registerOptions } of registrations)
        this.watched.push(...(registerOptions?.watchers ?? []).map(({ globPattern }) => globPattern));
      for (const wake of this.#wake.splice(0)) wake();
      return null;
    });
    // Requests that wait for an answer are rejected.
    this.connection.onClose(() => this.connection.dispose());
    this.connection.listen();
  }

  static async start({
    cwd,
    capabilities = {},
    initializationOptions,
    processId = null,
    env = {},
    root,
  }: ClientOptions): Promise<LspClient> {
    const client = new LspClient(cwd, [], env, root);
    const params = { processId, rootUri: pathToFileURL(cwd).href, capabilities, initializationOptions };
    client.initialized = await client.connection.sendRequest('initialize', params);
    await client.connection.sendNotification('initialized', {});
    return client;
  }

  /** Opens a document, and resolves to its URI. */
  async open(path: string, text: string, languageId = 'json'): Promise<string> {
    const uri = path.includes(':') ? path : pathToFileURL(path).href;
    const textDocument = { uri, languageId, version: this.#version, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
    return uri;
  }

  async change(uri: string, contentChanges: readonly unknown[]): Promise<number> {
    const textDocument = { uri, version: ++this.#version };
    await this.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges });
    return this.#version;
  }

  notify(method: string, params: unknown): Promise<void> {
    return this.connection.sendNotification(method, params);
  }

  request<Result>(method: string, params: unknown): Promise<Result> {
    return this.connection.sendRequest(method, params);
  }

  /** What a pull gives. */
  async pull(uri: string): Promise<readonly Diagnostic[]> {
    const { items } = await this.request<{ items: readonly Diagnostic[] }>('textDocument/diagnostic', {
      textDocument: { uri },
    });
    return items;
  }

  /** Waits until the condition holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  /** The diagnostics that are published next for this version of the document, or a later one. */
  async diagnosticsOf(uri: string, version = this.#version): Promise<readonly Diagnostic[]> {
    const find = (): Published | undefined =>
      this.published.find((one) => one.uri === uri && (one.version ?? 0) >= version);
    await this.until(() => find() !== undefined);
    return find()!.diagnostics;
  }

  async stop(): Promise<number | null> {
    await this.request('shutdown', undefined);
    await this.notify('exit', undefined);
    const code = await this.exit;
    this.connection.dispose();
    return code;
  }
}
