/**
 * Names the usual mistakes in a text that is not JSON (a trailing comma, a comment, single quotes, `NaN` …) from
 * the bytes around the place where the scan failed. It only names the cause: `scan` decides what is wrong, and where.
 *
 * It reads a bounded number of bytes before and after the place, so that the result does not depend on how the bytes
 * came in.
 */
import { scan } from './scan.ts';
import { isSpace, LINE_FEED, skipSpace } from './skip.ts';
import { byteOrderMark, characterLength, isLfsPointer } from './utf8.ts';
import type { ExpectedSyntax, Span, SyntaxCause } from './vocabulary.ts';

/** Where a scan failed. Indexes into `bytes`. */
export interface SyntaxFault {
  readonly bytes: Buffer;
  /** Offset in the source of `bytes[0]`. */
  readonly base: number;
  /** `bytes[from, to)` is the faulty text, as far as it is available. */
  readonly from: number;
  readonly to: number;
  /** Bytes of the source up to here may be read as well; absent: up to `to`. */
  readonly lookTo?: number;
  /** The byte at which parsing failed; `to` or more: the text ends too early. */
  readonly at: number;
  readonly expected: ExpectedSyntax;
}

/** Bytes that are read before and after the place. */
export const LOOK_BACK = 400;
export const LOOK_AHEAD = 960;

/** The fault, with the facts that every rule needs. */
export interface FaultContext extends SyntaxFault {
  /** The byte at `at`. */
  readonly byte: number;
  /** The word or character at `at`. */
  readonly word: Span;
  readonly text: string;
}

/** A cause with the end of what was found; null: another rule must name it. */
export type CauseRule = (
  context: FaultContext,
) => { readonly cause: SyntaxCause; readonly end?: number; readonly earlier?: Span } | null;

/** True if there is nothing but white space, and a byte order mark, before `at` in the source. */
export function startsSource({ bytes, base }: SyntaxFault, at: number): boolean {
  if (base > 0 || at > LOOK_BACK) return false;
  return skipSpace(bytes, byteOrderMark(bytes), at) >= at;
}

/** The beginning of the source up to `to`, if the fault lies in its first line; else null. */
export function firstLines({ bytes, base, at, to }: FaultContext): string | null {
  if (base > 0 || at > LOOK_BACK) return null;
  const start = skipSpace(bytes, byteOrderMark(bytes), at);
  if (bytes.subarray(start, at).includes(LINE_FEED)) return null;
  return bytes.toString('latin1', start, to);
}

export function wantsValue({ expected }: FaultContext): boolean {
  return expected.startsWith('a value') || LITERALS.has(expected);
}

export const LITERALS: ReadonlySet<string> = new Set(['"true"', '"false"', '"null"']);

export function wantsName({ expected }: FaultContext): boolean {
  return expected.startsWith('a member name');
}

export function wantsComma({ expected }: FaultContext): boolean {
  return expected.startsWith('","');
}

/** Where the line of the fault begins; null: before the bytes that may be read. */
export function lineStart({ bytes, from, at }: FaultContext): number | null {
  const feed = bytes.subarray(from, at).lastIndexOf(LINE_FEED);
  if (feed >= 0) return from + feed + 1;
  return at - from < LOOK_BACK ? skipSpace(bytes, from + (from === 0 ? byteOrderMark(bytes) : 0), at) : null;
}

/** The end of the line from `at` on, or of the range. */
export function lineEnd({ bytes, at, to }: FaultContext): number {
  const feed = bytes.subarray(at, to).indexOf(LINE_FEED);
  let end = feed < 0 ? to : at + feed;
  while (end > at && isSpace(bytes[end - 1]!)) end--;
  return end;
}

export interface Diagnosis {
  /** Null: none of the usual mistakes. */
  readonly cause: SyntaxCause | null;
  /** The word, quoted text, comment or character at fault. It may begin before `at`; empty if the text ends too early. */
  readonly found: Span;
  /** What caused the fault, if that is an earlier byte: the comma before a bracket. */
  readonly earlier: Span | null;
}

