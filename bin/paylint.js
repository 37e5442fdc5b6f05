#!/usr/bin/env node
// Connects main(io) with the process: real streams and signals, the exit code. No other file touches `process`.
'use strict';
const { mkdirSync, statSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { dirname, isAbsolute, join } = require('node:path');

// Node keeps the compiled code of the bundle between runs, if it can (22.1 and later). Node checks the cache by its
// version, architecture, flags and the content of the script, and continues without it if the folder cannot be written.
// https://nodejs.org/api/module.html#module-compile-cache
const cache = enableCompileCache === undefined ? undefined : cacheFolder();
if (cache && isAbsolute(cache) && isThere(cache)) enableCompileCache(cache);

const { main, standardError, standardOutput } = require('../dist/main.cjs');

/** Exit codes by signal: 128 plus its number, as in shells. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
/** Milliseconds after a signal in which a run must complete its reports and remove its temporary files. */
const PATIENCE = 2000;

let interrupt;

/**
 * Handles signals from now on. Before, they end the process: it has nothing to complete, and may be reading a schema,
 * during which no signal can be handled.
 */
function handleSignals() {
  interrupt = new AbortController();
  for (const [signal, exitCode] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) endNow(signal, exitCode);
      interrupt.abort(signal);
      setTimeout(() => endNow(signal, exitCode), PATIENCE).unref();
    });
  }
}

/**
 * `process.exit` waits for what is being written to a named pipe, which may be for ever. The signal itself, which
 * shells show as the same exit code, does not.
 */
function endNow(signal, exitCode) {
  const isWriting = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
  if (!isWriting || process.platform === 'win32') process.exit(exitCode);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * Flags by the major version of V8, those of Node 20 and 22: when to optimise. These versions have nothing between
 * their baseline and their slowest compiler, which took a quarter of a run of half a second and finished too late. The
 * functions that read a large schema are needed only for that, so they are optimised later still. The flags only change
 * when code is optimised.
 */
const OPTIMISE_LATER = {
  11: { schema: '--interrupt-budget=1000000', payloads: '--interrupt-budget=300000' },
  12: { schema: '--invocation-count-for-turbofan=30000', payloads: '--invocation-count-for-turbofan=30000' },
};

let stdout;
let stderr;
/** Whether a stream was opened that may still be at work. */
let opened = false;
// Opening a stream takes time, and most runs need only one of the three.
main({
  args: process.argv.slice(2),
  get stdin() {
    opened = true;
    return process.stdin;
  },
  get stdout() {
    stdout ??= standardOutput();
    return stdout;
  },
  get stderr() {
    // If standard error is closed, there is no place to report that.
    stderr ??= standardError().on('error', () => {});
    return stderr;
  },
  env: process.env,
  processes: {
    isAlive(pid) {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        return error.code === 'EPERM'; // it is another user's
      }
    },
    parent: () => process.ppid,
  },
  get uid() {
    return process.geteuid?.();
  },
  get cwd() {
    return process.cwd();
  },
  now() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  get interrupt() {
    if (interrupt === undefined) handleSignals();
    return interrupt.signal;
  },
  beforeMuchWork(kind) {
    const flags = OPTIMISE_LATER[Number.parseInt(process.versions.v8, 10)];
    if (flags !== undefined) require('node:v8').setFlagsFromString(flags[kind]);
  },
}).then((exitCode) => {
  // To end at once saves Node from taking itself apart, which takes a millisecond.
  if (!opened && [stdout, stderr].every((output) => output === undefined || output.isDirect)) process.exit(exitCode);
  process.exitCode = exitCode;
  // All is written by now. Deno would wait for a read of standard input that was given up, for ever if the input has no end.
  if (process.versions.deno !== undefined) process.exit();
});

/**
 * A folder of the user's own: in a shared one, such as the one for temporary files, others could put code into the
 * cache.
 */
function cacheFolder() {
  const { platform, env } = process;
  // Node reads these itself.
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'paylint', 'Cache');
  if (platform === 'darwin') return env.HOME && join(env.HOME, 'Library', 'Caches', 'paylint');
  const caches = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  return caches && join(caches, 'paylint');
}

/**
 * Whether the folder exists or could be created, and is the user's. With `sudo` it may be that of another user, whose
 * code must not run here. Node itself would hang if a folder cannot be created, for example below /proc.
 */
function isThere(folder) {
  try {
    for (const path of [dirname(folder), folder]) {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined) mkdirSync(path, 0o700);
      else if (stats.uid !== (process.getuid?.() ?? stats.uid)) return false;
    }
    return true;
  } catch {
    return false;
  }
}
