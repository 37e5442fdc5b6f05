/** `--ref`, and the options of that name: from texts such as `schemas` and `https://a.example/=schemas` to paths. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { slashed } from '../source/path-text.ts';
import { wordsFor } from '../source/system-errors.ts';
import { visible } from '../words/escape.ts';
import type { KnownRef } from './known.ts';
import { resolveUri } from './uri.ts';

/** The beginning of a URI. A drive of Windows has one letter. */
const SCHEME = /^[a-z][a-z\d+.-]+:/i;

/**
 * The files and folders that `texts` name; paths are relative to `folder`. `placeOf`: the beginning of messages about the
 * text of an index. Throws UsageError if there are none, or if two have the same URI.
 */
export async function readRefs(
  texts: readonly string[],
  folder: string,
  placeOf: (index: number) => string,
): Promise<readonly KnownRef[]> {
  const refs = await Promise.all(texts.map((text, i) => readRef(text, folder, placeOf(i))));
  const byUri = new Map<string, KnownRef>();
  for (const [i, group] of refs.entries())
    for (const ref of group) {
      const other = ref.uri === null ? undefined : byUri.get(ref.uri);
      if (other !== undefined && other.path !== ref.path) {
        const paths = [other.path, ref.path].map(visible).join(' and ');
        throw new UsageError(`${placeOf(i)}${visible(ref.uri!)} leads to two paths, ${paths}`);
      }
      if (ref.uri !== null) byUri.set(ref.uri, ref);
    }
  return refs.flat();
}

/** The files and folders that `text` names. `place`: the beginning of messages. Throws UsageError if there are none. */
export async function readRef(text: string, folder: string, place: string): Promise<readonly KnownRef[]> {
  const split = SCHEME.test(text) ? splitRef(text, folder, place) : { uri: null, path: text };
  const { uri } = split;
  const path = resolve(folder, split.path);
  const shown = visible(split.path);
  try {
    if (split.path !== '') return [{ uri, path, isFolder: statSync(path).isDirectory() }];
  } catch (cause) {
    const files = uri === null ? await filesOf(split.path, folder) : null;
    if (files === null) throw new UsageError(`${place}cannot read ${shown}: ${wordsFor(cause)}`, { cause });
    if (files.length > 0) return files.map((file) => ({ uri, path: file, isFolder: false }));
    throw new UsageError(`${place}${shown} matches no file`);
  }
  throw new UsageError(`${place}expected PATH or URI=PATH, found ${visible(text) || 'an empty text'}`);
}

/** Both URIs and paths can contain `=`. The first one before an existing path counts, or else the first one. */
function splitRef(text: string, folder: string, place: string): { readonly uri: string; readonly path: string } {
  const splits = [...text.matchAll(/=/g)].map(({ index }) => ({
    uri: text.slice(0, index),
    path: text.slice(index + 1),
  }));
  const split = splits.find(({ path }) => path !== '' && existsSync(resolve(folder, path))) ?? splits[0];
  if (split === undefined)
    throw new UsageError(`${place}nothing is fetched from a network; ${visible(text)}=PATH names a local file`);
  const uri = split.uri.replace(/#$/, '');
  const normal = uri.includes('#') ? null : resolveUri(uri, '');
  if (normal === null) throw new UsageError(`${place}expected a URI without a fragment, found ${visible(split.uri)}`);
  return { uri: normal.base, path: split.path };
}

/** The files that a glob matches, sorted; null: the text is not a glob. */
async function filesOf(text: string, folder: string): Promise<readonly string[] | null> {
  const { findByGlob, folderOfGlob } = await import('../source/walk-folders.ts');
  const pattern = slashed(text);
  if ((await folderOfGlob(pattern)) === null) return null;
  const scope = { cwd: folder, nameOf: (path: string) => path, isLeftOut: () => false };
  return [...(await findByGlob(pattern, scope)).files].sort();
}
