/**
 * The rule of `compare --against ajv`: what the two judges say of a payload, and the known reasons for which they differ.
 */
import { visible } from './escape.ts';

type AjvVerdict = 'valid' | 'invalid';

/** The `params`. */
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
}

/** By rule: why the judges differ. docs/schemas.md has the same, with more words. */
const KNOWN: Readonly<Record<string, string>> = {
  'duplicate-member': 'JSON.parse keeps the last of equal names',
  'number-out-of-range': 'JSON.parse reads it as Infinity',
  'nested-too-deep': 'this is a limit of paylint',
  'json-encoding': 'bytes that are not UTF-8 are replaced before Ajv gets them',
  format: 'ajv-formats defines formats in another way',
  ...numbers(
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'const',
    'enum',
    'type',
    'uniqueItems',
  ),
};

function numbers(...rules: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    rules.map((rule) => [rule, 'numbers count as they are written here, and as doubles in Ajv']),
  );
}

/** `valid here, invalid by Ajv: format at /a: must match format "uri" (known: …: docs/schemas.md#ajv)` @internal */
export function ajvSentence({ here, ajv }: AjvParams['compare/ajv'], rejected: readonly Rejected[]): string {
  // What is beside a reference is a reason by itself; what else is wrong may follow from it.
  const first = rejected.find(({ besideRef }) => besideRef) ?? rejected[0];
  const why =
    first === undefined
      ? ''
      : `: ${visible(first.rule)} at ${visible(first.pointer) || '(root)'}: ${first.message}`;
  const known = [first, ...rejected].map((one) => one && reasonFor(one)).find((one) => one != null);
  return `${here} here, ${ajv} by Ajv${why}${known == null ? '' : `; a known difference may be that ${known} (docs/schemas.md#ajv)`}`;
}

/** Null: the judges should agree. */
function reasonFor({ rule, besideRef }: Rejected): string | null {
  if (besideRef) return 'keywords beside $ref are ignored in draft-07 and older, and Ajv asserts them';
  return Object.hasOwn(KNOWN, rule) ? KNOWN[rule]! : null;
}
