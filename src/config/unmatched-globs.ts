/**
 * Globs of the config that match nothing, in a run that walks all that they could match: a folder that is misspelt there
 * must not go unseen.
 */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { compileAnchoredGlob, compileGlob, ignoreTest } from '../source/globs.ts';
import { beforeWildcard, isOutside, slashed } from '../source/path-text.ts';
import { isFolder } from '../source/read-file.ts';
import { visible } from '../words/escape.ts';
import { type Config, inConfig } from './config.ts';

interface GlobSearch {
  /** As they were given. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Absolute paths of files, before the config leaves any out. */
  readonly files: readonly string[];
}

interface Glob {
  /** Of the glob, in the config. */
  readonly pointer: string;
  readonly text: string;
  /** Absolute: nothing outside of it is matched. */
  readonly folder: string;
  readonly matches: (path: string) => boolean;
}

/** `paylint.config.json#/kinds/0/files: reactoins/**` for each. `skips`: keys that have no meaning in this run. */
export function unmatchedGlobs(
  config: Config,
  { paths, cwd, files }: GlobSearch,
  skips: readonly string[],
): readonly string[] {
  const walked = paths.flatMap((path) => walkedBy(path, cwd));
  if (walked.length === 0) return [];
  const isWalked = ({ folder }: Glob): boolean => walked.some((one) => !isOutside(relative(one, folder)));
  return globsOf(config)
    .filter((glob) => !skips.some((key) => glob.pointer.startsWith(`/${key}/`)) && isWalked(glob))
    .filter(({ matches }) => !files.some(matches))
    .map(({ pointer, text }) => `${inConfig(config, pointer)}${visible(text)}`);
}

function globsOf({ folder, kinds, schemas, ignore, files }: Config): Glob[] {
  const fromConfig = (path: string): string => slashed(relative(folder, path));
  const ofFiles = (key: 'kinds' | 'schemas') => (entry: { readonly files: string }, i: number) => {
    const matches = compileGlob(entry.files);
    return globOf(`/${key}/${i}/files`, entry.files, folder, (path) => matches(fromConfig(path)));
  };
  const ofIgnore = (line: string, i: number): Glob[] => {
    const ignores = ignoreTest([line], folder);
    const glob = globOf(`/ignore/${i}`, line, folder, (path) => ignores(path, 'file'));
    // What is left out may hold no payloads at all, such as a folder of images.
    const literal = beforeWildcard(line.replace(/^\//, ''));
    const isThere = literal !== '' && existsSync(resolve(folder, literal));
    return line.startsWith('!') || isThere ? [] : [glob];
  };
  const ofPaths = (text: string, i: number): Glob[] => {
    const matches = compileAnchoredGlob(text);
    const isNamed = (path: string): boolean => path === resolve(folder, text) || matches(fromConfig(path));
    return text.startsWith('!') ? [] : [globOf(`/files/${i}`, text, folder, isNamed)];
  };
  return [
    ...kinds.map(ofFiles('kinds')),
    ...schemas.map(ofFiles('schemas')),
    ...ignore.flatMap(ofIgnore),
    ...(files === 'schemas' ? [] : files.flatMap(ofPaths)),
  ];
}

function globOf(pointer: string, text: string, folder: string, matches: Glob['matches']): Glob {
  const trimmed = slashed(text).replace(/^\//, '').replace(/\/$/, '');
  // Without a separator, it matches names at any depth.
  const base = trimmed.includes('/') || text.endsWith('/') ? resolve(folder, beforeWildcard(trimmed)) : folder;
  return { pointer, text, folder: base, matches };
}

/** The folder that a PATH has walked with all that is below it; none: it is a file, or a glob of one level. */
function walkedBy(path: string, cwd: string): string[] {
  if (path === '-' || path.startsWith('!')) return [];
  const absolute = resolve(cwd, path);
  if (isFolder(absolute)) return [absolute];
  return path.includes('**') ? [resolve(cwd, beforeWildcard(slashed(path)))] : [];
}
