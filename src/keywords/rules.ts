/**
 * Every rule of a report: those of JSON and of paylint, the keywords of schemas, and those of `--advice`. For code that
 * shows or explains violations but does not find them.
 */
import { ADVICE } from '../words/advice.ts';
import { OWN_RULES } from '../words/own-rules.ts';
import type { RuleRow, RuleText } from '../words/rule.ts';
import { KEYWORDS } from './index.ts';

/** A rule that can be explained. */
export interface KnownRule extends RuleRow {
  readonly text: RuleText;
  readonly group: 'own' | 'schema' | 'advice';
}

/** By name, in the order in which `explain` lists them. */
export const RULES: ReadonlyMap<string, KnownRule> = new Map([
  ...explained('own', OWN_RULES),
  ...explained('schema', KEYWORDS),
  ...explained('advice', ADVICE),
]);

function* explained(
  group: KnownRule['group'],
  rows: Readonly<Record<string, RuleRow>>,
): Generator<[string, KnownRule]> {
  for (const [name, { text, link, hidesText }] of Object.entries(rows))
    if (text !== null) yield [name, { text, link, hidesText, group }];
}
