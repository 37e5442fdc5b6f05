/**
 * What an acceptor runs: compiled code, whole or as payloads need it, and what its modules export.
 */
import type { FillableObject } from './context.ts';
import type { NotedKinds } from './notes.ts';

/** The exports of a module made by `compileAccept`. */
export interface AcceptExports {
  readonly run: (start: number, end: number, mode: number, final: number) => number;
  readonly one: (start: number, end: number) => number;
  readonly plain: (start: number, end: number) => number;
  readonly lineFeeds: { readonly value: number };
  readonly afterElement: { readonly value: number };
  readonly gaps: { value: number };
  readonly spans: { value: number };
  readonly maxDepth: { value: number };
  readonly maxBytes: { value: number };
  readonly payloadStart: { readonly value: number };
  readonly payloadGaps: { value: number };
  readonly wanted: { value: number };
  /** The number of the kind of the last payload that was accepted. */
  readonly lastKind: { readonly value: number };
  readonly lineFeedsIn: (start: number, end: number) => number;
  readonly codeUnitsIn: (start: number, end: number) => number;
  /** See `writer.ts`; absent if the module writes nothing. */
  readonly finish?: () => number;
  readonly to?: { value: number };
  readonly from?: { value: number };
  readonly upTo?: { value: number };
  readonly commas?: { value: number };
  /** See `notes.ts`; absent if the module notes no violations. */
  readonly noteOne?: (start: number, end: number) => number;
  readonly notes?: { readonly value: number };
  readonly noted?: { readonly value: number };
}

/** The exports of a module that writes. */
export type WriterExports = Required<Pick<AcceptExports, 'finish' | 'to' | 'from' | 'upTo' | 'commas'>>;

/** Null: the module writes nothing. */
export function writerOf({ finish, to, from, upTo, commas }: AcceptExports): WriterExports | null {
  return finish && to && from && upTo && commas ? { finish, to, from, upTo, commas } : null;
}

/** A compiled accept module. Threads can share it without `waiting`. */
export interface AcceptCode {
  readonly module: WebAssembly.Module;
  readonly kinds: readonly string[];
  /** The objects that gaps refer to, if defaults are filled in. */
  readonly fillable: readonly FillableObject[];
  readonly exactPaths: boolean;
  /** The tables of patterns, for the address `TABLES`. */
  readonly tables: Uint8Array;
  /** Makes the tables that are not there yet; absent if all are. */
  readonly waiting?: WaitingTables;
  /** What violations it notes; absent: none. */
  readonly notes?: NotedKinds;
}

/** Code that notes violations. */
export type NotingCode = Required<Pick<AcceptCode, 'notes'>> & AcceptCode;

export interface WaitingTables {
  readonly bytes: Uint8Array;
  /** Makes the table for an entry, see `patterns.ts`. False if that is not possible. */
  makeAt(entry: number): boolean;
  makeAll(): void;
}

/** The code with all tables, as plain data, which threads can be given. */
export function shareable({ waiting, ...code }: AcceptCode): AcceptCode {
  if (waiting === undefined) return code;
  waiting.makeAll();
  return { ...code, tables: waiting.bytes };
}
