/**
 * The keywords of JSON Schema. They distinguish a schema from a payload that is passed as one by mistake.
 */
import { SchemaError } from '../errors.ts';
import { once } from '../input/seldom.ts';
import { isJsonObject } from '../json/value.ts';
import type { RawSchema } from './document.ts';
import { DRAFTS, type Role } from './drafts.ts';
import { isForeign } from './vocabularies.ts';

/** What a keyword does in the newest draft that has it; null: no draft has it. */
function roleOf(name: string): Role | null {
  const draft = DRAFTS.findLast(({ keywords }) => Object.hasOwn(keywords, name));
  return draft === undefined ? null : draft.keywords[name]!.role;
}

/** True for a keyword that can reject a value, or leads to one that does. */
function isAsserting(name: string): boolean {
  if (name === '$defs' || name === 'definitions') return true;
  const role = roleOf(name);
  return role !== null && role !== 'identity' && role !== 'annotation';
}

/** The keywords of all drafts for which that is so. */
export const assertingKeywords = once((): readonly string[] =>
  [...new Set(DRAFTS.flatMap(({ keywords }) => Object.keys(keywords)))].filter(isAsserting),
);

/** With one of these, an object is a schema even if nothing in it can reject anything. */
const SCHEMA_ONLY = words('$schema $anchor $defs $vocabulary');

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** False for an object without any sign of a JSON Schema: it would accept everything by mistake. */
export function looksLikeSchema(schema: RawSchema): boolean {
  if (!isJsonObject(schema)) return true;
  const names = Object.keys(schema);
  const keywords = names.filter((name) => isAsserting(name) || SCHEMA_ONLY.has(name));
  // Payloads and config files have members with these names too.
  const shared = new Set(['format', '$schema', 'type']);
  const strange = names.some((name) => roleOf(name) === null);
  if (!strange || keywords.some((name) => !shared.has(name))) return keywords.length > 0;
  return keywords.some((name) => isSchemaValue(name, schema[name]));
}

const TYPES = words('null boolean object array number integer string');

function isSchemaValue(keyword: string, value: unknown): boolean {
  if (keyword === '$schema') return typeof value === 'string' && value.includes('json-schema.org/');
  if (keyword !== 'type') return false;
  const types: unknown[] = Array.isArray(value) ? value : [value];
  return types.every((type) => typeof type === 'string' && TYPES.has(type));
}

/** The error for the schema in the file `name`. `near`: a keyword that one of its members probably means. */
export function noKeyword(name: string, near: string | null = null): SchemaError {
  const isConfig = /(?:^|\/)paylint\.config\.json$/.test(name);
  const other = isConfig ? 'is it a config? --config takes it' : 'is it a payload?';
  const guess = near === null ? other : `did you mean "${near}"?`;
  return new SchemaError(`the schema ${name} has no JSON Schema keyword, so it accepts everything; ${guess}`);
}

/** True for a keyword of any draft, and for those of other dialects. */
export function isKnown(name: string): boolean {
  return roleOf(name) !== null || isForeign(name) || name === 'example' || /^x-/i.test(name);
}
