/**
 * docs/reference/limits.md is made from src/limits.ts, quotes messages that there are, and other documents have the same numbers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { amount, limitsIn, limitsPage } from '../../scripts/limits.js';
import { RULES } from '../../src/keywords/rules.ts';
import * as values from '../../src/limits.ts';
import { sizeText } from '../../src/words/number-text.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const SOURCE = read('src/limits.ts');
const LIMITS = limitsIn(SOURCE).filter((part) => typeof part !== 'string');
const FILES = readdirSync(new URL('../../src/', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'limits.ts')
  .map((name) => read(`src/${name}`));

it('docs/reference/limits.md has the limits of the source (node scripts/limits.js writes them)', () => {
  expect(LIMITS.length).toBeGreaterThan(50);
  expect(LIMITS.map(({ name }) => name)).toEqual(SOURCE.match(/(?<=^export const )\w+/gm));
  expect(read('docs/reference/limits.md')).toBe(limitsPage(SOURCE, values));
});

it('each limit is used', () => {
  const imports = FILES.flatMap((text) => text.match(/import \{[^}]*\} from '[./]*\/limits\.ts'/g) ?? []).join();
  expect(LIMITS.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(imports))).toEqual([]);
});

it('the rules and messages that it quotes are there', () => {
  const beyond = LIMITS.map((limit) => limit.beyond).join('\n');
  const rules = beyond.match(/(?<=`)[a-z-]+(?=`)/g)!;
  expect(rules.filter((rule) => !RULES.has(rule))).toEqual([]);
  // In the source, numbers are expressions.
  const plain = (text: string): string => text.replace(/\$\{[^}]*\}|\d[\d,]*/g, 'N').replaceAll('N MiB', 'N');
  const code = plain(FILES.join('\n'));
  const quotes = [...beyond.matchAll(/"([^"]+)"/g)].map(([, quote]) => plain(quote!));
  expect(quotes.length).toBeGreaterThan(15);
  expect(quotes.filter((quote) => !code.includes(quote))).toEqual([]);
});

it('amounts have the unit in which they are read', () => {
  const found = [amount(64 << 20, 'bytes'), amount(12 * 2 ** 30, 'bytes'), amount(1000, 'ms'), amount(2048, 'levels')];
  expect(found).toEqual(['64 MiB', '12 GiB', '1 s', '2,048 levels']);
  expect([amount(1500, 'bytes'), amount(2_000_000, '')]).toEqual(['1500 bytes', '2,000,000']);
});

const { PAYLOAD_BYTES, PAYLOAD_LEVELS, LARGEST_PAYLOAD_BYTES, PRETTY_VIOLATIONS, THREADS } = values;
const SCHEMA = JSON.parse(read('schemas/config.schema.json')) as {
  properties: Record<'maxDepth' | 'maxPayloadBytes' | 'maxViolations' | 'threads', Record<string, unknown>>;
}; // our own schema

it('the schema of the config has the same numbers', () => {
  const { maxDepth, maxPayloadBytes, maxViolations, threads } = SCHEMA.properties;
  expect([maxDepth.default, maxPayloadBytes.default]).toEqual([PAYLOAD_LEVELS, `${PAYLOAD_BYTES >> 20}M`]);
  expect(maxViolations.description).toContain(`pretty shows ${PRETTY_VIOLATIONS}.`);
  expect(threads.description).toContain(`at most ${THREADS}.`);
});

it.each([
  ['cli', `\`64M\`; default: ${sizeText(PAYLOAD_BYTES)} |`],
  ['cli', `deepest nesting of objects and arrays; default: ${PAYLOAD_LEVELS} |`],
  ['cli', `default: ${PRETTY_VIOLATIONS} in \`pretty\``],
  ['cli', `default: one per core, at most ${THREADS},`],
  ['library', `limits, ${sizeText(PAYLOAD_BYTES)} and ${PAYLOAD_LEVELS} unless given`],
  ['library', `(\`maxPayloadBytes\`: to ${sizeText(LARGEST_PAYLOAD_BYTES)})`],
])('docs/reference/%s.md has "%s"', (page, text) => {
  expect(read(`docs/reference/${page}.md`)).toContain(text);
});
