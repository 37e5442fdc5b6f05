/**
 * Which members or items of a value the keywords of a schema evaluate: the annotations of JSON Schema, which
 * `unevaluatedProperties` and `unevaluatedItems` need. Ajv's own code for them fails at run time for some schemas, and
 * is wrong about `contains`, and about `if` without `then`.
 *
 * Subschemas that always apply to the value itself count even if they fail: then the value is invalid anyway. Those of
 * `anyOf`, `oneOf`, `if` and `contains` count if the value matches them. Another Ajv is asked for that.
 */
import type { Ajv, ValidateFunction } from 'ajv';
import { compileSchema, resolveRef, SchemaEnv } from 'ajv/dist/compile/index.js';
import { resolveUrl } from 'ajv/dist/compile/resolve.js';
import type { NumberTexts } from './keyword-functions.ts';
import { isSchemaObject, type Schema, type SchemaObject } from './subschemas.ts';

/** The functions that dynamic references lead to, by name. */
type Anchors = Readonly<Record<string, ValidateFunction>>;

/** Where a schema is for Ajv, which decides where its references lead. */
interface Scope {
  readonly ajv: Ajv;
  readonly root: SchemaEnv;
  readonly baseId: string;
  readonly anchors: Anchors;
}

/** The schema with the keyword, as Ajv has it while it compiles the keyword. */
export interface KeywordPlace extends Omit<Scope, 'anchors'> {
  readonly schema: SchemaObject;
}

/** What Ajv's code knows of a value. */
interface Around {
  readonly context: Partial<NumberTexts> | undefined;
  readonly instancePath: string;
}

interface Applied extends Around {
  readonly anchors: Anchors;
}

type JsonObject = Readonly<Record<string, unknown>>;
type Container = JsonObject | readonly unknown[];

/** An answer about one value and one schema. */
interface Verdict {
  readonly anchors: Anchors;
  /** The value as text, if it can change. */
  readonly text: string | null;
  readonly valid: boolean;
}

export interface EvaluationOptions {
  readonly is2020: boolean;
  /** Values can change between two questions, because defaults are being filled in. */
  readonly changes: boolean;
  /** Makes an Ajv with the same schemas that fills nothing in; it is called when that is first needed. */
  readonly makeAjv: () => Ajv;
}

/** What a set of schemas evaluates. */
export class Evaluation {
  readonly #options: EvaluationOptions;
  #made: Ajv | null = null;
  readonly #functions = new WeakMap<object, ValidateFunction>();
  readonly #patterns = new Map<string, { test(text: string): boolean }>();
  /** By value and schema. Without them, the time would double with every level of a recursive schema. */
  readonly #verdicts = new WeakMap<object, Map<object, Verdict[]>>();
  readonly #says = { object: new WeakMap<object, boolean>(), array: new WeakMap<object, boolean>() };

  constructor(options: EvaluationOptions) {
    this.#options = options;
  }

  get is2020(): boolean {
    return this.#options.is2020;
  }

  /** The members of `object` that are evaluated, as an object with a member `true` for each; or `true`: all are. */
  members(place: KeywordPlace, object: JsonObject, applied: Applied): true | Record<string, true> {
    const found = this.#collect(place, object, applied);
    if (found.all) return true;
    const names: Record<string, true> = Object.create(null); // a member can be called "__proto__"
    for (const name of found.keys) names[name] = true;
    return names;
  }

  /** The indexes of the items of `array` that are not evaluated. */
  otherItems(place: KeywordPlace, array: readonly unknown[], applied: Applied): readonly number[] {
    const found = this.#collect(place, array, applied);
    return found.all ? [] : [...array.keys()].filter((index) => !found.keys.has(index));
  }

