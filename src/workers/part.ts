/**
 * One part of the work, done in whatever thread: opened, checked, closed, with what came of it as data.
 */
import { type CheckOptions, type CheckSink, checkSource, type Engines } from '../check.ts';
import type { TranscriptSink } from '../fill/transcript.ts';
import { openBytes } from '../input/bytes.ts';
import { SourceError } from '../input/failure.ts';
import { openRange } from '../input/range.ts';
import type { Window } from '../input/window.ts';
import { type InsertionList, InsertionLog } from '../json/edits.ts';
import { createMarkedRecord } from '../report/drawn.ts';
import type { Excerpt, FilledPlace, Io, Violation } from '../types.ts';
import type { Batch, Part } from './plan.ts';

/** How a part ended. */
export interface PartEnd {
  /** False where the source could not even be opened. */
  readonly opened: boolean;
  /** What kept the source from being read, or read to its end; null where nothing did. */
  readonly failure: string | null;
  /** Line feeds in the part, where it is a range. */
  readonly lines: number;
  /** Bytes read from the file. */
  readonly bytes: number;
}

/** What is wanted of a part, where defaults are filled in. */
export interface FillWants {
  readonly bytes: boolean;
  readonly insertions: boolean;
  /** Every member, with its pointer and place. */
  readonly fills: boolean;
}

/** A violation, or a member that was filled in where such are wanted one by one. */
export type Find =
  | { readonly violation: Violation; readonly excerpt: Excerpt | null }
  | { readonly fill: FilledPlace };

/** What was filled in, in order. */
export interface PartFills {
  readonly chunks: readonly { readonly chunk: Uint8Array<ArrayBuffer>; readonly changed: boolean }[];
  readonly insertions: InsertionList;
  readonly patterns: readonly (readonly [pattern: string, count: number])[];
}

/** All that came of a part. Payload indexes and lines count from the part's beginning. */
export interface PartResult extends PartEnd {
  /** In the order in which they were found. */
  readonly finds: readonly Find[];
  /** The violations as marked `ndjson`, in place of objects; null where they are these. */
  readonly drawn: { readonly text: string; readonly rules: readonly (readonly [string, number])[] } | null;
  readonly payloads: readonly {
    readonly kind: string | null;
    readonly valid: boolean;
    readonly count: number;
  }[];
  /** Null where nothing is filled in. */
  readonly fills: PartFills | null;
}

/** What the parts of a run have in common. */
export interface PartContext {
  readonly window: Window;
  readonly engines: Engines;
  readonly options: CheckOptions;
  readonly stdin: Io['stdin'];
  readonly interrupt: AbortSignal;
}

/** Checks a part; what is found goes to `sink`. Throws what is no trouble of the source's own, such as a closed pipe. */
export async function checkPart(part: Part, context: PartContext, sink: CheckSink): Promise<PartEnd> {
  const { window, engines, options, interrupt } = context;
  const { source, range } = part;
  let opened = false;
  let failure: string | null = null;
  let lines = 0;
  let bytes = 0;
  try {
    const ranged = range === null ? null : openRange(source.path!, range.from, range.to); // only files have ranges
    const reader =
      ranged ?? (await openBytes(source, source.path === null ? context.stdin : null, interrupt));
    opened = true;
    try {
      window.reset(reader, ranged?.start ?? 0);
      lines = await checkSource(source, window, engines, options, sink);
    } finally {
      bytes = reader.progress.bytes;
      await reader.close();
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    failure = error.message;
  }
  return { opened, failure, lines, bytes };
}

/** How the parts of a batch are to be done. */
export interface Manner {
  /** Stop after the first invalid payload. */
  readonly bail: boolean;
  readonly wants: FillWants | null;
  /** Violations are wanted as marked `ndjson`, and not as objects. */
  readonly drawn: boolean;
}

/** Checks the parts of a batch and keeps what came of each. */
export async function checkBatch(batch: Batch, context: PartContext, manner: Manner): Promise<PartResult[]> {
  const { bail, wants, drawn } = manner;
  const results: PartResult[] = [];
  // Between violations there may be fills to tell of.
  const record = drawn && wants?.fills !== true ? createMarkedRecord() : null;
  for (const part of batch.parts) {
    const finds: Find[] = [];
    const counts = new Map<string, { kind: string | null; valid: boolean; count: number }>();
    const rules = new Map<string, number>();
    const gathered = wants === null ? null : gatherFills(wants, finds);
    let text = '';
    let stopped = false;
    const count = (kind: string | null, valid: boolean, payloads: number): void => {
      const key = `${valid}${kind}`;
      const entry = counts.get(key);
      if (entry === undefined) counts.set(key, { kind, valid, count: payloads });
      else entry.count += payloads;
    };
    const end = await checkPart(part, context, {
      violation(violation, excerpt) {
        if (record === null) finds.push({ violation, excerpt });
        else {
          text += record(violation);
          rules.set(violation.rule, (rules.get(violation.rule) ?? 0) + 1);
        }
      },
      payload(kind, valid) {
        count(kind, valid, 1);
        stopped = bail && !valid;
        return !stopped;
      },
      accepted: (kind, payloads) => count(kind, true, payloads),
      transcript: gathered?.sink ?? null,
      flush: async () => {},
    });
    const payloads = [...counts.values()];
    const drawing = record === null ? null : { text, rules: [...rules] };
    results.push({ ...end, finds, drawn: drawing, payloads, fills: gathered?.fills ?? null });
    if (stopped) break;
  }
  return results;
}

/** Keeps what is wanted; chunks are copied, for the window is used again. Single members go to `finds`. */
function gatherFills(wants: FillWants, finds: Find[]): { sink: TranscriptSink; fills: PartFills } {
  const chunks: { chunk: Uint8Array<ArrayBuffer>; changed: boolean }[] = [];
  const insertions = new InsertionLog();
  const patterns: [string, number][] = [];
  const sink: TranscriptSink = {
    wantsFills: wants.fills,
    bytes(chunk, changed) {
      if (wants.bytes) chunks.push({ chunk: new Uint8Array(chunk), changed });
    },
    insertion(insertion) {
      if (wants.insertions) insertions.add(insertion);
    },
    fill: (fill) => finds.push({ fill }),
    filled: (pattern, count) => patterns.push([pattern, count]),
  };
  // A log is more than plain data, and only that goes from thread to thread.
  const { offsets, texts } = insertions;
  return { sink, fills: { chunks, insertions: { offsets, texts }, patterns } };
}
