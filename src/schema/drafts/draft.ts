/**
 * A draft of JSON Schema for the loader: a table of its keywords. Everything that depends on a draft is here and in the
 * tables beside this file; no code outside of `src/schema/` knows in which draft a schema was written.
 */

import type { DraftName } from '../../types.ts';
import type { DialectForm, DialectRole } from '../dialect.ts';

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
export function draft(facts: Omit<Draft, 'keywords'>, make: () => KeywordTable): Draft {
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
export function without(table: KeywordTable, names: string): KeywordTable {
  const dropped = new Set(names.trim().split(/\s+/));
  return Object.fromEntries(Object.entries(table).filter(([name]) => !dropped.has(name)));
}
