/** The exit code of a verb, by its flags and the counts of its run, and what standard error says about it. */

import type { ValidateFlags } from '../config/flags.ts';
import { exitOf, type Gate, type GateCounts } from '../run/exit.ts';
import { type Io, printMessages } from '../source/io.ts';
import { plural } from '../words/number-text.ts';
import { type FoundSources, mayBeEmpty } from './find-sources.ts';

/** How the verb of this run is called. */
export function printUsage({ args: [verb], stderr }: Io): void {
  const name = `paylint ${verb}`;
  stderr.write(
    `Usage: ${name} [options] ${verb === 'render' ? '[report...]' : '[path...]'}\n${name} --help says more\n`,
  );
}

const NOT_TOLERATED = '--max-invalid tolerates nothing of a source that was not read to its end';

type ExitFlags = Pick<ValidateFlags, 'allowEmpty' | 'bail' | 'exitZero' | 'maxInvalid' | 'maxWarnings' | 'shard'>;

export function gateOf(flags: ExitFlags): Gate {
  const { bail, exitZero, maxWarnings, maxInvalid } = flags;
  const gate = { exitZero, maxWarnings, mayBeEmpty: mayBeEmpty(flags) };
  // `--bail` leaves out payloads, so it is not known how many are invalid.
  return bail ? gate : { ...gate, maxInvalid };
}

/** The exit code for the counts. What is not seen in the counts of a report is reported on standard error. */
export function exitCode(
  counts: GateCounts,
  flags: ExitFlags,
  { leftOutBy, from }: Pick<FoundSources, 'leftOutBy' | 'from'>,
  io: Io,
): 0 | 1 | 2 {
  const { code, causes } = exitOf(counts, gateOf(flags));
  const { maxWarnings = Number.POSITIVE_INFINITY, maxInvalid } = flags;
  const { warnings = 0, invalid, failures } = counts;
  if (causes.includes('empty')) {
    const noPayload =
      from === 'empty input' ? 'no PATH is given, and standard input is empty' : 'there was no payload in the input';
    const why = leftOutBy.length === 0 ? noPayload : `all files are excluded by ${leftOutBy.join(', ')}`;
    printMessages([`nothing to check: ${why} (--allow-empty accepts that)`], io);
    if (from === 'empty input') printUsage(io);
  } else if (failures === 0 && warnings > maxWarnings)
    printMessages([`${plural(warnings, 'warning')}, more than --max-warnings ${maxWarnings}`], io);
  if (causes.includes('cut')) printMessages(['a run was stopped early, so not everything was checked'], io);
  if (maxInvalid !== undefined && !flags.bail && causes.includes('invalid')) {
    const { payloads } = counts;
    const isOver = exitOf({ payloads, invalid, failures }, { maxInvalid }).causes.includes('invalid');
    const tooMany = `${plural(invalid, 'invalid payload')}, more than --max-invalid ${maxInvalid}`;
    printMessages([isOver ? tooMany : NOT_TOLERATED], io);
  }
  return code;
}
