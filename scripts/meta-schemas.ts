/**
 * The meta-schema of each draft as one document that accept can compile in full.
 *
 * Three things differ from the original. Formats are left out, because they are not asserted. The vocabularies are put
 * together: each has other members, so one object with all of them means the same as `allOf`. And a dynamic reference,
 * which leads to the outermost meta-schema, is a `$ref` to the root.
 *
 * The one for draft-07 has `$defs` as well: many schemas of that draft refer to it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Dialect } from '../src/schema/load.ts';

type Json = Readonly<Record<string, unknown>>;
type Read = (path: string) => Json;

/** Made from the files of Ajv, which checks everything that is not certain. `module`: a file of the project. */
export function metaSchemas(module: string): readonly (readonly [Dialect, Json])[] {
  const refs = join(dirname(createRequire(module).resolve('ajv')), 'refs');
  const read: Read = (path) => JSON.parse(readFileSync(join(refs, path), 'utf8')) as Json; // our dependency
  const draft07 = simplified(read('json-schema-draft-07.json'), '') as Json;
  const members = draft07.properties as Json; // as in the file
  return [
    ['draft-07', { ...draft07, properties: { ...members, $defs: members.definitions } }],
    ['2019-09', together('json-schema-2019-09', read)],
    ['2020-12', together('json-schema-2020-12', read)],
  ];
}

/** The main schema in `folder`, with all of its vocabularies. */
function together(folder: string, read: Read): Json {
  const { allOf, ...main } = read(`${folder}/schema.json`);
  const names = (allOf as { readonly $ref: string }[]).map(({ $ref }) => $ref); // `meta/core`
  const parts = [main, ...names.map((name) => read(`${folder}/${name}.json`))];
  const all = parts.map((part, i) => simplified(part, i === 0 ? '' : names[i - 1]!) as Json);
  const properties: Record<string, unknown> = {};
  const $defs: Record<string, Json> = {};
  for (const [i, { $defs: own = {}, properties: members, type, ...others }] of all.entries()) {
    const rest = Object.keys(others);
    if (rest.length > 0) throw new Error(`${folder}: the keyword ${rest[0]} is not known here`);
    for (const [name, member] of Object.entries(members as Json)) {
      if (Object.hasOwn(properties, name)) throw new Error(`${folder}: "${name}" is in two vocabularies`);
      properties[name] = member;
    }
    if (i > 0) $defs[keyOf(names[i - 1]!)] = { $defs: own };
  }
  return { type: ['object', 'boolean'], properties, $defs };
}

/** Names and annotations that one document does not need. */
const LEFT_OUT = new Set(
  '$schema $id $vocabulary $anchor $dynamicAnchor $recursiveAnchor $comment title default deprecated format'.split(
    ' ',
  ),
);

/** `schema` without them, with references from the root. `file`: where it is, as `meta/core`; empty for the root. */
function simplified(schema: unknown, file: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => simplified(item, file));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (name === '$dynamicRef' || name === '$recursiveRef') return [['$ref', '#']];
    if (name === '$ref') return [['$ref', pointerOf(String(value), file)]];
    if (name === 'properties' || name === '$defs' || name === 'definitions') {
      const members = Object.entries(value as Json); // of a schema
      return [[name, Object.fromEntries(members.map(([key, member]) => [key, simplified(member, file)]))]];
    }
    return LEFT_OUT.has(name) ? [] : [[name, simplified(value, file)]];
  });
  return Object.fromEntries(entries);
}

function pointerOf(reference: string, file: string): string {
  const [path, fragment = ''] = reference.split('#');
  const target = path === '' ? file : path!;
  return target === '' ? `#${fragment}` : `#/$defs/${keyOf(target)}${fragment}`;
}

/** `meta/core` -> `core`. */
function keyOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
