/**
 * The library for browsers and other places without Node, as imported from 'paylint/browser': the same instance, but for what
 * needs files, threads or streams of bytes. The build makes one ES module of it (`scripts/browser/`).
 */
import type { BrowserOptions, Paylint } from './api.ts';
import { requireValues } from './given-options.ts';
import { openPaylint as open } from './open.ts';

export { PayloadError, SchemaError, SourceError, UsageError } from '../errors.ts';
export type { BrowserOptions } from './api.ts';
export { isContentItem, isContract, isEmoji, isPayload, kindOf } from './guards.ts';

/** The calls that need no Node. `payloadsOf` reads no gzip. */
export type BrowserPaylint = Pick<
  Paylint,
  | ('assert' | 'close' | 'complete' | 'explain' | 'fill' | 'framingOf' | 'isValid' | 'kindOf' | 'kinds')
  | ('parse' | 'payloadsOf' | 'prune' | 'standard' | 'validate' | 'validateValue' | 'warnings')
>;

/** Throws SchemaError for a schema that cannot be used, and UsageError for an option that is unknown or needs Node. */
export async function openPaylint(options: BrowserOptions = {}): Promise<BrowserPaylint> {
  requireValues(options, 'in a browser');
  return open(options);
}
