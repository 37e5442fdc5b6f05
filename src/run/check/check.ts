/**
 * One source through the flow: bytes to payloads, payloads to verdicts, verdicts to violations with lines and columns.
 *
 * A small source whose payloads are all accepted is done here. The code for all others is loaded on demand.
 */
import type { Acceptor } from '../../engine/compile/acceptor.ts';
import { FIRST } from '../../engine/thresholds.ts';
import type { Source } from '../../types.ts';
import {
  type CheckContext,
  type Checked,
  countArray,
  NOTHING_READ,
  type Read,
  readingOf,
  runSteps,
  wholeSpan,
} from './flow.ts';

/**
 * Checks all payloads of `source`, whose bytes the window reads. If the window does not begin at the source's first
 * byte, it checks the lines from there on. Violations come in the order of their places; payloads and lines are counted
 * from the beginning of the window. Throws errors of the reader and the
 * sink; violations found before are reported.
 */
export async function checkSource(source: Source, flow: CheckContext): Promise<Checked> {
  const { engine, sink, window, outlet, relater } = flow;
  const reader = await engine.reader(source.kind, hasFew(source, flow));
  const isAsked = window.base === 0 && outlet === null && relater === undefined && !reader.explainsAll;
  const read = isAsked ? acceptAll(source, flow, reader) : NOTHING_READ;
  if (read === null) {
    reader.takeCounts((kind, count) => sink.emit({ type: 'accepted', kind, count }));
    reader.dropGaps();
    return ALL_VALID;
  }
  const { SourceCheck } = await import('./source.ts');
  return runSteps(new SourceCheck(source, flow, reader, read).run());
}

/** Whether the source has so few bytes, or so few as one payload, that functions for many are not worth it. */
function hasFew(source: Source, { outlet, window, options }: CheckContext): boolean {
  if (outlet !== null || window.base > 0) return false;
  const isJson = (options.framing ?? source.framing) === 'json';
  const span = isJson ? wholeSpan(window, readingOf(source, options)) : null;
  // Before it is read, a JSON file is probably one payload.
  const isOne = span !== null || (isJson && window.end === 0);
  return (window.size ?? 0) <= (isOne ? FIRST.onePayload : FIRST.bytes);
}

const ALL_VALID: Checked = { lines: 0, unread: false };

/** Null if all of a small source is in the window and all its payloads are accepted. */
function acceptAll(source: Source, { window, options, sink }: CheckContext, reader: Acceptor): Read | null {
  const framing = options.framing ?? source.framing;
  if (framing === 'json') {
    const reading = readingOf(source, options);
    const span = wholeSpan(window, reading);
    if (span === null || reader.read(window, span) !== 'valid') return { refused: span, run: null };
    countArray(reading, window, span.start, sink);
    return null;
  }
  if (framing !== 'lines' || !window.atEnd) return NOTHING_READ;
  reader.reset();
  const run = reader.run(window, 'lines');
  return run?.stop === window.end ? null : { refused: null, run };
}
