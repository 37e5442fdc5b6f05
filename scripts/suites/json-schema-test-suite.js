// @ts-check
// Runs JSON-Schema-Test-Suite through paylint's own path from a schema file to findings (src/schema, src/examine), for the
// three drafts it knows. Every row of the required tests must get the expected verdict, unless plain Ajv, which paylint
// uses, gives another one as well, or the schema is one that paylint refuses by its contract. The tests of
// `optional/format` are counted for information.
//
//     node scripts/suites/json-schema-test-suite.js FOLDER [--write] [--commit ID]
//
// FOLDER is a checkout of the suite. Its remote schemas are read from its `remotes` folder; nothing is fetched. Exit code 1
// where anything differs. `--write` puts the result into docs/suites.md. The suite is not part of this repository.
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { bundleModule } from '../bundle.js';
import { commitOf, parseSuiteArgs, writeSection } from './report.js';

/** @typedef {typeof import('./engine.ts')} Engine */
/** @typedef {import('./engine.ts').Verdict} Verdict */
/** @typedef {import('./engine.ts').Checker} Checker */
/** @typedef {{ description: string, schema: unknown, tests: { description: string, valid: boolean }[] }} Group */
/** @typedef {{ file: string, group: string, test: string, why: string }} Row one test, and what is odd about it */
/** @typedef {{ folder: string, uri: string, Ajv: typeof Ajv | typeof Ajv2019 | typeof Ajv2020 }} Draft */
/**
 * @typedef {object} DraftResult
 * @property {string} draft
 * @property {number} rows
 * @property {number} agreed
 * @property {number} accepted rows that the fast engine answered
 * @property {Row[]} ajv rows in which plain Ajv differs from the suite as paylint does
 * @property {Row[]} refused rows whose schema paylint refuses by its contract
 * @property {Row[]} failures anything else
 */

/** @type {Draft[]} */
const DRAFTS = [
  { folder: 'draft7', uri: 'http://json-schema.org/draft-07/schema#', Ajv },
  { folder: 'draft2019-09', uri: 'https://json-schema.org/draft/2019-09/schema', Ajv: Ajv2019 },
  { folder: 'draft2020-12', uri: 'https://json-schema.org/draft/2020-12/schema', Ajv: Ajv2020 },
];

/** The address of the suite's remote schemas. */
const REMOTE = 'http://localhost:1234/';

/**
 * Runs the tests of all drafts.
 * @param {string} suite
 * @param {Engine} [given] in place of paylint
 * @returns {Promise<{ required: DraftResult[], formats: DraftResult[] }>}
 */
export async function runJsonSchemaTestSuite(suite, given) {
  const scratch = mkdtempSync(join(tmpdir(), 'paylint-suite-'));
  try {
    // The bundle finds the meta-schemas as the package does.
    symlinkSync(fileURLToPath(new URL('../../schemas', import.meta.url)), join(scratch, 'schemas'));
    const engine =
      given ??
      (await import(await bundleModule(new URL('engine.ts', import.meta.url), join(scratch, 'bundle'))));
    const remotes = findRemotes(join(suite, 'remotes'));
    const required = [];
    const formats = [];
    for (const draft of DRAFTS) {
      const folder = join(suite, 'tests', draft.folder);
      const run = new DraftRun(engine, draft, remotes, scratch);
      required.push(await run.folder(folder));
      formats.push(await run.folder(join(folder, 'optional', 'format')));
    }
    return { required, formats };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/**
 * The files of `folder`, by URI.
 * @param {string} folder
 * @returns {Map<string, string>}
 */
function findRemotes(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [REMOTE + relative(folder, path).replaceAll('\\', '/'), path]));
}

/** In the required tests of this file, formats are annotations, as with `--no-assert-formats`. */
const ANNOTATED = 'format.json';

/** The tests of one draft. */
class DraftRun {
  /**
   * @param {Engine} engine
   * @param {Draft} draft
   * @param {Map<string, string>} remotes
   * @param {string} scratch a folder for schema files
   */
  constructor(engine, draft, remotes, scratch) {
    this.engine = engine;
    this.draft = draft;
    this.remotes = remotes;
    this.schemaFile = join(scratch, `${draft.folder}.json`);
  }

  /**
   * All files directly in `folder`.
   * @param {string} folder
   * @returns {Promise<DraftResult>}
   */
  async folder(folder) {
    /** @type {DraftResult} */
    const result = {
      draft: this.draft.folder,
      rows: 0,
      agreed: 0,
      accepted: 0,
      ajv: [],
      refused: [],
      failures: [],
    };
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
        this.row(row, checker, test.valid ? 'valid' : 'invalid', value, group.schema, result);
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
    writeFileSync(this.schemaFile, this.withDraft(schema));
    try {
      return await this.engine.createChecker(
        this.schemaFile,
        this.remotes,
        name === ANNOTATED ? { assertsFormats: false } : {},
      );
    } catch (error) {
      if (!(error instanceof this.engine.SchemaError)) throw error;
      return { refusal: /** @type {Error} */ (error).message };
    }
  }

