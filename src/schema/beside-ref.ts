/**
 * Keywords beside a `$ref` that draft-07 ignores, although they look as if they asserted something.
 */
import { ASSERTING } from './known-keywords.ts';
import type { SchemaObject } from './subschemas.ts';

/** What a `$ref` or other schemas need, so that it is no mistake beside a `$ref`. */
const CONTAINERS = new Set(['$ref', '$defs', 'definitions']);

/** The keywords beside the `$ref` of `schema` that would assert something without it; for draft-07 only. */
export function ignoredBesideRef(schema: SchemaObject): string[] {
  if (typeof schema.$ref !== 'string') return [];
  return Object.keys(schema).filter((name) => ASSERTING.has(name) && !CONTAINERS.has(name));
}
