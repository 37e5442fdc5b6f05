// Builds dist/: one bundled file for the command line with what is seldom needed as chunks beside it,
// one for the library, and the type declarations.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
rmSync('dist', { recursive: true, force: true });

const bundle = await rolldown({
  input: { main: 'src/main.ts', index: 'src/index.ts' },
  platform: 'node',
});
await bundle.write({ dir: 'dist', format: 'esm', chunkFileNames: '[name].js' });

const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', 'tsconfig.types.json'], {
  stdio: 'inherit',
});
