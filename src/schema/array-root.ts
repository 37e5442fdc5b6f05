/**
 * Whether a schema is about arrays at its root: then a top-level array is itself the payload, and not a list of
 * payloads. It is a question about what the schema says, not about what it accepts: without `type`, array keywords
 * accept every object.
 */
import type { Source } from '../types.ts';
import { isKeywordOf } from './keyword-drafts.ts';
import type { SchemaSet } from './load.ts';
import { resolve, resolveRef } from './refs.ts';
import { isSchemaObject, type Schema, type SchemaObject } from './subschemas.ts';

/** About arrays only; only about other values; about both; or it says nothing of arrays, and does not exclude them. */
export type ArrayRoot = 'array' | 'other' | 'either' | 'silent';

/** What a schema says of values: none of them is valid; nothing in particular; or something. */
type Say = 'none' | 'nothing' | 'something';

interface Says {
  readonly arrays: Say;
  readonly others: Say;
}

const ANYTHING: Says = { arrays: 'nothing', others: 'nothing' };
const NOTHING_VALID: Says = { arrays: 'none', others: 'none' };

const OF_ARRAYS = words(
  'items prefixItems additionalItems contains minItems maxItems uniqueItems unevaluatedItems',
);
const OF_OTHERS = words(`
  properties patternProperties additionalProperties propertyNames required dependentRequired dependentSchemas dependencies
  minProperties maxProperties unevaluatedProperties minLength maxLength pattern format minimum maximum exclusiveMinimum
  exclusiveMaximum multipleOf`);
const OTHER_TYPES = ['null', 'boolean', 'object', 'number', 'string'];

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** What `schema`, a subschema of `set`, is about. */
export function arrayRoot(schema: Schema, set: SchemaSet): ArrayRoot {
  const { arrays, others } = new Reader(set).says(schema);
  if (arrays === 'none') return 'other';
  if (others === 'none') return 'array';
  if (arrays === 'nothing') return 'silent';
  return others === 'something' ? 'either' : 'array';
}

/**
 * What a top-level array is to the schemas, for payloads of the kind `forced` (null: it is detected). If there are several kinds to
 * detect, it is a list. `isChosen`: the user has said what it is, as far as the schema leaves it open.
 */
export function arrayReading(set: SchemaSet, forced: string | null, isChosen: boolean): Source['arrays'] {
  const kind = set.kinds.find(({ name }) => name === forced);
  if (kind === undefined && set.kinds.length > 1) return undefined;
  const root = arrayRoot(kind?.schema ?? set.entry.schema, set);
  if (root === 'array') return 'payload';
  return root === 'either' && !isChosen ? 'unclear' : undefined;
}

class Reader {
  readonly #set: SchemaSet;
  readonly #known = new Map<SchemaObject, Says>();

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  says(schema: unknown): Says {
    if (schema === false) return NOTHING_VALID;
    if (!isSchemaObject(schema)) return ANYTHING;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    this.#known.set(schema, ANYTHING); // a reference to itself adds nothing
    const says = this.#saysObject(schema);
    this.#known.set(schema, says);
    return says;
  }

