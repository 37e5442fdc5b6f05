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

/** What the names of caches end with, the best first. */
let endings = ['.cache'];

/** Threads are started when V8 runs under other flags than it does at the start, and with them go other caches. */
function inThread() {
  endings = ['.late.cache', '.cache'];
}

/** Undefined where there is none: it did not seem worth it, or the build itself is running. */
function readCache(filename) {
  for (const ending of endings) {
    try {
      return readFileSync(filename.replace(/\.cjs$/, ending));
    } catch {
      // The next one, then.
    }
  }
  return undefined;
}

/**
 * By the major version of V8: it would spend a quarter of a run of half a second on optimising what is soon over. Later versions have
 * a quicker compiler in between.
 */
const OPTIMISE_LATER = { 11: '--interrupt-budget=300000', 12: '--invocation-count-for-turbofan=30000' };

/** For `onLateLoad`. V8 takes only caches that were made under the same flags, so the build needs it as well as the run. */
function optimiseLater() {
  const flag = OPTIMISE_LATER[Number.parseInt(process.versions.v8, 10)];
  if (flag !== undefined) require('node:v8').setFlagsFromString(flag);
}

module.exports = { inThread, load, loaded, onLateLoad, optimiseLater };
