/** Numbers, durations and sizes for people, at the edges of their units. */
import { describe, expect, it } from 'vitest';
import { duration, number, plural, sizeFrom, sizeText } from '../../src/words/number-text.ts';

const MIB = 1 << 20;

describe('number', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [123456, '123,456'],
    [1234567, '1,234,567'],
  ])('%d is %s', (value, text) => {
    expect(number(value)).toBe(text);
  });
});

describe('plural', () => {
  it.each([
    [0, '0 payloads'],
    [1, '1 payload'],
    [2000, '2,000 payloads'],
  ])('of %d is %s', (count, text) => {
    expect(plural(count, 'payload')).toBe(text);
  });
});

describe('duration', () => {
  it.each([
    [0, '0 ms'],
    [99.4, '99 ms'],
    [99.5, '0.1 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [125_000, '2 min 5 s'],
    [60_060_000, '1,001 min 0 s'],
  ])('%d milliseconds are %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});

describe('sizes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1500, '1500 bytes'],
    [1024, '1 KiB'],
    [1536, '1536 bytes'],
    [64 * MIB, '64 MiB'],
    [2048 * MIB, '2 GiB'],
    [2048 * 1024 * MIB, '2048 GiB'],
  ])('%d is written %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });

  it.each([
    ['65536', 65536],
    ['64k', 64 * 1024],
    ['64M', 64 * MIB],
    ['1G', 1024 * MIB],
    ['0', 0],
  ])('%s is read as %d', (text, bytes) => {
    expect(sizeFrom(text)).toBe(bytes);
  });

  it.each(['', 'k', '1.5M', '-1', '1 k', '1T', '64MB', '0x10'])('"%s" is no size', (text) => {
    expect(sizeFrom(text)).toBeNaN();
  });
});
