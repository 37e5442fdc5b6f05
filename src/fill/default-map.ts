/**
 * The type for the defaults of a schema set.
 */
import type { SchemaObject } from '../schema/load.ts';

/** By schema object: the JSON text of its `default`, in the order of the files. Plain data, for threads. */
export type DefaultMap = ReadonlyMap<SchemaObject, string>;
