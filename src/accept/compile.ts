/**
 * Schema to code. A subschema becomes code that reads one value at `p` and moves `p` after it, or returns "unsure" or
 * "surely invalid". A part of a schema that is not supported is unsure for every value that meets it.
 */

import { isContainer } from '../json/value.ts';
import { hasNumberOf, roundedValues } from '../schema/exact.ts';
import {
  isNode,
  type Keywords,
  keywordValue,
  madeSchema,
  type Schema,
  type SchemaNode,
} from '../schema/node.ts';
import type { SchemaSet } from '../schema/set.ts';
import {
  block,
  br,
  type Code,
  call,
  type FunctionCode,
  type GlobalCode,
  i32Const,
  if_,
  localGet,
} from '../wasm/assembler.ts';
import { ARRAY_KEYWORDS, arrayFunction } from './arrays.ts';
import { branchFunction } from './branches.ts';
import {
  type CompilerContext,
  type DefaultTexts,
  type FillableObject,
  type Guard,
  LOCALS,
  NO_CLUE,
  NO_GUARD,
  PARAMS,
  type Place,
  type Reading,
  toItsEnd,
} from './context.ts';
import { equalCode } from './equal.ts';
import { keywordsOf } from './keywords.ts';
import { OBJECT_KEYWORDS, objectFunction } from './objects.ts';
import type { Patterns } from './pattern-tables.ts';
import { INVALID, proceed, UNSURE } from './runtime.ts';
import { booleanCode, FIRST_BYTE, nullCode, numberCode, stringCode } from './scalars.ts';
import { type JsonType, namedTypes, TYPES, valuesOf } from './shape.ts';
import { Replacer } from './unevaluated.ts';
import { Unsupported } from './unsupported.ts';

/** Maximum number of values of `enum` and `const` in all schemas, counted once per use. */
const MAX_WORDS = 30_000;
/** With more values, the code is made once, as a function. */
const MANY_WORDS = 12;
/** Maximum number of functions: a schema can combine its parts in very many ways. */
const MAX_FUNCTIONS = 20_000;

interface CompilerOptions {
  readonly defaults: DefaultTexts | null;
  /** The names of the members to compile; null: all. */
  readonly names: ReadonlySet<string> | null;
  readonly patterns: Patterns;
}

export class Compiler implements CompilerContext {
  readonly set: SchemaSet;
  readonly defaults: DefaultTexts | null;
  readonly functions: FunctionCode[] = [];
  readonly fillable: FillableObject[] = [];
  readonly patterns: Patterns;
  exactPaths = true;
  /** Globals in which functions keep their state. */
  readonly globals: GlobalCode[] = [];
  /** Place to reason. */
  readonly unsure = new Map<string, string>();
  readonly #made = new Map<Schema, Map<string, string>>();
  readonly #paths = new Map<SchemaNode, string>();
  /** The schemas that are being compiled for one value: a reference to one of them would never end. */
  #open: ReadonlySet<SchemaNode> = new Set();
  #nextName = 0;
  #words = 0;

  readonly #replacer = new Replacer();

  /** The names of the members that are compiled; null: all. */
  readonly #names: ReadonlySet<string> | null;

  constructor(set: SchemaSet, { defaults, names, patterns }: CompilerOptions) {
    this.set = set;
    this.#names = names;
    this.defaults = defaults;
    this.patterns = patterns;
  }

