/**
 * Schema to code. A subschema becomes code that reads one value at `p` and moves `p` after it, or returns "unsure" or
 * "surely invalid". A part of a schema that is not supported is unsure for every value that meets it.
 */
import { memoized } from '../../json/on-demand.ts';
import { isContainer } from '../../json/value.ts';
import type { JsonType } from '../../json/vocabulary.ts';
import { Unsupported } from '../../keywords/keyword-code.ts';
import { DIALECT } from '../../schema/dialect.ts';
import { hasNumberOf, roundedValues } from '../../schema/exact.ts';
import { isNode, madeSchema, type Schema, type SchemaNode } from '../../schema/node.ts';
import type { SchemaSet } from '../../schema/set.ts';
import type { Code, FunctionCode, GlobalCode, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { INVALID, isNotAtP, p, proceed, UNSURE } from '../../wasm/templates.ts';
import { arrayCode } from './arrays.ts';
import { branchFunction } from './branches.ts';
import {
  type CompilerContext,
  type DefaultTexts,
  type FillableObject,
  type Guard,
  isOnePointer,
  type KindCondition,
  LOCALS,
  NO_CONDITION,
  NO_GUARD,
  namedTypes,
  PARAMS,
  type Reading,
  type ReadingPlace,
  TYPES,
  toItsEnd,
  valuesOf,
} from './context.ts';
import { keywordsOf, unsupportedIn } from './keywords.ts';
import { NoteSites, notingFunction } from './noting.ts';
import { type ObjectPlan, objectCode } from './objects.ts';
import type { Patterns } from './pattern-tables.ts';
import { booleanCode, FIRST_BYTE, nullCode, numberCode, stringCode } from './scalars.ts';
import { equalCode } from './text.ts';
import { withoutUnevaluated } from './unevaluated.ts';

/** Maximum number of values of `enum` and `const` in all schemas, counted once per use. */
const MAX_WORDS = 30_000;
/** With more values, the code is made once, as a function. */
const MANY_WORDS = 12;
/** Maximum number of functions: a schema can combine its parts in very many ways. */
const MAX_FUNCTIONS = 20_000;
/** Maximum number of noting functions: more of them cost more time than they save. */
const MAX_PLACES = 3000;

/** The path of values that do not all have the same pointer, see `isOnePointer`. */
const ANY_POINTER = '/*';

const NO_OBJECT = 'the entry schema tests for an object, and the schema does not have "type": "object"';

interface CompilerOptions {
  readonly defaults: DefaultTexts | null;
  readonly patterns: Patterns;
  /** There are functions that note violations. */
  readonly notes?: boolean;
}

export class Compiler implements CompilerContext {
  readonly set: SchemaSet;
  readonly defaults: DefaultTexts | null;
  readonly functions: FunctionCode[] = [];
  readonly fillable: FillableObject[] = [];
  readonly patterns: Patterns;
  readonly notes: NoteSites | null;
  exactPaths = true;
  readonly globals: GlobalCode[] = [];
  /** Place to reason. */
  readonly unsure = new Map<string, string>();
  /** By schema and variant: the name of a function. */
  readonly #made = memoized((_: Schema) => new Map<string, string>());
  readonly #paths = new Map<SchemaNode, string>();
  /** The schemas that are being compiled for one value: a reference to one of them would never end. */
  #open: ReadonlySet<SchemaNode> = new Set();
  #nextName = 0;
  #words = 0;

  /** The schemas around the one that is being compiled for notes, and the number of noting functions. */
  #around: ReadonlySet<SchemaNode> = new Set();
  #places = 0;

  constructor(set: SchemaSet, { defaults, patterns, notes }: CompilerOptions) {
    this.set = set;
    this.notes = notes === true ? new NoteSites(this) : null;
    this.defaults = defaults;
    this.patterns = patterns;
  }

  /** The target of a reference. Keywords that cannot be compiled are replaced by others, as far as possible. */
  #readable(schema: Schema, reading: Reading): Schema {
    const target = this.targetOf(schema);
    // An object with defaults to fill in is known by its own schema, and so is what is noted.
    const replaces = isNode(target) && this.defaults === null && reading !== 'note';
    return replaces ? withoutUnevaluated(target) : target;
  }

  register(object: FillableObject): number {
    return this.fillable.push(object) - 1;
  }

  addGlobal(name: string): string {
    const unique = `${name} ${this.globals.length}`;
    this.globals.push({ name: unique, type: 'i32', initial: 0 });
    return unique;
  }

  /** The name of the function for a whole payload. `guard` tells the kind from those before it. Throws Unsupported. */
  kindFunction(schema: Schema, guard: Guard, reading: 'first' | 'note'): string {
    if (!guard.object) return this.functionFor(schema, reading, '');
    const target = this.#readable(schema, reading);
    if (!isNode(target) || namedTypes(target).join() !== 'object') throw new Unsupported(NO_OBJECT);
    if (reading === 'first' && keywordsOf(target).branches.length > 0) throw new Unsupported(NO_OBJECT);
    const reason = reading === 'first' ? unsupportedIn(target, null) : null;
    if (reason !== null) throw new Unsupported(`${target.origin.place}: ${reason}`);
    const name = `payload ${this.#nextName++}`;
    const plan: ObjectPlan = { guard, reading, path: '' };
    this.functions.push(
      reading === 'first'
        ? asm.func(name, PARAMS, ...containerReader('object', target, plan, this))
        : notingFunction(name, target, plan, this),
    );
    return name;
  }

  value(schema: Schema, place: ReadingPlace): Code {
    const target = this.#readable(schema, place.reading);
    if (place.reading === 'note') return this.#noted(target, place);
    if (target === false) return INVALID;
    const { kindCondition } = place;
    const hasKindCondition = hasConditions(kindCondition);
    if (target === true) return hasKindCondition ? this.#own(ANYTHING, TYPES, place) : anyValue(place);
    const { branches, own } = keywordsOf(target);
    if (branches.length > 0 && hasKindCondition)
      return this.#unsure(target, 'a condition on the member by which kinds are told apart');
    if (branches.length > 0 || (target.enum !== undefined && target.enum.length > MANY_WORDS && !hasKindCondition))
      return proceed(asm.call(this.functionFor(target, place.reading, place.path), 'p', place.depth));
    if (own.length === 0 && !hasKindCondition) return anyValue(place);
    return this.#own(target, namedTypes(target), place);
  }

  /**
   * The code of `value` in the way `note`, which calls a function. If the condition does not hold, the payload is of
   * another kind.
   */
  #noted(target: Schema, place: ReadingPlace): Code {
    if (target === false) return UNSURE;
    const { kindCondition, depth, path } = place;
    const read = isNode(target)
      ? proceed(asm.call(this.functionFor(target, 'note', path), 'p', depth))
      : anyValue(place);
    if (!hasConditions(kindCondition)) return read;
    const isString = this.#typed(ANYTHING, 'string', { ...place, reading: 'first' });
    return [
      asm.localSet('at', 'p'),
      asm.if_(FIRST_BYTE.string!, isString, kindCondition.allowed === null ? [] : INVALID),
      asm.localSet('p', 'at'),
      read,
    ];
  }

  functionFor(schema: Schema, reading: Reading, path: string): string {
    const target = this.#readable(schema, reading);
    if (reading === 'note' && isNode(target)) return this.#notingFunction(target, path);
    const make = (name: string): FunctionCode => this.#wholeFunction(name, target, reading, path);
    return this.#once(target, `any ${reading}`, this.#orUnsure(target, make));
  }

  /** A noting function for each pointer. Throws Unsupported. */
  #notingFunction(schema: SchemaNode, path: string): string {
    // A schema inside of itself has more pointers than can be counted.
    const place = isOnePointer(path) && !this.#around.has(schema) ? path : ANY_POINTER;
    return this.#once(schema, `noted ${place}`, (name) => {
      if (++this.#places > MAX_PLACES) throw new Unsupported('the schema has too many places');
      const outer = this.#around;
      this.#around = new Set([...outer, schema]);
      const made = notingFunction(name, schema, { guard: NO_GUARD, reading: 'note', path: place }, this);
      this.#around = outer;
      return made;
    });
  }

  #wholeFunction(name: string, target: Schema, reading: Reading, path: string): FunctionCode {
    const place: ReadingPlace = { reading, depth: asm.localGet('depth'), path, kindCondition: NO_CONDITION };
    const plain = (code: Code): FunctionCode => asm.func(name, PARAMS, LOCALS, [...code, asm.localGet('p')]);
    if (!isNode(target)) return plain(this.value(target, place));
    const { branches, own } = keywordsOf(target);
    if (branches.length === 0) return plain(this.#own(target, namedTypes(target), place));
    return this.#branches(name, target, place, own.length > 0);
  }

  #branches(name: string, target: SchemaNode, place: ReadingPlace, hasOwn: boolean): FunctionCode {
    const { reading, path } = place;
    if (this.#open.has(target)) throw new Unsupported('refers to itself for the same value');
    if (this.defaults !== null) throw new Unsupported('alternatives and conditions, beside defaults to fill in');
    const outer = this.#open;
    this.#open = new Set([...outer, target]);
    try {
      const own = hasOwn ? this.#own(target, namedTypes(target), place) : null;
      return branchFunction(name, target, { reading, path, own }, this);
    } finally {
      this.#open = outer;
    }
  }

  /** Code for the keywords of a schema other than those for branches. An empty schema is one without keywords. */
  #own(schema: SchemaNode, types: readonly JsonType[], place: ReadingPlace): Code {
    if (types.length === 0) return INVALID;
    if (types.length === 1) {
      const [type] = types as [JsonType];
      // The code that reads a literal or a container checks the first byte itself.
      const isChecked = type !== 'string' && type !== 'number';
      const guard = isChecked ? [] : asm.if_(FIRST_BYTE[type]!, [], INVALID);
      return [guard, this.#typed(schema, type, place)];
    }
    const cases = types.map((type) => asm.if_(FIRST_BYTE[type]!, [this.#typed(schema, type, place), asm.br('value')]));
    return asm.block('value', ...cases, INVALID);
  }

  #typed(schema: SchemaNode, type: JsonType, place: ReadingPlace): Code {
    try {
      const reason = unsupportedIn(schema, type);
      return reason === null ? this.#typedCode(schema, type, place) : this.#unsure(schema, reason);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return this.#unsure(schema, error.message);
    }
  }

  #typedCode(schema: SchemaNode, type: JsonType, place: ReadingPlace): Code {
    const { kindCondition } = place;
    const values = valuesOf(schema);
    // The entry schema's test lists strings, so a value of another type fails it.
    if (kindCondition.allowed !== null && type !== 'string') return INVALID;
    switch (type) {
      case 'string': {
        const own = values?.filter((value) => typeof value === 'string') ?? null;
        this.#addWords(own ?? kindCondition.allowed ?? []);
        return stringCode(schema, own, kindCondition, this);
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
    around: ReadingPlace,
  ): Code {
    const place = values === null ? around : { ...around, reading: toItsEnd(around.reading) };
    const saysMore = keywordsOf(schema).own.some((keyword) => DIALECT[keyword].about?.includes(type));
    const read = saysMore
      ? proceed(asm.call(this.#containerFunction(schema, type, place), 'p', place.depth))
      : [asm.if_(FIRST_BYTE[type]!, [], INVALID), anyValue(place)];
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

  #containerFunction(schema: SchemaNode, type: 'object' | 'array', { reading, path }: ReadingPlace): string {
    const known = this.#paths.get(schema);
    if (known === undefined) this.#paths.set(schema, path);
    else this.exactPaths &&= known === path;
    // What is inside the value may refer to any schema.
    const outer = this.#open;
    this.#open = new Set();
    try {
      const plan: ObjectPlan = { guard: NO_GUARD, reading, path };
      const make = (name: string): FunctionCode => asm.func(name, PARAMS, ...containerReader(type, schema, plan, this));
      return this.#once(schema, `${type} ${reading}`, this.#orUnsure(schema, make));
    } finally {
      this.#open = outer;
    }
  }

  /** The function that `make` makes for the schema, which is made once. It can be called before it is finished. */
  #once(schema: Schema, variant: string, make: (name: string) => FunctionCode): string {
    const made = this.#made(schema);
    const known = made.get(variant);
    if (known !== undefined) return known;
    if (this.functions.length > MAX_FUNCTIONS) throw new Unsupported('the schema has too many combinations');
    const place = isNode(schema) ? schema.origin.place : '';
    const name = `${variant} ${this.#nextName++} ${place}`.trimEnd();
    made.set(variant, name);
    this.functions.push(make(name));
    return name;
  }

  /** What `make` makes, or a function that is unsure: functions that were made meanwhile may call it. */
  #orUnsure(schema: Schema, make: (name: string) => FunctionCode): (name: string) => FunctionCode {
    return (name) => {
      try {
        return make(name);
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        const body = [this.#unsure(schema, error.message), asm.i32Const(0)];
        return asm.func(name, PARAMS, [], body);
      }
    };
  }

  /** The schema that a `$ref` without other keywords leads to, or the schema itself. */
  targetOf(schema: Schema): Schema {
    let target = schema;
    while (isNode(target) && target.$ref?.length === 1) {
      const { own, branches } = keywordsOf(target);
      if (own.length > 0 || branches.length > 1) break;
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

function hasConditions({ allowed, forbidden }: KindCondition): boolean {
  return allowed !== null || forbidden.length > 0;
}

const ANYTHING = madeSchema({});

/** The opening bracket of a container, and the code that reads it. */
const CONTAINERS = { object: { opening: 0x7b, code: objectCode }, array: { opening: 0x5b, code: arrayCode } } as const;

/** The locals and the body of the function that reads a container, which any other value is not. */
function containerReader(
  type: 'object' | 'array',
  schema: SchemaNode,
  plan: ObjectPlan,
  compiler: CompilerContext,
): readonly [locals: Variables, body: Code] {
  const { opening, code } = CONTAINERS[type];
  const { locals, body } = code(schema, plan, compiler);
  return [
    [...LOCALS, ...locals],
    [asm.if_(isNotAtP(opening), INVALID), body],
  ];
}

function anyValue({ reading, depth }: ReadingPlace): Code {
  if (reading === 'check') return [];
  return proceed(reading === 'again' ? asm.call('skip', p) : asm.call('any', p, depth));
}
