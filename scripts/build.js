// Builds dist/: one bundled file for the command line, with chunks for code that is rarely needed; one for the library;
// the type declarations; the man page; and the licences and a bill of materials of the bundled packages.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { BROWSER_ALIAS, BROWSER_INJECT, withoutNode } from './browser/build.js';
import { writeDeclarations } from './declarations.js';
import { FILES } from './manifest.js';
import { licensesOf, packagesIn } from './packages.js';
import { playgroundPage, reportPage } from './pages.js';
import { billOfMaterials } from './sbom.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
rmSync('dist', { recursive: true, force: true });
const { accept, notes, schemas, json, formats, verdicts, optionNames, manPage } = await precompiled();

/** What makes code for Ajv, where it is needed: see `MAKING_CODE`. */
const WITH_CODE = {
  './limit': join(root, 'node_modules/ajv-formats/dist/limit.js'),
  'ajv/dist/compile/codegen': join(root, 'node_modules/ajv/dist/compile/codegen/index.js'),
};

// The command is CommonJS: Node 20 starts that about 20 ms faster than ES modules. The library has the format that the
// package promises; its guards need nothing of Node.
/** What the library is made of for browsers. */
const browserPlugins = (inlined = inlinedSchemas()) => [
  withoutNode(),
  inPlaceOf('src/library/verdicts.ts', verdicts),
  inPlaceOf('src/schema/inlined.ts', inlined),
  inPlaceOf('src/library/inserted.ts', insertedValues()),
  inPlaceOf('src/engine/compile/format-tables.ts', formats),
];
/** Without those of documents that the library does not read. */
const LIBRARY_SCHEMAS = /^(?!(?:checks|coverage|report|report\.open|tests)\.schema).*\.json$/;
const PAYLOAD_SCHEMAS = /^(?:payload|content-item|contract|emoji)\.schema\.json$/;
const KINDS_APART = `export const INLINED = new Map();
export async function loadInlined() {
  for (const [name, text] of (await import('./validate.kinds.js')).default) INLINED.set(name, text);
}`;
const ENTRIES = [
  {
    name: 'main',
    input: 'scripts/command.js',
    platform: 'node',
    format: 'cjs',
    extension: 'cjs',
    plugins: [
      inPlaceOf('src/library/verdicts.ts', verdicts),
      inPlaceOf('src/library/inserted.ts', insertedValues()),
      inPlaceOf('src/engine/compile/format-tables.ts', formats),
      fromFile('src/engine/ajv-judge.ts', './ajv.cjs'),
    ],
    groups: FILES,
  },
  // The second judge of `compare`, with all of Ajv: no other code is in the file, and nothing else loads it.
  {
    name: 'ajv',
    input: 'src/engine/ajv-judge.ts',
    platform: 'node',
    format: 'cjs',
    extension: 'cjs',
    plugins: [],
    groups: [],
    inOneFile: true,
    alias: WITH_CODE,
  },
  // The library: an entry with the guards, which loads the rest on demand. Both share the classes of errors.
  { name: 'errors', input: 'src/errors.ts', platform: 'neutral', format: 'esm', extension: 'js', groups: [] },
  {
    name: 'index',
    input: 'src/index.ts',
    platform: 'neutral',
    format: 'esm',
    extension: 'js',
    plugins: [
      inPlaceOf('src/library/verdicts.ts', verdicts),
      fromFile('src/library/open.ts', './open.js'),
      fromFile('src/errors.ts', './errors.js'),
    ],
    groups: [],
  },
  {
    name: 'open',
    input: 'src/library/open.ts',
    platform: 'node',
    format: 'esm',
    extension: 'js',
    plugins: [
      inPlaceOf('src/library/verdicts.ts', verdicts),
      inPlaceOf('src/schema/inlined.ts', inlinedSchemas()),
      inPlaceOf('src/library/inserted.ts', insertedValues()),
      withoutPlace(),
      inPlaceOf('src/engine/compile/format-tables.ts', formats),
      fromFile('src/errors.ts', './errors.js'),
    ],
    groups: [],
    inOneFile: true,
  },
  // For environments without Node.
  {
    name: 'guards',
    input: 'src/library/guards.ts',
    platform: 'neutral',
    format: 'esm',
    extension: 'js',
    plugins: [inPlaceOf('src/library/verdicts.ts', verdicts)],
    groups: [],
  },
  forBrowsers('browser', 'src/library/browser.ts', browserPlugins()),
  // The judge alone, and what it loads if a schema needs it: the tables of host names, and formats of Ajv.
  forBrowsers('validate', 'src/library/validate.ts', [
    ...rareFormats(),
    inPlaceOf('src/words/test-rules.ts', 'export const TEST_RULES = {};'), // of `paylint test`
    external('./validate.kinds.js'),
    ...browserPlugins(KINDS_APART),
  ]),
  forBrowsers('validate.formats', 'scripts/browser/formats.js', browserPlugins()),
];

