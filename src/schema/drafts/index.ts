/**
 * The drafts of JSON Schema that paylint reads, and how a schema names its draft.
 */

import { bundledSchema } from '../../package.ts';
import type { DraftName } from '../../types.ts';
import type { Draft } from './draft.ts';
import { DRAFT_04 } from './draft-04.ts';
import { DRAFT_06 } from './draft-06.ts';
import { DRAFT_07 } from './draft-07.ts';
import { DRAFT_2019_09 } from './draft-2019-09.ts';
import { DRAFT_2020_12 } from './draft-2020-12.ts';

export type { Draft, DraftKeyword, Form, KeywordTable, Role } from './draft.ts';
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
