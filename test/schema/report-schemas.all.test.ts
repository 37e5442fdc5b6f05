/**
 * `test/standards/paylint-report-1.open.schema.json` is the open schema of reports of the last version, as recorded at its release. While `reportVersion`
 * is 1, it stays valid for every report: who reads reports by it reads those of this version.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { argsIn, place, readCases } from '../case-files.ts';
import { SCRATCH } from '../tools.ts';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const ALL = readCases();

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
