/**
 * The glossary: every type that more than one part of paylint uses, with its units.
 *
 * Inside, places are half-open byte ranges. Lines and columns are made once, when a violation becomes part of the
 * report. "Offset" always means bytes from the start of the decompressed source.
 */
import type { Failure, Framing, Mutable, OutputStream, Source, Span } from './json/vocabulary.ts';
import type { FactsAt, RuleName } from './keywords/params.ts';

export { FRAMING_ALIASES, FRAMINGS, type FramingName } from './json/vocabulary.ts';
export { VOCABULARY_NAMES, type VocabularyName } from './schema/names.ts';
export type { Failure, Framing, Mutable, OutputStream, Source, Span };

/** The name of a rule: a schema keyword, or one of JSON itself, of paylint's limits, or of a check. */
export type Rule = RuleName | (string & {});

/** A violation inside: what is wrong, and where as bytes of the window. Its pointer begins at the payload's root. */
export type Finding = SaidText & FactsAt<Span> & FindingPlace;

interface FindingPlace {
  readonly span: Span;
  /** The cause of the violation, if it is before the span and a code frame should show it; within the payload. */
  readonly earlier?: Span;
  /** For alternatives: the findings for the closest one. They are not violations of their own. */
  readonly children?: readonly Finding[];
}

/** How bad a violation is: an error fails the run, a warning does not. */
export type Severity = 'error' | 'warning';

export type FirstPlace = Pick<ViolationPlace, 'line' | 'column' | 'offset'>;

/** A violation as an object: a statement and a place. Its fields are part of the contract of reports. */
export type Violation = ViolationPlace & Statement;

/** What is wrong, without the place. Equal violations may share one. */
export type Statement = StatementText & ViolationFacts;

/** The rule of a violation, and the facts that it has. */
export type ViolationFacts = FactsAt<FirstPlace>;

/** Where a violation is. */
export interface ViolationPlace {
  readonly file: string;
  /** Index of the payload in its source, from 0. */
  readonly payload: number;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  readonly endLine: number;
  /** Exclusive. */
  readonly endColumn: number;
  /** Bytes from the start of the decompressed source. */
  readonly offset: number;
}

/** What is said of a violation by what finds it, without its rule and its facts. */
export interface SaidText {
  /** RFC 6901, into the JSON text that contains the payload. */
  readonly pointer: string;
  /** One sentence for people, with payload text quoted and escaped (or left out with `--redact`). */
  readonly message: string;
  /** Schema file and pointer, `content-item.schema.json#/properties/minAge/minimum`; null for a builtin rule. */
  readonly schema: string | null;
  /** True if filling in the schema's defaults would fix it. */
  readonly fixable: boolean;
  /** The verb, with its flags, that fixes it; absent if none does. */
  readonly fix?: 'fill' | 'fill --deep' | 'prune';
  /** What was probably meant, a word from the schema; absent: there is no guess. */
  readonly suggestion?: string;
  /** The member of the payload that is probably meant to be the one that is missing; absent: there is none, or `--redact`. */
  readonly misspelt?: string;
  /** Why the schema asks for it, as `if "a" is 1`; absent: it always does. */
  readonly reason?: string;
  /** What the author of the schema says of this case; absent: nothing. It may quote payload text, escaped. */
  readonly authorMessage?: string;
}

/** A statement without its rule and its facts. */
export interface StatementText extends SaidText {
  readonly kind: string | null;
  readonly severity: Severity;
  /** The pointer with `*` for indexes of arrays, if names of members in it look like indexes; else absent. */
  readonly pattern?: string;
  /** Index of the payload among the rejected ones, from 0; only if that is asked for, and it is one of them. */
  readonly reject?: number;
  /** For alternatives: what fails in the closest one (`params.closest`), in the order of the places. */
  readonly children?: readonly Child[];
}

/** An item of the list below a violation, which is not counted. Its fields are as in Violation. */
export type Child = Omit<ViolationPlace, 'file' | 'payload'> &
  ChildText &
  Pick<StatementText, 'children'> &
  ViolationFacts;

export type ChildText = Omit<SaidText, 'fixable' | 'fix'>;

/** An assertion over several members, as a config has it, or the kinds. Expressions are CEL, about the value `self`. */
export interface Check {
  readonly id: string;
  /** Null: payloads of all kinds. */
  readonly kind: string | null;
  /** The values that are `self`: a JSON Pointer in which `*` is every item of an array. */
  readonly at: string;
  /** Null: it is always asked. */
  readonly when: string | null;
  readonly assert: string;
  /** What is reported: a JSON Pointer from `self`. */
  readonly report: string;
  readonly message: string;
}

