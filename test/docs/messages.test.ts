/**
 * docs/reference/rules.md has every rule, and test/messages.md every message of the test cases.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { messagesPage, recordedMessages } from '../../scripts/messages.js';
import { paylint } from '../world.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const WRITES = 'node scripts/messages.js writes it';

it(`docs/reference/rules.md has the rules as explain has them (${WRITES})`, async () => {
  const { stdout } = await paylint(['explain', '--format', 'json', '--no-config'], { cwd: import.meta.dirname });
  const page = messagesPage((JSON.parse(stdout) as { rules: unknown[] }).rules);
  expect(page.match(/^### /gm)!.length).toBeGreaterThan(40);
  expect(read('docs/reference/rules.md')).toBe(page);
});

it(`test/messages.md is what the cases print (${WRITES}), and harmless`, () => {
  const page = recordedMessages();
  expect(page.split('\n').length).toBeGreaterThan(300);
  expect(read('test/messages.md')).toBe(page);
  expect(page).not.toMatch(/[^\P{C}\n]/u);
});
