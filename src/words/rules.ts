/**
 * What each rule means, for `explain`: one entry per rule, for the keywords of schemas and for the rules of JSON and of paylint's limits. A
 * test runs every example.
 */
import type { BuiltinRule } from '../types.ts';
import { ADVICE_TEXTS } from './advice.ts';

export interface RuleText {
  /** What a violation of the rule means, in a sentence. */
  readonly meaning: string;
  /** What to do about it. */
  readonly fix: string;
  /** A schema that states the rule; absent for the rules of JSON and of paylint. */
  readonly schema?: string;
  /** A text that breaks the rule. */
  readonly wrong: string;
  /** The same, correct. */
  readonly right: string;
}

const BUILTIN: Readonly<Record<BuiltinRule, RuleText>> = {
  'json-syntax': {
    meaning:
      'The text is not JSON (RFC 8259); the position is the byte at which parsing failed; params.cause names the usual mistakes.',
    fix: 'Write what was expected. A last line that is cut off was probably not written to its end.',
    wrong: "{'name': 'x',}",
    right: '{"name": "x"}',
  },
  'json-encoding': {
    meaning: 'The bytes are not UTF-8 (RFC 3629), or the source is in another encoding such as UTF-16.',
    fix: 'Convert the file, for example with iconv -f UTF-16LE -t UTF-8.',
    wrong: 'the byte E9 for é, as in Latin-1',
    right: 'the bytes C3 A9 for é',
  },
  'duplicate-member': {
    meaning:
      'A name occurs twice in one object. Readers disagree about which one counts (RFC 8259, section 4), and JSON-LD forbids it.',
    fix: 'Remove one of them; params.first says where the first is.',
    wrong: '{"name": "x", "name": "y"}',
    right: '{"name": "x"}',
  },
  'number-out-of-range': {
    meaning: 'A number is beyond the range of an IEEE 754 double, so most readers cannot hold it.',
    fix: 'Write a number below about 1.8e308, or a string.',
    wrong: '{"maxAge": 1e400}',
    right: '{"maxAge": 99}',
  },
  'unknown-kind': {
    meaning: 'The payload passes the test of no kind, so it has no schema.',
    fix: 'See what paylint kinds lists; --kind NAME skips the test.',
    wrong: '{"@type": "Artcle"}',
    right: '{"@type": "Article"}',
  },
  'payload-too-large': {
    meaning: 'The payload has more bytes than the limit, and was not read.',
    fix: 'Raise the limit with --max-payload-bytes, or split the payload.',
    wrong: 'a payload of 65 MiB',
    right: 'a payload of 64 MiB',
  },
  'nested-too-deep': {
    meaning: 'Objects and arrays are nested deeper than the limit.',
    fix: 'Raise the limit with --max-depth, or flatten the payload.',
    wrong: '[[[1]]] with --max-depth 2',
    right: '[[1]] with --max-depth 2',
  },
  'unsafe-default': {
    meaning:
      'The payload is valid, or of its kind, only as long as the defaults of its schema are not filled in. So fill leaves it as it is.',
    fix: 'Correct the schema: params.rule is the rule that the defaults break. fill --except NAME leaves a default out.',
    schema: '{"properties": {"b": {"default": 1}}, "maxProperties": 1}',
    wrong: '{"a": 1}',
    right: '{}',
  },
};

