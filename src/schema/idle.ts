/**
 * Keywords that can do nothing where they are: what they need is not beside them, or the `type` beside them leaves no value
 * that they are about. They look as if they asserted something.
 */
import { quote } from '../words/escape.ts';
import { inWords } from '../words/value-text.ts';
import { type AppliesTo, DIALECT, type DialectKeyword } from './dialect.ts';
import type { RawObject } from './document.ts';

/** What keywords that are in no 2020-12 schema, or only annotate, are about. */
const OTHERS: Readonly<Record<string, readonly AppliesTo[]>> = { additionalItems: ['array'], dependencies: ['object'] };

/** Why the keyword can do nothing, as a sentence without its place; null: it can. Its draft has it. */
export function idleFault(name: string, schema: RawObject): string | null {
  const lacks = lackOf(name, schema);
  if (lacks !== null) return `${quote(name)} can do nothing without ${lacks} beside it`;
  const about = (Object.hasOwn(DIALECT, name) ? DIALECT[name as DialectKeyword].about : OTHERS[name]) ?? null;
  const types = typesOf(schema);
  if (about === null || types === null || types.some((type) => about.some((one) => one === familyOf(type))))
    return null;
  const beside = types.length === 1 ? `"type": ${quote(types[0]!)}` : 'these types';
  return `${quote(name)} can do nothing beside ${beside}: it is about ${inWords(about.map((one) => NOUNS[one]))}`;
}

const NOUNS: Readonly<Record<AppliesTo, string>> = {
  number: 'numbers',
  string: 'strings',
  array: 'arrays',
  object: 'objects',
};

/** What is missing; null: nothing. */
function lackOf(name: string, schema: RawObject): string | null {
  switch (name) {
    case 'then':
    case 'else':
      return schema.if === undefined ? '"if"' : null;
    case 'minContains':
    case 'maxContains':
      return schema.contains === undefined ? '"contains"' : null;
    case 'additionalItems':
      return Array.isArray(schema.items) ? null : 'a list of schemas as "items"';
    case 'contentSchema':
      return schema.contentMediaType === undefined ? '"contentMediaType"' : null;
    default:
      return null;
  }
}

/** Null: none are named. */
function typesOf({ type }: RawObject): readonly string[] | null {
  const types = typeof type === 'string' ? [type] : type;
  const isList = Array.isArray(types) && types.length > 0 && types.every((one) => typeof one === 'string');
  return isList ? (types as readonly string[]) : null; // as tested
}

function familyOf(type: string): string {
  return type === 'integer' ? 'number' : type;
}
