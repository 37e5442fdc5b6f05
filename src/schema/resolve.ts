/**
 * From schema objects and references to the graph of nodes that everything else reads: every keyword becomes one of 2020-12, and
 * every reference a link. A schema object becomes one node for each dynamic scope in which it can be reached. A scope is, for
 * each dynamic anchor, the first resource on the way that has it; there are finitely many, so the graph is finite.
 */
import { entryOf, memoized } from '../json/on-demand.ts';
import { atPointer, escapeToken } from '../json/pointer.ts';
import { frozenCopy, isJsonObject } from '../json/value.ts';
import type { Mutable } from '../json/vocabulary.ts';
import { EXPANDED_SUBSCHEMAS } from '../limits.ts';
import { number } from '../words/number-text.ts';
import { isAlone, type RawObject, type RawSchema, type Resource, type Target } from './document.ts';
import { BOOLEAN_BOUNDS, type DraftKeyword } from './drafts.ts';
import { faultAt } from './faults.ts';
import { formFault } from './forms.ts';
import type { Origin, Schema, SchemaMap, SchemaNode } from './node.ts';
import type { Resources } from './resources.ts';

/** By name of a dynamic anchor ("" for `$recursiveAnchor`): the target of references to it. */
interface DynamicScope {
  readonly anchors: ReadonlyMap<string, RawObject>;
  readonly nodes: Map<RawObject, SchemaNode>;
  /** The scope inside of each resource that is entered from here. */
  readonly inner: Map<Resource, DynamicScope>;
}

interface OpenNode {
  readonly node: Mutable<SchemaNode>;
  readonly origin: Mutable<Origin>;
  readonly raw: RawObject;
  readonly resource: Resource;
  readonly scope: DynamicScope;
}

type KeywordValues = Record<string, unknown>;

export class Graph {
  readonly nodes: SchemaNode[] = [];
  readonly #resources: Resources;
  #numbered = 0;
  readonly #numberOf = memoized((_: RawObject) => this.#numbered++);
  readonly #scopes = new Map<string, DynamicScope>();
  readonly #open: OpenNode[] = [];

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  /** The schema for `raw`, reached from outside. `through`: the resources on the way. Throws SchemaError. */
  resolve(raw: RawSchema, resource: Resource, through: readonly Resource[] = []): Schema {
    let scope = this.#scopeOf(new Map());
    for (const one of through) scope = this.#enter(scope, one);
    const schema = this.#schema(raw, resource, scope);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) this.#complete(next);
    return schema;
  }

