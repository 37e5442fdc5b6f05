/**
 * The library for a form or a server that only validates, as imported from 'paylint/validate', in browsers and in Node: the same
 * verdicts and violations, found by the judge alone. The build makes a small ES module of it, without WebAssembly.
 */
import { bundledSchema, ENTRY_SCHEMA } from '../package.ts';
import { loadInlined } from '../schema/inlined.ts';
import { DEPRECATED, isSought } from '../words/rule-levels.ts';
import type { ValidateOptions, ValidatePaylint } from './api.ts';
import { formatsGiven, keywordsOf, levelsOf, requireDraft, requireValues, vocabulariesGiven } from './given-options.ts';
import { requireOptions } from './inputs.ts';
import { judgeParts } from './judge-parts.ts';
import { Judged } from './judged.ts';
import { namedSchemas } from './memory-schemas.ts';

export { PayloadError, SchemaError, UsageError } from '../errors.ts';
export type { ValidateOptions, ValidatePaylint } from './api.ts';

/**
 * Throws SchemaError for a schema that cannot be used, and UsageError for an option that is unknown or needs files. Loads
 * the schemas of the built-in kinds if there is no `schema`, and tables of international host names if a schema needs them.
 */
export async function openPaylint(options: ValidateOptions = {}): Promise<ValidatePaylint> {
  requireOptions('openPaylint', options);
  requireValues(options, "in 'paylint/validate'", 'strictSchema');
  requireDraft(options);
  const { path, more, refs, memory } = namedSchemas(options);
  const keywords = keywordsOf(options);
  const rules = levelsOf(options.rules, [...keywords.keys()]);
  const formats = new Map(formatsGiven(options));
  const resources = {
    ...memory,
    inLibrary: true as const,
    refs,
    vocabularies: vocabulariesGiven(options) ?? [],
    ...(options.draft === undefined ? {} : { draft: options.draft }),
    ...(formats.size === 0 ? {} : { formats }),
    ...(keywords.size === 0 ? {} : { keywords }),
    ...(isSought(DEPRECATED, { rules }) ? { deprecations: true } : {}),
  };
  if (path === null) await loadInlined();
  const schema = path ?? bundledSchema(ENTRY_SCHEMA);
  return new Judged(await judgeParts({ options, schema, more, resources, rules, isBundled: path === null }));
}
