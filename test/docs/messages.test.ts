/**
 * docs/messages.md has every message of the test cases.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { messagesPage } from '../../scripts/messages.js';

it('docs/messages.md is what the cases print (node scripts/messages.js writes it)', () => {
  const page = messagesPage();
  expect(page.split('\n').length).toBeGreaterThan(300);
  expect(readFileSync(new URL('../../docs/messages.md', import.meta.url), 'utf8')).toBe(page);
});

it('and harmless', () => {
  expect(messagesPage()).not.toMatch(/[^\P{C}\n]/u);
});
