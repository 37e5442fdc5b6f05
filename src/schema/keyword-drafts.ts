/**
 * Which draft knows which keyword, and what a draft has instead of one that it does not know. This is the one table of
 * that: a keyword that is not in it means the same in every draft that paylint supports.
 */
import type { Dialect } from './load.ts';

/** The drafts that know a keyword: from 2019-09 on, only 2020-12, those before it, or older ones than paylint supports. */
type Drafts = 'from 2019-09' | 'from 2020-12' | 'before 2020-12' | 'draft-03';

interface Row {
  readonly drafts: Drafts;
  /** What means the same in the other drafts; absent: nothing does. */
  readonly instead?: string;
}

/**
 * `dependencies`, `$recursiveRef` and `$dynamicRef` are not keywords of every draft from 2019-09 on, but asserted in all of them.
 */
const ROWS: ReadonlyMap<string, Row> = new Map(
  Object.entries({
    dependentRequired: { drafts: 'from 2019-09', instead: '"dependencies"' },
    dependentSchemas: { drafts: 'from 2019-09', instead: '"dependencies"' },
    unevaluatedProperties: { drafts: 'from 2019-09' },
    unevaluatedItems: { drafts: 'from 2019-09' },
    minContains: { drafts: 'from 2019-09' },
    maxContains: { drafts: 'from 2019-09' },
    $recursiveRef: { drafts: 'from 2019-09', instead: '"$ref"' },
    $dynamicRef: { drafts: 'from 2019-09', instead: '"$ref"' },
    prefixItems: { drafts: 'from 2020-12', instead: '"items" with a list of schemas' },
    additionalItems: { drafts: 'before 2020-12', instead: '"items"' },
    divisibleBy: { drafts: 'draft-03', instead: '"multipleOf"' },
    disallow: { drafts: 'draft-03', instead: '"not"' },
    extends: { drafts: 'draft-03', instead: '"allOf"' },
  } satisfies Record<string, Row>),
);

/** False for a keyword that other drafts than `dialect` have; true for every other name. */
export function isKeywordOf(dialect: Dialect, name: string): boolean {
  switch (ROWS.get(name)?.drafts) {
    case undefined:
      return true;
    case 'from 2019-09':
      return dialect !== 'draft-07';
    case 'from 2020-12':
      return dialect === '2020-12';
    case 'before 2020-12':
      return dialect !== '2020-12';
    case 'draft-03':
      return false;
  }
}

/** For a keyword that `dialect` does not know: what to write instead, as the end of a sentence. */
export function insteadOf(name: string, dialect: Dialect): string {
  const row = ROWS.get(name);
  if (row?.instead !== undefined) return `did you mean ${row.instead}?`;
  const [, draft = '2020-12'] = row?.drafts.split(' ') ?? [];
  return `"$schema": "https://json-schema.org/draft/${draft}/schema" has it, ${dialect} has nothing like it`;
}
