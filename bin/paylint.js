#!/usr/bin/env node
// A wire: real streams and signals to main(io), its answer to the exit code. Nothing else touches `process`.
'use strict';
const { main } = require('../dist/main.cjs');

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());

main({
  args: process.argv.slice(2),
  // Opening it takes a while, and most runs read files.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  interrupt: interrupt.signal,
}).then((exitCode) => {
  process.exitCode = exitCode;
});
