// @ts-check
// Shared by the scripts for the public test suites: their arguments, the suite's version, and docs/internals/suites.md, in which
// each writes its own section between two markers.
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const DOCUMENT = new URL('../../docs/internals/suites.md', import.meta.url);

/**
 * @param {string[]} args
 * @returns {{ folder: string, write: boolean, commit: string | null }}
 */
export function parseSuiteArgs(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false }, commit: { type: 'string' } },
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new Error('give the folder of the suite, and no other');
  return { folder, write: values.write, commit: values.commit ?? null };
}

/**
 * The commit of the git checkout at `folder`.
 * @param {string} folder
 * @returns {string}
 */
export function commitOf(folder) {
  /** @param {string[]} args */
  const git = (...args) => execFileSync('git', ['-C', folder, 'rev-parse', ...args], { encoding: 'utf8' }).trim();
  try {
    if (realpathSync(git('--show-toplevel')) === realpathSync(folder)) return git('HEAD');
  } catch {
    // Not a git repository: the same as a repository around the folder that is not the suite's.
  }
  throw new Error(`${folder} is no git checkout of the suite: name its version with --commit`);
}

/**
 * Puts `text` between the markers of a section of docs/internals/suites.md.
 * @param {string} name
 * @param {string} text
 */
export function writeSection(name, text) {
  writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), name, text));
}

/**
 * `document` with `text` between the markers `<!-- name:begin … -->` and `<!-- name:end -->`.
 * @param {string} document
 * @param {string} name
 * @param {string} text
 * @returns {string}
 */
export function replaceSection(document, name, text) {
  const begin = document.indexOf(`<!-- ${name}:begin`);
  const end = document.indexOf(`<!-- ${name}:end -->`);
  const from = document.indexOf('-->', begin) + 3;
  if (begin < 0 || end < from) throw new Error(`the document has no section "${name}"`);
  return `${document.slice(0, from)}\n${text.trim()}\n${document.slice(end)}`;
}
