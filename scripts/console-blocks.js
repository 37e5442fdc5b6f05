// Runs the commands in the ```console blocks of a Markdown text, and puts what they print below them.
//
//   node scripts/console-blocks.js README.md docs/*/*.md     redraws these files
//
// In a block, a line that begins with `$ ` is a command, and goes on where it ends with a backslash; what follows, up
// to a blank line and the next command, is what it prints on both streams. Commands are run by `sh` at the top of the
// repository, with this paylint first on the PATH, and with the jq of npm where no other is installed. Those of a tutorial
// (docs/start) are run one after another in a new folder. It gets each file that the tutorial shows: a block after a line
// that ends with the name of the file in backquotes, and a colon.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathOf, shell } from './programs.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const BLOCK = /^```console\n(.*?)^```$/gms;
const SHOWN = /(?<=`([\w./-]+)`:\n\n)^```\w+\n(.*?)^```$|^```console\n(.*?)^```$/gms;
const STEP = /^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm;

/** The commands of all console blocks and what is printed below them, in order. */
export function stepsIn(/** @type {string} */ markdown) {
  return [...markdown.matchAll(BLOCK)].flatMap(([, body = '']) => stepsOf(body));
}

function stepsOf(/** @type {string} */ body) {
  return [...body.matchAll(STEP)].map(([, command = '', below = '']) => ({ command, below: below.trimEnd() }));
}

/**
 * The same text with the output that `run` gives for its commands. If only times differ, the old output stays.
 * @param {string} markdown
 * @param {Run} run
 */
export function redraw(markdown, run) {
  return replaced(markdown, BLOCK, (_block, body = '') => redrawn(body, run));
}

/** @typedef {(command: string) => string | Promise<string>} Run what a command line prints on both streams */

/**
 * The same tutorial with the output that its commands have now.
 * @param {string} markdown
 * @param {string} [path] as of `withPaylint`
 * @param {(command: string, folder: string) => Promise<string | null>} [instead] asked first; null: the shell runs the command
 */
export async function replay(markdown, path, instead = async () => null) {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-tutorial-'));
  const write = (/** @type {string} */ name, /** @type {string} */ content) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  /** @type {(run: (command: string) => string) => Promise<string>} */
  const use = (run) =>
    replaced(markdown, SHOWN, async (block, name, content = '', body = '') => {
      if (name === undefined) return redrawn(body, async (command) => (await instead(command, folder)) ?? run(command));
      write(name, content);
      return block;
    });
  try {
    return await withPaylint(use, path, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * `text` with what `replace` gives for each match, one after another.
 * @param {string} text
 * @param {RegExp} pattern
 * @param {(match: string, ...groups: (string | undefined)[]) => Promise<string>} replace
 */
async function replaced(text, pattern, replace) {
  let result = '';
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    result += text.slice(at, match.index) + (await replace(match[0], ...match.slice(1)));
    at = match.index + match[0].length;
  }
  return result + text.slice(at);
}

/**
 * @param {string} body of a block
 * @param {Run} run
 */
async function redrawn(body, run) {
  const steps = [];
  for (const { command, below } of stepsOf(body)) {
    const now = (await run(command)).trimEnd();
    const output = withoutTimes(now) === withoutTimes(below) ? below : now;
    steps.push(`$ ${command}\n${output === '' ? '' : `${output}\n`}`);
  }
  return `\`\`\`console\n${steps.join('\n')}\`\`\``;
}

/** Removes times, which differ from run to run. */
export function withoutTimes(/** @type {string} */ text) {
  return text.replace(/\b(\d+ ms|\d+\.\d s|[\d,]+ min \d+ s)$/gm, '0 ms').replace(/"elapsedMs":\d+/g, '"elapsedMs":0');
}

/**
 * Calls `use` with a function that runs a command line and returns its output.
 * @template T
 * @param {(run: (command: string) => string) => T} use
 * @param {string} [path] where other programs are found, like the variable PATH
 * @param {string} [cwd] where commands are run
 */
export function withPaylint(use, path = process.env.PATH ?? '', cwd = root) {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-console-'));
  const remove = () => rmSync(folder, { recursive: true });
  let isLater = false;
  try {
    symlinkSync(join(root, 'bin/paylint.js'), join(folder, 'paylint'));
    symlinkSync(process.execPath, join(folder, 'node'));
    if (pathOf('jq', path) === null) symlinkSync(join(root, 'scripts/jq.js'), join(folder, 'jq'));
    const env = { PATH: `${folder}${delimiter}${path}`, HOME: folder };
    const result = use((command) => {
      const { error, stdout } = spawnSync(shell(), ['-c', `exec 2>&1\n${command}`], { cwd, env, encoding: 'utf8' });
      if (error !== undefined) throw error;
      return stdout;
    });
    isLater = result instanceof Promise;
    if (result instanceof Promise) result.finally(remove).catch(() => {});
    return result;
  } finally {
    if (!isLater) remove();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await withPaylint(async (run) => {
    for (const file of process.argv.slice(2)) {
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, await (/\bdocs\/start\//.test(file) ? replay(text) : redraw(text, run)));
    }
  });
}
