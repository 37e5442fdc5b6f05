// @ts-check
// Compares test/verdicts/*.tsv with other validators, and lists the differences: either the table is wrong, or they are.
//
//     node scripts/verdicts.js
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ line: number, expected: string, schema: string, payload: string, why: string }} Row line: in its file, 1-based */

const FOLDER = fileURLToPath(new URL('../test/verdicts', import.meta.url));

/** @returns {{ file: string, rows: Row[] }[]} */
export function readVerdicts() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.tsv'));
  return files.sort().map((file) => {
    const [, ...lines] = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n');
    const rows = lines.map((text, i) => {
      const [expected = '', schema = '', payload = '', why = ''] = text.split('\t');
      return { line: i + 2, expected, schema, payload, why };
    });
    return { file: basename(file), rows };
  });
}

/** @param {unknown} valid */
const word = (valid) => (valid === true ? 'valid' : 'invalid');

/** By other authors, in JavaScript. */
async function hyperjump() {
  const { registerSchema, unregisterSchema, validate } = await import('@hyperjump/json-schema/draft-2020-12');
  await import('@hyperjump/json-schema/draft-2019-09');
  await import('@hyperjump/json-schema/draft-07');
  let count = 0;
  return async (/** @type {string} */ schema, /** @type {string} */ payload) => {
    const uri = `https://paylint.example/${count++}`;
    registerSchema(JSON.parse(schema), uri, 'https://json-schema.org/draft/2020-12/schema');
    try {
      return word((await validate(uri, JSON.parse(payload))).valid);
    } finally {
      unregisterSchema(uri);
    }
  };
}

/** By other authors, a native program: where the bench has installed it. */
async function native() {
  const { findNative } = await import('../bench/native.js');
  const command = findNative();
  const folder = mkdtempSync(join(tmpdir(), 'paylint-verdicts-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  return async (/** @type {string} */ schema, /** @type {string} */ payload) => {
    const files = [join(folder, 'schema.json'), join(folder, 'payload.json')];
    const dialect = schema.includes('"$schema"')
      ? []
      : ['--default-dialect', 'https://json-schema.org/draft/2020-12/schema'];
    writeFileSync(/** @type {string} */ (files[0]), schema);
    writeFileSync(/** @type {string} */ (files[1]), payload);
    try {
      execFileSync(command, ['validate', ...files, ...dialect], { stdio: 'pipe' });
      return 'valid';
    } catch (error) {
      return /** @type {{ status?: number }} */ (error).status === 2 ? 'invalid' : 'refused';
    }
  };
}

/** Ajv as it is. */
async function ajv() {
  const [{ Ajv }, { Ajv2019 }, { Ajv2020 }] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2019.js'),
    import('ajv/dist/2020.js'),
  ]);
  return async (/** @type {string} */ schema, /** @type {string} */ payload) => {
    const Class = schema.includes('draft-07') ? Ajv : schema.includes('2019-09') ? Ajv2019 : Ajv2020;
    return word(new Class({ strict: false, logger: false }).compile(JSON.parse(schema))(JSON.parse(payload)));
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, start] of Object.entries({ hyperjump, native, ajv })) {
    let check;
    try {
      check = await start();
    } catch (error) {
      console.log(`${name}: cannot be had: ${/** @type {Error} */ (error).message}`);
      continue;
    }
    let rows = 0;
    let others = 0;
    for (const { file, rows: all } of readVerdicts()) {
      for (const { line, expected, schema, payload } of all) {
        rows++;
        const said = await check(schema, payload).catch(() => 'refused');
        if (said === expected) continue;
        others++;
        console.log(`${name}: ${file}:${line}: ${said}, not ${expected}: ${payload} by ${schema}`);
      }
    }
    console.log(`${name}: ${others} of ${rows} verdicts differ`);
  }
}
