/**
 * Which of the violations that a test lists were found, and which others were. Each is one of as many of the same rule at
 * the same place; one with children is found only if those are below it, where others may be, too.
 */
import { entryOf } from '../../json/on-demand.ts';
import type { Finding } from '../../types.ts';
import type { ExpectedViolation, MissingViolation, TestedViolation } from '../../words/test-rules.ts';

interface RuleGroup {
  readonly expected: ExpectedViolation[];
  readonly found: Finding[];
}

/** `missing`: expected and not found; `unexpected`: found and not expected. */
export function differencesOf(expected: readonly ExpectedViolation[], found: readonly Finding[]) {
  const groups = new Map<string, RuleGroup>();
  const groupOf = (one: TestedViolation): RuleGroup => entryOf(groups, keyOf(one), () => ({ expected: [], found: [] }));
  for (const one of expected) groupOf(one).expected.push(one);
  for (const one of found) groupOf(one).found.push(one);
  const left = [...groups.values()].map(leftOf);
  const missing = new Set(left.flatMap((one) => one.missing));
  const unexpected = new Set(left.flatMap((one) => one.unexpected));
  const above = missing.size === 0 ? NONE_TESTED : placesBelow(found);
  return {
    missing: expected.filter((one) => missing.has(one)).map((one) => missingAs(one, above)),
    unexpected: found.filter((one) => unexpected.has(one)),
  };
}

/** Of the same rule at the same place: those that have no partner. What lists children chooses first. */
function leftOf({ expected, found }: RuleGroup) {
  const isChoosy = ({ children = [] }: ExpectedViolation): boolean => children.length > 0;
  const choosy = expected.filter(isChoosy);
  const partners = new Map<Finding, ExpectedViolation>();
  const failed = choosy.filter((one) => !findsPartner(one, found, partners, new Set()));
  const others = expected.filter((one) => !isChoosy(one));
  const free = found.filter((one) => !partners.has(one));
  return { missing: [...failed, ...others.slice(free.length)], unexpected: free.slice(others.length) };
}

/** Finds one among `found`, if need be by finding another one for who has it. `asked`: those that were tried. */
function findsPartner(
  one: ExpectedViolation,
  found: readonly Finding[],
  partners: Map<Finding, ExpectedViolation>,
  asked: Set<Finding>,
): boolean {
  for (const candidate of found) {
    if (asked.has(candidate) || !hasBelow(candidate, one)) continue;
    asked.add(candidate);
    const holder = partners.get(candidate);
    if (holder !== undefined && !findsPartner(holder, found, partners, asked)) continue;
    partners.set(candidate, one);
    return true;
  }
  return false;
}

function hasBelow({ children: found = [] }: Finding, { children = [] }: ExpectedViolation): boolean {
  return differencesOf(children, found).missing.length === 0;
}

/** What each one below a violation is below of, by its rule and place. */
function placesBelow(found: readonly Finding[]): ReadonlyMap<string, TestedViolation> {
  const above = new Map<string, TestedViolation>();
  const add = (top: TestedViolation, { children = [] }: Finding): void => {
    for (const child of children) {
      if (!above.has(keyOf(child))) above.set(keyOf(child), top);
      add(top, child);
    }
  };
  for (const one of found) add({ rule: one.rule, pointer: one.pointer }, one);
  return above;
}

const NONE_TESTED: ReadonlyMap<string, TestedViolation> = new Map();

/** As it is reported. */
function missingAs(one: ExpectedViolation, above: ReadonlyMap<string, TestedViolation>): MissingViolation {
  const { rule, pointer, children } = one;
  if (children !== undefined)
    return { rule, pointer, children: children.map((child) => missingAs(child, NONE_TESTED)) };
  const below = above.get(keyOf(one));
  return below === undefined ? { rule, pointer } : { rule, pointer, below };
}

function keyOf({ rule, pointer }: TestedViolation): string {
  return `${rule} ${pointer}`;
}
