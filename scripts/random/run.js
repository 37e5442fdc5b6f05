// @ts-check
// Random schemas of all drafts, with random instances. Every way in which paylint judges them (the library, and the commands with
// lines, arrays, streams and gzip) must find the same violations, and Ajv and Hyperjump must give the same verdicts. What
// `fill` promises is checked, too.
//
//     npm run build && node scripts/random/run.js [COUNT] [--seed N] [--commands N]
//
// COUNT schemas (300 unless given), always the same ones for a SEED (1 unless given). The commands are run for every tenth
// schema, or every Nth. Exit code 1, and the schemas and instances, if anything differs.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleModule } from '../bundle.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, commands: { type: 'string', default: '10' } },
});
// Beside the packages, which find their files there.
const tmp = fileURLToPath(new URL('../../test/tmp/', import.meta.url));
mkdirSync(tmp, { recursive: true });
const folder = mkdtempSync(join(tmp, 'random-'));
try {
  const bundle = await bundleModule(new URL('random.ts', import.meta.url), folder);
  const { tryRandom } = /** @type {typeof import('./random.ts')} */ (await import(bundle));
  const {
    tell: _,
    refused,
    ...counts
  } = await tryRandom({
    count: Number(positionals[0] ?? 300),
    seed: Number(values.seed),
    commands: Number(values.commands),
    dist: new URL('../../dist/', import.meta.url),
    folder,
    tell: (difference) => console.log(difference),
  });
  console.log(counts, refused);
  process.exitCode = counts.differences > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
