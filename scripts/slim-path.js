// Makes a folder with links to what a slim container has: Node, npm, a shell and the coreutils. Prints its path; the caller removes it.
// A test that starts any other program without saying so fails with this folder as its PATH.
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathOf } from './programs.js';

/** Those of the coreutils that tests, or the scripts of npm, may call. */
const COREUTILS =
  'basename cat chmod chown cp cut date dirname env false head id ln ls mkdir mkfifo mktemp mv pwd readlink ' +
  'rm rmdir seq sleep sort split stat tail tee test touch tr true uname uniq wc';

const folder = mkdtempSync(join(tmpdir(), 'paylint-slim-'));
symlinkSync(process.execPath, join(folder, 'node'));
for (const name of ['npm', 'npx', 'sh', ...COREUTILS.split(' ')]) {
  const path = pathOf(name) ?? pathOf(name, dirname(process.execPath));
  if (path !== null) symlinkSync(path, join(folder, name));
}
console.log(folder);
