// Loads the files of the bundle with the code caches that were made when it was built: V8 then has nothing to compile, which is a
// third of what a start takes. V8 itself rejects a cache of another version, and compiles as usual.
'use strict';
const { readFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const dist = dirname(require.resolve('../dist/main.cjs'));
const requireOthers = createRequire(join(dist, 'main.cjs'));
/** By file name: `{ module, script }`. */
const loaded = new Map();
let late = () => {};

/** Has `action` called once, when the next file is loaded: one that no start needs. */
function onLateLoad(action) {
  late = action;
}

/** What a file of the bundle exports; it runs when it is first asked for. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  late();
  late = () => {};
  const filename = join(dist, name);
  const module = { exports: {} };
  const script = new Script(wrap(readFileSync(filename, 'utf8')), {
    filename,
    cachedData: readCache(filename),
  });
  loaded.set(name, { module, script });
  script.runInThisContext()(module.exports, requireFrom, module, filename, dist);
  return module.exports;
}

function requireFrom(id) {
  return id.startsWith('./') ? load(id.slice(2)) : requireOthers(id);
}

/** Undefined where there is none: it did not seem worth it, or the build itself is running. */
function readCache(filename) {
  try {
    return readFileSync(filename.replace(/\.cjs$/, '.cache'));
  } catch {
    return undefined;
  }
}

module.exports = { load, loaded, onLateLoad };
