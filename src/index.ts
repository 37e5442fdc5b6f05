/**
 * The library, what `import … from 'paylint'` gives: the types of the payloads, and guards that tell whether a value
 * is one.
 */
export { isContentItem, isContract, isEmoji, isPayload, type KindName, kindOf } from './library/guards.ts';
export type { ContentItem, Contract, Emoji, Payload } from './library/payloads.ts';
