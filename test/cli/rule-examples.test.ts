/**
 * The examples of `explain`: every wrong one breaks its rule and no other, every right one breaks none.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RULES } from '../../src/keywords/rules.ts';
import { paylint } from '../world.ts';

mkdirSync(join(import.meta.dirname, '../tmp'), { recursive: true });
const FOLDER = mkdtempSync(join(import.meta.dirname, '../tmp/rules-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** It accepts everything, and does not say so as the schema `true` does. */
const ANYTHING = '{"not": false}';
const DRAFT_07 = ['additionalItems', 'dependencies'];
/** Examples in words: of bytes, of a size, and of a flag. */
const IN_WORDS = ['json-encoding', 'payload-too-large', 'nested-too-deep'];

interface Found {
  readonly rule: string;
  readonly params: object;
}

async function rulesOf(text: string, schema: string, flags: readonly string[]): Promise<string[]> {
  return (await violationsOf(text, schema, flags)).map(({ rule }) => rule);
}

async function violationsOf(
  text: string,
  schema: string,
  flags: readonly string[],
  verb = ['validate'],
): Promise<Found[]> {
  writeFileSync(join(FOLDER, 's.json'), schema);
  const args = [...verb, '--no-config', '--input', 'json', '--format', 'ndjson', '--quiet'];
  const { stdout, stderr } = await paylint([...args, '--schema', 's.json', ...flags], { cwd: FOLDER, stdin: text });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"type":"violation"'))
    .map((line) => JSON.parse(line));
}

function schemaFor(rule: string, schema: string): string {
  const draft = DRAFT_07.includes(rule)
    ? 'http://json-schema.org/draft-07/schema#'
    : 'https://json-schema.org/draft/2020-12/schema';
  return schema.replace('{', `{"$schema": "${draft}", `);
}

const CLI = readFileSync(join(import.meta.dirname, '../../docs/reference/reports.md'), 'utf8');
const FACTS = CLI.slice(CLI.indexOf("The facts of the schema's rules:"), CLI.indexOf('## Reports'));
/** Keywords without a row of their own in the table of docs/reference/cli.md that have params: `lengths, bounds and counts`. */
const LIMITED = /^(?:min|max|exclusive|\w*[iI]tems$)/;

/** The params of a keyword that docs/reference/cli.md lists: those that are always there, then the others. */
function documentedParams(rule: string): { readonly always: string[]; readonly others: string[] } {
  for (const [, rules, params] of FACTS.matchAll(/^\| (`.*?`|lengths.*?) \| (.*) \|$/gm)) {
    if (!rules!.includes(`\`${rule}\``)) continue;
    if (params === 'the keyword and its value') return { always: [rule], others: [] };
    // What follows "and" is there only sometimes.
    const [always = '', others = ''] = params!.split(/, and (.*)/);
    const names = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    if (others.includes('the same as for `anyOf`'))
      return { always: names(always), others: [...names(others), ...documentedParams('anyOf').others] };
    return { always: names(always), others: names(others) };
  }
  return { always: LIMITED.test(rule) ? ['limit'] : [], others: ['written'] };
}

function expectDocumented(rule: string, params: readonly string[]): void {
  const { always, others } = documentedParams(rule);
  expect([rule, params.filter((name) => !others.includes(name))]).toEqual([rule, always]);
}

describe('the examples of', () => {
  const others = [...RULES].filter(([rule]) => !IN_WORDS.includes(rule) && !rule.startsWith('test/'));
  it.each(others)('%s', async (rule, { text: { schema, wrong, right } }) => {
    const entry =
      rule === 'unknown-kind'
        ? '{"if": {"properties": {"@type": {"const": "Article"}}}, "then": {"$ref": "#/$defs/a"}, "else": false, "$defs": {"a": {"title": "a"}}}'
        : ANYTHING;
    const used = schema === undefined ? entry : schemaFor(rule, schema);
    const flags = ['--whole', ...(rule === 'unsafe-default' ? ['--with-defaults'] : [])];
    if (rule === 'deprecated') flags.push('--advice');
    // Prune reports what it left, too.
    const isPruned = rule === 'unsafe-prune';
    const all = await violationsOf(wrong, used, flags, isPruned ? ['prune', '--check', '-'] : ['validate']);
    const found = isPruned ? all.filter((violation) => violation.rule === rule) : all;
    const wanted = 'the wrong example breaks this rule: examine finds it, and accept is unsure of it';
    expect(
      found.map((violation) => violation.rule),
      wanted,
    ).toEqual([rule]);
    expect(await rulesOf(right, used, flags)).toEqual([]);
    if (RULES.get(rule)!.group === 'schema') expectDocumented(rule, Object.keys(found[0]!.params));
  });

  it.each([...RULES].filter(([, { group }]) => group === 'test'))('%s', async (rule, { text: { wrong, right } }) => {
    for (const [example, rules] of [
      [wrong, [rule]],
      [right, []],
    ] as const) {
      const [test, schema] = example.split(' for ');
      writeFileSync(join(FOLDER, 's.json'), schema!);
      writeFileSync(join(FOLDER, 'broken.json'), '{"name": }');
      writeFileSync(join(FOLDER, 'a.test.json'), `{"target": "s.json", "tests": [${test}]}`);
      const args = ['test', 'a.test.json', '--no-config', '--format', 'ndjson'];
      const { stdout } = await paylint(args, { cwd: FOLDER });
      expect([...stdout.matchAll(/"rule":"(test\/[a-z-]+)"/g)].map(([, found]) => found)).toEqual(rules);
    }
  });

  it('nested-too-deep', async () => {
    const { text } = RULES.get('nested-too-deep')!;
    const [wrong, right] = [text.wrong, text.right].map((words) => words.split(' with '));
    expect(await rulesOf(wrong![0]!, ANYTHING, ['--whole', ...wrong![1]!.split(' ')])).toEqual(['nested-too-deep']);
    expect(await rulesOf(right![0]!, ANYTHING, ['--whole', ...right![1]!.split(' ')])).toEqual([]);
  });
});