/** Names the cause of a fault. */
export function diagnose(fault: SyntaxFault): Diagnosis {
  const { bytes, at } = fault;
  const isCut = at >= fault.to;
  if (isCut && startsSource(fault, at)) return { cause: 'empty', found: { start: at, end: at }, earlier: null };
  const from = Math.max(fault.from, at - LOOK_BACK);
  const to = Math.min(fault.lookTo ?? fault.to, at + LOOK_AHEAD);
  const word = isCut ? { start: at, end: at } : wordAt({ ...fault, from, to });
  const text = bytes.toString('utf8', word.start, word.end);
  const context: FaultContext = { ...fault, from, to, byte: at < to ? bytes[at]! : 0, word, text };
  for (const rule of isCut ? [otherFormat] : RULES) {
    const named = rule(context);
    if (named === null) continue;
    const found = { start: word.start, end: named.end ?? word.end };
    return { cause: named.cause, found, earlier: named.earlier ?? null };
  }
  return { cause: null, found: word, earlier: null };
}

function isWordByte(byte: number): boolean {
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  const isDigit = byte >= 0x30 && byte <= 0x39;
  return isLetter || isDigit || byte === 0x5f || byte === 0x24 || byte >= 0x80; // _ and $
}

/** The whole word that contains the fault, or a single character. */
function wordAt({ bytes, from, to, at, expected }: SyntaxFault): Span {
  const end = at + characterLength(bytes[at]!);
  if (expected.startsWith('an escape') || expected.startsWith('four')) return { start: at, end };
  if (!isWordByte(bytes[at]!) || oddSpace(bytes.toString('utf8', at, end)) || isCurlyQuote(bytes, at))
    return { start: at, end };
  let last = end;
  while (last < to && isWordByte(bytes[last]!) && !isCurlyQuote(bytes, last)) last++;
  // For a misspelt literal, the scan has already passed the correct letters.
  const fits = /^"(true|false|null)"$/.exec(expected)?.[1] ?? '';
  let start = at;
  for (let i = 1; i < fits.length && at - i >= from; i++) {
    if (bytes.toString('latin1', at - i, at) === fits.slice(0, i)) start = at - i;
  }
  return { start, end: last };
}

function oddSpace(character: string): boolean {
  return /^[\s\p{Zs}\u200b-\u200d\u2060]$/u.test(character);
}

/** ‘ ’ “ ” */
function isCurlyQuote(bytes: Buffer, at: number): boolean {
  const last = bytes[at + 2];
  return (
    bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && (last === 0x98 || last === 0x99 || last === 0x9c || last === 0x9d)
  );
}

/** Index of the last byte before `at` that is not white space; -1: there is none in the range. */
function before({ bytes, from, at }: FaultContext): number {
  let index = at - 1;
  while (index >= from && isSpace(bytes[index]!)) index--;
  return index < from ? -1 : index;
}

const comment: CauseRule = (context) => {
  const { bytes, at, to, byte } = context;
  const next = at + 1 < to ? bytes[at + 1]! : 0;
  const isComment = byte === 0x23 || (byte === 0x2f && (next === 0x2f || next === 0x2a)); // #, //, /*
  if (!isComment || inString(context)) return null;
  const line = lineEnd(context);
  if (next !== 0x2a) return { cause: 'comment', end: line };
  const close = bytes.subarray(at, line).indexOf('*/', 2);
  return { cause: 'comment', end: close < 0 ? line : at + close + 2 };
};

/** True if the fault is inside a string or a number, not between tokens. */
function inString({ expected }: FaultContext): boolean {
  return expected.startsWith('an escape') || expected.startsWith('four') || expected.endsWith('digit');
}

const quotes: CauseRule = (context) => {
  const { bytes, at, byte } = context;
  if (inString(context)) return null;
  if (byte === 0x27 || byte === 0x60) {
    const close = bytes.subarray(at + 1, lineEnd(context)).indexOf(byte);
    const end = close < 0 ? at + 1 : at + close + 2;
    return { cause: byte === 0x27 ? 'single-quotes' : 'backquotes', end };
  }
  if (!isCurlyQuote(bytes, at)) return null;
  const end = lineEnd(context);
  for (let i = at + 3; i < end; i++) if (isCurlyQuote(bytes, i)) return { cause: 'curly-quotes', end: i + 3 };
  return { cause: 'curly-quotes' };
};

