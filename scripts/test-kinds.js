// Which tests need what, computed from the files themselves: no list by hand.
//
// - Fast tests (`npm run test:fast`) start no process and no thread, read nothing that the build makes, and take no seconds. All others are slow: a file that
//   imports what starts processes or threads, directly or through helpers; that names `dist/`; or that says so by its name, `*.slow.test.ts`.
// - What only tries more, and what needs browsers, editors, packages or other versions of Node, is left to `npm run test:all`: the tests of the
//   package (`test/package/`), and `*.all.test.ts`.
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

/** @type {Map<string, string | null>} */
const reasons = new Map();

/**
 * Why a file is slow; null: it is not.
 * @param {string} path from the root
 * @returns {string | null}
 */
export function slowBecause(path) {
  const seen = reasons.get(path);
  if (seen !== undefined) return seen;
  reasons.set(path, null); // imports in a circle add nothing
  const reason = path.endsWith('.slow.test.ts') ? 'its name' : reasonIn(path, readFileSync(join(ROOT, path), 'utf8'));
  reasons.set(path, reason);
  return reason;
}

function reasonIn(/** @type {string} */ path, /** @type {string} */ source) {
  const code = source.replace(/^\s*\/?\*.*$|(?<!:)\/\/.*$/gm, '');
  const own = STARTS.exec(code)?.[0];
  if (own !== undefined) return own;
  for (const [, from = ''] of code.matchAll(/(?:^import|^export|^\})(?! type)[^;'"]*['"](\.[^'"]+)['"]/gm)) {
    const imported = relative(ROOT, join(ROOT, dirname(path), from));
    const isHelper =
      /^(?:test|scripts|bench)\//.test(imported) && /\.[jt]s$/.test(imported) && existsSync(join(ROOT, imported));
    const reason = isHelper ? slowBecause(imported) : null;
    if (reason !== null) return `${imported}: ${reason}`;
  }
  return null;
}

/** Whether only `npm run test:all` runs a file. */
export const isOnlyInAll = (/** @type {string} */ path) => /^test\/package\/|\.all\.test\.ts$/.test(path);
