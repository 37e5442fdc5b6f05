/**
 * The drafts of JSON Schema that paylint reads, each with the table of its keywords, and how a schema names its
 * draft. Everything that depends on a draft is in these tables; no code outside of `src/schema/` knows in which draft
 * a schema was written.
 */

import { bundledSchema } from '../package.ts';
import type { DraftName } from '../types.ts';
import { DIALECT, type DialectForm, type DialectRole } from './dialect.ts';

/** What the value of a keyword must look like; `forms.ts` checks it. */
export type Form =
  | DialectForm
  | 'schema or boolean'
  | 'schema or schemas'
  | 'schemas or names by name'
  | 'some names'
  | 'schemas or some names by name'
  | 'some values'
  | 'reference'
  | 'identifier'
  | 'anchor'
  | 'anchor with colons'
  | 'vocabularies';

/** What a keyword does. `identity`: it names or holds schemas; `reference`: it leads to one. */
export type Role = 'identity' | 'reference' | 'annotation' | DialectRole;

export interface DraftKeyword {
  readonly form: Form;
  readonly role: Role;
  /**
   * Without this vocabulary in `$vocabulary`, the keyword is off (JSON Schema 2020-12 core, section 8.1.2); null:
   * always on.
   */
  readonly vocabulary: string | null;
}

export type KeywordTable = Readonly<Record<string, DraftKeyword>>;

export interface Draft {
  /** As `--draft` takes it. */
  readonly name: DraftName;
  /** As messages name it. */
  readonly title: string;
  /** The URI of its meta-schema, without fragment. */
  readonly uri: string;
  /** The keyword that gives a schema its URI. */
  readonly id: 'id' | '$id';
  /** Keywords beside `$ref` are ignored. */
  readonly isRefAlone: boolean;
  /** An `$id` that is a fragment names the schema, as `$anchor` does in later drafts. */
  readonly hasFragmentIds: boolean;
  /** `exclusiveMinimum` and `exclusiveMaximum` say whether `minimum` and `maximum` themselves are excluded. */
  readonly hasBooleanBounds: boolean;
  /** `true` and `false` are schemas. */
  readonly hasBooleanSchemas: boolean;
  /** Items that match `contains` count as evaluated. */
  readonly countsContained: boolean;
  readonly keywords: KeywordTable;
  /** Keywords that are translated in the resolved schema, and how: see `resolve.ts`. All others keep their name. */
  readonly translated: Readonly<Record<string, Translation>>;
}

/** The translations that drafts need. */
export type Translation = 'item list' | 'items after list' | 'dependencies';

/**
 * A draft whose table is made when it is first needed: most schemas are of one draft. A spread of it has no table, which
 * is made for each draft from that of another.
 */
function draft(facts: Omit<Draft, 'keywords'>, make: () => KeywordTable): Draft {
  let made: KeywordTable | null = null;
  const get = (): KeywordTable => {
    made ??= make();
    return made;
  };
  return Object.defineProperty({ ...facts } as Draft, 'keywords', { get }); // it has the table now
}

/** A table of keywords of one role, from lines such as `boolean: readOnly writeOnly`. */
export function keywords(
  role: Role,
  vocabulary: string | null,
  rows: Readonly<Partial<Record<Form, string>>>,
): KeywordTable {
  return Object.fromEntries(
    Object.entries(rows).flatMap(
      // the keys of a record of forms
      ([form, names]) => names.split(' ').map((name) => [name, { form: form as Form, role, vocabulary }]),
    ),
  );
}

/** A table without some keywords. */
function without(table: KeywordTable, names: string): KeywordTable {
  const dropped = new Set(names.trim().split(/\s+/));
  return Object.fromEntries(Object.entries(table).filter(([name]) => !dropped.has(name)));
}

/** The resolved schema has its keywords. Each earlier draft is made from the next later one. */
const DRAFT_2020_12: Draft = draft(
  {
    name: '2020-12',
    title: '2020-12',
    uri: 'https://json-schema.org/draft/2020-12/schema',
    id: '$id',
    isRefAlone: false,
    hasFragmentIds: false,
    hasBooleanBounds: false,
    hasBooleanSchemas: true,
    countsContained: true,
    translated: { dependencies: 'dependencies' },
  },
  () => ({
    ...keywords('identity', null, {
      string: '$schema $comment',
      identifier: '$id',
      'schemas by name': '$defs definitions',
      anchor: '$anchor $dynamicAnchor',
      vocabularies: '$vocabulary',
    }),
    ...DIALECT,
    ...keywords('reference', null, { reference: '$ref $dynamicRef' }),
    ...keywords('applies', 'applicator', { 'schemas or names by name': 'dependencies' }),
    ...keywords('annotation', null, {
      string: 'title description contentEncoding contentMediaType',
      any: 'default',
      values: 'examples',
      boolean: 'readOnly writeOnly deprecated',
      schema: 'contentSchema',
    }),
  }),
);

