/**
 * The library for browsers and other places without Node, as imported from 'paylint/browser': the same instance, but for what
 * needs files, threads or streams of bytes. The build makes one ES module of it (`scripts/browser/`).
 */
import { UsageError } from '../errors.ts';
import { visible } from '../words/escape.ts';
import type { GivenKind, GivenSchemaValue, Paylint, PaylintOptions } from './api.ts';
import { openPaylint as open } from './open.ts';

export { PayloadError, SchemaError, SourceError, UsageError } from '../errors.ts';
export { isContentItem, isContract, isEmoji, isPayload, kindOf } from './guards.ts';

/** The calls that need no Node. `payloadsOf` reads no gzip. */
export type BrowserPaylint = Pick<
  Paylint,
  | ('assert' | 'close' | 'complete' | 'explain' | 'fill' | 'framingOf' | 'isValid' | 'kindOf' | 'kinds')
  | ('parse' | 'payloadsOf' | 'prune' | 'standard' | 'validate' | 'validateValue' | 'warnings')
>;

/** As for Node, but schemas are given as values. */
export interface BrowserOptions
  extends Omit<PaylintOptions, 'advice' | 'baseline' | 'config' | 'schema' | 'schemas' | 'refs'> {
  readonly schema?: GivenSchemaValue;
  readonly schemas?: Readonly<Record<string, Exclude<GivenKind, string>>>;
  readonly refs?: readonly GivenSchemaValue[] | Readonly<Record<string, GivenSchemaValue>>;
}

const NOT_THERE = ['advice', 'baseline', 'config'];

/** Throws SchemaError for a schema that cannot be used, and UsageError for an option that is unknown or needs Node. */
export async function openPaylint(options: BrowserOptions = {}): Promise<BrowserPaylint> {
  const other = NOT_THERE.find((name) => name in options);
  if (other !== undefined) throw new UsageError(`openPaylint: ${visible(other)} is not there in a browser`);
  for (const [name, value] of Object.entries({ schema: options.schema, ...Object(options.refs) }))
    if (typeof value === 'string')
      throw new UsageError(
        `openPaylint: ${visible(name)} is a path, and there are no files in a browser: give the schema itself`,
      );
  return open(options);
}
