/**
 * Every rule of a report: those of JSON and of paylint, the keywords of schemas, and those of `test`. For code that
 * shows or explains violations but does not find them.
 */
import { DIALECT, type DialectKeyword } from '../schema/dialect.ts';
import { OWN_RULES } from '../words/own-rules.ts';
import type { RuleRow, RuleText } from '../words/rule.ts';
import { TEST_RULES } from '../words/test-rules.ts';
import { KEYWORDS } from './index.ts';
import { EARLIER_SPECIFICATION, specification } from './keyword.ts';

/** A rule that can be explained. */
export interface KnownRule extends RuleRow {
  readonly text: RuleText;
  readonly group: 'own' | 'schema' | 'test';
}

/** By name, in the order in which `explain` lists them. */
export const RULES: ReadonlyMap<string, KnownRule> = new Map([
  ...explained('own', OWN_RULES),
  ...explained('schema', rowsOf(KEYWORDS)),
  ...explained('test', TEST_RULES),
]);

/** The section of a rule on the page of rules; null: no page, or no rule of these, such as a check. */
export function ruleAddress(page: string | null, rule: string): string | null {
  return page === null || !RULES.has(rule) ? null : `${page}#${rule.toLowerCase().replaceAll('/', '')}`;
}

function* explained(
  group: KnownRule['group'],
  rows: Readonly<Record<string, RuleRow>>,
): Generator<[string, KnownRule]> {
  for (const [name, { text, link, hidesText }] of Object.entries(rows))
    if (text !== null) yield [name, { text, link, hidesText, group }];
}

/** With what follows from the dialect: where a keyword is specified. Those that apply schemas are in the core. */
function rowsOf(keywords: typeof KEYWORDS): Record<string, RuleRow> {
  const sectionOf = (name: string): string => {
    if (!Object.hasOwn(DIALECT, name)) return EARLIER_SPECIFICATION;
    const { vocabulary } = DIALECT[name as DialectKeyword];
    return specification(vocabulary === 'validation' ? 'validation' : 'core', name);
  };
  return Object.fromEntries(
    Object.entries(keywords).map(([name, { text, link = sectionOf(name), anchor }]) => [
      name,
      { text, link, hidesText: anchor === 'name' },
    ]),
  );
}

/** Of what a rule means, up to the first full stop or semicolon. */
export function firstClause(meaning: string): string {
  return /^.*?(?=[.;](?:\s|$))/.exec(meaning)?.[0] ?? meaning;
}
