/**
 * What a stream can show to people: colours, and how many columns; and the progress line: one line on a terminal's
 * standard error, for work that takes longer than a second. Never written to a pipe.
 */
import type { Io } from '../source/io.ts';
import { statsOf } from '../source/read-file.ts';
import type { ReportStyle, Source } from '../types.ts';
import { plural } from '../words/number-text.ts';

/**
 * Whether a stream gets colour: `--color`/`--no-color`, then `NO_COLOR`, then `FORCE_COLOR`, then `TERM=dumb`, then
 * whether it is a terminal. `flag`: true for `--color`, false for `--no-color`, null for neither.
 */
export function colorLevel(
  flag: boolean | null,
  env: Io['env'],
  stream: { readonly isTTY?: boolean },
): ReportStyle['colorLevel'] {
  if (flag !== null) return flag ? 1 : 0;
  if (env.NO_COLOR) return 0;
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' || env.FORCE_COLOR === 'false' ? 0 : 1;
  return env.TERM !== 'dumb' && stream.isTTY === true ? 1 : 0;
}

/** Columns of the terminal that `stream` is, else what `COLUMNS` says, else 100. */
export function widthOf(stream: { readonly isTTY?: boolean; readonly columns?: number }, env: Io['env']): number {
  if (stream.isTTY === true && stream.columns !== undefined) return stream.columns;
  const columns = /^\d{1,5}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 0;
  return columns > 0 ? columns : 100;
}

export function inColumns(rows: readonly (readonly [string, string, string])[]): string {
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map(([a, b, c]) => `${a.padEnd(first!)}  ${b.padEnd(second!)}  ${c}\n`).join('');
}

/** Milliseconds before the line appears, and between two updates. */
const PATIENCE = 1000;
const INTERVAL = 200;

export class ProgressLine {
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

  update(payloads: number, bytes: number): void {
    if (!this.#enabled) return;
    const elapsed = this.#io.now() - this.#begun;
    // The stream is opened only if there may be something to show.
    if (elapsed < this.#nextAt || this.#io.stderr.isTTY !== true) return;
    this.#nextAt = elapsed + INTERVAL;
    this.#totalBytes ??= totalBytes(this.#sources);
    const columns = (this.#io.stderr.columns ?? 80) - 1;
    const line = progressLine({ done: bytes, total: this.#totalBytes, payloads, seconds: elapsed / 1000 });
    this.#io.stderr.cursorTo?.(0);
    this.#io.stderr.write(line.slice(0, columns));
    this.#io.stderr.clearLine?.(1);
    this.#shown = true;
  }

  clear(): void {
    if (!this.#shown) return;
    this.#io.stderr.cursorTo?.(0);
    this.#io.stderr.clearLine?.(0);
    this.#shown = false;
  }
}

/** `1.2 GB of 4.0 GB (30%) · 1,200,000 payloads · 650 MB/s · 4 s left`. `total`: NaN if it is not known. */
export function progressLine(run: Readonly<Record<'done' | 'total' | 'payloads' | 'seconds', number>>): string {
  const { done, total, payloads, seconds } = run;
  const rate = done / seconds;
  const isKnown = !Number.isNaN(total);
  const share = `${Math.floor((100 * done) / Math.max(1, total))}%`;
  const wait = Math.ceil(Math.max(0, total - done) / rate);
  const time = wait < 60 ? `${wait} s` : `${Math.floor(wait / 60)} min ${wait % 60} s`;
  return [
    isKnown ? `${bytesText(done)} of ${bytesText(total)} (${share})` : bytesText(done),
    plural(payloads, 'payload'),
    `${bytesText(rate)}/s`,
    ...(isKnown && rate > 0 ? [`${time} left`] : []),
  ].join(' · ');
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Decimal units, three digits at most before the unit: `12 MB`, `1.2 GB`. */
function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

/** NaN if a source is not a regular file, or cannot be examined. */
function totalBytes(sources: readonly Source[]): number {
  const stats = sources.map(({ path }) => (path === null ? null : statsOf(path)));
  return stats.reduce((sum, one) => sum + (one?.isFile() ? one.size : Number.NaN), 0);
}
