/**
 * What a schema asks for, in words, if few are enough: `a string or null`, `an object in which "kind" is "a"`. For
 * messages about schemas that a value must not match, or must match under a condition.
 */
import { sizeKeywords } from '../schema/dialect.ts';
import { roundedIn } from '../schema/exact.ts';
import { isNode, type Schema, type SchemaNode, SILENT } from '../schema/node.ts';
import { count, inWords, schemaText, withArticle } from '../words/value-text.ts';
import { ANY_VALUE } from './alternatives.ts';
import { listed, typeNames } from './values.ts';

/** Keywords that do not restrict a value. */
const NO_CONDITIONS = new Set(['id', 'origin', 'default', ...SILENT]);
/** Maximum number of references that are followed. */
const HOPS = 4;
/** Maximum length of a phrase, in code units. */
const LONGEST = 200;
/** Maximum number of members or alternatives in a phrase. */
const MOST = 4;

/** A value that the schema allows, such as `a string`; null: too many words are needed. */
export function wanted(schema: Schema | undefined): string | null {
  const text = phrase(schema, HOPS);
  return text === null || text.length > LONGEST ? null : text;
}

/** The same for a schema that a value must not match. */
export function excluded(schema: Schema | undefined): string | null {
  const isAny =
    schema === true || (isNode(schema) && Object.keys(schema).every((keyword) => NO_CONDITIONS.has(keyword)));
  return isAny ? ANY_VALUE : wanted(schema);
}

function phrase(schema: Schema | undefined, hops: number): string | null {
  if (!isNode(schema) || hops === 0) return null;
  const keywords = Object.keys(schema).filter((keyword) => !NO_CONDITIONS.has(keyword));
  const [only] = keywords;
  const { $ref, anyOf, oneOf } = schema;
  if (keywords.length === 1 && $ref?.length === 1) return phrase($ref[0], hops - 1);
  const alternatives = anyOf ?? oneOf;
  if (keywords.length === 1 && alternatives !== undefined) return eitherOf(alternatives, hops - 1);
  const values = valuesIn(schema);
  if (values !== null && keywords.every((keyword) => ['const', 'enum', 'type'].includes(keyword))) return values;
  if (only === 'type' && keywords.length === 1) return typeNames(schema.type!);
  const members = membersIn(schema, keywords);
  if (members !== null) return `an object ${members.isName ? 'with' : 'in which'} ${members.text}`;
  return ofString(schema, keywords) ?? ofNumber(schema, keywords);
}

/** The same as a condition: `"kind" is "a"`, or `it is a string`; null: too many words are needed. */
export function condition(schema: Schema | undefined): string | null {
  if (!isNode(schema)) return null;
  const keywords = Object.keys(schema).filter((keyword) => !NO_CONDITIONS.has(keyword));
  if (keywords.length === 1 && schema.$ref?.length === 1) return condition(schema.$ref[0]);
  const members = membersIn(schema, keywords, ' or missing');
  if (members !== null) return members.isName ? `there is ${members.text}` : members.text;
  const value = wanted(schema);
  return value === null ? null : `it is ${value}`;
}

/** True if the words for a schema are true of every value that matches it: not if it says nothing of some of them. */
export function isSure(schema: Schema | undefined): boolean {
  if (!isNode(schema)) return false;
  const { $ref = [], anyOf, oneOf, type, properties = {} } = schema;
  const keywords = Object.keys(schema).filter((keyword) => !NO_CONDITIONS.has(keyword));
  if (isAboutMembers(schema, keywords))
    return Object.values(properties).every((member) => member === true || isSure(member));
  const others = [...$ref, ...(anyOf ?? oneOf ?? [])];
  return type !== undefined || valuesIn(schema) !== null || (others.length > 0 && others.every(isSure));
}

function isAboutMembers({ type = 'object' }: SchemaNode, keywords: readonly string[]): boolean {
  const isOnly = keywords.every((keyword) => ['type', 'required', 'properties'].includes(keyword));
  return isOnly && keywords.some((keyword) => keyword !== 'type') && type === 'object';
}

