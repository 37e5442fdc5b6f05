/**
 * The outputs of the verbs: standard output, files, and the files of reports.
 */
import { resolve } from 'node:path';
import type { Io } from '../input/io.ts';
import { type ByteTarget, OutputTarget } from '../output/byte-target.ts';
import { descriptorOf } from '../output/descriptor.ts';
import { createOutputFile, descriptorOutput, Output } from '../output/output.ts';

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
  const inherited = inheritedOutput(name, io.cwd, io);
  if (inherited !== null) return new OutputTarget(inherited, name);
  const { WholeFile } = await import('../output/whole-file.ts');
  const settings = { pid: io.pid, searchPath: io.env.PATH, cwd: io.cwd, keepsPart };
  return WholeFile.begin(name, settings);
}

/** A file that is written as the text comes. `w` creates or empties it; `a` appends. Throws WriteError. */
export async function textFile(
  name: string,
  folder: string,
  io: Io,
  flags: 'w' | 'a' = 'w',
): Promise<Output> {
  return inheritedOutput(name, folder, io) ?? (await createOutputFile(name, folder, flags));
}

/**
 * Null unless `name` leads to a descriptor that this process was started with: that continues what others write there. The standard
 * streams are used as they are, so that their other texts come in order.
 */
function inheritedOutput(name: string, folder: string, io: Io): Output | null {
  const descriptor = descriptorOf(resolve(folder, name), io.pid);
  if (descriptor === null) return null;
  if (descriptor === 1) return new Output(io.stdout, name);
  return descriptor === 2 ? new Output(io.stderr, name) : descriptorOutput(descriptor, name);
}
