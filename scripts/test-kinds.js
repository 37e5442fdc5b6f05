// Which tests need what, computed from the files themselves: no list by hand.
//
// - Fast tests (`npm run test:fast`) start no process and no thread, read nothing that the build makes, and take no seconds. All others are slow: a file that
//   imports what starts processes or threads, directly or through helpers; that names `dist/`; or that says so by its name, `*.slow.test.ts`.
// - What only tries more, and what needs browsers, editors, packages or other versions of Node, is left to `npm run test:all`: the tests of the
//   package (`test/package/`), and `*.all.test.ts`.
// - What `.ci/run` need not run twice: what has passed in `npm test`, and does no more in `npm run test:all`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** All files of tests, as paths from the root. What tests write into test/tmp comes and goes. */
export const TEST_FILES = ['test', ...roomsOf('test')].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort(),
);

function roomsOf(/** @type {string} */ folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'tmp')
    .map((entry) => `${folder}/${entry.name}`)
    .sort();
}

/** What makes a file slow by itself: processes, threads, and what the build makes, of which the page of `html` reports is a part. */
const STARTS =
  /'node:(?:child_process|worker_threads)'|'--threads', (?!'1')|\bthreads: [2-9]|(?<!\w\/)\bdist['/]|'html'|\bFORMAT_NAMES\b/;

/** What a file reads that does more in `npm run test:all` than in `npm test`. */
const READS_MODE = /\bprocess\.env\.(?:TESTS(?! !== 'fast')|ROUNDS)\b/;

/**
 * Why a file is slow; null: it is not.
 * @param {string} path from the root
 * @returns {string | null}
 */
export const slowBecause = finder((path, code) =>
  path.endsWith('.slow.test.ts') ? 'its name' : (STARTS.exec(code)?.[0] ?? null),
);

/**
 * What makes a file do more in `npm run test:all` than in `npm test`; null: nothing.
 * @param {string} path from the root
 * @returns {string | null}
 */
export const growsBecause = finder((_path, code) => READS_MODE.exec(code)?.[0] ?? null);

/**
 * What is true of a file, by itself or through the helpers that it imports.
 * @param {(path: string, code: string) => string | null} own
 */
function finder(own) {
  /** @type {Map<string, string | null>} */
  const reasons = new Map();
  return find;

  /**
   * @param {string} path
   * @returns {string | null}
   */
  function find(path) {
    const seen = reasons.get(path);
    if (seen !== undefined) return seen;
    reasons.set(path, null); // imports in a circle add nothing
    const code = readFileSync(join(ROOT, path), 'utf8').replace(/^\s*\/?\*.*$|(?<!:)\/\/.*$/gm, '');
    const reason = own(path, code) ?? throughImports(path, code);
    reasons.set(path, reason);
    return reason;
  }

  function throughImports(/** @type {string} */ path, /** @type {string} */ code) {
    for (const [, from = ''] of code.matchAll(/(?:^import|^export|^\})(?! type)[^;'"]*['"](\.[^'"]+)['"]/gm)) {
      const imported = relative(ROOT, join(ROOT, dirname(path), from));
      const isHelper =
        /^(?:test|scripts|bench)\//.test(imported) && /\.[jt]s$/.test(imported) && existsSync(join(ROOT, imported));
      const reason = isHelper ? find(imported) : null;
      if (reason !== null) return `${imported}: ${reason}`;
    }
    return null;
  }
}

/** Whether only `npm run test:all` runs a file. */
export const isOnlyInAll = (/** @type {string} */ path) => /^test\/package\/|\.all\.test\.ts$/.test(path);

/**
 * The files that need not run again after `npm test`: every test of theirs passed there, none was skipped, and they do no more in `npm run test:all`.
 * @param {string | undefined} results the file that its JSON reporter has written; undefined: it has not run, and no file is named
 * @returns {string[]}
 */
export function provedBy(results) {
  if (results === undefined) return [];
  /** @type {{ testResults: { name: string, status: string, assertionResults: { status: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  const passed = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'passed' && assertionResults.length > 0 && assertionResults.every((test) => test.status === 'passed'),
  );
  // It ran in a clone, whose root is another.
  const names = passed.map(({ name }) => name.replaceAll('\\', '/'));
  return TEST_FILES.filter((path) => names.some((name) => name.endsWith(`/${path}`)) && growsBecause(path) === null);
}
