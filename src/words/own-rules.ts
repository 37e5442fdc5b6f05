/** The rules that are in no schema. Payload text is escaped before it gets here, or left out. */
import type { ExpectedSyntax, SyntaxCause } from '../json/vocabulary.ts';
import { quote } from './escape.ts';
import { sizeText } from './number-text.ts';
import { type Limit, type NoParams, OF_PAYLINT, RFC, type RuleRow } from './rule.ts';
import { type SyntaxFacts, syntaxSentence } from './syntax.ts';
import { type UnknownKindFacts, unknownKindSentence } from './unknown-kind-sentence.ts';
import { count, type FoundText } from './value-text.ts';

/** The `params` of their violations. `First`: the place of the first of two equal names. */
export interface OwnParams<First> {
  'json-syntax': { readonly cause?: SyntaxCause; readonly expected: ExpectedSyntax };
  'json-encoding': { readonly encoding?: string };
  'duplicate-member': { readonly first: First };
  'number-out-of-range': NoParams;
  'unpaired-surrogate': NoParams;
  'unknown-kind': UnknownKindParams | NoParams;
  'payload-too-large': Limit;
  /** Null: the stack has no room for the payload. */
  'nested-too-deep': { readonly limit: number | null };
  /** The rule that the filled payload would break, and its facts. */
  'unsafe-default': { readonly rule: string } | NoParams;
  /** The same for the pruned payload. */
  'unsafe-prune': { readonly rule: string } | NoParams;
}

interface UnknownKindParams {
  readonly kinds: readonly string[];
  readonly members: readonly string[];
  readonly allowed?: readonly unknown[];
  readonly written?: Readonly<Record<number, string>>;
  readonly mistake?: 'wrapped' | 'schema' | 'report' | 'baseline';
  readonly wrapped?: string;
  readonly jq?: string;
}

export type OwnRule = keyof OwnParams<unknown>;

/** The facts for the messages of rules whose params are not enough for them. @internal */
interface MessageFacts {
  'json-syntax': SyntaxFacts;
  'json-encoding':
    | { readonly encoding: string }
    /** `offset`: in bytes; `cutOff`: the last line ends within the character; `isLatin`: it looks like Latin-1. */
    | { readonly offset: number; readonly cutOff: boolean; readonly isLatin: boolean };
  'duplicate-member': NoParams;
  'unknown-kind': UnknownKindFacts;
  'unsafe-default': UnsafeFacts;
  'unsafe-prune': UnsafeFacts;
}

type UnsafeFacts =
  /** The rule that the repaired payload would break, and the message for that. */
  | { readonly broken: string; readonly message: string }
  /** The kind that the payload has, and the one that it would have; null: none. */
  | { readonly kind: string; readonly other: string | null };

/** The facts for the message of each rule: its params, unless the message needs others. @internal */
export type OwnFacts = {
  readonly [R in OwnRule]: R extends keyof MessageFacts ? MessageFacts[R] : OwnParams<unknown>[R];
};

/** @internal */
interface OwnRow<Facts> extends RuleRow {
  readonly sentence: (facts: Facts, found: FoundText) => string;
  /** The payload cannot be read, so the config cannot make the violation a warning. */
  readonly isFatal: boolean;
}

