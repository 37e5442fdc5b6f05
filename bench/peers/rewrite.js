// @ts-check
// The plainest way to write many files back safely: each is read, written beside itself, synced, and renamed over the old one.
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs';

for (const name of readdirSync('.')) {
  const content = readFileSync(name);
  const temporary = `.${name}.tmp`;
  const fd = openSync(temporary, 'wx');
  writeSync(fd, content);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(temporary, name);
}
