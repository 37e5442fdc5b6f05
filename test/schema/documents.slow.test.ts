/**
 * The schemas of documents: absolute, versioned `$id`s; the open schema of reports; and schemas for files of tests and of checks that say the same as
 * what reads them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fastGlob from 'fast-glob';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPaylint } from '../../src/index.ts';
import { argsIn, place, readCases } from '../case-files.ts';
import { SCRATCH } from '../tools.ts';
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

/**
 * `test/standards/paylint-report-1.open.schema.json` is the open schema of the last version, as recorded at its release. While `reportVersion`
 * is 1, it stays valid for every report: who reads reports by it reads those of this version.
 */
describe('the reports of this version', () => {
  const OLD = read('test/standards/paylint-report-1.open.schema.json');
  const ajv = () => new Ajv2020({ strict: false, allErrors: true, logger: false });
  const last = ajv().compile(JSON.parse(OLD));
  const closed = ajv().compile(JSON.parse(read('schemas/report.schema.json')));
  const open = ajv().compile(JSON.parse(read('schemas/report.open.schema.json')));
  const VERBS = ['validate', 'fill', 'prune', 'filter', 'compare', 'test', 'convert', 'render'];
  /** Some of `validate`, which has most of the cases, and all of the others. */
  const CASES = ALL.filter(
    ({ args, cd, name }, i) =>
      VERBS.includes(args[0] ?? '') &&
      cd === '.' &&
      (args[0] !== 'validate' || i % 6 === 0 || name.includes('fail')) &&
      !args.some((arg) => /^(?:--print-config|--list-files|--watch|--help|-h|--update-baseline)$/.test(arg)) &&
      !/stdout-is-lost|own-output/.test(name),
  );

  /** In memory if possible: hundreds of files are synchronized there. */
  const reportsFolder = mkdtempSync(join(SCRATCH, 'paylint-documents-'));
  afterAll(() => rmSync(reportsFolder, { recursive: true }));

  it('fit the open schema of the last one, and both schemas of this one', async () => {
    const seen = new Map<string, number>();
    const judge = (value: unknown, what: string): void => {
      for (const valid of [last, open, closed]) expect([what, valid(value), valid.errors]).toEqual([what, true, null]);
    };
    for (const one of CASES) {
      const cwd = place(one);
      const { stdin } = one.told;
      const folder = mkdtempSync(join(reportsFolder, 'x'));
      const reports = ['ndjson', 'json'].flatMap((format) => ['--format', `${format}=${folder}/report.${format}`]);
      const io = { cwd, env: one.env, ...(stdin === null ? {} : { stdin }) };
      await paylint([...argsIn(one, cwd), ...reports], io);
      if (!existsSync(join(folder, 'report.json'))) continue; // the run did not begin
      judge(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')), one.name);
      const lines = readFileSync(join(folder, 'report.ndjson'), 'utf8').trimEnd().split('\n');
      for (const line of lines) {
        const event = JSON.parse(line) as { type: string };
        judge(event, `${one.name}: ${line}`);
        const key = `${one.args[0]} ${event.type}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    }
    const types = new Set([...seen.keys()].map((key) => key.split(' ')[1]));
    expect([...types].sort()).toEqual(['failure', 'fill', 'prune', 'source', 'summary', 'violation']);
    for (const verb of VERBS) expect([verb, seen.get(`${verb} summary`)]).not.toEqual([verb, undefined]);
  });

  it('would not fit if a field was gone, renamed, or of another type', () => {
    const lines = ALL.find(({ name }) => name === 'report-ndjson')!.told.stdout.split('\n');
    const line = lines.find((one) => one.startsWith('{"type":"violation"'));
    const event = JSON.parse(line!) as Record<string, unknown>;
    expect(last(event)).toBe(true);
    expect(last({ ...event, later: 1 })).toBe(true);
    for (const name of ['file', 'line', 'rule', 'pointer', 'message', 'params']) {
      const { [name]: _, ...others } = event;
      expect([name, last(others)]).toEqual([name, false]);
      expect([name, last({ ...event, [name]: [] })]).toEqual([name, false]);
    }
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
