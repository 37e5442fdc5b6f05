/**
 * The data in a page of `html`: rows in blocks, and a last block with the totals. Each block is JSON, compressed with
 * gzip and encoded as base64. All texts are raw: the page escapes them before it shows them.
 */
import type { Child, Excerpt, Failure, Severity, SourceCounts, Summary, ViolationPlace } from '../types.ts';
import type { RuleText } from '../words/rule.ts';

/** The media type of the elements that hold the blocks: a browser runs no script of a type that it does not know. */
export const BLOCK_TYPE = 'application/x-paylint+gzip';

/** A piece of a line, and whether the line continues before or after it. */
type LineData = Pick<Excerpt, 'text' | 'cutBefore' | 'cutAfter'>;

/** The line of a violation, and from where to where the violation is in it, in UTF-16 code units. */
export interface FrameData extends LineData {
  readonly from: number;
  /** Exclusive; beyond the text if the violation goes on. */
  readonly to: number;
  /** An earlier line, on which the cause is. */
  readonly earlier?: LineData & { readonly line: number };
}

/** A violation. Long texts are cut, with `…` at the end. Fields as in Violation. */
export interface RowData extends ViolationPlace {
  readonly kind: string | null;
  readonly severity: Severity;
  readonly pointer: string;
  /** The pointer with `*` for indexes. */
  readonly pattern: string;
  readonly rule: string;
  readonly message: string;
  /** Null if they are too long. */
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly schema: string | null;
  readonly fix: string | null;
  readonly suggestion: string | null;
  readonly frame: FrameData | null;
  /** The list below it; absent: nothing. */
  readonly children?: readonly ChildData[];
}

/** An item of the list below a violation; `level`: 1 for items of the violation itself. */
export interface ChildData extends Pick<Child, 'line' | 'column' | 'pointer' | 'message'> {
  readonly level: number;
  readonly rule: string;
}

/** Violations in the order of the report, and the files that are done. */
export interface BlockData {
  readonly rows: readonly RowData[];
  readonly sources: readonly SourceCounts[];
}

/** What `explain` says about a rule. */
interface RuleData extends Omit<RuleText, 'schema'> {
  readonly rule: string;
}

/** The data that are complete only at the end. */
export interface EndData {
  readonly version: string;
  readonly summary: Summary;
  /** Of all violations, those that `fill` would fix. */
  readonly fixable: number;
  readonly failures: readonly Failure[];
  /** The rules that occur in the report and that `explain` knows. */
  readonly rules: readonly RuleData[];
  /** What the page leaves out, in sentences. */
  readonly notes: readonly string[];
}
