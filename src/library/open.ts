/**
 * `openPaylint`: loads the schemas and makes all that an instance needs.
 */
import { resolve } from 'node:path';
import { lazyAccept } from '../engines/engines.ts';
import { createExaminer } from '../engines/examiner.ts';
import { NO_DEFAULTS } from '../engines/schema-data.ts';
import type { Examiner } from '../examine/examine.ts';
import { readDefaults } from '../fill/defaults.ts';
import { bundledSchema, ENTRY_SCHEMA, PRECOMPILED } from '../package.ts';
import { loadSchemas, type SchemaSet } from '../schema/load.ts';
import type { Paylint, PaylintOptions } from './api.ts';
import { knownKind, PaylintInstance } from './paylint.ts';

/** Loads the schemas. Throws SchemaError for a schema that cannot be used, and UsageError for an unknown kind. */
export async function openPaylint(options: PaylintOptions = {}): Promise<Paylint> {
  const path = options.schema === undefined ? bundledSchema(ENTRY_SCHEMA) : resolve(options.schema);
  const isBundled = options.schema === undefined;
  const formats = options.assertFormats === false ? { assertsFormats: false as const } : {};
  const set: SchemaSet = { ...loadSchemas(path), ...formats };
  const limits = {
    maxBytes: options.maxPayloadBytes ?? 64 << 20,
    maxDepth: options.maxDepth ?? 1000,
    redact: options.redact === true,
  };
  const precompiled = isBundled ? PRECOMPILED : null;
  const accept = lazyAccept(async () => set, NO_DEFAULTS, isBundled ? PRECOMPILED.accept : null);
  const fillerOf = async (deep: boolean): Promise<Examiner> => {
    const defaults = await readDefaults(set, deep, isBundled);
    return createExaminer({ set: defaults.set, precompiled, defaults }, limits);
  };
  return new PaylintInstance({
    set,
    kind: knownKind(set, options.kind),
    limits,
    schemas: { load: async () => set, accept, precompiled, defaults: NO_DEFAULTS },
    examiner: await createExaminer({ set, precompiled, defaults: NO_DEFAULTS }, limits),
    shallow: await fillerOf(false),
    deep: await fillerOf(true),
  });
}
