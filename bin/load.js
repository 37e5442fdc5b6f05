// Loads the bundle with the code cache that was made when it was built: V8 then has nothing to compile, which is a third of
// what a start takes. V8 itself rejects a cache of another version, and compiles as usual.
'use strict';
const { readFileSync } = require('node:fs');
const { Module, createRequire, wrap } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const path = require.resolve('../dist/main.cjs');

/** The bundle as a script; `cachedData` may be undefined. */
function script(cachedData) {
  return new Script(wrap(readFileSync(path, 'utf8')), { filename: path, cachedData });
}

/** What the bundle exports. Its chunks require it by its path, and must find this one: a second would have classes of its own. */
function run(bundle) {
  const module = new Module(path);
  const requireFrom = createRequire(path);
  requireFrom.cache[path] = module;
  bundle.runInThisContext()(module.exports, requireFrom, module, path, dirname(path));
  module.loaded = true;
  return module.exports;
}

function readCache() {
  try {
    return readFileSync(join(dirname(path), 'main.cache'));
  } catch {
    return undefined; // not made yet: the build itself is running
  }
}

module.exports = { load: () => run(script(readCache())), script, run };