/**
 * Comments, indentation and the names of variables in functions are more than half of the bytes of a start. Names of functions stay, for the
 * stack of a bug. The library keeps its lines: if a program does not catch an error, Node prints the whole line that threw it.
 */
const minified = (format) => ({
  compress: false,
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: format === 'cjs' },
});

// Each entry is a bundle of its own, so that none loads files only to share code with another. These modules are loaded
// at every start by packages, but never used: chalk detects the terminal's colours, which paylint does itself, and
// commander can run verbs as programs. Both load Node's sockets, which takes longer than a small file.
const UNUSED = {
  '#supports-color': join(root, 'node_modules/chalk/source/vendor/supports-color/browser.js'),
  'node:child_process': join(root, 'scripts/nothing.js'),
};
// What of ajv-formats makes code for Ajv, of which the package has nothing: its formats are functions.
const MAKING_CODE = {
  './limit': join(root, 'scripts/nothing.js'),
  'ajv/dist/compile/codegen': join(root, 'scripts/names.js'),
};
// Its CommonJS asks for its parts in a way that bundlers do not see.
const MODULES = { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') };
/** The content of each file: `{ file, moduleIds }`. */
const bundles = [];
for (const { name, input, platform, format, extension, plugins, groups, inOneFile, alias, inject } of ENTRIES) {
  const bundle = await rolldown({
    input: { [name]: input },
    platform,
    plugins: [...(plugins ?? []), ownMembers()],
    experimental: { attachDebugInfo: 'none' },
    // A constant costs as much as its value: limits and columns have names, and are imported from far.
    optimization: { inlineConst: { mode: 'all', pass: 3 } },
    // The library imports at once what the command imports on demand.
    checks: { ineffectiveDynamicImport: false },
    resolve: { alias: { ...UNUSED, ...MAKING_CODE, ...MODULES, ...alias } },
    ...(inject === undefined ? {} : { transform: { inject } }),
    // Code that a chunk shares with the entry stays in the entry, which is loaded anyway.
    preserveEntrySignatures: 'allow-extension',
  });
  const { output } = await bundle.write({
    dir: 'dist',
    format,
    entryFileNames: `[name].${extension}`,
    // What a page loads is as small as can be; nobody reads its stack.
    minify: inject === undefined ? minified(format) : true,
    comments: false,
    plugins: [withRuntime(), onDemand()],
    chunkFileNames: `${name}.[name].${extension}`,
    codeSplitting: inOneFile === true ? false : { groups },
  });
  if (name === 'validate') breakLines('dist/validate.js');
  const modules = modulesOf(output);
  for (const group of groups) refuseEmpty(group, modules);
  bundles.push(...modules);
}
writeFileSync('dist/payload.wasm', accept);
writeFileSync('dist/payload.notes.wasm', notes);
writeFileSync('dist/payload.schemas.json', schemas);
writeFileSync('dist/validate.kinds.js', `export default ${JSON.stringify(schemaTexts(PAYLOAD_SCHEMAS))};\n`);
for (const [layout, content] of json) writeFileSync(`dist/json-${layout.replace(' ', '-')}.wasm`, content);

writeFileSync('dist/paylint.1', manPage);
writeFileSync('dist/report.html', await reportPage());
const playground = await playgroundPage({
  plugins: [...browserPlugins(), packageInlined()],
  resolve: { alias: { ...UNUSED, ...MAKING_CODE, ...MODULES, ...BROWSER_ALIAS } },
  transform: { inject: BROWSER_INJECT, define: { 'import.meta': '{}' } },
});
writeFileSync('dist/playground.html', playground.html);
bundles.push({ file: 'dist/playground.html', moduleIds: playground.moduleIds });
for (const entry of ['index.ts', 'library/browser.ts', 'library/validate.ts']) writeDeclarations(entry, 'dist/types');
const packages = packagesIn(root, bundles);
writeFileSync('dist/LICENSES.txt', licensesOf(packages));
writeFileSync('dist/sbom.cdx.json', billOfMaterials(root, packages));

/**
 * Replaces `for (name in object)`, which the bundler's helpers and Ajv have, where it is read: it would find members that a program
 * which was loaded before has added to `Object.prototype`. None of these loops is meant for inherited members. Ours look for such.
 */
function ownMembers() {
  const loops = /\bfor ?\((var|let|const) ([\w$]+) in ([\w$.]+)\)/g;
  return {
    name: 'own-members',
    transform(code, id) {
      if (id.startsWith(join(root, 'src'))) return null;
      return code.replace(loops, 'for ($1 $2 of Object.keys($3 ?? {}))');
    },
  };
}

/**
 * Puts the bundler's helpers into the entry of the command. rolldown would put them into a file of their own: one more
 * file to load.
 */
function withRuntime() {
  const runtime = 'main.rolldown-runtime.cjs';
  return {
    name: 'with-runtime',
    generateBundle(_options, bundle) {
      if (bundle[runtime] === undefined) return;
      const call = `require("./${runtime}")`;
      const entry = bundle['main.cjs'];
      if (!entry.code.includes(call)) throw new Error(`main.cjs does not load ${runtime} as expected`);
      const inline = `exports.runtime=(()=>{const exports={};${bundle[runtime].code};return exports})()`;
      entry.code = entry.code.replace(call, () => inline);
      for (const chunk of Object.values(bundle))
        if (chunk !== entry && chunk.type === 'chunk')
          chunk.code = chunk.code.replace(call, 'require("./main.cjs").runtime');
      delete bundle[runtime];
    },
  };
}

/**
 * The files of the command load one another when they first use something of the other: most runs use little of a file,
 * and nothing of most of those that it names. It makes no other difference, because our modules do nothing when they are loaded.
 */
function onDemand() {
  const named = /const (require_\w+)=(require\("\.\/main\w*\.[^"]+\.cjs"\));/g;
  return {
    name: 'on-demand',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [statement, variable, call] of chunk.code.matchAll(named)) {
          // A property, because `new f().Class()` would be another thing than `new file.Class()`.
          const loader = `const ${variable}={get it(){return this.loaded??=${call}},loaded:undefined};`;
          const used = new RegExp(`\\b${variable}\\.`, 'g');
          chunk.code = chunk.code.replace(used, `${variable}.it.`).replace(statement, () => loader);
        }
      }
    },
  };
}

