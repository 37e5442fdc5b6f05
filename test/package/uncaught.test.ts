/**
 * An error of the library that a program does not catch: Node prints the line of code that threw it, which must be short.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');

it.each([
  "await openPaylint({ schema: '/none/none.json' })",
  'await openPaylint({ maxDepth: -1 })',
  "(await openPaylint()).payloads('a', { input: 'x' })",
  '(await openPaylint()).fill({})',
])('%s prints no page of code', (call) => {
  const program = `import { openPaylint } from ${JSON.stringify(pathToFileURL(join(DIST, 'index.js')).href)}; ${call}`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^(?:Usage|Schema|Type)Error: /m);
  expect(stderr.length).toBeLessThan(4000);
});

it('no line of the library that throws is long', () => {
  // What is made for browsers is as small as can be, and what the tables of host names throw is always caught.
  const small = ['browser.js', 'validate.formats.js'];
  const files = readdirSync(DIST).filter((name) => name.endsWith('.js') && !small.includes(name));
  expect(files).toContain('open.js');
  for (const file of files) {
    const lines = readFileSync(join(DIST, file), 'utf8').split('\n');
    const long = lines.filter((line) => /\bthrow\b/.test(line) && line.length > 4000);
    expect(long.map((line) => line.slice(0, 200))).toEqual([]);
  }
});
