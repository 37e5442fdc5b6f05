/**
 * The progress line: one line on a terminal's standard error, for work that takes longer than a second. Never
 * written to a pipe.
 */
import { statSync } from 'node:fs';
import type { Io } from '../input/io.ts';
import { ascii } from '../report/ascii.ts';
import type { Source } from '../types.ts';
import { plural } from '../words/number-text.ts';
import { showsUnicode } from './terminal.ts';

/** Milliseconds before the line appears, and between two updates. */
const PATIENCE = 1000;
const INTERVAL = 200;

export class Progress {
  readonly #io: Io;
  readonly #enabled: boolean;
  readonly #sources: readonly Source[];
  readonly #begun: number;
  #nextAt = PATIENCE;
  #shown = false;
  /** Bytes of all sources; null before it is computed, NaN if it is not known. */
  #totalBytes: number | null = null;

  constructor(io: Io, sources: readonly Source[], enabled: boolean) {
    this.#io = io;
    this.#begun = io.now();
    this.#sources = sources;
    this.#enabled = enabled;
  }

  /** A getter, so that the stream is only opened if there may be something to show. */
  get #stream(): Io['stderr'] {
    return this.#io.stderr;
  }

  /** `payloads` and `bytes` so far. */
  update(payloads: number, bytes: number): void {
    if (!this.#enabled) return;
    const elapsed = this.#io.now() - this.#begun;
    if (elapsed < this.#nextAt || this.#stream.isTTY !== true) return;
    this.#nextAt = elapsed + INTERVAL;
    this.#totalBytes ??= totalBytes(this.#sources);
    const text = progressLine(bytes, this.#totalBytes, payloads, elapsed / 1000);
    const line = showsUnicode(this.#io.env, this.#stream) ? text : ascii(text);
    this.#stream.cursorTo?.(0);
    this.#stream.write(line.slice(0, (this.#stream.columns ?? 80) - 1));
    this.#stream.clearLine?.(1);
    this.#shown = true;
  }

  /** Clears the line before other text is written. */
  clear(): void {
    if (!this.#shown) return;
    this.#stream.cursorTo?.(0);
    this.#stream.clearLine?.(0);
    this.#shown = false;
  }

  end(): void {
    this.clear();
  }
}

/** `1.2 of 4.0 GB (30%) · 1,200,000 payloads · 650 MB/s · 4 s left`; `total` is NaN if it is not known. */
function progressLine(done: number, total: number, payloads: number, seconds: number): string {
  const rate = done / seconds;
  const parts = [
    Number.isNaN(total)
      ? bytesText(done)
      : `${bytesText(done)} of ${bytesText(total)} (${Math.floor((100 * done) / Math.max(1, total))}%)`,
    plural(payloads, 'payload'),
    `${bytesText(rate)}/s`,
  ];
  if (!Number.isNaN(total) && rate > 0) parts.push(`${durationText(Math.max(0, total - done) / rate)} left`);
  return parts.join(' · ');
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Decimal units, three digits at most before the unit: `12 MB`, `1.2 GB`. */
function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function totalBytes(sources: readonly Source[]): number {
  let total = 0;
  for (const { path } of sources) {
    const size = path === null ? null : sizeOfFile(path);
    if (size === null) return Number.NaN;
    total += size;
  }
  return total;
}

/** Null if it is not a regular file, or cannot be examined. */
function sizeOfFile(path: string): number | null {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats.size : null;
  } catch {
    return null;
  }
}
