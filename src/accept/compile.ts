/**
 * Schema to code. A subschema becomes code that reads one value at `p` and moves `p` after it, or returns "unsure". A
 * schema with an unknown keyword is refused as a whole, with the reason, and its kind is examined instead.
 */

import { isSchemaObject, type Schema, type SchemaObject, type SchemaSet } from '../schema/load.ts';
import { resolveRef } from '../schema/refs.ts';
import {
  block,
  br,
  type Code,
  call,
  type FunctionCode,
  i32Const,
  i32Eqz,
  if_,
  localGet,
} from '../wasm/assembler.ts';
import { arrayFunction } from './arrays.ts';
import {
  type Clue,
  type CompilerContext,
  type DefaultTexts,
  type FillableObject,
  type Guard,
  LOCALS,
  NO_GUARD,
  PARAMS,
} from './context.ts';
import { objectFunction } from './objects.ts';
import { proceed, UNSURE } from './runtime.ts';
import { booleanCode, FIRST_BYTE, nullCode, numberCode, stringCode } from './scalars.ts';
import { Unsupported } from './unsupported.ts';

/** Keywords that do not affect validity. */
const ANNOTATIONS = new Set(
  (
    '$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly ' +
    'contentEncoding contentMediaType contentSchema'
  ).split(' '),
);

/**
 * The keywords that can be compiled, with the types they apply to. A keyword that is in neither table makes the schema
 * unsupported. None of these can fail because a member is filled in. A keyword that can, such as `maxProperties`, must
 * stay unsupported if defaults are filled in.
 */
const ASSERTIONS: Readonly<Record<string, readonly JsonType[]>> = {
  type: [],
  enum: [],
  const: [],
  minLength: ['string'],
  maxLength: ['string'],
  minimum: ['number'],
  maximum: ['number'],
  exclusiveMinimum: ['number'],
  exclusiveMaximum: ['number'],
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
};

type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';
const TYPES: readonly JsonType[] = ['string', 'object', 'number', 'boolean', 'array', 'null'];

/**
 * Most values of `enum` and `const` in all schemas. Each has code of its own, and they are compared one after another:
 * with more, Ajv is as fast.
 */
const MAX_WORDS = 2000;

const NO_CLUE: Clue = { allowed: null, forbidden: [] };

export class Compiler implements CompilerContext {
  readonly #set: SchemaSet;
  /** The defaults to fill in, or to regard as filled in; null if there are none. */
  readonly defaults: DefaultTexts | null;
  readonly functions: FunctionCode[] = [];
  /** The objects that can have gaps. A gap refers to its object by index. */
  readonly fillable: FillableObject[] = [];
  /** False if a schema is used at more than one path: then a fillable object's path is not the only one. */
  exactPaths = true;
  readonly #made = { object: new Map<SchemaObject, string>(), array: new Map<SchemaObject, string>() };
  readonly #paths = new Map<SchemaObject, string>();
  #nextName = 0;
  /** Values of `enum` and `const` so far. */
  #words = 0;

  constructor(set: SchemaSet, defaults: DefaultTexts | null) {
    this.#set = set;
    this.defaults = defaults;
  }

  /** Adds a fillable object and returns its number. */
  register(object: FillableObject): number {
    return this.fillable.push(object) - 1;
  }

  /**
   * Makes the function for a whole payload of a kind and returns its name. `guard` tells the kind from the kinds before
   * it.
   */
  kindFunction(schema: Schema, guard: Guard): string {
    const name = `payload ${this.#nextName++}`;
    if (!guard.object) {
      const body = [...this.value(schema, i32Const(0), ''), ...localGet('p')];
      this.functions.push({ name, params: PARAMS, result: 'i32', locals: LOCALS, body });
      return name;
    }
    const target = this.#target(schema);
    if (!isSchemaObject(target) || this.#check(target).join() !== 'object') {
      throw new Unsupported(
        'the entry schema tests for an object, and the schema does not have "type": "object"',
      );
    }
    this.functions.push(objectFunction(name, target, guard, this, ''));
    return name;
  }

