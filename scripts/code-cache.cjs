// Makes dist/main.cache: runs the bundle once, as most runs go, and keeps what V8 compiled on the way. See bin/load.js.
'use strict';
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { PassThrough } = require('node:stream');
const { run, script } = require('../bin/load.js');

const root = join(__dirname, '..');
const bundle = script(undefined);
const { main } = run(bundle);

/** A stream whose text nobody reads. */
const silent = () => new PassThrough().resume();

async function make() {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-cache-'));
  try {
    writeFileSync(join(folder, 'payload.ndjson'), '{"@context":"c","@type":"Emoji","emoji":"e"}\n');
    const exitCode = await main({
      args: ['validate', '--no-config', 'payload.ndjson'],
      stdin: silent(),
      stdout: silent(),
      stderr: silent(),
      env: {},
      cwd: folder,
      interrupt: new AbortController().signal,
    });
    if (exitCode !== 0) throw new Error(`the run for the code cache ended with ${exitCode}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  writeFileSync(join(root, 'dist', 'main.cache'), bundle.createCachedData());
}

make();
