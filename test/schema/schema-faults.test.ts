/**
 * Faults of schemas are told like violations: all of them, each with file, line, column and place.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SchemaError } from '../../src/errors.ts';
import { openPaylint } from '../../src/library/open.ts';
import { paylint } from '../world.ts';

const FAULTY = `{
  "type": "objct",
  "properties": {
    "é": { "minLength": "x", "$ref": "other.json#/$defs/b" },
    "b": { "$ref": "#/$defs/nme" }, "c": { "items": { "pattern": "(" } }
  },
  "$defs": { "name": { "allOf": [{ "enum": 1 }, { "$ref": "othr.json" }] } }
}
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-faults-'));
  mkdirSync(join(folder, 'own'));
  writeFileSync(join(folder, 'own/s.json'), FAULTY);
  writeFileSync(join(folder, 'own/other.json'), '{\r\n  "$defs": {\r\n    "b": { "type": ["strin"] } } }');
  writeFileSync(join(folder, 'own/typo.json'), '{\n  "type": "object",\n  "propertes": {}\n}');
  writeFileSync(join(folder, 'p.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = async (schema: string, ...args: readonly string[]) => {
  const { code, stderr } = await paylint(
    ['validate', '--no-config', '--quiet', ...args, '--schema', schema, 'p.json'],
    { cwd: folder },
  );
  return [code, stderr.trimEnd().split('\n')] as const;
};

it('are all told, in the order of files and text, with near misses', async () => {
  const [code, lines] = await run('own/s.json');
  expect(code).toBe(2);
  expect(lines.map((line) => line.replace(/: (?:expected|the \$ref|Invalid).*?(?=; did|$)/, ''))).toEqual([
    'paylint: own/s.json:2:11: s.json#/type; did you mean "object"?',
    'paylint: own/s.json:4:25: s.json#/properties/é/minLength',
    'paylint: own/s.json:5:20: s.json#/properties/b/$ref; did you mean "#/$defs/name"?',
    'paylint: own/s.json:5:66: s.json#/properties/c/items/pattern',
    'paylint: own/s.json:7:44: s.json#/$defs/name/allOf/0/enum',
    'paylint: own/other.json:3:21: other.json#/$defs/b/type/0; did you mean "string"?',
  ]);
});

it('are told of a file outside of the working directory with its whole path', async () => {
  const { stderr } = await paylint(['validate', '--no-config', '--schema', '../own/s.json', '../p.json'], {
    cwd: join(folder, 'own/..', 'own'),
  });
  expect(stderr).toContain('paylint: s.json:2:11: ');
  const { stderr: outside } = await paylint(['validate', '--no-config', '--schema', join(folder, 'own/s.json'), '-'], {
    cwd: tmpdir(),
    stdin: '{}',
  });
  expect(outside).toMatch(/^paylint: \S*own\/s\.json:2:11: s\.json#\/type/);
});

it('and so are warnings, at the name that is misspelt', async () => {
  const warning =
    'own/typo.json:3:3: typo.json#/propertes: "propertes" is not a keyword of JSON Schema; did you mean "properties"?';
  expect(await run('own/typo.json')).toEqual([0, [`paylint: warning: ${warning}`]]);
  expect(await run('own/typo.json', '--strict-schema')).toEqual([
    2,
    ['paylint: own/typo.json: the schema has warnings, which strictSchema makes errors', `paylint: ${warning}`],
  ]);
});

it('name the file that was meant', async () => {
  const [code, [line]] = await run('own/tpyo.json');
  expect([code, line]).toEqual([
    2,
    'paylint: cannot read the schema own/tpyo.json: no such file or folder; did you mean typo.json?',
  ]);
});

it('are in the error of the library; those of a schema in memory have no lines', async () => {
  const errorOf = (schema: string | object) =>
    openPaylint({ schema }).then(
      () => null,
      (error: unknown) => error,
    );
  const error = await errorOf(join(folder, 'own/s.json'));
  expect(error).toBeInstanceOf(SchemaError);
  const { faults, message } = error as SchemaError; // just tested
  expect(faults).toHaveLength(6);
  expect(faults[0]).toMatchObject({
    path: join(folder, 'own/s.json'),
    file: 's.json',
    line: 2,
    column: 11,
    place: 's.json#/type',
  });
  expect(message.split('\n')).toHaveLength(6);
  const inMemory = await errorOf({ type: 'objct', properties: { a: { minLength: 'x' } } });
  expect((inMemory as SchemaError).faults.map(({ path, line, place }) => [path, line, place])).toEqual([
    [null, null, '#/type'],
    [null, null, '#/properties/a/minLength'],
  ]);
});
