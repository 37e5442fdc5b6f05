/**
 * The words of cases mean what `test/cases/README.md` says: each is read, and written as it was; and whatever else stands in a case is refused.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escaped, needsEscapes, unescaped } from '../scripts/case-escapes.js';
import { CASES, nameOf, type PageCase, pageNames, pageText, parsePage } from '../scripts/case-pages.js';
import { rounds } from './rounds.ts';

const MAIN = '```console\n$ paylint\n```';
const HEAD = '# Page\n\n';

/** The only case of a page in which these parts stand before the command. */
function read(...parts: readonly string[]): PageCase {
  const text = `${HEAD}${['## A sentence', ...parts, MAIN].join('\n\n')}\n`;
  const page = parsePage(text, 'page.md');
  expect(pageText(page)).toBe(text);
  return page.cases[0]!;
}

it.each(pageNames())('%s has the one form', (name) => {
  const text = readFileSync(join(CASES, name), 'utf8');
  expect(text).toBe(pageText(parsePage(text, name)));
});

it('pages have cases of one subject, which one can read through', () => {
  for (const name of pageNames().filter((name) => name !== 'README.md')) {
    const { head, cases } = parsePage(readFileSync(join(CASES, name), 'utf8'), name);
    expect([name, head.startsWith('# '), cases.length > 3, cases.length <= 32]).toEqual([name, true, true, true]);
  }
});

describe('words', () => {
  it('a file, and no line feed at its end', () => {
    const { files } = read('`a.json`:\n```json\n{}\n```', '`d/b`, no line feed at the end:\n```text\nx\ny\n```');
    expect([...files]).toEqual([
      ['a.json', Buffer.from('{}\n')],
      ['d/b', Buffer.from('x\ny')],
    ]);
  });

  it('a file that is empty, a link, and names that a terminal would not show', () => {
    const { files } = read('`a\\x1b\\n\\t\\x60.json`, empty', '`b` is a link to `c/d`');
    expect([...files]).toEqual([
      ['a\x1b\n\t`.json', Buffer.alloc(0)],
      ['b', 'c/d'],
    ]);
  });

  it('a file that is packed', () => {
    const { files } = read('`a.json.gz`, gzip, no line feed at the end:\n```json\n{}\n```');
    expect(gunzipSync(files.get('a.json.gz')!).toString()).toBe('{}');
  });

  it('a file with escapes, and one with a fence', () => {
    const { files } = read(
      '`a`, escapes:\n```text\n\\xff\\r\n\\*200{[}\\\\\n```',
      '`b`:\n````text\n```\n## no case\n````',
    );
    expect(files.get('a')).toEqual(Buffer.from(`\xff\r\n${'['.repeat(200)}\\\n`, 'latin1'));
    expect(files.get('b')!.toString()).toBe('```\n## no case\n');
  });

  it('standard input, and that it is empty', () => {
    expect(read('Standard input:\n```text\nx\n```').stdin).toEqual(Buffer.from('x\n'));
    expect(read('Standard input, empty').stdin).toEqual(Buffer.alloc(0));
    expect(read().stdin).toBe(null);
  });

  it('flags of the case', () => {
    expect(read('Also as a process. The summary counts. A terminal of 60 columns.')).toMatchObject({
      spawned: true,
      summary: true,
      columns: 60,
    });
    expect(read()).toMatchObject({ spawned: false, summary: false, columns: null, code: 0 });
  });

  const parse = (text: string) => parsePage(`${HEAD}## A sentence\n\n${text}\n`, 'page.md');

  it('the command, both outputs, the exit code, and files that come into being', () => {
    const text = '```console\n$ paylint x\n  out\n! err\n!\n```\n\nExit code 2.\n\n`r` afterwards:\n```text\nx\n```';
    const page = parse(text);
    expect(page.cases[0]).toMatchObject({ command: 'paylint x', stdout: '  out\n', stderr: 'err\n\n', code: 2 });
    expect([...page.cases[0]!.after]).toEqual([['r', Buffer.from('x\n')]]);
    expect(pageText(page)).toBe(`${HEAD}## A sentence\n\n${text}\n`);
  });

  it('outputs with escapes', () => {
    const text = 'With escapes:\n```console\n$ paylint \\x1b\n\\x21 \\\\n\na\\x00\\\n! \\u{feff}\\\n```';
    const page = parse(text);
    expect(page.cases[0]).toMatchObject({ command: 'paylint \x1b', stdout: '! \\n\na\0', stderr: '\ufeff' });
    expect(pageText(page)).toBe(`${HEAD}## A sentence\n\n${text}\n`);
  });

  it.each([
    ['`a.json`, hidden:\n```json\n```', 'page.md:5: no word'],
    ['Words of somebody.', 'page.md:5: no word'],
    ['Also as a process. Quickly.', 'page.md:5: no word'],
    ['`a.json`:', 'page.md:5: no word'],
    [`${MAIN}\n\n${MAIN}`, 'page.md:9: this block has no command'],
    ['```console\npaylint\n```', 'page.md:5: this block has no command'],
    ['', 'page.md:3: the case has no command'],
    ['`a`, escapes:\n```text\n\\q\n```', '\\ is no escape'],
  ])('%j is refused', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

it('the name of a case is its sentence without blanks', () => {
  expect(nameOf('A payload in UTF-8 passes')).toBe('a-payload-in-UTF-8-passes');
});

it('escapes keep every byte, and hide none', () => {
  const unit = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => Buffer.from(text)),
    fc.constantFrom('\\', '}', '\r\n', '\ufeff', 'ab}'.repeat(300), '`').map((text) => Buffer.from(text)),
  );
  const property = fc.property(fc.array(unit, { maxLength: 8 }), (parts) => {
    const bytes = Buffer.concat(parts);
    expect(unescaped(escaped(bytes))).toEqual(bytes);
    expect(needsEscapes(escaped(bytes))).toBe(false);
  });
  fc.assert(property, { numRuns: rounds(5_000) });
});
