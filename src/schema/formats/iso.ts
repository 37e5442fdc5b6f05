/**
 * Formats that ajv-formats defines by functions, and JSON Schema does not have.
 */
import ajvFormats from 'ajv-formats';
import type { FormatTest } from './format.ts';

export type IsoFormat = 'iso-time' | 'iso-date-time';

/** The judge of a format. ajv-formats is loaded with Ajv, so this file is loaded only for schemas that name it. */
export function isoFormat(name: IsoFormat): FormatTest {
  const { validate } = ajvFormats.default.get(name) as { validate: FormatTest['test'] }; // both are defined by an object
  return { test: validate };
}
