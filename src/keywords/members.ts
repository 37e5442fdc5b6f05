/**
 * The keywords about single members of an object, `additionalProperties`, `unevaluatedProperties`, `propertyNames` and
 * `deprecated`; and `unevaluatedItems`.
 */
import { isJsonObject } from '../json/value.ts';
import { nearMiss } from '../words/near.ts';
import type { Found } from '../words/value-text.ts';
import {
  type About,
  type Family,
  type Keyword,
  type Seen,
  type Suggested,
  specification,
  suggested,
} from './keyword.ts';

interface Additional {
  /** The name of the member, which is payload text; absent: it must not be shown. */
  readonly additional?: string;
}

export interface OtherMemberParams {
  additionalProperties: Additional;
  unevaluatedProperties: Additional & {
    /** A part of the schema that does not apply to the object names the member; absent: none does. */
    readonly inactive?: true;
  };
}

export interface NameParams {
  /** The name is payload text; absent: it must not be shown. */
  propertyNames: {
    readonly name?: string;
    /** What a name must be, in words; absent: too many words are needed. */
    readonly wanted?: string;
  };
}

/** For keywords that forbid any other member. */
const NO_OTHER_MEMBER: Pick<Keyword<Additional>, 'sentence' | 'anchor' | 'ofPayload' | 'nameIn'> = {
  sentence: (_, found) => notAllowed(found),
  anchor: 'name',
  ofPayload: (_, { name }: Seen) => ({ additional: name }),
  nameIn: ({ additional }) => additional,
};

/** @internal */
export const OTHER_MEMBERS: Family<OtherMemberParams> = {
  additionalProperties: {
    ...NO_OTHER_MEMBER,
    suggest: absentName,
    text: {
      meaning: 'The object has a member that the schema does not know; the position is its name.',
      fix: 'Remove the member, or correct its name.',
      schema: '{"properties": {"name": true}, "additionalProperties": false}',
      wrong: '{"nmae": "x"}',
      right: '{"name": "x"}',
    },
  },
  unevaluatedProperties: {
    ...NO_OTHER_MEMBER,
    sentence: ({ inactive }, found) =>
      inactive === true
        ? `${notAllowed(found)}: the part of the schema that knows it does not apply`
        : `${notAllowed(found)}: no schema that applies here allows it`,
    ofPayload: (params, { name }) => ({ ...params, additional: name }),
    suggest: absentName,
    text: {
      meaning: 'The object has a member that no part of the schema knows; the position is its name.',
      fix: 'Remove the member, or correct its name.',
      schema: '{"allOf": [{"properties": {"name": true}}], "unevaluatedProperties": false}',
      wrong: '{"nmae": "x"}',
      right: '{"name": "x"}',
    },
  },
};

/** @internal */
export const NAMES: Family<NameParams> = {
  propertyNames: {
    sentence: ({ wanted }, { text }) => {
      const words = `the name ${text ?? 'of this member'} is not allowed`;
      return wanted === undefined ? words : `${words}; expected ${wanted}`;
    },
    anchor: 'name',
    ofPayload: (params, { name }) => ({ ...params, name }),
    nameIn: ({ name }) => name,
    text: {
      meaning: 'The name of a member is not allowed.',
      fix: 'Correct the name.',
      schema: '{"propertyNames": {"maxLength": 3}}',
      wrong: '{"name": 1}',
      right: '{"id": 1}',
    },
  },
};

function notAllowed({ text }: Found): string {
  return `${text === null ? 'this member' : `the member ${text}`} is not allowed`;
}

/** A name in the schema that the object does not have, similar to the one that is not allowed. */
function absentName({ additional }: Additional, { value: read, properties }: About): Suggested | null {
  const value = read();
  if (!isJsonObject(value)) return null;
  const absent = Object.keys(properties).filter((name) => !Object.hasOwn(value, name));
  return suggested(nearMiss(additional ?? '', absent));
}

export interface UnevaluatedItemParams {
  unevaluatedItems: {
    /** How many items the schema knows. */
    readonly limit: number;
    /** Index of the item that it does not know. */
    readonly index: number;
  };
}

/** @internal */
export const UNEVALUATED_ITEMS: Family<UnevaluatedItemParams> = {
  unevaluatedItems: {
    sentence: ({ index }) => `the item at index ${index} is not allowed: no schema that applies here allows it`,
    ofPayload: (_, { items: [index, limit] }) => ({ limit, index }),
    text: {
      meaning: 'The array has an item that no part of the schema knows; the position is the item.',
      fix: 'Remove the item.',
      schema: '{"prefixItems": [true], "unevaluatedItems": false}',
      wrong: '["x", "y"]',
      right: '["x"]',
    },
  },
};

export interface DeprecatedParams {
  deprecated: {
    /** The name of the member, which may be payload text; absent: it must not be shown. */
    readonly name?: string;
  };
}

/** A remark, which rejects no value. Nodes have it only with `deprecations` of `schema/resources.ts`. @internal */
export const DEPRECATED: Family<DeprecatedParams> = {
  deprecated: {
    sentence: (_, { text }) => `${text === null ? 'this member' : `the member ${text}`} is deprecated`,
    anchor: 'name',
    ofPayload: (_, { name }) => ({ name }),
    nameIn: ({ name }) => name,
    text: {
      meaning:
        'The schema says that the member is deprecated; the position is its name. It is a warning, and off unless the config or --advice turns it on.',
      fix: 'Use what the schema has in its place.',
      schema: '{"properties": {"old": {"deprecated": true}}}',
      wrong: '{"old": 1}',
      right: '{}',
    },
    link: specification('validation', 'deprecated'),
  },
};
