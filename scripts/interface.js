// @ts-check
// What the interface of paylint is, as lists of names: verbs with their flags, keys of the config, exit codes, fields of reports, rules, exports. The lists are
// recorded in test/interface.json, which a test compares with the source; a release is compared with the one before, so that nothing goes unnoticed.
//
//   node scripts/interface.js --write          records the lists
//   node scripts/interface.js --since REV      names what changed since a revision; exit code 1 if something is gone
//
// It reads dist/, so build before.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModule } from './bundle.js';

const root = new URL('../', import.meta.url);
const RECORD = 'test/interface.json';
/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** By heading, the names in order. @returns {Promise<Record<string, string[]>>} */
export async function currentInterface() {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-interface-'));
  try {
    /** @param {string} path */
    const load = async (path) => import(await bundleModule(new URL(`src/${path}`, root), folder));
    /** @type {typeof import('../src/cli/verbs.ts')} */
    const { VERBS } = await load('cli/verbs.ts');
    /** @type {typeof import('../src/keywords/rules.ts')} */
    const { RULES } = await load('keywords/rules.ts');
    const flags = VERBS.map(({ name, flags: groups }) => [
      `flags of ${name}`,
      groups.flatMap((group) => group.flags.map((flag) => flag.flags)).sort(),
    ]);
    const { $defs } = JSON.parse(read('schemas/report.schema.json'));
    return {
      verbs: VERBS.map(({ name }) => name).sort(),
      ...Object.fromEntries(flags),
      'keys of the config': Object.keys(JSON.parse(read('schemas/config.schema.json')).properties).sort(),
      'exit codes': [...read('docs/reference/cli.md').matchAll(/^\| (\d+) \|/gm)].map(([, code]) => String(code)),
      'fields of reports': fieldsOf($defs),
      rules: [...RULES.keys()].sort(),
      'exports of paylint': await exportsOf('index'),
      'exports of paylint/browser': await exportsOf('browser'),
      'exports of paylint/validate': await exportsOf('validate'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `violation.line`, for every object of the schema of reports. @param {Record<string, { properties?: object }>} definitions */
function fieldsOf(definitions) {
  return Object.entries(definitions)
    .flatMap(([name, { properties = {} }]) => Object.keys(properties).map((field) => `${name}.${field}`))
    .sort();
}

/** Values and types. @param {string} entry */
async function exportsOf(entry) {
  const values = Object.keys(await import(fileURLToPath(new URL(`dist/${entry}.js`, root))));
  const declared = read(`dist/types/${entry === 'index' ? 'index' : `library/${entry}`}.d.ts`);
  const types = [...declared.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) =>
    (names ?? '').split(',').map((name) => name.trim().replace(/^type |.* as /g, '')),
  );
  return [...new Set([...values, ...types])].filter((name) => name !== '').sort();
}

/**
 * @param {Record<string, string[]>} before
 * @param {Record<string, string[]>} now
 * @returns {{ gone: string[], added: string[] }} as lines
 */
export function changes(before, now) {
  /** @param {Record<string, string[]>} from @param {Record<string, string[]>} to */
  const missing = (from, to) =>
    Object.entries(from).flatMap(([heading, names]) =>
      names.filter((name) => !(to[heading] ?? []).includes(name)).map((name) => `${heading}: ${name}`),
    );
  return { gone: missing(before, now), added: missing(now, before) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const now = await currentInterface();
  const [, , flag, revision] = process.argv;
  if (flag === '--write') writeFileSync(new URL(RECORD, root), `${JSON.stringify(now, null, 1)}\n`);
  else if (flag === '--since' && revision !== undefined) {
    const text = execFileSync('git', ['show', `${revision}:${RECORD}`], { cwd: fileURLToPath(root), encoding: 'utf8' });
    const { gone, added } = changes(JSON.parse(text), now);
    for (const line of added) console.log(`added  ${line}`);
    for (const line of gone) console.log(`GONE   ${line}`);
    if (gone.length > 0) process.exitCode = 1;
  } else {
    console.error('node scripts/interface.js --write | --since REV');
    process.exitCode = 2;
  }
}
