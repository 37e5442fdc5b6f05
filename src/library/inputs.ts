/**
 * What a caller gives: options, which JavaScript can misspell, and what to read; and the long calls in progress. Half a
 * surrogate pair becomes bytes that are not UTF-8, so that it is a violation, as in a file.
 */
import { Readable } from 'node:stream';
import { types } from 'node:util';
import { UsageError, unlessFailed } from '../errors.ts';
import { nodeModule } from '../json/on-demand.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { FRAMING_BYTES } from '../limits.ts';
import type { SchemaSet } from '../schema/set.ts';
import { detectFraming } from '../source/detect-framing.ts';
import { openBytes, openStream } from '../source/open-bytes.ts';
import { framingOfName } from '../source/path-text.ts';
import { type ByteReader, isGzip, MemoryBytes } from '../source/read-file.ts';
import { FRAMING_ALIASES, FRAMINGS, type Framing, type FramingName, type Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { guessed } from '../words/near.ts';
import type { PayloadInput, StopSignal } from './api.ts';
import { OPTION_NAMES } from './inserted.ts';

/** Waits for the first byte. Throws SourceError, and Interrupted. */
export async function openInput(input: PayloadInput, source: Source, interrupt: AbortSignal): Promise<ByteReader> {
  if (typeof input === 'string') return openBytes(source, null, interrupt);
  if (isBytes(input)) return isGzip(input) ? openStream(Readable.from([input]), interrupt) : new MemoryBytes(input);
  return openStream(givesBytes(input) ? input : Readable.from(byteChunks(input)), interrupt);
}

function givesBytes(input: object): input is Readable {
  return (
    input instanceof Readable &&
    input.readableEncoding === null &&
    !input.readableObjectMode &&
    !input.readableDidRead &&
    !input.destroyed
  );
}

/** By the extension of `name`, else by the content. Throws a TypeError if `input` is neither text nor bytes. */
export function framingOf(input: string | Uint8Array, name: string | undefined): Framing {
  // A code unit is at least one byte, so this is enough text.
  const bytes = unzipped(bytesOf(typeof input === 'string' ? input.slice(0, FRAMING_BYTES + 1) : input));
  const named = name === undefined ? null : framingOfName(name);
  if (named !== null) return named;
  const head = bytes.subarray(byteOrderMark(bytes), FRAMING_BYTES);
  return detectFraming(head, bytes.length <= FRAMING_BYTES);
}

/** The beginning of what gzip has compressed. Other bytes, and damaged gzip, are returned unchanged. */
function unzipped(bytes: Buffer): Buffer {
  if (!isGzip(bytes)) return bytes;
  const { gunzipSync, constants } = nodeModule('node:zlib');
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  return unlessFailed(() => gunzipSync(bytes.subarray(0, FRAMING_BYTES), options)) ?? bytes;
}

/** A text as UTF-8. Throws a TypeError for anything but a string or bytes. */
export function bytesOf(input: string | Uint8Array): Buffer {
  if (typeof input === 'string') return input.isWellFormed() ? Buffer.from(input) : withHalves(input);
  if (ArrayBuffer.isView(input)) return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  throw notText(input);
}

/** Throws a TypeError for anything but a string or bytes. */
export function requireText(input: unknown): void {
  if (typeof input !== 'string' && !ArrayBuffer.isView(input)) throw notText(input);
}

function notText(input: unknown): TypeError {
  const found = input === null ? 'null' : Array.isArray(input) ? 'an array' : typeof input;
  return new TypeError(`expected a string or bytes, found ${found}; validateValue takes parsed values`);
}

/** Whether it is bytes, of this realm or of another one (`node:vm`, jest). */
export const isBytes = (input: unknown): input is Uint8Array => types.isUint8Array(input);

/** The chunks of a stream as bytes. A string may end in the middle of a surrogate pair. */
async function* byteChunks(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let half = '';
  for await (const chunk of input) {
    if (isBytes(chunk)) {
      yield half === '' ? chunk : Buffer.concat([bytesOf(half), chunk]);
      half = '';
      continue;
    }
    if (typeof chunk !== 'string') throw new TypeError(`expected a stream of strings or bytes, found ${typeof chunk}`);
    const text = half + chunk;
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    yield bytesOf(half === '' ? text : text.slice(0, -1));
  }
  if (half !== '') yield bytesOf(half);
}

/** Converts ascending offsets in `bytes`, which are UTF-8, to indexes in the same text as a string: in UTF-16 code units. */
export function codeUnitsAt(bytes: Buffer, offsets: readonly number[]): number[] {
  let from = 0;
  let units = 0;
  return offsets.map((offset) => {
    units += bytes.toString('utf8', from, offset).length;
    from = offset;
    return units;
  });
}

/** Encodes each half of a surrogate pair as the three bytes that the UTF-8 scheme gives for its number. */
function withHalves(text: string): Buffer {
  return Buffer.concat(
    text.split(/(\p{Surrogate})/u).map((part) => {
      if (!/^\p{Surrogate}$/u.test(part)) return Buffer.from(part);
      const unit = part.charCodeAt(0);
      return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
    }),
  );
}

/** A call in progress. It ends if its signal aborts, or if the instance is closed. */
export interface LongCall {
  /** Aborted by the signal of the call, with its reason, or by `close`. */
  readonly stop: AbortController;
  /** Call it when the call ends; repeated calls have no effect. */
  readonly ended: () => void;
}

export class OpenCalls {
  readonly #calls = new Set<AbortController>();
  #isClosed = false;
  readonly #waiting: (() => void)[] = [];

  /** Throws UsageError after `close`. */
  requireOpen(): void {
    if (this.#isClosed) throw closedError();
  }

  /** `signal`: of the call. Throws UsageError after `close`. */
  begin(signal: StopSignal | undefined): LongCall {
    this.requireOpen();
    const stop = new AbortController();
    const abort = (): void => stop.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    this.#calls.add(stop);
    const ended = (): void => {
      signal?.removeEventListener('abort', abort);
      if (this.#calls.delete(stop) && this.#calls.size === 0) for (const resolve of this.#waiting) resolve();
    };
    return { stop, ended };
  }

  /** Resolves when all have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#calls.size === 0) return;
    const ended = new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
    for (const stop of [...this.#calls]) stop.abort(closedError());
    await ended;
  }
}

function closedError(): UsageError {
  return new UsageError('the instance of paylint is closed');
}

/** Refuses options that a call does not have, because a misspelt option would have no effect. Throws UsageError. */
export function requireOptions(call: keyof typeof OPTION_NAMES, options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new UsageError(`${call}: expected an object with options`);
  const names: readonly string[] = OPTION_NAMES[call];
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const listed = names.length === 0 ? 'it takes no options' : `there are ${names.join(', ')}`;
  throw new UsageError(`${call} has no option "${visible(unknown)}"${guessed(unknown, names, `; ${listed}`)}`);
}

/** Those of `flags` that are options of a call, too. */
export function optionsIn(call: keyof typeof OPTION_NAMES, flags: Readonly<Record<string, unknown>>): object {
  const names: readonly string[] = OPTION_NAMES[call];
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.includes(name)));
}

/** Refuses limits that are not numbers, because NaN would mean that there is no limit. Throws UsageError. */
export function wholeNumber(name: string, value: number, most: number): number {
  const isNumber = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
  if (isNumber && value >= 1 && value <= most) return value;
  const range = most === Number.POSITIVE_INFINITY ? '1 or more' : `1 to ${most}`;
  throw new UsageError(`${name}: expected a whole number, ${range}, found ${String(value)}`);
}

/** `expected`: in words. Throws UsageError. */
export function stringOf(name: string, value: string, expected: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError(`${name}: expected ${expected}`);
}

/** Throws UsageError. */
export function pathText(name: string, value: string): string {
  return stringOf(name, value, 'a path, as a string');
}

/** Throws UsageError. */
export function pathList(name: string, value: readonly string[]): readonly string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new UsageError(`${name}: expected a list of paths, such as ["a.json"]`);
}

/** `kind` if the schemas have it; null for undefined. Throws UsageError for an unknown kind. */
export function knownKind({ kinds }: SchemaSet, kind: string | undefined): string | null {
  if (kind === undefined || kinds.some(({ name }) => name === kind)) return kind ?? null;
  throw new UsageError(`there is no kind "${kind}"; there are ${kinds.map(({ name }) => name).join(', ')}`);
}

/** The framing; null for undefined. Throws UsageError for an unknown one. */
export function knownFraming(name: FramingName | undefined): Framing | null {
  if (name === undefined) return null;
  const meant = Object.entries(FRAMING_ALIASES).find(([alias]) => alias === name)?.[1] ?? name;
  const framing = FRAMINGS.find((one) => one === meant);
  if (framing !== undefined) return framing;
  throw new UsageError(`there is no framing "${String(name)}"; there are ${FRAMINGS.join(', ')}`);
}

/** Ignores what `map` passes, an index. Throws UsageError for an object with members. */
export function requireNone(
  call: 'isValid' | 'validate' | 'validateValue' | 'kindOf' | 'prune',
  options: unknown,
): void {
  if (typeof options === 'object' && options !== null) requireOptions(call, options);
}
