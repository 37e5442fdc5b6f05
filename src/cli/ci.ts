/**
 * What a CI system sets in the environment: where the repository is, and where the summary of a step goes. Loaded only
 * for the formats that are for code hosts.
 */
import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { createGithubSummary } from '../report/github.ts';
import type { ReportTarget } from '../report/report.ts';
import { encodePath, isAbsolute } from '../report/repository.ts';
import type { Io } from '../source/io.ts';
import { slashed } from '../source/path-text.ts';
import type { ReportStyle, Repository } from '../types.ts';
import { appendedFile } from './outputs.ts';

/** The repository that GitHub Actions or GitLab CI has checked out; undefined outside of both, and outside of it. */
export function repositoryOf({ env, cwd }: Pick<Io, 'env' | 'cwd'>): Repository | undefined {
  const top = env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR;
  if (!top) return undefined;
  const way = slashed(relative(resolve(top), cwd));
  if (way === '..' || way.startsWith('../') || isAbsolute(way)) return undefined;
  return {
    root: `${slashed(resolve(top)).replace(/\/$/, '')}/`,
    prefix: way === '' ? '' : `${way}/`,
    blobs: blobsOf(env),
  };
}

function blobsOf({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA }: Io['env']): string | null {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_SHA) return null;
  if (!/^https?:\/\/[\w.:-]+$/.test(GITHUB_SERVER_URL)) return null;
  return `${GITHUB_SERVER_URL}/${encodePath(GITHUB_REPOSITORY)}/blob/${encodePath(GITHUB_SHA)}/`;
}

/** The most bytes that GitHub accepts per step. */
const MOST_BYTES = 1 << 20;

/**
 * The summary of the step, after what other commands have written there; null outside of GitHub Actions. Throws
 * WriteError.
 */
export async function openStepSummary(style: ReportStyle, io: Io): Promise<ReportTarget | null> {
  const { env, cwd } = io;
  const path = env.GITHUB_STEP_SUMMARY;
  if (!path) return null;
  return {
    reporter: await createGithubSummary(style, MOST_BYTES - sizeOf(resolve(cwd, path))),
    output: await appendedFile(path, cwd, io),
  };
}

/** 0 if there is no file, or it cannot be examined: opening it will fail with the reason. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
