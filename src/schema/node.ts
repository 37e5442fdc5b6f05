/**
 * The resolved schema: what everything after `src/schema/` reads. A graph of nodes whose keywords are those of JSON Schema 2020-12,
 * whatever the draft of the files. Each reference is a link to the node that it leads to, so the graph can have circles.
 */

export type Schema = boolean | SchemaNode;

/** Subschemas by member name, pattern or name of a definition. `__proto__` is a name like any other. */
export type SchemaMap = Readonly<Record<string, Schema>>;

/** A name that `type` can have. */
export type TypeName = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** The keywords that lead to other nodes. */
export interface Applicators {
  /** Where `$ref`, `$dynamicRef` and `$recursiveRef` lead. */
  readonly $ref?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly properties?: SchemaMap;
  readonly patternProperties?: SchemaMap;
  readonly additionalProperties?: Schema;
  readonly propertyNames?: Schema;
  readonly dependentSchemas?: SchemaMap;
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema;
  readonly contains?: Schema;
  /** Items that match `contains` do not count as evaluated, as before 2020-12. */
  readonly containsIsSilent?: boolean;
  readonly unevaluatedItems?: Schema;
  readonly unevaluatedProperties?: Schema;
}

/** The keywords that judge a value by themselves. Their values are of the right form: `schema/check.ts` refuses others. */
export interface Assertions {
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly multipleOf?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** Those of ajv-formats: limits for values of a format. */
  readonly formatMinimum?: string;
  readonly formatMaximum?: string;
  readonly formatExclusiveMinimum?: string;
  readonly formatExclusiveMaximum?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxContains?: number;
  readonly minContains?: number;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
}

/** The keywords that say something about a value without judging it, as far as paylint shows or uses them. */
export interface Annotations {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: unknown;
  readonly deprecated?: unknown;
}

/** One schema object of the files, in one dynamic scope (JSON Schema 2020-12 core, section 7.1). */
export interface SchemaNode extends Applicators, Assertions, Annotations {
  /** Its index in `nodes` of the set: the same whenever the same files are resolved. */
  readonly id: number;
  readonly origin: Origin;
}

/** Where a node comes from. */
export interface Origin {
  /** File and pointer, as `content-item.schema.json#/properties/minAge`. */
  readonly place: string;
  /** By keyword of the node: the keyword of the file that it was made from, if that has another name, as `dependencies` for `dependentRequired`. */
  readonly written?: Readonly<Record<string, string>>;
  /** Numbers as the file writes them, if a double may have lost digits; by keyword, or `enum/0/x` for one inside of a value. */
  readonly numbers?: Readonly<Record<string, string>>;
}

/** The value of a keyword whose name is known only at run time; undefined if the node does not have it. */
export function keywordValue(node: SchemaNode, keyword: string): unknown {
  return (node as unknown as Readonly<Record<string, unknown>>)[keyword]; // it has the keywords, and two members of its own
}

/** A schema with these keywords that is not in the graph. `from`: the node that it was made from, if any. */
export function madeSchema(keywords: Applicators & Assertions, from: SchemaNode | null = null): SchemaNode {
  return { ...keywords, id: from?.id ?? -1, origin: from?.origin ?? NOWHERE };
}

const NOWHERE: Origin = { place: '' };

/** True for a schema with keywords. */
export function isNode(schema: Schema | undefined): schema is SchemaNode {
  return typeof schema === 'object';
}

/** The name of a keyword of `node` as its file has it: the rule of the violations that it gives. */
export function writtenName({ origin }: SchemaNode, keyword: string): string {
  return origin.written?.[keyword] ?? keyword;
}
