/**
 * Engines for payloads that must only be well-formed: of any kind, or of the kinds detected by an entry schema.
 */
import type { AcceptCode } from '../accept/code.ts';
import { compileAccept } from '../accept/module.ts';
import { ANY_JSON, wellFormedModule, writingModule } from '../accept/well-formed.ts';
import type { Around } from '../accept/writer.ts';
import type { PrecompiledFiles } from '../package.ts';
import { NO_IDENTIFIERS, type Schema, type SchemaSet } from '../schema/load.ts';
import { encode } from '../wasm/encode.ts';
import type { SchemaSource, Schemas } from './engines.ts';
import { NO_DEFAULTS } from './schema-data.ts';

/** For payloads of any kind: all have the kind `json`. `written`: how accept writes them; null: it does not. */
export function anyJson(written: Around | null): Schemas {
  const accept = once(async () => (written === null ? codeOf(wellFormedModule()) : writerCode(written)));
  return { load: async () => ANY_SET, accept, precompiled: null, defaults: NO_DEFAULTS };
}

/** Accepts payloads of any kind and writes them. */
export function writerCode(around: Around): AcceptCode {
  return codeOf(writingModule(around));
}

/** For payloads with a detected kind. `precompiled`: see `Schemas`. Payloads that pass no test have no kind. */
export function kindsOnly(load: SchemaSource, precompiled: PrecompiledFiles | null): Schemas {
  const accept = once(async (forced) => {
    const set = await load();
    // A test that passes only objects is compiled into the code for the object.
    const schema: Schema = forced === null ? { type: 'object' } : true;
    const kinds = set.kinds.map((kind) => ({ ...kind, schema }));
    return codeOf(compileAccept({ ...set, kinds }, { forced, defaults: null }));
  });
  return { load, accept, precompiled, defaults: NO_DEFAULTS };
}

function codeOf({ module, ...others }: ReturnType<typeof compileAccept>): AcceptCode {
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

function once(make: (forced: string | null) => Promise<AcceptCode>): Schemas['accept'] {
  const codes = new Map<string | null, Promise<AcceptCode>>();
  return (forced) => {
    const code = codes.get(forced) ?? make(forced);
    codes.set(forced, code);
    return code;
  };
}

const DOCUMENT = {
  path: '',
  name: ANY_JSON,
  uri: 'json:',
  aliases: [],
  schema: true,
  bytes: Buffer.from('true'),
} as const;

const ANY_SET: SchemaSet = {
  entry: DOCUMENT,
  documents: [DOCUMENT],
  kinds: [{ name: ANY_JSON, document: DOCUMENT, uri: DOCUMENT.uri, schema: true, test: null }],
  dialect: '2020-12',
  locations: new Map(),
  identifiers: NO_IDENTIFIERS,
};
