// @ts-check
// Which modules are one file of the command. A file takes a third of a millisecond to load, as 9 kB of code do: what is needed together is one
// file, and what only some runs need is in a file of its own. A file is loaded when something of it is first used, so a module must not use
// another one while it is loaded, except from its own file or `basics`. Functions of loops over bytes stay in the file of the loop.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Modules by their paths in `src/` without `.ts`; these modules only, without what they import. */
const ONLY = {
  // What a run over more than one small valid file needs.
  more: [
    'json/edits',
    'json/scan',
    'run/workers/check-batch',
    'run/workers/gather',
    'source/range',
    'source/stream-reader',
  ],
  // What violations need, and warnings about schemas.
  locate: ['json/children', 'json/follow', 'json/locate'],
  faults: ['json/syntax-cause', 'source/system-errors', 'words/json-fault', 'words/syntax'],
  automata: [
    'regex/automaton',
    'regex/code-points',
    'regex/dfa',
    'regex/expression',
    'regex/matcher',
    'regex/nfa',
    'regex/parse',
    'regex/subsets',
  ],
  // Flags and schemas need it, in different runs.
  near: ['words/near', 'fastest-levenshtein'],
  formats: ['schema/formats/format-table', 'schema/formats/format', 'schema/formats/patterns'],
  // What only violations of formats need.
  reasons: ['schema/formats/reasons'],
  // Schemas in which others apply to the same value.
  composed: ['engine/judge/evaluated', 'engine/judge/alternatives'],
  // What the schemas want, in words.
  wanted: ['keywords/wanted'],
  // References that lead nowhere.
  dangling: ['schema/dangling'],
  // What runs, schemas and violations all need.
  basics: [
    'json/decimal',
    'json/lines',
    'json/pointer',
    'json/utf8',
    'json/value',
    'schema/dialect',
    'schema/exact',
    'schema/facts',
    'schema/faults',
    'schema/node',
    'schema/resolved',
    'schema/set',
    'words/own-rules',
    'words/rule',
    'words/value-text',
  ],
  // What folders, several files and large ones need.
  many: [
    'run/check/cut-findings',
    'run/check/noted-lines',
    'run/workers/claims',
    'run/workers/schedule',
    'run/workers/thread-count',
    'source/open-bytes',
    'source/walk-folders',
  ],
  noted: ['engine/judge/noted'],
  // What only violations of alternatives need, or only payloads of no kind.
  explained: ['engine/judge/explainer'],
  unknown: ['engine/judge/unknown-kind', 'words/unknown-kind-sentence'],
  // What every payload needs that is not accepted.
  examine: [
    'engine/examiner',
    'engine/examining',
    'engine/judge/examine',
    'engine/judge/repaired',
    'engine/judge/judged-kinds',
    'engine/judge/payload-findings',
    'engine/judge/fault',
    'engine/judge/fault-log',
    'log/violation-table',
  ],
  outputs: ['cli/outputs', 'run/outlets/load-outlet', 'run/outlets/stream-destination'],
};

/** After what every start needs (`start`): each with all that its modules import and that is in no file above it. */
const WITH_IMPORTS = {
  // What violations are judged and shown by: with the bundled schemas without the parts for others.
  judge: ['engine/first', 'engine/judge/judge'],
  schema: ['schema/array-root', 'schema/load', 'schema/suspect'],
  flow: ['engine/judge/schema-findings', 'engine/judge/sites', 'run/check/source'],
  accept: ['engine/compilers'],
  // A report loads what it shows violations with, even if there are none.
  report: ['report/violation'],
  texts: ['report/statement-texts'],
};

/** @param {string} module */
function pathOf(module) {
  const ours = fileURLToPath(new URL(`../src/${module}.ts`, import.meta.url));
  if (existsSync(ours)) return ours;
  const folder = fileURLToPath(new URL(`../node_modules/${module}/`, import.meta.url));
  if (existsSync(folder)) return folder;
  throw new Error(`scripts/manifest.js: there is no module ${module}`);
}

/** @param {readonly string[]} modules */
function isOneOf(modules) {
  const paths = modules.map(pathOf);
  return (/** @type {string} */ id) => paths.some((path) => id === path || (path.endsWith('/') && id.startsWith(path)));
}

const only = Object.entries(ONLY);
const withImports = Object.entries(WITH_IMPORTS);

/** The groups of the bundler. A module is in the first that names it. */
export const FILES = [
  ...only.map(([name, modules]) => ({
    name,
    test: isOneOf(modules),
    includeDependenciesRecursively: false,
    priority: withImports.length + 2,
  })),
  { name: 'start', tags: ['$initial'], priority: withImports.length + 1 },
  ...withImports.map(([name, modules], at) => ({ name, test: isOneOf(modules), priority: withImports.length - at })),
];
