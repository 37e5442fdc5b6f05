/** What payloads are judged by: the kinds of the schemas that the caller names, as a graph of nodes. */
import type { SchemaDocument } from './document.ts';
import { hasFunctions, type OwnFormats } from './formats/format.ts';
import type { Schema, SchemaNode } from './node.ts';
import type { ResourceOptions } from './resources.ts';

export interface Kind {
  readonly name: string;
  readonly document: Pick<SchemaDocument, 'name' | 'path'>;
  readonly schema: Schema;
  /** The entry schema's `if`; null: every payload passes; false: the kind is not detected, but assigned to files. */
  readonly test: Schema | null;
}

export interface KindFile {
  readonly name: string;
  readonly schema: string;
}

export function kindFiles({ kinds }: Pick<SchemaSet, 'kinds'>): KindFile[] {
  return kinds.map(({ name, document }) => ({ name, schema: document.path }));
}

/** Frozen and shared. */
export interface SchemaSet {
  readonly kinds: readonly Kind[];
  /** Every node that the kinds lead to; a node's `id` is its index. */
  readonly nodes: readonly SchemaNode[];
  /** False: `format` does not affect validity; absent: it is asserted. */
  readonly assertsFormats?: false;
  /** Formats of the caller's own; absent: none. */
  readonly formats?: OwnFormats;
  readonly source: SchemaSource;
  /** The files. Absent for a set that the build has resolved: its defaults are known to be allowed. */
  readonly documents?: readonly SchemaDocument[];
  /** Nodes of schemas with a default that no kind leads to, and what they lead to. Throws SchemaError. */
  readonly unused?: () => readonly SchemaNode[];
}

/** The source of a set: plain data for threads, because the graph cannot be sent to them. */
export interface SchemaSource {
  /** Absolute path of the entry schema. */
  readonly path: string;
  readonly options: ResourceOptions;
  /** Absolute paths of schemas, perhaps with fragments, for kinds that are not detected. */
  readonly more: readonly string[];
  readonly assertsFormats?: false;
}

/** Whether something is said about values that are valid. */
export function hasRemarks({ nodes }: SchemaSet): boolean {
  return nodes.some(({ deprecated }) => deprecated === true);
}

/** True if functions of the caller judge, which no other thread has. */
export function isLocal({ formats, source }: SchemaSet): boolean {
  return source.options.keywords !== undefined || hasFunctions(formats);
}

/** The set in which `format` affects validity if `assertsFormats`. Absent: as the set says. */
export function asserting<Set extends SchemaSet>(set: Set, assertsFormats?: boolean): Set {
  if (assertsFormats !== false) return set;
  return { ...set, assertsFormats, source: { ...set.source, assertsFormats } };
}
