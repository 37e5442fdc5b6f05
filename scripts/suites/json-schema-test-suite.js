// @ts-check
// Runs JSON-Schema-Test-Suite through paylint's own path from a schema file to findings (src/schema, src/examine), for the five drafts
// that paylint reads. Every row of the required tests must get the expected verdict. A row of the optional tests may get another one
// only for a reason that is listed below.
//
//     node scripts/suites/json-schema-test-suite.js FOLDER [--write] [--commit ID]
//
// FOLDER is a checkout of the suite. Its remote schemas are made known as by `--ref http://localhost:1234/=FOLDER/remotes`; nothing is
// fetched. Exit code 1 if anything differs. `--write` puts the result into docs/internals/suites.md. The suite is not part of this repository.
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModule } from '../bundle.js';
import { commitOf, parseSuiteArgs, writeSection } from './report.js';

/** @typedef {typeof import('./engine.ts')} Engine */
/** @typedef {import('./engine.ts').Verdict} Verdict */
/** @typedef {import('./engine.ts').Checker} Checker */
/** @typedef {import('../../src/schema/names.ts').DraftName} DraftName */
/** @typedef {{ description: string, schema: unknown, tests: { description: string, valid: boolean }[] }} Group */
/** @typedef {{ file: string, group: string, test: string, why: string }} Row one test with another verdict than the suite's */
/** @typedef {{ folder: string, name: DraftName }} Draft */
/**
 * @typedef {object} DraftResult
 * @property {string} draft
 * @property {number} rows
 * @property {number} agreed
 * @property {number} accepted rows that the fast engine answered
 * @property {Row[]} explained rows of optional tests that differ for a known reason
 * @property {Row[]} failures anything else
 */
/** @typedef {{ required: DraftResult[], optional: DraftResult[], formats: DraftResult[] }} Results */

/** @type {Draft[]} */
const DRAFTS = [
  { folder: 'draft4', name: '4' },
  { folder: 'draft6', name: '6' },
  { folder: 'draft7', name: '7' },
  { folder: 'draft2019-09', name: '2019-09' },
  { folder: 'draft2020-12', name: '2020-12' },
];

/** The address of the suite's remote schemas. */
const REMOTE = 'http://localhost:1234/';

/**
 * Why rows of optional tests differ.
 * @type {{ file: RegExp, group: RegExp, reason: string }[]}
 */
const REASONS = [
  {
    file: /^zeroTerminatedFloats\.json$/,
    group: /^some languages do not distinguish/,
    reason: '`1.0` is an integer in each draft, as in those after draft-04',
  },
  {
    file: /^content\.json$/,
    group: /^validation of /,
    reason: '`contentEncoding` and `contentMediaType` are annotations in each draft, as in those after draft-07',
  },
];

/**
 * Runs the tests of all drafts.
 * @param {string} suite
 * @param {Engine} [given] in place of paylint
 * @returns {Promise<Results>}
 */
