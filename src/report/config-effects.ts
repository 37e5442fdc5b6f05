/**
 * How a config helped a run to pass, and which parts of it had no effect: in words, and as the sum of several runs. So
 * a passing result shows on what it depends. Flags that were typed are not mentioned: the user knows them.
 */
import type { ConfigEffects, Summary } from '../types.ts';
import { plural } from '../words/number-text.ts';

/** Globs that a clause lists. */
const LISTED = 3;

/**
 * What lowered the verdict: `6 violations off by rules in paylint.config.json`, `exit 0 by exitZero in
 * paylint.config.json`.
 */
export function loweredBy({ off = 0, known = 0, config = [] }: Summary): string[] {
  const files = config.map(({ file }) => file).join(', ');
  const clauses = config.flatMap(({ file, baseline, exitZero, allowEmpty, vocabularies = [] }) => [
    known > 0 && baseline ? `known by baseline in ${file}` : '',
    exitZero ? `exit 0 by exitZero in ${file}` : '',
    allowEmpty ? `exit 0 by allowEmpty in ${file}` : '',
    vocabularies.length > 0 ? `keywords of ${vocabularies.join(', ')} by vocabularies in ${file}` : '',
  ]);
  return [off > 0 ? `${plural(off, 'violation')} off by rules in ${files}` : '', ...clauses].filter(Boolean);
}

/** What had no effect: `no file matches "a/**" in paylint.config.json`. */
export function unusedIn({ config = [] }: Summary): string[] {
  return config.flatMap(({ file, unmatched = [] }) => {
    if (unmatched.length === 0) return [];
    const more = unmatched.length > LISTED ? ` and ${unmatched.length - LISTED} more` : '';
    const globs = unmatched.slice(0, LISTED).map((glob) => JSON.stringify(glob));
    return [`no file matches ${globs.join(', ')}${more} in ${file}`];
  });
}

/** The effects in two runs. A glob is without effect if it is in both, or in the only one with that config. */
export function sumOfEffects(
  a: readonly ConfigEffects[] = [],
  b: readonly ConfigEffects[] = [],
): readonly ConfigEffects[] {
  const others = b.filter(({ file }) => a.every((one) => one.file !== file));
  return [
    ...a.map((one) =>
      both(
        one,
        b.find(({ file }) => file === one.file),
      ),
    ),
    ...others,
  ];
}

function both(a: ConfigEffects, b: ConfigEffects | undefined): ConfigEffects {
  if (b === undefined) return a;
  const { unmatched: _, ...effects } = { ...a, ...b };
  const unmatched = (a.unmatched ?? []).filter((glob) => b.unmatched?.includes(glob));
  return { ...effects, ...(unmatched.length === 0 ? {} : { unmatched }) };
}
