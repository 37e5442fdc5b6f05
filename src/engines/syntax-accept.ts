/**
 * Engines for payloads that must only be well-formed: of any kind, or of the kinds detected by an entry schema.
 */
import { resolve } from 'node:path';
import type { AcceptCode } from '../accept/code.ts';
import { ANY_JSON, type Layout } from '../accept/layout.ts';
import type { PrecompiledFiles } from '../package.ts';
import type { SchemaSet } from '../schema/load.ts';
import { madeSchema } from '../schema/node.ts';
import type { LoadSchemas, Schemas } from './engines.ts';
import { jsonCode } from './json-accept.ts';
import { NO_DEFAULTS } from './schema-data.ts';

/** For payloads of any kind, which are written in the layout: all have the kind `json`. */
export function anyJson(layout: Layout): Schemas {
  const accept = once(() => jsonCode(layout));
  return { load: loadAny, accept, precompiled: null, defaults: NO_DEFAULTS };
}

/** For payloads with a detected kind. `precompiled`: see `Schemas`. Payloads that pass no test have no kind. */
export function kindsOnly(load: LoadSchemas, precompiled: PrecompiledFiles | null): Schemas {
  const accept = once(async (forced) => {
    const { compileAcceptCode } = await import('./compile-accept.ts');
    const set = await load();
    // A test that passes only objects is compiled into the code for the object.
    const schema = forced === null ? madeSchema({ type: 'object' }) : true;
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

/** A schema that accepts everything, as if it were a file with the name of the only kind. */
async function loadAny(): Promise<SchemaSet> {
  const { loadSchemas } = await import('../schema/load.ts');
  const path = resolve(`/${ANY_JSON}`);
  return loadSchemas(path, { files: new Map([[path, Buffer.from('true')]]) });
}
