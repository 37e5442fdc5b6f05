/**
 * Members go into an object that has none so that it looks like its neighbours, whatever white space is between its brackets. That white
 * space stays.
 */
import { describe, expect, it } from 'vitest';
import { fillBy } from '../fill-world.ts';

const INNER = { type: 'object', properties: { x: { default: 1 }, y: { default: { z: [2] } } } };
const SCHEMA = { type: 'object', properties: { o: INNER, l: { type: 'array', items: INNER } } };

/** `before` is filled to `after`; both in lines. */
async function becomes(before: readonly string[], after: readonly string[], schema: unknown = SCHEMA): Promise<void> {
  for (const [lineEnd, tab] of [
    ['\n', '  '],
    ['\r\n', '  '],
    ['\n', '\t'],
    ['\r\n', '\t'],
  ] as const) {
    const write = (lines: readonly string[]): string =>
      lines.join(lineEnd).replaceAll('>', tab).replaceAll('.', tab[0]!);
    expect((await fillBy(schema, write(before))).text).toBe(write(after));
  }
}

/** The whole of it, where the members of `o` come out as they should. */
const NEIGHBOURS = [
  '{',
  '>"a": 0,',
  '>"o": {',
  '>>"x": 1,',
  '>>"y": {',
  '>>>"z": [',
  '>>>>2',
  '>>>]',
  '>>}',
  '>}',
  '}',
];
const around = (o: string): string[] => `{\n>"a": 0,\n>"o": ${o}\n}`.split('\n');

describe('between neighbours on lines', () => {
  it.each([
    ['nothing', '{}'],
    ['a space', '{.}'],
    ['the indentation of its line', '{>}'],
    ['a line end', '{\n}'],
    ['a line end and a space', '{\n.}'],
    ['the bracket on a line of its own', '{\n>}'],
    ['an empty line', '{\n\n>}'],
    ['a line with the indentation of its line', '{\n>\n>}'],
    ['a line with the indentation that members have', '{\n>>\n>}'],
  ])('%s', (_, o) => becomes(around(o), NEIGHBOURS));

  it('more space than the bracket needs stays where it cannot be seen', async () => {
    const after = NEIGHBOURS.with(2, '>"o": {..');
    await becomes(around('{..>}'), after);
  });

  it('lines that are too many stay after the members', async () => {
    await becomes(around('{\n\n\n>}'), [...NEIGHBOURS.slice(0, 9), '', ...NEIGHBOURS.slice(9)]);
    await becomes(around('{\n\n\n\n>}'), [...NEIGHBOURS.slice(0, 9), '', '', ...NEIGHBOURS.slice(9)]);
  });

  it('a line with more space than members have stays after them', async () => {
    await becomes(around('{\n>>>\n>}'), [...NEIGHBOURS.slice(0, 8), '>>}>>>', ...NEIGHBOURS.slice(9)]);
  });

  it('a bracket further in than its neighbours stays there', async () => {
    await becomes(around('{\n>>>>}'), [...NEIGHBOURS.slice(0, 9), '>>>>}', '}']);
  });

  it('in an array', async () => {
    const item = (...lines: string[]): string[] => ['{', '>"l": [', ...lines, '>]', '}'];
    const after = item('>>{', '>>>"x": 1,', '>>>"y": {', '>>>>"z": [', '>>>>>2', '>>>>]', '>>>}', '>>}');
    for (const o of ['{}', '{.}', '{>}', '{\n>>}', '{\n\n>>}']) await becomes(item(...`>>${o}`.split('\n')), after);
  });

  it('where lines begin with commas', async () => {
    const schema = { properties: { o: { properties: { x: { default: 1 }, y: { default: 2 } } } } };
    for (const o of ['{}', '{ }', '{\n  }']) {
      const after = '{\n    "a": 0\n  , "o": { "x": 1\n    , "y": 2\n  }\n}';
      expect((await fillBy(schema, `{\n    "a": 0\n  , "o": ${o}\n}`)).text).toBe(after);
    }
  });
});

describe('between neighbours on one line', () => {
  const TWO = { properties: { o: { properties: { x: { default: 1 }, y: { default: 2 } } } } };

  it.each([
    ['{"a": 0, "o": {}}', '{"a": 0, "o": {"x": 1, "y": 2}}'],
    ['{"a": 0, "o": { }}', '{"a": 0, "o": { "x": 1, "y": 2 }}'],
    ['{ "a": 0, "o": {} }', '{ "a": 0, "o": { "x": 1, "y": 2 } }'],
    ['{ "a": 0, "o": { } }', '{ "a": 0, "o": { "x": 1, "y": 2 } }'],
    ['{"a":0,"o":{\t}}', '{"a":0,"o":{\t"x":1,"y":2\t}}'],
    ['{"a": 0, "o": {\n}}', '{"a": 0, "o": {\n  "x": 1,\n  "y": 2\n}}'],
    ['{"a": 0, "o": {\r\n\t}}', '{"a": 0, "o": {\r\n\t\t"x": 1,\r\n\t\t"y": 2\r\n\t}}'],
    ['{"a":0,"o":{\n\n  }}', '{"a":0,"o":{\n    "x":1,\n    "y":2\n  }}'],
  ])('%j', async (before, after) => {
    expect((await fillBy(TWO, before)).text).toBe(after);
  });
});

describe('a payload', () => {
  const TWO = { properties: { x: { default: 1 }, y: { default: [] } } };

  it.each([
    ['{}', '{"x":1,"y":[]}'],
    ['{ }', '{ "x":1,"y":[] }'],
    ['{\n}', '{\n  "x": 1,\n  "y": []\n}'],
    ['{\r\n\r\n}', '{\r\n  "x": 1,\r\n  "y": []\r\n}'],
    ['{\n\n\n}', '{\n  "x": 1,\n  "y": []\n\n}'],
  ])('%j', async (before, after) => {
    expect((await fillBy(TWO, before)).text).toBe(after);
  });
});
