/**
 * The schemas of documents: absolute, versioned `$id`s; the open schema of reports; and schemas for files of tests and of checks that say the same as
 * what reads them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPaylint } from '../../src/index.ts';
import { readCases } from '../case-files.ts';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const schemaOf = (name: string) => openPaylint({ schema: join(ROOT, 'schemas', `${name}.schema.json`), config: false });

const ALL = readCases();

it.each(['report', 'report.open', 'config', 'tests', 'coverage', 'checks'])(
  '%s has an absolute, versioned $id',
  (name) => {
    const { $id } = JSON.parse(read(`schemas/${name}.schema.json`)) as { $id: string };
    expect($id).toMatch(new RegExp(`^urn:paylint:${name.replace('.', '-')}:\\d+$`));
    expect(URL.canParse($id)).toBe(true);
  },
);

describe('the open schema of reports', () => {
  const LINES = ALL.filter(({ told }) => told.command.endsWith('--format ndjson'))
    .flatMap(({ told }) => told.stdout.trimEnd().split('\n'))
    .filter((line) => line.startsWith('{"type":"violation"') && !line.includes('"failure"'));

  it('takes what is written, and members that a later version adds, which the closed one refuses', async () => {
    const [open, closed] = await Promise.all([schemaOf('report.open'), schemaOf('report')]);
    expect(LINES.length).toBeGreaterThan(30);
    for (const line of LINES) {
      expect([line, open.isValid(line), closed.isValid(line)]).toEqual([line, true, true]);
      const later = line.replace('{', '{"later":{"a":1},');
      expect([open.isValid(later), closed.isValid(later)]).toEqual([true, false]);
    }
    expect(open.isValid('{"type":"violation"}')).toBe(false);
  });
});

describe('the schema of files of tests', () => {
  it('takes those of the documents, and what paylint test refuses it refuses', async () => {
    const tests = await schemaOf('tests');
    const files = fastGlob.sync('{docs,fixtures}/**/*.test.json', { cwd: ROOT });
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect([file, tests.validate(read(file)).violations]).toEqual([file, []]);
    const folder = mkdtempSync(join(tmpdir(), 'paylint-tests-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const wrong of [
      '{"tests":[]}',
      '{"target":"","tests":[]}',
      '{"target":"s.json","tests":{}}',
      '{"target":"s.json","tests":[{"valid":true}]}',
      '{"target":"s.json","tests":[{"valid":true,"violations":[],"data":1}]}',
      '{"target":"s.json","tests":[{"data":1}]}',
      '{"target":"s.json","tests":[{"valid":1,"data":1}]}',
      '{"target":"s.json","tests":[{"violations":[{"rule":"type"}],"data":1}]}',
    ]) {
      expect([wrong, tests.isValid(wrong)]).toEqual([wrong, false]);
      const file = join(folder, 'a.test.json');
      writeFileSync(file, wrong);
      expect(await paylint(['test', file, '--no-config'], { cwd: folder })).toMatchObject({ code: 2 });
    }
  });
});

describe('the schema of checks', () => {
  it('takes the checks of the kinds and of the documents, and refuses misspelt ones', async () => {
    const checks = await schemaOf('checks');
    const examples = [...read('docs/guides/checks.md').matchAll(/^```json\n(\{ "id"[\s\S]*?)^```$/gm)].map(
      ([, one]) => `[${one}]`,
    );
    expect(examples.length).toBeGreaterThan(10);
    for (const text of [read('schemas/payload.checks.json'), ...examples])
      expect([text, checks.validate(text).violations]).toEqual([text, []]);
    for (const wrong of [
      '{}',
      '[{"id":"a"}]',
      '[{"id":"a","assert":"true","message":"m","asert":"x"}]',
      '[{"id":"a b","assert":"true","message":"m"}]',
      '[{"id":"a","assert":"true","message":"m","severity":"bad"}]',
      '[{"id":"a","assert":"true","message":"m","report":"x"}]',
      '[{"id":"a","unique":"/id","at":"/x"}]',
      '[{"id":"a","references":"/id"}]',
    ])
      expect([wrong, checks.isValid(wrong)]).toEqual([wrong, false]);
  });
});
