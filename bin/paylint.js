#!/usr/bin/env node
// A wire: real streams and signals to main(io), its answer to the exit code. Nothing else touches `process`.
'use strict';
const { load, onLateLoad, optimiseLater } = require('./load.js');

const { main } = load('main.cjs');

onLateLoad(optimiseLater);

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
