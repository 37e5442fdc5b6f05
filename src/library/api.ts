/** The library's interface: its options and results. */
import type { DraftName, TypeName } from '../schema/names.ts';
import type {
  ChildText,
  Failure,
  FilledPlace,
  Framing,
  FramingName,
  PrunedPlace,
  SourceCounts,
  StatementText,
  Summary,
  Violation,
  ViolationFacts,
  ViolationPlace,
  VocabularyName,
} from '../types.ts';

/** The schemas and limits that payloads are checked with. */
export interface PaylintOptions {
  /**
   * Another entry schema, or any JSON Schema: its path (with `#POINTER`: the schema at a place of the file), a `file:`
   * URL, or the schema itself, which is copied. Absent: the bundled schemas.
   */
  readonly schema?: GivenSchema;
  /** By the name of the kind. `when` is its test, and the first that holds counts; without it, `kind` must be given. */
  readonly schemas?: Readonly<Record<string, GivenKind>>;
  /** The draft of schemas without `$schema`; absent: 2020-12. */
  readonly draft?: DraftName;
  /**
   * Schemas that others refer to. A list: the path of a file, folder or glob, whose schemas are identified by their `$id`;
   * `URI=PATH`: references to URI lead to PATH or, if PATH is a folder, references that begin with URI lead to its files;
   * or a schema with an `$id`. An object: by URI, a path or a schema.
   */
  readonly refs?: readonly (string | GivenSchemaValue)[] | Readonly<Record<string, string | GivenSchemaValue>>;
  /** Beside the keywords of the drafts. `openapi`: `nullable` adds null to `type`; `discriminator` is an annotation. */
  readonly vocabularies?: readonly VocabularyName[];
  /**
   * Formats by name: a regular expression that matches a text of the format, or a function that returns true for one; false
   * turns off a format of paylint. A format of paylint cannot mean something else. An expression is read with the flag `u` and
   * matched in linear time, or refused. Functions are asked on this thread; one that throws makes its payload a failure.
   */
  readonly formats?: Readonly<Record<string, RegExp | ((text: string) => boolean) | false>>;
  /** By name, which no draft may have. Values with one are judged on this thread. If it throws, its payload is a failure. */
  readonly keywords?: Readonly<Record<string, KeywordDefinition>>;
  /** Every payload is of this kind; absent: the kind is detected. */
  readonly kind?: string;
  /** False: `format` does not affect validity. */
  readonly assertFormats?: boolean;
  /** Largest payload, in bytes; absent: 64 MiB. */
  readonly maxPayloadBytes?: number;
  /** Deepest nesting; absent: 1000. */
  readonly maxDepth?: number;
  /** No payload text in messages and params. */
  readonly redact?: boolean;
  /** True: `warnings` are errors. */
  readonly strictSchema?: boolean;
  /** The level of each rule's violations. A payload with warnings only is valid; rules that are `off` are not reported. */
  readonly rules?: Readonly<Record<string, RuleSetting>>;
  /** True: the checks that come with the three kinds are asked, too, and deprecated members are warned of. */
  readonly advice?: boolean;
  /** Path of a file of known violations, which `--update-baseline` writes: they are not reported in sources with a path. */
  readonly baseline?: string;
  /** Path of a config file. Its settings are used where no option is given; absent or false: no config is read. */
  readonly config?: string | false;
}

/** A keyword of the caller's own. */
export interface KeywordDefinition {
  /** It is asked about values of these types only; absent: about all. */
  readonly type?: TypeName | readonly TypeName[];
  /**
   * True, if the schema allows the value; else what is wrong with it. `schemaValue`: that of the keyword in the schema;
   * `pointer`: of the value in the payload (RFC 6901). It must always say the same of a value: it is asked again for the message.
   */
  validate(value: unknown, schemaValue: unknown, place: { readonly pointer: string }): boolean | string;
}

/**
 * A schema as a value of JavaScript, plain JSON, which is copied and not changed. Not one of zod, valibot, yup or joi itself,
 * nor a promise of one: these are refused, with the way to their JSON Schema.
 */
export type GivenSchemaValue = boolean | ((object | { readonly [keyword: string]: unknown }) & NoOtherObject);

/** What promises, collections, dates, expressions and schemas of libraries have, and no JSON Schema. */
type NoOtherObject = { readonly [Name in 'catch' | 'parse' | 'validate' | '~run' | 'exec' | 'getTime']?: never } & {
  readonly [Symbol.iterator]?: never;
};

/** A path, a `file:` URL (text or `URL`), or the schema itself. */
export type GivenSchema = string | GivenSchemaValue;

/** The schema of a kind, perhaps with the test that tells its payloads apart. */
export type GivenKind = GivenSchema | { readonly schema: GivenSchema; readonly when: GivenSchemaValue };