  #schema(raw: unknown, from: Resource, scope: DynamicScope): Schema {
    if (!isJsonObject(raw)) return raw === true; // the forms were checked, so it is a boolean
    const { resource, pointer } = this.#resources.places.get(raw)!; // all were scanned
    const inside = resource === from ? scope : this.#enter(scope, resource);
    const known = inside.nodes.get(raw);
    if (known !== undefined) return known;
    if (this.nodes.length === EXPANDED_SUBSCHEMAS) {
      const place = `${resource.document.name}#${pointer}`;
      throw faultAt(place, `dynamic references lead to more than ${number(EXPANDED_SUBSCHEMAS)} subschemas`);
    }
    const origin = { place: `${resource.document.name}#${pointer}` };
    const node = { id: this.nodes.length, origin };
    this.nodes.push(node);
    inside.nodes.set(raw, node);
    this.#open.push({ node, origin, raw, resource, scope: inside });
    return node;
  }

  #scopeOf(anchors: ReadonlyMap<string, RawObject>): DynamicScope {
    const key = [...anchors]
      .map(([name, schema]) => `${name} ${this.#numberOf(schema)}`)
      .sort()
      .join();
    return entryOf(this.#scopes, key, () => ({ anchors, nodes: new Map(), inner: new Map() }));
  }

  #enter(scope: DynamicScope, resource: Resource): DynamicScope {
    return entryOf(scope.inner, resource, () => {
      const added = [...resource.dynamic].filter(([name]) => !scope.anchors.has(name));
      return added.length === 0 ? scope : this.#scopeOf(new Map([...scope.anchors, ...added]));
    });
  }

  #complete(open: OpenNode): void {
    const { node, origin, raw, resource } = open;
    const { draft, keywords } = resource;
    const isOnlyRef = isAlone(raw, draft);
    const out = node as unknown as KeywordValues; // filled keyword by keyword
    for (const keyword of Object.keys(raw)) {
      const row = Object.hasOwn(keywords, keyword) ? keywords[keyword]! : null;
      if (row === null || row.role === 'identity' || keyword === 'deprecated') continue;
      if (isOnlyRef && keyword !== '$ref' && row.role !== 'annotation') continue;
      const value = raw[keyword];
      if (row.role === 'annotation' && formFault(row.form, value, draft) !== null) continue;
      if (row.role === 'asks') {
        const ofCaller = this.#resources.options.keywords!.get(keyword)!; // its row was made of it
        node.ofCaller = [...(node.ofCaller ?? []), { ...ofCaller, schemaValue: frozenCopy(value) }];
      } else if (row.role === 'reference')
        out.$ref = [...((out.$ref as Schema[] | undefined) ?? []), this.#target(keyword, value, open)];
      else if (row.role === 'annotation' || !row.form.startsWith('schema')) out[keyword] = value;
      else this.#translate(keyword, row, open);
    }
    const numbers = this.#numberTexts(open);
    if (draft.hasBooleanBounds) {
      exclusiveBounds(raw, out);
      if (numbers !== null) exclusiveBounds(raw, numbers);
    }
    if (out.contains !== undefined && !draft.countsContained) out.containsIsSilent = true;
    if (out.nullable !== undefined) nullableType(out);
    if (numbers !== null) origin.numbers = numbers;
    const mark = this.#resources.options.deprecations ? deprecationIn(raw) : null;
    if (mark !== null) {
      out.deprecated = true;
      if (mark !== 'deprecated') origin.written = { ...origin.written, deprecated: mark };
    }
  }

  #translate(keyword: string, row: DraftKeyword, open: OpenNode): void {
    const { raw, resource, origin } = open;
    const out = open.node as unknown as KeywordValues; // see `#complete`
    const value = raw[keyword];
    switch (resource.draft.translated[keyword]) {
      case 'item list':
        if (!Array.isArray(value)) break;
        out.prefixItems = this.#subschemas(row, value, open);
        origin.written = { ...origin.written, prefixItems: keyword };
        return;
      case 'items after list':
        if (!Array.isArray(raw.items)) return;
        out.items = this.#subschemas(row, value, open);
        origin.written = { ...origin.written, items: keyword };
        return;
      case 'dependencies':
        this.#dependencies(value as RawObject, open); // its form was checked
        return;
      default:
    }
    out[keyword] = this.#subschemas(row, value, open);
  }

  /** The nodes for the value of a keyword that has subschemas, in the same arrangement. */
  #subschemas(
    row: DraftKeyword,
    value: unknown,
    { resource, scope }: OpenNode,
  ): Schema | readonly Schema[] | SchemaMap {
    const one = (raw: unknown): Schema => this.#schema(raw, resource, scope);
    if (Array.isArray(value)) return value.map(one);
    if (!row.form.endsWith('by name') && !row.form.endsWith('by pattern')) return one(value);
    const byName = Object.entries(value as RawObject); // its form was checked
    return Object.fromEntries(byName.map(([name, raw]) => [name, one(raw)]));
  }

  /** Beside the keywords of later drafts for its two kinds of dependents, `dependencies` becomes a node of its own. */
  #dependencies(value: RawObject, { node, origin, raw, resource, scope }: OpenNode): void {
    const isBeside = raw.dependentRequired !== undefined || raw.dependentSchemas !== undefined;
    const own: KeywordValues = isBeside ? {} : (node as unknown as KeywordValues); // see `#complete`
    const names = Object.entries(value).filter(([, dependent]) => Array.isArray(dependent));
    const schemas = Object.entries(value).filter(([, dependent]) => !Array.isArray(dependent));
    if (names.length > 0) own.dependentRequired = Object.fromEntries(names);
    if (schemas.length > 0)
      own.dependentSchemas = Object.fromEntries(
        schemas.map(([name, one]) => [name, this.#schema(one, resource, scope)]),
      );
    const renamed = { dependentRequired: 'dependencies', dependentSchemas: 'dependencies' };
    if (!isBeside) {
      origin.written = { ...origin.written, ...renamed };
      return;
    }
    const { place } = origin;
    // The values are those of its keywords.
    const part = { ...own, id: this.nodes.length, origin: { place, written: renamed } } as SchemaNode;
    this.nodes.push(part);
    node.allOf = [...(node.allOf ?? []), part];
  }

  /** The target of a reference. For a dynamic reference, it is the schema that the scope has for the anchor. */
  #target(keyword: string, value: unknown, { raw, resource, scope }: OpenNode): Schema {
    const { pointer } = this.#resources.places.get(raw)!; // all were scanned
    const place = `${resource.document.name}#${pointer}/${escapeToken(keyword)}`;
    const target = this.#resources.tryFind({ keyword, text: String(value), place }, resource);
    if (target === null) return true;
    const dynamic = dynamicAnchor(keyword, target);
    const found = dynamic === null ? undefined : scope.anchors.get(dynamic);
    if (found === undefined) return this.#entered(target, scope);
    return this.#entered({ schema: found, resource: this.#resources.places.get(found)!.resource }, scope);
  }

  #entered({ schema, resource }: Pick<Target, 'schema' | 'resource'>, scope: DynamicScope): Schema {
    return this.#schema(schema, resource, this.#enter(scope, resource));
  }

  /** The texts of numbers in the keywords that the node has, if a double may have changed them; null: there are none. */
  #numberTexts({ node, raw, resource: { document } }: OpenNode): Record<string, string> | null {
    if (document.numbers === null) return null;
    const keywords = Object.keys(node).filter(
      (keyword) => ['const', 'enum', 'default'].includes(keyword) || typeof raw[keyword] === 'number',
    );
    if (keywords.length === 0) return null;
    const texts: [string, string][] = [];
    const { pointer } = this.#resources.places.get(raw)!; // all were scanned
    const parallel = atPointer(document.numbers, pointer) as RawObject; // it has the arrangement of the file
    const visit = (value: unknown, text: unknown, at: string): void => {
      if (typeof value === 'number' && typeof text === 'string') texts.push([at, text]);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value))
        visit(inner, (text as RawObject)[name], `${at}/${escapeToken(name)}`);
    };
    for (const keyword of keywords) visit(raw[keyword], parallel[keyword], keyword);
    return texts.length === 0 ? null : Object.fromEntries(texts);
  }
}

