/**
 * Facts to sentences: one sentence for each rule, in one table. Payload text is quoted and escaped before it comes here, or left out; text of
 * the schema is escaped here.
 */
import { quote } from './escape.ts';
import type { KnownRule, RuleFacts } from './facts.ts';
import { type Found, foundText, schemaText, withArticle } from './found.ts';
import type { SchemaFacts } from './params.ts';
import { sizeText } from './size.ts';
import { syntaxSentence } from './syntax.ts';
import { unknownKindSentence } from './unknown-kind.ts';

/** How many schema values a sentence lists before it says how many more there are. */
const LISTED = 8;

/** The sentence for a violation of a rule whose facts are known. */
export function sentenceOf<R extends KnownRule>(
  rule: R,
  facts: RuleFacts[R],
  found: Found = UNSHOWN,
): string {
  return SENTENCES[rule](facts, found);
}

/** The sentence for a violation of a schema's keyword. */
export function sentence({ rule, params }: SchemaFacts, found: Found): string {
  return sentenceOf(rule, params, found);
}

/** For sentences without payload text. */
const UNSHOWN: Found = { type: 'object', text: null, size: 0 };

/** By rule. The type makes sure that none is missing. */
const SENTENCES: { readonly [R in KnownRule]: (facts: RuleFacts[R], found: Found) => string } = {
  'json-syntax': (facts) => syntaxSentence(facts),
  'json-encoding': encodingText,
  'duplicate-member': (_, { text }) => `duplicate name${text === null ? '' : ` ${text}`} in this object`,
  'number-out-of-range': (_, { text }) =>
    `${text ?? 'this number'} is beyond the range of a double (about 1.8e308)`,
  'unknown-kind': unknownKindSentence,
  'payload-too-large': ({ limit }) =>
    `this payload is larger than ${sizeText(limit)}; --max-payload-bytes sets the limit`,
  'nested-too-deep': ({ limit }) =>
    limit === null
      ? 'nested too deep for its schema to be applied, or the schema refers to itself without end'
      : `nested deeper than ${count(limit, 'level')}; --max-depth sets the limit`,
  'unsafe-default': unsafeText,
  type: ({ expected }, found) => `expected ${typeNames(expected)}, found ${foundText(found)}`,
  enum: ({ allowed }, found) => `expected ${oneOf(allowed)}, found ${foundText(found)}`,
  const: ({ allowed }, found) => `expected ${oneOf(allowed)}, found ${foundText(found)}`,
  required: ({ missing }) => `the member ${schemaText(missing)} is missing`,
  dependentRequired: dependentText,
  dependencies: dependentText,
  additionalProperties: notAllowed,
  unevaluatedProperties: notAllowed,
  propertyNames: (_, { text }) => `the name ${text ?? 'of this member'} is not allowed`,
  minLength: atLeast('character'),
  maxLength: atMost('character'),
  minItems: atLeast('item'),
  maxItems: atMost('item'),
  items: atMost('item'),
  additionalItems: atMost('item'),
  unevaluatedItems: atMost('item'),
  minProperties: atLeast('member'),
  maxProperties: atMost('member'),
  minimum: bound('at least'),
  maximum: bound('at most'),
  exclusiveMinimum: bound('more than'),
  exclusiveMaximum: bound('less than'),
  multipleOf: ({ divisor }, found) =>
    `expected a multiple of ${schemaText(divisor)}, found ${foundText(found)}`,
  pattern: ({ pattern }, found) =>
    `expected text that matches ${schemaText(pattern)}, found ${foundText(found)}`,
  format: ({ format }, found) => `expected the format ${schemaText(format)}, found ${foundText(found)}`,
  uniqueItems: ({ first, second }) => `items ${first} and ${second} are equal`,
  contains: containsText,
  minContains: containsText,
  maxContains: containsText,
  anyOf: (_, found) => `${foundText(found)} matches none of the alternatives`,
  oneOf: ({ passing }, found) =>
    `${foundText(found)} matches ${passing === null ? 'none' : 'more than one'} of the alternatives`,
  if: notFulfilled('if'),
  formatMinimum: notFulfilled('formatMinimum'),
  formatMaximum: notFulfilled('formatMaximum'),
  formatExclusiveMinimum: notFulfilled('formatExclusiveMinimum'),
  formatExclusiveMaximum: notFulfilled('formatExclusiveMaximum'),
  not: (_, found) => `${foundText(found)} matches the schema under "not"`,
  false: () => 'no value is allowed here',
};

function encodingText(facts: RuleFacts['json-encoding'], { text }: Found): string {
  if ('encoding' in facts) {
    const { encoding } = facts;
    return `this is ${encoding} from byte offset 0 on, but payloads must be UTF-8; iconv -f ${encoding} -t UTF-8 converts it`;
  }
  const subject = text === null ? 'the byte' : `the byte ${text}`;
  const cutOff = facts.cutOff ? '; the last line is cut off' : '';
  return `${subject} at byte offset ${facts.offset} is not UTF-8${cutOff}`;
}

function unsafeText(facts: RuleFacts['unsafe-default']): string {
  if ('broken' in facts) {
    const { broken, message } = facts;
    return `with its defaults filled in, this payload would be invalid (${broken}: ${message}); it is left as it is`;
  }
  const become = facts.other === null ? 'of an unknown kind' : `of the kind ${quote(facts.other)}`;
  return `with its defaults filled in, this payload would be ${become} instead of ${quote(facts.kind)}; it is left as it is`;
}

/** For keywords that are seldom used. */
function notFulfilled(rule: KnownRule): () => string {
  return () => `the schema's "${rule}" does not hold`;
}

function dependentText({ missing, because }: RuleFacts['dependentRequired']): string {
  return `the member ${schemaText(missing)} is missing; ${schemaText(because)} requires it`;
}

function notAllowed(_: unknown, { text }: Found): string {
  return `${text === null ? 'this member' : `the member ${text}`} is not allowed`;
}

type LimitText = (facts: RuleFacts['minLength'], found: Found) => string;

function atLeast(noun: string): LimitText {
  return ({ limit }, { size }) => `expected at least ${count(limit, noun)}, found ${size}`;
}

function atMost(noun: string): LimitText {
  return ({ limit }, { size }) => `expected at most ${count(limit, noun)}, found ${size}`;
}

function bound(than: string): LimitText {
  return ({ limit }, found) => `expected ${than} ${schemaText(limit)}, found ${foundText(found)}`;
}

function typeNames(expected: string | readonly string[]): string {
  const names = typeof expected === 'string' ? [expected] : expected;
  return names.map(withArticle).join(' or ');
}

function oneOf(allowed: readonly unknown[]): string {
  if (allowed.length === 1) return schemaText(allowed[0]);
  const listed = allowed.slice(0, LISTED).map(schemaText).join(', ');
  const more = allowed.length - LISTED;
  return more > 0 ? `one of ${listed} or ${more} more` : `one of ${listed}`;
}

function count(limit: number, noun: string): string {
  return limit === 1 ? `1 ${noun}` : `${limit} ${noun}s`;
}

function containsText({ minContains, maxContains }: RuleFacts['contains']): string {
  if (maxContains === undefined)
    return `expected at least ${count(minContains, 'item')} to match the schema under "contains"`;
  return `expected ${minContains} to ${count(maxContains, 'item')} to match the schema under "contains"`;
}
