// @ts-check
// Prints the accept functions of a schema, one instruction per line. docs/internals/compiled-engine.md explains how to read them.
//
//     node scripts/print-accept.js [SCHEMA]
//
// SCHEMA is an entry schema or any JSON Schema; without it, the bundled entry schema. Parts that are not
// supported are listed on standard error.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModule } from './bundle.js';

const src = new URL('../src/', import.meta.url);
const entry = fileURLToPath(new URL('../schemas/payload.schema.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'paylint-print-'));
try {
  /** @type {typeof import('../src/schema/load.ts')} */
  const { loadSchemas } = await import(await bundleModule(new URL('schema/load.ts', src), folder));
  /** @type {typeof import('../src/engine/compile/module.ts')} */
  const { compileAccept } = await import(await bundleModule(new URL('engine/compile/module.ts', src), folder));
  /** @type {typeof import('./wasm-text.ts')} */
  const { print } = await import(await bundleModule(new URL('wasm-text.ts', import.meta.url), folder));

  const schemas = loadSchemas(resolve(process.argv[2] ?? entry));
  const { module, reasons, unsure } = compileAccept(schemas, { givenKind: null, defaults: null });
  process.stdout.write(print(module));
  for (const [name, reason] of [...reasons, ...unsure]) console.error(`${name}: ${reason}`);
} finally {
  rmSync(folder, { recursive: true });
}
