/**
 * Schemas that compile but are probably a mistake. They are refused if they assert nothing. There is a warning for each
 * part that looks as if it asserted something, but does not.
 */
import { linesOf, type SchemaError, type SchemaFault } from '../errors.ts';
import { entryOf } from '../json/on-demand.ts';
import { escapeToken, formatPointer } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import { isJsonObject } from '../json/value.ts';
import { LISTED_WARNINGS } from '../limits.ts';
import type { Io } from '../source/io.ts';
import { shownPath } from '../source/path-text.ts';
import { quote } from '../words/escape.ts';
import { lettersApart, nearMiss } from '../words/near.ts';
import { inWords } from '../words/value-text.ts';
import { type AppliesTo, DIALECT, type DialectKeyword } from './dialect.ts';
import { isAlone, type RawObject, type SchemaDocument, type SchemaPlace } from './document.ts';
import { draftCalled, isOlder, type KeywordTable, NEWEST, writtenUri } from './drafts.ts';
import { faultAt, located, type PlacedFault, schemaError, withPositions } from './faults.ts';
import type { OwnFormats } from './formats/format.ts';
import { ASSERTED_FORMATS, formatNamed } from './formats/format-table.ts';
import { formFault } from './forms.ts';
import {
  assertingKeywords,
  asserts,
  insteadOf,
  isKnown,
  isOfOtherDraft,
  looksLikeSchema,
  noKeyword,
} from './known-keywords.ts';
import type { LoadedKind, LoadedSchemas } from './load.ts';
import { type Sign, signOf } from './named-draft.ts';
import { isNode } from './node.ts';
import { authorFault, foreignFault } from './vocabularies.ts';
import { waysFor } from './ways.ts';

/** A sentence for each part that looks as if it asserted something and does not. Throws SchemaError if nothing does. */
export function suspect(set: LoadedSchemas): SchemaFault[] {
  requireAssertion(set);
  return suspicionsIn(set);
}

/** Throws SchemaError, with positions, if the root of the entry schema, or of a kind's schema, asserts nothing. */
export function requireAssertion(set: LoadedSchemas): void {
  try {
    refuseNoAssertion(set);
  } catch (error) {
    throw withPositions(error, [], set.documents, set.source.options.called);
  }
}

/** What looks as if it asserted something, and does not. */
export function suspicionsIn(set: LoadedSchemas): SchemaFault[] {
  const { called } = set.source.options;
  const faults = [...set.documents.flatMap(duplicateNames), ...olderDrafts(set), ...subschemaWarnings(set)];
  return located(faults, set.documents, called);
}

/** The first of them, and how many more there are. */
export function firstOf(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= LISTED_WARNINGS) return warnings;
  return [...warnings.slice(0, LISTED_WARNINGS), `and ${warnings.length - LISTED_WARNINGS} more`];
}

/** The error that replaces the warnings of `suspect` under `strictSchema`. */
export function strictError({ entry }: LoadedSchemas, warnings: readonly SchemaFault[]): SchemaError {
  const { path, name } = entry;
  const message = 'the schema has warnings, which strictSchema makes errors';
  return schemaError([{ path, file: name || null, line: null, column: null, place: null, message }, ...warnings]);
}

/** Throws SchemaError if the root of the entry schema, or of a kind's schema, asserts nothing. */
export function refuseNoAssertion(set: LoadedSchemas): void {
  const { root: given, kinds, places } = set;
  const { schema, place } = given;
  const { keywords: own } = set.source.options;
  const isOwn = (name: string): boolean => own?.has(name) === true;
  const members = isJsonObject(schema) ? Object.keys(schema) : [];
  if (!members.some(isOwn) && !looksLikeSchema(schema)) {
    throw noKeyword(
      place,
      waysFor(set.source.options),
      members.map(meantKeyword).find((meant) => meant !== null) ?? null,
    );
  }
  const files = kinds.filter(isRoot).map(({ document }) => ({ ...document, place: `${document.name}#` }));
  for (const { schema: root, place } of [given, ...files]) {
    if (!isJsonObject(root)) continue;
    const at = places.get(root)!; // it was scanned
    if (assertsAnything(root, at.resource.keywords)) continue;
    const hint = hintFor(root, at);
    throw faultAt(place, `the schema asserts nothing, so it accepts everything${hint}`);
  }
}

/** True if a keyword of `schema` can reject a value: not annotations, definitions, or `then` without `if`. */
function assertsAnything(schema: RawObject, keywords: KeywordTable): boolean {
  return Object.keys(schema).some((name) => {
    const needed = Object.hasOwn(DIALECT, name) ? DIALECT[name as DialectKeyword].needs : undefined;
    return asserts(keywords, name) && (needed === undefined || needed.some((other) => schema[other] !== undefined));
  });
}

