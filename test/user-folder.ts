/**
 * A folder of a user's, in which `import 'paylint'` finds the built package by its exports, and the compiler that such a user has.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** A new temporary folder, absolute. Its caller removes it. */
export function createUserFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-user-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/paylint'), 'dir');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  return folder;
}

export interface Resolution {
  readonly module: string;
  readonly moduleResolution: string;
}

/**
 * What the compiler finds wrong with a module in a user's folder, as `line code`, or as the compiler puts it if it is elsewhere. The
 * module may use nothing but the language and what it imports.
 */
export function compile(folder: string, text: string, resolution: Resolution): string[] {
  const compilerOptions = {
    ...resolution,
    strict: true,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023'],
    types: [],
    resolveJsonModule: true,
  };
  writeFileSync(join(folder, 'consumer.ts'), text);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  const args = [TSC, '--pretty', 'false'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  // What follows an error, indented, explains it.
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => /^\S/.test(line));
  if (lines.length === 0 && status !== 0) throw new Error(`the compiler ended with ${status}`);
  return lines.map((line) => line.replace(/^consumer\.ts\((\d+),\d+\): error (TS\d+): .*/, '$1 $2'));
}
