/**
 * The rules of `paylint test`: what a failing test breaks, which test it is, and what was found instead. And the rule of
 * `compare --against ajv`: what the two judges say of a payload, and the known reasons for which they differ.
 */
import { quote, visible } from './escape.ts';
import { plural } from './number-text.ts';
import { OF_PAYLINT, type RuleRow } from './rule.ts';

/** A violation that was found. */
export interface TestedViolation {
  readonly rule: string;
  /** RFC 6901, from the payload's root. */
  readonly pointer: string;
}

/** A violation that a test expects, and what must be listed below it. */
export interface ExpectedViolation extends TestedViolation {
  readonly children?: readonly ExpectedViolation[];
}

/** One that was not found. */
export interface MissingViolation extends ExpectedViolation {
  /** The violation that was found and lists it among its children; absent: it is nowhere. */
  readonly below?: TestedViolation;
}

/** The `params`; `test`: its description, or absent for a file in a folder. */
export interface TestParams {
  'test/expected-valid': { readonly test?: string; readonly found: readonly TestedViolation[] };
  'test/expected-invalid': { readonly test?: string };
  /** Empty: the file has no payload. */
  'test/not-json': { readonly test?: string; readonly found: readonly TestedViolation[] };
  'test/violations': {
    readonly test?: string;
    /** Expected and not found. */
    readonly missing: readonly MissingViolation[];
    /** Found and not expected. */
    readonly unexpected: readonly TestedViolation[];
  };
}

export type TestRule = keyof TestParams;

/** @internal */
export interface TestRow<Params> extends RuleRow {
  readonly sentence: (params: Params) => string;
}

const LISTED_IN_TEST = 5;

/** In the order in which documents list them. @internal */
export const TEST_RULES: { readonly [R in TestRule]: TestRow<TestParams[R]> } = {
  'test/expected-valid': {
    sentence: ({ test, found }) =>
      `${named(test)}expected a valid payload, found ${plural(found.length, 'violation')}: ${listed(found)}`,
    text: {
      meaning: 'A test says that the payload is valid, but the schema rejects it.',
      fix: 'Correct the schema, or the payload of the test.',
      wrong: '{"valid": true, "data": "x"} for {"type": "integer"}',
      right: '{"valid": true, "data": 1} for {"type": "integer"}',
    },
    ...OF_PAYLINT,
  },
  'test/expected-invalid': {
    sentence: ({ test }) => `${named(test)}expected an invalid payload, found a valid one`,
    text: {
      meaning: 'A test says that the payload is invalid, but the schema accepts it.',
      fix: 'Make the schema stricter, or correct the payload of the test.',
      wrong: '{"valid": false, "data": 1} for {"type": "integer"}',
      right: '{"valid": false, "data": "x"} for {"type": "integer"}',
    },
    ...OF_PAYLINT,
  },
  'test/not-json': {
    sentence: ({ test, found }) =>
      found.length === 0
        ? 'expected a payload, found none'
        : `${named(test)}expected an invalid payload, found no JSON: ${listed(found)}`,
    text: {
      meaning:
        'A test says that the payload is invalid, but it is not JSON, so the schema was not asked; or the file has no payload.',
      fix: 'Correct the JSON; or list the violation json-syntax in a file of tests, if that is what is meant.',
      wrong: '{"valid": false, "dataPath": "broken.json"} for {"type": "integer"}',
      right:
        '{"violations": [{"rule": "json-syntax", "pointer": ""}], "dataPath": "broken.json"} for {"type": "integer"}',
    },
    ...OF_PAYLINT,
  },
  'test/violations': {
    sentence: ({ test, missing, unexpected }) => `${named(test)}${differences(missing, unexpected)}`,
    text: {
      meaning: 'The violations of the payload are not those that the test lists, by rule and pointer.',
      fix: 'Correct the schema, the payload, or the list of the test.',
      wrong: '{"violations": [{"rule": "type", "pointer": ""}], "data": 1} for {"type": "integer"}',
      right: '{"violations": [{"rule": "type", "pointer": ""}], "data": "x"} for {"type": "integer"}',
    },
    ...OF_PAYLINT,
  },
};

