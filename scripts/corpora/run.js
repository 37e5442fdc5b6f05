// @ts-check
// Runs real schemas and their test files through both engines: what accept says, and what is noted, must be what examine
// finds. Prints how many of the schemas are accepted in full, and why others are not.
//
//     node scripts/corpora/run.js (--schemastore | --benchmark) FOLDER
//
// FOLDER is a checkout of SchemaStore/schemastore, or of sourcemeta-research/jsonschema-benchmark. Neither is part of this
// repository. Schemas of other drafts, and those with references to the network, are left out. Exit code 1 if the engines
// differ.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleModule } from '../bundle.js';

/** @typedef {{ path: string, texts: () => Map<string, Buffer> }} Case a schema, and its test files */

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * @param {string} folder
 * @returns {Case[]}
 */
function schemaStore(folder) {
  const schemas = join(folder, 'src/schemas/json');
  return readdirSync(schemas).map((file) => ({
    path: join(schemas, file),
    texts: () => {
      const texts = new Map();
      for (const kind of ['test', 'negative_test']) {
        const tests = join(folder, 'src', kind, file.replace(/\.json$/, ''));
        const names = existsSync(tests) ? readdirSync(tests).filter((name) => name.endsWith('.json')) : [];
        for (const name of names) texts.set(join(tests, name), withoutMark(readFileSync(join(tests, name))));
      }
      return texts;
    },
  }));
}

/** @param {Buffer} bytes */
function withoutMark(bytes) {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

/**
 * @param {string} folder
 * @returns {Case[]}
 */
function benchmark(folder) {
  return readdirSync(join(folder, 'schemas')).map((name) => ({
    path: join(folder, 'schemas', name, 'schema.json'),
    texts: () => {
      const instances = join(folder, 'schemas', name, 'instances.jsonl');
      const lines = existsSync(instances) ? readFileSync(instances, 'utf8').split('\n') : [];
      return new Map(
        lines.flatMap((line, i) =>
          line.trim() === '' ? [] : [[`${instances}:${i + 1}`, Buffer.from(line)]],
        ),
      );
    },
  }));
}

/** @param {string} path */
function isKnownDraft(path) {
  try {
    return /draft-07|2019-09|2020-12/.test(String(JSON.parse(readFileSync(path, 'utf8')).$schema));
  } catch {
    return false;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { schemastore: { type: 'boolean' }, benchmark: { type: 'boolean' } },
});
const [root] = positionals;
if (root === undefined || values.schemastore === values.benchmark)
  throw new Error('give --schemastore or --benchmark, and the folder of the checkout');
const cases = (values.schemastore ? schemaStore : benchmark)(root).filter(({ path }) => isKnownDraft(path));
const folder = mkdtempSync(join(tmpdir(), 'paylint-corpora-'));
try {
  /** @type {typeof import('./compare.ts')} */
  const { compareSchema } = await import(await bundleModule(new URL('compare.ts', import.meta.url), folder));
  const counts = { valid: 0, invalid: 0, unsure: 0, noted: 0 };
  let [schemas, whole, wrong] = [0, 0, 0];
  for (const { path, texts } of cases) {
    const compared = await compareSchema(path, texts());
    if (compared === null) continue;
    schemas++;
    if (compared.unsure.size === 0) whole++;
    else for (const [place, reason] of compared.unsure) console.log(`${place}: ${reason}`);
    for (const name of /** @type {(keyof typeof counts)[]} */ (Object.keys(counts)))
      counts[name] += compared.counts[name];
    for (const name of compared.wrong) console.log(`the engines differ: ${name}`);
    wrong += compared.wrong.length;
  }
  console.log(
    `${whole} of ${schemas} schemas are accepted in full (${((100 * whole) / schemas).toFixed(1)} %)`,
  );
  console.log(
    `${counts.valid} texts accepted, ${counts.invalid} refused, ${counts.unsure} unsure; the violations of ${counts.noted} noted; ${wrong} differences`,
  );
  process.exitCode = wrong > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
