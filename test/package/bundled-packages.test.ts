/**
 * What is shipped is named: the bill of materials and the licences have every package that the bundled files have code of, and no
 * others; the bill is valid CycloneDX, and the same wherever it is made.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { BROWSER_ALIAS, withoutNode } from '../../scripts/browser/build.js';
import { licensesOf, packagesIn } from '../../scripts/packages.js';
import { billOfMaterials } from '../../scripts/sbom.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** As much of the bill as the tests look at; the schema has been asked for the rest. */
interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly (Component & {
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
    readonly evidence: { readonly occurrences: readonly { readonly location: string }[] };
  })[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly { readonly license: { readonly id: string } }[];
}

const BILL = JSON.parse(read('dist/sbom.cdx.json')) as Bill; // held to CycloneDX's schema below
const nameOf = ({ group, name, version }: Component): string =>
  `${group === undefined ? '' : `${group}/`}${name} ${version}`;
/** `ajv 8.20.0`, as the bill has them. */
const BILLED = BILL.components.map(nameOf);
/** `ajv 8.20.0 (MIT)`, as the licences have them. */
const LICENSED = [...read('dist/LICENSES.txt').matchAll(/^-{80}\n\n(.*)$/gm)].map(([, title]) => title!);

describe('the bill of materials', () => {
  it("fits CycloneDX's own schema", () => {
    const validate = cyclonedx();
    validate(BILL);
    expect(validate.errors).toBe(null);
    expect(validate({ ...BILL, components: [{ name: 'no type' }] })).toBe(false);
  });

  it('is of this package', () => {
    const { name, version, license } = JSON.parse(read('package.json'));
    expect(BILL.metadata.component).toMatchObject({ name, version, licenses: [{ license: { id: license } }] });
  });

  it('has each package once, with the hash that is in the lock file', () => {
    expect(new Set(BILLED).size).toBe(BILLED.length);
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version: string; integrity?: string }>; // npm's format, version 3
    };
    for (const component of BILL.components) {
      const hashes = component.hashes.map(({ alg, content }) => {
        return `${alg.replace('SHA-', 'sha')}-${Buffer.from(content, 'hex').toString('base64')}`;
      });
      const locked = Object.entries(packages).filter(([path, { version }]) => {
        return `${path.replace(/^.*node_modules\//, '')} ${version}` === nameOf(component);
      });
      expect([nameOf(component), locked.map(([, { integrity }]) => integrity)]).toEqual([nameOf(component), hashes]);
    }
  });

  it('says what depends on what, and all of it leads to the package', () => {
    const refs = [BILL.metadata.component, ...BILL.components].map((component) => component['bom-ref']);
    expect(BILL.dependencies.map(({ ref }) => ref)).toEqual(refs);
    const reached = new Set([refs[0]!]);
    for (const ref of reached) {
      for (const next of BILL.dependencies.find((one) => one.ref === ref)!.dependsOn) reached.add(next);
    }
    expect([...reached].sort()).toEqual([...refs].sort());
  });

  it('does not tell when, where or by whom it was made', () => {
    const text = read('dist/sbom.cdx.json');
    expect(text.match(/\d{4}-\d\d-\d\d|T\d\d:\d\d|serialNumber|urn:uuid|file:/g)).toBe(null);
    expect(text.includes(ROOT)).toBe(false);
  });
});

/** CycloneDX's schema as a function. Two formats that ajv-formats does not have are not looked at. */
function cyclonedx() {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve('@cyclonedx/cyclonedx-library/package.json')), 'res/schema');
  const schema = (name: string): object =>
    JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { 'iri-reference': true, 'idn-email': true } });
  formats.default(ajv);
  for (const name of ['spdx', 'jsf-0.82']) {
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  return ajv.compile(schema('bom-1.6'));
}

