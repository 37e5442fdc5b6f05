/**
 * The table of keys in docs/reference/config.md is made from the schema of the config, which has an example for each key that the config takes.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { configPage } from '../../scripts/config-reference.js';

const SCHEMA = JSON.parse(readFileSync(new URL('../../schemas/config.schema.json', import.meta.url), 'utf8')) as {
  properties: Record<string, { default?: unknown; examples?: unknown[] }>;
}; // our own schema

it('docs/reference/config.md has the keys of the schema (node scripts/config-reference.js writes them)', () => {
  const { page, current } = configPage();
  expect(page.match(/^\| `\w+` \| /gm)!.length).toBeGreaterThan(30);
  expect(page).toBe(current);
});

it('each key has an example, which is valid as its default is, and is not the same', () => {
  const isValid = new Ajv2020({ strict: false }).compile(SCHEMA);
  for (const [name, { default: value, examples = [] }] of Object.entries(SCHEMA.properties)) {
    if (name.startsWith('$')) continue;
    expect([name, examples.length > 0]).toEqual([name, true]);
    for (const one of [...examples, value]) {
      if (one !== undefined) expect([name, one, isValid({ [name]: one })]).toEqual([name, one, true]);
      if (one !== value) expect(JSON.stringify(one)).not.toBe(JSON.stringify(value));
    }
  }
});
