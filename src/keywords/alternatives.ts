/**
 * Keywords that apply other schemas to the same value: `anyOf` and `oneOf`, of which a value must match one, those that
 * decide about others (`not`, `if`), and the schema `false`.
 */
import { visible } from '../words/escape.ts';
import type { NoParams } from '../words/rule.ts';
import { type Found, foundText, inWords, schemaText } from '../words/value-text.ts';
import type { Family } from './keyword.ts';
import { type Allowed, isIn, isOfType, listed, nearValue, typeNames, unquoted } from './values.ts';

interface NamedAlternative {
  readonly title?: string | undefined;
  readonly tag?: Unmatched['tag'] | undefined;
  /** File and pointer. */
  readonly schema: string;
}

interface Unmatched extends Partial<Allowed> {
  readonly alternatives: number;
  /** The place in the schema of the alternative that was probably meant. */
  readonly closest?: string;
  /** The title of `closest`; absent: it has none. */
  readonly title?: string;
  /** The member by which `closest` was chosen, with its value; absent: there is none. */
  readonly tag?: { readonly name: string; readonly value: string };
  /** What the alternatives want, in words; absent: too many words are needed. */
  readonly wanted?: string;
  /** Violations of that alternative that are not listed. */
  readonly more?: number;
  /** With `allowed`: all that the alternatives allow, each certain values or another type than the value's. */
  readonly expected?: readonly string[];
}

export interface AlternativeParams {
  anyOf: Unmatched;
  oneOf: Unmatched & {
    /** Indexes of the first two alternatives that match; null: none does. */
    readonly passing: readonly number[] | null;
    /** Their places in the schema. */
    readonly matching?: readonly string[];
  };
  not: {
    /** What the schema rules out, in words; absent: too many words are needed. */
    readonly excluded?: string;
    /** The members that must not all be present, if the schema rules out nothing else; absent: it does. */
    readonly members?: readonly string[];
  };
  false: NoParams;
  if: NoParams;
}

/** What a schema without assertions allows, in words. @internal */
export const ANY_VALUE = 'any value';
const NO_VALUE = 'no value is allowed here';

/** @internal */
export const ALTERNATIVES: Family<AlternativeParams> = {
  anyOf: {
    sentence: unmatched,
    judgesAll: true,
    suggest: nearValue,
    text: {
      meaning: 'The value matches none of the alternatives.',
      fix: 'Make it match one of them. What the closest one does not allow is listed below the violation.',
      schema: '{"anyOf": [{"const": 1}, {"const": 2}]}',
      wrong: '3',
      right: '2',
    },
  },
  oneOf: {
    sentence: ({ matching, ...params }, found) =>
      matching === undefined
        ? unmatched(params, found)
        : `${foundText(found)} matches more than one of the alternatives: ${matching.map(visible).join(' and ')}`,
    judgesAll: true,
    suggest: nearValue,
    text: {
      meaning: 'The value matches none of the alternatives, or more than one.',
      fix: 'Make it match exactly one. If it matches none, what the closest one does not allow is listed below the violation.',
      schema: '{"oneOf": [{"minimum": 0}, {"maximum": 10}]}',
      wrong: '5',
      right: '11',
    },
  },
  not: {
    sentence: ({ excluded, members }, found) =>
      members !== undefined
        ? refusedMembers(members)
        : excluded === ANY_VALUE
          ? NO_VALUE
          : excluded === undefined
            ? `${foundText(found)} matches the schema under "not"`
            : `expected anything but ${excluded}, found ${foundText(found)}`,
    judgesAll: true,
    text: {
      meaning: 'The value matches the schema under "not", which rules it out.',
      fix: 'Change the value.',
      schema: '{"not": {"const": 0}}',
      wrong: '0',
      right: '1',
    },
  },
  false: {
    sentence: () => NO_VALUE,
    text: {
      meaning: 'The schema allows no value here.',
      fix: 'Remove the value.',
      schema: '{"properties": {"old": false}}',
      wrong: '{"old": 1}',
      right: '{}',
    },
    link: null,
  },
  if: { sentence: () => 'the schema\'s "if" does not hold', text: null, link: null },
};

function unmatched(
  { alternatives, closest, title, tag, wanted, more = 0, expected = [], allowed = [], ...params }: Unmatched,
  found: Found,
): string {
  if (expected.length + allowed.length > 0) {
    const values = allowed.length === 0 ? [] : [listed({ allowed, ...params })];
    const types = expected.length === 0 ? [] : [typeNames(expected)];
    const isRight = (value: unknown): boolean => isIn(value, { allowed }) || isOfType(value, expected);
    return `expected ${[...values, ...types].join(' or ')}, found ${foundText(found)}${unquoted(found, isRight)}`;
  }
  if (wanted !== undefined) return `expected ${wanted}, found ${foundText(found)}`;
  const fails =
    alternatives === 1 ? 'does not match the only alternative' : `matches none of the ${alternatives} alternatives`;
  const by = closest === undefined ? '' : alternativeText({ schema: closest, title, tag });
  const near = closest === undefined || alternatives === 1 ? '' : `; the closest is ${by}`;
  const others = more === 0 ? '' : ` (${more} of its violations ${more === 1 ? 'is' : 'are'} not listed)`;
  return `${foundText(found)} ${fails}${near}${others}`;
}

/** `"Card", that for "method": "card", s.json#/oneOf/0` @internal */
export function alternativeText({ title, tag, schema }: NamedAlternative): string {
  return [
    ...(title === undefined ? [] : [schemaText(title)]),
    ...(tag === undefined ? [] : [`that for ${schemaText(tag.name)}: ${schemaText(tag.value)}`]),
    visible(schema),
  ].join(', ');
}

function refusedMembers(members: readonly string[]): string {
  const names = inWords(members.map(schemaText));
  return members.length > 1
    ? `the members ${names} must not be there together`
    : `the member ${names} must not be there`;
}
