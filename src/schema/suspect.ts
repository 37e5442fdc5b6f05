/**
 * Schemas that compile but are probably a mistake: refused if they have no keyword, with a warning if a keyword is
 * misspelt, or occurs twice in one object.
 */
import { distance } from 'fastest-levenshtein';
import { escapeToken } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import { quote, visible } from '../words/escape.ts';
import { ASSERTING, isKnown, looksLikeSchema, noKeyword } from './known-keywords.ts';
import { isSchemaObject, type SchemaSet } from './load.ts';

/** Most warnings that are listed. */
const SAID = 10;

/**
 * Throws SchemaError for a schema without any keyword. Returns a sentence for each misspelt keyword and duplicate name.
 * `unique`: there is no duplicate name.
 */
export function suspect({ entry, documents, locations }: SchemaSet, unique: boolean): string[] {
  if (!looksLikeSchema(entry.schema)) {
    const names = isSchemaObject(entry.schema) ? Object.keys(entry.schema) : [];
    const near = names.map(meantKeyword).find((meant) => meant !== null) ?? null;
    throw noKeyword(entry.name, near);
  }
  const warnings: string[] = [];
  let more = 0;
  const warn = (warning: string): void => {
    if (warnings.length < SAID) warnings.push(warning);
    else more++;
  };
  for (const { name, bytes } of unique ? [] : documents) {
    for (const { rule, pointer } of scan(bytes, 0, bytes.length, Number.POSITIVE_INFINITY).notes) {
      if (rule === 'duplicate-member')
        warn(`${visible(`${name}#${pointer}`)}: a duplicate name; only the last of its values counts`);
    }
  }
  /** What a name means is found once: a schema has the same keywords again and again. */
  const meanings = new Map<string, string | null>();
  for (const [schema, place] of locations) {
    for (const name of Object.keys(schema)) {
      let meant = meanings.get(name);
      if (meant === undefined) {
        meant = meantKeyword(name);
        meanings.set(name, meant);
      }
      if (meant === null) continue;
      const where = visible(`${place}/${escapeToken(name)}`);
      warn(`${where}: ${quote(name)} is not a keyword of JSON Schema; did you mean ${quote(meant)}?`);
    }
  }
  if (more > 0) warnings.push(`and ${more} more`);
  return warnings;
}

/**
 * The keyword that an unknown member of a schema probably means; null for a known keyword, an extension, and a word
 * that is near to none.
 */
function meantKeyword(name: string): string | null {
  if (isKnown(name)) return null;
  for (const keyword of ASSERTING) if (isSlip(name, keyword)) return keyword;
  return null;
}

/** Another case, letters in another order, or one or two letters more or less if the word is long. */
function isSlip(name: string, keyword: string): boolean {
  if (name.toLowerCase() === keyword.toLowerCase() || `$${name}` === keyword) return true;
  if (Math.abs(name.length - keyword.length) > 2 || name.length > 40) return false;
  if (sorted(name) === sorted(keyword)) return true;
  if (keyword.length < 5) return false;
  return distance(name, keyword) <= (keyword.length < 8 ? 1 : 2);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}