/** The name of the dynamic anchor that a reference asks the scope for; null: it is like any other reference. */
function dynamicAnchor(keyword: string, { schema, resource, anchor }: Target): string | null {
  if (keyword === '$recursiveRef') return isJsonObject(schema) && schema.$recursiveAnchor === true ? '' : null;
  if (keyword !== '$dynamicRef' || anchor === null) return null;
  return resource.dynamic.get(anchor) === schema ? anchor : null;
}

/** In draft-04, `exclusiveMinimum` changes the meaning of `minimum`. `out`: the keywords of the node so far. */
function exclusiveBounds(raw: RawObject, out: KeywordValues): void {
  for (const [exclusive, bound] of BOOLEAN_BOUNDS) {
    delete out[exclusive];
    if (raw[exclusive] !== true || out[bound] === undefined) continue;
    out[exclusive] = out[bound];
    delete out[bound];
  }
}

/** The keyword by which a schema of any draft says that its value is deprecated; null: it does not say that. */
function deprecationIn({ deprecated, deprecationMessage }: RawObject): string | null {
  if (deprecated === true) return 'deprecated';
  return deprecated !== false && typeof deprecationMessage === 'string' ? 'deprecationMessage' : null;
}

function nullableType(out: KeywordValues): void {
  const { nullable, type } = out;
  delete out.nullable;
  const types = [type].flat();
  if (nullable === true && type !== undefined && !types.includes('null')) out.type = [...types, 'null'];
}
