/** `paylint convert`: the same payloads as NDJSON or as one JSON array. The report goes to standard error. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CHECK_FLAGS } from '../config/flags.ts';
import type { Settings } from '../config/settings.ts';
import type { ConvertFlags } from '../config/verb-flags.ts';
import { UsageError, WriteError } from '../errors.ts';
import type { ConvertSpec } from '../run/outlets/outlet.ts';
import { frameOf, StreamDestination } from '../run/outlets/stream-destination.ts';
import type { Io } from '../source/io.ts';
import { codeOf, wordsFor } from '../source/system-errors.ts';
import { UNKNOWN_KIND } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { ByteTarget } from '../write/stream-output.ts';
import { compressed, outputFile, standardOutput } from './outputs.ts';
import { runVerb } from './payload-verb.ts';

export function convert(paths: readonly string[], typed: ConvertFlags, io: Io): Promise<number> {
  checkFlags(typed);
  return runVerb({ name: 'convert', groups: CHECK_FLAGS, paths, typed }, io, async (resolved) => {
    // The kind decides which payloads are kept. It does not override their detected kinds.
    const { kind: only = null, ...flags } = resolved.flags;
    const settings: Settings<ConvertFlags> = { ...resolved, flags };
    const outlet = await specOf(flags, only, settings);
    const files = filesOf(flags, outlet);
    return {
      ...{ settings, written: files },
      async run({ sources }, job) {
        const isPlain = only === null && outlet.split === null;
        const taken = isPlain ? sources.map((source) => ({ ...source, kind: null, arrays: undefined })) : sources;
        const destination = new StreamDestination(await targetsOf(files, flags, io), frameOf(outlet.as));
        const schemas = { reads: isPlain ? outlet.as : 'kinds' } as const;
        return job({ options: { outlet }, schemas, destination, report: { stream: io.stderr } }, taken);
      },
    };
  });
}

function checkFlags({ to, pretty, kind, splitBy, outDir, output }: ConvertFlags): void {
  if (output === '' || outDir === '')
    throw new UsageError(`${output === '' ? '--output' : '--out-dir'}: the name is missing`);
  if (pretty && to !== 'json') throw new UsageError('--pretty goes with --to json: NDJSON has one payload per line');
  if ((splitBy === undefined) !== (outDir === undefined))
    throw new UsageError('--split-by and --out-dir go together: into which files, and in which folder');
  if (splitBy === undefined) return;
  if (output !== undefined) throw new UsageError('--split-by writes into --out-dir; leave out --output');
  if (kind !== undefined) throw new UsageError('--split-by separates all kinds; leave out --kind');
  if (to === 'json') throw new UsageError('--split-by writes NDJSON; leave out --to json');
}

/** On every system: not the name of a device of Windows, and without a full stop at its end. */
const FILE_NAME = /^(?!(?:con|prn|aux|nul|com\d|lpt\d) *(?:\.|$))\w(?:[\w. -]*[\w-])?$/i;

async function specOf(
  { to, pretty, splitBy }: ConvertFlags,
  only: string | null,
  { schemas }: Settings,
): Promise<ConvertSpec> {
  const as = to !== 'json' ? 'lines' : pretty ? 'pretty array' : 'array';
  if (splitBy === undefined) return { type: 'convert', as, only, split: null };
  const split = (await schemas()).kinds.map(({ name }) => name);
  const names = [...split, UNKNOWN_KIND].map((name) => name.toLowerCase());
  const bad = split.find((name, i) => !FILE_NAME.test(name) || names.lastIndexOf(name.toLowerCase()) > i);
  if (bad !== undefined) throw new UsageError(`the kind "${visible(bad)}" cannot have a file of its own: rename it`);
  return { type: 'convert', as, only, split };
}

/** None: standard output. */
function filesOf({ output, outDir, gzip }: ConvertFlags, { split }: ConvertSpec): readonly string[] {
  if (split === null || outDir === undefined) return output === undefined || output === '-' ? [] : [output];
  const extension = gzip ? 'ndjson.gz' : 'ndjson';
  return [...split, UNKNOWN_KIND].map((name) => join(outDir, `${name}.${extension}`));
}

async function targetsOf(
  files: readonly string[],
  { outDir, gzip }: ConvertFlags,
  io: Io,
): Promise<readonly ByteTarget[]> {
  if (outDir !== undefined) makeFolder(outDir, io);
  if (files.length === 0) {
    const output = standardOutput(io);
    return [gzip ? await compressed(output) : output];
  }
  const targets: ByteTarget[] = [];
  try {
    for (const file of files) {
      const target = await outputFile(file, { keepsPart: false }, io);
      targets.push(gzip || /\.gz$/i.test(file) ? await compressed(target) : target);
    }
    return targets;
  } catch (error) {
    for (const target of targets) await target.close();
    throw error;
  }
}

function makeFolder(folder: string, io: Io): void {
  const path = resolve(io.cwd, folder);
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const cause = codeOf(error) === 'ENOENT' ? reasonAt(path, error) : error;
    throw new WriteError(`cannot make the folder ${folder}: ${wordsFor(cause)}`, { cause });
  }
}

/** Why the first missing folder cannot be made: on a read-only file system, Node reports ENOENT for every reason. */
function reasonAt(path: string, otherwise: unknown): unknown {
  let first = path;
  while (!existsSync(dirname(first)) && dirname(first) !== first) first = dirname(first);
  try {
    mkdirSync(first);
    return otherwise;
  } catch (cause) {
    return cause;
  }
}
