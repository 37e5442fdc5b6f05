/** `required`, `dependentRequired` and the names in `dependencies`: members that are missing. */
import { isJsonObject } from '../json/value.ts';
import { nearMiss } from '../words/near.ts';
import { schemaText } from '../words/value-text.ts';
import type { About, Family, Suggested } from './keyword.ts';

interface Missing {
  readonly missing: string;
}

interface Dependent extends Missing {
  readonly because: string;
}

export interface RequiredParams {
  required: Missing;
}

export interface DependentParams {
  dependentRequired: Dependent;
  dependencies: Dependent;
}

/** In an object with more members, near misses are not searched. */
const MOST_MEMBERS = 1000;

/** @internal */
export const REQUIRED: Family<RequiredParams> = {
  required: {
    sentence: ({ missing }) => `the member ${schemaText(missing)} is missing`,
    anchor: 'opening',
    requires: ({ required = [] }) => [{ names: required, because: null }],
    suggest: misspelt,
    text: {
      meaning: 'A required member is missing; the position is the opening bracket of the object.',
      fix: 'Add the member. If the violation is fixable, paylint fill adds it with its default.',
      schema: '{"required": ["name"]}',
      wrong: '{}',
      right: '{"name": "x"}',
    },
  },
};

const DEPENDENT_TEXT = {
  meaning: 'A member is missing that another member requires.',
  fix: 'Add the member, or remove the other.',
  wrong: '{"from": 1}',
  right: '{"from": 1, "to": 2}',
};

/** @internal */
export const DEPENDENTS: Family<DependentParams> = {
  dependentRequired: {
    sentence: dependentSentence,
    anchor: 'opening',
    requires: ({ dependentRequired = {} }) =>
      Object.entries(dependentRequired).map(([because, names]) => ({ names, because })),
    text: { ...DEPENDENT_TEXT, schema: '{"dependentRequired": {"from": ["to"]}}' },
  },
  dependencies: {
    sentence: dependentSentence,
    anchor: 'opening',
    text: { ...DEPENDENT_TEXT, schema: '{"dependencies": {"from": ["to"]}}' },
  },
};

function dependentSentence({ missing, because }: Dependent): string {
  return `the member ${schemaText(missing)} is missing; ${schemaText(because)} requires it`;
}

/** A name in the value that the schema does not have, similar to the missing one. */
function misspelt({ missing }: Missing, { value: read, properties }: About): Suggested | null {
  const value = read();
  if (!isJsonObject(value)) return null;
  const names = Object.keys(value);
  if (names.length > MOST_MEMBERS) return null;
  const strangers = names.filter((name) => !Object.hasOwn(properties, name));
  const stranger = nearMiss(missing, strangers);
  return stranger === null ? null : { suggestion: missing, found: stranger };
}
