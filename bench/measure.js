// @ts-check
// Runs a command as a whole process and measures it from outside: wall time from spawn to exit, and the most memory that
// it held (VmHWM, which Linux keeps for it). Compares two commands in turns, so that whatever else the machine does
// meets both.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Command
 * @property {string} label
 * @property {string[]} argv
 * @property {string} [cwd]
 * @property {() => void} [before] makes ready what the command changes; not measured
 * @property {number} [bytes] that it reads, where a comparison is by the byte
 * @property {number} [exitCode] that is expected; default 0
 * @property {{ payloads: number, invalid: number }} [counts] that it must print
 */
/** @typedef {{ milliseconds: number, peakBytes: number }} Measurement */

/** Seldom: what is measured may need every core. A peak is remembered by the system (VmHWM). */
const POLL_MS = 40;

/**
 * The environment of all commands. Certificates that a machine adds for its own proxy are read at every start of Node 20, which takes 30 ms, whether
 * or not the program uses the network.
 */
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...BARE_ENVIRONMENT } = process.env;

export { BARE_ENVIRONMENT };

/**
 * Runs `command`. Only the end of its standard output is kept, for the counts.
 * @param {Command} command
 * @param {{ memory: boolean }} options memory: false if the time is so short that polling would disturb it
 * @returns {Promise<Measurement>} rejects if the command fails or prints other counts
 */
export function measure(command, { memory }) {
  const { argv, cwd, counts, exitCode = 0 } = command;
  const [program = '', ...args] = argv;
  command.before?.();
  const nowhere = counts === undefined ? openSync('/dev/null', 'w') : null;
  return new Promise((done, fail) => {
    const begun = performance.now();
    const child = spawn(program, args, { cwd, env: BARE_ENVIRONMENT, stdio: ['ignore', nowhere ?? 'pipe', 'pipe'] });
    let peakBytes = 0;
    const look = () => {
      peakBytes = Math.max(peakBytes, peakOf(child.pid));
    };
    const timer = memory ? setInterval(look, POLL_MS) : undefined;
    const said = [tail(child.stdout), tail(child.stderr)];
    let milliseconds = 0;
    child.on('exit', () => {
      milliseconds = performance.now() - begun;
      clearInterval(timer);
    });
    child.on('error', (error) => {
      clearInterval(timer);
      fail(error);
    });
    child.on('close', (code, signal) => {
      if (nowhere !== null) closeSync(nowhere);
      const text = said.map((part) => part()).join('\n');
      if (code !== exitCode) {
        fail(new Error(`${command.label}: exit code ${code ?? signal}: ${text.trim().slice(-300)}`));
      } else if (counts !== undefined && !printsCounts(text, counts)) {
        fail(new Error(`${command.label}: counted otherwise: ${text.trim().slice(-300)}`));
      } else done({ milliseconds, peakBytes });
    });
  });
}

/** @param {number | undefined} pid */
function peakOf(pid) {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0; // just ended
  }
}

/**
 * The last few kilobytes of a stream.
 * @param {import('node:stream').Readable | null} stream
 */
function tail(stream) {
  let text = '';
  stream?.on('data', (chunk) => {
    text = (text + chunk).slice(-4096);
  });
  return () => text;
}

/**
 * True if `text` contains these counts, in the wording of paylint or of one of its peers.
 * @param {string} text
 * @param {{ payloads: number, invalid: number }} counts
 */
export function printsCounts(text, { payloads, invalid }) {
  const plain = text.replaceAll(/(\d),(?=\d)/g, '$1');
  const said = [
    invalid === 0 ? `✓ ${payloads} payloads? valid` : `in ${invalid} of ${payloads} payloads`,
    `${payloads} payloads, ${invalid} invalid`,
    `${payloads} validated, ${payloads - invalid} passed`,
  ];
  return said.some((pattern) => new RegExp(pattern).test(plain));
}

/**
 * Runs two commands in turns.
 * @param {Command} ours
 * @param {Command} theirs
 * @param {number} runs
 * @param {{ memory: boolean }} options
 * @returns {Promise<{ ours: Measurement, theirs: Measurement, ratio: number }>} medians; ratio: theirs by ours, of each pair
 */
export async function compare(ours, theirs, runs, options) {
  /** @type {Measurement[]} */
  const a = [];
  /** @type {Measurement[]} */
  const b = [];
  for (let i = 0; i < runs; i++) {
    a.push(await measure(ours, options));
    b.push(await measure(theirs, options));
  }
  const perByte = (ours.bytes ?? 1) / (theirs.bytes ?? 1);
  const ratios = a.map((one, i) => ((b[i]?.milliseconds ?? 0) / one.milliseconds) * perByte);
  return { ours: middle(a), theirs: middle(b), ratio: median(ratios) };
}

/**
 * @param {readonly Measurement[]} runs
 * @returns {Measurement} the median time; the highest peak
 */
export function middle(runs) {
  return {
    milliseconds: median(runs.map(({ milliseconds }) => milliseconds)),
    peakBytes: Math.max(...runs.map(({ peakBytes }) => peakBytes)),
  };
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}
