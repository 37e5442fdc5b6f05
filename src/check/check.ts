/**
 * One source through the flow: bytes to payloads, payloads to verdicts, verdicts to violations with lines and columns.
 *
 * A small source whose payloads are all accepted is done here. What all others need is loaded when it is needed.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import type { Source } from '../types.ts';
import type { Flow } from './flow.ts';
import { acceptWhole } from './whole.ts';

/**
 * Checks all payloads of `source`, whose bytes the window reads; or, if the window does not begin with the source's first byte, the lines
 * from there on. Violations come in the order of their places, with payloads and lines counted from where the window begins. Resolves to
 * the number of line feeds passed. Throws what the reader and the sink throw; what was found before stays reported.
 */
export async function checkSource(source: Source, flow: Flow): Promise<number> {
  const acceptor = await flow.engines.acceptor(source.kind);
  if (flow.window.base === 0 && flow.outlet === null && acceptsAll(source, flow, acceptor)) {
    acceptor.takeCounts((kind, payloads) => flow.sink.accepted(kind, payloads));
    acceptor.dropGaps();
    return 0;
  }
  const { SourceCheck } = await import('./source.ts');
  return new SourceCheck(source, flow, acceptor).run();
}

/** True if all of a small source is in the window, and all of its payloads are accepted. */
function acceptsAll(source: Source, { window, options }: Flow, acceptor: Acceptor): boolean {
  const framing = options.framing ?? source.framing;
  if (framing === 'json') return acceptWhole(window, acceptor, options, false) !== null;
  if (framing !== 'lines' || !window.atEnd) return false;
  acceptor.reset();
  if (acceptor.run(window, 'lines')?.stop === window.end) return true;
  // They are counted when all of the source is checked.
  acceptor.takeCounts(() => {});
  return false;
}
