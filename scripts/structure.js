// @ts-check
// Prints how large the source is and how many things are in it, each with its goal: `npm run structure`. Pages and generated code do not count.
// A goal that is not kept is marked. Where one is not kept yet, a limit holds what was reached: it only falls, and CI fails above it.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { importsAgainst, roomsIn } from './rooms.js';

const GENERATED = 'src/library/payloads.ts';
/** Files that must be gone. */
const GONE = [
  'growing',
  'countable',
  'utf16',
  'lazy-dfa',
  'first-payloads',
  'first-sizes',
  'simple-patterns',
  'agreement',
];
/** Lines: those of the house as it was planned, and those that what came after may have: comparing and testing schemas, checks, the library, 1.0. */
const LINES = 47_500 + (1000 + 500 + 700 + 300);
/** Keywords, and in how many files of the source each may be named: its own, and those that treat keywords of its kind alike. */
const NAMED = { minLength: 4, minContains: 4, multipleOf: 3, uniqueItems: 5, dependentRequired: 5 };
const DRAFT = /\bdraft-0[467]\b|\b2019-09\b|\b2020-12\b|\bDRAFT_\w+/;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).map(
  (path) => `src/${path.replaceAll(sep, '/')}`,
);
const build = readFileSync('scripts/build.js', 'utf8');
const architecture = readFileSync('docs/internals/architecture.md', 'utf8');
const tests = readdirSync('test').filter((name) => name.endsWith('.test.ts'));
const files = sources
  .filter(
    (path) => path.startsWith('src/') && path.endsWith('.ts') && !path.startsWith('src/page/') && path !== GENERATED,
  )
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  .map((file) => ({ ...file, lines: file.text.split('\n').length - 1 }));
const rooms = new Set(files.map(({ path }) => path.split('/').slice(1, -1)[0]).filter((room) => room !== undefined));

/** @param {(file: typeof files[number]) => boolean} test */
const count = (test) => files.filter(test).length;

/** The text without comments. @param {string} text */
const code = (text) => text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');

/** The modules that a file imports. @param {string} text */
const importCount = (text) => text.match(/^(?:import|export) [^;]*?\bfrom '[^']+';/gm)?.length ?? 0;

/** The lines of each function and method, without its signature. @param {string} text */
function functionsIn(text) {
  const lines = text.split('\n');
  return lines.flatMap((line, from) => {
    const start =
      /^( {0,2})(?!(?:export )?(?:if|for|while|switch|try|else|do|return|class|abstract|interface|type)\b)\S.*(?:\)|\) =>|>|\w|\]|\}) \{$/.exec(
        line,
      );
    if (start === null || !/\)|=>/.test(line)) return [];
    const to = lines.findIndex((one, i) => i > from && one.startsWith(`${start[1]}}`));
    return to < 0 ? [] : [{ line, lines: to - from + 1 }];
  });
}

/** By name, the files with a declaration that begins as `start` does. @param {RegExp} start */
function declared(start) {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const { path, text } of files)
    for (const [, name = ''] of text.matchAll(start)) found.set(name, (found.get(name) ?? new Set()).add(path));
  return [...found.values()];
}
const types = declared(/^(?:export )?(?:interface|type|class|abstract class) (\w+)/gm);
const constants = declared(/^(?:export )?const ([A-Z][A-Z\d_]*)\b/gm);

