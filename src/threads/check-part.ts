/**
 * Checks one part of the work, in any thread: opens, checks and closes it. Results go to a collector.
 */
import { checkSource } from '../check/check.ts';
import { SourceError } from '../errors.ts';
import { type Collector, flowOf, type Part, type PartContext, type PartEnd } from './part.ts';

/** Checks a part. Throws errors that do not belong to the source, such as a closed pipe. */
export async function checkPart(part: Part, context: PartContext, collector: Collector): Promise<PartEnd> {
  if (part.small) {
    const end = await checkSmall(part, context, collector);
    if (end !== null) return end;
  }
  const { checkOpened } = await import('./check-opened.ts');
  return checkOpened(part, context, collector);
}

/** See `checkPart`, for a file that is read in one go; null if that is not possible. */
export async function checkSmall(
  { source }: Part,
  context: PartContext,
  collector: Collector,
): Promise<PartEnd | null> {
  const { window } = context;
  if (!window.readSmall(source.path!)) return null; // only files are small
  const flow = flowOf(source, context, collector);
  try {
    return { opened: true, failure: null, lines: await checkSource(source, flow), bytes: window.bytesRead };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { opened: true, failure: error.message, lines: 0, bytes: window.bytesRead };
  }
}
