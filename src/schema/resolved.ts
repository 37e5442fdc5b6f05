/** A resolved schema as plain data and back. The build stores that of the bundled kinds, so that no run resolves them. */
import { readFileSync } from 'node:fs';
import { unlessFailed } from '../errors.ts';
import { bundledSchema, ENTRY_SCHEMA, PRECOMPILED } from '../package.ts';
import { DIALECT, DIALECT_KEYWORDS, type DialectKeyword } from './dialect.ts';
import type { Schema, SchemaNode } from './node.ts';
import type { Kind, SchemaSet } from './set.ts';

/** The id of a node, or a schema without keywords. */
export type Ref = number | boolean;

export interface ResolvedData {
  readonly kinds: readonly (readonly [name: string, file: string, schema: Ref, test: Ref | null])[];
  /** With `Ref`s in place of schemas, without ids, which are their indexes. */
  readonly nodes: readonly (Readonly<Record<string, unknown>> & Pick<SchemaNode, 'origin'>)[];
}

/** The set of `data`. `pathOf`: the absolute path of a schema file, by name; `entry`: of the entry schema. */
export function resolvedSet(
  { kinds, nodes }: ResolvedData,
  entry: string,
  pathOf: (file: string) => string,
): SchemaSet {
  const made = nodes.map((node, id) => ({ ...node, id }));
  const schemaOf = (ref: Ref): Schema => (typeof ref === 'number' ? made[ref]! : ref);
  for (const node of made) Object.assign(node, mapped(node, schemaOf));
  return {
    kinds: kinds.map(
      ([name, file, schema, test]): Kind => ({
        name,
        document: { name: file, path: pathOf(file) },
        schema: schemaOf(schema),
        test: test === null ? null : schemaOf(test),
      }),
    ),
    nodes: made,
    source: { path: entry, options: {}, more: [] },
  };
}

/** The bundled schemas as the build has resolved them; null if it has not. */
export function bundledSet(): SchemaSet | null {
  const text = unlessFailed(() => readFileSync(PRECOMPILED.schemas, 'utf8'));
  if (text === null) return null;
  return resolvedSet(JSON.parse(text) as ResolvedData, bundledSchema(ENTRY_SCHEMA), bundledSchema); // the build's
}

/** The keywords of a node that contain schemas, with each schema replaced by the result of `map`. */
export function mapped<From>(node: object, map: (schema: never) => unknown): Record<string, unknown> {
  const each = map as (schema: From) => unknown; // the type of the schemas in the node
  const made: Record<string, unknown> = {};
  for (const keyword of WITH_SCHEMAS) {
    const value = (node as Readonly<Record<string, unknown>>)[keyword];
    if (value === undefined) continue;
    const { form } = DIALECT[keyword];
    if (form === 'schema') made[keyword] = each(value as From);
    else if (form === 'schemas') made[keyword] = (value as From[]).map(each);
    else
      made[keyword] = Object.fromEntries(
        Object.entries(value as object).map(([name, one]) => [name, each(one as From)]),
      );
  }
  return made;
}

const WITH_SCHEMAS: readonly DialectKeyword[] = DIALECT_KEYWORDS.filter((keyword) =>
  DIALECT[keyword].form.startsWith('schema'),
);