/** Makes or wraps what judges payloads. */
const MAKES_ENGINE =
  /\bnew (?:Acceptor|ComparedReader|JudgingReader|Examiner|TextEngine)\(|\b(?:plain|compared|covering|ajv|marked)Engine\(|\{ \.\.\.engines?\b/;
const LOOP = /\*#checkEach\(\)[\s\S]*?\n {2}\}\n/.exec(readFileSync('src/run/check/source.ts', 'utf8'))?.[0] ?? '';
/** The ways out of one turn of the loop over payloads: `continue`, `return`, and the cases of a verdict. */
const ways = LOOP.match(/\b(?:continue|return|case)\b/g)?.length ?? Number.POSITIVE_INFINITY;

/** Where a goal is not kept yet: what was reached. */
const LIMITS = {
  'lines of src, without the page and generated code': 53_859,
  files: 356,
  'lines of more than 130 characters': 22,
  'files that name minContains': 5,
  'files that name a draft': 9,
};

/** The rows of the table that lists them, without its two lines of head. */
const forms =
  /## The life of a violation\n\n((?:\|.*\n)+)/.exec(architecture)?.[1]?.split('\n').length ?? Number.POSITIVE_INFINITY;

/** Those that the page names in one sentence. */
const shapes =
  /^From a flag to the engine.*$/m.exec(architecture)?.[0].match(/`\w+`/g)?.length ?? Number.POSITIVE_INFINITY;

/** @type {[what: string, found: number, goal: number][]} */
const rows = [
  ['lines of src, without the page and generated code', files.reduce((sum, { lines }) => sum + lines, 0), LINES],
  ['files', files.length, 330],
  ['rooms', rooms.size, 18],
  ['imports against the order of rooms', importsAgainst(roomsIn(architecture)).length, 0],
  ['modules with more than 25 imports', count(({ text }) => importCount(text) > 25), 0],
  [
    'functions of more than 60 lines',
    files.flatMap(({ text }) => functionsIn(text)).filter(({ lines }) => lines > 60).length,
    0,
  ],
  ['files that name redact', count(({ text }) => /\bredact\b/.test(code(text))), 10],
  ['type names that are declared in several files', types.filter((paths) => paths.size > 1).length, 15],
  [
    'names of constants that are declared in more than three files',
    constants.filter((paths) => paths.size > 3).length,
    0,
  ],
  ['files of at most 45 lines', count(({ lines }) => lines <= 45), 40],
  ['files of more than 450 lines', count(({ lines }) => lines > 450), 4],
  [
    'lines of more than 130 characters',
    files.flatMap(({ text }) => text.split('\n')).filter((line) => line.length > 130).length,
    20,
  ],
  ...Object.entries(NAMED).map(
    ([keyword, goal]) =>
      /** @type {[string, number, number]} */ ([
        `files that name ${keyword}`,
        count(({ text }) => new RegExp(`\\b${keyword}\\b`).test(code(text))),
        goal,
      ]),
  ),
  ['files that name a draft', count(({ text }) => DRAFT.test(code(text))), 8],
  [
    'files outside src/engine that make an engine of their own',
    count(({ path, text }) => !path.startsWith('src/engine/') && MAKES_ENGINE.test(code(text))),
    0,
  ],
  [
    'files of verbs that import more than types from src/engine',
    count(({ path, text }) => path.startsWith('src/cli/') && /^import (?!type )[^;]*'[./]*\/engine\//m.test(text)),
    0,
  ],
  [
    'classes that end a source',
    count(
      ({ path, text }) => /^src\/run\/[\w-]+\.ts$/.test(path) && /^export class \w+[\s\S]*SourceResults/m.test(text),
    ),
    2,
  ],
  [
    'files with a walk of their own over members',
    count(({ path, text }) => path !== 'src/json/children.ts' && /skipSpace\([^()]*skipSpace\(/.test(text)),
    0,
  ],
  ['forms of a violation', forms - 3, 3],
  ['shapes between a flag and the engine', shapes, 4],
  ['lines of the loop over payloads', LOOP.split('\n').length - 1, 35],
  ['ways out of a turn of that loop', ways, 8],
  ['files that must be gone', count(({ path }) => GONE.includes(basename(path, '.ts'))), 0],
  ['test files flat in test/', tests.length, 25],
  ['plugins that change what the bundler writes', build.split('generateBundle(').length - 1, 3],
];
for (const [what, found, goal] of rows) {
  const limit = /** @type {Record<string, number>} */ (LIMITS)[what] ?? goal;
  const mark = found > limit ? `  ✗ more than ${limit}` : found > goal ? `  · at most ${limit} until then` : '';
  console.log(`${String(found).padStart(7)}  ${what} (goal: at most ${goal})${mark}`);
  if (found > limit) process.exitCode = 1;
}