function named(test: string | undefined): string {
  return test === undefined ? '' : `${quote(test)}: `;
}

function differences(missing: readonly MissingViolation[], unexpected: readonly TestedViolation[]): string {
  const parts = [
    missing.length === 0 ? '' : `expected and not found: ${listed(missing)}`,
    unexpected.length === 0 ? '' : `found and not expected: ${listed(unexpected)}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** `minimum at /age, oneOf at /pay (below it: type at /pay/name) and 3 more` */
function listed(violations: readonly MissingViolation[]): string {
  const shown = violations.slice(0, LISTED_IN_TEST).map((one) => placed(one) + relatives(one));
  const more = violations.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function placed({ rule, pointer }: TestedViolation): string {
  return `${visible(rule)} at ${at(pointer)}`;
}

function relatives({ children = [], below }: MissingViolation): string {
  if (below !== undefined) return ` (which is among the "children" of ${placed(below)})`;
  return children.length === 0 ? '' : ` (below it: ${listed(children)})`;
}

function at(pointer: string): string {
  return pointer === '' ? '(root)' : visible(pointer);
}

type AjvVerdict = 'valid' | 'invalid';

export interface AjvParams {
  'compare/ajv': { readonly here: AjvVerdict; readonly ajv: AjvVerdict };
}

/** What is wrong by the judge that rejects the payload. @internal */
export interface Rejected {
  readonly rule: string;
  readonly pointer: string;
  readonly message: string;
  /** The keyword is beside a `$ref` in the schema. Absent: false. */
  readonly besideRef?: boolean;
  /** The value as it is written; null: it is not known. */
  readonly text: string | null;
}

/** Only this makes null a value of another type for Ajv. */
const NULLABLE = 'Ajv takes "nullable" as OpenAPI means it, and here it needs "vocabularies": ["openapi"]';

/** By rule: why the judges differ. docs/reference/ajv.md has the same, with more words. */
const KNOWN: Readonly<Record<string, string>> = {
  'duplicate-member': 'JSON.parse keeps the last of equal names',
  'number-out-of-range': 'JSON.parse reads it as Infinity',
  'unpaired-surrogate': 'JSON.parse takes half a surrogate pair',
  'nested-too-deep': 'this is a limit of paylint',
  'json-encoding': 'bytes that are not UTF-8 are replaced before Ajv gets them',
  format: 'ajv-formats defines formats in another way',
};

/** A number of JSON outside of strings. */
const NUMBER = /^(?:[^"\d]|"(?:[^"\\]|\\.)*")*\d/s;

/** `valid here, invalid by Ajv: format at /a: …`. `ofNumbers`: rules that may compare numbers. @internal */
export function ajvSentence(
  { here, ajv }: AjvParams['compare/ajv'],
  rejected: readonly Rejected[],
  ofNumbers: ReadonlySet<string>,
): string {
  // What is beside a reference is a reason by itself; what else is wrong may follow from it.
  const first = rejected.find(({ besideRef }) => besideRef) ?? rejected[0];
  const why =
    first === undefined ? '' : `: ${visible(first.rule)} at ${visible(first.pointer) || '(root)'}: ${first.message}`;
  const known = [first, ...rejected].map((one) => one && reasonFor(one, ofNumbers)).find((one) => one != null);
  return `${here} here, ${ajv} by Ajv${why}${known == null ? '' : `; a known difference may be that ${known} (docs/reference/ajv.md)`}`;
}

/** Null: the judges should agree. */
function reasonFor({ rule, besideRef, text }: Rejected, ofNumbers: ReadonlySet<string>): string | null {
  if (rule === 'type' && text === 'null') return NULLABLE;
  if (besideRef) return 'keywords beside $ref are ignored in the draft of this schema, and Ajv asserts them';
  if (ofNumbers.has(rule) && text !== null && NUMBER.test(text))
    return 'numbers count as they are written here, and as doubles in Ajv';
  return Object.hasOwn(KNOWN, rule) ? KNOWN[rule]! : null;
}
