/**
 * A git repository of a project that has paylint installed, in which the recipes of the documents are run as they are written.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { atFileEnd } from './file-end.ts';

const ROOT = join(import.meta.dirname, '..');

let root: string | null = null;

atFileEnd(() => {
  if (root !== null) rmSync(root, { recursive: true });
  root = null;
});

/**
 * Starts a program of the project at once, as `npx --no` does after it has thought about it for a second. Other flags are refused, and what is not
 * installed.
 */
const QUICK_NPX = `#!/bin/sh
folder=$PWD
[ "$1" = --no ] || exit 64
shift
if [ "$1" = --prefix ]; then folder=$2; shift 2; fi
[ "$1" = -- ] || exit 64
program=$2
shift 2
until [ -e "$folder/node_modules/.bin/$program" ]; do
  [ "$folder" ] || exit 127
  folder=\${folder%/*}
done
exec "$folder/node_modules/.bin/$program" "$@"
`;

/** A new folder, which is removed at the end of the file of tests; `home` beside it is the user's, and `bin` has the quick npx. */
function newFolder(): string {
  if (root === null) {
    root = mkdtempSync(join(tmpdir(), 'paylint-repository-'));
    mkdirSync(join(root, 'home'));
    mkdirSync(join(root, 'bin'));
    writeFileSync(join(root, 'bin/npx'), QUICK_NPX, { mode: 0o755 });
  }
  return mkdtempSync(join(root, 'r'));
}

/** A file of this project. */
export const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** The blocks of code of a document in a language. */
export function blocks(name: string, language: string): string[] {
  return [...read(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text!,
  );
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
}

/** A repository of a project that has paylint installed. */
export class Repository {
  readonly folder = newFolder();
  readonly path: string;

  /** @param npx that of npm, or one for tests which have many commands of it */
  constructor(npx: 'of npm' | 'quick' = 'quick') {
    const own = npx === 'quick' ? `${join(this.folder, '../bin')}${delimiter}` : '';
    this.path = `${own}${process.env.PATH}`;
    this.write('package.json', '{ "name": "project", "private": true }\n');
    this.write('.gitignore', 'node_modules/\n');
    mkdirSync(join(this.folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join(ROOT, 'bin/paylint.js'), join(this.folder, 'node_modules/.bin/paylint'));
    this.run('git init --quiet && git config user.name Ada && git config user.email ada@example.com');
  }

  write(name: string, content: string | Uint8Array): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    chmodSync(path, 0o644);
  }

  /** `within`: a folder of the repository. */
  run(
    line: string,
    { within = '.', input = '', env = {} }: { within?: string; input?: string; env?: object } = {},
  ): Ran {
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', line], {
      cwd: join(this.folder, within),
      encoding: 'utf8',
      input,
      env: {
        PATH: this.path,
        HOME: join(this.folder, '../home'),
        npm_config_update_notifier: 'false',
        npm_config_offline: 'true',
        ...env,
      },
    });
    return { code: status, out: stdout + stderr };
  }
}