  #saysObject(schema: SchemaObject): Says {
    const { dialect } = this.#set;
    const references = this.#references(schema);
    if (dialect === 'draft-07' && references.length > 0) return both(references);
    const has = (name: string): boolean => schema[name] !== undefined && isKeywordOf(dialect, name);
    return both([
      ...references,
      ofTypes(schema.type),
      'const' in schema ? ofValues([schema.const]) : ANYTHING,
      Array.isArray(schema.enum) ? ofValues(schema.enum) : ANYTHING,
      {
        arrays: OF_ARRAYS.some(has) ? 'something' : 'nothing',
        others: OF_OTHERS.some(has) ? 'something' : 'nothing',
      },
      ...this.#all(schema.allOf),
      oneOf(this.#all(schema.anyOf)),
      oneOf(this.#all(schema.oneOf)),
      schema.not === undefined ? ANYTHING : this.#saysNot(schema.not),
      schema.if === undefined ? ANYTHING : this.#saysIf(schema),
    ]);
  }

  #references(schema: SchemaObject): Says[] {
    const { $ref, $recursiveRef, $dynamicRef } = schema;
    const found: Says[] = [];
    if (typeof $ref === 'string') found.push(this.says(resolveRef(this.#set, schema)));
    for (const reference of [$recursiveRef, $dynamicRef])
      if (typeof reference === 'string') found.push(this.#saysDynamic(schema, reference));
    return found;
  }

  /** Any of the schemas that the reference can lead to. */
  #saysDynamic(schema: SchemaObject, reference: string): Says {
    const target = resolve(this.#set, schema, reference);
    const name = isSchemaObject(target) ? target.$dynamicAnchor : undefined;
    const named = typeof name === 'string' ? this.#set.identifiers.dynamic.get(name) : undefined;
    return oneOf((named ?? [target]).map((one) => this.says(one)));
  }

  #all(schemas: unknown): Says[] {
    return Array.isArray(schemas) ? schemas.map((one) => this.says(one)) : [];
  }

  /** What it excludes is spoken of, but only a list of types, or `true`, excludes all arrays or all other values. */
  #saysNot(schema: unknown): Says {
    if (schema === true) return NOTHING_VALID;
    const { arrays, others } = this.says(schema);
    const types = isSchemaObject(schema) && isOnlyType(schema) ? ofTypes(schema.type) : null;
    return {
      arrays: types?.arrays === 'something' ? 'none' : spokenOf(arrays),
      others: types === null ? spokenOf(others) : coversOthers(schema) ? 'none' : 'nothing',
    };
  }

  #saysIf(schema: SchemaObject): Says {
    if (schema.then === undefined && schema.else === undefined) return ANYTHING;
    return oneOf([
      both([this.says(schema.if), this.says(schema.then)]),
      both([this.#saysNot(schema.if), this.says(schema.else)]),
    ]);
  }
}

function spokenOf(say: Say): Say {
  return say === 'something' ? 'something' : 'nothing';
}

function typesOf(type: unknown): string[] {
  return [type].flat().filter((one) => typeof one === 'string');
}

function coversOthers(schema: unknown): boolean {
  const types = isSchemaObject(schema) ? typesOf(schema.type) : [];
  return OTHER_TYPES.every((type) => types.includes(type));
}

function isOnlyType(schema: SchemaObject): boolean {
  const applied = words('$ref $recursiveRef $dynamicRef const enum allOf anyOf oneOf not if');
  return ![...applied, ...OF_ARRAYS, ...OF_OTHERS].some((name) => schema[name] !== undefined);
}

function ofTypes(type: unknown): Says {
  const types = typesOf(type);
  if (types.length === 0) return ANYTHING;
  const others = types.some((one) => one !== 'array');
  if (types.includes('array') && coversOthers({ type })) return ANYTHING; // every type there is
  return { arrays: types.includes('array') ? 'something' : 'none', others: others ? 'something' : 'none' };
}

function ofValues(values: readonly unknown[]): Says {
  return {
    arrays: values.some((value) => Array.isArray(value)) ? 'something' : 'none',
    others: values.some((value) => !Array.isArray(value)) ? 'something' : 'none',
  };
}

/** All of them apply. */
function both(all: readonly Says[]): Says {
  const join = (says: readonly Say[]): Say =>
    says.includes('none') ? 'none' : says.includes('something') ? 'something' : 'nothing';
  return { arrays: join(all.map(({ arrays }) => arrays)), others: join(all.map(({ others }) => others)) };
}

/** One of them applies, or several. Without any, there is no such keyword. */
function oneOf(all: readonly Says[]): Says {
  if (all.length === 0) return ANYTHING;
  const join = (says: readonly Say[]): Say =>
    says.includes('something') ? 'something' : says.includes('nothing') ? 'nothing' : 'none';
  const arrays = join(all.map((one) => one.arrays));
  const others = join(all.map((one) => one.others));
  // An alternative that accepts any array is not about arrays, so it is about the other values.
  const isMixed =
    arrays === 'something' && others === 'nothing' && all.some((one) => one.arrays === 'nothing');
  return { arrays, others: isMixed ? 'something' : others };
}