/** `warn` means `warning`. */
export type RuleSetting = 'error' | 'warning' | 'warn' | 'off';

/** How a text is filled. */
export interface FillOptions {
  /** Also create a missing required object if its schema's defaults alone make it valid. */
  readonly deep?: boolean;
}

/** How a source is read. */
export interface PayloadOptions {
  /** Absent: detected by name or content. */
  readonly input?: FramingName;
  /** A top-level array is itself the payload. */
  readonly whole?: boolean;
  /** As in `PaylintOptions`, for this source. */
  readonly kind?: string;
  /**
   * The path of the file that bytes or a stream are from: violations name it, its extension can determine the framing,
   * and the settings of the config and the baseline for this path apply.
   */
  readonly file?: string;
  /** Ends the work: the iteration throws its reason. */
  readonly signal?: StopSignal;
}

/** A path, bytes, or a stream. */
export type PayloadInput = string | Uint8Array | AsyncIterable<Uint8Array | string>;

/** A violation; positions are null if there is no text. */
export type LibraryViolation = ViolationFacts &
  Pick<ViolationPlace, 'file' | 'payload'> &
  Omit<StatementText, 'children'> &
  LibraryPlace &
  LibraryChildren;

/** An item of the list below a violation. */
export type LibraryChild = ViolationFacts & ChildText & LibraryPlace & LibraryChildren;

interface LibraryChildren {
  /** For alternatives: what fails in the closest one; absent: nothing is listed. */
  readonly children?: readonly LibraryChild[];
}

type PlaceName = 'line' | 'column' | 'endLine' | 'endColumn' | 'offset';

/** As in `ViolationPlace`; null: there is no text. */
type LibraryPlace = {
  readonly [Name in keyof Pick<ViolationPlace, PlaceName>]: ViolationPlace[Name] | null;
};

/** The verdict on one payload. */
export interface Verdict<One = Violation> {
  readonly valid: boolean;
  /** Null if it has none, or is too malformed to tell. */
  readonly kind: string | null;
  /** In the order of their places. If the payload could not be checked, one of rule `failure` that says why. */
  readonly violations: readonly One[];
  /** Why the payload could not be checked, for example a lack of memory; absent if it was. */
  readonly failure?: string;
}

export interface FillResult<Text extends string | Uint8Array> extends Verdict {
  /** The input if nothing is missing. */
  readonly text: Text;
  /** Every member that was filled in. */
  readonly fills: readonly FilledPlace[];
  /** The edits that change the input into `text`, in the order of their places: one for each object that was filled in. */
  readonly edits: readonly FillEdit[];
}

export interface PruneResult<Text extends string | Uint8Array> extends Verdict {
  /** The input if nothing is removed. */
  readonly text: Text;
  /** Every member that was removed, at the place of its name in the input. */
  readonly removed: readonly PrunedPlace[];
  /**
   * The edits that change the input into `text`, in the order of their places, one for each member; all members of an
   * object go together.
   */
  readonly edits: readonly FillEdit[];
}

/** A change of a text: `length` units from `offset` on become `text`. */
export interface FillEdit {
  /** In the input, in the units of the input: UTF-16 code units of a string, bytes of bytes. */
  readonly offset: number;
  /** In the same units; 0 for `fill`, which only inserts. */
  readonly length: number;
  readonly text: string;
  /** Index of the payload in the input, from 0. */
  readonly payload: number;
  /** RFC 6901, into the input: the object that is filled in, or the member that is removed. */
  readonly pointer: string;
}

/** One payload of a source. */
export interface PayloadResult extends Verdict {
  /** Index in its source, from 0. */
  readonly index: number;
  /** As it is in the source, without white space around it. */
  readonly text: string;
}

/** The part of an AbortSignal that is used. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The events of the `ndjson` report, in order; the summary is last. */
export type FileEvent =
  | ({ readonly type: 'violation' } & Violation)
  | ({ readonly type: 'failure' } & Failure)
  | ({ readonly type: 'source' } & SourceCounts)
  | ({ readonly type: 'summary'; readonly version: string; readonly reportVersion: 1 } & Summary);

export interface FileOptions extends Pick<PayloadOptions, 'input' | 'whole'> {
  /** Most threads; absent: as many as there are cores, at most 8. */
  readonly threads?: number;
  /** Globs of files and folders to leave out. */
  readonly ignore?: readonly string[];
  /** The folder that paths are relative to; absent: the working directory. */
  readonly cwd?: string;
  /** Ends the run, which resolves with the counts so far. */
  readonly signal?: StopSignal;
  readonly onEvent?: (event: FileEvent) => void;
}

