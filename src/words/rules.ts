/**
 * What each rule means, for `explain`: one entry a rule, the words of the schema's own keywords and of those that JSON
 * and paylint's limits bring.
 */
import type { BuiltinRule } from '../types.ts';

export interface RuleText {
  /** What a violation of the rule says, in a sentence. */
  readonly meaning: string;
  /** What to do about it. */
  readonly mend: string;
}

const BUILTIN: Readonly<Record<BuiltinRule, RuleText>> = {
  'json-syntax': {
    meaning: 'The text is not JSON (RFC 8259); the position is the first byte that cannot stand there.',
    mend: 'Write what was expected. A last line that is cut off was probably not written to its end.',
  },
  'json-encoding': {
    meaning: 'The bytes are not UTF-8 (RFC 3629), or the source is in another encoding such as UTF-16.',
    mend: 'Convert the file, for example with iconv -f UTF-16LE -t UTF-8.',
  },
  'duplicate-member': {
    meaning:
      'A name stands twice in one object. Readers disagree about which one counts (RFC 8259, section 4), and JSON-LD forbids it.',
    mend: 'Remove one of them; params.first says where the first is.',
  },
  'number-out-of-range': {
    meaning: 'A number is beyond the range of an IEEE 754 double, so most readers cannot hold it.',
    mend: 'Write a number below about 1.8e308, or a string.',
  },
  'unknown-kind': {
    meaning: 'The payload passes the test of no kind, so there is no schema to hold it to.',
    mend: 'See what paylint kinds lists; --kind NAME skips the test.',
  },
  'payload-too-large': {
    meaning: 'The payload has more bytes than the limit, and was not read.',
    mend: 'Raise the limit with --max-payload-bytes, or split the payload.',
  },
  'nested-too-deep': {
    meaning: 'Objects and arrays lie in one another deeper than the limit.',
    mend: 'Raise the limit with --max-depth, or flatten the payload.',
  },
  'unsafe-default': {
    meaning:
      'The payload is valid, or of its kind, only as long as the defaults of its schema are not filled in. So fill leaves it as it is.',
    mend: 'Correct the schema: params.rule is the rule that the defaults break. fill --except NAME does without a default.',
  },
};

const KEYWORDS: Readonly<Record<string, RuleText>> = {
  type: {
    meaning: 'The value is of another JSON type than the schema asks for. An integer may be written 5.0.',
    mend: 'Write a value of the type that was expected; its other rules are judged once the type is right.',
  },
  required: {
    meaning: 'The object lacks a member that it must have; the position is its opening bracket.',
    mend: 'Add the member. Where the violation is fixable, paylint fill adds it with its default.',
  },
  enum: {
    meaning: 'The value is not one of those that are allowed.',
    mend: 'Use one of them; params.allowed lists them.',
  },
  const: {
    meaning: 'The value is not the only one that is allowed.',
    mend: 'Use that value; params.allowed has it.',
  },
  additionalProperties: {
    meaning: 'The object has a member that the schema does not know; the position is its name.',
    mend: 'Remove the member, or correct its name.',
  },
  unevaluatedProperties: {
    meaning: 'The object has a member that no part of the schema knows; the position is its name.',
    mend: 'Remove the member, or correct its name.',
  },
  minLength: {
    meaning: 'The string is too short. Lengths count Unicode code points.',
    mend: 'Write a longer string; params.limit is the least length.',
  },
  maxLength: {
    meaning: 'The string is too long. Lengths count Unicode code points.',
    mend: 'Write a shorter string; params.limit is the greatest length.',
  },
  minimum: { meaning: 'The number is too small.', mend: 'Write a number that is at least params.limit.' },
  maximum: { meaning: 'The number is too large.', mend: 'Write a number that is at most params.limit.' },
  exclusiveMinimum: {
    meaning: 'The number is too small.',
    mend: 'Write a number that is more than params.limit.',
  },
  exclusiveMaximum: {
    meaning: 'The number is too large.',
    mend: 'Write a number that is less than params.limit.',
  },
  multipleOf: {
    meaning: 'The number is not a multiple of the divisor.',
    mend: 'Write a multiple of params.divisor.',
  },
  pattern: {
    meaning: 'The string does not match the regular expression.',
    mend: 'Write a string that does.',
  },
  format: { meaning: 'The string is not of the format.', mend: 'Write it as the format asks.' },
  minItems: { meaning: 'The array has too few items.', mend: 'Add items; params.limit is the least number.' },
  maxItems: {
    meaning: 'The array has too many items.',
    mend: 'Remove items; params.limit is the greatest number.',
  },
  items: {
    meaning: 'The array has more items than the schema knows.',
    mend: 'Remove those after params.limit.',
  },
  additionalItems: {
    meaning: 'The array has more items than the schema knows.',
    mend: 'Remove those after params.limit.',
  },
  unevaluatedItems: {
    meaning: 'The array has more items than the schema knows.',
    mend: 'Remove those after params.limit.',
  },
  uniqueItems: { meaning: 'Two items of the array are equal.', mend: 'Remove one; params says which two.' },
  contains: {
    meaning: 'Too few or too many items are of the kind asked for.',
    mend: 'Add or remove such items.',
  },
  minProperties: {
    meaning: 'The object has too few members.',
    mend: 'Add members; params.limit is the least number.',
  },
  maxProperties: {
    meaning: 'The object has too many members.',
    mend: 'Remove members; params.limit is the greatest number.',
  },
  propertyNames: { meaning: 'The name of a member is not allowed.', mend: 'Correct the name.' },
  dependentRequired: {
    meaning: 'A member is missing that another member asks for.',
    mend: 'Add the member, or remove the other.',
  },
  dependencies: {
    meaning: 'A member is missing that another member asks for.',
    mend: 'Add the member, or remove the other.',
  },
  anyOf: { meaning: 'The value fits none of the alternatives.', mend: 'Make it fit one of them.' },
  oneOf: {
    meaning: 'The value fits none of the alternatives, or more than one.',
    mend: 'Make it fit exactly one.',
  },
  not: { meaning: 'The value is what the schema rules out.', mend: 'Change the value.' },
  false: { meaning: 'Whatever stands here, the schema allows nothing.', mend: 'Remove the value.' },
};

/** Every rule that can stand in a report, by name. */
export const RULES: Readonly<Record<string, RuleText>> = { ...BUILTIN, ...KEYWORDS };
