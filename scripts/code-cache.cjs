// Makes the code caches in dist/: runs the bundle as most runs go, and keeps what V8 compiled on the way. See bin/load.js.
'use strict';
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { PassThrough } = require('node:stream');
const { load, loaded, onLateLoad, optimiseLater } = require('../bin/load.js');

const { main } = load('main.cjs');
onLateLoad(optimiseLater);

/** A stream whose text nobody reads. */
const silent = () => new PassThrough().resume();

/** Checks a file with `text` in it, which must end with `expected`. */
async function run(text, expected) {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-cache-'));
  try {
    writeFileSync(join(folder, 'payload.ndjson'), text);
    const exitCode = await main({
      args: ['validate', '--no-config', 'payload.ndjson'],
      stdin: silent(),
      stdout: silent(),
      stderr: silent(),
      env: {},
      cwd: folder,
      interrupt: new AbortController().signal,
    });
    if (exitCode !== expected) throw new Error(`the run for the code cache ended with ${exitCode}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Keeps the code of these files of the bundle, as V8's flags are now. */
function keep(names, ending) {
  for (const name of names) {
    const path = join(__dirname, '../dist', name.replace(/\.cjs$/, ending));
    writeFileSync(path, loaded.get(name).script.createCachedData());
  }
}

async function make() {
  const valid = '{"@context":"c","@type":"Emoji","emoji":"e"}\n';
  await run(valid, 0);
  const atStart = [...loaded.keys()];
  keep(atStart, '.cache');
  await run(`${valid}{"@context":"c","@type":"Emoji","emoji":1}\n{"@type":"Artcle"}\n`, 1);
  const later = [...loaded.keys()].filter((name) => !atStart.includes(name));
  keep(later, '.cache');
  keep(atStart, '.late.cache');
}

make();
