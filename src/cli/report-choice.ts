/** Which reports are written, and to which files; and what a CI system sets. Loaded only if a format is named. */
import { normalize, relative, resolve } from 'node:path';
import { onlyOne, PRETTY, type ReportChoices } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import type { ReportTarget } from '../report/report.ts';
import { AUTO, FORMAT_NAMES } from '../report/report-formats.ts';
import type { Io } from '../source/io.ts';
import { isOutside, realPath, slashed } from '../source/path-text.ts';
import type { ReportStyle, Repository } from '../types.ts';
import { visible } from '../words/escape.ts';
import { appendedFile } from './outputs.ts';

/** `file`: null: standard output. */
export interface FormatChoice<Name> {
  readonly name: Name;
  readonly file: string | null;
}

/** The reports for values of `--format` or of the config. Without one for standard output, `pretty` goes there. */
export async function chooseReports(texts: readonly string[], folder: string, env: Io['env']): Promise<ReportChoices> {
  const choices = await formatChoices(texts, [...FORMAT_NAMES, AUTO]);
  const fitting = env.GITHUB_ACTIONS === 'true' ? 'github' : 'pretty';
  const targets = choices.map(({ name, file }) => ({ name: name === AUTO ? fitting : name, file }) as const);
  return { targets: targets.some(({ file }) => file === null) ? targets : [PRETTY, ...targets], folder };
}

/** `texts`: `pretty`, `ndjson=report.ndjson`, `json=-`; `of`: for a message. Throws UsageError. */
export async function formatChoices<Name extends string>(
  texts: readonly string[],
  names: readonly Name[],
  of = '',
): Promise<FormatChoice<Name>[]> {
  const choices: FormatChoice<Name>[] = [];
  for (const text of texts) {
    const [, asked = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text)!; // it matches every text
    if (file === '') throw new UsageError(`--format ${visible(text)}: the name of the file is missing`);
    const name = names.find((one) => one === asked);
    if (name === undefined) {
      const { guessed } = await import('../words/near.ts');
      const hint = guessed(asked, names, `; there are ${names.join(', ')}`);
      throw new UsageError(`there is no format "${visible(asked)}"${of}${hint}`);
    }
    choices.push({ name, file: file === undefined || file === '-' ? null : file });
  }
  const files = choices.flatMap(({ file }) => (file === null ? [] : [normalize(file)]));
  const twice = files.find((file, i) => files.indexOf(file) < i);
  if (twice !== undefined) throw new UsageError(`two formats go to ${visible(twice)}`);
  if (choices.length - files.length > 1) throw new UsageError(onlyOne('standard output'));
  return choices;
}

/** The repository that GitHub Actions or GitLab CI has checked out; undefined outside of both, and outside of it. */
export function repositoryOf({ env, cwd }: Pick<Io, 'env' | 'cwd'>): Repository | undefined {
  const top = env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR;
  if (!top) return undefined;
  const [given, real] = [resolve(top), realPath(top)];
  const way = relative(real, realPath(cwd));
  if (isOutside(way)) return undefined;
  const roots = [given, real].map((one) => `${slashed(one).replace(/\/$/, '')}/`);
  return { roots, prefix: way === '' ? '' : `${slashed(way)}/` };
}

/** The summary of the step; null outside of GitHub Actions. Throws WriteError. */
export async function openStepSummary(style: ReportStyle, io: Io): Promise<ReportTarget | null> {
  const path = io.env.GITHUB_STEP_SUMMARY;
  if (!path) return null;
  const { createGithubSummary } = await import('../report/github.ts');
  return { reporter: await createGithubSummary(style), output: await appendedFile(path, io.cwd, io) };
}
