/**
 * The parts of a batch, done one after another, with what came of each as data.
 */
import type { CheckSink } from '../check/check.ts';
import { type Gathered, Gatherer, InItsTurn, type Manner } from './gather.ts';
import { checkOpened } from './opened.ts';
import { checkSmall, type PartContext, type PartEnd } from './part.ts';
import { type Batch, type Part, SHARED_BYTES, sizeOf } from './serial.ts';

/** All that came of a part. */
export interface PartResult extends PartEnd, Gathered {}

/** By part; null for one that is to be done in its turn. Fewer than there are parts if an invalid payload has ended the run. */
export type BatchResults = readonly (PartResult | null)[];

/** As `checkPart`; null for what turns out to be no part of a batch. */
async function checkShared(part: Part, context: PartContext, sink: CheckSink): Promise<PartEnd | null> {
  if (part.small) {
    const end = await checkSmall(part, context, sink);
    if (end !== null) return end;
    const size = sizeOf(part.source);
    if (size === null || size > SHARED_BYTES) return null;
  }
  return checkOpened(part, context, sink);
}

/** As `checkShared`; null also for a part whose results are too many, or of which a payload cannot be checked. */
async function checkOrLeave(part: Part, context: PartContext, sink: CheckSink): Promise<PartEnd | null> {
  try {
    return await checkShared(part, context, sink);
  } catch (error) {
    if (!(error instanceof InItsTurn)) throw error;
    return null;
  }
}

/**
 * Checks the parts of a batch and keeps what came of each; null for one that is to be done in its turn: it
 * turns out to be large, or all that comes of it might not fit into memory, or one of its payloads cannot be checked.
 */
export async function checkBatch(batch: Batch, context: PartContext, manner: Manner): Promise<BatchResults> {
  const results: (PartResult | null)[] = [];
  const gatherer = new Gatherer(manner);
  for (const part of batch.parts) {
    const end = await checkOrLeave(part, context, gatherer.sink);
    const gathered = gatherer.take();
    results.push(end === null ? null : { ...end, ...gathered });
    if (gatherer.stopped) break;
  }
  return results;
}
