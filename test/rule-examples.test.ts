/**
 * The examples of `explain`: every wrong one breaks its rule and no other, every right one breaks none.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BUILTIN_RULES } from '../src/types.ts';
import { RULES } from '../src/words/rules.ts';
import { paylint } from './world.ts';

const SCHEMAS = join(import.meta.dirname, '../schemas');
mkdirSync(join(import.meta.dirname, 'tmp'), { recursive: true });
const FOLDER = mkdtempSync(join(import.meta.dirname, 'tmp/rules-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** It accepts everything, and does not say so as the schema `true` does. */
const ANYTHING = '{"not": false}';
const DRAFT_07 = ['additionalItems', 'dependencies'];
/** Examples in words: of bytes, of a size, and of a flag. */
const IN_WORDS = ['json-encoding', 'payload-too-large', 'nested-too-deep'];

async function rulesOf(text: string, schema: string, flags: readonly string[]): Promise<string[]> {
  writeFileSync(join(FOLDER, 's.json'), schema);
  const args = ['validate', '--no-config', '--input', 'json', '--format', 'ndjson', '--quiet'];
  const { stdout, stderr } = await paylint([...args, '--schema', 's.json', ...flags], {
    cwd: FOLDER,
    stdin: text,
  });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"type":"violation"'))
    .map((line) => JSON.parse(line).rule);
}

function schemaFor(rule: string, schema: string): string {
  const draft = DRAFT_07.includes(rule)
    ? 'http://json-schema.org/draft-07/schema#'
    : 'https://json-schema.org/draft/2020-12/schema';
  return schema.replace('{', `{"$schema": "${draft}", `);
}

describe('the examples of', () => {
  it('all rules of paylint are there', () => {
    expect(Object.keys(RULES).filter((rule) => (BUILTIN_RULES as readonly string[]).includes(rule))).toEqual([
      ...BUILTIN_RULES,
    ]);
  });

  it.each(Object.entries(RULES).filter(([rule]) => !IN_WORDS.includes(rule) && !rule.startsWith('advice/')))(
    '%s',
    async (rule, { schema, wrong, right }) => {
      const entry =
        rule === 'unknown-kind'
          ? '{"if": {"properties": {"@type": {"const": "Article"}}}, "then": {"$ref": "#/$defs/a"}, "else": false, "$defs": {"a": {"title": "a"}}}'
          : ANYTHING;
      const used = schema === undefined ? entry : schemaFor(rule, schema);
      const flags = ['--whole', ...(rule === 'unsafe-default' ? ['--with-defaults'] : [])];
      expect(await rulesOf(wrong, used, flags)).toEqual([rule]);
      expect(await rulesOf(right, used, flags)).toEqual([]);
    },
  );

  it.each(Object.entries(RULES).filter(([rule]) => rule.startsWith('advice/')))(
    '%s',
    async (rule, { wrong, right }) => {
      const schema = readFileSync(join(SCHEMAS, 'payload.schema.json'), 'utf8');
      for (const name of ['content-item', 'contract', 'emoji'])
        copyFileSync(join(SCHEMAS, `${name}.schema.json`), join(FOLDER, `${name}.schema.json`));
      const flags = ['--advice', '--kind', wrong.includes('startDate') ? 'contract' : 'content'];
      if (rule !== 'advice/id-conflict') flags.push('--whole'); // that one is about two payloads
      const adviceOn = async (text: string) =>
        // They are parts of payloads, so there are violations, too.
        (await rulesOf(text, schema, flags)).filter((found) => found.startsWith('advice/'));
      expect(await adviceOn(wrong)).toEqual([rule]);
      expect(await adviceOn(right)).toEqual([]);
    },
  );

  it('nested-too-deep', async () => {
    const [wrong, right] = [RULES['nested-too-deep']!.wrong, RULES['nested-too-deep']!.right].map((text) =>
      text.split(' with '),
    );
    expect(await rulesOf(wrong![0]!, ANYTHING, ['--whole', ...wrong![1]!.split(' ')])).toEqual([
      'nested-too-deep',
    ]);
    expect(await rulesOf(right![0]!, ANYTHING, ['--whole', ...right![1]!.split(' ')])).toEqual([]);
  });
});
