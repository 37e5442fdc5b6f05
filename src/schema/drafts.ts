/**
 * The drafts of JSON Schema that paylint reads, each as a table of its keywords and of what else is different in it; and
 * how a schema names its draft. Everything that depends on a draft is here: no code outside of `src/schema/` knows in which
 * draft a schema was written.
 */
import { once } from '../json/on-demand.ts';
import { bundledSchema } from '../package.ts';
import { DIALECT, type DialectForm, type DialectRole, type KeywordTraits } from './dialect.ts';
import { DRAFT_NAMES, type DraftName } from './names.ts';

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
export type KeywordRole = 'identity' | 'reference' | 'annotation' | DialectRole;

export interface DraftKeyword extends KeywordTraits {
  readonly form: Form;
  readonly role: KeywordRole;
  /** The keyword is off without this one in `$vocabulary` (2020-12 core, section 8.1.2); null: always on. */
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
  readonly translated: Readonly<Record<string, 'item list' | 'items after list' | 'dependencies'>>;
}

/**
 * A draft with the keywords of the next later one that it has, too, and those that are different in it. The table is made
 * when it is first needed: most schemas are of one draft. A spread of a draft has no table.
 */
function draft(facts: Omit<Draft, 'keywords'>, later: Draft | null, different: () => KeywordTable = () => ({})): Draft {
  const get = once(() => ({ ...withoutLater(later?.keywords ?? {}, facts.name), ...different() }));
  return Object.defineProperty({ ...facts } as Draft, 'keywords', { get }); // it has the table now
}

function withoutLater(table: KeywordTable, name: DraftName): KeywordTable {
  return Object.fromEntries(
    Object.entries(table).filter(([, { since }]) => since === undefined || !isOlder(name, since)),
  );
}

/** A table of keywords of one role, from lines such as `boolean: 'readOnly writeOnly'`. */
export function keywords(
  role: KeywordRole,
  vocabulary: string | null,
  rows: Readonly<Partial<Record<Form, string>>>,
  traits: KeywordTraits = {},
): KeywordTable {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([key, names]) => {
      const form = key as Form; // of a record of forms
      return names.split(' ').map((name) => [name, { form, role, vocabulary, ...traits }]);
    }),
  );
}

const IN_DRAFTS: KeywordTable = Object.fromEntries(Object.entries(DIALECT).filter(([, { role }]) => role !== 'asks'));

/** The resolved schema has its keywords. */
const DRAFT_2020_12 = draft(
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
  null,
  () => ({
    ...keywords('identity', null, { string: '$schema' }),
    ...keywords('identity', null, { string: '$comment' }, { since: '7' }),
    ...keywords('identity', null, { identifier: '$id' }, { since: '6' }),
    ...keywords('identity', null, { 'schemas by name': '$defs' }, { since: '2019-09' }),
    ...keywords('identity', null, { 'schemas by name': 'definitions' }),
    ...keywords('identity', null, { anchor: '$anchor' }, { since: '2019-09' }),
    ...keywords('identity', null, { anchor: '$dynamicAnchor' }, { since: '2020-12' }),
    ...keywords('identity', null, { vocabularies: '$vocabulary' }, { since: '2019-09' }),
    ...IN_DRAFTS,
    ...keywords('reference', null, { reference: '$ref' }),
    ...keywords('reference', null, { reference: '$dynamicRef' }, { since: '2020-12', instead: '"$ref"' }),
    ...keywords('applies', 'applicator', { 'schemas or names by name': 'dependencies' }),
    ...keywords('annotation', null, { string: 'title description' }),
    ...keywords('annotation', null, { string: 'contentEncoding contentMediaType' }, { since: '7' }),
    ...keywords('annotation', null, { any: 'default' }),
    ...keywords('annotation', null, { values: 'examples' }, { since: '6' }),
    ...keywords('annotation', null, { boolean: 'readOnly writeOnly' }, { since: '7' }),
    ...keywords('annotation', null, { boolean: 'deprecated', schema: 'contentSchema' }, { since: '2019-09' }),
  }),
);

