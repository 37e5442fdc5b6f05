/**
 * The language of the documents: pages and sentences stay short, and phrases that readers stumble over get fewer. The limits only fall: when
 * you write fewer, lower them. `node scripts/prose.js` prints the numbers. CHANGELOG.md, which only grows, does not count.
 */
import { expect, it } from 'vitest';
import {
  documents,
  measure,
  PHRASES,
  sentencesOf,
  sentencesWith,
  TERMS,
  textOf,
  unlinkedTerms,
  words,
} from '../../scripts/prose.js';

const PAGES = documents().filter((page) => page !== 'CHANGELOG.md');
const below = (...folders: string[]) =>
  PAGES.filter((page) => folders.some((folder) => page.startsWith(`docs/${folder}/`)));

const MOST: Readonly<Record<keyof typeof PHRASES, number>> = {
  'that of': 15,
  'those that, those of, those who': 23,
  'judge (write validate, check or evaluate)': 24,
  'verdict (write result)': 12,
  'heal (write become valid)': 1,
  'round (write run)': 3,
  'share (write shard)': 0,
  'leave out (write exclude or omit)': 5,
  'of your own (write your own, custom)': 21,
  'nobody, somebody': 2,
};

it('start, guides and reference together, and internals, are not longer than they should be', () => {
  const count = (pages: readonly string[]) => pages.reduce((sum, page) => sum + words(textOf(page)), 0);
  const [user, internals] = [below('start', 'guides', 'reference'), below('internals')];
  expect([user.length, internals.length]).toEqual([expect.any(Number), 6]);
  expect(user.length).toBeGreaterThan(25);
  expect(count(user)).toBeLessThanOrEqual(24_800);
  expect(count(internals)).toBeLessThanOrEqual(16_450);
});

it('no page of start, guides and reference has more than 2,500 words, but rules and library may', () => {
  const pages = below('start', 'guides', 'reference').filter((page) => !/(?:rules|library)\.md$/.test(page));
  expect(pages.filter((page) => words(textOf(page)) > 2500)).toEqual([]);
});

it('sentences are short, and not chains of nouns', () => {
  const { median, ninetieth, long, ofThrice } = measure(PAGES);
  expect(median).toBeLessThanOrEqual(12);
  expect(ninetieth).toBeLessThanOrEqual(25);
  expect(long, 'sentences of more than 30 words').toBeLessThanOrEqual(107);
  expect(ofThrice, 'sentences with "of" three times').toBeLessThanOrEqual(30);
});

it.each(Object.entries(PHRASES))('%s', (name, phrase) => {
  expect(sentencesWith(phrase, PAGES)).toBeLessThanOrEqual(MOST[name as keyof typeof PHRASES]);
});

it('the first sentence of each page says who needs it', () => {
  const pages = below('start', 'guides', 'reference');
  const first = (page: string) => sentencesOf(textOf(page).replace(/^# .*\n/, ''))[0]!;
  expect(pages.filter((page) => !/^This (?:page|tutorial) is for you if /.test(first(page)))).toEqual([]);
});

it('the first use of a term on a page is linked to its meaning', () => {
  const meanings = [...textOf('docs/reference/terms.md').matchAll(/^### (.*)$/gm)].map(([, term]) => term!);
  expect(TERMS.filter((term) => !meanings.includes(term))).toEqual([]);
  const pages = below('start', 'guides', 'reference').filter((page) => !/(?:terms|rules)\.md$/.test(page));
  const unlinked = pages.flatMap((page) => unlinkedTerms(textOf(page)).map(({ term }) => `${page}: ${term}`));
  expect(unlinked).toEqual([]);
  const terms = (text: string) => unlinkedTerms(text).map(({ term }) => term);
  expect(terms('# Payloads\n\n`payload` [a payload](x.md) JSON Schema, Payloads and a sub-kind')).toEqual(['payload']);
  expect(terms('A [kind](../reference/terms.md#kind) and kinds')).toEqual([]);
  expect(terms('kinds and a [kind](../reference/terms.md#kind)')).toEqual(['kind']);
});

it('code, tables and links are no prose, and an item of a list ends a sentence', () => {
  const page =
    '# H\n\nOne `a. B` two. Three [four](x.md) five\n\n```sh\nsix. Seven\n```\n\n- eight\n- nine\n\n| ten | *eleven* |\n|---|---|\n';
  expect(sentencesOf(page)).toEqual(['One code two.', 'Three four five', 'eight', 'nine', 'ten', '*eleven*']);
  expect(words('| a | – |\n|---|---|')).toBe(1);
});