/** A check of values across all payloads of a run: they differ, or each is a value at another place. */
export interface Relation extends Pick<Check, 'id' | 'kind' | 'at'> {
  /** Where values refer to; null: the values must differ. */
  readonly to: { readonly kind: string | null; readonly at: string } | null;
  /** Null: paylint's own sentence says it all. */
  readonly message: string | null;
}

export interface Relations {
  readonly list: readonly Relation[];
  /** Of the hashes of this run. */
  readonly key: string;
}

/** A value of a payload that a relation is about. */
export interface RelatedValue {
  /** Its index in the list. */
  readonly relation: number;
  readonly role: 'unique' | 'reference' | 'target';
  /** 128 bits: four signed words of 32 bits. */
  readonly hash: readonly number[];
  readonly pointer: string;
  /** Null for a target: it is not reported. */
  readonly span: Span | null;
  /** Escaped and cut; null: it must not be shown, or is not needed. */
  readonly text: string | null;
}

/** A violation that no report shows: it is only counted. */
export interface Hidden {
  readonly rule: Rule;
  readonly fixable: boolean;
}

/** A part of the source line on which a violation starts, for a code frame. Raw payload text: escape before showing. */
export interface Excerpt {
  readonly text: string;
  /** Column of the first code unit of `text`; 1-based, in UTF-16 code units. */
  readonly column: number;
  /** True if the line continues before, or after, this part. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
  /** The earlier line with the cause. */
  readonly earlier?: OtherLine;
  /** The line of the member that was probably meant by one that is missing. */
  readonly misspelt?: OtherLine;
  /** The lines of the first items that are listed below the violation. */
  readonly below?: readonly Excerpt[];
}

/** A part of another line than that of a violation. Raw payload text: escape before showing. */
export interface OtherLine extends Pick<Excerpt, 'text' | 'cutBefore' | 'cutAfter'> {
  /** Index in `text` at which the cause begins, and how long it is, in UTF-16 code units. */
  readonly at: number;
  readonly length: number;
  /** How many lines it is above that of the violation; negative: below it. */
  readonly above: number;
}

/** A change of the bytes of a payload. */
export interface Edit {
  /** Index in the bytes that contain the payload. */
  readonly at: number;
  /** Number of bytes from there on that go. */
  readonly length: number;
  /** What comes in their place. */
  readonly text: string;
}

/** What changes payloads: `fill` adds members, `prune` removes some. */
export type Repair = 'fill' | 'prune';

/** A member that `fill` added, as reports show it, at the place in the source before which it was inserted. */
export interface FilledPlace extends Pick<ViolationPlace, 'file' | 'payload' | 'line' | 'column' | 'offset'> {
  /** RFC 6901, into the JSON text that contains the payload. */
  readonly pointer: string;
  readonly value: unknown;
  /** The text of the value; absent unless it has numbers that no double is. */
  readonly written?: string;
}

/** A member that `prune` removed, at the place of its name in the source. */
export type PrunedPlace = Omit<FilledPlace, 'value'> & {
  /** Absent with `--redact`. */
  readonly value?: unknown;
};

export type ChangedPlace = FilledPlace | PrunedPlace;

/** The counts of a finished source. */
export interface SourceCounts {
  readonly file: string;
  readonly payloads: number;
  readonly valid: number;
  readonly invalid: number;
  /** Errors. */
  readonly violations: number;
  readonly warnings: number;
  /** Of both, those that are only counted because their payload has more than 100,000; absent: none. */
  readonly unlisted?: number;
  /** Members filled in; absent for verbs that do not fill. */
  readonly filled?: number;
  /** Members removed; absent for verbs that do not prune. */
  readonly pruned?: number;
  /** A fault in an array or a stream, or another encoding: what follows was not read. Absent: it was read to its end. */
  readonly unread?: true;
  /** What happened instead, if nothing was written; absent if members were filled in, or there are none. */
  readonly wouldFill?: 'check' | 'diff';
  /** The same for members that were to be removed. */
  readonly wouldPrune?: 'check' | 'diff';
}

/** The name that summaries and files have for payloads of no kind. */
export const UNKNOWN_KIND = 'unknown';

export interface KindCounts {
  payloads: number;
  valid: number;
  invalid: number;
}

