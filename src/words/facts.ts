/**
 * What a sentence is made from (`message.ts`), by its rule. For the keywords of schemas, these are the `params` of reports.
 */
import type { Finding, FirstPlace, Said, Span, Statement, Violation } from '../types.ts';
import type { Limit, Nothing, SchemaRuleFacts } from './params.ts';
import type { SyntaxFacts } from './syntax.ts';
import type { UnknownKindFacts } from './unknown-kind.ts';

/** By rule; the rules of JSON and of paylint first, then those of schemas. */
export interface RuleFacts extends SchemaRuleFacts {
  'json-syntax': SyntaxFacts;
  'json-encoding':
    | { readonly encoding: string }
    /** `offset`: in bytes, in the source; `cutOff`: the last line ends within the character. */
    | { readonly offset: number; readonly cutOff: boolean };
  'duplicate-member': Nothing;
  'number-out-of-range': Nothing;
  'unknown-kind': UnknownKindFacts;
  'payload-too-large': Limit;
  /** Null: the stack has no room for the payload. */
  'nested-too-deep': { readonly limit: number | null };
  'unsafe-default': /** The rule that the filled payload would break, and the message for that. */
    | { readonly broken: string; readonly message: string }
    /** The kind that the payload has, and the one that it would have; null: none. */
    | { readonly kind: string; readonly other: string | null };
}

/** A rule whose facts paylint knows. */
export type KnownRule = keyof RuleFacts;

/** Where the first of two equal names is, in the bytes examined; null for a finding of another rule. */
export function spanOfFirst(finding: Finding): Span | null {
  return finding.rule === 'duplicate-member' ? finding.params.first : null;
}

/** Where the first of two equal names is, in the source; null for a violation of another rule. */
export function placeOfFirst(violation: Violation): FirstPlace | null {
  return violation.rule === 'duplicate-member' ? violation.params.first : null;
}

/** True if the whole source is in another encoding than UTF-8. */
export function isOtherEncoding(finding: Finding): boolean {
  return finding.rule === 'json-encoding' && finding.params.encoding !== undefined;
}

/** What a violation says that was noted. It is an error: other severities come from rules in the config, and then nothing is noted for many payloads at once. */
export function saidBy(statement: Statement): Said {
  const { kind, pointer, rule, message, params, schema, fixable, fix, suggestion } = statement;
  const fixes = fixable ? 'fill' : fix;
  return {
    // Each by its name, which takes half as long as to copy all but some.
    ...{ kind, severity: 'error', pointer, rule, message, params, schema, fixable },
    ...(fixes === undefined ? {} : { fix: fixes }),
    ...(suggestion === null ? {} : { suggestion }),
  };
}
