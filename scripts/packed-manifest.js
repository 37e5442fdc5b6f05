// @ts-check
// The package.json of the package has no scripts: npm warns of those that it finds there, and all of them are about the checkout. `prepack` builds
// and takes them out; `postpack` (`--restore`) puts back the file as it was.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package.json', import.meta.url);
/** The file as it is in the checkout. */
const KEPT = new URL('../package.json.kept', import.meta.url);

if (process.argv[2] === '--restore') renameSync(KEPT, FILE);
else {
  // A pack that was killed has left its own.
  if (existsSync(KEPT)) renameSync(KEPT, FILE);
  const text = readFileSync(FILE, 'utf8');
  writeFileSync(KEPT, text);
  const { scripts: _, ...manifest } = JSON.parse(text);
  try {
    writeFileSync(FILE, `${JSON.stringify(manifest, null, 2)}\n`);
  } catch (error) {
    rmSync(KEPT);
    throw error;
  }
}
