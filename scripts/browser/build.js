// @ts-check
// How the library is built for browsers: one file, with what it uses of Node replaced by `node.js` beside this file, and
// without the parts that need files, threads or streams.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';

/** @param {string} path from the top folder */
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const NODE = at('scripts/browser/node.js');

/** Our modules whose functions are not there. */
const WITHOUT = [
  'checks/checker',
  'config/checks',
  'config/config',
  'config/flags',
  'config/require-checks',
  'engine/deep',
  'source/globs',
  'source/gunzip',
  'source/ignore',
  'source/open-bytes',
  'source/paths',
  'source/walk-folders',
  'run/outlets/outlet',
  'write/stream-output',
  'report/baseline',
  'run/fillable',
  'run/check/related-values',
  'run/run',
  'schema/refs-option',
].map((name) => at(`src/${name}.ts`));

/** Modules of Node, by name. */
export const BROWSER_ALIAS = {
  ...Object.fromEntries(builtinModules.map((name) => [`node:${name}`, NODE])),
  'node:path': at('node_modules/path-browserify/index.js'),
  // What `buffer` has for base64, which browsers have, and for numbers, which the library does not use.
  'base64-js': at('scripts/nothing.js'),
  ieee754: at('scripts/nothing.js'),
};

/** The globals of Node that the library and its packages use. */
export const BROWSER_INJECT = {
  Buffer: /** @type {[string, string]} */ ([NODE, 'Buffer']),
  process: /** @type {[string, string]} */ ([NODE, 'process']),
};

const EXPORT = /^export (?:async )?(?:function\*?|const|class|abstract class) (\w+)/gm;

/** Replaces the modules that need Node: each export says that it is not there. */
export function withoutNode() {
  return {
    name: 'without-node',
    /** @param {string} id */
    load(id) {
      if (!WITHOUT.includes(id)) return null;
      const names = [...readFileSync(id, 'utf8').matchAll(EXPORT)].map(([, name]) => name);
      const missing = "function missing() { throw new Error('this is not there in a browser'); }";
      const code = [missing, ...names.map((name) => `export { missing as ${name} };`)].join('\n');
      return { code, moduleType: /** @type {const} */ ('js') };
    },
  };
}