const commas: CauseRule = (context) => {
  const { bytes, byte, expected } = context;
  const last = before(context);
  const comma = last >= 0 && bytes[last] === 0x2c ? { start: last, end: last + 1 } : null;
  const closes = byte === 0x7d || byte === 0x5d;
  if (closes && comma !== null && (expected === 'a member name' || expected === 'a value'))
    return { cause: 'trailing-comma', earlier: comma };
  if (byte === 0x2c && expected === 'the end') return { cause: 'comma-after-text' };
  if (byte === 0x2c && (wantsValue(context) || wantsName(context))) {
    const opens = last >= 0 && (bytes[last] === 0x7b || bytes[last] === 0x5b);
    return comma !== null || opens ? { cause: 'extra-comma' } : null;
  }
  return null;
};

/** `{""name"": ""x""}`, or a whole cell of CSV, `"{""name"": 1}"`. */
const doubledQuotes: CauseRule = (context) => {
  const { bytes, at, byte, from, expected } = context;
  const isEmpty = at - from >= 2 && bytes[at - 1] === 0x22 && bytes[at - 2] === 0x22 && bytes[at - 3] !== 0x5c;
  const isAfterEmpty = isEmpty && byte !== 0x22 && !isSpace(byte) && !STRUCTURE.has(byte);
  if (isAfterEmpty && (expected === '":"' || wantsComma(context))) return { cause: 'doubled-quotes' };
  const start = lineStart(context);
  const isCell = start !== null && /^\s*"[{[]"$/.test(bytes.toString('latin1', start, at));
  return isCell && byte === 0x22 && expected === 'the end' ? { cause: 'doubled-quotes' } : null;
};

/** `,`, `:`, `]` and `}`. */
const STRUCTURE: ReadonlySet<number> = new Set([0x2c, 0x3a, 0x5d, 0x7d]);

/** `"say "hi""`, or a missing comma. */
const missingComma: CauseRule = (context) => {
  const { bytes, at, byte, from, word } = context;
  const last = before(context);
  if (!wantsComma(context) || last < 0) return null;
  if (at > from && bytes[at - 1] === 0x22 && isWordByte(byte)) return { cause: 'unescaped-quote' };
  if (!beginsValue(byte)) return null;
  const close = byte === 0x22 ? bytes.subarray(at + 1, lineEnd(context)).indexOf(0x22) : -1;
  const end = close < 0 ? word.end : at + close + 2;
  return { cause: 'missing-comma', end, earlier: { start: last, end: last + 1 } };
};

/** `"`, `{`, `[`, `-` or a digit. */
function beginsValue(byte: number): boolean {
  return byte === 0x22 || byte === 0x7b || byte === 0x5b || byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
}

const afterText: CauseRule = ({ byte, expected }) => {
  if (expected !== 'the end') return null;
  if (beginsValue(byte)) return { cause: 'two-texts' };
  if (byte === 0x7d || byte === 0x5d) return { cause: 'extra-bracket' };
  return byte === 0x3a ? { cause: 'no-braces' } : null;
};

const words: CauseRule = (context) => {
  const { bytes, word, text, to } = context;
  if (!wantsValue(context) && context.expected !== 'a digit') return null;
  if (/^(?:nan|infinity|inf)$/i.test(text)) return { cause: /^nan$/i.test(text) ? 'nan' : 'infinity' };
  if (!wantsValue(context)) return null;
  const next = word.end < to ? bytes[word.end]! : 0;
  if (/^[bB]$/.test(text) && (next === 0x27 || next === 0x22)) {
    const close = bytes.subarray(word.end + 1, lineEnd(context)).indexOf(next);
    return { cause: 'byte-string', end: close < 0 ? word.end + 1 : word.end + close + 2 };
  }
  if (/^(?:None|True|False)$/.test(text)) return { cause: 'python-literal' };
  if (text === 'undefined') return { cause: 'undefined' };
  if (/^(?:null|true|false)$/i.test(text)) return { cause: 'wrong-case' };
  return null;
};

