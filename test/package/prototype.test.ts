/**
 * A program that was loaded before paylint may have added members to `Object.prototype`, as old polyfills do. Nothing of paylint, nor of the packages in
 * it, takes them for members of its objects. Runs what `npm run build` made.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Outcome, outcomeOf, startIn } from '../spawned.ts';

const DIST = join(import.meta.dirname, '../../dist');
const SCHEMA = {
  properties: {
    a: { type: 'string', format: 'date', pattern: '^x(?=y)' },
    b: { $ref: '#/properties/a' },
    c: { default: 3, type: 'number' },
  },
  dependentRequired: { a: ['b'] },
  dependentSchemas: { a: { required: ['b'] } },
  unevaluatedProperties: false,
  oneOf: [{ required: ['a'] }, { required: ['z'] }],
};

const folder = mkdtempSync(join(tmpdir(), 'paylint-prototype-'));
beforeAll(() => {
  writeFileSync(join(folder, 'polyfill.cjs'), 'Object.prototype.last = function () {};');
  writeFileSync(join(folder, 'emoji.json'), '{"emoji":1}');
  writeFileSync(join(folder, 'own.json'), '{"a":1,"q":2}');
  writeFileSync(join(folder, 'own.schema.json'), JSON.stringify(SCHEMA));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Times differ between runs. */
async function said(args: readonly string[], options: string): Promise<Outcome> {
  const outcome = await outcomeOf(startIn({ ...process.env, NODE_OPTIONS: options }, folder, args));
  const timeless = (text: string): string => text.replaceAll(/\d[\d.]* m?s\n|"elapsedMs":\d+/g, '');
  return { ...outcome, stdout: timeless(outcome.stdout), stderr: timeless(outcome.stderr) };
}

it.each([
  ['validate', 'emoji.json', '--stats', '--advice'],
  ['validate', 'emoji.json', '--format', 'sarif'],
  ['validate', 'own.json', '--schema', 'own.schema.json', '--format', 'ndjson'],
  ['validate', 'own.json', '--schema', 'own.schema.json', '--draft', '2019-09'],
  ['fill', 'own.json', '--schema', 'own.schema.json'],
  ['filter', 'emoji.json'],
  ['convert', 'emoji.json', '--to', 'ndjson'],
  ['explain', 'contract'],
  ['kinds', '--format', 'json'],
])('an enumerable member of Object.prototype changes nothing: %s %s %s %s %s', async (...args) => {
  const plain = await said(args, '');
  expect(plain.stderr).not.toContain('bug');
  expect(await said(args, '--require=./polyfill.cjs')).toEqual(plain);
});

it('no loop over inherited members is in what is built, but for three of the judge, which looks for such members first', () => {
  const files = readdirSync(DIST).filter((name) => /\.c?js$/.test(name));
  const loops = (name: string): number =>
    readFileSync(join(DIST, name), 'utf8').match(/\bfor\s*\((?:var|let|const) [\w$]+ in /g)?.length ?? 0;
  const found = files.map((name) => [name, loops(name)]).filter(([, count]) => count !== 0);
  expect(found).toEqual([
    ['browser.js', 3],
    ['main.basics.cjs', 1],
    ['main.judge.cjs', 2],
    ['open.js', 3],
    ['validate.js', 3],
  ]);
});
