/**
 * Keywords for which Ajv's own code deviates from JSON Schema: equality of values, multiples of decimals, names that
 * are empty or `__proto__`, `contains` and lists of schemas for items if the array is too short, and what is
 * unevaluated. Everything else about them (errors, types, order) stays Ajv's.
 */
import type { Ajv, AnySchema, Code, KeywordCxt } from 'ajv';
import { _, getProperty, Name, not, or, strConcat } from 'ajv/dist/compile/codegen/index.js';
import { alwaysValidSchema, Type, useFunc } from 'ajv/dist/compile/util.js';
import { validateSchemaDeps } from 'ajv/dist/vocabularies/applicator/dependencies.js';
import { noPropertyInData, propertyInData, reportMissingProp } from 'ajv/dist/vocabularies/code.js';
import type { Evaluation, KeywordPlace } from './evaluated.ts';
import { FUNCTIONS } from './keyword-functions.ts';
import { anyOfCode, joinNamesOnce, oneOfCode } from './large.ts';
import type { SchemaObject } from './subschemas.ts';

type KeywordCode = (cxt: KeywordCxt, ruleType?: string) => void;

/** Replaces the code of those keywords in `ajv`. `evaluation`: null if no schema has `unevaluated…`. */
export function correctKeywords(ajv: Ajv, evaluation: Evaluation | null): void {
  const change = (keyword: string, make: (builtin: KeywordCode) => KeywordCode): void => {
    const rule = ajv.RULES.all[keyword];
    if (typeof rule !== 'object' || !('code' in rule.definition)) return; // of another draft
    rule.definition.code = make(rule.definition.code as KeywordCode); // this Ajv's own copy
  };
  change('const', () => constCode);
  change('enum', () => enumCode);
  change('uniqueItems', () => uniqueItemsCode);
  change('multipleOf', () => multipleOfCode);
  change('required', requiredCode);
  change('dependentRequired', () => (cxt) => propertyDependencies(cxt, Object.entries(cxt.schema)));
  change('dependencies', () => dependenciesCode);
  change('contains', containsCode);
  change('prefixItems', tupleCode);
  change('items', tupleCode);
  change('anyOf', anyOfCode);
  change('oneOf', oneOfCode);
  for (const keyword of ['properties', 'patternProperties', 'dependentSchemas'])
    change(keyword, (builtin) => (cxt, type) => builtin(withAnyName(cxt), type));
  joinNamesOnce(ajv);
  // Where a schema has nothing but a reference, Ajv looks at its target instead. Inside of itself that has no end.
  ajv.RULES.all.$id = true;
  // Ajv keeps what is evaluated in variables, which may be missing where they are used.
  ajv.opts.unevaluated = false;
  if (evaluation === null) return;
  change('unevaluatedProperties', unevaluatedPropertiesCode(evaluation));
  change('unevaluatedItems', () => unevaluatedItemsCode(evaluation));
}

function linked(cxt: KeywordCxt, name: keyof typeof FUNCTIONS): Code {
  return useFunc(cxt.gen, FUNCTIONS[name]);
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null;
}

const constCode: KeywordCode = (cxt) => {
  const { data, schema, schemaCode } = cxt;
  if (isScalar(schema)) cxt.fail(_`${data} !== ${schema}`);
  else cxt.fail(_`!${linked(cxt, 'jsonEqual')}(${data}, ${schemaCode})`);
};

/** More values than this are compared by a function, not by code for each. */
const MOST_INLINE = 200;

const enumCode: KeywordCode = (cxt) => {
  const { data, schemaCode } = cxt;
  const schema = cxt.schema as unknown[]; // checked by the meta-schema
  const inline = schema.length > 0 && schema.length <= MOST_INLINE && schema.every(isScalar);
  if (inline)
    cxt.pass(or(...schema.map((value) => _`${data} === ${value as string}`))); // or another scalar
  else cxt.pass(_`${linked(cxt, 'isAmong')}(${data}, ${schemaCode})`);
};

