// @ts-check
// The native validator that paylint is compared with: installed into bench/data at its first use.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('data/', import.meta.url));

/** AGPL-3.0: fetched for a measurement and never part of paylint. */
export const NATIVE_PACKAGE = '@sourcemeta/jsonschema';
export const NATIVE_VERSION = '16.11.0';

/**
 * Installs the native validator, once. Its package has an executable for each system and starts it from Node; the
 * benchmark starts it directly.
 * @returns {string} the path of the executable
 */
export function findNative() {
  const folder = join(FOLDER, 'peers');
  const system = `${platform()}-${arch() === 'x64' ? 'x86_64' : arch()}`;
  const executable = join(folder, 'node_modules', NATIVE_PACKAGE, 'build', 'github-releases', `jsonschema-${system}`);
  if (!existsSync(executable)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const flags = ['--no-audit', '--no-fund', '--no-save'];
    execFileSync('npm', ['install', ...flags, `${NATIVE_PACKAGE}@${NATIVE_VERSION}`], { cwd: folder, stdio: 'ignore' });
  }
  return executable;
}
