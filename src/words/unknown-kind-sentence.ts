/** The message for a payload of an unknown kind: what it is, what it could be, and how to correct a known mistake. */
import { parsePointer } from '../json/pointer.ts';
import type { JsonType } from '../json/vocabulary.ts';
import { asWritten, quote } from './escape.ts';
import { foundText, numberText } from './value-text.ts';

/** Something that users pass by mistake. */
export type Mistake =
  | { readonly is: 'schema' }
  /** The input is a file that paylint itself has written. */
  | { readonly is: 'report' | 'baseline' }
  | {
      readonly is: 'wrapped';
      /** From the payload's root to the actual payloads; `*` is any element. Null: it must not be shown. */
      readonly pointer: string | null;
      readonly isMany: boolean;
      /** Unwraps a source; null if a name in it could be special in a shell. */
      readonly jq: string | null;
    };

export interface UnknownKindFacts {
  /** The members that decide the kind, and their values; without values, the member only has to be present. */
  readonly expected: readonly {
    readonly name: string;
    readonly allowed: readonly unknown[];
    /** By index: the numbers that a double prints in another way than the schema writes them. */
    readonly written?: Readonly<Record<number, string>>;
  }[];
  readonly found: {
    /** Of the member's value, or of the payload. */
    readonly type: JsonType;
    /** The member whose value belongs to no kind; null if there is none. */
    readonly member: string | null;
    /** Its value, if that is a string that may be shown. */
    readonly text: string | null;
    /** A name that is near to one of those expected, if it may be shown. */
    readonly near: string | null;
  };
  readonly mistake: Mistake | null;
}

/** One sentence, with payload text escaped. */
export function unknownKindSentence(facts: UnknownKindFacts): string {
  const { mistake } = facts;
  if (mistake?.is === 'schema') return 'this is a JSON Schema, not a payload: --schema takes it';
  if (mistake?.is === 'report') return 'this is a report of paylint, not a payload: --ignore leaves it out';
  if (mistake?.is === 'baseline') return 'this is a baseline of paylint, not a payload: --baseline takes it';
  if (mistake?.is === 'wrapped') return wrappedSentence(mistake, facts);
  const { type, member, text, near } = facts.found;
  const there = near === null ? '' : `; there is ${quote(near)}`;
  if (member !== null) {
    const shown = text === null ? foundText({ type, text: null }) : quote(text);
    return `${quote(member)} is ${shown}: expected ${wanted(facts)}${there}`;
  }
  if (type !== 'object') return `expected an object, found ${foundText({ type, text: null })}`;
  return `the kind is unknown: expected ${wanted(facts)}${there}`;
}

/** `"@type" "Article" or "Contract", or a member "emoji"` */
function wanted({ expected, found }: UnknownKindFacts): string {
  const ways = expected.map(({ name, allowed, written = {} }) => {
    if (allowed.length === 0) return `a member ${quote(name)}`;
    const values = allowed.map((value, i) => numberText(value, written[i])).join(', ');
    const list = allowed.length === 1 ? values : `one of ${values}`;
    return name === found.member ? list : `${quote(name)} to be ${list}`;
  });
  return ways.join(', or ') || 'what a test of the entry schema asks for';
}

function wrappedSentence(
  { pointer, isMany, jq }: Extract<Mistake, { is: 'wrapped' }>,
  { found }: UnknownKindFacts,
): string {
  const [holds, them] = isMany ? ['payloads', 'them'] : ['a payload', 'it'];
  if (pointer === null)
    return `${foundText({ type: found.type, text: null })} that holds ${holds}: unwrap ${them} first`;
  const where = placeText(pointer.replace(/(?:\/\*)+$/, ''));
  return `${where} holds ${holds}: ${jq === null ? `unwrap ${them} first` : `jq -c '${jq}' unwraps ${them}`}`;
}

/** `the member "data"`, or where in the payload the member is. */
function placeText(pointer: string): string {
  if (pointer === '') return 'this array';
  const [name, ...deeper] = parsePointer(pointer);
  return deeper.length === 0 ? `the member ${quote(name!)}` : asWritten(pointer);
}
