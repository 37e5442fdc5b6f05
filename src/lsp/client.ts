/**
 * What the client can do, and its settings.
 */
import type { InitializeParams } from 'vscode-languageserver';
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
