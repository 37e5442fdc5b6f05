/** Checks the parts of a batch, one after another, and keeps the results of each as data. */
import { Turns } from '../../source/io.ts';
import type { ViolationTable } from '../../types.ts';
import {
  type Batch,
  type Collector,
  checkOpened,
  checkSmall,
  type Part,
  type PartContext,
  type PartEnd,
  SHARED_BYTES,
  sizeOf,
} from '../part.ts';
import { type Blocks, freePieces, type Gathered, Gatherer, MustRunSerially } from './gather.ts';

interface PartResult {
  readonly end: PartEnd;
  readonly gathered: Gathered;
  /** Objects of `gathered` as JSON text, which is faster to send. */
  readonly objects?: string;
}

/** By part; null: the main thread must do it in its turn. There are fewer if an invalid payload ended the run. */
export type BatchResults = readonly (PartResult | null)[];

/**
 * See `checkPart`; null for a part that is too large for a batch, has too many results, or has a payload that cannot be
 * checked.
 */
async function checkShared(part: Part, context: PartContext, collector: Collector): Promise<PartEnd | null> {
  try {
    if (part.small) {
      const end = await checkSmall(part, context, collector);
      if (end !== null) return end;
      const size = sizeOf(part.source);
      if (size === null || size > SHARED_BYTES) return null;
    }
    return await checkOpened(part, context, collector);
  } catch (error) {
    if (!(error instanceof MustRunSerially)) throw error;
    return null;
  }
}

/**
 * Checks the parts of a batch and keeps the results of each. Null for one that the main thread must do in its turn: it
 * is large, its results may not fit into memory, or one of its payloads cannot be checked. `blocks`: those of this
 * thread. Throws Interrupted.
 */
export async function checkBatch(batch: Batch, context: PartContext, blocks: Blocks): Promise<BatchResults> {
  const results: (PartResult | null)[] = [];
  const turns = new Turns(context);
  const gatherer = new Gatherer(context.options, blocks, () => turns.take());
  for (const [i, part] of batch.parts.entries()) {
    context.progress?.part(i);
    const end = await checkShared(part, context, gatherer);
    const gathered = gatherer.take();
    if (end === null) freePieces(gathered);
    results.push(end === null ? null : { end, gathered });
    if (gatherer.stopped) break;
  }
  return results;
}

const NO_OBJECTS = { statements: [], extras: [] };

/** The results as they are sent. Bytes are in shared memory. */
export function packed(results: BatchResults): BatchResults {
  return results.map((result) => {
    if (result === null) return null;
    const { events, violations } = result.gathered;
    const { statements, extras } = violations ?? NO_OBJECTS;
    if (events.length + extras.length + statements.length === 0) return result;
    const bare = violations === null ? null : { ...violations, ...NO_OBJECTS };
    const gathered = { ...result.gathered, events: [], violations: bare };
    return { ...result, gathered, objects: JSON.stringify([events, statements, extras]) };
  });
}

/** The results as they were packed. */
export function unpacked(results: BatchResults): BatchResults {
  return results.map((result) => {
    if (result?.objects === undefined) return result;
    const { objects, ...whole } = result;
    const { gathered } = whole;
    const [events, statements, extras] = JSON.parse(objects) as Objects;
    const violations = gathered.violations === null ? null : { ...gathered.violations, statements, extras };
    return { ...whole, gathered: { ...gathered, events, violations } };
  });
}

/** See `packed`. */
type Objects = readonly [Gathered['events'], ViolationTable['statements'], ViolationTable['extras']];
