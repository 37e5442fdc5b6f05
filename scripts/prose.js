// @ts-check
// Measures the language of the documents: how long pages and sentences are, and how often they have words that readers stumble over.
//
//   node scripts/prose.js [FILE…]     numbers of the pages, by default of all documents
//
// test/docs/prose.test.ts holds the numbers below limits that only fall.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const ROOT_PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** All documents, relative to the root. */
export function documents() {
  const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' });
  const pages = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return [...ROOT_PAGES, ...pages.sort()];
}

export function textOf(/** @type {string} */ page) {
  return readFileSync(new URL(page, root), 'utf8');
}

/** What white space separates, blocks of code included, and has a letter or a digit: a border of a table is no word. */
export function words(/** @type {string} */ text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The sentences of a page, without code: an item of a list and a cell of a table end one. */
export function sentencesOf(/** @type {string} */ markdown) {
  const prose = markdown
    .replace(/^```[\s\S]*?^```$/gm, '\n')
    .replace(/<!-- summary -->[\s\S]*?(?=^#)/m, '') // an output, shown as it looks
    .replace(/<!--[\s\S]*?-->|^ {4}.*$|^#.*$|^\|?[-: |]+\|$/gm, '\n')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`+[^`]*`+/g, 'code')
    .replace(/^\[\^[^\]]*\]: /gm, '');
  const parts = prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)|(?<!\\)\|/);
  return parts
    .flatMap((part) => part.replace(/\s+/g, ' ').split(/(?<=[.!?][)*]*) (?=[A-Z(*c])/))
    .map((sentence) => sentence.replace(/^\s*(?:[-*]|\d+\.) /, '').trim())
    .filter((sentence) => /[a-z]{2}/i.test(sentence));
}

/** Words and phrases that mean something else to a reader, or that she has to resolve backwards, with what to write instead. */
export const PHRASES = {
  'that of': /\bthat of\b/i,
  'those that, those of, those who': /\bthose (?:that|of|who|which)\b/i,
  'judge (write validate, check or evaluate)': /\bjudg(?:e[sd]?|ing)\b/i,
  'verdict (write result)': /\bverdicts?\b/i,
  'heal (write become valid)': /\bheal(?:s|ed)?\b/i,
  'round (write run)': /\brounds?\b/i,
  'share (write shard)': /\bshares? of (?:a|the) (?:run|sources?)\b/i,
  'leave out (write exclude or omit)': /\b(?:leaves?|leaving|left) out\b/i,
  'of your own (write your own, custom)': /\bof (?:your|its|their|one's|our) own\b/i,
  'nobody, somebody': /\b(?:no|some)body\b/i,
};

/** Words of paylint, in docs/reference/terms.md, that mean something else to others. */
export const TERMS = /** @type {const} */ ([
  ...[
    'advice',
    'alternative',
    'baseline',
    'entry schema',
    'failure',
    'framing',
    'kind',
    'member',
    'payload',
    'pointer',
  ],
  ...['rule', 'schema', 'shard', 'source', 'violation'],
]);

/**
 * Where a page uses a term in its prose before it links it to its meaning.
 * @param {string} markdown
 */
export function unlinkedTerms(markdown) {
  const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, ' ');
  const prose = markdown
    .replace(/^```[\s\S]*?^```$|<!-- summary -->[\s\S]*?(?=^#)|<!--[\s\S]*?-->/gm, blank)
    .replace(/^(?:#| {4}|\|).*$/gm, blank)
    .replace(/`[^`]*`|!?\[[^\]]*\]\([^)]*\)/g, blank);
  return TERMS.flatMap((term) => {
    const { index, 0: text = '' } = new RegExp(`(?<![\\w-]|JSON )${term}s?(?![\\w-])`, 'i').exec(prose) ?? {};
    const link = markdown.search(new RegExp(`terms\\.md#${term.replace(' ', '-')}\\)`));
    return index === undefined || (link >= 0 && link < index) ? [] : [{ term, text, index }];
  });
}

/** How many sentences of the pages have it. */
export function sentencesWith(/** @type {RegExp} */ phrase, /** @type {readonly string[]} */ pages) {
  return pages.flatMap((page) => sentencesOf(textOf(page))).filter((sentence) => phrase.test(sentence)).length;
}

/** Of sentences with at least four words, which cells of tables often do not have. */
export function measure(/** @type {readonly string[]} */ pages) {
  const sentences = pages.flatMap((page) => sentencesOf(textOf(page))).filter((one) => words(one) > 3);
  const lengths = sentences.map(words).sort((a, b) => a - b);
  const of = (/** @type {number} */ times) => sentences.filter((one) => (one.match(/\bof\b/gi) ?? []).length >= times);
  return {
    words: pages.reduce((sum, page) => sum + words(textOf(page)), 0),
    sentences: lengths.length,
    median: lengths[Math.floor(lengths.length / 2)],
    ninetieth: lengths[Math.floor(lengths.length * 0.9)],
    long: lengths.filter((length) => length > 30).length,
    ofTwice: `${((100 * of(2).length) / lengths.length).toFixed(1)} %`,
    ofThrice: of(3).length,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = process.argv.length > 2 ? process.argv.slice(2) : documents();
  const groups = [
    ['all', pages],
    ...['start', 'guides', 'reference', 'internals'].map((group) => [
      group,
      pages.filter((page) => page.startsWith(`docs/${group}/`)),
    ]),
    ...pages.map((page) => [page, [page]]),
  ];
  console.table(Object.fromEntries(groups.map(([name, group]) => [name, measure(/** @type {string[]} */ (group))])));
  console.table(
    Object.fromEntries(Object.entries(PHRASES).map(([name, phrase]) => [name, sentencesWith(phrase, pages)])),
  );
}