export async function runJsonSchemaTestSuite(suite, given) {
  const scratch = mkdtempSync(join(tmpdir(), 'paylint-suite-'));
  try {
    // The bundle finds the meta-schemas as the package does.
    symlinkSync(fileURLToPath(new URL('../../schemas', import.meta.url)), join(scratch, 'schemas'));
    const engine =
      given ?? (await import(await bundleModule(new URL('engine.ts', import.meta.url), join(scratch, 'bundle'))));
    /** @type {Results} */
    const results = { required: [], optional: [], formats: [] };
    for (const draft of DRAFTS) {
      const folder = join(suite, 'tests', draft.folder);
      const run = new DraftRun(engine, draft, join(suite, 'remotes'), scratch);
      results.required.push(await run.folder(folder));
      results.optional.push(await run.folder(join(folder, 'optional')));
      results.formats.push(await run.folder(join(folder, 'optional', 'format')));
    }
    return results;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** In the required tests of this file, formats are annotations, as with `--no-assert-formats`. */
const ANNOTATED = 'format.json';

/** The tests of one draft. */
class DraftRun {
  /**
   * @param {Engine} engine
   * @param {Draft} draft
   * @param {string} remotes the folder of the remote schemas
   * @param {string} scratch a folder for schema files
   */
  constructor(engine, draft, remotes, scratch) {
    this.engine = engine;
    this.draft = draft;
    this.options = { draft: draft.name, refs: [{ uri: REMOTE, path: remotes, isFolder: true }] };
    this.schemaFile = join(scratch, `${draft.folder}.json`);
  }

  /**
   * All files directly in `folder`.
   * @param {string} folder
   * @returns {Promise<DraftResult>}
   */
  async folder(folder) {
    /** @type {DraftResult} */
    const result = { draft: this.draft.folder, rows: 0, agreed: 0, accepted: 0, explained: [], failures: [] };
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    for (const name of names.sort()) await this.file(join(folder, name), name, result);
    if (result.rows === 0) throw new Error(`there are no tests in ${folder}`);
    return result;
  }

  /**
   * Schemas and values are taken from the file as bytes, so that `1.0` stays unchanged.
   * @param {string} path
   * @param {string} name
   * @param {DraftResult} result
   */
  async file(path, name, result) {
    const bytes = readFileSync(path);
    /** @type {Group[]} */
    const groups = JSON.parse(bytes.toString());
    const pointers = groups.flatMap(({ tests }, g) => [
      `/${g}/schema`,
      ...tests.map((_, t) => `/${g}/tests/${t}/data`),
    ]);
    const places = this.engine.locate(bytes, 0, bytes.length, pointers);
    /** @param {string} pointer */
    const bytesAt = (pointer) => {
      const { start, end } = places.get(pointer)?.value ?? { start: 0, end: 0 };
      return bytes.subarray(start, end);
    };
    for (const [g, group] of groups.entries()) {
      const checker = await this.compile(bytesAt(`/${g}/schema`), name);
      for (const [t, test] of group.tests.entries()) {
        const row = { file: name, group: group.description, test: test.description, why: '' };
        const value = bytesAt(`/${g}/tests/${t}/data`);
        this.row(row, checker, test.valid ? 'valid' : 'invalid', value, result);
      }
    }
  }

  /**
   * A function that gives paylint's verdict; or why paylint refuses the schema.
   * @param {Buffer} schema
   * @param {string} name of the file with the test
   * @returns {Promise<Checker | { refusal: string }>}
   */
  async compile(schema, name) {
    writeFileSync(this.schemaFile, schema);
    try {
      return await this.engine.createChecker(this.schemaFile, this.options, { assertsFormats: name !== ANNOTATED });
    } catch (error) {
      if (!(error instanceof this.engine.SchemaError)) throw error;
      return { refusal: /** @type {Error} */ (error).message };
    }
  }

  /**
   * @param {Row} row
   * @param {Checker | { refusal: string }} checker
   * @param {Verdict} expected
   * @param {Buffer} value
   * @param {DraftResult} result
   */
  row(row, checker, expected, value, result) {
    result.rows++;
    const verdict = 'refusal' in checker ? checker.refusal : attempt(() => checker.examine(value));
    const accepted = 'refusal' in checker ? false : checker.accept(value);
    if (accepted) result.accepted++;
    if (accepted && verdict !== 'valid') {
      result.failures.push({ ...row, why: `accepted without a look, but ${verdict}` });
    } else if (verdict === expected) result.agreed++;
    else {
      const known = REASONS.find(({ file, group }) => file.test(row.file) && group.test(row.group));
      const why = known?.reason ?? `expected ${expected}, paylint: ${verdict}`;
      (known === undefined ? result.failures : result.explained).push({ ...row, why });
    }
  }
}

/**
 * A verdict, or the message of an error.
 * @param {() => Verdict} checker
 * @returns {string}
 */
function attempt(checker) {
  try {
    return checker();
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/**
 * @param {DraftResult[]} results
 * @returns {string} a Markdown table
 */
function table(results) {
  const rows = results.map(
    ({ draft, rows, agreed, explained, failures, accepted }) =>
      `| ${draft} | ${rows} | ${agreed} | ${explained.length + failures.length} | ${accepted} |`,
  );
  return ['| draft | rows | as expected | otherwise | by accept |', '|---|---|---|---|---|', ...rows].join('\n');
}

/**
 * @param {DraftResult[]} results
 * @returns {string} Markdown lists, one a draft
 */
function lists(results) {
  const lists = results
    .filter(({ explained }) => explained.length > 0)
    .map(({ draft, explained }) => {
      const rows = explained.map(({ file, group, test, why }) => `- \`${file}\`: ${group}: ${test}: ${oneLine(why)}`);
      return `${draft}:\n\n${rows.join('\n')}`;
    });
  return lists.length === 0 ? 'All rows are as expected.' : lists.join('\n\n');
}

/**
 * @param {Results} results
 * @param {string} commit
 */
function section({ required, optional, formats }, commit) {
  return `Commit \`${commit}\`.

Required tests:

${table(required)}

\`optional\`, without \`format\`:

${table(optional)}

${lists(optional)}

\`optional/format\`:

${table(formats)}

${lists(formats)}
`;
}

/**
 * Messages may contain the path of a temporary file, which does not belong into a document.
 * @param {string} text
 */
function oneLine(text) {
  return text.replaceAll(/file:\/\/\S*\//g, '').replaceAll(/\s+/g, ' ');
}

async function main() {
  const { folder, write, commit } = parseSuiteArgs(process.argv.slice(2));
  const results = await runJsonSchemaTestSuite(resolve(folder));
  for (const [name, list] of Object.entries(results)) console.log(`${name}:\n${table(list)}\n`);
  const failures = Object.values(results)
    .flat()
    .flatMap(({ draft, failures }) => failures.map((row) => ({ draft, ...row })));
  for (const { draft, file, group, test, why } of failures)
    console.log(`✗ ${draft}/${file}: ${group}: ${test}: ${why}`);
  if (failures.length > 0) process.exitCode = 1;
  else if (write) writeSection('json-schema-test-suite', section(results, commit ?? commitOf(folder)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
