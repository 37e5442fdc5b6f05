// Makes dist/main.cache: runs the bundle once, as most runs go, and keeps what V8 compiled on the way. See bin/load.js.
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { PassThrough } = require('node:stream');
const { run, script } = require('../bin/load.js');

const root = join(__dirname, '..');
const bundle = script(undefined);
const { main } = run(bundle);

/** A stream whose text nobody reads. */
const silent = () => new PassThrough().resume();

async function make() {
  const stderr = silent();
  const world = { stdin: silent(), stdout: silent(), stderr, env: {}, cwd: root };
  const exitCode = await main({
    ...world,
    args: ['validate', '--no-config', 'fixtures/content/valid/content.ndjson'],
    interrupt: new AbortController().signal,
  });
  if (exitCode !== 0) throw new Error(`the run for the code cache ended with ${exitCode}`);
  writeFileSync(join(root, 'dist', 'main.cache'), bundle.createCachedData());
}

make();
