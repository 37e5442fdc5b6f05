/**
 * Random regular expressions, with all syntax that automata support and some that they leave to RegExp, and texts for
 * them. Both are short and use few characters, so that they often match, and RegExp, which may take exponential time,
 * ends soon.
 */
import fc from 'fast-check';
import { regExpFault } from '../../src/schema/regexp.ts';

/** Each is at an edge of something: a class of characters, a length in UTF-8, a surrogate. */
const CHARACTERS = [
  ...['a', 'b', 'c', 'z', 'A', 'Z', '0', '9', '_', '-', ' ', '/', ':', '@', '[', '`', '{'],
  ...['\0', '\t', '\n', '\v', '\r', '\x1f', '\x7f', '\x80', '\xa0', '\xe9', '\u07ff', '\u0800', '\u1680'],
  ...['\u2028', '\u2029', '\u202f', '\u3000', '\ud7ff', '\ue000', '\ufeff', '\uffff'],
  ...['\u{10000}', '\u{1f600}', '\u{1f601}', '\u{3ffff}', '\u{40000}', '\u{10ffff}'],
  ...['\ud800', '\ud83d', '\udbff', '\udc00', '\ude00', '\udfff'],
] as const;

const character = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', '_') },
  { weight: 2, arbitrary: fc.constantFrom(...CHARACTERS) },
  // Characters that `.`, `\s` and `\w` distinguish.
  { weight: 2, arbitrary: fc.constantFrom('\n', '\u2028', '\u2029', '\t', '\xa0', '\ufeff', ' ', '_') },
);

/** Texts of up to 10 code points, well-formed or not. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.array(character, { maxLength: 8 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
);

/** Notations of one character. A surrogate written as itself could join with its neighbour. */
function spellings(one: string, unicode: boolean): string[] {
  const point = one.codePointAt(0)!;
  const hex = (length: number): string => point.toString(16).padStart(length, '0');
  const spelled: string[] = [];
  if (/[\w:@ -]/.test(one)) spelled.push(one);
  else if (/[[{/`]/.test(one)) spelled.push(one === '`' ? one : `\\${one}`);
  else if (point < 0xd800 || point > 0xdfff)
    spelled.push(
      one.replace(/[\n\r\u2028\u2029]/g, (end) => `\\u${end.codePointAt(0)!.toString(16).padStart(4, '0')}`),
    );
  if (point < 0x100) spelled.push(`\\x${hex(2)}`);
  if (point < 0x10000) spelled.push(`\\u${hex(4)}`);
  if (unicode) spelled.push(`\\u{${hex(1)}}`);
  if (point >= 0x10000 && unicode)
    spelled.push([...one.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16)}`).join(''));
  return spelled;
}

const ESCAPES = ['\\d', '\\D', '\\w', '\\W', '\\s', '\\S'];
const CONTROLS = ['\\0', '\\t', '\\n', '\\v', '\\f', '\\r', '\\cJ', '\\cz'];
/** RegExp is used once per notation, which takes a while: so only a few, and no random classes. */
const PROPERTIES = ['\\p{Lu}', '\\P{L}', '\\p{Cs}', '[\\p{sc=Greek}_]', '[^\\P{Ll}a-f]'];
/** Valid only without the flag `u`. */
const ANNEX_B = ['\\_', '\\-', '{', ']', '}', '{,2}', '\\c', '[\\w-.]', '[\\c_]', '\\07', '\\a', '[\\8\\101]'];
const ANCHORS = ['^', '$', '\\b', '\\B'];
const QUANTIFIERS = ['*', '+', '?', '{0}', '{1}', '{2}', '{3,}', '{0,1}', '{1,3}', '{2,4}', '{0,}', '{2,2}'];

function spelled(unicode: boolean): fc.Arbitrary<string> {
  return character.chain((one) => fc.constantFrom(...spellings(one, unicode)));
}

function classOf(unicode: boolean): fc.Arbitrary<string> {
  const point = (one: string): number => one.codePointAt(0)!;
  const range = fc.tuple(character, character).map(([a, b]) => {
    const [first, last] = point(a) <= point(b) ? [a, b] : [b, a];
    return `${spellings(first, unicode).at(-1)}-${spellings(last, unicode).at(-1)}`;
  });
  const member = fc.oneof(
    { weight: 4, arbitrary: spelled(unicode).map((one) => (one === '-' ? '\\-' : one)) },
    { weight: 4, arbitrary: range },
    { weight: 2, arbitrary: fc.constantFrom(...ESCAPES, ...CONTROLS.slice(0, -2), '\\b') },
  );
  return fc
    .tuple(fc.constantFrom('', '^'), fc.array(member, { maxLength: 4 }))
    .map(([negate, members]) => `[${negate}${members.join('')}]`);
}

/** A part that may be repeated. `expression`: what is in its groups. */
function atom(unicode: boolean, expression: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const open = fc.constantFrom('(', '(?:', '(?<name>');
  return fc.oneof(
    { depthIdentifier: 'pattern' },
    { weight: 8, arbitrary: spelled(unicode) },
    { weight: 4, arbitrary: classOf(unicode) },
    { weight: 2, arbitrary: fc.constantFrom('.', ...ESCAPES) },
    { weight: 1, arbitrary: fc.constantFrom(...CONTROLS) },
    { weight: 1, arbitrary: fc.constantFrom(...(unicode ? PROPERTIES : ANNEX_B)) },
    { weight: 5, arbitrary: fc.tuple(open, expression).map(([start, inside]) => `${start}${inside})`) },
  );
}

function expressionOf(unicode: boolean): fc.Arbitrary<string> {
  return fc.letrec<{ expression: string; sequence: string }>((tie) => {
    const quantifier = fc.tuple(fc.constantFrom(...QUANTIFIERS), fc.constantFrom('', '?')).map((both) => both.join(''));
    const part = fc.oneof(
      { weight: 6, arbitrary: atom(unicode, tie('expression')) },
      { weight: 4, arbitrary: fc.tuple(atom(unicode, tie('expression')), quantifier).map((both) => both.join('')) },
      { weight: 2, arbitrary: fc.constantFrom(...ANCHORS) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('?=', '?!'), tie('expression'))
          .map(([look, inside]) => `(${look}${inside})`),
      },
    );
    return {
      sequence: fc.array(part, { maxLength: 4, depthIdentifier: 'pattern' }).map((parts) => parts.join('')),
      expression: fc
        .array(tie('sequence'), { minLength: 1, maxLength: 3, depthIdentifier: 'pattern' })
        .map((options) => options.join('|')),
    };
  }).expression;
}

/** Each group gets a name of its own, as required. */
function withNames(source: string): string {
  let names = 0;
  return source.replaceAll('?<name>', () => `?<n${names++}>`);
}

const framed = fc.constantFrom(['', ''], ['^', '$'], ['^(?:', ')$'], ['^', ''], ['', '$']);

function patternOf(unicode: boolean): fc.Arbitrary<string> {
  return fc
    .tuple(framed, expressionOf(unicode))
    .map(([[before, after], inside]) => withNames(`${before}${inside}${after}`))
    .filter((source) => regExpFault(source) === null);
}

export const pattern: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: patternOf(true) },
  { weight: 1, arbitrary: patternOf(false) },
);
