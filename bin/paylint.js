#!/usr/bin/env node
// A wire: real streams and signals to main(io), its answer to the exit code. Nothing else touches `process`.
'use strict';
const { load, onLateLoad } = require('./load.js');

const { main } = load('main.cjs');

/**
 * By the major version of V8: it would spend a quarter of a run of half a second on optimising what is soon over. Later versions have
 * a quicker compiler in between.
 */
const OPTIMISE_LATER = { 11: '--interrupt-budget=300000', 12: '--invocation-count-for-turbofan=30000' };

onLateLoad(() => {
  const flag = OPTIMISE_LATER[Number.parseInt(process.versions.v8, 10)];
  if (flag !== undefined) require('node:v8').setFlagsFromString(flag);
});

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort(signal));

// Opening a stream takes a while, and most runs need one of the three.
main({
  args: process.argv.slice(2),
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    // There is nobody to tell that standard error is gone.
    if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
    return process.stderr;
  },
  env: process.env,
  cwd: process.cwd(),
  interrupt: interrupt.signal,
}).then((exitCode) => {
  process.exitCode = exitCode;
});
