/**
 * A git repository of a project that has paylint installed, in which the recipes of the documents are run as they are written.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { atFileEnd } from './file-end.ts';

const ROOT = join(import.meta.dirname, '..');

let root: string | null = null;

atFileEnd(() => {
  if (root !== null) rmSync(root, { recursive: true });
  root = null;
});

/** A new folder, which is removed at the end of the file of tests; `home` beside it is the user's. */
function newFolder(): string {
  if (root === null) {
    root = mkdtempSync(join(tmpdir(), 'paylint-repository-'));
    mkdirSync(join(root, 'home'));
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

  constructor() {
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
        PATH: process.env.PATH,
        HOME: join(this.folder, '../home'),
        npm_config_update_notifier: 'false',
        npm_config_offline: 'true',
        ...env,
      },
    });
    return { code: status, out: stdout + stderr };
  }
}
