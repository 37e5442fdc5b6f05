/**
 * The outputs of the verbs that write payloads: standard output, and files.
 */

import type { Io } from '../input/io.ts';
import { type ByteTarget, OutputTarget } from '../output/byte-target.ts';
import { Output } from '../output/output.ts';

export function standardOutput(io: Io): ByteTarget {
  return new OutputTarget(new Output(io.stdout, 'standard output'), 'standard output');
}

/** Compresses what goes to `target`. */
export async function compressed(target: ByteTarget): Promise<ByteTarget> {
  const { GzipTarget } = await import('../output/gzip-target.ts');
  return new GzipTarget(target);
}

/** A file that is written whole or not at all; with `keepsPart`, what is complete is kept if the run is interrupted. Throws WriteError. */
export async function outputFile(name: string, keepsPart: boolean, io: Io): Promise<ByteTarget> {
  const { WholeFile } = await import('../output/whole-file.ts');
  const settings = { pid: io.pid, searchPath: io.env.PATH, cwd: io.cwd, keepsPart };
  return WholeFile.begin(name, settings);
}
