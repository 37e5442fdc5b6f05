// Runs the commands in the ```console blocks of a Markdown text, and puts what they print below them.
//
//   node scripts/console-blocks.js README.md docs/cli.md docs/architecture.md      redraws these files
//
// In a block, a line that begins with `$ ` is a command, and goes on where it ends with a backslash; what follows, up
// to a blank line and the next command, is what it prints on both streams. Commands are run by bash at the top of the
// repository, with this paylint first on the PATH.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const BLOCK = /^```console\n(.*?)^```$/gms;
const STEP = /^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm;

/** The commands of all console blocks, in order. */
export function commandsIn(/** @type {string} */ markdown) {
  return [...markdown.matchAll(BLOCK)].flatMap(([, body]) =>
    [...body.matchAll(STEP)].map(([, text]) => text),
  );
}

/** The same text with what its commands print now. Where only times differ, what stood there stays. */
export function redraw(/** @type {string} */ markdown) {
  return withPaylint((run) =>
    markdown.replace(BLOCK, (_block, /** @type {string} */ body) => {
      const steps = [...body.matchAll(STEP)].map(([, command, below]) => {
        const before = below.trimEnd();
        const now = run(command).trimEnd();
        const output = withoutTimes(now) === withoutTimes(before) ? before : now;
        return `$ ${command}\n${output === '' ? '' : `${output}\n`}`;
      });
      return `\`\`\`console\n${steps.join('\n')}\`\`\``;
    }),
  );
}

/** What a run took is the one thing that differs from run to run. */
export function withoutTimes(/** @type {string} */ text) {
  return text
    .replace(/\b(\d+ ms|\d+\.\d s|[\d,]+ min \d+ s)$/gm, '0 ms')
    .replace(/"elapsedMs":\d+/g, '"elapsedMs":0');
}

/**
 * Calls `use` with a function that runs a command line and answers with what it printed.
 * @template T
 * @param {(run: (command: string) => string) => T} use
 */
export function withPaylint(use) {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-console-'));
  try {
    symlinkSync(join(root, 'bin/paylint.js'), join(folder, 'paylint'));
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder };
    return use((command) => {
      const { error, stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], {
        cwd: root,
        env,
        encoding: 'utf8',
      });
      if (error !== undefined) throw error;
      return stdout;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of process.argv.slice(2)) writeFileSync(file, redraw(readFileSync(file, 'utf8')));
}
