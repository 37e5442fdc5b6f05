/**
 * The resolved schema, which all code outside of `src/schema/` reads. It is a graph of nodes whose keywords are those of JSON
 * Schema 2020-12, whatever the draft of the files. Each reference is a link to its target node, so the graph can have cycles.
 */
import { escapeToken } from '../json/pointer.ts';
import type { DIALECT, DialectKeyword, FormValues } from './dialect.ts';

export type Schema = boolean | SchemaNode;

/** Subschemas by member name, pattern or name of a definition. `__proto__` is a name like any other. */
export type SchemaMap = Readonly<Record<string, Schema>>;

/** The keywords that can reject a value. */
export type Keywords = {
  readonly [K in DialectKeyword]?: FormValues<Schema>[(typeof DIALECT)[K]['form']];
} & {
  /** Items that match `contains` do not count as evaluated. True before 2020-12. */
  readonly containsIsSilent?: boolean;
};

/** The names of annotations that say nothing about the value itself. */
export const SILENT: readonly string[] = [
  ...['$comment', 'title', 'description', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['errorMessage', 'patternErrorMessage', 'deprecationMessage'],
];

/** One schema object of the files, in one dynamic scope (JSON Schema 2020-12 core, section 7.1). */
export interface SchemaNode extends Keywords {
  /** Its index in `nodes` of the set: the same whenever the same files are resolved. */
  readonly id: number;
  readonly origin: Origin;
  // What says something about a value without judging it, as far as paylint shows or uses it.
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: unknown;
  /** See `engine/judge/author.ts`. */
  readonly errorMessage?: unknown;
  readonly patternErrorMessage?: unknown;
  readonly deprecationMessage?: unknown;
}

export interface Origin {
  /** File and pointer, as `content-item.schema.json#/properties/minAge`. */
  readonly place: string;
  /** By keyword: its name in the file, if that is another one, as `dependencies` for `dependentRequired`. */
  readonly written?: Readonly<Record<string, string>>;
  /** Numbers as the file writes them, if a double may differ. By keyword, or `enum/0/x` for one inside of a value. */
  readonly numbers?: Readonly<Record<string, string>>;
}

/** The value of a keyword whose name is known only at run time; undefined if the node does not have it. */
export function keywordValue(node: SchemaNode, keyword: string): unknown {
  return (node as unknown as Readonly<Record<string, unknown>>)[keyword]; // it has the keywords, and two members of its own
}

/** A schema with these keywords that is not in the graph. `from`: the node that it was made from, if any. */
export function madeSchema(keywords: Keywords, from: SchemaNode | null = null): SchemaNode {
  return { ...keywords, id: from?.id ?? -1, origin: from?.origin ?? NO_ORIGIN };
}

const NO_ORIGIN: Origin = { place: '' };

export function isNode(schema: Schema | undefined): schema is SchemaNode {
  return typeof schema === 'object';
}

/** The name of a keyword of `node` as its file has it: the rule of the violations that it gives. */
export function writtenName({ origin }: SchemaNode, keyword: string): string {
  return origin.written?.[keyword] ?? keyword;
}

/** File and pointer of the target of a keyword and tokens of the node. */
export function placeIn(node: SchemaNode, keyword: string, tokens: readonly (string | number)[]): string {
  return [writtenName(node, keyword), ...tokens].reduce<string>(
    (place, token) => `${place}/${escapeToken(String(token))}`,
    node.origin.place,
  );
}
