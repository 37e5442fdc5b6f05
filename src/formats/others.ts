/**
 * Formats of ajv-formats that JSON Schema does not have, and that no pattern describes.
 */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { compareNumbers, isInteger, type JsonNumber, jsonNumber } from '../json/decimal.ts';
import type { Judge } from './format.ts';
import { linear } from './linear.ts';
import { URL } from './patterns.ts';

export type OtherFormat = 'iso-time' | 'iso-date-time' | 'int32' | 'int64' | 'url';

/** Integers in a range. */
function integers(least: string, most: string): Judge {
  const [from, to] = [jsonNumber(least), jsonNumber(most)];
  return {
    test: (value: JsonNumber) =>
      isInteger(value) && compareNumbers(value, from) >= 0 && compareNumbers(value, to) <= 0,
  };
}

/** Formats that ajv-formats defines by functions. */
function given(name: 'iso-time' | 'iso-date-time'): Judge {
  const { validate, compare } = fullFormats[name] as { validate: Judge['test']; compare?: Judge['compare'] };
  return { test: validate, ...(compare === undefined ? {} : { compare }) };
}

/** RegExp is never used for `url`: it takes cubic time for some URLs. */
const NEVER = 0;

export const OTHERS: Readonly<Record<OtherFormat, Judge>> = {
  'iso-time': given('iso-time'),
  'iso-date-time': given('iso-date-time'),
  int32: integers('-2147483648', '2147483647'),
  int64: integers('-9223372036854775808', '9223372036854775807'),
  url: { test: linear(URL, NEVER) },
};
