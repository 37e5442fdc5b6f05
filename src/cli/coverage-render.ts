/**
 * `paylint render` for documents of coverage, such as those of the shards of a run: their counts are added, and shown in any
 * format of coverage.
 */
import { resolve } from 'node:path';
import { createJudge, loadJudgeModules } from '../engine/judge/judge.ts';
import { UsageError } from '../errors.ts';
import { bundledSchema } from '../package.ts';
import { type CoverageDocument, mergedCoverage, redactedCoverage } from '../report/coverage.ts';
import { Given } from '../report/report-lines.ts';
import { loadSchemas } from '../schema/load.ts';
import type { Io } from '../source/io.ts';
import { readLimited } from '../source/read-file.ts';
import { wordsFor } from '../source/system-errors.ts';
import { visible } from '../words/escape.ts';
import { chosenFormats, codeOf, openOutputs } from './coverage.ts';
import { exitCode } from './exit.ts';
import { refuseSharedFiles } from './own-output.ts';
import type { RenderFlags } from './verb-flags.ts';

const MOST_BYTES = 256 << 20;

/** Resolves to the exit code of the merged result. Throws UsageError. */
export async function renderCoverage(paths: readonly string[], flags: RenderFlags, io: Io): Promise<number> {
  const wanted = chosenFormats(flags.format);
  const files = wanted.flatMap(({ file }) => (file === null ? [] : [resolve(io.cwd, file)]));
  refuseSharedFiles(
    files,
    paths.map((path) => resolve(io.cwd, path)),
    io,
  );
  const documents = await readDocuments(paths, io);
  const merged = mergedCoverage(documents);
  const shown = flags.redact ? redactedCoverage(merged) : merged;
  const targets = await openOutputs(wanted, flags, io.stdout, io);
  try {
    for (const { write, output } of targets) output.write(write(shown));
    for (const { output } of targets) await output.close();
  } finally {
    for (const { output } of targets) await output.discard();
  }
  const { payloads, failures, interrupted = false } = merged.summary;
  const code = exitCode({ payloads, failures, invalid: 0, isCut: interrupted }, flags, { leftOutBy: [] }, io);
  return code === 0 ? codeOf(merged, flags.min, io) : code;
}

/** Throws UsageError for what is no such document, is given twice, or is a share without the others. */
async function readDocuments(paths: readonly string[], { cwd }: Io): Promise<readonly CoverageDocument[]> {
  const set = loadSchemas(bundledSchema('coverage.schema.json'));
  const judge = createJudge(await loadJudgeModules(set));
  const step = judge.stepOf(set.kinds[0]!.schema); // the only kind
  const given = new Given();
  const known = new Map<string, string>();
  const texts = new Map<string, string>();
  const refuse = (wrong: string | null): void => {
    if (wrong !== null) throw new UsageError(visible(wrong));
  };
  const documents = paths.map((path) => {
    const fail = (why: string): UsageError =>
      new UsageError(`${visible(path)}: ${why}; coverage can be merged with coverage only`);
    if (path === '-') throw fail('standard input cannot be read here');
    let text: string;
    try {
      text = readLimited(resolve(cwd, path), MOST_BYTES).toString();
    } catch (cause) {
      throw new UsageError(`cannot read ${visible(path)}: ${wordsFor(cause)}`, { cause });
    }
    const value = parsed(text);
    if (!judge.judge(step, value, { size: text.length }))
      throw fail('this is no document of paylint coverage --format json');
    const document = value as CoverageDocument; // its schema says so
    refuse(given.addShare(document.summary.shard, path));
    if (texts.has(text)) refuse(`${path}: the document is given twice: ${texts.get(text)} is the same`);
    texts.set(text, path);
    for (const { file, places } of document.schemas)
      for (const { pointer, line, sort, value } of places) {
        const [name, there] = [`${file}#${pointer}`, JSON.stringify([line, sort, value])];
        if ((known.get(name) ?? there) !== there)
          refuse(`${path}: ${name} is not as in the others: the schemas differ`);
        known.set(name, there);
      }
    return document;
  });
  refuse(given.missing());
  return documents;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
