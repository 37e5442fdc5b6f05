/**
 * The JSON Schema of a kind, as Standard Schema 1.1 gives it: what its author wrote, if that is one schema of the draft that is
 * asked for. No schema is translated.
 */
import { UsageError } from '../errors.ts';
import type { DraftName } from '../schema/draft-names.ts';
import { linksOf } from '../schema/facts.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import { isNode } from '../schema/node.ts';
import { visible } from '../words/escape.ts';

/** Throws UsageError if it cannot be given. `kind`: null: the only one. */
export function jsonSchemaOf(
  { kinds, places }: LoadedSchemas,
  kind: string | null,
  target: unknown,
): Record<string, unknown> {
  const [one, ...others] = kinds.filter(({ name }) => kind === null || name === kind);
  if (one === undefined || others.length > 0)
    throw new UsageError('jsonSchema: there are several kinds; give one to "standard"');
  const { schema, document } = one;
  if (!isNode(schema)) return schema ? {} : { not: {} };
  const nodes = new Set([schema]);
  for (const node of nodes) for (const inner of linksOf(node)) nodes.add(inner);
  const isAlone = [...nodes].every(({ origin }) => origin.place.startsWith(`${document.name}#`));
  if (!isAlone || schema.origin.place !== `${document.name}#`)
    throw new UsageError('jsonSchema: the schema needs what is in another one, or around it');
  const own = targetOf(places.get(document.schema as object)!.resource.draft.name); // it is the place of a node
  if (target !== own)
    throw new UsageError(`jsonSchema: the schema is for "${own}", and not for "${visible(String(target))}"`);
  return structuredClone(document.schema) as Record<string, unknown>; // the schema of a node is an object
}

function targetOf(draft: DraftName): string {
  return draft.length === 1 ? `draft-0${draft}` : `draft-${draft}`;
}