/** What is probably missing in a root that asserts nothing, as a question; null if there is no definition to refer to. */
function missingReference(root: RawObject): string | null {
  const places = ['$defs', 'definitions'].flatMap((keyword) =>
    Object.keys(root[keyword] ?? {}).map((name) => quote(`#${formatPointer([keyword, name])}`)),
  );
  const [first, second] = places;
  if (first === undefined) return null;
  if (second === undefined) return `is "$ref": ${first} missing?`;
  return `is a "$ref" missing, to ${first} or another definition?`;
}

/** True if the schema of the kind is a whole file. */
function isRoot({ schema, document }: LoadedKind): boolean {
  return isNode(schema) ? schema.origin.place === `${document.name}#` : schema === document.schema;
}

function hintFor(root: RawObject, { resource: { draft } }: SchemaPlace): string {
  for (const name of Object.keys(root)) {
    const foreign = foreignFault(name, root);
    if (foreign !== null) return `; ${foreign}`;
    const meant = meantKeyword(name);
    if (meant !== null) return `; did you mean ${quote(meant)}?`;
    if (isOfOtherDraft(name, draft.keywords))
      return `; ${quote(name)} is not a keyword of ${draft.title}: ${insteadOf(name, draft)}`;
  }
  const missing = missingReference(root);
  return missing === null ? '; the schema true does so on purpose' : `; ${missing}`;
}

/** A warning for each file that does not name its draft and looks older than the draft that is assumed. */
function olderDrafts({ places, source }: LoadedSchemas): PlacedFault[] {
  const found = new Map<SchemaDocument, { readonly pointer: string; readonly sign: Sign }>();
  for (const [schema, { resource, pointer }] of places) {
    const { isAssumed, document } = resource;
    const sign = isAssumed ? signOf(schema as RawObject) : null; // the keys are subschemas
    const before = found.get(document)?.sign;
    if (sign !== null && (before === undefined || isOlder(sign.draft, before.draft)))
      found.set(document, { pointer, sign });
  }
  return [...found].map(([{ name }, { pointer, sign }]) => {
    const draft = draftCalled(sign.draft);
    const place = `${name}#${pointer}/${escapeToken(sign.keyword)}`;
    const hint = `write "$schema": "${writtenUri(draft)}", or give ${waysFor(source.options).draft(draft.name)}`;
    const message = `this looks like ${draft.title}, but without "$schema" it is read as ${NEWEST.title}; ${hint}`;
    return { place, message, atName: true };
  });
}

function duplicateNames({ name, bytes, hasUniqueNames }: SchemaDocument): PlacedFault[] {
  if (hasUniqueNames) return [];
  return scan(bytes, 0, bytes.length, Number.POSITIVE_INFINITY)
    .notes.filter(({ rule }) => rule === 'duplicate-member')
    .map(({ pointer }) => ({
      place: `${name}#${pointer}`,
      message: 'a duplicate name; only the last of its values counts',
      atName: true,
    }));
}

function subschemaWarnings({ places, assertsFormats, formats, root, nodes }: LoadedSchemas): PlacedFault[] {
  const used = root.isFile ? null : new Set(nodes.map(({ origin }) => origin.place));
  const warnings: PlacedFault[] = [];
  /** Faults are cached by name, because the same keywords occur again and again. */
  const faults = new Map<KeywordTable, Map<string, string | null>>();
  for (const [key, { resource, pointer }] of places) {
    const schema = key as RawObject; // the keys are subschemas
    const { draft, keywords } = resource;
    // A file around the schema that is named need not be a schema.
    if (used?.has(`${resource.document.name}#${pointer}`) === false) continue;
    const warn = (name: string, message: string, atName = false): void => {
      const place = `${resource.document.name}#${pointer}/${escapeToken(name)}`;
      warnings.push({ place, message, atName });
    };
    const known = entryOf(faults, keywords, () => new Map<string, string | null>());
    const isOnlyRef = isAlone(schema, draft);
    for (const name of Object.keys(schema)) {
      if (isOnlyRef && name !== '$ref' && asserts(keywords, name)) {
        warn(name, `${quote(name)} beside "$ref" is ignored in ${draft.title}; put both into "allOf"`);
        continue;
      }
      if (Object.hasOwn(keywords, name)) {
        const { role, form } = keywords[name]!;
        const wrong = role === 'annotation' ? formFault(form, schema[name], draft) : null;
        if (wrong !== null) warn(name, `${wrong.text}, so it says nothing`);
        const unseen = authorFault(name, schema);
        const idle = unseen ?? idleFault(name, schema);
        if (idle !== null) warn(name, idle, unseen === null);
        continue;
      }
      const fault = foreignFault(name, schema) ?? entryOf(known, name, () => keywordFault(name, resource));
      if (fault !== null) warn(name, fault, true);
    }
    // A pattern beside it asserts what the format is to say, as in the schemas that zod makes.
    const isCovered = schema.pattern !== undefined;
    const isMute = schema.format === undefined || assertsFormats === false || isOnlyRef || isCovered;
    const fault = isMute ? null : formatFault(schema.format, formats);
    if (fault !== null) warn('format', fault);
  }
  return warnings;
}

