/**
 * Engines for payloads that must only be well-formed: of any kind, or of the kinds detected by an entry schema.
 */
import type { AcceptCode } from '../accept/code.ts';
import { ANY_JSON, type Layout } from '../accept/layout.ts';
import type { PrecompiledFiles } from '../package.ts';
import type { Identifiers, Schema, SchemaSet } from '../schema/load.ts';
import type { SchemaSource, Schemas } from './engines.ts';
import { jsonCode } from './json-accept.ts';
import { NO_DEFAULTS } from './schema-data.ts';

/** For payloads of any kind, which are written in the layout: all have the kind `json`. */
export function anyJson(layout: Layout): Schemas {
  const accept = once(() => jsonCode(layout));
  return { load: async () => ANY_SET, accept, precompiled: null, defaults: NO_DEFAULTS };
}

/** For payloads with a detected kind. `precompiled`: see `Schemas`. Payloads that pass no test have no kind. */
export function kindsOnly(load: SchemaSource, precompiled: PrecompiledFiles | null): Schemas {
  const accept = once(async (forced) => {
    const { compileAcceptCode } = await import('./compile-accept.ts');
    const set = await load();
    // A test that passes only objects is compiled into the code for the object.
    const schema: Schema = forced === null ? { type: 'object' } : true;
    const kinds = set.kinds.map((kind) => ({ ...kind, schema }));
    return compileAcceptCode({ ...set, kinds }, forced, null);
  });
  return { load, accept, precompiled, defaults: NO_DEFAULTS };
}

function once(make: (forced: string | null) => Promise<AcceptCode>): Schemas['accept'] {
  const codes = new Map<string | null, Promise<AcceptCode>>();
  return (forced) => {
    const code = codes.get(forced) ?? make(forced);
    codes.set(forced, code);
    return code;
  };
}

export const NO_IDENTIFIERS: Identifiers = { bases: new Map(), targets: new Map(), dynamic: new Map() };

const DOCUMENT = {
  path: '',
  name: ANY_JSON,
  uri: 'json:',
  aliases: [],
  schema: true,
  bytes: Buffer.from('true'),
  memberCount: 0,
} as const;

const ANY_SET: SchemaSet = {
  entry: DOCUMENT,
  documents: [DOCUMENT],
  kinds: [{ name: ANY_JSON, document: DOCUMENT, uri: DOCUMENT.uri, schema: true, test: null }],
  dialect: '2020-12',
  locations: new Map(),
  identifiers: NO_IDENTIFIERS,
  besideRef: new Map(),
};
