/** The words for JSON as bytes: types only, which every part uses, and which the library exports. */

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
