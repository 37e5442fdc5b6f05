// Builds dist/: one bundled file for the command line with what is seldom needed as chunks beside it,
// one for the library, the type declarations, and the licences of the packages that are in the bundle.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
rmSync('dist', { recursive: true, force: true });

const bundle = await rolldown({
  input: { main: 'src/main.ts', index: 'src/index.ts', thread: 'src/workers/thread.ts' },
  platform: 'node',
});
const { output } = await bundle.write({ dir: 'dist', format: 'esm', chunkFileNames: '[name].js' });
writeFileSync('dist/LICENSES.txt', licenses(output.flatMap((file) => file.moduleIds ?? [])));

const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', 'tsconfig.types.json'], {
  stdio: 'inherit',
});

/** The licence of every package that one of the bundled modules comes from, in order of the alphabet. */
function licenses(moduleIds) {
  const folders = new Set();
  for (const id of moduleIds) {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
    return `${name} ${version} (${license})${text}\n`;
  });
  const opening = 'The files in this folder contain code of these packages, under their own licences.\n';
  return [opening, ...texts.sort()].join(`\n${'-'.repeat(80)}\n\n`);
}
