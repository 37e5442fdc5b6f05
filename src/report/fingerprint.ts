/**
 * Fingerprints: a service uses them to recognise the same violation in the next report. They do not depend on line
 * numbers or indexes, so they stay the same if lines or payloads are added above, and no two in one report are equal.
 */
import { hash } from 'node:crypto';
import type { Violation } from '../types.ts';
import { foldIndices } from './fold.ts';

/**
 * Fingerprints that are remembered, those of the present file among them. Beyond them, messages no longer tell
 * violations apart, so memory stays bounded.
 */
const REMEMBERED = 100_000;

/** What a fingerprint is made of, and its file. */
export type Printed = Pick<Violation, 'file' | 'pointer' | 'schema' | 'message'> & { readonly rule: string };

export interface Fingerprints {
  /**
   * To be asked once for each violation, in order: 32 hexadecimal digits, and `-2` after them for the second of the
   * same sort in its file. `digests`: an object that is passed for all violations that say the same in the same file,
   * and for no others.
   */
  of(violation: Printed, digests?: Digests): string;
}

/** The digits, kept for later violations; with the message and the pointer, and without. */
export interface Digests {
  full?: string;
  short?: string;
}

/** `remembered`: for tests. */
export function createFingerprints(remembered = REMEMBERED): Fingerprints {
  let file: string | null = null;
  const counts = new Map<string, number>();
  return {
    of(violation, digests = {}) {
      // Violations come file by file, except in merged reports: as long as there is room, nothing is forgotten.
      if (violation.file !== file && counts.size >= remembered) counts.clear();
      file = violation.file;
      const { pointer, rule, schema } = violation;
      let digest: string;
      if (counts.size < remembered) {
        digests.full ??= digestOf([file, foldIndices(pointer), rule, schema, lastingMessage(violation)]);
        digest = digests.full;
      } else {
        digests.short ??= digestOf([file, rule, schema]);
        digest = digests.short;
      }
      const count = (counts.get(digest) ?? 0) + 1;
      counts.set(digest, count);
      return count === 1 ? digest : `${digest}-${count}`;
    },
  };
}

function digestOf(facts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(facts)).slice(0, 32);
}

/** The message without the line of another payload, which changes when lines are added above. */
function lastingMessage({ rule, message }: Printed): string {
  return rule === 'advice/id-conflict' ? message.replace(/:\d+$/, '') : message;
}
