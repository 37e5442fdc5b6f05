/**
 * Divides what is left of a large array into chunks, which threads take in the same way as batches, and passes their
 * results to the check of the source.
 */
import { fstatSync, openSync } from 'node:fs';
import type { AcceptedElements, InAdvance } from '../check/flow.ts';
import type { FileState } from '../input/byte-reader.ts';
import { type Between, type ElementRange, elementIn } from '../input/elements.ts';
import { isSameFile } from '../input/range.ts';
import { closeRead } from '../input/read-file.ts';
import type { Source } from '../types.ts';
import { freePieces } from './blocks.ts';
import type { ChunkElements } from './chunk.ts';
import type { Batch, Collector, PartContext } from './part.ts';
import type { ThreadSettings } from './pool.ts';
import { mostThreads, schedule, type Turn } from './schedule.ts';

/** The bytes of an array that have not been read yet. */
export interface ArrayRest {
  readonly from: number;
  readonly file: FileState;
  readonly between: Between;
}

/** The threads of a run. */
export interface Helpers {
  /** Most threads, with the main one; null: as many as there are cores. */
  readonly threads: number | null;
  readonly share: () => Promise<ThreadSettings>;
  /** Another context for the main thread, with a window of its own. */
  readonly another: () => Promise<PartContext>;
}

/** The size of a chunk. */
export const CHUNK = { bytes: 1 << 21 };

/** After this number of consecutive chunks of which less than half was used, no more chunks are checked. */
const MOST_USELESS = 8;

/** Null if threads would not save time, or the file cannot be opened any more: reading on reports why. */
export async function beginChunks(
  source: Source,
  rest: ArrayRest,
  { threads, share, another }: Helpers,
  collector: Collector,
): Promise<InAdvance | null> {
  const ranges = rangesOf(rest);
  const most = Math.min(mostThreads(threads), ranges.length);
  const fd = most < 2 ? null : openSame(source.path!, rest.file); // only files can be read from anywhere
  if (fd === null) return null;
  const batches = ranges.map(
    (range): Batch => ({ parts: [{ source, range, last: false, small: false }], serial: false }),
  );
  return new Chunks(fd, ranges, schedule(batches, await another(), { threads: most, share }), collector);
}

function rangesOf({ from, file, between }: ArrayRest): ElementRange[] {
  const { bytes } = CHUNK;
  return Array.from({ length: Math.ceil((file.size - from) / bytes) }, (_, i) => {
    const start = from + i * bytes;
    return { from: start, to: Math.min(file.size, start + bytes), file, between };
  });
}

/** Null if it is another file by now, or cannot be opened. */
function openSame(path: string, file: FileState): number | null {
  try {
    const fd = openSync(path, 'r');
    if (isSameFile(fstatSync(fd), file)) return fd;
    closeRead(fd);
  } catch {}
  return null;
}

/** The chunks of one array, in their order. */
class Chunks implements InAdvance {
  border = Number.POSITIVE_INFINITY;
  readonly #fd: number;
  readonly #ranges: readonly ElementRange[];
  readonly #turns: AsyncGenerator<Turn>;
  readonly #collector: Collector;
  /** Number of turns that were taken. */
  #turn = 0;
  /** Number of the next chunk in which an element begins. */
  #next = -1;
  /** What was accepted in the present chunk from the border on. */
  #elements: ChunkElements[] = [];
  /** Chunks of which less than a half was taken, one after another. */
  #useless = 0;
  /** Bytes taken of the present chunk. */
  #taken = 0;
  #isOpen = true;

  constructor(
    fd: number,
    ranges: readonly ElementRange[],
    turns: AsyncGenerator<Turn>,
    collector: Collector,
  ) {
    this.#fd = fd;
    this.#ranges = ranges;
    this.#turns = turns;
    this.#collector = collector;
    this.#findNext();
  }

  async take(atElement: boolean): Promise<AcceptedElements | null> {
    const here = this.border;
    if (this.#elements.length === 0) await this.#begin();
    const [first] = this.#elements;
    const isHere = first !== undefined && first.from === here;
    if (isHere) {
      this.#elements.shift();
      if (atElement) await this.#report(first);
      else freePieces(first.gathered);
    }
    const { length } = this.#elements;
    if (length === 0 && this.#useless > MOST_USELESS) await this.close();
    if (length > 0) this.border = this.#elements[0]!.from;
    else this.#findNext();
    return isHere && atElement ? first : null;
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeRead(this.#fd);
    await this.#turns.return(undefined);
  }

  /** Moves the border to the next chunk. */
  #findNext(): void {
    this.border = Number.POSITIVE_INFINITY;
    while (this.#isOpen && ++this.#next < this.#ranges.length && this.#useless <= MOST_USELESS) {
      const { from, to, between } = this.#ranges[this.#next]!;
      const begin = this.#elementIn(from, to, between);
      if (begin === null) this.#useless++;
      else {
        this.border = begin;
        return;
      }
    }
  }

  /** See `elementIn`. If the bytes cannot be read, there is none: the check of the source reports the error. */
  #elementIn(from: number, to: number, between: Between): number | null {
    try {
      return elementIn(this.#fd, from, to, between);
    } catch {
      return null;
    }
  }

  /** Begins the chunk at the border, with the elements that another thread has accepted, or with none. */
  async #begin(): Promise<void> {
    for (;;) {
      const { value: turn, done } = (await this.#turns.next()) as IteratorResult<Turn, undefined>;
      // The run is interrupted, or there would be as many turns as chunks.
      if (done || turn.unfinished !== undefined) return;
      const elements = turn.results?.[0]?.elements ?? [];
      if (this.#turn++ === this.#next) {
        this.#elements = [...elements];
        if (turn.results !== null) {
          this.#useless = 2 * this.#taken > CHUNK.bytes ? 0 : this.#useless + 1;
          this.#taken = 0;
        }
        return;
      }
      for (const { gathered } of elements) freePieces(gathered);
    }
  }

  async #report(elements: ChunkElements): Promise<void> {
    const { gathered } = elements;
    const collector = this.#collector;
    this.#taken += elements.to - elements.from;
    for (const { kind, count } of gathered.payloads) collector.accepted?.(kind!, count); // accepted payloads have a kind
    for (const { chunk, changed, channel } of gathered.pieces?.chunks ?? [])
      collector.bytes(chunk, changed, channel);
    await collector.flush();
    freePieces(gathered);
  }
}
