/**
 * The library, as imported from 'paylint' in Node: `openPaylint`, the types of the payloads, and guards for values.
 * Elsewhere there are only the guards (`library/guards.ts`).
 */
import type { Paylint, PaylintOptions } from './library/api.ts';

export { PayloadError, SchemaError, type SchemaFault, SourceError, UsageError } from './errors.ts';
export type {
  AlternativeExplanation,
  Completion,
  CompletionItem,
  Explanation,
  FileEvent,
  FileOptions,
  FilesResult,
  FillEdit,
  FillOptions,
  FillResult,
  GivenKind,
  GivenSchema,
  KeywordDefinition,
  LibraryChild,
  LibraryViolation,
  MemberExplanation,
  Paylint,
  PaylintOptions,
  PayloadInput,
  PayloadOptions,
  PayloadResult,
  PruneResult,
  RuleExplanation,
  RulePlaces,
  RuleSetting,
  StandardIssue,
  StandardSchema,
  StopSignal,
  Verdict,
} from './library/api.ts';
export { isContentItem, isContract, isEmoji, isPayload, type KindName, kindOf } from './library/guards.ts';
export type { ContentItem, Contract, Emoji, Payload } from './library/payloads.ts';
export type { Child, FilledPlace, PrunedPlace, Summary, Violation } from './types.ts';

/**
 * Loads the schemas and everything needed to validate and fill. Throws SchemaError for a schema that cannot be used,
 * and UsageError for an unknown kind or option.
 */
export async function openPaylint(options: PaylintOptions = {}): Promise<Paylint> {
  const library = await import('./library/open.ts');
  return library.openPaylint(options);
}
