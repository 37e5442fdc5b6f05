/**
 * File names for the CI system: relative to the top of the repository, wherever in it paylint was started.
 */
import type { Repository } from '../types.ts';

/**
 * The name of a file from the top of the repository, with `/`; as it is, if it is not in the repository or there is
 * none.
 */
export function repositoryName(file: string, repository: Repository | undefined): string {
  if (repository === undefined || /^<.*>$/.test(file)) return file;
  if (!isAbsolute(file)) return repository.prefix + file;
  return file.startsWith(repository.root) ? file.slice(repository.root.length) : file;
}

/** The address of a line of a file, as it is in the commit; null if it is not known. */
export function blobAddress(file: string, line: number, repository: Repository | undefined): string | null {
  const name = repositoryName(file, repository);
  if (repository?.blobs == null || isAbsolute(name) || /^<.*>$/.test(name)) return null;
  return `${repository.blobs}${encodePath(name)}#L${line}`;
}

/** Percent-encodes all but the `/` of a path (RFC 3986). A lone surrogate, which no URI can hold, becomes U+FFFD. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeSegment).join('/');
}

function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** True for names from the root of a file system, with `/` between their parts. */
export function isAbsolute(name: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(name);
}