/** Replaces one of our modules, by its path, by another text of JavaScript. */
function inPlaceOf(path, code) {
  const id = join(root, path);
  return { name: 'in-place-of', load: { filter: { id }, handler: () => ({ code, moduleType: 'js' }) } };
}

/** Replaces one of our modules, by its path, by another file of dist/. */
function fromFile(path, file) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const module = join(root, path);
  return {
    name: 'from-file',
    resolveId(source, importer) {
      const isIt = source.endsWith(name) && importer !== undefined && join(dirname(importer), source) === module;
      return isIt ? { id: file, external: true } : null;
    },
  };
}

/** Node prints the whole line that threw, if nobody catches the error: statements begin new lines, which are hundreds of bytes long. */
function breakLines(path) {
  const before = /(?<=[};])(?=(?:async )?function\b|class\b|var |let |const |for\(|throw )/g;
  writeFileSync(path, readFileSync(path, 'utf8').replace(before, '\n'));
}

/** An entry that is one file, without anything of Node. */
function forBrowsers(name, input, plugins) {
  const module = { name, input, plugins, platform: 'browser', format: 'esm', extension: 'js', groups: [] };
  return { ...module, inOneFile: true, alias: BROWSER_ALIAS, inject: BROWSER_INJECT };
}

/** What few schemas need is in a file of its own. */
function rareFormats() {
  const file = './validate.formats.js';
  return [
    fromFile('src/schema/formats/idna.ts', file),
    { name: 'ajv-formats', resolveId: (source) => (source === 'ajv-formats' ? { id: file, external: true } : null) },
  ];
}