/** In the order in which documents list them. @internal */
export const OWN_RULES: { readonly [R in OwnRule]: OwnRow<OwnFacts[R]> } = {
  'json-syntax': {
    sentence: (facts) => syntaxSentence(facts),
    text: {
      meaning: 'The text is not JSON (RFC 8259); the position is the byte at which parsing failed.',
      fix: 'Write what was expected. A last line that is cut off was probably not written to its end.',
      wrong: "{'name': 'x',}",
      right: '{"name": "x"}',
    },
    link: `${RFC}8259`,
    hidesText: false,
    isFatal: true,
  },
  'json-encoding': {
    sentence: encodingText,
    text: {
      meaning: 'The bytes are not UTF-8 (RFC 3629), or the source is in another encoding such as UTF-16.',
      fix: 'Convert the file, for example with iconv -f UTF-16LE -t UTF-8.',
      wrong: 'the byte E9 for é, as in Latin-1',
      right: 'the bytes C3 A9 for é',
    },
    link: `${RFC}8259#section-8.1`,
    hidesText: false,
    isFatal: true,
  },
  'duplicate-member': {
    sentence: (_, { text }) => `duplicate name${text === null ? '' : ` ${text}`} in this object`,
    text: {
      meaning:
        'A name occurs twice in one object. Readers disagree about which one counts (RFC 8259, section 4), and JSON-LD forbids it.',
      fix: 'Remove one of them; the first is at params.first.',
      wrong: '{"name": "x", "name": "y"}',
      right: '{"name": "x"}',
    },
    link: `${RFC}8259#section-4`,
    hidesText: false,
    isFatal: false,
  },
  'number-out-of-range': {
    sentence: (_, { text }) => `${text ?? 'this number'} is beyond the range of a double (about 1.8e308)`,
    text: {
      meaning: 'A number is beyond the range of an IEEE 754 double, so most readers cannot hold it.',
      fix: 'Write a number below about 1.8e308, or a string.',
      wrong: '{"maxAge": 1e400}',
      right: '{"maxAge": 99}',
    },
    link: `${RFC}8259#section-6`,
    hidesText: false,
    isFatal: false,
  },
  'unpaired-surrogate': {
    sentence: (_, { text }) => `${text ?? 'this text'} has half a surrogate pair, which is no character`,
    text: {
      meaning:
        'An escape in a name or a text is half a surrogate pair: no character, which readers refuse or replace (RFC 8259, section 8.2).',
      fix: 'Write both halves, or the character itself. A text that was cut by code units ends like this.',
      wrong: '{"emoji": "\\ud83d"}',
      right: '{"emoji": "\\ud83d\\ude00"}',
    },
    link: `${RFC}8259#section-8.2`,
    hidesText: false,
    isFatal: false,
  },
  'unknown-kind': {
    sentence: (facts) => unknownKindSentence(facts),
    text: {
      meaning: 'The payload passes the test of no kind, so it has no schema.',
      fix: 'For your own payloads, name your own schema: --schema FILE, or "schema" in paylint.config.json. For the built-in kinds, see what paylint kinds lists; --kind NAME skips the test.',
      wrong: '{"@type": "Artcle"}',
      right: '{"@type": "Article"}',
    },
    link: null,
    hidesText: true,
    isFatal: false,
  },
  'payload-too-large': {
    sentence: ({ limit }) => `this payload is larger than ${sizeText(limit)}; --max-payload-bytes sets the limit`,
    text: {
      meaning: 'The payload has more bytes than the limit, and was not read.',
      fix: 'Raise the limit with --max-payload-bytes, or split the payload.',
      wrong: 'a payload of 65 MiB',
      right: 'a payload of 64 MiB',
    },
    ...OF_PAYLINT,
    isFatal: true,
  },
  'nested-too-deep': {
    sentence: ({ limit }) =>
      limit === null
        ? 'nested too deep for its schema to be applied, or the schema refers to itself without end'
        : `nested deeper than ${count(limit, 'level')}; --max-depth sets the limit`,
    text: {
      meaning: 'Objects and arrays are nested deeper than the limit.',
      fix: 'Raise the limit with --max-depth, or flatten the payload.',
      wrong: '[[[1]]] with --max-depth 2',
      right: '[[1]] with --max-depth 2',
    },
    ...OF_PAYLINT,
    isFatal: true,
  },
  'unsafe-default': {
    sentence: (facts) => unsafeText('with its defaults filled in', 'invalid', facts),
    text: {
      meaning:
        'The payload is valid, or of its kind, only as long as the defaults of its schema are not filled in. So fill leaves it as it is.',
      fix: 'Correct the schema: the defaults break params.rule.',
      schema: '{"properties": {"b": {"default": 1}}, "maxProperties": 1}',
      wrong: '{"a": 1}',
      right: '{}',
    },
    link: null,
    hidesText: true,
    isFatal: false,
  },
  'unsafe-prune': {
    sentence: (facts) =>
      unsafeText('without the members that the schema does not allow', 'wrong in another way', facts),
    text: {
      meaning:
        'Without the members that the schema does not allow, the payload would break another rule, or be of another kind. So prune leaves it as it is.',
      fix: 'Correct the payload by hand: what is left breaks params.rule.',
      schema: '{"properties": {"b": true}, "additionalProperties": false, "minProperties": 1}',
      wrong: '{"a": 1}',
      right: '{"b": 1}',
    },
    link: null,
    hidesText: true,
    isFatal: false,
  },
};

/** The beginning of the message of a failure that is about one payload. @internal */
export function notChecked(payload: number, line: number): string {
  return `payload ${payload} (line ${line}) could not be checked`;
}

/** Says that checks are not asked. `by`: what asks them. @internal */
export function notCompared(checks: readonly { readonly id: string }[], by: string): string {
  const names = checks.map(({ id }) => `check/${id}`).join(', ');
  return `${names} compare${checks.length === 1 ? 's' : ''} payloads: only ${by} asks that`;
}

/** The sentence for a violation. @internal */
export function ownSentence<R extends OwnRule>(rule: R, facts: OwnFacts[R], found: FoundText): string {
  return OWN_RULES[rule].sentence(facts, found);
}

/** What to do about a letter of Latin-1 (or Windows-1252). @internal */
export const LATIN_1 = 'if this is Latin-1, iconv -f ISO-8859-1 -t UTF-8 converts it';

function encodingText(facts: OwnFacts['json-encoding'], { text }: FoundText): string {
  if ('encoding' in facts) {
    const { encoding } = facts;
    return `this is ${encoding} from byte offset 0 on, but payloads must be UTF-8; iconv -f ${encoding} -t UTF-8 converts it`;
  }
  const subject = text === null ? 'the byte' : `the byte ${text}`;
  const cutOff = facts.cutOff ? '; the last line is cut off' : '';
  const latin = facts.isLatin ? `; ${LATIN_1}` : '';
  return `${subject} at byte offset ${facts.offset} is not UTF-8${cutOff}${latin}`;
}

/** `how`: what would be done to the payload; `wrong`: what it would be. */
function unsafeText(how: string, wrong: string, facts: UnsafeFacts): string {
  if ('broken' in facts) {
    const { broken, message } = facts;
    return `${how}, this payload would be ${wrong} (${broken}: ${message}); it is left as it is`;
  }
  const become = facts.other === null ? 'of an unknown kind' : `of the kind ${quote(facts.other)}`;
  return `${how}, this payload would be ${become} instead of ${quote(facts.kind)}; it is left as it is`;
}
