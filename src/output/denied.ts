/**
 * Messages for a denied step of writing a file back: what denied it and what helps. The system reports the same
 * "permission denied" for the file, its folder and their attributes.
 */
import { codeOf, wordsFor } from '../input/system-errors.ts';

/**
 * 'ask': check whether the file may be written; 'create': create a new file in its folder; 'replace': rename that over
 * the file.
 */
export type Step = 'ask' | 'create' | 'replace';

export interface DeniedFacts {
  readonly platform: NodeJS.Platform;
  /** The folder lets only owners replace their files, and the file belongs to another user. */
  readonly isStickyForUs: boolean;
}

/** Messages, by step and by the system's code. */
const WORDS: Readonly<Record<Step, Readonly<Record<string, string>>>> = {
  ask: {
    EACCES: 'the file is read-only for you: change its permissions (chmod) or its owner',
    EPERM: 'the file is marked immutable: remove the mark (chattr -i)',
    EROFS: 'its file system is mounted read-only',
  },
  create: {
    EACCES: 'its folder is read-only for you, and a new file is written there first: change its permissions',
    EPERM: 'its folder is marked immutable: remove the mark (chattr -i)',
    EROFS: 'its file system is mounted read-only',
    ENAMETOOLONG: 'the path of its folder is so long that no temporary file can be written there',
  },
  replace: {
    EACCES:
      'its folder is read-only for you, and the new file is put in its place there: change its permissions',
    EPERM:
      'the file or its folder is marked immutable or append-only: remove the mark (chattr -i, chattr -a)',
    EROFS: 'its file system is mounted read-only',
    EBUSY:
      'the file is a mount point, as in a container, and cannot be replaced: mount its folder, or fill to standard output',
    EXDEV:
      'the file is a mount point, as in a container, and cannot be replaced: mount its folder, or fill to standard output',
  },
};

const STICKY =
  'its folder has the sticky bit (as /tmp has) and the file belongs to another user: only that user can replace it';

/** The same codes on Windows. */
const WINDOWS_WORDS: Readonly<Record<Step, string>> = {
  ask: 'the file is read-only: remove that attribute',
  create: 'its folder is read-only for you, and a new file is written there first: change its permissions',
  replace: 'another program has the file open, or its folder is read-only for you',
};

const DENIED: ReadonlySet<string | null> = new Set(['EACCES', 'EPERM', 'EBUSY']);

/** The message for `error`, which a step threw, as one clause. */
export function wordsForDenied(step: Step, error: unknown, facts: DeniedFacts): string {
  const code = codeOf(error);
  if (facts.platform === 'win32') return DENIED.has(code) ? WINDOWS_WORDS[step] : wordsFor(error);
  if (facts.isStickyForUs && step === 'replace' && (code === 'EPERM' || code === 'EACCES')) return STICKY;
  return WORDS[step][code ?? ''] ?? wordsFor(error);
}