  #collect({ schema, ...place }: KeywordPlace, value: Container, { anchors, ...around }: Applied): Collector {
    const collector = new Collector(this, value, around);
    collector.collectBeside(schema, { ...place, anchors: { ...anchors } });
    return collector;
  }

  /** Whether `value` matches the schema, which is in `scope`. */
  matches(schema: Schema, value: unknown, scope: Scope, around: Around): boolean {
    if (!isSchemaObject(schema)) return schema;
    if (typeof value !== 'object' || value === null) return this.#ask(schema, value, scope, around);
    const ofValue = this.#verdicts.get(value) ?? new Map<object, Verdict[]>();
    this.#verdicts.set(value, ofValue);
    const verdicts = ofValue.get(schema) ?? [];
    ofValue.set(schema, verdicts);
    const text = this.#options.changes ? JSON.stringify(value) : null;
    const known = verdicts.find((one) => one.text === text && areSame(one.anchors, scope.anchors));
    if (known !== undefined) return known.valid;
    const valid = this.#ask(schema, value, scope, around);
    verdicts.push({ anchors: scope.anchors, text, valid });
    return valid;
  }

  #ask(schema: SchemaObject, value: unknown, scope: Scope, { context, instancePath }: Around): boolean {
    const anchors = Object.entries(scope.anchors).map(([name, validate]) => [name, this.#own(validate)]);
    const data = { instancePath, dynamicAnchors: Object.fromEntries(anchors) };
    // Ajv's code takes these from its callers, too.
    const call = data as unknown as Parameters<ValidateFunction>[1];
    return this.#function(schema, scope).call({ numberText: context?.numberText }, value, call) as boolean; // ours are not asynchronous
  }

  get #ajv(): Ajv {
    this.#made ??= this.#options.makeAjv();
    return this.#made;
  }

  /** The function for a schema that is in `scope`. */
  #function(schema: SchemaObject, { root: { baseId: rootId }, baseId }: Omit<Scope, 'ajv' | 'anchors'>) {
    const known = this.#functions.get(schema);
    if (known !== undefined) return known;
    const { root } = this.#ajv.getSchema(rootId)!.schemaEnv; // it has the same schemas
    const { localRefs, meta = false } = root;
    const { schemaId } = this.#ajv.opts;
    const env = new SchemaEnv({ schema, schemaId, root, baseId, meta, ...(localRefs && { localRefs }) });
    const made = schema === root.schema ? root : compileSchema.call(this.#ajv, env);
    const validate = made.validate as ValidateFunction;
    this.#functions.set(schema, validate);
    return validate;
  }

  /** The function of our own Ajv in place of that of another. */
  #own({ schema, schemaEnv }: ValidateFunction): ValidateFunction {
    return this.#function(schema as SchemaObject, schemaEnv);
  }

  isMatch(pattern: string, name: string, { ajv }: Scope): boolean {
    const { unicodeRegExp, code } = ajv.opts;
    const known = this.#patterns.get(pattern) ?? code.regExp(pattern, unicodeRegExp ? 'u' : '');
    this.#patterns.set(pattern, known);
    return known.test(name);
  }

  /**
   * False if neither a keyword of the schema, which is in `around`, nor one that it applies to the same value evaluates
   * anything in the value.
   */
  says(schema: unknown, around: Scope, type: 'object' | 'array', level = 0): boolean {
    if (!isSchemaObject(schema)) return false;
    const known = this.#says[type].get(schema);
    if (known !== undefined) return known;
    if (level > MOST_LEVELS) return true;
    const scope = enter(schema, around);
    const next = inPlace(schema).map((one) => [one, scope] as const);
    if (typeof schema.$ref === 'string') next.push(follow(schema.$ref, scope));
    const answer =
      SAYING[type].some((keyword) => schema[keyword] !== undefined) ||
      next.some(([one, itsScope]) => this.says(one, itsScope, type, level + 1));
    this.#says[type].set(schema, answer);
    return answer;
  }
}

/** More levels of references and branches are not looked at. */
const MOST_LEVELS = 50;
const DYNAMIC = ['$dynamicRef', '$recursiveRef'];
/** Keywords with which a schema evaluates something, or may. */
const SAYING = {
  object: ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', ...DYNAMIC],
  array: ['items', 'prefixItems', 'contains', 'unevaluatedItems', ...DYNAMIC],
} as const;

/** The schemas that a schema applies to the value itself, but for references. */
function inPlace(schema: SchemaObject): readonly unknown[] {
  const { allOf, anyOf, oneOf, if: test, then, else: otherwise, dependentSchemas, dependencies } = schema;
  const maps = [dependentSchemas, dependencies].filter(isSchemaObject);
  return [allOf, anyOf, oneOf, test, then, otherwise, ...maps.flatMap(Object.values<unknown>)].flat();
}

/** The scope inside of `schema`. */
function enter({ $id }: SchemaObject, scope: Scope): Scope {
  if (typeof $id !== 'string') return scope;
  return { ...scope, baseId: resolveUrl(scope.ajv.opts.uriResolver, scope.baseId, $id) };
}

/** The schema that a reference leads to, with its scope. Ajv has followed it before. */
function follow(reference: string, scope: Scope): readonly [schema: unknown, scope: Scope] {
  const found = resolveRef.call(scope.ajv, scope.root, scope.baseId, reference);
  return found instanceof SchemaEnv ? targetOf(found, scope) : [found, scope];
}

/** The same for a dynamic reference. */
function followDynamic(reference: string, scope: Scope): readonly [schema: unknown, scope: Scope] {
  const validate = scope.anchors[reference.slice(1)];
  return validate === undefined ? follow(reference, scope) : targetOf(validate.schemaEnv, scope);
}