describe('the packages in the bundled files', () => {
  it('are those that the sources need, and the helpers of the bundler', async () => {
    const folders = new Set<string>();
    const browser = ['src/library/browser.ts', 'src/page/playground/main.ts', 'src/page/playground/worker/main.ts'];
    const inputs = ['src/main.ts', 'src/index.ts', 'src/engine/ajv-judge.ts', ...browser];
    for (const input of inputs) {
      const isBrowser = browser.includes(input);
      const bundle = await rolldown({
        input: join(ROOT, input),
        platform: isBrowser ? 'browser' : 'node',
        ...(isBrowser ? { resolve: { alias: BROWSER_ALIAS }, plugins: [withoutNode()] } : {}),
        onLog: () => {},
        external: input.includes('ajv') ? [] : /verdicts|^ajv(?:\/|$)/,
      });
      const { output } = await bundle.generate({ format: 'esm' });
      await bundle.close();
      for (const id of output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))) {
        const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0];
        if (folder !== undefined) folders.add(folder);
      }
    }
    // The build replaces the compiler of the guards by functions that need nothing, and takes Ajv out of ajv-formats, but for the second judge.
    const needed = [...folders, join(ROOT, 'node_modules/rolldown')].map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return { label: `${name} ${version}`, license };
    });
    expect(needed.length).toBeGreaterThan(20);
    expect([...BILLED].sort()).toEqual(needed.map(({ label }) => label).sort());
    expect([...LICENSED].sort()).toEqual(needed.map(({ label, license }) => `${label} (${license})`).sort());
  });

  it('are in files that are there, the library among them', () => {
    for (const { evidence } of BILL.components) {
      expect(evidence.occurrences.length).toBeGreaterThan(0);
      for (const { location } of evidence.occurrences) expect(read(location)).not.toBe('');
    }
    const locations = BILL.components.flatMap(({ evidence }) => evidence.occurrences.map((one) => one.location));
    // The entries of the library contain no package.
    expect(locations).toContain('dist/open.js');
  });
});

describe('a package', () => {
  const module = (path: string) => ({ file: 'dist/a.js', moduleIds: [join(ROOT, path)] });

  it('of which nothing is known stops the build', () => {
    const strange = { file: 'dist/a.js', moduleIds: ['\0commonjs/helpers.js'] };
    expect(() => packagesIn(ROOT, [strange])).toThrow('a module of an unknown package: "\\u0000commonjs/helpers.js"');
    expect(packagesIn(ROOT, [module('src/index.ts')])).toEqual([]);
  });

  it('without a licence stops the build', () => {
    const temporary = mkdtempSync(join(tmpdir(), 'paylint-packages-'));
    try {
      const folder = join(temporary, 'node_modules/free');
      const bundles = [{ file: 'dist/a.js', moduleIds: [join(folder, 'index.js')] }];
      const manifest = (more: object): void =>
        writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'free', version: '1.0.0', ...more }));
      mkdirSync(folder, { recursive: true });
      manifest({ license: 'MIT' });
      expect(() => packagesIn(ROOT, bundles)).toThrow('free 1.0.0 does not say what its licence is');
      writeFileSync(join(folder, 'LICENCE'), 'Free.\n');
      expect(packagesIn(ROOT, bundles)).toMatchObject([{ name: 'free', licenseText: 'Free.' }]);
      manifest({});
      expect(() => packagesIn(ROOT, bundles)).toThrow('free 1.0.0 does not say what its licence is');
    } finally {
      rmSync(temporary, { recursive: true });
    }
  });

  it('in a version that the lock file does not have stops the build', () => {
    const [ajv] = packagesIn(ROOT, [module('node_modules/ajv/dist/ajv.js')]);
    expect(() => billOfMaterials(ROOT, [{ ...ajv!, version: '0.0.0' }])).toThrow(
      'package-lock.json does not have ajv 0.0.0',
    );
  });

  it('has a licence that is an expression, and a name with a scope', () => {
    const [ajv] = packagesIn(ROOT, [module('node_modules/ajv/dist/ajv.js')]);
    const [scoped] = packagesIn(ROOT, [module('node_modules/@nodelib/fs.stat/out/index.js')]);
    const bill = JSON.parse(billOfMaterials(ROOT, [{ ...ajv!, license: '(MIT OR Apache-2.0)' }, scoped!]));
    expect(bill.components).toMatchObject([
      { name: 'ajv', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
      { group: '@nodelib', name: 'fs.stat', purl: expect.stringMatching(/^pkg:npm\/%40nodelib\/fs\.stat@\d/) },
    ]);
    const validate = cyclonedx();
    validate(bill);
    expect(validate.errors).toBe(null);
    expect(licensesOf([ajv!])).toMatch(/^-{80}\n\najv [\d.]+ \(MIT\)\n\n[\s\S]*Permission is hereby granted/m);
  });
});