/** The counts of a run over files, and the resulting exit code. */
export interface FilesResult extends Summary {
  /** All payloads are valid, at least one was checked, and all files could be read: `exitCode` is 0. */
  readonly ok: boolean;
  /**
   * The exit code of `paylint validate`: 1 for violations; 2 for files that could not be read, for a path or glob that
   * matches nothing, and if there was no payload; 130 if the signal ended the run (or the code for the reason, such as
   * 143 for `'SIGTERM'`).
   */
  readonly exitCode: number;
}

/** The result of `explain`: for all rules, for one rule, or for the members (or kinds) that the subject names. */
export type Explanation =
  | { readonly rules: readonly RuleExplanation[] }
  | (RuleExplanation & { readonly kinds: readonly RulePlaces[] })
  | { readonly members: readonly MemberExplanation[] };

export interface RuleExplanation {
  readonly rule: string;
  /** Where the rule comes from: JSON and paylint, schemas, or `paylint test`. */
  readonly group: 'own' | 'schema' | 'test';
  /** What a violation of it means. */
  readonly meaning: string;
  /** What to do about it. */
  readonly fix: string;
  /** JSON texts; `schema`: one that states the rule. */
  readonly example: { readonly schema?: string; readonly wrong: string; readonly right: string };
}

/** Where the schema of a kind states a rule. */
export interface RulePlaces {
  readonly kind: string;
  /** Paths of members; `''` is the payload itself. */
  readonly members: readonly string[];
}

/** The content of the schemas for a member, an item, or the payload itself. */
export interface MemberExplanation {
  readonly kind: string;
  /** `coverage/subLocation`, with `*` for any index; `''` is the payload itself. */
  readonly path: string;
  /** Whether its object must have it. */
  readonly required: boolean;
  /** Only there; the outermost alternative first. Absent: it is not inside alternatives. */
  readonly alternatives?: readonly AlternativeExplanation[];
  /** As written in the schema files, with references followed. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Numbers as they are written, if a double may have lost digits: by keyword, or `enum/0`. Absent: there are none. */
  readonly numbers?: Readonly<Record<string, string>>;
  /** The members that the schema describes; `*` for items. */
  readonly members: readonly { readonly name: string; readonly required: boolean }[];
  /** The comment of the schema; null if it has none. */
  readonly note: string | null;
  /** Schema file and pointer. */
  readonly statedIn: string;
}

/** An alternative of `oneOf` or `anyOf`, or what only applies under a condition: `then`, `else`, `dependentSchemas`. */
export interface AlternativeExplanation {
  /** Schema file and pointer. */
  readonly schema: string;
  readonly title?: string;
  /** A member for which it allows one text only. For `then`, what the `if` asks for. */
  readonly tag?: { readonly name: string; readonly value: string };
}

/** The completions at an offset of a text. */
export interface Completion {
  /** The kind of the payload there; null if it has none yet. */
  readonly kind: string | null;
  /** RFC 6901, into the text: the object that gets a member, or the value. */
  readonly pointer: string;
  /** An item replaces `length` UTF-16 code units from `offset` on. */
  readonly offset: number;
  readonly length: number;
  /** The most probable first. They do not depend on the letters that are replaced. */
  readonly items: readonly CompletionItem[];
}

export interface CompletionItem {
  /** The name of a member, a value, or a whole payload: the smallest valid one of its kind. */
  readonly type: 'name' | 'value' | 'payload';
  /** The name, the value as JSON, or the kind. */
  readonly label: string;
  /** What is written: JSON; for a name, without a colon. */
  readonly text: string;
  /** A name that the object must have. */
  readonly required: boolean;
  /** For a name that no colon follows yet: a value for it, as JSON; else null. */
  readonly value: string | null;
  /** As the schema has them; null if it has none. */
  readonly title: string | null;
  readonly description: string | null;
}

/** The interface of Standard Schema 1, with the JSON Schema of 1.1. */
export interface StandardSchema<T = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'paylint';
    readonly validate: (
      value: unknown,
    ) => { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };
    readonly types?: { readonly input: T; readonly output: T } | undefined;
    /**
     * As it is written, for its own draft, such as `draft-2020-12`; both are the same. Throws a UsageError for another
     * target, for several kinds, and for a schema that needs another file. Without a target: for its own draft.
     */
    readonly jsonSchema: Readonly<
      Record<'input' | 'output', (options?: { readonly target: string }) => Record<string, unknown>>
    >;
  };
}

/**
 * What is wrong: the message of the schema's author or, without one, of paylint, and the way to the value, or to the
 * member that is missing. An issue about alternatives is followed by those of what fails in the closest one.
 */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** The result of `openPaylint`. What takes a text throws a TypeError for anything but a string or bytes. */
