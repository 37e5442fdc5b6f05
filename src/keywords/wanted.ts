/**
 * What a schema asks for, in words, if few are enough: `a string or null`, `an object in which "kind" is "a"`. For
 * messages about schemas that a value must not match, or must match under a condition.
 */
import { isJsonObject } from '../json/value.ts';
import { sizeKeywords } from '../schema/dialect.ts';
import { roundedValues } from '../schema/exact.ts';
import { isNode, type Schema, type SchemaNode, SILENT } from '../schema/node.ts';
import { visible } from '../words/escape.ts';
import { count, inWords, jsonType, schemaText, withArticle } from '../words/value-text.ts';
import { ANY_VALUE } from './alternatives.ts';
import { listed, typeNames } from './values.ts';

/** Keywords that do not restrict a value. */
const NO_CONDITIONS = new Set(['id', 'origin', 'default', ...SILENT]);
/** Maximum number of references that are followed. */
const HOPS = 4;
/** Maximum length of a phrase, in code units. */
const LONGEST_PHRASE = 200;
/** Maximum number of members or alternatives in a phrase. */
const MOST_IN_PHRASE = 4;

/** A value that the schema allows, such as `a string`; null: too many words are needed. */
export function wanted(schema: Schema | undefined): string | null {
  const text = phrase(schema, HOPS);
  return text === null || text.length > LONGEST_PHRASE ? null : text;
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
  if (keywords.length === 1 && alternatives !== undefined) {
    const phrases = alternatives.length > MOST_IN_PHRASE ? [null] : alternatives.map((one) => phrase(one, hops - 1));
    return phrases.includes(null) ? null : phrases.join(' or ');
  }
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
  const members = membersIn(schema, keywords);
  if (members !== null) return members.isName ? `there ${members.verb} ${members.text}` : members.text;
  const value = wanted(schema);
  return value === null ? null : `it is ${value}`;
}

/** Why a value meets a condition, in parts: together they say so, and each is true. */
interface Met {
  /** Members that would have to be something, if they were there. */
  readonly missing: string[];
  /** Values of types that the schema says nothing about. */
  readonly others: string[];
  /** What the schema asks for and the value has. */
  readonly facts: string[];
}

/**
 * Why `value` meets the condition `schema`, which it does: `if "kind" is "a"`, or if that is not true of it, because the
 * schema allows that there is nothing to judge, `because "kind" is missing`; null: too many words are needed.
 */
export function metBecause(schema: Schema | undefined, value: unknown): string | null {
  const met: Met = { missing: [], others: [], facts: [] };
  if (!meets(met, schema, value, 'it', HOPS)) return null;
  const { missing, others, facts } = met;
  if (missing.length + others.length === 0) {
    const words = condition(schema);
    return words === null ? null : `if ${words}`;
  }
  const absent = missing.length === 0 ? [] : [`${inWords(missing)} ${missing.length > 1 ? 'are' : 'is'} missing`];
  const text = inWords([...absent, ...others, ...facts]);
  return text.length > LONGEST_PHRASE ? null : `because ${text}`;
}

/** Adds to `met` why a value, called `subject`, matches `schema`; false: too many words are needed. */
function meets(met: Met, schema: Schema | undefined, value: unknown, subject: string, hops: number): boolean {
  if (!isNode(schema) || hops === 0) return schema === true;
  const keywords = Object.keys(schema).filter((keyword) => !NO_CONDITIONS.has(keyword));
  const { $ref = [], allOf = [] } = schema;
  const own = keywords.filter((keyword) => keyword !== '$ref' && keyword !== 'allOf');
  return (
    (own.length === 0 || meetsOwn(met, { schema, keywords: own }, value, subject, hops)) &&
    [...$ref, ...allOf].every((one) => meets(met, one, value, subject, hops - 1))
  );
}

/** The same for some keywords of a schema. */
function meetsOwn(
  met: Met,
  { schema, keywords }: { readonly schema: SchemaNode; readonly keywords: readonly string[] },
  value: unknown,
  subject: string,
  hops: number,
): boolean {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (keywords.length === 1 && alternatives !== undefined)
    return alternatives.every((one) => isFact(one, value, hops - 1)); // one of them matches
  if (isAboutMembers(schema, keywords)) {
    addMembers(met, schema, value, subject);
    return true;
  }
  const isString = ofString(schema, keywords) !== null;
  if (!isString && ofNumber(schema, keywords) === null)
    return keywords.every((keyword) => ['const', 'enum', 'type'].includes(keyword));
  const type = isString ? 'string' : 'number';
  if (jsonType(value) !== type) met.others.push(`${subject} is not a ${type}`);
  return true;
}