  /**
   * Code for a value at `p`, with no white space before it. `depth`: number of open brackets around it; `path`: its
   * place, as a pointer with `*` for any index.
   */
  value(schema: Schema, depth: Code, path: string, clue: Clue = NO_CLUE): Code {
    const target = this.#target(schema);
    if (target === false) return UNSURE;
    const types = target === true ? TYPES : this.#check(target);
    const hasClue = clue.allowed !== null || clue.forbidden.length > 0;
    if (!hasClue && (target === true || hasOnlyAnnotations(target)))
      return proceed(call('any', localGet('p'), depth));
    const keywords = target === true ? {} : target;
    if (types.length === 1)
      return [...guardType(types[0]!), ...this.#typed(keywords, types[0]!, depth, path, clue)];
    const cases = types.map((type) =>
      if_(FIRST_BYTE[type]!, [...this.#typed(keywords, type, depth, path, clue), ...br('value')]),
    );
    return block('value', ...cases, UNSURE);
  }

  #typed(schema: SchemaObject, type: JsonType, depth: Code, path: string, clue: Clue): Code {
    const values = valuesOf(schema);
    // The entry schema's test lists strings, so a value of another type fails it.
    if (clue.allowed !== null && type !== 'string') return UNSURE;
    switch (type) {
      case 'string': {
        const own = values?.filter((value) => typeof value === 'string') ?? null;
        const allowed =
          own !== null && clue.allowed !== null ? own.filter((text) => clue.allowed!.includes(text)) : own;
        this.#words += (allowed ?? clue.allowed ?? []).length;
        if (this.#words > MAX_WORDS) throw new Unsupported(`more than ${MAX_WORDS} values of "enum"`);
        return stringCode(schema, allowed ?? clue.allowed, clue.forbidden);
      }
      case 'number': {
        const integer = typesOf(schema).includes('integer') && !typesOf(schema).includes('number');
        return numberCode(schema, integer, values?.filter((value) => typeof value === 'number') ?? null);
      }
      case 'boolean':
        return booleanCode(values?.filter((value) => typeof value === 'boolean') ?? null);
      case 'null':
        return values === null || values.includes(null) ? nullCode : UNSURE;
      case 'object':
      case 'array':
        if (values !== null) return UNSURE;
        return proceed(call(this.#containerFunction(schema, type, path), localGet('p'), depth));
    }
  }

  #containerFunction(schema: SchemaObject, type: 'object' | 'array', path: string): string {
    const known = this.#made[type].get(schema);
    if (known !== undefined) {
      this.exactPaths &&= this.#paths.get(schema) === path;
      return known;
    }
    this.#paths.set(schema, path);
    const name = `${type} ${this.#nextName++} ${this.#set.locations.get(schema) ?? ''}`.trimEnd();
    // Registered before it is made, so that a schema can refer to itself.
    this.#made[type].set(schema, name);
    const isObject = type === 'object';
    const code = isObject
      ? objectFunction(name, schema, NO_GUARD, this, path)
      : arrayFunction(name, schema, this, path);
    this.functions.push(code);
    return name;
  }

  /**
   * Removes the functions made for a kind that proved to be unsupported: all from index `functions` on. Some of them
   * may call a function that was never finished.
   */
  forget(functions: number): void {
    this.functions.length = functions;
    const whole = new Set(this.functions.map(({ name }) => name));
    for (const made of Object.values(this.#made)) {
      for (const [schema, name] of made) if (!whole.has(name)) made.delete(schema);
    }
  }

  /** The schema that `$ref` leads to, or the schema itself if it has none. */
  #target(schema: Schema): Schema {
    let target = schema;
    for (let hops = 0; isSchemaObject(target) && target.$ref !== undefined; hops++) {
      const beside = Object.keys(target).find((keyword) => keyword !== '$ref' && !ANNOTATIONS.has(keyword));
      // Draft-07 ignores keywords beside `$ref`.
      if (beside !== undefined && this.#set.dialect !== 'draft-07') {
        throw new Unsupported(`${this.#where(target)}: "${beside}" beside "$ref"`);
      }
      const next = resolveRef(this.#set, target);
      if (next === undefined || hops > 100)
        throw new Unsupported(`${this.#where(target)}: a $ref that is not followed`);
      target = next;
    }
    return target;
  }

  /** The types that a schema allows. Throws Unsupported for an unknown keyword. */
  #check(schema: SchemaObject): readonly JsonType[] {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === '$id' && this.#set.documents.every((document) => document.schema !== schema)) {
        throw new Unsupported(`${this.#where(schema)}: "$id" inside a schema`);
      }
      if (ANNOTATIONS.has(keyword)) continue;
      if (!Object.hasOwn(ASSERTIONS, keyword))
        throw new Unsupported(`${this.#where(schema)}: the keyword "${keyword}"`);
      if (keyword === 'items' && Array.isArray(value))
        throw new Unsupported(`${this.#where(schema)}: "items" as a list`);
    }
    if (valuesOf(schema)?.some((value) => typeof value === 'object' && value !== null)) {
      throw new Unsupported(`${this.#where(schema)}: an object or array in "enum" or "const"`);
    }
    const named = typesOf(schema);
    if (named.length === 0) return TYPES;
    return TYPES.filter((type) => named.includes(type) || (type === 'number' && named.includes('integer')));
  }

  #where(schema: SchemaObject): string {
    return this.#set.locations.get(schema) ?? 'the schema';
  }
}

function guardType(type: JsonType): Code {
  // The code that reads a literal or a container checks the first byte itself.
  if (type === 'boolean' || type === 'null' || type === 'object' || type === 'array') return [];
  return if_(i32Eqz(FIRST_BYTE[type]!), UNSURE);
}

function typesOf({ type }: SchemaObject): readonly unknown[] {
  return type === undefined ? [] : Array.isArray(type) ? type : [type];
}

/** The values that `enum` and `const` allow; null if the schema has neither. */
function valuesOf(schema: SchemaObject): readonly unknown[] | null {
  const listed = Array.isArray(schema.enum) ? (schema.enum as readonly unknown[]) : null;
  if (!('const' in schema)) return listed;
  return listed === null || listed.includes(schema.const) ? [schema.const] : [];
}

function hasOnlyAnnotations(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}
