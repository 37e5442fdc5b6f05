/**
 * Formats of ajv-formats that are none of JSON Schema's, and that no pattern describes.
 */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Judge } from './format.ts';
import { linear } from './linear.ts';
import { URL } from './patterns.ts';

export type OtherFormat = 'iso-time' | 'iso-date-time' | 'int32' | 'int64' | 'url';

/** Those that ajv-formats defines by functions. */
function given(name: OtherFormat): Judge {
  const { validate, compare } = fullFormats[name] as { validate: Judge['test']; compare?: Judge['compare'] };
  return { test: validate, ...(compare === undefined ? {} : { compare }) };
}

/** RegExp takes cubic time for some URLs. */
const NEVER = 0;

export const OTHERS: Readonly<Record<OtherFormat, Judge>> = {
  'iso-time': given('iso-time'),
  'iso-date-time': given('iso-date-time'),
  int32: given('int32'),
  int64: given('int64'),
  url: { test: linear(URL, NEVER) },
};
