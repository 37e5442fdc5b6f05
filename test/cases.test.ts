/**
 * The command line does what the pages of `test/cases` say: `test/cases/README.md` says how to read them, and how to write one.
 * `UPDATE_CASES=1 npx vitest run test/cases.test.ts` writes what came out in place of what must come out: read every line of the diff;
 * `npx vitest run test/cases.test.ts -t 'Sentence'` runs one. `test/cases-spawned.all.test.ts` runs them as processes.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CASES } from '../scripts/case-pages.js';
import { argsIn, type Case, check, place, readCases, update } from './case-files.ts';
import { paylint } from './world.ts';

/** `npm run test:fast` starts no threads: those that are asked for, those in which Ajv judges, and those that guard against costly schemas. */
const startsThreads = ({ told, page }: Case): boolean =>
  /--threads|\bajv\b/.test(told.command) || page.name === 'too-large-and-too-deep.md';

const cases = readCases().filter((one) => process.env.TESTS !== 'fast' || !startsThreads(one));

it('all are sections of pages, as README.md there says', () => {
  expect(readdirSync(CASES).filter((name) => !name.endsWith('.md'))).toEqual([]);
});

it('there are many cases, each of its own name', () => {
  expect(cases.length).toBeGreaterThan(1000);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

it.each(cases.map((one) => [one.told.title, one] as const))('%s', async (_, one) => {
  const cwd = place(one);
  const { stdin, columns } = one.told;
  const result = await paylint(argsIn(one, cwd), {
    cwd: join(cwd, one.cd),
    env: one.env,
    ...(stdin === null ? {} : { stdin }),
    ...(columns === null ? {} : { columns }),
  });
  if (process.env.UPDATE_CASES === '1') update(one, result, cwd);
  check(one, result, cwd);
});