function eitherOf(alternatives: readonly Schema[], hops: number): string | null {
  if (alternatives.length > MOST) return null;
  const phrases = alternatives.map((one) => phrase(one, hops));
  return phrases.includes(null) ? null : phrases.join(' or ');
}

function valuesIn(schema: SchemaNode): string | null {
  const allowed = schema.const === undefined ? schema.enum : [schema.const];
  return allowed === undefined || hasRounded(schema) ? null : listed({ allowed });
}

/** True if a double of the node differs from the number that the schema writes. */
function hasRounded(schema: SchemaNode): boolean {
  return roundedIn(schema, 'const').size + roundedIn(schema, 'enum').size > 0;
}

/** What an object must have, in words: names of members, or their values; `isName`: only names; `optional`: of one that may be missing. */
function membersIn(
  schema: SchemaNode,
  keywords: readonly string[],
  optional = '',
): { readonly text: string; readonly isName: boolean } | null {
  const { required = [], properties = {} } = schema;
  const names = Object.entries(properties).filter(([, member]) => member !== true);
  const [some] = [...names, ...required];
  if (!isAboutMembers(schema, keywords) || some === undefined) return null;
  const others = required.filter((name) => !names.some(([one]) => one === name));
  if (names.length + others.length > MOST) return null;
  const clauses: string[] = [];
  for (const [name, member] of names) {
    const value = phrase(member, 1);
    if (value === null) return null;
    clauses.push(`${schemaText(name)} is ${value}${required.includes(name) ? '' : optional}`);
  }
  const nouns =
    others.length === 0 ? [] : [`the member${others.length > 1 ? 's' : ''} ${inWords(others.map(schemaText))}`];
  if (clauses.length === 0) return { text: nouns[0]!, isName: true };
  return {
    text: inWords([...clauses, ...nouns.map((noun) => `there ${others.length > 1 ? 'are' : 'is'} ${noun}`)]),
    isName: false,
  };
}

function ofString(schema: SchemaNode, keywords: readonly string[]): string | null {
  const { pattern, format } = schema;
  const { least, most } = sizeKeywords('string');
  const known: readonly string[] = ['type', 'pattern', 'format', least, most];
  if (schema.type === 'string' ? keywords.length < 2 : schema.type !== undefined) return null;
  if (!keywords.every((keyword) => known.includes(keyword))) return null;
  const hasLength = (schema[least] ?? schema[most]) !== undefined;
  return [
    'text',
    ...(hasLength ? [`of ${range(schema[least], schema[most], 'character')}`] : []),
    ...(format === undefined ? [] : [`of the format ${schemaText(format)}`]),
    ...(pattern === undefined ? [] : [`that matches ${schemaText(pattern)}`]),
  ].join(' ');
}

function ofNumber(schema: SchemaNode, keywords: readonly string[]): string | null {
  const { type = 'number' } = schema;
  const limits = keywords.filter((keyword) => keyword !== 'type');
  const isLimit = (keyword: string): boolean => LIMITS.some(([name]) => name === keyword);
  if (limits.length === 0 || !limits.every(isLimit) || typeof type !== 'string') return null;
  const words = LIMITS.flatMap(([keyword, before]) => {
    const limit = schema.origin.numbers?.[keyword] ?? schema[keyword];
    return limit === undefined ? [] : [`${before} ${limit}`];
  });
  return `${withArticle(type)} ${words.join(' and ')}`;
}

const LIMITS = [
  ['minimum', 'of at least'],
  ['maximum', 'of at most'],
  ['exclusiveMinimum', 'greater than'],
  ['exclusiveMaximum', 'less than'],
] as const;

/** `at least 3 characters`, `3 to 5 characters` */
function range(least: number | undefined, most: number | undefined, noun: string): string {
  if (most === undefined) return `at least ${count(least ?? 0, noun)}`;
  return least === undefined ? `at most ${count(most, noun)}` : `${least} to ${count(most, noun)}`;
}
