/**
 * `render --redact`: a report without payload text. Of a violation it keeps the place, the rule and the facts from the
 * schema. Messages are replaced by the general message of the rule.
 */
import { RULES } from '../keywords/rules.ts';
import type { Child, ReportEvent, Statement } from '../types.ts';

/** The event without payload text. Names of members stay in pointers, and names of files stay. */
export function redacted(event: ReportEvent): ReportEvent {
  switch (event.type) {
    case 'violations': {
      const { table } = event;
      const statements = table.statements.map(redactedStatement);
      return { ...event, table: { ...table, statements, extras: [] } };
    }
    case 'failure': {
      const { file, message } = event.failure;
      return { ...event, failure: { file, message: withoutReason(message) } };
    }
    default:
      return event;
  }
}

function redactedStatement<Said extends Statement | Child>(said: Said): Said {
  const { children } = said;
  const shown = redactedFacts(said);
  return children === undefined ? shown : { ...shown, children: children.map(redactedStatement) };
}

/** With the general message of the rule, and without params that may contain payload text. */
function redactedFacts<Said extends Statement | Child>(said: Said): Said {
  const { rule } = said;
  const known = RULES.get(rule);
  const meaning = known?.text.meaning ?? `The schema's ${rule} does not hold.`;
  const shown = { ...said, message: firstClause(meaning) };
  const hidesText = known === undefined || known.hidesText;
  return hidesText ? { ...shown, params: {} } : shown; // params with text may be absent
}

/** Up to the first full stop or semicolon: `the string is too short`. */
function firstClause(text: string): string {
  const clause = /^.*?(?=[.;](?:\s|$))/.exec(text)?.[0] ?? text;
  return clause.slice(0, 1).toLowerCase() + clause.slice(1);
}

/** The reason why a payload could not be checked may quote it. */
function withoutReason(message: string): string {
  return /^payload \d+ \(line \d+\) could not be checked(?=:)/.exec(message)?.[0] ?? message;
}
