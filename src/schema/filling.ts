/**
 * What Ajv's `useDefaults` lacks: nothing is filled in for the sake of an alternative, and filling goes on until it is done.
 */
import type { Ajv, KeywordCxt, ValidateFunction } from 'ajv';
import type { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { EndlessDefaults } from './error.ts';

/** A value that still grows after so many passes never ends. */
const MAX_PASSES = 100;

/**
 * Fills in `value` and answers whether it is valid then. Ajv's one pass may leave something to the next: a default that makes an `if` hold,
 * or an object in which an `allOf` that has already passed would have filled in more. `takeBack`: takes out of the value what is not wanted, after
 * each pass. Throws EndlessDefaults.
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

/** The keywords that lead elsewhere. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/**
 * Ajv fills nothing in inside `anyOf`, `oneOf`, `not`, `if`, `contains` and `propertyNames`; but behind a `$ref` inside them it does, where
 * the schema there is compiled on its own. Makes `ajv` apply that of `plain`, which has the same schemas and fills nothing in.
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
      else call(cxt, cxt.gen.scopeValue('validate', { ref: alone(target) }), target.schemaEnv);
    };
  }
}

/** Dynamic references lead to what they say, wherever they are met; to the root, if they lead nowhere else: Ajv has no anchors for it. */
function targetOf({ keyword, schema, it }: KeywordCxt, plain: Ajv): ValidateFunction | undefined {
  const target = plain.getSchema(it.opts.uriResolver.resolve(it.baseId, String(schema)));
  const found = target ?? (keyword === '$ref' ? undefined : plain.getSchema(it.baseId));
  return found as ValidateFunction | undefined; // ours are not asynchronous
}

/** The function, without those to which dynamic references would lead back: they fill in. */
function alone(validate: ValidateFunction): unknown {
  const call = (data: unknown, context: object): unknown =>
    validate(data, { ...context, dynamicAnchors: {} } as Parameters<ValidateFunction>[1]); // Ajv's own code calls this
  return Object.defineProperties(call, {
    errors: { get: () => validate.errors },
    evaluated: { get: () => validate.evaluated },
  });
}
