/**
 * The library: the types of the three payloads.
 */
export type { ContentItem, Contract, Emoji, Payload } from './payloads.ts';
