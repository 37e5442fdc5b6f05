/**
 * Divides sources into batches: many small files go together; a large file of lines is divided into ranges; a source that
 * must be read from beginning to end stays one part, done in its turn. Then yields the results of batches in the order of
 * the plan, whichever thread checks them: this one, and others as soon as they save time.
 */
import { availableParallelism } from 'node:os';
import { Interrupted, unlessFailed } from '../../errors.ts';
import { byteOrderMark, otherEncoding } from '../../json/utf8.ts';
import { FRAMING_BYTES, THREADS } from '../../limits.ts';
import { plainlyOther } from '../../source/detect-framing.ts';
import { headOf } from '../../source/open-bytes.ts';
import { type FileTime, timeOf } from '../../source/range.ts';
import { isGzip } from '../../source/read-file.ts';
import type { Framing, Source } from '../../types.ts';
import { type Batch, likelySize, type Part, type PartContext, SHARED_BYTES, whole } from '../part.ts';
import { type BatchResults, checkBatch } from './check-batch.ts';
import { AHEAD, type AtWork, Claims, createShared, type Shares, workOn } from './claims.ts';
import { Blocks } from './gather.ts';
import type { Pool, ThreadSettings } from './pool.ts';
import { type Pace, threadsAllowed, threadsWorth } from './thread-count.ts';

/** A batch in its turn. `results` null: the caller must do it now and report results as they come. */
export interface Turn {
  readonly batch: Batch;
  readonly results: BatchResults | null;
  /**
   * Present only if the run is interrupted and another thread has not finished the batch: the payload that this thread
   * examines, or null if it examines none. This turn is the last.
   */
  readonly unfinished?: AtWork | null;
}

/** Most threads for a run; `wanted` null: by the number of cores. */
export function mostThreads(wanted: number | null): number {
  return wanted ?? Math.min(THREADS, availableParallelism());
}

export interface ScheduleOptions {
  /** Most threads, including this one. */
  readonly threads: number;
  /** The settings for other threads. */
  readonly share: () => Promise<ThreadSettings>;
  /** How fast threads start and work; null: the measured values. */
  readonly pace?: Pace | null;
}

/** The outcome of a batch in its turn. `isLast`: the run is interrupted. */
type Done = Omit<Turn, 'batch'> & { readonly isLast?: true };

const NOT_DONE: Done = { results: null };

/** The batches of a run, and who does them. */
export class SharedWork {
  readonly #batches: readonly Batch[];
  readonly #context: PartContext;
  readonly #options: ScheduleOptions;
  readonly #most: number;
  #shares: Shares;
  readonly #blocks = new Blocks();
  /** Results of batches that this thread has done before their turn. */
  readonly #own: (BatchResults | null)[] = [];
  #claims: Claims;
  #pool: Pool | null = null;
  #begun: number;
  /** Batches done before `#begun`. */
  #uncounted = 0;

  constructor(batches: readonly Batch[], context: PartContext, options: ScheduleOptions) {
    this.#batches = batches;
    this.#context = context;
    this.#options = options;
    this.#begun = context.now();
    this.#most = Math.min(options.threads, batches.length);
    const serial = Uint8Array.from(batches, (batch) => (batch.serial ? 1 : 0));
    this.#shares = { shared: createShared(this.#most), serial, ahead: AHEAD };
    this.#claims = new Claims(this.#shares, null);
  }

  /** Yields every batch in order. Leaving the loop ends the other threads. */
  async *turns(): AsyncGenerator<Turn> {
    try {
      for (const [turn, batch] of this.#batches.entries()) {
        // The first batch says nothing about the pace: meanwhile the schemas are compiled.
        if (turn === 1) {
          this.#begun = this.#context.now();
          this.#uncounted = 1;
        }
        const { isLast = false, ...done } = batch.serial ? NOT_DONE : await this.#done(turn);
        yield { batch, ...done };
        if (isLast) return;
        this.#own[turn] = null;
        this.#pool?.offer(turn + 1);
        this.#claims.report(turn + 1);
      }
    } finally {
      await this.#pool?.close();
    }
  }

