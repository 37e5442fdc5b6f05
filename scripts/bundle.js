// @ts-check
// For scripts that run parts of paylint by themselves: the oldest supported Node does not run TypeScript.
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles a TypeScript module, and all it needs, into `folder`.
 * @param {URL} module
 * @param {string} folder
 * @returns {Promise<string>} the URL to import it by
 */
export async function bundleModule(module, folder) {
  const path = fileURLToPath(module);
  const name = basename(path, '.ts');
  const bundle = await rolldown({ input: { [name]: path }, platform: 'node' });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
  return pathToFileURL(join(folder, `${name}.mjs`)).href;
}