const KEYWORDS: Readonly<Record<string, RuleText>> = {
  type: {
    meaning: 'The value has another JSON type than the schema requires. An integer may be written 5.0.',
    fix: 'Write a value of the type that was expected; its other rules are checked once the type is right.',
    schema: '{"type": "string"}',
    wrong: '1',
    right: '"1"',
  },
  required: {
    meaning: 'A required member is missing; the position is the opening bracket of the object.',
    fix: 'Add the member. If the violation is fixable, paylint fill adds it with its default.',
    schema: '{"required": ["name"]}',
    wrong: '{}',
    right: '{"name": "x"}',
  },
  enum: {
    meaning: 'The value is not one of those that are allowed.',
    fix: 'Use one of them; params.allowed lists them.',
    schema: '{"enum": ["Published", "Unpublished"]}',
    wrong: '"published"',
    right: '"Published"',
  },
  const: {
    meaning: 'Only one value is allowed, and this is another one.',
    fix: 'Use that value; params.allowed has it.',
    schema: '{"const": "Contract"}',
    wrong: '"contract"',
    right: '"Contract"',
  },
  additionalProperties: {
    meaning: 'The object has a member that the schema does not know; the position is its name.',
    fix: 'Remove the member, or correct its name.',
    schema: '{"properties": {"name": true}, "additionalProperties": false}',
    wrong: '{"nmae": "x"}',
    right: '{"name": "x"}',
  },
  unevaluatedProperties: {
    meaning: 'The object has a member that no part of the schema knows; the position is its name.',
    fix: 'Remove the member, or correct its name.',
    schema: '{"allOf": [{"properties": {"name": true}}], "unevaluatedProperties": false}',
    wrong: '{"nmae": "x"}',
    right: '{"name": "x"}',
  },
  minLength: {
    meaning: 'The string is too short. Lengths count Unicode code points.',
    fix: 'Write a longer string; params.limit is the least length.',
    schema: '{"minLength": 2}',
    wrong: '"a"',
    right: '"ab"',
  },
  maxLength: {
    meaning: 'The string is too long. Lengths count Unicode code points.',
    fix: 'Write a shorter string; params.limit is the greatest length.',
    schema: '{"maxLength": 2}',
    wrong: '"abc"',
    right: '"ab"',
  },
  minimum: {
    meaning: 'The number is too small.',
    fix: 'Write a number that is at least params.limit.',
    schema: '{"minimum": 0}',
    wrong: '-1',
    right: '0',
  },
  maximum: {
    meaning: 'The number is too large.',
    fix: 'Write a number that is at most params.limit.',
    schema: '{"maximum": 99}',
    wrong: '120',
    right: '99',
  },
  exclusiveMinimum: {
    meaning: 'The number is too small.',
    fix: 'Write a number that is more than params.limit.',
    schema: '{"exclusiveMinimum": 0}',
    wrong: '0',
    right: '0.5',
  },
  exclusiveMaximum: {
    meaning: 'The number is too large.',
    fix: 'Write a number that is less than params.limit.',
    schema: '{"exclusiveMaximum": 1}',
    wrong: '1',
    right: '0.5',
  },
  multipleOf: {
    meaning: 'The number is not a multiple of the divisor.',
    fix: 'Write a multiple of params.divisor.',
    schema: '{"multipleOf": 0.01}',
    wrong: '1.005',
    right: '1.01',
  },
  pattern: {
    meaning: 'The string does not match the regular expression.',
    fix: 'Write a string that does.',
    schema: '{"pattern": "^[a-z]+$"}',
    wrong: '"A1"',
    right: '"abc"',
  },
  format: {
    meaning: 'The string does not have the format.',
    fix: 'Write it as the format asks.',
    schema: '{"format": "date"}',
    wrong: '"1 May 2026"',
    right: '"2026-05-01"',
  },
  minItems: {
    meaning: 'The array has too few items.',
    fix: 'Add items; params.limit is the least number.',
    schema: '{"minItems": 1}',
    wrong: '[]',
    right: '["x"]',
  },
  maxItems: {
    meaning: 'The array has too many items.',
    fix: 'Remove items; params.limit is the greatest number.',
    schema: '{"maxItems": 1}',
    wrong: '["x", "y"]',
    right: '["x"]',
  },
  items: {
    meaning: 'The array has more items than the schema knows.',
    fix: 'Remove those after params.limit.',
    schema: '{"prefixItems": [true], "items": false}',
    wrong: '["x", "y"]',
    right: '["x"]',
  },
  additionalItems: {
    meaning: 'The array has more items than the schema knows.',
    fix: 'Remove those after params.limit.',
    schema: '{"items": [true], "additionalItems": false}',
    wrong: '["x", "y"]',
    right: '["x"]',
  },
  unevaluatedItems: {
    meaning: 'The array has more items than the schema knows.',
    fix: 'Remove those after params.limit.',
    schema: '{"prefixItems": [true], "unevaluatedItems": false}',
    wrong: '["x", "y"]',
    right: '["x"]',
  },
  uniqueItems: {
    meaning: 'Two items of the array are equal.',
    fix: 'Remove one; params says which two.',
    schema: '{"uniqueItems": true}',
    wrong: '[1, 1.0]',
    right: '[1, 2]',
  },
  contains: {
    meaning: 'Too few or too many items match the schema under "contains".',
    fix: 'Add or remove such items.',
    schema: '{"contains": {"const": "x"}}',
    wrong: '["y"]',
    right: '["x", "y"]',
  },
  minProperties: {
    meaning: 'The object has too few members.',
    fix: 'Add members; params.limit is the least number.',
    schema: '{"minProperties": 1}',
    wrong: '{}',
    right: '{"a": 1}',
  },
  maxProperties: {
    meaning: 'The object has too many members.',
    fix: 'Remove members; params.limit is the greatest number.',
    schema: '{"maxProperties": 1}',
    wrong: '{"a": 1, "b": 2}',
    right: '{"a": 1}',
  },
  propertyNames: {
    meaning: 'The name of a member is not allowed.',
    fix: 'Correct the name.',
    schema: '{"propertyNames": {"maxLength": 3}}',
    wrong: '{"name": 1}',
    right: '{"id": 1}',
  },
  dependentRequired: {
    meaning: 'A member is missing that another member requires.',
    fix: 'Add the member, or remove the other.',
    schema: '{"dependentRequired": {"from": ["to"]}}',
    wrong: '{"from": 1}',
    right: '{"from": 1, "to": 2}',
  },
  dependencies: {
    meaning: 'A member is missing that another member requires.',
    fix: 'Add the member, or remove the other.',
    schema: '{"dependencies": {"from": ["to"]}}',
    wrong: '{"from": 1}',
    right: '{"from": 1, "to": 2}',
  },
  anyOf: {
    meaning: 'The value matches none of the alternatives.',
    fix: 'Make it match one of them.',
    schema: '{"anyOf": [{"const": 1}, {"const": 2}]}',
    wrong: '3',
    right: '2',
  },
  oneOf: {
    meaning: 'The value matches none of the alternatives, or more than one.',
    fix: 'Make it match exactly one.',
    schema: '{"oneOf": [{"minimum": 0}, {"maximum": 10}]}',
    wrong: '5',
    right: '11',
  },
  not: {
    meaning: 'The value matches the schema under "not", which rules it out.',
    fix: 'Change the value.',
    schema: '{"not": {"const": 0}}',
    wrong: '0',
    right: '1',
  },
  false: {
    meaning: 'The schema allows no value here.',
    fix: 'Remove the value.',
    schema: '{"properties": {"old": false}}',
    wrong: '{"old": 1}',
    right: '{}',
  },
};

/** Every rule of a report, by name. */
export const RULES: Readonly<Record<string, RuleText>> = { ...BUILTIN, ...KEYWORDS, ...ADVICE_TEXTS };
