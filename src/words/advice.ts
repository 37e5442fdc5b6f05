/**
 * The rules of `--advice`: their params, the sentence for each, and what `explain` says about them. Text of a payload is
 * quoted before it comes here, or left out.
 */
import { quote, visible } from './escape.ts';
import type { NoParams } from './param-shapes.ts';
import { RFC, type RuleRow } from './rule.ts';
import { numberText } from './value-text.ts';

/** The `params` of advice. */
export interface AdviceParams {
  'advice/age-order': Ages | NoParams;
  'advice/blank': NoParams;
  'advice/date-time': NoParams;
  'advice/date-order': { readonly start: string; readonly end: string };
  'advice/effective-date': { readonly limit: 'startDate' | 'endDate' };
  'advice/id-conflict': { readonly first: ClaimPlace };
  'advice/misspelt-member': { readonly known: string };
  'advice/reply-to-self': NoParams;
}

/** Both ages; `written`: the texts of those that are no doubles. */
interface Ages {
  readonly minAge: number;
  readonly maxAge: number;
  readonly written?: { readonly minAge?: string; readonly maxAge?: string };
}

/** Where the first payload of an `@id` is. */
export interface ClaimPlace {
  readonly file: string;
  readonly line: number;
}

export type AdviceRule = keyof AdviceParams;

/** @internal */
interface AdviceRow<Params> extends RuleRow {
  /** `text`: what the advice is about, quoted; null: nothing, or it must not be shown. */
  readonly sentence: (params: Params, text: string | null) => string;
}

/** In the order in which documents list them. @internal */
export const ADVICE: { readonly [R in AdviceRule]: AdviceRow<AdviceParams[R]> } = {
  'advice/age-order': {
    sentence(ages) {
      if (!('minAge' in ages)) return 'minAge is above maxAge';
      const { minAge, maxAge, written = {} } = ages;
      return `minAge ${numberText(minAge, written.minAge)} is above maxAge ${numberText(maxAge, written.maxAge)}`;
    },
    text: {
      meaning: 'The lowest age is greater than the highest age, so the range is empty.',
      fix: 'Swap the two ages, or correct one of them.',
      wrong: '{"minAge": 18, "maxAge": 12}',
      right: '{"minAge": 12, "maxAge": 18}',
    },
    link: null,
    hidesText: true,
  },
  'advice/blank': {
    sentence: () => 'this text has only white space',
    text: {
      meaning:
        'A text of the schema has only white space. It is long enough for the schema, and yet it says nothing.',
      fix: 'Write the text, or leave the member out if it is not required.',
      wrong: '{"title": " "}',
      right: '{"title": "Sleep"}',
    },
    link: null,
    hidesText: false,
  },
  'advice/date-time': {
    sentence: (_, text) => `${text ?? 'this text'} is not an RFC 3339 date and time`,
    text: {
      meaning:
        'The value of a date or time member is not a date and time of RFC 3339. The schemas take any text there, most readers do not.',
      fix: 'Write it with date, time and offset, such as 2026-03-01T09:00:00Z.',
      wrong: '{"startDate": "1st of March 2026, 9h"}',
      right: '{"startDate": "2026-03-01T09:00:00Z"}',
    },
    link: `${RFC}3339#section-5.6`,
    hidesText: false,
  },
  'advice/date-order': {
    sentence: ({ start, end }) => `${end} is before ${start}`,
    text: {
      meaning: 'An end is before its start: endDate before startDate, or endTime before startTime.',
      fix: 'Swap the two, or correct one of them.',
      wrong: '{"startTime": "2026-03-01T10:00:00Z", "endTime": "2026-03-01T09:00:00Z"}',
      right: '{"startTime": "2026-03-01T09:00:00Z", "endTime": "2026-03-01T10:00:00Z"}',
    },
    link: null,
    hidesText: false,
  },
  'advice/effective-date': {
    sentence: ({ limit }) =>
      `effectiveDate is ${limit === 'startDate' ? 'before startDate' : 'after endDate'}`,
    text: {
      meaning: 'The effectiveDate of a contract is before its startDate or after its endDate.',
      fix: 'Correct one of the dates.',
      wrong:
        '{"startDate": "2026-01-01T00:00:00Z", "endDate": "2026-12-31T00:00:00Z", "effectiveDate": "2027-01-01T00:00:00Z"}',
      right:
        '{"startDate": "2026-01-01T00:00:00Z", "endDate": "2026-12-31T00:00:00Z", "effectiveDate": "2026-02-01T00:00:00Z"}',
    },
    link: null,
    hidesText: false,
  },
  'advice/id-conflict': {
    sentence: ({ first: { file, line } }, text) =>
      `${text ?? 'this @id'} is also the @id of a payload with other content, at ${visible(file)}:${line}`,
    text: {
      meaning:
        'An earlier payload of the run has the same @id and other content, so readers cannot know which one counts. White space, escapes and the order of members make no difference; the first payload of this @id is at params.first.',
      fix: 'Correct one of the two @ids, or keep only the payload that counts.',
      wrong: '[{"@id": "c1", "content": "A"}, {"@id": "c1", "content": "B"}]',
      right: '[{"@id": "c1", "content": "A"}, {"@id": "c2", "content": "B"}]',
    },
    link: null,
    hidesText: false,
  },
  'advice/misspelt-member': {
    sentence: (_, text) => `the schema has no member ${text ?? 'of this name'}`,
    text: {
      meaning:
        'The schema has no such member, but one with nearly the same name, which the object does not have. Other members are allowed there, so nothing else finds it.',
      fix: 'Correct the name. If the member is meant, turn the rule off in the config.',
      wrong: '{"tilte": "Sleep"}',
      right: '{"title": "Sleep"}',
    },
    link: null,
    hidesText: false,
  },
  'advice/reply-to-self': {
    sentence: () => 'replyTo points to the content item itself',
    text: {
      meaning: 'The @id of replyTo is the @id of the content item itself.',
      fix: 'Write the @id of the item that is replied to.',
      wrong: '{"@id": "c1", "replyTo": {"@id": "c1", "@type": "Comment"}}',
      right: '{"@id": "c2", "replyTo": {"@id": "c1", "@type": "Comment"}}',
    },
    link: null,
    hidesText: false,
  },
};

/** @internal */
export function adviceSentence<R extends AdviceRule>(
  rule: R,
  params: AdviceParams[R],
  text: string | null,
): string {
  return ADVICE[rule].sentence(params, text);
}

/** Payload text for a sentence: quoted and cut; null under `--redact`. @internal */
export function shown(text: string, redact: boolean): string | null {
  return redact ? null : quote(text);
}
