/** Formats of the config: a pattern that is matched in linear time, or the values of a file; and which names they may have. */
import { describe, expect, it } from 'vitest';
import { readFormats } from '../../src/config/own-formats.ts';
import type { RawFormat } from '../../src/schema/formats/format.ts';
import { configIn, folderWith } from './config-world.ts';

const folder = folderWith({
  'list.txt': '\ufeffone\r\ntwo\n\n three\n',
  'list.JSON': ['a', 'b\n'],
  'numbers.json': ['a', 1],
  'object.json': {},
  'empty.txt': '\n\n',
  'cut.json': '["a"',
});
const formats = (ownFormats: Readonly<Record<string, RawFormat>>) => readFormats(configIn(folder, { ownFormats }));
const valuesOf = (values: string): unknown => (formats({ sku: { values } }).get('sku') as { values: unknown }).values;

describe('a format', () => {
  it('is a pattern, with its message', () => {
    expect(formats({ sku: { pattern: '^[A-Z]+$', message: 'a SKU' } }).get('sku')).toEqual({
      pattern: '^[A-Z]+$',
      message: 'a SKU',
    });
  });

  it('is a list of values: a line each, or a JSON array', () => {
    expect(valuesOf('list.txt')).toEqual(new Set(['one', 'two', ' three']));
    expect(valuesOf('list.JSON')).toEqual(new Set(['a', 'b\n']));
  });

  it('of paylint is turned off by false', () => {
    expect(formats({ email: false }).get('email')).toBe(false);
  });
});

describe('is refused', () => {
  const list = 'expected a JSON array of strings in';
  it.each<[string, Readonly<Record<string, RawFormat>>]>([
    ['/formats/sku: expected "pattern" or "values", and not both', { sku: {} }],
    ['/formats/sku: expected "pattern" or "values", and not both', { sku: { pattern: 'a', values: 'list.txt' } }],
    ['/formats/a~1b/pattern: ', { 'a/b': { pattern: '(' } }],
    ['/formats/sku/pattern: the pattern cannot be matched in linear time', { sku: { pattern: '(a)\\1' } }],
    ['/formats/email: "email" is a format of paylint, which cannot be redefined', { email: { pattern: 'a' } }],
    ['/formats/emial: there is no format "emial" that could be turned off; did you mean "email"?', { emial: false }],
    ['/formats/sku/values: expected a path inside the folder', { sku: { values: '../list.txt' } }],
    ['/formats/sku/values: cannot read none.txt: no such file', { sku: { values: 'none.txt' } }],
    [`/formats/sku/values: ${list} numbers.json, or a text file`, { sku: { values: 'numbers.json' } }],
    [`/formats/sku/values: ${list} object.json, or a text file`, { sku: { values: 'object.json' } }],
    ['/formats/sku/values: there is no value in empty.txt', { sku: { values: 'empty.txt' } }],
    ['/formats/sku/values: cut.json:1:5: expected', { sku: { values: 'cut.json' } }],
  ])('%s', (message, given) => {
    expect(() => formats(given)).toThrow(`c.json#${message}`);
  });
});