const DRAFT_2019_09 = draft(
  {
    ...DRAFT_2020_12,
    name: '2019-09',
    title: '2019-09',
    uri: 'https://json-schema.org/draft/2019-09/schema',
    countsContained: false,
    translated: { items: 'item list', additionalItems: 'items after list', dependencies: 'dependencies' },
  },
  DRAFT_2020_12,
  () => ({
    ...keywords('identity', null, { boolean: '$recursiveAnchor' }, { since: '2019-09', instead: '"$dynamicAnchor"' }),
    ...keywords('identity', null, { 'anchor with colons': '$anchor' }, { since: '2019-09' }),
    ...keywords('reference', null, { reference: '$recursiveRef' }, { since: '2019-09', instead: '"$ref"' }),
    ...keywords('applies', 'applicator', { 'schema or schemas': 'items' }),
    ...keywords('applies', 'applicator', { schema: 'additionalItems' }, { instead: '"items"' }),
    ...keywords('applies', 'applicator', { schema: 'unevaluatedItems unevaluatedProperties' }, { since: '2019-09' }),
  }),
);

const DRAFT_07 = draft(
  {
    ...DRAFT_2019_09,
    name: '7',
    title: 'draft-07',
    uri: 'http://json-schema.org/draft-07/schema',
    isRefAlone: true,
    hasFragmentIds: true,
  },
  DRAFT_2019_09,
  () => ({
    ...keywords('identity', null, { reference: '$id' }, { since: '6' }),
    ...keywords('asserts', 'validation', { 'some values': 'enum' }),
  }),
);

const DRAFT_06 = draft(
  { ...DRAFT_07, name: '6', title: 'draft-06', uri: 'http://json-schema.org/draft-06/schema' },
  DRAFT_07,
);

const DRAFT_04 = draft(
  {
    ...DRAFT_06,
    name: '4',
    title: 'draft-04',
    uri: 'http://json-schema.org/draft-04/schema',
    id: 'id',
    hasBooleanBounds: true,
    hasBooleanSchemas: false,
  },
  DRAFT_06,
  () => ({
    ...keywords('identity', null, { reference: 'id' }),
    ...keywords('applies', 'applicator', {
      'schema or boolean': 'additionalProperties additionalItems',
      'schemas or some names by name': 'dependencies',
    }),
    ...keywords('asserts', 'validation', { boolean: 'exclusiveMaximum exclusiveMinimum', 'some names': 'required' }),
  }),
);

/** Where bounds are boolean, the first of two keywords says whether the second is exclusive. */
export const BOOLEAN_BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** The oldest first. */
export const DRAFTS: readonly Draft[] = [DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12];

/** That of a schema without `$schema`. */
export const NEWEST: Draft = DRAFT_2020_12;

export function isOlder(one: DraftName, other: DraftName): boolean {
  return DRAFT_NAMES.indexOf(one) < DRAFT_NAMES.indexOf(other);
}

/** The draft whose meta-schema `uri` names, with or without an empty fragment, and with `http:` or `https:`; null: none. */
export function draftOf(uri: string): Draft | null {
  const plain = uri.replace(/^https?:/, '').replace(/#$/, '');
  return DRAFTS.find((one) => one.uri.replace(/^https?:/, '') === plain) ?? null;
}

export function writtenUri({ uri }: Draft): string {
  return uri.includes('/draft-') ? `${uri}#` : uri;
}

export function draftCalled(name: DraftName): Draft {
  return DRAFTS.find((one) => one.name === name) ?? NEWEST;
}

const META_SCHEMA =
  /^https?:\/\/json-schema\.org\/(?:(draft-0[467])\/schema|draft\/(2019-09|2020-12)\/(schema|meta\/[a-z-]+))$/;

/** The package's own file with the meta-schema of a draft at `uri` (absolute, without fragment); null if it is none. */
export function metaSchemaAt(uri: string): string | null {
  const [, old, name, part] = META_SCHEMA.exec(uri) ?? [];
  if (old !== undefined) return bundledSchema(`meta/${old}.json`);
  return name === undefined ? null : bundledSchema(`meta/${name}/${part!.replace('meta/', '')}.json`);
}

const VOCABULARY =
  /^https:\/\/json-schema\.org\/draft\/(?:2019-09|2020-12)\/vocab\/(?:core|applicator|unevaluated|validation|meta-data|format|format-annotation|format-assertion|content)$/;

export function isVocabulary(uri: string): boolean {
  return VOCABULARY.test(uri);
}
