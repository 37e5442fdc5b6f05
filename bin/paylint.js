#!/usr/bin/env node
// A wire: real streams and signals to main(io), its answer to the exit code. Nothing else touches `process`.
import { main } from '../dist/main.js';

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());

process.exitCode = await main({
  args: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  interrupt: interrupt.signal,
});
