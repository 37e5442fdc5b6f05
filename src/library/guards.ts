/**
 * Type guards for the three kinds of payload, by the bundled schemas, for values of any origin. Faults that only a JSON
 * text can have, such as a duplicate name, are found by `paylint validate`.
 */
import { UsageError } from '../errors.ts';
import type { ContentItem, Contract, Emoji, Payload } from './payloads.ts';
import { VERDICTS } from './verdicts.ts';

export { PayloadError, SchemaError, SourceError, UsageError } from '../errors.ts';

/** In the place of the library's, where 'paylint' has the guards alone. Rejects with a UsageError. */
export async function openPaylint(): Promise<never> {
  throw new UsageError("openPaylint of 'paylint' needs Node: in a bundle for browsers, 'paylint/browser' has it");
}

/** The kinds by name, as `paylint kinds` lists them. */
export type KindName = 'content' | 'contract' | 'emoji';

/** True for a valid content item: an article, a discussion, a live discussion, a Q and A discussion or a comment. */
export function isContentItem(value: unknown): value is ContentItem {
  return isOfKind('content', value);
}

/** True for a valid contract. */
export function isContract(value: unknown): value is Contract {
  return isOfKind('contract', value);
}

/** True for a valid emoji payload. */
export function isEmoji(value: unknown): value is Emoji {
  return isOfKind('emoji', value);
}

/**
 * True for a value that is valid as the kind it is recognised as. An emoji payload whose `@type` is `"Article"` passes
 * `isEmoji` but not this: it is recognised as a content item, and is not a valid one.
 */
export function isPayload(value: unknown): value is Payload {
  const kind = kindOf(value);
  return kind !== null && isOfKind(kind, value);
}

/** The kind that a value is recognised as, valid or not: the first kind whose test fits. Null if there is none. */
export function kindOf(value: unknown): KindName | null {
  for (const { name, test } of VERDICTS) {
    if (test(value)) return name as KindName; // the bundled schemas have no others
  }
  return null;
}

/** Whether a value is valid as this kind, whatever it is recognised as. */
export function isOfKind(kind: KindName, value: unknown): boolean {
  return VERDICTS.some(({ name, validate }) => name === kind && validate(value));
}
