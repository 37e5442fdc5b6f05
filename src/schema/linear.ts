/** Patterns of formats that are not part of paylint: they must be matched in linear time, so that no text takes long. */
import { UsageError } from '../errors.ts';
import { compileMatcher } from '../regex/matcher.ts';
import { parserFor } from '../regex/parse.ts';
import { visible } from '../words/escape.ts';
import type { OwnFormat } from './formats/format.ts';
import { regExpFault, toRegExp } from './regexp.ts';

/** Flags that change which texts match. */
const MEANINGFUL = /[imsv]/;

/** The format of a RegExp, which is read with the flag `u`, as every pattern is. Throws UsageError. */
export function formatOfRegExp({ source: pattern, flags }: RegExp, name: string): OwnFormat {
  const wordsFor = (fault: string): string => `formats: ${visible(name)}: ${fault}; or give a function`;
  const { source, matches } = linearPattern(pattern, flags, wordsFor);
  // Without such flags, it is plain data: the compiled engine and other threads have it, too.
  return MEANINGFUL.test(flags) ? { test: matches } : { pattern: source };
}

/** Throws UsageError with `wordsFor` what is wrong. */
export function linearPattern(pattern: string, flags: string, wordsFor: (fault: string) => string) {
  const fault = regExpFault(pattern);
  if (fault !== null) throw new UsageError(wordsFor(visible(fault)));
  const { source } = toRegExp(pattern);
  const { matches, reason } = compileMatcher(source, MEANINGFUL.test(flags) ? { dialect: parserFor(flags) } : {});
  if (reason === null) return { source, matches: matches! }; // there is one without a reason
  throw new UsageError(
    wordsFor(`the pattern cannot be matched in linear time: ${reason}; without that, it can be a format`),
  );
}