/** True if the words for a schema that a value matches are true of it. */
function isFact(schema: Schema, value: unknown, hops: number): boolean {
  const met: Met = { missing: [], others: [], facts: [] };
  return meets(met, schema, value, '', hops) && met.missing.length + met.others.length === 0;
}

/** Adds why the members of a value are what the schema asks for. */
function addMembers(met: Met, { properties = {}, required = [] }: SchemaNode, value: unknown, subject: string): void {
  if (!isJsonObject(value)) {
    met.others.push(`${subject} is not an object`);
    return;
  }
  const within = subject === 'it' ? '' : ` in ${subject}`;
  const named = new Set<string>();
  for (const [name, member] of Object.entries(properties)) {
    if (member === true) continue;
    named.add(name);
    const called = `${schemaText(name)}${within}`;
    const words = phrase(member, 1);
    const inner: Met = { missing: [], others: [], facts: [] };
    if (!Object.hasOwn(value, name)) met.missing.push(called);
    else if (words !== null && isFact(member, value[name], HOPS)) met.facts.push(`${called} is ${words}`);
    else if (meets(inner, member, value[name], called, HOPS)) {
      met.missing.push(...inner.missing);
      met.others.push(...inner.others);
      met.facts.push(...inner.facts);
    } else if (isNode(member)) met.facts.push(`${called} matches ${visible(member.origin.place)}`);
  }
  const others = required.filter((name) => !named.has(name));
  met.facts.push(...others.map((name) => `there is the member ${schemaText(name)}${within}`));
}

function isAboutMembers({ type = 'object' }: SchemaNode, keywords: readonly string[]): boolean {
  const isOnly = keywords.every((keyword) => ['type', 'required', 'properties'].includes(keyword));
  return isOnly && keywords.some((keyword) => keyword !== 'type') && type === 'object';
}

function valuesIn(schema: SchemaNode): string | null {
  const allowed = schema.const === undefined ? schema.enum : [schema.const];
  return allowed === undefined || roundedValues(schema).size > 0 ? null : listed({ allowed });
}

/** What an object must have, in words: names of members, or their values; `isName`: only names. `verb`: of these names. */
function membersIn(
  schema: SchemaNode,
  keywords: readonly string[],
): { readonly text: string; readonly isName: boolean; readonly verb: 'is' | 'are' } | null {
  const { required = [], properties = {} } = schema;
  const names = Object.entries(properties).filter(([, member]) => member !== true);
  const [some] = [...names, ...required];
  if (!isAboutMembers(schema, keywords) || some === undefined) return null;
  const others = required.filter((name) => !names.some(([one]) => one === name));
  if (names.length + others.length > MOST_IN_PHRASE) return null;
  const clauses: string[] = [];
  for (const [name, member] of names) {
    const value = phrase(member, 1);
    if (value === null) return null;
    clauses.push(`${schemaText(name)} is ${value}`);
  }
  const nouns =
    others.length === 0 ? [] : [`the member${others.length > 1 ? 's' : ''} ${inWords(others.map(schemaText))}`];
  const verb = others.length > 1 ? 'are' : 'is';
  if (clauses.length === 0) return { text: nouns[0]!, isName: true, verb };
  return { text: inWords([...clauses, ...nouns.map((noun) => `there ${verb} ${noun}`)]), isName: false, verb };
}

function ofString(schema: SchemaNode, keywords: readonly string[]): string | null {
  const { pattern, format } = schema;
  const { least, most } = sizeKeywords('string');
  const [only, ...more] = keywords.filter((keyword) => keyword !== 'type');
  if (only === 'pattern' && more.length === 0) return `text that matches ${schemaText(pattern)}`;
  if (only === 'format' && more.length === 0) return `text of the format ${schemaText(format)}`;
  const isLength = [only, ...more].every((keyword) => keyword === least || keyword === most);
  return isLength ? `text of ${range(schema[least], schema[most], 'character')}` : null;
}

function ofNumber(schema: SchemaNode, keywords: readonly string[]): string | null {
  const { type = 'number' } = schema;
  const limits = keywords.filter((keyword) => keyword !== 'type');
  const isLimit = (keyword: string): boolean => BOUNDS.some(([name]) => name === keyword);
  if (limits.length === 0 || !limits.every(isLimit) || typeof type !== 'string') return null;
  const words = BOUNDS.flatMap(([keyword, before]) => {
    const limit = schema.origin.numbers?.[keyword] ?? schema[keyword];
    return limit === undefined ? [] : [`${before} ${limit}`];
  });
  return `${withArticle(type)} ${words.join(' and ')}`;
}

const BOUNDS = [
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
