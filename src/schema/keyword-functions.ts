/**
 * What the code of our keywords calls: apart from Ajv, because a script that was made of it beforehand needs only these.
 */
import { isMultipleOf } from '../json/decimal.ts';
import { isAmong, jsonEqual, repeatedItems } from '../json/equal.ts';

/** `code`: how a script finds the function, which is given all of them as `functions`. */
export const FUNCTIONS = {
  isAmong: Object.assign(isAmong, { code: 'functions.isAmong' }),
  isMultipleOf: Object.assign(isMultipleOf, { code: 'functions.isMultipleOf' }),
  jsonEqual: Object.assign(jsonEqual, { code: 'functions.jsonEqual' }),
  repeatedItems: Object.assign(repeatedItems, { code: 'functions.repeatedItems' }),
} as const;

/** As `this` of a compiled function: what the values that it is given cannot say. */
export interface NumberTexts {
  /** The number at `pointer` (RFC 6901, from the payload's root) as it is written; undefined if it is as the double prints. */
  numberText(pointer: string): string | undefined;
}
