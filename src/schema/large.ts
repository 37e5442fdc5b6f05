/**
 * Ajv's code for `anyOf` and `oneOf` puts each alternative inside of an `else` of the one before, so thousands of them overflow the stack; and
 * it joins the names that the code uses in quadratic time. Both are replaced here, with the same results.
 */
import type { Ajv, Code, KeywordCxt } from 'ajv';
import { _, _Code } from 'ajv/dist/compile/codegen/code.js';
import { not } from 'ajv/dist/compile/codegen/index.js';
import type { ScopeValueSets } from 'ajv/dist/compile/codegen/scope.js';
import { alwaysValidSchema } from 'ajv/dist/compile/util.js';
import type { Schema } from './subschemas.ts';

type KeywordCode = (cxt: KeywordCxt, ruleType?: string) => void;

/** Fewer alternatives are left to Ajv. */
const MANY = 200;

/** The code of a keyword that has many alternatives, by `code`: it applies them and returns whether the keyword is met. */
function ofMany(code: (cxt: KeywordCxt, schemas: readonly Schema[]) => Code) {
  return (builtin: KeywordCode): KeywordCode =>
    (cxt, type) => {
      const schemas = cxt.schema as readonly Schema[]; // checked by the meta-schema
      if (schemas.length < MANY || schemas.some((schema) => alwaysValidSchema(cxt.it, schema)))
        return builtin(cxt, type);
      cxt.result(
        code(cxt, schemas),
        () => cxt.reset(),
        () => cxt.error(true),
      );
    };
}

/** `anyOf`, one alternative after another. */
export const anyOfCode = ofMany((cxt, schemas) => {
  const { gen } = cxt;
  const valid = gen.let('valid', false);
  const one = gen.name('_valid');
  for (const schemaProp of schemas.keys()) {
    gen.if(not(valid), () => {
      cxt.subschema({ keyword: 'anyOf', schemaProp, compositeRule: true }, one);
      gen.assign(valid, one);
    });
  }
  return valid;
});

/** `oneOf` in the same way, up to the second that matches. */
export const oneOfCode = ofMany((cxt, schemas) => {
  const { gen } = cxt;
  const count = gen.let('count', 0);
  const passing = gen.let('passing', null);
  const one = gen.name('_valid');
  cxt.setParams({ passing });
  for (const schemaProp of schemas.keys()) {
    gen.if(_`${count} < 2`, () => {
      cxt.subschema({ keyword: 'oneOf', schemaProp, compositeRule: true }, one);
      gen.if(one, () => {
        gen.assign(passing, _`${count} === 0 ? ${schemaProp} : [${passing}, ${schemaProp}]`);
        gen.assign(count, _`${count} + 1`);
      });
    });
  }
  return _`${count} === 1`;
});

/** Makes `ajv` join the names that its code uses once, not again for each of them. */
export function joinNamesOnce(ajv: Ajv): void {
  ajv.scope.scopeRefs = (scopeName, values) => {
    const parts: string[] = [];
    const sets: ScopeValueSets = (values as ScopeValueSets | undefined) ?? {};
    for (const names of Object.values(sets))
      for (const name of names ?? []) parts.push(`const ${name} = ${scopeName}${name.scopePath};`);
    return new _Code(parts.join(''));
  };
}
