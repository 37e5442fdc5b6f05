/**
 * Accepts the elements in a chunk of a large array, in any thread. See `check/in-advance.ts`.
 */
import { acceptElements } from '../check/accept-elements.ts';
import type { AcceptedElements } from '../check/in-advance.ts';
import { SourceError } from '../errors.ts';
import { type ElementRange, openElements } from '../input/elements.ts';
import type { Source } from '../types.ts';
import { free } from './blocks.ts';
import type { PartContext } from './context.ts';
import type { Gathered, Gatherer } from './gather.ts';

/** The least share of a chunk that its elements must cover: to report fewer costs as much as to accept them again. */
const LEAST_SHARE = 1 / 8;

/** Elements that were accepted, with their kinds and what the outlet has made of them. */
export interface ChunkElements extends AcceptedElements {
  readonly gathered: Gathered;
}

/**
 * Accepts the elements of a chunk, and empties the gatherer after each run of them. If the file cannot be read, it
 * returns none: the check of the source reports the error.
 */
export async function checkChunk(
  source: Source,
  range: ElementRange,
  { window, engines, options, outlet }: PartContext,
  gatherer: Gatherer,
): Promise<readonly ChunkElements[]> {
  const elements: ChunkElements[] = [];
  const least = (range.to - range.from) * LEAST_SHARE;
  const found = (run: AcceptedElements): void => {
    const gathered = gatherer.take();
    if (run.to - run.from >= least) elements.push({ ...run, gathered });
    else free(gathered.pieces?.chunks ?? []);
  };
  try {
    const reader = openElements(source.path!, range); // only files have chunks
    try {
      if (reader !== null) {
        window.reset(reader, reader.start);
        const { sink, pieces } = gatherer;
        const toOutlet = outlet === null ? null : outlet({ source, window, pieces });
        const flow = { window, engines, options, sink, outlet: toOutlet };
        await acceptElements(flow, await engines.acceptor(source.kind), found);
      }
    } finally {
      await reader?.close();
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  // The last ones, if the file could not be read to its end.
  free(gatherer.take().pieces?.chunks ?? []);
  return elements;
}
