/**
 * docs/reference/rules.md has every rule, and test/messages.md every message of the test cases.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { messagesPage, recordedMessages } from '../../scripts/messages.js';
import { RULES, ruleAddress } from '../../src/keywords/rules.ts';
import { paylint } from '../world.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const WRITES = 'node scripts/messages.js writes it';

it(`docs/reference/rules.md has the rules as explain has them (${WRITES})`, async () => {
  const { stdout } = await paylint(['explain', '--format', 'json', '--no-config'], { cwd: import.meta.dirname });
  const page = messagesPage((JSON.parse(stdout) as { rules: unknown[] }).rules, RULES);
  expect(page.match(/^### /gm)!.length).toBeGreaterThan(40);
  expect(read('docs/reference/rules.md')).toBe(page);
});

it('docs/reference/rules.md has the section to which the address of each rule leads', () => {
  const headings = [...read('docs/reference/rules.md').matchAll(/^### `(.*)`$/gm)].map(([, rule]) => rule!);
  expect(headings).toEqual([...RULES.keys()]);
  // As GitHub makes anchors of headings.
  const anchors = headings.map((rule) => `page#${rule.toLowerCase().replace(/[^\w-]/g, '')}`);
  expect(headings.map((rule) => ruleAddress('page', rule))).toEqual(anchors);
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(['check/id', 'made-up'].map((rule) => ruleAddress('page', rule))).toEqual([null, null]);
});

it(`test/messages.md is what the cases print (${WRITES}), and harmless`, () => {
  const page = recordedMessages();
  expect(page.split('\n').length).toBeGreaterThan(300);
  expect(read('test/messages.md')).toBe(page);
  expect(page).not.toMatch(/[^\P{C}\n]/u);
});
