#!/usr/bin/env node
// Connects main(io) with the process: real streams and signals in, the exit code out. Nothing else touches `process`.
'use strict';
const { existsSync, mkdirSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { dirname, join } = require('node:path');

// Node keeps the compiled code of the bundle between runs, if it can (22.1 and later). Node checks what it loads
// from there by its version, architecture, flags and the content of the script, and goes on without the cache if the folder cannot be
// written. https://nodejs.org/api/module.html#module-compile-cache
const cache = enableCompileCache === undefined ? undefined : cacheFolder();
if (cache && isThere(cache)) enableCompileCache(cache);

const { main, standardOutput } = require('../dist/main.cjs');

/** Exit codes by signal: 128 and its number, as shells count. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
/** Milliseconds in which a run has to end after a signal, with its reports complete and its temporary files removed. */
const PATIENCE = 2000;

const interrupt = new AbortController();
for (const [signal, exitCode] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) process.exit(exitCode);
    interrupt.abort(signal);
    setTimeout(() => process.exit(exitCode), PATIENCE).unref();
  });
}

/**
 * By the major version of V8, those of Node 20 and 22: when to optimise. They have nothing between their baseline and their slowest
 * compiler, which took a quarter of a run of half a second and came too late to be of use. The flags change when code is optimised,
 * and nothing else.
 */
const OPTIMISE_LATER = { 11: '--interrupt-budget=300000', 12: '--invocation-count-for-turbofan=30000' };

let stdout;
// Opening a stream takes a while, and most runs need only one of the three.
main({
  args: process.argv.slice(2),
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    stdout ??= standardOutput();
    return stdout;
  },
  get stderr() {
    // A closed standard error leaves no place to report that it is closed.
    if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
    return process.stderr;
  },
  env: process.env,
  pid: process.pid,
  get cwd() {
    return process.cwd();
  },
  now() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  interrupt: interrupt.signal,
  beforeExamining() {
    const flag = OPTIMISE_LATER[Number.parseInt(process.versions.v8, 10)];
    if (flag !== undefined) require('node:v8').setFlagsFromString(flag);
  },
}).then((exitCode) => {
  process.exitCode = exitCode;
});

/** A folder of the user's own: in a shared one, such as that for temporary files, others could put code into the cache. */
function cacheFolder() {
  const { platform, env } = process;
  // Node itself looks at these.
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'paylint', 'Cache');
  if (platform === 'darwin') return env.HOME && join(env.HOME, 'Library', 'Caches', 'paylint');
  const caches = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  return caches && join(caches, 'paylint');
}

/** Whether the folder is there, or could be made. Node would never return where a folder cannot be made, as below /proc. */
function isThere(folder) {
  try {
    for (const path of [dirname(folder), folder]) if (!existsSync(path)) mkdirSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}
