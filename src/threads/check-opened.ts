/**
 * Checks a part that is opened and read in pieces: anything that is not a small file.
 */
import { checkSource } from '../check/check.ts';
import { SourceError } from '../errors.ts';
import { openBytes } from '../input/open-bytes.ts';
import { isRewritten, openRange, timeOf } from '../input/range.ts';
import { changedError } from '../input/system-errors.ts';
import { type Collector, flowOf, type Part, type PartContext, type PartEnd } from './part.ts';

/** See `checkPart`. */
export async function checkOpened(part: Part, context: PartContext, collector: Collector): Promise<PartEnd> {
  const { window, options, interrupt } = context;
  const { source, range } = part;
  let opened = false;
  let failure: string | null = null;
  let lines = 0;
  let bytes = 0;
  const path = options.outlet?.type === 'filter' || options.outlet?.type === 'convert' ? source.path : null;
  try {
    const before = path === null ? null : (range?.time ?? timeOf(path));
    const ranged = range === null ? null : openRange(source.path!, range.from, range.to, range.file); // only files have them
    const reader =
      ranged ?? (await openBytes(source, source.path === null ? context.stdin : null, interrupt));
    opened = true;
    try {
      window.reset(reader, ranged?.start ?? 0);
      lines = await checkSource(source, flowOf(source, context, collector));
      if (before !== null && isRewritten(path!, before)) throw changedError();
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