/** A file of dist/ that is loaded when it is needed. */
function external(file) {
  return { name: 'external', resolveId: (source) => (source === file ? { id: file, external: true } : null) };
}

/** Schemas that match, by file name: each with its text. */
function schemaTexts(wanted) {
  const names = readdirSync('schemas').filter((name) => wanted.test(name));
  return names.sort().map((name) => [name, JSON.stringify(JSON.parse(readFileSync(join('schemas', name), 'utf8')))]);
}

/** As the module that has them. */
function inlinedSchemas() {
  return `export const INLINED = new Map(${JSON.stringify(schemaTexts(LIBRARY_SCHEMAS))});export async function loadInlined() {}`;
}

function insertedValues() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  return `export const version = () => ${JSON.stringify(version)};${optionNames}`;
}

/** `src/package.ts` with what it reads of package.json: reports ask it for the version. */
function packageInlined() {
  const id = join(root, 'src/package.ts');
  const [before, after] = readFileSync(id, 'utf8').split(
    /return JSON\.parse\(readFileSync\(.*package\.json.*\)\)(?=;)/,
  );
  if (after === undefined) throw new Error('src/package.ts does not read package.json as expected');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const code = `${before}return ${JSON.stringify({ version })}${after}`;
  return { name: 'package-inlined', load: { filter: { id }, handler: () => ({ code, moduleType: 'ts' }) } };
}

/**
 * The bundled packages load modules of Node from the place of the file. In a user's bundle that is not an ES module, the place may be
 * unknown; any other will do.
 */
function withoutPlace() {
  const call = 'createRequire(import.meta.url)';
  return {
    name: 'without-place',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (!chunk.code.includes(call)) throw new Error(`${chunk.fileName} has no ${call}`);
        chunk.code = chunk.code.replace(call, 'createRequire(import.meta.url??"/")');
      }
    },
  };
}

function modulesOf(output) {
  return output.map(({ fileName, moduleIds = [] }) => ({ file: `dist/${fileName}`, moduleIds }));
}

/** Throws if a group with a pattern names no module: its files have other names now. */
function refuseEmpty({ name, test }, modules) {
  if (test !== undefined && !modules.some(({ moduleIds }) => moduleIds.some(test)))
    throw new Error(`scripts/manifest.js: the group "${name}" names no file`);
}

/** Compiles the bundled entry schema, so that no start has to. Updates the lists of rules in the schemas before. */
async function precompiled() {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-build-'));
  try {
    const bundle = await rolldown({ input: 'scripts/precompile.ts', platform: 'node' });
    await bundle.write({ file: join(folder, 'precompile.mjs'), format: 'esm', codeSplitting: false });
    const { manPage, openReportSchema, precompile, RULE_LISTS } = await import(
      pathToFileURL(join(folder, 'precompile.mjs')).href
    );
    for (const [name, updated] of Object.entries(RULE_LISTS)) rewrite(join(root, 'schemas', name), updated);
    const closed = readFileSync(join(root, 'schemas', 'report.schema.json'), 'utf8');
    writeFileSync(join(root, 'schemas', 'report.open.schema.json'), openReportSchema(closed));
    const entry = join(root, 'schemas', 'payload.schema.json');
    return { ...(await precompile(entry)), manPage: manPage(release()) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the man page says of this version: from package.json, the changelog and the contract of the command line. */
function release() {
  const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'));
  const heading = `## [${version}] - `;
  const line = readFileSync('CHANGELOG.md', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(heading));
  const [, table] = readFileSync('docs/reference/cli.md', 'utf8').split('## Exit codes\n');
  const exitCodes = [...table.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  return { version, description, date: line?.slice(heading.length) ?? '', exitCodes };
}

/** Writes the file only if its text changes: most builds change none. */
function rewrite(path, updated) {
  const text = readFileSync(path, 'utf8');
  const newText = updated(text);
  if (newText !== text) writeFileSync(path, newText);
}