const DRAFT_2019_09: Draft = draft(
  {
    ...DRAFT_2020_12,
    name: '2019-09',
    title: '2019-09',
    uri: 'https://json-schema.org/draft/2019-09/schema',
    countsContained: false,
    translated: {
      items: 'item list',
      additionalItems: 'items after list',
      dependencies: 'dependencies',
    },
  },
  () => ({
    ...without(DRAFT_2020_12.keywords, '$dynamicAnchor $dynamicRef prefixItems'),
    ...keywords('identity', null, { boolean: '$recursiveAnchor', 'anchor with colons': '$anchor' }),
    ...keywords('reference', null, { reference: '$recursiveRef' }),
    ...keywords('applies', 'applicator', {
      'schema or schemas': 'items',
      schema: 'additionalItems unevaluatedItems unevaluatedProperties',
    }),
  }),
);

const LATER_THAN_07 = `
  $defs $anchor $vocabulary $recursiveAnchor $recursiveRef dependentRequired dependentSchemas minContains maxContains
  unevaluatedItems unevaluatedProperties deprecated contentSchema`;

const DRAFT_07: Draft = draft(
  {
    ...DRAFT_2019_09,
    name: '7',
    title: 'draft-07',
    uri: 'http://json-schema.org/draft-07/schema',
    isRefAlone: true,
    hasFragmentIds: true,
  },
  () => ({
    ...without(DRAFT_2019_09.keywords, LATER_THAN_07),
    ...keywords('identity', null, { reference: '$id' }),
    ...keywords('asserts', 'validation', { 'some values': 'enum' }),
  }),
);

const LATER_THAN_06 = '$comment if then else readOnly writeOnly contentEncoding contentMediaType';

const DRAFT_06: Draft = draft(
  {
    ...DRAFT_07,
    name: '6',
    title: 'draft-06',
    uri: 'http://json-schema.org/draft-06/schema',
  },
  () => without(DRAFT_07.keywords, LATER_THAN_06),
);

const DRAFT_04: Draft = draft(
  {
    ...DRAFT_06,
    name: '4',
    title: 'draft-04',
    uri: 'http://json-schema.org/draft-04/schema',
    id: 'id',
    hasBooleanBounds: true,
    hasBooleanSchemas: false,
  },
  () => ({
    ...without(DRAFT_06.keywords, '$id contains propertyNames const examples'),
    ...keywords('identity', null, { reference: 'id' }),
    ...keywords('applies', 'applicator', {
      'schema or boolean': 'additionalProperties additionalItems',
      'schemas or some names by name': 'dependencies',
    }),
    ...keywords('asserts', 'validation', {
      boolean: 'exclusiveMaximum exclusiveMinimum',
      'some names': 'required',
    }),
  }),
);

export type { DraftName };

/** In draft-04, the first of two keywords says whether the second is exclusive. */
export const BOOLEAN_BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** The oldest first. */
export const DRAFTS: readonly Draft[] = [DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12];

/** That of a schema without `$schema`. */
export const NEWEST: Draft = DRAFT_2020_12;

/** The draft whose meta-schema `uri` names, with or without an empty fragment, and with `http:` or `https:`; null: none. */
export function draftOf(uri: string): Draft | null {
  const plain = uri.replace(/^https?:/, '').replace(/#$/, '');
  return DRAFTS.find((draft) => draft.uri.replace(/^https?:/, '') === plain) ?? null;
}

/** The draft with a name, as `--draft` takes it. */
export function draftCalled(name: DraftName): Draft {
  return DRAFTS.find((draft) => draft.name === name) ?? NEWEST;
}

const FILES =
  /^https?:\/\/json-schema\.org\/(?:(draft-0[467])\/schema|draft\/(2019-09|2020-12)\/(schema|meta\/[a-z-]+))$/;

/** Absolute path of the file with the meta-schema at `uri` (absolute, without fragment); null if it is none. */
export function metaSchemaAt(uri: string): string | null {
  const [, old, draft, name] = FILES.exec(uri) ?? [];
  if (old !== undefined) return bundledSchema(`meta/${old}.json`);
  return draft === undefined ? null : bundledSchema(`meta/${draft}/${name!.replace('meta/', '')}.json`);
}