const unquoted: CauseRule = (context) => {
  if (!isWordByte(context.byte) || oddSpace(context.text)) return null;
  if (wantsName(context)) return { cause: 'unquoted-name' };
  if (!wantsValue(context) || !/^[\p{L}_$]/u.test(context.text)) return null;
  // A misspelt literal is not a string.
  if (LITERALS.has(context.expected) && context.expected.slice(1).startsWith(context.text.slice(0, 2))) return null;
  return { cause: startsSource(context, context.word.start) ? 'not-json' : 'unquoted-string' };
};

const numbers: CauseRule = (context) => {
  const { bytes, at, byte, from, expected } = context;
  const previous = at > from ? bytes[at - 1]! : 0;
  if (expected === 'no digit after the leading zero') return { cause: 'leading-zero' };
  if (expected === 'a digit') return previous === 0x2e ? { cause: 'trailing-point' } : null;
  if ((byte | 0x20) === 0x78 && previous === 0x30) return { cause: 'hexadecimal' };
  if (!wantsValue(context)) return null;
  if (byte === 0x2b) return { cause: 'plus-sign' };
  return byte === 0x2e ? { cause: 'leading-point' } : null;
};

const strings: CauseRule = ({ byte, expected }) => {
  if (expected === 'an escape for the control character') {
    if (byte === LINE_FEED || byte === 0x0d) return { cause: 'line-break-in-string' };
    return { cause: byte === 0x09 ? 'tab-in-string' : 'control-character-in-string' };
  }
  if (expected !== 'an escape character after "\\"') return null;
  return { cause: byte === LINE_FEED || byte === 0x0d ? 'line-break-in-string' : 'wrong-escape' };
};

const spaces: CauseRule = (context) => (oddSpace(context.text) && !inString(context) ? { cause: 'odd-space' } : null);

/** `<<<<<<< HEAD`, `|||||||`, `=======` and `>>>>>>> branch`, which git writes at the beginning of a line. */
const conflict: CauseRule = (context) => {
  const { bytes, at } = context;
  if (lineStart(context) !== at) return null;
  const isMarker = /^(?:([<>|])\1{6}(?: |$)|={7}$)/.test(bytes.toString('latin1', at, lineEnd(context)));
  return isMarker ? { cause: 'merge-conflict', end: at + 7 } : null;
};