/** What a change of the schema does to a payload: `invalid` and `valid` are by both schemas. */
export type Outcome = 'broken' | 'healed' | 'invalid' | 'valid';

/** Payloads by their outcomes. `judge`: the verdicts are those of another validator, not of another schema. */
export interface Compared extends Readonly<Record<Outcome, number>> {
  readonly judge?: 'ajv';
  /** Payloads that could not be compared; absent if there are none. */
  readonly failed?: number;
}

/** All payloads. */
export function allCompared({ broken, healed, invalid, valid, failed = 0 }: Compared): number {
  return broken + healed + invalid + valid + failed;
}

/** The whole run in numbers. */
export interface Summary
  extends Omit<SourceCounts, 'file' | 'filled' | 'pruned' | 'unread' | 'wouldFill' | 'wouldPrune'> {
  readonly sources: number;
  readonly failures: number;
  /** Of the sources, those that were read to their end and have no payload; absent if there are none. */
  readonly empty?: number;
  /** Sources that were not read to their end because of what is in them, and the first names; absent: there are none. */
  readonly unread?: Unread;
  /** Violations and warnings of the baseline, which are in no other count; absent without a baseline. */
  readonly known?: number;
  /** Payloads with such violations or warnings; absent without a baseline. */
  readonly knownPayloads?: number;
  /** Violations of rules that are off, which are in no other count; absent if there are none. */
  readonly off?: number;
  /** Top-level arrays that were one payload each, because the schema is about arrays; absent: none. */
  readonly arrays?: number;
  /** Members that `fill` adds to the files with a fixable violation; absent: there are none, or they were not counted. */
  readonly fillable?: number;
  /** Payloads by what the new schema changes, if two were compared: then `invalid` counts those that broke. */
  readonly compare?: Compared;
  /** By kind name; `UNKNOWN_KIND`: payloads of no kind. Together they are all payloads. */
  readonly kinds: Readonly<Record<string, KindCounts>>;
  /** Errors and warnings by rule. */
  readonly rules: Readonly<Record<string, number>>;
  readonly elapsedMs: number;
  /** How configs helped the run to pass, and what in them had no effect; several if reports were merged. */
  readonly config?: readonly ConfigEffects[];
  /** Absent: no invalid payload is tolerated. */
  readonly tolerated?: Tolerated;
  /** The counts of violations may not include violations that no report shows; else absent. */
  readonly uncounted?: true;
  /** `2/3`: the sources are the second of three shards; absent if all were to be checked. */
  readonly shard?: string;
  /** A signal or `--bail` ended the run before all sources were checked; else absent. */
  readonly interrupted?: true;
}

/** Sources that were not read to their end. */
export interface Unread {
  readonly sources: number;
  readonly files: readonly string[];
  /** The limit that would tolerate what is invalid, were it not for them; absent: there is none. */
  readonly maxInvalid?: MaxInvalid;
}

/** Invalid payloads that are tolerated: a number of them, or `0.5%` of all payloads. */
export type MaxInvalid = number | `${number}%`;

/** Invalid payloads that do not fail the run, and the limit that says so. */
export interface Tolerated {
  readonly invalid: number;
  readonly maxInvalid: MaxInvalid;
  /** The config with the limit, relative to the working directory; absent: it was typed. */
  readonly config?: string;
}

/** The effects of a config. What was typed on the command line is not included. */
export interface ConfigEffects {
  /** The config, relative to the working directory. */
  readonly file: string;
  /** It names the baseline, which contains some of the violations. */
  readonly baseline?: true;
  /** Its `files` were read: no PATH was given, and standard input had nothing. */
  readonly files?: true;
  /** The exit code would be 1 without it. */
  readonly exitZero?: true;
  /** The exit code would be 2 without it. */
  readonly allowEmpty?: true;
  /** It declares these for the schemas: they make payloads valid that are not by the drafts. */
  readonly vocabularies?: readonly string[];
  /** It turns these formats off. */
  readonly formats?: readonly string[];
}

/** A report is a stream of these, in source order, the summary last. Each format shows them in its own way. */
export type ReportEvent =
  | ViolationsEvent
  /** The number of violations of a rule that no report shows, and how many of them are fixable. */
  | {
      readonly type: 'hidden';
      readonly file: string;
      readonly rule: Rule;
      readonly count: number;
      readonly fixable: number;
    }
  | { readonly type: 'failure'; readonly failure: Failure }
  | ChangeEvent
  | {
      readonly type: 'source';
      readonly source: SourceCounts;
      /** Members filled in and removed, by pointer with `*` for any index; absent for verbs that do neither. */
      readonly patterns?: ChangedPatterns;
    }
  | { readonly type: 'summary'; readonly summary: Summary };

