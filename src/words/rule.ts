/**
 * The data of every rule, whether it comes from a schema, from JSON or from paylint: what it means, a link to the
 * standard, and whether its params contain payload text. Each rule has one row, next to its params and its message.
 */

/** What `explain` says about a rule. A test tries the examples. */
export interface RuleText {
  /** What a violation of the rule means, in a sentence. */
  readonly meaning: string;
  /** What to do about it. */
  readonly fix: string;
  /** A schema that states the rule; absent for the rules of JSON and of paylint. */
  readonly schema?: string;
  /** A text that breaks the rule. */
  readonly wrong: string;
  /** The same, correct. */
  readonly right: string;
}

export interface RuleRow {
  /** Null: no report contains a violation of the rule, or paylint does not explain it. */
  readonly text: RuleText | null;
  /** Absolute URL of the section of the standard that states it; null: it is a rule of paylint. */
  readonly link: string | null;
  /** The params hold text of the payload, so `render --redact` leaves them out. */
  readonly hidesText: boolean;
}

/** What is true of most rules of paylint. @internal */
export const OF_PAYLINT = { link: null, hidesText: false } as const;

/** An RFC, as a link. @internal */
export const RFC = 'https://www.rfc-editor.org/rfc/rfc';

export interface Limit {
  readonly limit: number;
  /** The limit as the schema writes it, if it is not what a double prints. */
  readonly written?: string;
}

// biome-ignore lint/complexity/noBannedTypes: the rule says everything
export type NoParams = {};

/** What may be shown of payloads, in messages and params: settings of a run. Plain data, for threads. */
export interface Wording {
  /** No text of a payload. */
  readonly redact: boolean;
}

/** Whether text of payloads may be shown. @internal */
export function showsText({ redact }: Wording): boolean {
  return !redact;
}

/** @internal */
export const SHOWS_ALL: Wording = { redact: false };
