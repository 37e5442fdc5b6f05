// The declarations of the library: of the modules from which its entry exports something, directly or not. The compiler
// writes one for every module that the entry needs; the others are removed, because they are not part of the interface.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Writes them, each with its name in `src/`, into `folder`. Throws if the compiler reports an error.
 * @param {string} entry its module's path in `src/`, as `index.ts`
 * @param {string} folder
 */
export function writeDeclarations(entry, folder) {
  const all = mkdtempSync(join(tmpdir(), 'paylint-declarations-'));
  try {
    const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const args = [join(typescript, 'bin', 'tsc'), '-p', 'tsconfig.types.json', '--outDir', all];
    execFileSync(process.execPath, args, { stdio: 'inherit' });
    for (const path of reachedFrom(entry, all)) {
      const name = declarationOf(path);
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), readFileSync(join(all, name), 'utf8').replace(IMPORTS, "$1.js'"));
    }
  } finally {
    rmSync(all, { recursive: true });
  }
}

/**
 * The imports of a declaration file: the path, and the extension, which compilers before TypeScript 5 do not accept.
 */
const IMPORTS = /((?:\bfrom |\bimport\()'\.[^']*)\.ts'/g;

/** The modules in `all` that the declarations of `entry` lead to; paths as in `src/`. */
function reachedFrom(entry, all) {
  const reached = new Set([entry]);
  for (const path of reached) {
    const text = readFileSync(join(all, declarationOf(path)), 'utf8');
    for (const [, start] of text.matchAll(IMPORTS)) {
      reached.add(join(dirname(path), `${start.slice(start.indexOf("'") + 1)}.ts`));
    }
  }
  return reached;
}

/** `guards.ts` → `guards.d.ts` */
function declarationOf(path) {
  return path.replace(/\.ts$/, '.d.ts');
}