/** A member that was filled in, or removed. */
export type ChangeEvent =
  | { readonly type: 'fill'; readonly fill: FilledPlace }
  | { readonly type: 'prune'; readonly prune: PrunedPlace };

/** The number of members by pointer. */
export type ChangedPatterns = Readonly<Record<Repair, ReadonlyMap<string, number>>>;

/**
 * Violations of one file, as data that threads can send: rows of numbers, and what they say, each once. Payloads, lines
 * and rejected payloads may count from the beginning of a part of the file.
 */
export interface ViolationTable {
  readonly file: string;
  /** `ROW` numbers for each violation: an index into the list below, then the place (`COLUMN`). */
  readonly rows: Float64Array | readonly number[];
  readonly statements: readonly Statement[];
  /** By row; it may be shorter than the rows. */
  readonly extras: readonly (Extra | null | undefined)[];
  /** How much memory the violations take when they are written, in bytes, roughly. */
  readonly weight: number;
}

/** What comes before the part of a file from which the numbers of a table count. */
export interface Before {
  readonly payloads: number;
  readonly lines: number;
  /** Rejected payloads of the run. */
  readonly rejects: number;
}

/** The violations of a table with indexes in [from, to). */
export interface ViolationsEvent {
  readonly type: 'violations';
  readonly table: ViolationTable;
  readonly from: number;
  readonly to: number;
  readonly before: Before;
}

/** What only some reports show of a violation. */
export interface Extra {
  readonly excerpt: Excerpt | null;
  /** Only if a report needs it, and offsets are those of the file: it is not compressed. */
  readonly inFile?: InFile;
}

/** A violation in the bytes of its file: what only some reports show. */
export interface InFile {
  /** From the violation's offset to its end, in bytes. */
  readonly byteLength: number;
  /** What `fill` would insert to fix it, or `prune` remove, in the order of the places; empty if neither does. */
  readonly edits: readonly FileEdit[];
}

/** A change of the bytes of a file, whose text is inserted where others go. */
export interface FileEdit extends FirstPlace, Pick<ViolationPlace, 'endLine' | 'endColumn'> {
  readonly byteLength: number;
  readonly text: string;
}

/**
 * A format: takes events one after another and returns the text to write for each, often none.
 *
 *     const reporter = await createLine(style);
 *     await reporter.prepare?.([event]);         // before violations
 *     stdout.write(reporter(event));             // source, violations, failure, summary …
 *     stdout.write(reporter.flush?.() ?? '');    // before other output, and at the end
 */
export interface Reporter {
  (event: ReportEvent): string;
  /** To be awaited before violations: loads what only they need. */
  readonly prepare?: (events: readonly ViolationsEvent[]) => Promise<void>;
  /** Returns the text that was held back for later events, which may take long. */
  readonly flush?: () => string;
}

/** The place of the run in a repository that a CI system has checked out. */
export interface Repository {
  /** Absolute paths of its top folder, as it was given and without links, with `/` as separator and at the end. */
  readonly roots: readonly string[];
  /** Path of the working directory from the top, with `/` at the end; empty at the top itself. */
  readonly prefix: string;
}

/** What a reporter knows about the target of its text. */
export interface ReportStyle {
  /** As chalk counts: 0 is no colour, 1 is 16 colours. Always 0 in machine formats. */
  readonly colorLevel: 0 | 1;
  /** Columns of the terminal, or the assumed width without one. */
  readonly width: number;
  /** Nothing but violations; formats for programs keep their counts. */
  readonly quiet: boolean;
  /** No violation is shown, and nothing says so; absent: false. */
  readonly summaryOnly?: boolean;
  /** What was filled in or removed is only counted. Absent: false. */
  readonly hidesFills?: boolean;
  /** End with counts by kind, rule and pointer. */
  readonly stats: boolean;
  /** Payloads are tests. Absent: false. */
  readonly tests?: boolean;
  /** Violations are shown by what is wrong, with one example each, not one by one. Absent: false. */
  readonly grouped?: boolean;
  /** Most violations to show; 0: all. */
  readonly maxViolations: number;
  /** Only in a CI system. */
  readonly repository?: Repository;
}