  /**
   * A schema file names its draft. The suite's older schemas leave that to the folder they are in.
   * @param {Buffer} schema
   */
  withDraft(schema) {
    const text = schema.toString();
    const parsed = JSON.parse(text);
    if (typeof parsed !== 'object' || '$schema' in parsed) return text;
    const comma = Object.keys(parsed).length > 0 ? ',' : '';
    return text.replace('{', `{"$schema":"${this.draft.uri}"${comma}`);
  }

  /**
   * @param {Row} row
   * @param {Checker | { refusal: string }} checker
   * @param {Verdict} expected
   * @param {Buffer} value
   * @param {unknown} schema
   * @param {DraftResult} result
   */
  row(row, checker, expected, value, schema, result) {
    result.rows++;
    const refusal = 'refusal' in checker ? checker.refusal : null;
    const verdict = 'refusal' in checker ? 'refused' : attempt(() => checker.examine(value));
    const accepted = 'refusal' in checker ? false : checker.accept(value);
    if (accepted) result.accepted++;
    if (accepted && verdict !== 'valid') {
      result.failures.push({ ...row, why: `accepted without a look, but ${verdict}` });
    } else if (verdict === expected) result.agreed++;
    else if (refusal !== null && BY_CONTRACT.test(refusal)) result.refused.push({ ...row, why: refusal });
    else {
      const ajv = this.plainAjv(schema, JSON.parse(value.toString()));
      const said = refusal ?? verdict;
      const why = `expected ${expected}, Ajv: ${ajv}${said.endsWith(ajv) ? '' : `, paylint: ${said}`}`;
      (ajv === expected ? result.failures : result.ajv).push({ ...row, why });
    }
  }

  /**
   * Ajv's own verdict: with formats and every remote schema it accepts, otherwise with its defaults.
   * @param {unknown} schema
   * @param {unknown} value
   * @returns {string} a verdict, or the message of its error
   */
  plainAjv(schema, value) {
    const ajv = new this.draft.Ajv({ strict: false, logger: false });
    addFormats.default(ajv);
    for (const [uri, path] of this.remotes) {
      try {
        ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')), uri);
      } catch {
        // Of another draft, or with an $id that is already used: an error only if a test refers to it.
      }
    }
    return attempt(() =>
      ajv.compile(/** @type {import('ajv').AnySchema} */ (schema))(value) ? 'valid' : 'invalid',
    );
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

/** What paylint promises to refuse: a `$schema` of another draft than the three. */
const BY_CONTRACT = /#\/\$schema: .* is not supported; paylint supports/;

/**
 * @param {DraftResult[]} results
 * @returns {string} a Markdown table
 */
function table(results) {
  const rows = results.map(
    ({ draft, rows, agreed, ajv, refused, failures, accepted }) =>
      `| ${draft} | ${rows} | ${agreed} | ${ajv.length} | ${refused.length} | ${failures.length} | ${accepted} |`,
  );
  return [
    '| draft | rows | as expected | Ajv differs too | schema refused | anything else | by accept |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/**
 * @param {DraftResult[]} results
 * @param {(result: DraftResult) => Row[]} rowsOf
 * @returns {string} Markdown lists, one a draft
 */
function lists(results, rowsOf) {
  const drafts = results.filter((result) => rowsOf(result).length > 0);
  const lists = drafts.map((result) => {
    const rows = rowsOf(result).map(
      ({ file, group, test, why }) => `- \`${file}\`: ${group}: ${test} (${oneLine(why)})`,
    );
    return `${result.draft}:\n\n${rows.join('\n')}`;
  });
  return lists.length === 0 ? 'None.' : lists.join('\n\n');
}

/**
 * @param {{ required: DraftResult[], formats: DraftResult[] }} results
 * @param {string} commit
 */
function section({ required, formats }, commit) {
  return `Commit \`${commit}\`.

Required tests:

${table(required)}

\`optional/format\`:

${table(formats)}

### Rows of \`optional/format\` in which paylint differs from the suite

${lists(formats, ({ ajv }) => ajv)}

### Rows in which Ajv differs from the suite, and paylint with it

${lists(required, ({ ajv }) => ajv)}

### Rows whose schema paylint refuses

${lists(required, ({ refused }) => refused)}
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
  console.log(`Required tests:\n${table(results.required)}\n\noptional/format:\n${table(results.formats)}`);
  const failures = [...results.required, ...results.formats].flatMap(({ draft, failures }) =>
    failures.map((row) => ({ draft, ...row })),
  );
  for (const { draft, file, group, test, why } of failures)
    console.log(`✗ ${draft}/${file}: ${group}: ${test}: ${why}`);
  if (failures.length > 0) process.exitCode = 1;
  else if (write) writeSection('json-schema-test-suite', section(results, commit ?? commitOf(folder)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