  /** Does other batches until another thread has done that of `turn`, or this thread must do it. */
  async #done(turn: number): Promise<Done> {
    const { interrupt } = this.#context;
    for (;;) {
      const results = this.#own[turn] ?? this.#pool?.take(turn) ?? null;
      // A thread that has ended sends nothing more.
      if (results !== null || this.#pool?.isLeft(turn)) return { results };
      const mine = this.#claims.take(false);
      if (this.#pool === null && this.#most > 1) await this.#startThreads(turn);
      if (mine === turn) return NOT_DONE;
      if (typeof mine === 'number') await this.#doEarly(mine);
      else await this.#pool!.next(); // another thread has it
      if (interrupt.aborted) return this.#interrupted(turn);
    }
  }

  async #doEarly(index: number): Promise<void> {
    try {
      this.#own[index] = await checkBatch(this.#batches[index]!, this.#context, this.#blocks);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
    // Lets messages of other threads, signals and pipes be handled.
    await new Promise((turn) => setImmediate(turn));
  }

  async #interrupted(turn: number): Promise<Done> {
    const results = this.#own[turn] ?? (await this.#pool?.takeSoon(turn)) ?? null;
    const unfinished = results === null ? { unfinished: workOn(turn, this.#shares.shared) } : {};
    return { results, isLast: true, ...unfinished };
  }

  /** Starts as many threads as save time for the remaining work. */
  async #startThreads(turn: number): Promise<void> {
    const { left } = this.#claims;
    const { now, interrupt } = this.#context;
    const work = {
      ofFiles: this.#batches[turn]!.parts[0]?.range == null,
      elapsed: now() - this.#begun,
      taken: this.#batches.length - left - this.#uncounted,
      left,
    };
    const more = Math.min(this.#most, threadsWorth(work, this.#options.pace ?? null)) - 1;
    if (more <= 0) return;
    const ahead = (more + 1) * AHEAD;
    const { Pool } = await import('./pool.ts');
    this.#shares = { ...this.#shares, ahead };
    const shared = { ...(await this.#options.share()), claims: this.#shares };
    this.#pool = new Pool(Math.min(more, threadsAllowed()), this.#batches, shared, interrupt);
    this.#pool.offer(turn);
    this.#claims = new Claims(this.#shares, null);
  }
}

const RANGE_BYTES = 1 << 20;
/** A file of more ranges than this gets larger ranges, because each thread receives the whole plan. */
const MOST_RANGES = 1 << 15;
const BATCH_FILES = 64;

/** Batches in the order of the sources. `framing`: overrides file names. */
export function plan(sources: readonly Source[], framing: Framing | null): Batch[] {
  const batches: Batch[] = [];
  let files: Part[] = [];
  let bytes = 0;
  const finish = (): void => {
    if (files.length > 0) batches.push({ parts: files, serial: false });
    files = [];
    bytes = 0;
  };
  for (const source of sources) {
    const size = likelySize(source);
    if (size !== null && size <= SHARED_BYTES) {
      files.push(whole(source, size));
      bytes += size;
      if (files.length === BATCH_FILES || bytes > RANGE_BYTES) finish();
      continue;
    }
    finish();
    const isLines = (framing ?? source.framing) === 'lines';
    const divisible = size !== null && isLines && hasLines(source, framing);
    const file = divisible ? timeOf(source.path!) : null; // sizeOf has checked the path
    if (file !== null) for (const part of ranges(source, file)) batches.push({ parts: [part], serial: false });
    else batches.push({ parts: [whole(source, size)], serial: true });
  }
  finish();
  return batches;
}

function ranges(source: Source, file: FileTime): Part[] {
  const bytes = RANGE_BYTES * Math.max(1, Math.ceil(file.size / (RANGE_BYTES * MOST_RANGES)));
  const count = Math.max(1, Math.ceil(file.size / bytes));
  return Array.from({ length: count }, (_, i) => {
    // The last range includes bytes that are added to the file in the meantime.
    const to = i === count - 1 ? Number.MAX_SAFE_INTEGER : (i + 1) * bytes;
    return { source, range: { from: i * bytes, to, file }, last: i === count - 1, small: false };
  });
}

/** False for gzip, other encodings, and what is clearly not one payload per line: none has line ends to cut at. */
function hasLines({ path }: Source, framing: Framing | null): boolean {
  const head = unlessFailed(() => headOf(path!, FRAMING_BYTES)); // sizeOf has checked the path
  if (head === null || otherEncoding(head) !== null || isGzip(head)) return false;
  const text = head.subarray(byteOrderMark(head));
  return framing !== null || plainlyOther('lines', text, head.length < FRAMING_BYTES) === null;
}
