/** The words for JSON as bytes and for the sources that hold it, which every part uses, and which the library exports. */

/** A half-open range of bytes, `[start, end)`, in the decompressed bytes of a source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The type of a JSON value. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** What RFC 8259 allows at the byte where a text is malformed. The last one: what RFC 7464 requires after a record. */
export type ExpectedSyntax =
  | 'a value'
  | 'a value or "]"'
  | 'a member name'
  | 'a member name or "}"'
  | '":"'
  | '"," or "}"'
  | '"," or "]"'
  | 'the end'
  | 'a digit'
  | 'no digit after the leading zero'
  | 'an escape character after "\\"'
  | 'four hexadecimal digits after "\\u"'
  | 'the closing quote'
  | 'an escape for the control character'
  | '"true"'
  | '"false"'
  | '"null"'
  | 'white space after the value';

/** What a text that is not JSON was probably meant to be, or what is wrong with it. */
export type SyntaxCause =
  | 'empty'
  | 'cut-off'
  | 'html'
  | 'xml'
  | 'yaml'
  | 'csv'
  | 'merge-conflict'
  | 'git-lfs'
  | 'event-stream'
  | 'markdown'
  | 'log-line'
  | 'not-json'
  | 'comment'
  | 'trailing-comma'
  | 'extra-comma'
  | 'missing-comma'
  | 'comma-after-text'
  | 'two-texts'
  | 'extra-bracket'
  | 'no-braces'
  | 'single-quotes'
  | 'backquotes'
  | 'curly-quotes'
  | 'doubled-quotes'
  | 'unescaped-quote'
  | 'unquoted-name'
  | 'unquoted-string'
  | 'byte-string'
  | 'nan'
  | 'infinity'
  | 'python-literal'
  | 'undefined'
  | 'wrong-case'
  | 'hexadecimal'
  | 'plus-sign'
  | 'leading-point'
  | 'trailing-point'
  | 'leading-zero'
  | 'line-break-in-string'
  | 'tab-in-string'
  | 'control-character-in-string'
  | 'wrong-escape'
  | 'odd-space';

/** How payloads are arranged in a source: one JSON text, one payload per line (NDJSON), or JSON texts one after another. */
export type Framing = (typeof FRAMINGS)[number];

export const FRAMINGS = ['json', 'lines', 'stream'] as const;

/** Other names that users know for framings. */
export const FRAMING_ALIASES = { ndjson: 'lines', jsonl: 'lines' } as const;

export type FramingName = Framing | keyof typeof FRAMING_ALIASES;

/** Something to read payloads from: a file or standard input. */
export interface Source {
  /** The name in reports: relative to the working directory with `/`, or `<stdin>` or the name given for it. */
  readonly name: string;
  /** Absolute path; null is standard input. */
  readonly path: string | null;
  /** True if it was a regular file when it was found; false also if that was not checked. */
  readonly regular: boolean;
  /** Null: detected by content. */
  readonly framing: Framing | null;
  /** The kind of every payload in it, if given; null: detected payload by payload. */
  readonly kind: string | null;
  /**
   * How the schema treats a top-level array: as the payload, or possibly as the payload and possibly as a list of
   * payloads (then it is refused). Absent: as a list, unless the options of the run say otherwise.
   */
  readonly arrays?: 'payload' | 'unclear' | undefined;
}

/** Why paylint could not read a source, or part of it. */
export interface Failure {
  readonly file: string;
  readonly message: string;
  /** Index of the payload that could not be checked, from 0, and its line. Absent: it is not about one payload. */
  readonly payload?: number;
  readonly line?: number;
}

/** A target for text and bytes: the part of a Node stream that paylint uses. */
export interface OutputStream {
  readonly isTTY?: boolean;
  /** Of the terminal. */
  readonly columns?: number;
  readonly destroyed: boolean;
  /** `done` is called when the chunk is written, or with the error. */
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

/** For an object that is being made. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
