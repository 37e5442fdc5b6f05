/**
 * Checks one part of the work, in any thread: opens, checks and closes it. Results go to a collector.
 */
import { checkSource } from '../check/check.ts';
import { SourceError } from '../errors.ts';
import { type Collector, markOf, type PartContext, type PartEnd } from './context.ts';
import type { Part } from './serial.ts';

/** Checks a part. Throws errors that do not belong to the source, such as a closed pipe. */
export async function checkPart(part: Part, context: PartContext, collector: Collector): Promise<PartEnd> {
  if (part.small) {
    const end = await checkSmall(part, context, collector);
    if (end !== null) return end;
  }
  const { checkOpened } = await import('./opened.ts');
  return checkOpened(part, context, collector);
}

/** See `checkPart`, for a file that is read in one go; null if that is not possible. */
export async function checkSmall(
  { source }: Part,
  context: PartContext,
  { sink, pieces }: Collector,
): Promise<PartEnd | null> {
  const { window, engines, options, outlet } = context;
  if (!window.readSmall(source.path!)) return null; // only files are small
  const opened = outlet === null ? null : outlet({ source, window, pieces });
  const flow = { window, engines, options, sink, outlet: opened, ...markOf(context) };
  try {
    return { opened: true, failure: null, lines: await checkSource(source, flow), bytes: window.bytesRead };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { opened: true, failure: error.message, lines: 0, bytes: window.bytesRead };
  }
}
