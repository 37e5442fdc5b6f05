// Preloaded into a run, and into each of its threads: tells a test, on descriptor 3, what the run has begun with. Each event is told once per thread.
'use strict';
const fs = require('node:fs');
const vm = require('node:vm');

const told = new Set();

function tell(event) {
  if (told.has(event)) return;
  told.add(event);
  try {
    fs.writeSync(3, `${event}\n`);
  } catch {
    // Nobody listens any more.
  }
}

/** `begun` and `read`: so many bytes of files were read. */
const SOME_BYTES = 1 << 16;
const MANY_BYTES = 1 << 24;
let bytes = 0;
const { readSync } = fs;
fs.readSync = (...args) => {
  const count = readSync(...args);
  bytes += count;
  if (bytes >= SOME_BYTES) tell('begun');
  if (bytes >= MANY_BYTES) tell('read');
  return count;
};

/** `regexp`: RegExp is asked about a text that takes for ever. */
const { test } = RegExp.prototype;
RegExp.prototype.test = function tested(text) {
  if (this.source.includes('(a+)+') && typeof text === 'string' && text.startsWith('a'.repeat(40))) tell('regexp');
  return test.call(this, text);
};

/** `limited`: something has begun that is ended after a while. */
const { runInThisContext } = vm.Script.prototype;
vm.Script.prototype.runInThisContext = function run(...args) {
  tell('limited');
  return runInThisContext.apply(this, args);
};

/** The patience of `bin/paylint.js` after a signal. It is no part of these tests: a busy machine may need longer for the reports. */
const PATIENCE = 2000;
const later = globalThis.setTimeout;
globalThis.setTimeout = (work, delay, ...args) => later(work, delay === PATIENCE ? 2 ** 31 - 1 : delay, ...args);