function targetOf({ schema, root, baseId }: SchemaEnv, scope: Scope): readonly [unknown, Scope] {
  return [schema, { ...scope, root, baseId }];
}

function areSame(a: Anchors, b: Anchors): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** Collects what is evaluated in one value. */
class Collector {
  readonly #evaluation: Evaluation;
  readonly #value: Container;
  readonly #around: Around;
  readonly #type: 'object' | 'array';
  /** Names or indexes. */
  readonly keys = new Set<string | number>();
  /** Everything that can be in the value is evaluated. */
  all = false;

  constructor(evaluation: Evaluation, value: Container, around: Around) {
    this.#evaluation = evaluation;
    this.#value = value;
    this.#around = around;
    this.#type = Array.isArray(value) ? 'array' : 'object';
  }

  /** What the keywords beside `unevaluated…` evaluate. `scope`: inside of the schema. */
  collectBeside(schema: SchemaObject, scope: Scope): void {
    if (Array.isArray(this.#value)) this.#items(schema, this.#value, scope);
    else this.#members(schema, this.#value as JsonObject, scope);
    if (this.all) return;
    for (const keyword of ['dependentSchemas', 'dependencies']) this.#dependents(schema[keyword], scope);
    this.#inPlace(schema, scope);
  }

  #collect(schema: unknown, around: Scope): void {
    if (!isSchemaObject(schema) || this.all) return;
    const { unevaluatedProperties, unevaluatedItems } = schema;
    const others = this.#type === 'array' ? unevaluatedItems : unevaluatedProperties;
    if (others !== undefined) this.all = true;
    else this.collectBeside(schema, enter(schema, around));
  }

  #members(schema: SchemaObject, object: JsonObject, scope: Scope): void {
    const { properties, patternProperties, additionalProperties } = schema;
    if (additionalProperties !== undefined) {
      this.all = true;
      return;
    }
    const known = isSchemaObject(properties) ? properties : {};
    const patterns = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : [];
    for (const name of Object.keys(object)) {
      const isKnown = Object.hasOwn(known, name);
      if (isKnown || patterns.some((one) => this.#evaluation.isMatch(one, name, scope))) this.keys.add(name);
    }
  }

  #dependents(dependents: unknown, scope: Scope): void {
    if (!isSchemaObject(dependents)) return;
    for (const [name, one] of Object.entries(dependents))
      if (Object.hasOwn(this.#value, name)) this.#collect(one, scope);
  }

  #items(schema: SchemaObject, array: readonly unknown[], scope: Scope): void {
    const { items, additionalItems, prefixItems, contains } = schema;
    const { is2020 } = this.#evaluation;
    const listed = is2020 ? prefixItems : items;
    const others = is2020 || !Array.isArray(items) ? items : additionalItems;
    if (others !== undefined) {
      this.all = true;
      return;
    }
    if (Array.isArray(listed)) for (const index of listed.keys()) this.keys.add(index);
    if (contains === undefined || !is2020) return;
    const { context, instancePath } = this.#around;
    for (const [index, item] of array.entries()) {
      const around = { context, instancePath: `${instancePath}/${index}` };
      if (this.#evaluation.matches(contains as Schema, item, scope, around)) this.keys.add(index);
    }
  }

  /** What the schemas evaluate that apply to the value itself. */
  #inPlace(schema: SchemaObject, scope: Scope): void {
    const { $ref, allOf = [], anyOf = [], oneOf = [], if: test, then, else: otherwise } = schema;
    if (typeof $ref === 'string') this.#collect(...follow($ref, scope));
    for (const keyword of DYNAMIC) {
      const reference = schema[keyword];
      if (typeof reference === 'string') this.#collect(...followDynamic(reference, scope));
    }
    for (const one of allOf as Schema[]) this.#collect(one, scope); // checked by the meta-schema
    for (const one of [anyOf, oneOf].flat())
      if (this.#says(one, scope) && this.#matches(one, scope)) this.#collect(one, scope);
    if (test === undefined || ![test, then, otherwise].some((one) => this.#says(one, scope))) return;
    const branches = this.#matches(test, scope) ? [test, then] : [otherwise];
    for (const one of branches) this.#collect(one, scope);
  }

  #says(schema: unknown, scope: Scope): boolean {
    return this.#evaluation.says(schema, scope, this.#type);
  }

  #matches(schema: unknown, scope: Scope): boolean {
    return this.#evaluation.matches(schema as Schema, this.#value, scope, this.#around); // checked by the meta-schema
  }
}
