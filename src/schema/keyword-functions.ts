/**
 * Functions called by the code of our keywords. They are separate from Ajv, because a precompiled script needs only
 * these.
 */
import { isMultipleOf } from '../json/decimal.ts';
import { isAmong, jsonEqual, repeatedItems } from '../json/equal.ts';

/** `code`: how a precompiled script finds the function among those it is given as `functions`. */
export const FUNCTIONS = {
  isAmong: Object.assign(isAmong, { code: 'functions.isAmong' }),
  isMultipleOf: Object.assign(isMultipleOf, { code: 'functions.isMultipleOf' }),
  jsonEqual: Object.assign(jsonEqual, { code: 'functions.jsonEqual' }),
  repeatedItems: Object.assign(repeatedItems, { code: 'functions.repeatedItems' }),
} as const;

/** `this` of a compiled function: facts that the values themselves do not hold. */
export interface NumberTexts {
  /**
   * The text of the number at `pointer` (RFC 6901, from the payload's root); undefined if the double prints as the same
   * text.
   */
  numberText(pointer: string): string | undefined;
}
