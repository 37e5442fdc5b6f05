// The software bill of materials that comes with the package, in CycloneDX's JSON: the packages that are bundled, with licences,
// hashes, the files they are in, and what depends on what. The same sources and lock file always give the same text: no time, no
// serial number, no path of a machine. https://cyclonedx.org/docs/1.6/json/
import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The text of the bill. Throws an Error if the lock file has another version of a bundled package.
 * @param {string} root the project's folder, absolute
 * @param {readonly import('./packages.js').Package[]} packages
 * @returns {string}
 */
export function billOfMaterials(root, packages) {
  const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const project = read('package.json');
  const { packages: locked } = read('package-lock.json');
  // A package's place is a real path, and this folder may be a link.
  const installed = realpathSync(join(root, 'node_modules'));
  const placeOf = ({ folder }) => relative(installed, folder).replaceAll('\\', '/');
  const refs = new Map(packages.map((one) => [one.folder, urlOf(one)]));
  // The project's own dependencies.
  const direct = packages.filter((one) => Object.hasOwn(project.devDependencies, placeOf(one)));
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', ...identityOf(project), description: project.description },
    },
    components: packages.map((one) => ({
      type: 'library',
      ...identityOf(one),
      hashes: hashesOf(one, locked[`node_modules/${placeOf(one)}`]),
      evidence: { occurrences: one.files.map((location) => ({ location })) },
    })),
    dependencies: [
      { ref: urlOf(project), dependsOn: direct.map(urlOf).sort() },
      ...packages.map((one) => ({ ref: urlOf(one), dependsOn: one.dependencies.map((folder) => refs.get(folder)) })),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function identityOf({ name, version, license }) {
  const licence = /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license };
  const purl = urlOf({ name, version });
  const [short, scope] = name.split('/').reverse();
  const group = scope === undefined ? {} : { group: scope };
  return { 'bom-ref': purl, ...group, name: short, version, licenses: [licence], purl };
}

/** A package URL. https://github.com/package-url/purl-spec */
function urlOf({ name, version }) {
  return `pkg:npm/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`;
}

/** Of the archive in the registry: npm compares it before it installs a package. */
function hashesOf({ name, version }, locked) {
  if (locked?.version !== version || locked.integrity === undefined) {
    throw new Error(`package-lock.json does not have ${name} ${version}, which is installed: run npm ci`);
  }
  return locked.integrity.split(/\s+/).map((integrity) => {
    const [, bits, hash] = /^sha(\d+)-(.*)$/.exec(integrity);
    return { alg: `SHA-${bits}`, content: Buffer.from(hash, 'base64').toString('hex') };
  });
}