/** Why a member of a schema is not a keyword, although it looks like one. */
function keywordFault(name: string, { draft, keywords }: SchemaPlace['resource']): string | null {
  if (asserts(draft.keywords, name) && !Object.hasOwn(keywords, name))
    return `${quote(name)} asserts nothing: the meta-schema that "$schema" names leaves out its vocabulary`;
  if (isOfOtherDraft(name, draft.keywords))
    return `${quote(name)} is not a keyword of ${draft.title}, so it asserts nothing; ${insteadOf(name, draft)}`;
  const meant = meantKeyword(name);
  if (meant === null) return null;
  return `${quote(name)} is not a keyword of JSON Schema; did you mean ${quote(meant)}?`;
}

/** The keyword that an unknown member of a schema probably means; null: it is known, an extension, or like none. */
function meantKeyword(name: string): string | null {
  if (isKnown(name)) return null;
  for (const keyword of assertingKeywords()) if (isSlip(name, keyword)) return keyword;
  return null;
}

/** A difference in case, in the order of letters, at the end of a short word, or of one or two letters of a long one. */
function isSlip(name: string, keyword: string): boolean {
  if (name.toLowerCase() === keyword.toLowerCase() || `$${name}` === keyword) return true;
  if (Math.abs(name.length - keyword.length) > 2 || name.length > 40) return false;
  if (name.length === keyword.length && sorted(name) === sorted(keyword)) return true;
  if (keyword.length === 4 && (name === keyword.slice(0, 3) || name === `${keyword}s`)) return true;
  if (keyword.length < 5) return false;
  return lettersApart(name, keyword) <= (keyword.length < 8 ? 1 : 2);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

/** Why `format` asserts nothing, as a sentence without its place; null if it asserts something. */
function formatFault(format: unknown, own: OwnFormats = new Map()): string | null {
  if (typeof format !== 'string' || own.has(format) || formatNamed(format) !== null) return null;
  const text = quote(format);
  const near = meantFormat(format, [...ASSERTED_FORMATS, ...own.keys()]);
  return `${text} is not a known format, so it asserts nothing${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** `datetime`, `date_time`, `dateTime` and `e-mail` differ from a format only by separators, or by case. */
function meantFormat(format: string, known: readonly string[]): string | null {
  const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return known.find((name) => lettersOf(name) === lettersOf(format)) ?? nearMiss(format, known);
}

/**
 * Writes warnings about a user's schemas to standard error: they are not about payloads, so `--quiet` does not suppress
 * them. `strict`: they are errors. Throws SchemaError for a file that accepts everything by mistake.
 */
export async function warnOfSuspects(
  set: LoadedSchemas,
  { strict }: { readonly strict: boolean },
  io: Io,
): Promise<void> {
  const warnings = suspect(set);
  if (strict && warnings.length > 0) throw strictError(set, warnings);
  const lines = linesOf(warnings, (path) => shownPath(path, io.cwd));
  for (const line of firstOf(lines)) io.stderr.write(`paylint: warning: ${line}\n`);
}

/** What is wrong with a name under `formats`: paylint's cannot mean something else, others cannot be turned off. */
export function nameFault(name: string, isOff: boolean): string | null {
  const isKnown = formatNamed(name) !== null;
  if (!isOff)
    return isKnown ? `${quote(name)} is a format of paylint, which cannot be redefined; false turns it off` : null;
  if (isKnown) return null;
  const near = nearMiss(name, ASSERTED_FORMATS);
  const guess = near === null ? '' : `; did you mean "${near}"?`;
  return `there is no format ${quote(name)} that could be turned off${guess}`;
}

/** What keywords that are in no 2020-12 schema, or only annotate, are about. */
const OTHERS: Readonly<Record<string, readonly AppliesTo[]>> = { additionalItems: ['array'], dependencies: ['object'] };

/** Why the keyword can do nothing, as a sentence without its place; null: it can. Its draft has it. */
function idleFault(name: string, schema: RawObject): string | null {
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