/** ```` ``` ```` or `~~~` around a block of code in Markdown. */
const fence: CauseRule = (context) => {
  const { bytes, at } = context;
  if (lineStart(context) !== at) return null;
  const isFence = /^(?:`{3,}|~{3,})[\w-]*$/.test(bytes.toString('latin1', at, lineEnd(context)));
  return isFence ? { cause: 'markdown', end: lineEnd(context) } : null;
};

/** A line of `text/event-stream`, and the first lines of one that has other fields before its data. */
const SSE_DATA = /^data: ?[{[]/;
const SSE_HEAD = /^(?:(?:event|id|retry|):[^\n]*\n|\r?\n)+data:|^event: ?[\w.-]+\s*$/;

const eventStream: CauseRule = (context) => {
  const { bytes } = context;
  const start = lineStart(context);
  if (start === null || !wantsValue(context)) return null;
  const isData = SSE_DATA.test(bytes.toString('latin1', start, lineEnd(context)));
  return isData || SSE_HEAD.test(firstLines(context) ?? '') ? { cause: 'event-stream' } : null;
};

/** A time, a date or a level, as most logs have before the message. */
const LOG_MARKS = /\d\d:\d\d|\d{4}-\d\d-\d\d|\b(?:trace|debug|info|notice|warn|warning|error|fatal)\b/i;

/** JSON texts that may be before another one on the same line. */
const SCALARS = /(?<![\w.:-])(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.:/-])/gi;

/** Candidates for the beginning of the JSON text on a line, at most. */
const OBJECTS = 3;

/** The text before an object that ends the line; null: there is no such object, or the text before it is only other JSON. */
function textBeforeObject(context: FaultContext): string | null {
  const { bytes, at, expected } = context;
  const start = lineStart(context);
  const isBetweenTexts = wantsValue(context) || ['the end', 'a digit', '"," or "]"'].includes(expected);
  if (start === null || !isBetweenTexts) return null;
  const end = lineEnd(context);
  const line = bytes.toString('latin1', start, end);
  if (/^\s*(?:["{]|\/\/|\/\*|#)/.test(line)) return null;
  for (const { index } of [...line.matchAll(/\{\s*["}]/g)].slice(0, OBJECTS)) {
    if (start + index <= at) continue;
    const { fault } = scan(bytes, start + index, end, Number.POSITIVE_INFINITY);
    if (fault === null || fault.at >= end) return line.slice(0, index);
  }
  return null;
}

/** A plain key, a list, or a marker on the first line after comments. */
const YAML = /^(?:(?:---|%YAML)\s|- \S|[A-Za-z_][\w .@-]*:(?:\s|$))/;
/** A quoted key with a value that is not JSON, or, without a comma, before the next key or the end. */
const QUOTED_KEY = /^"(?:[^"\\\n]|\\.)*":(?=\s)/;
const YAML_VALUE =
  /^[ \t]*(?:(?!(?:true|false|null)\b)[A-Za-z]|(?:"[^"\n]*"|[^\s,{["][^,\n]*)?[ \t]*(?:\r?\n\s*(?:"[^"\n]*":|[\w-]+:|- )|\s*$))/;

/** The beginning of a source in another format. */
const beginning: CauseRule = (context) => {
  const { expected, bytes, base } = context;
  if (base === 0 && isLfsPointer(bytes)) return { cause: 'git-lfs' };
  if (!wantsValue(context) && expected !== 'the end' && expected !== 'a digit') return null;
  const head = firstLines(context);
  const cause = head === null ? null : formatOf(head);
  return cause === null ? null : { cause };
};

function formatOf(head: string): SyntaxCause | null {
  if (head.startsWith('<')) return /^<(?:!doctype\s+html|html|head|body)\b/i.test(head) ? 'html' : 'xml';
  const text = head.replace(/^(?:#[^\n]*\n\s*)+/, '');
  const [key] = QUOTED_KEY.exec(text) ?? [];
  if (YAML.test(text) || (key !== undefined && YAML_VALUE.test(text.slice(key.length)))) return 'yaml';
  return isCsv(head) ? 'csv' : null;
}

/** Two lines with the same number of separators outside of quotes, and no bracket. */
function isCsv(head: string): boolean {
  const [first, second] = head.replace(/"[^"\n]*"/g, '').split(/\r?\n/);
  if (first === undefined || second === undefined || /[{}[\]]/.test(first)) return false;
  return [',', ';', '\t'].some((separator) => {
    const count = first.split(separator).length;
    return count > 1 && count === second.split(separator).length;
  });
}

/** Texts that are not JSON but something else that people pass as payloads. The first format that fits is the cause. */
const otherFormat: CauseRule = (context) => {
  const line = conflict(context) ?? eventStream(context) ?? fence(context);
  if (line !== null) return line;
  const before = textBeforeObject(context);
  if (before !== null && LOG_MARKS.test(before)) return { cause: 'log-line' };
  // A YAML key may be before an object as well.
  const named = beginning(context);
  const isText = /[a-z]|\d[:/-]\d/i.test(before?.replace(SCALARS, '') ?? '');
  return named === null && isText ? { cause: 'log-line' } : named;
};

/** The first rule that fits names the cause. */
const RULES: readonly CauseRule[] = [
  otherFormat,
  strings,
  numbers,
  spaces,
  comment,
  quotes,
  commas,
  words,
  doubledQuotes,
  missingComma,
  afterText,
  unquoted,
];
