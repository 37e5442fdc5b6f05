/**
 * Schema to code: a subschema becomes code that reads one value at `p` and moves `p` behind it, or returns "unsure". What it does not
 * know it refuses as a whole, with the reason, and the kind is examined instead.
 */

import { isSchemaObject, type Schema, type SchemaObject, type SchemaSet } from '../schema/load.ts';
import { resolveRef } from '../schema/refs.ts';
import { block, branch, type Code, call, eqz, type FunctionCode, get, i32, when } from '../wasm/assembler.ts';
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

/** Says nothing about validity. */
const ANNOTATIONS = new Set(
  (
    '$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly ' +
    'contentEncoding contentMediaType contentSchema'
  ).split(' '),
);

/**
 * The types that a keyword speaks of; a keyword that is in neither table makes the schema unsupported. None of these can turn against a member
 * that is filled in. One that can, such as `maxProperties`, is to be unsupported where defaults are.
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

/** Each is code of its own, and looked at one after another: beyond so many in all schemas, Ajv is as fast. */
const MAX_WORDS = 2000;

const NO_CLUE: Clue = { allowed: null, forbidden: [] };

export class Compiler implements CompilerContext {
  readonly #set: SchemaSet;
  /** The defaults that are filled in, or thought to be; null where they are not. */
  readonly defaults: DefaultTexts | null;
  readonly functions: FunctionCode[] = [];
  /** The objects that can lack members with a default, by the number that notes give them. */
  readonly fillable: FillableObject[] = [];
  /** False where a schema stands at more than one path, so that the paths of the fillable objects may be others. */
  exactPaths = true;
  readonly #made = { object: new Map<SchemaObject, string>(), array: new Map<SchemaObject, string>() };
  readonly #paths = new Map<SchemaObject, string>();
  #nextName = 0;
  /** Values of "enum" and "const" so far. */
  #words = 0;

  constructor(set: SchemaSet, defaults: DefaultTexts | null) {
    this.#set = set;
    this.defaults = defaults;
  }

  /** Gives a fillable object its number. */
  register(object: FillableObject): number {
    return this.fillable.push(object) - 1;
  }

  /** The function for a whole payload of a kind; `guard` holds what tells it from the kinds before it. */
  kindFunction(schema: Schema, guard: Guard): string {
    const name = `payload ${this.#nextName++}`;
    if (!guard.object) {
      const body = [...this.value(schema, i32(0), ''), ...get('p')];
      this.functions.push({ name, params: PARAMS, result: 'i32', locals: LOCALS, body });
      return name;
    }
    const target = this.#target(schema);
    if (!isSchemaObject(target) || this.#check(target).join() !== 'object') {
      throw new Unsupported(
        'the test of the door asks for an object, and the schema does not say "type": "object"',
      );
    }
    this.functions.push(objectFunction(name, target, guard, this, ''));
    return name;
  }

  /**
   * Code for a value at `p`, no white space before it. `depth`: the brackets open around it; `path`: where it stands, as a
   * pointer with `*` for any index.
   */
  value(schema: Schema, depth: Code, path: string, clue: Clue = NO_CLUE): Code {
    const target = this.#target(schema);
    if (target === false) return UNSURE;
    const types = target === true ? TYPES : this.#check(target);
    const hasClue = clue.allowed !== null || clue.forbidden.length > 0;
    if (!hasClue && (target === true || saysNothing(target))) return proceed(call('any', get('p'), depth));
    const keywords = target === true ? {} : target;
    if (types.length === 1)
      return [...guardType(types[0]!), ...this.#typed(keywords, types[0]!, depth, path, clue)];
    const cases = types.map((type) =>
      when(FIRST_BYTE[type]!, [...this.#typed(keywords, type, depth, path, clue), ...branch('value')]),
    );
    return block('value', ...cases, UNSURE);
  }

  #typed(schema: SchemaObject, type: JsonType, depth: Code, path: string, clue: Clue): Code {
    const values = valuesOf(schema);
    // A clue that lists texts is no number and no object.
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
        return proceed(call(this.#containerFunction(schema, type, path), get('p'), depth));
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
    // Known before it is made, so that a schema can refer to itself.
    this.#made[type].set(schema, name);
    const isObject = type === 'object';
    const code = isObject
      ? objectFunction(name, schema, NO_GUARD, this, path)
      : arrayFunction(name, schema, this, path);
    this.functions.push(code);
    return name;
  }

  /**
   * Drops what was made for a kind that then turned out to be unsupported: all since there were so many functions. Some of
   * them may call what was only begun.
   */
  forget(functions: number): void {
    this.functions.length = functions;
    const whole = new Set(this.functions.map(({ name }) => name));
    for (const made of Object.values(this.#made)) {
      for (const [schema, name] of made) if (!whole.has(name)) made.delete(schema);
    }
  }

  /** The schema behind any `$ref`. */
  #target(schema: Schema): Schema {
    let target = schema;
    for (let hops = 0; isSchemaObject(target) && target.$ref !== undefined; hops++) {
      const beside = Object.keys(target).find((keyword) => keyword !== '$ref' && !ANNOTATIONS.has(keyword));
      // In draft-07 it is ignored.
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

  /** The types that a schema leaves; throws Unsupported for a keyword it does not know. */
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
  // Reading a literal or a container function looks at the first byte itself.
  if (type === 'boolean' || type === 'null' || type === 'object' || type === 'array') return [];
  return when(eqz(FIRST_BYTE[type]!), UNSURE);
}

function typesOf({ type }: SchemaObject): readonly unknown[] {
  return type === undefined ? [] : Array.isArray(type) ? type : [type];
}

/** The values that `enum` and `const` leave; null where there is neither. */
function valuesOf(schema: SchemaObject): readonly unknown[] | null {
  const listed = Array.isArray(schema.enum) ? (schema.enum as readonly unknown[]) : null;
  if (!('const' in schema)) return listed;
  return listed === null || listed.includes(schema.const) ? [schema.const] : [];
}

function saysNothing(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}
