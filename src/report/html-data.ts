/**
 * The data in a page of `html`: rows in blocks, and a last block with the totals. Each block is JSON, compressed with
 * gzip and encoded as base64. All texts are raw: the page escapes them before it shows them.
 */
import type { Failure, SourceCounts, StatementText, Summary, ViolationPlace } from '../types.ts';
import type { RuleText } from '../words/rule.ts';
import type { Piece } from './paint.ts';

/** The media type of the elements that hold the blocks: a browser runs no script of a type that it does not know. */
export const BLOCK_TYPE = 'application/x-paylint+gzip';

/** The line of a violation, and from where to where the violation is in it, in UTF-16 code units. */
export interface FrameData extends Piece {
  readonly from: number;
  /** Exclusive; beyond the text if the violation goes on. */
  readonly to: number;
  /** An earlier line, on which the cause is. */
  readonly earlier?: Piece & { readonly line: number };
}

/** A violation. Long texts are cut, with `…` at the end. */
export interface RowData
  extends ViolationPlace,
    Pick<StatementText, 'kind' | 'severity' | 'pointer' | 'message' | 'schema'> {
  /** The pointer with `*` for indexes. */
  readonly pattern: string;
  readonly rule: string;
  /** Null if they are too long. */
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly fix: string | null;
  readonly suggestion: string | null;
  readonly frame: FrameData | null;
  /** The list below it; absent: nothing. */
  readonly children?: readonly ChildData[];
}

/** An item of the list below a violation; `level`: 1 for items of the violation itself. */
export interface ChildData extends Pick<RowData, 'line' | 'column' | 'pointer' | 'rule' | 'message'> {
  readonly level: number;
}

/** Violations in the order of the report, and the files that are done. */
export interface BlockData {
  readonly rows: readonly RowData[];
  readonly sources: readonly SourceCounts[];
}

/** The data that are complete only at the end. */
export interface EndData {
  readonly version: string;
  readonly summary: Summary;
  /** Of all violations, those that `fill` would fix. */
  readonly fixable: number;
  readonly failures: readonly Failure[];
  /** The rules that occur in the report and that `explain` knows, and what it says about them. */
  readonly rules: readonly (Omit<RuleText, 'schema'> & { readonly rule: string })[];
  /** What the page leaves out, in sentences. */
  readonly notes: readonly string[];
}