export interface Paylint {
  /** The kinds, in the order in which they are tried, and the file of each schema. */
  readonly kinds: readonly { readonly name: string; readonly schema: string }[];
  /**
   * About parts of the schemas that look like assertions but have no effect, such as a misspelt keyword, and about
   * settings of the config that the library does not follow: a sentence with its place for each.
   */
  readonly warnings: readonly string[];
  /** True if `validate` finds no violation. */
  isValid(input: string | Uint8Array): boolean;
  /** Checks one JSON text, which is one payload. The violations are made when they are first read. */
  validate(input: string | Uint8Array): Verdict;
  /** The same for a parsed value, as JSON.stringify writes it; positions are null. */
  validateValue(value: unknown): Verdict<LibraryViolation>;
  /** The value of one JSON text, as `JSON.parse` makes it. Throws a PayloadError with the violations if it is not valid. */
  parse<T = unknown>(input: string | Uint8Array): T;
  /** Throws a PayloadError with the violations of a parsed value that is not valid. */
  assert<T = unknown>(value: unknown): asserts value is T;
  /** A Standard Schema (https://standardschema.dev, 1) for parsed values, returned as they are. `kind`: of every value. */
  standard<T = unknown>(kind?: string): StandardSchema<T>;
  /**
   * Fills in missing members in one JSON text, which is unchanged if none is missing, and checks the result. Throws a
   * SchemaError if a schema does not allow one of its own defaults.
   */
  fill<Text extends string | Uint8Array>(input: Text, options?: FillOptions): FillResult<Text>;
  /**
   * Takes the members that the schema does not allow out of one JSON text, which is unchanged if there are none, or if
   * that would break it in another way (`unsafe-prune`), and checks the result.
   */
  prune<Text extends string | Uint8Array>(input: Text): PruneResult<Text>;
  /** The kind of one JSON text, without validating it. Null if it has none, or is not a JSON text. */
  kindOf(input: string | Uint8Array): string | null;
  /** By the extension of `name`, else by the first 64 KiB, gzip or not. Throws a UsageError if `name` is not a string. */
  framingOf(input: string | Uint8Array, name?: string): Framing;
  /**
   * What a rule means and where the schemas state it (`required`), or what they contain for a kind (`contract`,
   * `Comment`) or a member (`contract/coverage/maxAge`, `/coverage/maxAge`, `maxAge`), as `paylint explain` shows it;
   * without a subject, all rules. Throws a UsageError, with the near miss, for a subject that is none of these.
   */
  explain(subject?: string): Explanation;
  /**
   * What the schemas allow at `offset` (in UTF-16 code units) of one JSON text, a payload or a list of them, which may
   * be half-written. Throws a UsageError for an offset outside the text, and a TypeError if it is not a string.
   */
  complete(text: string, offset: number): Completion;
  /**
   * The payloads of a file (by its path), of bytes or of a stream, each with its verdict, in order, and read as the
   * caller consumes them, in bounded memory. Throws SourceError if the source cannot be read.
   */
  payloads(input: PayloadInput, options?: PayloadOptions): AsyncGenerator<PayloadResult>;
  /**
   * The same for a text or bytes, gzip or not, without promises: each payload is checked when it is requested. Bytes
   * must not change meanwhile. Throws SourceError for gzip data that is damaged.
   */
  payloadsOf(input: string | Uint8Array, options?: PayloadOptions): Generator<PayloadResult>;
  /** Validates files, folders and globs like the command line. `onEvent` receives the events of its `ndjson` report. */
  validateFiles(paths: readonly string[], options?: FileOptions): Promise<FilesResult>;
  /**
   * Ends all calls in progress: iterations throw a UsageError, and `validateFiles` resolves with the counts so far.
   * Resolves when their threads have ended and their files are closed. After that, every method throws a UsageError;
   * results remain usable. It may be called twice.
   */
  close(): Promise<void>;
}

/** The options without files: schemas are given as values. */
export interface BrowserOptions
  extends Omit<PaylintOptions, 'advice' | 'baseline' | 'config' | 'schema' | 'schemas' | 'refs'> {
  readonly schema?: GivenSchemaValue;
  readonly schemas?: Readonly<Record<string, Exclude<GivenKind, string>>>;
  readonly refs?: readonly GivenSchemaValue[] | Readonly<Record<string, GivenSchemaValue>>;
}

/** The options of 'paylint/validate', which warns of nothing in schemas. */
export type ValidateOptions = Omit<BrowserOptions, 'strictSchema'>;

/** The instance of 'paylint/validate': the calls about one text or one value. */
export type ValidatePaylint = Pick<
  Paylint,
  'assert' | 'isValid' | 'kinds' | 'parse' | 'standard' | 'validate' | 'validateValue'
>;