const uniqueItemsCode: KeywordCode = (cxt) => {
  const { gen, data, schema } = cxt;
  if (schema !== true) return;
  const pair = gen.const('pair', _`${linked(cxt, 'repeatedItems')}(${data})`);
  cxt.setParams({ i: _`${pair}[1]`, j: _`${pair}[0]` });
  cxt.fail(_`${pair} !== null`);
};

/** Ajv's names for these in its code. */
const INSTANCE_PATH = new Name('instancePath');
const THIS = new Name('this');
const DYNAMIC_ANCHORS = new Name('dynamicAnchors');

const multipleOfCode: KeywordCode = (cxt) => {
  const { data, schemaCode, it } = cxt;
  const pointer = strConcat(INSTANCE_PATH, it.errorPath);
  const text = it.opts.passContext ? _`${THIS}?.numberText?.(${pointer})` : _`undefined`;
  cxt.fail(_`!${linked(cxt, 'isMultipleOf')}(${data}, ${schemaCode}, ${text})`);
};

/**
 * Inside `if`, `not` and similar keywords, Ajv regards a missing member "" as no error, unless it checks the names in a
 * loop.
 */
function requiredCode(builtin: KeywordCode): KeywordCode {
  return (cxt, type) => {
    const { opts } = cxt.it;
    const { loopRequired } = opts;
    if ((cxt.schema as unknown[]).includes('')) opts.loopRequired = 1; // the meta-schema guarantees a list
    try {
      builtin(cxt, type);
    } finally {
      opts.loopRequired = loopRequired;
    }
  };
}

/**
 * In a loop over arrays, Ajv's variable for the result keeps the value that it has from the array before, and an empty
 * array does not set it.
 */
function containsCode(builtin: KeywordCode): KeywordCode {
  return (cxt, type) => {
    const { minContains = 1, maxContains } = cxt.it.opts.next ? cxt.parentSchema : {};
    if (minContains !== 1 || maxContains !== undefined) return builtin(cxt, type); // it sets the variable
    withVariable(cxt, false, () => builtin(cxt, type));
  };
}

/**
 * The same for schemas of single items: for an array without such an item, the variable is not set. Then, inside `not`
 * and similar keywords, the keywords that follow do not count.
 */
function tupleCode(builtin: KeywordCode): KeywordCode {
  return (cxt, type) => {
    if (Array.isArray(cxt.schema)) withVariable(cxt, true, () => builtin(cxt, type));
    else builtin(cxt, type);
  };
}

/** If the code that `write` makes declares variables for results, the first one gets `value` where it is declared. */
function withVariable({ gen }: KeywordCxt, value: boolean, write: () => void): void {
  const { name } = gen;
  gen.name = (prefix) => {
    const made = name.call(gen, prefix);
    if (prefix === 'valid') {
      gen.name = name;
      gen.var(made, value);
    }
    return made;
  };
  write();
  gen.name = name;
}

/** `dependencies` of draft-07: names or a schema, by name. Ajv's own code leaves out the name `__proto__`. */
const dependenciesCode: KeywordCode = (cxt) => {
  const entries = Object.entries(cxt.schema as Readonly<Record<string, unknown>>); // checked by the meta-schema
  propertyDependencies(
    cxt,
    entries.filter(([, value]) => Array.isArray(value)),
  );
  const schemas = Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value)));
  validateSchemaDeps(withAnyName(cxt), schemas as Parameters<typeof validateSchemaDeps>[1]); // the same
};

