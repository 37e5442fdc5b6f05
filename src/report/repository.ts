/**
 * What reports for code hosts share: file names relative to the top of the repository, wherever in it paylint was
 * started; and fingerprints, with which a service recognises the same violation in the next report. They do not
 * depend on line numbers, indexes or messages, so they stay the same if lines or payloads are added above, and in the
 * next version. No two in one report are equal.
 */
import { hash } from 'node:crypto';
import { patternOfViolation } from '../json/pointer-pattern.ts';
import type { Repository, Violation } from '../types.ts';

/** The name of a file from the top of the repository, with `/`; unchanged outside of one. */
export function repositoryName(file: string, repository: Repository | undefined): string {
  if (repository === undefined || /^<.*>$/.test(file)) return file;
  if (!isAbsolute(file)) return repository.prefix + file;
  const root = repository.roots.find((one) => file.startsWith(one));
  return root === undefined ? file : file.slice(root.length);
}

/** Percent-encodes all but the `/` of a path (RFC 3986). A lone surrogate, which no URI can hold, becomes U+FFFD. */
export function encodePath(path: string): string {
  const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(path.toWellFormed())
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, escaped);
}

/** True for names from the root of a file system, with `/` between their parts. */
export function isAbsolute(name: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(name);
}

/**
 * Number of fingerprints that are remembered, including those of the present file. After that, fingerprints no longer
 * depend on the params and the pointer, so that memory stays bounded.
 */
const REMEMBERED_FINGERPRINTS = 100_000;

/** The parts of a violation from which a fingerprint is made: no words, which get better in minor versions. */
type Printed = Pick<Violation, 'file' | 'pointer'> & { readonly rule: string; readonly params: object };

/**
 * Call it once for each violation, in order. Returns 32 hexadecimal digits, followed by `-2` for the second violation
 * of a file with the same digits. `digests`: an object that is passed for all violations with the same content in the
 * same file, and for no others.
 */
export type Fingerprints = (violation: Printed, digests?: Digests) => string;

/** The digits, kept for later violations; with the params and the pointer, and without. */
export interface Digests {
  full?: string;
  short?: string;
}

/** `remembered`: for tests. */
export function createFingerprints(remembered = REMEMBERED_FINGERPRINTS): Fingerprints {
  let file: string | null = null;
  const counts = new Map<string, number>();
  return (violation, digests = {}) => {
    // Violations arrive file by file, except in merged reports. So nothing is forgotten as long as there is room.
    if (violation.file !== file && counts.size >= remembered) counts.clear();
    file = violation.file;
    const { rule, params } = violation;
    let digest: string;
    if (counts.size < remembered) {
      const lasting = Object.entries(params).filter(([name]) => !PLACES.has(name));
      digests.full ??= digestOf([file, patternOfViolation(violation), rule, lasting]);
      digest = digests.full;
    } else {
      digests.short ??= digestOf([file, rule]);
      digest = digests.short;
    }
    const count = (counts.get(digest) ?? 0) + 1;
    counts.set(digest, count);
    return count === 1 ? digest : `${digest}-${count}`;
  };
}

function digestOf(facts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(facts)).slice(0, 32);
}

/** Params that are places, which change when lines or items are added above. */
const PLACES: ReadonlySet<string> = new Set(['first', 'second', 'index']);
