// Finds the packages whose code is in the bundled files, and their licences. A module from an unknown package stops the
// build: every package that is shipped must be listed.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Bundled a file that the bundler wrote
 * @property {string} file relative to the project, as `dist/index.js`
 * @property {readonly string[]} moduleIds the modules in it, as the bundler names them
 *
 * @typedef {object} Package
 * @property {string} folder absolute
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} licenseText
 * @property {readonly string[]} files the bundled files that have code of it, in order
 * @property {readonly string[]} dependencies the folders of the packages among these that it depends on, in order
 */

/** Up to the package that a module comes from, the innermost if there are several. */
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/**
 * The packages with code in bundled files, by name and version. Throws an Error for a module of unknown origin, and for
 * a package without a licence.
 * @param {string} root the project's folder, absolute
 * @param {readonly Bundled[]} bundles
 * @returns {Package[]}
 */
export function packagesIn(root, bundles) {
  const files = new Map();
  for (const { file, moduleIds } of bundles) {
    for (const id of moduleIds) {
      const folder = folderOf(root, id);
      if (folder !== null) files.set(folder, new Set(files.get(folder)).add(file));
    }
  }
  const packages = [...files].map(([folder, names]) => describe(folder, [...names].sort(), files));
  return packages.sort((a, b) => compare(labelOf(a), labelOf(b)));
}

/**
 * The text of `dist/LICENSES.txt`: the licences of all packages, in their order.
 * @param {readonly Package[]} packages
 * @returns {string}
 */
export function licensesOf(packages) {
  const opening = 'The files in this folder contain code of these packages, under their own licences.\n';
  const texts = packages.map((one) => `${labelOf(one)} (${one.license})\n\n${one.licenseText}\n`);
  return [opening, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}

function labelOf({ name, version }) {
  return `${name} ${version}`;
}

/** The folder of the package that a module comes from; null for the project's own. */
function folderOf(root, id) {
  // The helpers that the bundler itself adds.
  if (id.startsWith('\0rolldown/')) return dirname(createRequire(import.meta.url).resolve('rolldown/package.json'));
  const folder = PACKAGE_FOLDER.exec(id)?.[0];
  if (folder !== undefined) return folder;
  if (id.startsWith(root)) return null;
  throw new Error(`the bundle has a module of an unknown package: ${JSON.stringify(id)}`);
}

function describe(folder, files, bundled) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license, dependencies = {} } = manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (typeof license !== 'string' || file === undefined) {
    throw new Error(`the bundled package ${name} ${version} does not say what its licence is`);
  }
  const licenseText = readFileSync(join(folder, file), 'utf8').trim();
  const places = Object.keys(dependencies).map((dependency) => placeOf(dependency, folder, bundled));
  const known = places.filter((place) => place !== undefined).sort(compare);
  return { folder, name, version, license, licenseText, files, dependencies: known };
}

/** Where Node would find a package that another needs, if that is one of the bundled ones. */
function placeOf(name, from, bundled) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (bundled.has(place)) return place;
  }
  return undefined;
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
