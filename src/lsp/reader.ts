/**
 * Reads messages of the client. A text of 100 MB is in memory once: a message is read into memory of its own size, and
 * a long text in it is not made a string. Its bytes stay where they are, without escapes.
 */
import type { Readable } from 'node:stream';
import { AbstractMessageReader, type DataCallback, type Disposable, type Message } from 'vscode-jsonrpc/node';

/** Bytes of a long text in a message. */
const LONG = 1 << 20;
/** Bytes of a text that are read at once. */
const STEP = 1 << 16;

const EMPTY = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const U = 0x75;
const D = 0x64;

export class Reader extends AbstractMessageReader {
  readonly #input: Readable;
  /** Bytes of headers that are not complete. */
  #head: Buffer = EMPTY;
  /** The message whose headers have been read; null: none. */
  #body: Buffer | null = null;
  #filled = 0;

  constructor(input: Readable) {
    super();
    this.#input = input;
  }

  listen(callback: DataCallback): Disposable {
    const take = (chunk: Buffer): void => {
      for (let rest = chunk; rest.length > 0; ) rest = this.#take(rest, callback);
    };
    this.#input.on('data', take);
    this.#input.on('error', (error) => this.fireError(error));
    this.#input.on('close', () => this.fireClose());
    return { dispose: () => this.#input.off('data', take) };
  }

  /** Takes bytes of headers or of one message, and returns the others. */
  #take(chunk: Buffer, callback: DataCallback): Buffer {
    if (this.#body === null) return this.#takeHead(Buffer.concat([this.#head, chunk]));
    const count = chunk.copy(this.#body, this.#filled);
    this.#filled += count;
    if (this.#filled === this.#body.length) {
      const body = this.#body;
      this.#body = null;
      this.#unlessBroken(() => callback(messageIn(body)));
    }
    return chunk.subarray(count);
  }

  #takeHead(bytes: Buffer): Buffer {
    const end = bytes.indexOf(HEAD_END);
    this.#head = end < 0 ? bytes : EMPTY;
    if (end < 0) return EMPTY;
    this.#unlessBroken(() => {
      const [, length] = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, end)) ?? [];
      if (length === undefined) throw new Error('a message has no Content-Length');
      this.#body = Buffer.allocUnsafeSlow(Number(length));
      this.#filled = 0;
    });
    return bytes.subarray(end + HEAD_END.length);
  }

  #unlessBroken(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fireError(error);
    }
  }
}

/** Where a long text was. */
interface Mark {
  readonly [MARK]: number;
}

const MARK = 'paylint: long text';

/**
 * The message, in which each long member `text` is a Buffer in `bytes`, which change. Throws a SyntaxError if it is not
 * JSON.
 */
export function messageIn(bytes: Buffer): Message {
  if (bytes.length < LONG) return JSON.parse(bytes.toString()) as Message; // of the client
  const texts: Buffer[] = [];
  let json = '';
  let from = 0;
  for (let at = bytes.indexOf(QUOTE); at >= 0; ) {
    const end = endOfString(bytes, at + 1);
    if (end - at > LONG) {
      json += `${bytes.toString('utf8', from, at)}{"${MARK}":${texts.length}}`;
      texts.push(unescaped(bytes, at + 1, end));
      from = end + 1;
    }
    at = bytes.indexOf(QUOTE, end + 1);
  }
  json += bytes.toString('utf8', from);
  return JSON.parse(json, (name, value: unknown) => {
    if (!isMark(value)) return value;
    const text = texts[value[MARK]]!; // marks are made above
    return name === 'text' ? text : text.toString();
  }) as Message;
}

function isMark(value: unknown): value is Mark {
  return typeof value === 'object' && value !== null && MARK in value;
}

/** Index of the quote that ends the string with content from `at` on; the length of `bytes` if it has no end. */
function endOfString(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return Math.min(end, bytes.length);
}

/** Writes the text of the string in [start, end) over its beginning, step by step. It is never longer. */
function unescaped(bytes: Buffer, start: number, end: number): Buffer {
  let written = start;
  for (let from = start; from < end; ) {
    const to = stepEnd(bytes, from, end);
    written += bytes.write(JSON.parse(`"${bytes.toString('utf8', from, to)}"`) as string, written);
    from = to;
  }
  return bytes.subarray(start, written);
}

/** Index before `end` at which the text from `from` on may be cut, some `STEP` bytes later. */
function stepEnd(bytes: Buffer, from: number, end: number): number {
  for (let at = from + STEP; at < Math.min(end, from + 2 * STEP); at++)
    if (NOT_IN_ESCAPES.has(bytes[at]!)) return at;
  let to = from;
  while (to < end && (to - from < STEP || !isBetween(bytes, to))) to += escapeLength(bytes, to);
  return Math.min(to, end);
}

/** Space, comma, colon and braces: nearly every JSON text has them. */
const NOT_IN_ESCAPES: ReadonlySet<number> = new Set([0x20, 0x2c, 0x3a, 0x7b, 0x7d]);

/** Whether a text may be cut at an index: neither in a character nor between two escaped halves of one. */
function isBetween(bytes: Buffer, at: number): boolean {
  const isHalf = bytes[at] === BACKSLASH && bytes[at + 1] === U && (bytes[at + 2]! | 0x20) === D;
  return bytes[at]! < 0x80 && !isHalf;
}

/** Bytes of the escape at an index; 1: there is none. */
function escapeLength(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH) return 1;
  return bytes[at + 1] === U ? 6 : 2;
}