/** Ajv encodes the names of subschemas for a URI, which half a surrogate pair cannot be in. */
function withAnyName(cxt: KeywordCxt): KeywordCxt {
  const { it } = cxt;
  const builtin = cxt.subschema.bind(cxt);
  cxt.subschema = (place, valid) => {
    const { keyword, schemaProp, ...data } = place;
    const name = String(schemaProp);
    if (keyword === undefined || schemaProp === undefined || name.isWellFormed())
      return builtin(place, valid);
    const named = {
      schema: (it.schema[keyword] as Readonly<Record<string, AnySchema>>)[name]!, // as the keyword's own code does
      schemaPath: _`${it.schemaPath}${getProperty(keyword)}${getProperty(name)}`,
      errSchemaPath: `${it.errSchemaPath}/${keyword}/${encodeURIComponent(name.toWellFormed())}`,
      topSchemaRef: it.topSchemaRef,
    };
    return builtin({ ...data, ...named }, valid);
  };
  return cxt;
}

/** The names required if another name is present. Ajv's own code ignores the empty name. */
function propertyDependencies(cxt: KeywordCxt, entries: readonly (readonly [string, unknown])[]): void {
  const { gen, data, it } = cxt;
  const { allErrors } = it;
  const { ownProperties } = it.opts;
  for (const [name, value] of entries) {
    const wanted = value as readonly string[]; // checked by the meta-schema
    if (wanted.length === 0) continue;
    const present = propertyInData(gen, data, _`${name}`, ownProperties);
    cxt.setParams({ property: name, depsCount: wanted.length, deps: wanted.join(', ') });
    if (allErrors) {
      gen.if(present, () => {
        for (const other of wanted) {
          gen.if(noPropertyInData(gen, data, _`${other}`, ownProperties), () => {
            cxt.setParams({ missingProperty: _`${other}` }, true);
            cxt.error();
          });
        }
      });
      continue;
    }
    const missing = gen.let('missing');
    const conditions = wanted.map(
      (other) =>
        _`(${noPropertyInData(gen, data, _`${other}`, ownProperties)} && ((${missing} = ${other}), true))`,
    );
    gen.if(_`${present} && (${or(...conditions)})`);
    reportMissingProp(cxt, missing);
    gen.else();
  }
}

/** A call of one of the functions of `evaluation` for the value. */
function evaluated(
  { gen, data, parentSchema, it }: KeywordCxt,
  evaluation: Evaluation,
  method: 'members' | 'otherItems',
): Code {
  const { self, schemaEnv, baseId } = it;
  const place: KeywordPlace = {
    ...{ ajv: self, schema: parentSchema as SchemaObject, root: schemaEnv.root, baseId },
  };
  const [object, at] = [evaluation, place].map((ref) => gen.scopeValue('obj', { ref }));
  const pointer = strConcat(INSTANCE_PATH, it.errorPath);
  const around = _`{context: ${THIS}, instancePath: ${pointer}, anchors: ${DYNAMIC_ANCHORS}}`;
  return _`${object}.${new Name(method)}(${at}, ${data}, ${around})`;
}

/** Ajv's own code, with other knowledge of what is evaluated. */
function unevaluatedPropertiesCode(evaluation: Evaluation) {
  return (builtin: KeywordCode): KeywordCode =>
    (cxt, type) => {
      const { gen, schema, it } = cxt;
      if (alwaysValidSchema(it, schema)) return;
      it.props = gen.const('evaluated', evaluated(cxt, evaluation, 'members'));
      builtin(cxt, type);
    };
}

function unevaluatedItemsCode(evaluation: Evaluation): KeywordCode {
  return (cxt) => {
    const { gen, schema, data, it } = cxt;
    if (alwaysValidSchema(it, schema)) return;
    const others = gen.const('others', evaluated(cxt, evaluation, 'otherItems'));
    if (schema === false) {
      cxt.setParams({ len: _`${data}.length - ${others}.length` });
      cxt.fail(_`${others}.length > 0`);
      return;
    }
    const valid = gen.var('valid', true);
    gen.forOf('i', others, (i) => {
      cxt.subschema({ keyword: 'unevaluatedItems', dataProp: i, dataPropType: Type.Num }, valid);
      if (!it.allErrors) gen.if(not(valid), () => gen.break());
    });
    cxt.ok(valid);
  };
}
