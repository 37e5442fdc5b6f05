/**
 * The versions of Node that paylint runs on: npm, the lock file and the README say the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const text = (name: string): string => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
/** Our own files. */
const range = (name: string): string => (JSON.parse(text(name)) as { engines: { node: string } }).engines.node;
const lockRange = (): string =>
  (JSON.parse(text('package-lock.json')) as { packages: { '': { engines: { node: string } } } }).packages[''].engines
    .node;

it('are said by npm, the lock file and the README alike', () => {
  expect(range('package.json')).toBe('^20.19 || >=22.12');
  expect(lockRange()).toBe(range('package.json'));
  expect(text('README.md')).toContain('Node 20.19 or a later version 20, or Node 22.12 or later');
});