  /** The target of a reference. Keywords that cannot be compiled are replaced by others, as far as possible. */
  #readable(schema: Schema): Schema {
    const target = this.targetOf(schema);
    // An object with defaults to fill in is known by its own schema.
    return isNode(target) && this.defaults === null ? this.#replacer.replace(target) : target;
  }

  /** A schema with only these keywords of `schema`, and those of `more`. */
  part(schema: SchemaNode, keywords: readonly string[], more: Keywords = {}): SchemaNode {
    const own = Object.fromEntries(keywords.map((keyword) => [keyword, keywordValue(schema, keyword)]));
    const { containsIsSilent = false } = schema;
    return madeSchema({ ...own, ...(containsIsSilent ? { containsIsSilent } : {}), ...more }, schema);
  }

  waits(name: string, schemas: readonly Schema[]): boolean {
    return this.#names !== null && !this.#names.has(name) && schemas.some((one) => this.#isLarge(one));
  }

  /** True if the code for a schema may be large: then it is compiled only when a payload needs it. */
  #isLarge(schema: Schema): boolean {
    const target = this.targetOf(schema);
    if (!isNode(target)) return false;
    return keywordsOf(target).branches.length > 0 || saysMore(target, 'object') || saysMore(target, 'array');
  }

  register(object: FillableObject): number {
    return this.fillable.push(object) - 1;
  }

  addGlobal(name: string): string {
    const unique = `${name} ${this.globals.length}`;
    this.globals.push({ name: unique, type: 'i32', initial: 0 });
    return unique;
  }

  /**
   * Makes the function for a whole payload of a kind and returns its name. `guard` tells the kind from the kinds before
   * it. Throws Unsupported if the guard cannot be applied.
   */
  kindFunction(schema: Schema, guard: Guard): string {
    if (!guard.object) return this.functionFor(schema, 'first', '');
    const target = this.#readable(schema);
    const isObject = isNode(target) && namedTypes(target).join() === 'object';
    if (!isObject || keywordsOf(target).branches.length > 0) {
      throw new Unsupported(
        'the entry schema tests for an object, and the schema does not have "type": "object"',
      );
    }
    const { unsupported } = keywordsOf(target);
    if (unsupported.length > 0) throw new Unsupported(`${target.origin.place}: ${unsupported[0]!.reason}`);
    const name = `payload ${this.#nextName++}`;
    this.functions.push(objectFunction(name, target, { guard, reading: 'first', path: '' }, this));
    return name;
  }

  value(schema: Schema, place: Place): Code {
    const target = this.#readable(schema);
    if (target === false) return INVALID;
    const { clue } = place;
    const hasClue = clue.allowed !== null || clue.forbidden.length > 0;
    if (target === true) return hasClue ? this.#own(ANYTHING, TYPES, place) : anyValue(place);
    const { branches, own, unsupported } = keywordsOf(target);
    const all = unsupported.find(({ types }) => types === null);
    if (all !== undefined) return this.#unsure(target, all.reason);
    if (branches.length > 0) {
      if (hasClue) return this.#unsure(target, 'a condition on the member by which kinds are told apart');
      return proceed(call(this.functionFor(target, place.reading, place.path), localGet('p'), place.depth));
    }
    if (own.length + unsupported.length === 0 && !hasClue) return anyValue(place);
    const isLong = Array.isArray(target.enum) && target.enum.length > MANY_WORDS && !hasClue;
    if (isLong) {
      return proceed(call(this.functionFor(target, place.reading, place.path), localGet('p'), place.depth));
    }
    return this.#own(target, namedTypes(target), place);
  }

  functionFor(schema: Schema, reading: Reading, path: string): string {
    const target = this.#readable(schema);
    return this.#once(target, `any ${reading}`, (name) => this.#wholeFunction(name, target, reading, path));
  }

  #wholeFunction(name: string, target: Schema, reading: Reading, path: string): FunctionCode {
    const place: Place = { reading, depth: localGet('depth'), path, clue: NO_CLUE };
    const plain = (code: Code): FunctionCode => ({
      ...{ name, params: PARAMS, result: 'i32', locals: LOCALS },
      body: [...code, ...localGet('p')],
    });
    if (!isNode(target)) return plain(this.value(target, place));
    const { branches, own, unsupported } = keywordsOf(target);
    const all = unsupported.find(({ types }) => types === null);
    if (all !== undefined) return plain(this.#unsure(target, all.reason));
    if (branches.length === 0) return plain(this.#own(target, namedTypes(target), place));
    return this.#branches(name, target, place, own.length + unsupported.length > 0);
  }

  #branches(name: string, target: SchemaNode, place: Place, hasOwn: boolean): FunctionCode {
    const { reading, path } = place;
    const unsure = (reason: string): FunctionCode => ({
      ...{ name, params: PARAMS, result: 'i32', locals: LOCALS },
      body: [...this.#unsure(target, reason), ...i32Const(0)],
    });
    if (this.#open.has(target)) return unsure('refers to itself for the same value');
    if (this.defaults !== null) return unsure('alternatives and conditions, beside defaults to fill in');
    const outer = this.#open;
    this.#open = new Set([...outer, target]);
    try {
      const own = hasOwn ? this.#own(target, namedTypes(target), place) : null;
      return branchFunction(name, target, { reading, path, own }, this);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return unsure(error.message);
    } finally {
      this.#open = outer;
    }
  }

  /** Code for the keywords of a schema other than those for branches. An empty schema is one without keywords. */
  #own(schema: SchemaNode, types: readonly JsonType[], place: Place): Code {
    if (types.length === 0) return INVALID;
    if (types.length === 1) {
      const [type] = types as [JsonType];
      // The code that reads a literal or a container checks the first byte itself.
      const isChecked = type !== 'string' && type !== 'number';
      const guard = isChecked ? [] : if_(FIRST_BYTE[type]!, [], INVALID);
      return [...guard, ...this.#typed(schema, type, place)];
    }
    const cases = types.map((type) =>
      if_(FIRST_BYTE[type]!, [...this.#typed(schema, type, place), ...br('value')]),
    );
    return block('value', ...cases, INVALID);
  }

  #typed(schema: SchemaNode, type: JsonType, place: Place): Code {
    try {
      const unsupported = keywordsOf(schema).unsupported.find(({ types }) => types?.includes(type));
      return unsupported === undefined
        ? this.#typedCode(schema, type, place)
        : this.#unsure(schema, unsupported.reason);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return this.#unsure(schema, error.message);
    }
  }

  #typedCode(schema: SchemaNode, type: JsonType, place: Place): Code {
    const { clue } = place;
    const values = valuesOf(schema);
    // The entry schema's test lists strings, so a value of another type fails it.
    if (clue.allowed !== null && type !== 'string') return INVALID;
    switch (type) {
      case 'string': {
        const own = values?.filter((value) => typeof value === 'string') ?? null;
        this.#addWords(own ?? clue.allowed ?? []);
        return stringCode(schema, own, clue, this);
      }
      case 'number': {
        const named: readonly unknown[] = [schema.type].flat();
        const isInteger = named.includes('integer') && !named.includes('number');
        const own = values?.filter((value) => typeof value === 'number') ?? null;
        this.#addWords(own ?? []);
        return numberCode(schema, isInteger, own, this);
      }
      case 'boolean':
        return booleanCode(values?.filter((value) => typeof value === 'boolean') ?? null);
      case 'null':
        return values === null || values.includes(null) ? nullCode : INVALID;
      case 'object':
      case 'array':
        return this.#container(schema, type, values, place);
    }
  }

  #addWords(words: readonly unknown[]): void {
    this.#words += words.length;
    if (this.#words > MAX_WORDS) throw new Unsupported(`more than ${MAX_WORDS} values of "enum"`);
  }

  #container(
    schema: SchemaNode,
    type: 'object' | 'array',
    values: readonly unknown[] | null,
    around: Place,
  ): Code {
    const place = values === null ? around : { ...around, reading: toItsEnd(around.reading) };
    const read = saysMore(schema, type)
      ? proceed(call(this.#containerFunction(schema, type, place), localGet('p'), place.depth))
      : [...if_(FIRST_BYTE[type]!, [], INVALID), ...anyValue(place)];
    if (values === null) return read;
    const own = values.filter(isContainer).filter((value) => Array.isArray(value) === (type === 'array'));
    if (own.length === 0) return INVALID;
    // A member that is filled in could make it differ.
    if (this.defaults !== null)
      throw new Unsupported('objects and arrays in "enum" and "const", beside defaults to fill in');
    const rounded = roundedValues(schema);
    return equalCode(
      own.filter((value) => !hasNumberOf(value, rounded)),
      read,
    );
  }

  #containerFunction(schema: SchemaNode, type: 'object' | 'array', { reading, path }: Place): string {
    const known = this.#paths.get(schema);
    if (known === undefined) this.#paths.set(schema, path);
    else this.exactPaths &&= known === path;
    // What is inside the value may refer to any schema.
    const outer = this.#open;
    this.#open = new Set();
    try {
      return this.#once(schema, `${type} ${reading}`, (name) =>
        type === 'object'
          ? objectFunction(name, schema, { guard: NO_GUARD, reading, path }, this)
          : arrayFunction(name, schema, { reading, path }, this),
      );
    } finally {
      this.#open = outer;
    }
  }

  /** The function that `make` makes for the schema, which is made once. It can be called before it is finished. */
  #once(schema: Schema, variant: string, make: (name: string) => FunctionCode): string {
    let made = this.#made.get(schema);
    if (made === undefined) {
      made = new Map();
      this.#made.set(schema, made);
    }
    const known = made.get(variant);
    if (known !== undefined) return known;
    if (this.functions.length > MAX_FUNCTIONS) throw new Unsupported('the schema has too many combinations');
    const place = isNode(schema) ? schema.origin.place : '';
    const name = `${variant} ${this.#nextName++} ${place}`.trimEnd();
    made.set(variant, name);
    try {
      this.functions.push(make(name));
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      // Functions that were made meanwhile may call it.
      const body = [...this.#unsure(schema, error.message), ...i32Const(0)];
      this.functions.push({ name, params: PARAMS, result: 'i32', locals: [], body });
    }
    return name;
  }

  /** The schema that a `$ref` without other keywords leads to, or the schema itself. */
  targetOf(schema: Schema): Schema {
    let target = schema;
    while (isNode(target) && target.$ref?.length === 1) {
      const { own, branches, unsupported } = keywordsOf(target);
      if (own.length + unsupported.length > 0 || branches.length > 1) break;
      target = target.$ref[0]!;
    }
    return target;
  }

  /** Records that a part of the schema is not supported. */
  #unsure(schema: Schema, reason: string): Code {
    const place = isNode(schema) ? schema.origin.place : '';
    if (!this.unsure.has(place)) this.unsure.set(place, reason);
    return UNSURE;
  }
}

/** A schema without keywords. */
const ANYTHING = madeSchema({});

/** Keywords about what is in an object or array. */
const CONTENT = { object: OBJECT_KEYWORDS, array: ARRAY_KEYWORDS } as const;

/** True if the schema says more of a container than its type. */
function saysMore(schema: SchemaNode, type: 'object' | 'array'): boolean {
  return CONTENT[type].some((keyword) => schema[keyword] !== undefined);
}

function anyValue({ reading, depth }: Place): Code {
  const p = localGet('p');
  if (reading === 'check') return [];
  return proceed(reading === 'again' ? call('skip', p) : call('any', p, depth));
}
