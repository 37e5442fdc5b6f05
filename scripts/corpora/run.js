// @ts-check
// Runs real schemas and their test files through both engines: what accept says, and what is noted, must be what examine
// finds, and what examine finds must be what the folder of a test file says. Prints how many of the schemas are accepted in full, and why others are not.
//
//     node scripts/corpora/run.js (--schemastore | --benchmark) FOLDER
//
// FOLDER is a checkout of SchemaStore/schemastore, or of sourcemeta-research/jsonschema-benchmark. Neither is part of this
// repository. References to other schemas of SchemaStore lead to its folder, as with --ref; a schema that refers to another host is
// left out, and counted. Exit code 1 if the engines differ, or if a test file is judged otherwise without a known reason.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleModule } from '../bundle.js';

/** @typedef {import('./compare.ts').Text} Text */
/** @typedef {{ path: string, texts: () => Map<string, Text> }} Case a schema, and its test files */

/** Why examine judges test files of SchemaStore otherwise than their folders say: SchemaStore tests them with Ajv. */
const REASONS = [
  {
    files: /\/test\/(?:es6importsorterrc|function|web-manifest)\//,
    reason: 'the schema is of draft-04, which does not have "const"',
  },
  {
    files: /\/negative_test\/pre-commit-config\/local-missing-entry\.json$/,
    reason: 'draft-07 ignores "required" beside "$ref"',
  },
  { files: /\/test\/webjob-publish-settings\/scheduled\.json$/, reason: 'a date-time has a zone (RFC 3339)' },
];

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
        for (const name of names) {
          const bytes = withoutMark(readFileSync(join(tests, name)));
          texts.set(join(tests, name), { bytes, isValid: kind === 'test' });
        }
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
          line.trim() === '' ? [] : [[`${instances}:${i + 1}`, { bytes: Buffer.from(line), isValid: null }]],
        ),
      );
    },
  }));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { schemastore: { type: 'boolean' }, benchmark: { type: 'boolean' } },
});
const [root] = positionals;
if (root === undefined || values.schemastore === values.benchmark)
  throw new Error('give --schemastore or --benchmark, and the folder of the checkout');
const cases = (values.schemastore ? schemaStore : benchmark)(root);
const schemasFolder = resolve(root, 'src/schemas/json');
const refs = values.schemastore
  ? ['https://json.schemastore.org/', 'https://www.schemastore.org/'].map((uri) => ({
      ...{ uri, path: schemasFolder, isFolder: true },
    }))
  : [];
const folder = mkdtempSync(join(tmpdir(), 'paylint-corpora-'));
// The bundle finds the meta-schemas as the package does.
symlinkSync(fileURLToPath(new URL('../../schemas', import.meta.url)), join(folder, 'schemas'));
try {
  /** @type {typeof import('./compare.ts')} */
  const { compareSchema } = await import(
    await bundleModule(new URL('compare.ts', import.meta.url), join(folder, 'bundle'))
  );
  const counts = { valid: 0, invalid: 0, unsure: 0, noted: 0 };
  let [schemas, outside, refused, whole, wrong, explained] = [0, 0, 0, 0, 0, 0];
  for (const { path, texts } of cases) {
    const compared = await compareSchema(path, texts(), { refs });
    if (typeof compared === 'string') {
      const isOutside = compared.includes('nothing is fetched from a network');
      if (isOutside) outside++;
      else refused++;
      console.log(`left out: ${compared}`);
      continue;
    }
    schemas++;
    if (compared.unsure.size === 0) whole++;
    else for (const [place, reason] of compared.unsure) console.log(`${place}: ${reason}`);
    for (const name of /** @type {(keyof typeof counts)[]} */ (Object.keys(counts)))
      counts[name] += compared.counts[name];
    for (const name of compared.wrong) console.log(`the engines differ: ${name}`);
    wrong += compared.wrong.length;
    for (const name of compared.unexpected) {
      const known = REASONS.find(({ files }) => files.test(name.replaceAll('\\', '/')));
      console.log(`otherwise than its folder says: ${name}: ${known?.reason ?? 'for no known reason'}`);
      if (known === undefined) wrong++;
      else explained++;
    }
  }
  console.log(
    `${schemas} of ${cases.length} schemas load; ${outside} refer to other hosts, and ${refused} are refused`,
  );
  console.log(`${whole} of ${schemas} schemas are accepted in full (${((100 * whole) / schemas).toFixed(1)} %)`);
  console.log(
    `${counts.valid} texts accepted, ${counts.invalid} refused, ${counts.unsure} unsure; the violations of ${counts.noted} noted; ${explained} differences from the folders for known reasons, ${wrong} others`,
  );
  process.exitCode = wrong > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
