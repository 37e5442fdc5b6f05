/**
 * Two additions to Ajv's `useDefaults`: nothing is filled in for the sake of an alternative, and filling repeats until
 * it changes nothing.
 */
import type { Ajv, KeywordCxt, ValidateFunction } from 'ajv';
import type { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { EndlessDefaults } from './error.ts';

/** A value that still grows after this number of passes grows without end. */
const MAX_PASSES = 100;

/**
 * Fills in `value` and returns whether it is valid then. One pass of Ajv may be too few: a default can make an `if`
 * hold, or create an object in which an earlier `allOf` would have filled in more. `takeBack` removes unwanted members
 * from the value after each pass. Throws EndlessDefaults.
 */
export function fillWhole(validate: ValidateFunction, value: unknown, takeBack = () => {}): boolean {
  let members = membersIn(value);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const valid = validate(value) === true;
    takeBack();
    const now = membersIn(value);
    if (now === members) return valid;
    members = now;
  }
  throw new EndlessDefaults('every default that is filled in asks for another one');
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.reduce<number>((sum, item) => sum + membersIn(item), inner.length);
}

/** The keywords that refer to other schemas. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/**
 * Ajv fills in nothing inside `anyOf`, `oneOf`, `not`, `if`, `contains` and `propertyNames`, except after a `$ref` in
 * them, if its target is compiled on its own. Makes `ajv` apply the target from `plain` instead, which has the same
 * schemas and fills in nothing.
 */
export function keepFromBranches(ajv: Ajv, plain: Ajv, call: typeof callRef): void {
  for (const keyword of REFERENCES) {
    const rule = ajv.RULES.all[keyword];
    if (typeof rule !== 'object' || !('code' in rule.definition)) continue; // of another draft
    const { definition } = rule;
    const { code } = definition;
    definition.code = (cxt: KeywordCxt, type) => {
      const target = cxt.it.compositeRule === true ? targetOf(cxt, plain) : undefined;
      if (target === undefined) code(cxt, type);
      else
        call(cxt, cxt.gen.scopeValue('validate', { ref: withoutDynamicAnchors(target) }), target.schemaEnv);
    };
  }
}

/**
 * Dynamic references lead to the same target from everywhere, or to the root if they have no other: Ajv has no anchors
 * for it.
 */
function targetOf({ keyword, schema, it }: KeywordCxt, plain: Ajv): ValidateFunction | undefined {
  const target = plain.getSchema(it.opts.uriResolver.resolve(it.baseId, String(schema)));
  const found = target ?? (keyword === '$ref' ? undefined : plain.getSchema(it.baseId));
  return found as ValidateFunction | undefined; // ours are not asynchronous
}

/** The function without those that dynamic references would lead back to, which fill in. */
function withoutDynamicAnchors(validate: ValidateFunction): unknown {
  const call = (data: unknown, context: object): unknown =>
    validate(data, { ...context, dynamicAnchors: {} } as Parameters<ValidateFunction>[1]); // Ajv's own code calls this
  return Object.defineProperties(call, {
    errors: { get: () => validate.errors },
    evaluated: { get: () => validate.evaluated },
  });
}
