/**
 * The parts of a batch, done one after another, with what came of each as data.
 */
import type { CheckSink } from '../check.ts';
import { type Gathered, Gatherer, type Manner } from './gather.ts';
import { checkOpened } from './opened.ts';
import { checkSmall, type PartContext, type PartEnd } from './part.ts';
import { type Batch, type Part, SHARED_BYTES, sizeOf } from './plan.ts';

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

/**
 * Checks the parts of a batch and keeps what came of each; null for one that turns out to be large, and is to be done in its turn: all
 * that came of it might not fit into memory.
 */
export async function checkBatch(batch: Batch, context: PartContext, manner: Manner): Promise<BatchResults> {
  const results: (PartResult | null)[] = [];
  const gatherer = new Gatherer(manner);
  for (const part of batch.parts) {
    const end = await checkShared(part, context, gatherer.sink);
    results.push(end === null ? null : { ...end, ...gatherer.take() });
    if (gatherer.stopped) break;
  }
  return results;
}
