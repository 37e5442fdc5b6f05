/** The outputs of the verbs: standard output, files, and the files of reports. */
import { resolve } from 'node:path';
import type { Io } from '../source/io.ts';
import { statsOfDescriptor } from '../source/read-file.ts';
import type { PrunedPlace } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { type ByteTarget, createOutputFile, descriptorOutput, Output, OutputTarget } from '../write/stream-output.ts';
import type { WholeFileSettings } from '../write/whole-file.ts';

/** Resolves to the exit code. */
export async function print(text: string, io: Pick<Io, 'stdout'>): Promise<0> {
  const output = new Output(io.stdout, 'standard output');
  output.write(text);
  await output.close();
  return 0;
}

export function standardOutput(io: Io): ByteTarget {
  return new OutputTarget(new Output(io.stdout, 'standard output'), 'standard output');
}

export async function compressed(target: ByteTarget): Promise<ByteTarget> {
  const { GzipTarget } = await import('../write/gzip-target.ts');
  return new GzipTarget(target);
}

/** Written whole or not at all. Throws WriteError. */
export async function outputFile(
  name: string,
  settings: Pick<WholeFileSettings, 'keepsPart' | 'beforeReplacing'>,
  io: Io,
): Promise<ByteTarget> {
  const inherited = inheritedOutput(name, io.cwd, io);
  if (inherited !== null) return new OutputTarget(inherited, name);
  const { WholeFile } = await import('../write/whole-file.ts');
  return WholeFile.begin(name, { searchPath: io.env.PATH, cwd: io.cwd, ...settings });
}

/** A file for text, which is there whole or not at all. Throws WriteError. */
export async function textFile(name: string, folder: string, io: Io): Promise<Output> {
  const inherited = inheritedOutput(name, folder, io);
  if (inherited !== null) return inherited;
  const { createWholeOutput } = await import('../write/whole-file.ts');
  return createWholeOutput(name, { searchPath: io.env.PATH, cwd: folder, keepsPart: true, mayWriteOver: true });
}

/** A file to which text is appended as it comes. Throws WriteError. */
export async function appendedFile(name: string, folder: string, io: Io): Promise<Output> {
  return inheritedOutput(name, folder, io) ?? (await createOutputFile(name, folder, 'a'));
}

/** A file to which each removed member is appended as a line, before the file that it was in is written. Throws WriteError. */
export async function removedFile(name: string, io: Io) {
  const output = await appendedFile(name, io.cwd, io);
  return {
    add({ file, payload, pointer, value, written }: PrunedPlace): void {
      // A number that no double is stays as it was written.
      const text = written ?? jsonText(value);
      output.write(`${jsonText({ file, payload, pointer }).slice(0, -1)},"value":${text}}\n`);
    },
    flush: () => output.flush(),
    close: () => output.close(),
  };
}

/** Null unless `name` leads to a descriptor of this process. Its streams are reused, so that texts come in order. */
function inheritedOutput(name: string, folder: string, io: Io): Output | null {
  // From here on, signals are handled, because there is output to complete.
  void io.interrupt;
  const descriptor = descriptorOf(name, folder);
  if (descriptor === null) return null;
  if (descriptor === 1) return new Output(io.stdout, name);
  return descriptor === 2 ? new Output(io.stderr, name) : descriptorOutput(descriptor, name);
}

const STREAMS: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 };

/** The open descriptor behind /dev/stdout, /dev/fd/3 …; null: none. Opening such a name again would empty the file. */
export function descriptorOf(name: string, folder: string): number | null {
  const path = resolve(folder, name);
  const number = Number(/^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1] ?? STREAMS[path]);
  return Number.isNaN(number) || statsOfDescriptor(number) === null ? null : number;
}
