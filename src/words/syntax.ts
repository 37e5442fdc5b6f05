/** Sentences for a text that is not JSON: one per cause, and one for all other faults. */
import type { ExpectedSyntax, SyntaxCause } from '../json/vocabulary.ts';
import { asWritten, quote, visible } from './escape.ts';

/** Where the bytes of the payload end. */
export type PayloadEnd = 'text' | 'line' | 'last line';

export interface SyntaxFacts {
  readonly cause: SyntaxCause | null;
  readonly expected: ExpectedSyntax;
  readonly ending: PayloadEnd;
  /** The text at fault; null: it must not be shown; '': the text ends too early. */
  readonly found: string | null;
  /** What the schema wants in the place of the value at fault, in words; absent or null: that is not known. */
  readonly wants?: string | null;
}

/** One sentence, with payload text escaped. */
export function syntaxSentence(facts: SyntaxFacts): string {
  const { cause, expected, ending, found, wants } = facts;
  if (cause !== null && cause !== 'cut-off')
    return SENTENCES[cause](facts) + (wants ? `; the schema wants ${wants} here` : '');
  const wanted = expected === 'the end' ? `the end of the ${ending === 'text' ? 'text' : 'line'}` : expected;
  if (found === null) return `expected ${wanted}`;
  if (found !== '') return `expected ${wanted}, found ${quote(found)}`;
  const end = ending === 'last line' ? 'the end of the last line, which is cut off' : `the end of the ${ending}`;
  return `expected ${wanted}, found ${end}`;
}

type Sentence = (facts: SyntaxFacts) => string;

/** `before` and the text at fault, or only `without` if that must not be shown. */
function showing(before: string, without: string, after = ''): Sentence {
  return ({ found }) => (found === null ? without : before + quote(found) + after);
}

const SENTENCES: Readonly<Record<Exclude<SyntaxCause, 'cut-off'>, Sentence>> = {
  empty: () => 'this is empty: expected a JSON text',
  html: () => 'this is HTML, not JSON: an error page?',
  xml: () => 'this is XML or HTML, not JSON',
  yaml: () => 'this looks like YAML, not JSON',
  csv: () => 'this looks like CSV, not JSON',
  'merge-conflict': ({ found }) =>
    `a merge conflict: git has left ${found === null ? 'its markers' : visible(found)} here`,
  'git-lfs': () => 'this is a pointer of Git LFS, not the file itself: git lfs pull fetches it',
  'event-stream': () =>
    "these are server-sent events, not JSON: sed -n 's/^data: *//p' prints the JSON that is in them",
  markdown: () => 'a fence of Markdown: the JSON is between the fences',
  'log-line': () => "text before the JSON, as in a log: sed 's/^[^{]*//' removes it",
  'not-json': showing('this is not JSON: it begins with ', 'this is not JSON'),
  comment: () => 'a comment: JSON has no comments',
  'trailing-comma': ({ expected }) =>
    `a trailing comma: JSON allows no comma before ${expected === 'a member name' ? '"}"' : '"]"'}`,
  'extra-comma': () => 'expected a value or a member before this comma',
  'missing-comma': ({ found }) =>
    found === null ? 'a comma is missing' : `a comma is missing before ${asWritten(found)}`,
  'comma-after-text': ({ ending }) =>
    ending === 'text'
      ? 'a comma after the text: several payloads need an array, [ ]'
      : 'a comma after the text: payloads on lines have no commas between them',
  'two-texts': ({ ending }) =>
    ending === 'text'
      ? 'a second text after the first: --input lines and --input stream read one text after another'
      : 'a second JSON text on this line: --input stream reads one text after another',
  'extra-bracket': showing('one bracket too many: ', 'one bracket too many'),
  'no-braces': () => 'a member outside of an object: "{" is missing, or the text is spread over several lines',
  'single-quotes': () => 'single quotes: JSON has double quotes (")',
  backquotes: () => 'backquotes: JSON has double quotes (")',
  'curly-quotes': () => 'curly quotes: JSON has straight double quotes (")',
  'doubled-quotes': () =>
    'doubled quotes (""), as in a cell of a CSV export: read it with a CSV reader, or write each as one quote',
  'unescaped-quote': () => 'the string ended before this: a double quote inside a string is written \\"',
  'unquoted-name': showing('a name needs double quotes: write ', 'a name needs double quotes'),
  'unquoted-string': showing('a string needs double quotes: write ', 'a string needs double quotes'),
  'byte-string': () => "a byte string of Python (b'…'): decode it before it is written",
  nan: ({ wants }) => `JSON has no NaN${wants ? '' : ': write null or a string'}`,
  infinity: ({ wants }) => `JSON has no Infinity${wants ? '' : ': write null or a string'}`,
  'python-literal': ({ found }) =>
    found === null
      ? 'a literal of Python: JSON has true, false and null'
      : `${visible(found)} is Python: JSON has ${found === 'None' ? 'null' : found.toLowerCase()}`,
  undefined: ({ wants }) => `JSON has no undefined: ${wants ? '' : 'write null, or '}leave the member out`,
  'wrong-case': ({ found }) =>
    found === null
      ? 'JSON writes true, false and null in lower case'
      : `${visible(found)} is written ${visible(found.toLowerCase())} in JSON`,
  hexadecimal: () => 'a hexadecimal number: JSON has only decimal numbers (JSON5 has others)',
  'plus-sign': () => 'a plus sign: JSON numbers have none (JSON5 allows it)',
  'leading-point': () => 'a digit is missing before the point (JSON5 allows that)',
  'trailing-point': () => 'a digit is missing after the point (JSON5 allows that)',
  'leading-zero': () => 'a leading zero: JSON numbers have none',
  'line-break-in-string': () => 'a line break in a string: write \\n',
  'tab-in-string': () => 'a tab in a string: write \\t',
  'control-character-in-string': ({ found }) =>
    found === null
      ? 'a control character in a string: write its \\u escape'
      : `a control character in a string: write ${visible(found)}`,
  'wrong-escape': ({ found }) =>
    found === null
      ? 'not an escape of JSON; a backslash is written \\\\'
      : `"\\${visible(found)}" is not an escape of JSON; a backslash is written \\\\`,
  'odd-space': ({ found }) =>
    found === null ? 'this is not white space in JSON' : `${codePoint(found)} is not white space in JSON`,
};

/** `U+00A0` */
function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
