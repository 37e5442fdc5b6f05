/** The regular expressions of schemas. */

import { UsageError } from '../errors.ts';
import { once } from '../json/on-demand.ts';
import { compileMatcher } from '../regex/matcher.ts';
import { parserFor } from '../regex/parse.ts';
import { visible } from '../words/escape.ts';
import type { OwnFormat } from './formats/format.ts';

/**
 * The expression of a `pattern`, or of a name in `patternProperties`, with the flag `u`. Schemas are written for other
 * engines too: an expression that is invalid with the flag is rewritten (`unicodeForm`). Throws SyntaxError.
 */
export function toRegExp(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    const form = unicodeForm(source);
    try {
      return new RegExp(form, 'u');
    } catch (error) {
      const message = (error as Error).message; // a SyntaxError, whose message contains the form
      const hint = OF_OTHER_ENGINES.find(([syntax]) => syntax.test(message))?.[1] ?? '';
      throw new SyntaxError(message.replace(`/${form}/`, () => `/${source}/`) + hint, { cause: error });
    }
  }
}

/** Messages of RegExp about syntax of other engines that ECMA-262 does not have, and what to write. */
const OF_OTHER_ENGINES: readonly (readonly [RegExp, string])[] = [
  [
    /\(\?[a-zA-Z-]+[:)].*Invalid group$/s,
    '; flags within an expression are not portable: write both cases, [Aa], and [^] for any character',
  ],
  [/\(\?P[<=>].*Invalid group$/s, '; write (?<name>…) for a named group, and \\k<name> for what it matched'],
  [
    /\(\?>.*Invalid group$|[*+?}]\+.*Nothing to repeat$/s,
    '; there are no atomic groups and no possessive quantifiers: write (?:…) and + alone',
  ],
  [/\(\?#.*Invalid group$/s, '; there are no comments within an expression: write "$comment" beside it'],
];

/** Why the expression is refused; null if it is valid. */
export function regExpFault(source: string): string | null {
  try {
    toRegExp(source);
    return null;
  } catch (error) {
    return (error as Error).message; // a SyntaxError
  }
}

/** A class; an escape; the beginning of a group; a counted quantifier; any other character. */
const PATTERN_TOKENS =
  /\[(?:\\.|[^\]\\])*\]|\\(?:0[0-7]{0,2}|[1-9]\d*|k<[^>]*>|ESCAPE)|\((?:\?(?:<[=!]|[=!:]|<[^>]*>))?|\{\d+(?:,\d*)?\}|./;
/** An escape in a class; any other character. */
const ATOMS = /\\(?:[0-3][0-7]{0,2}|[4-7][0-7]?|c[\d_]|ESCAPE)|./;
/** What both have, after the backslash. That of `\c` without a letter is a character by itself. */
const ESCAPE = String.raw`x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[^}]*\}?|[pP](?:\{[^}]*\}?|[CLMNPSZ])|c[A-Za-z]|(?=c)|.`;

/** The pieces of `source`, by one of the two expressions above. */
function pieces(source: string, { source: kinds }: RegExp): readonly string[] {
  return source.match(new RegExp(kinds.replace('ESCAPE', ESCAPE), 'gsu')) ?? [];
}

/**
 * The form of `source` with the flag `u`, for what is valid only without it (ECMA-262, Annex B.1.2), such as `\-` outside
 * a class or `[\w-.]`. Throws SyntaxError for what only looks like something of the flag: a property or a group that does
 * not exist. Anything else that is invalid stays so.
 */
function unicodeForm(source: string): string {
  const tokens = pieces(source, PATTERN_TOKENS);
  if (tokens.at(-1) === '\\') return source;
  const groups = tokens.filter((token) => /^\((?:\?<[^=!]|$)/.test(token));
  const out: string[] = [];
  const open: number[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.startsWith('(')) open.push(out.length);
    out.push(token.length === 1 && '{}]'.includes(token) ? `\\${token}` : outsideClass(token, groups));
    const start = token === ')' ? open.pop() : undefined;
    // A lookahead with a quantifier becomes a group.
    if (start !== undefined && /^\(\?[=!]/.test(out[start]!) && /^(?:[*+?]|\{\d)/.test(tokens[i + 1] ?? '')) {
      out[start] = `(?:${out[start]}`;
      out.push(')');
    }
  }
  return out.join('');
}

/** `groups`: how the groups of the expression begin that can be referred to. */
function outsideClass(token: string, groups: readonly string[]): string {
  if (token.startsWith('[') && token.length > 1) return classForm(token.slice(1, -1));
  const [, number, name] = /^\\(?:([1-9]\d*)|k(<.*>))$/s.exec(token) ?? [];
  if (token === '\\k' && groups.some((group) => group !== '(')) return token;
  if (number === undefined && name === undefined) return escapeForm(token);
  if (name === undefined ? Number(number) <= groups.length : groups.includes(`(?${name}`)) return token;
  throw new SyntaxError(`${token} refers to a group that does not exist`);
}

function classForm(content: string): string {
  const negation = content.startsWith('^') ? '^' : '';
  const atoms = pieces(content.slice(negation.length), ATOMS).map((atom) =>
    /^\\[-bB]$/.test(atom) ? atom.replace('\\B', 'B') : escapeForm(atom),
  );
  let form = '';
  for (let i = 0; i < atoms.length; i++) {
    const [from, hyphen, to] = atoms.slice(i, i + 3).map((atom) => (atom === '-' ? '\\-' : atom));
    form += from;
    if (hyphen !== '\\-' || atoms[i + 1] !== '-' || to === undefined) continue;
    // Beside a set, `-` is a character.
    form += `${[from!, to].some((end) => /^\\[dDsSwWpP]/.test(end)) ? '\\-' : '-'}${to}`;
    i += 2;
  }
  return `[${negation}${form}]`;
}

/** What means the same with the flag `u` as an escape without it. Any other character stays as it is. */
function escapeForm(token: string): string {
  if (!token.startsWith('\\')) return token;
  const escaped = token.slice(1);
  if (escaped === '') return '\\\\';
  if (/^[0-7]/.test(escaped)) return `\\x${Number.parseInt(escaped, 8).toString(16).padStart(2, '0')}`;
  if (/^c[\d_]/.test(escaped)) return `\\x${(escaped.charCodeAt(1) % 32).toString(16).padStart(2, '0')}`;
  if (/^[pP]./s.test(escaped)) return property(token);
  const isNeeded = /^(?:[dDsSwWbBfnrtv^$\\.*+?()[\]{}|/]|[cxu].+)$/s.test(escaped);
  return isNeeded ? token : escaped;
}

/** POSIX classes of other engines that Unicode calls otherwise. */
const POSIX: Readonly<Record<string, string>> = {
  Cntrl: 'Cc',
  Digit: 'Nd',
  Punct: 'P',
  Space: 'White_Space',
  XDigit: 'ASCII_Hex_Digit',
};

/** The escape of a property, if it exists. Throws SyntaxError. */
function property(token: string): string {
  if (exists(token)) return token;
  const [, isNegated, name = ''] = /^\\.\{?(\^?)(?:Is|In|java)?([^}]*)/s.exec(token)!; // it has these characters
  const letter = (token[1] === 'p') === (isNegated === '') ? 'p' : 'P';
  const words = name.split(/[\s_-]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const meant = [POSIX[name], name, words.join('_')]
    .flatMap((one) => [one, `Script=${one}`])
    .map((one) => `\\${letter}{${one}}`)
    .find(exists);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new SyntaxError(`there is no property ${token}${hint}`);
}

function exists(token: string): boolean {
  try {
    return new RegExp(token, 'u').unicode && token.endsWith('}');
  } catch {
    return false;
  }
}

/** RegExp takes at most some hundred thousand steps for it, if the expression repeats characters only, three times. */
const FEW_CHARACTERS = 64;

/**
 * Whether RegExp takes few steps for a short text: no group is repeated. Then nothing has to be made, and the code for automata
 * need not be loaded. At the borders of words, RegExp also looks between the halves of a character.
 */
function boundedBy(source: string): boolean {
  return !/\)[*+{]|\\[bB]/.test(source) && source.split(/[*+{]/, 5).length <= 4;
}

/** Whether texts match the expression. Throws SyntaxError, like RegExp. */
export function linearMatcher(source: string): (text: string) => boolean {
  const regExp = toRegExp(source);
  // Compiled at the first call: most patterns of a large schema are never used.
  const matcher = once(() => compileMatcher(regExp.source).matches ?? ((text: string) => regExp.test(text)));
  const isBounded = boundedBy(regExp.source);
  return (text) => (isBounded && text.length <= FEW_CHARACTERS ? regExp.test(text) : matcher()(text));
}

/** Flags that change which texts match. */
const MEANINGFUL = /[imsv]/;

/** The format of a RegExp, which is read with the flag `u`, as every pattern is. Throws UsageError. */
export function formatOfRegExp({ source: pattern, flags }: RegExp, name: string): OwnFormat {
  const wordsFor = (fault: string): string => `formats: ${visible(name)}: ${fault}; or give a function`;
  const { source, matches } = linearPattern(pattern, flags, wordsFor);
  // Without such flags, it is plain data: the compiled engine and other threads have it, too.
  return MEANINGFUL.test(flags) ? { test: matches } : { pattern: source };
}

/** Throws UsageError with `wordsFor` what is wrong. */
export function linearPattern(pattern: string, flags: string, wordsFor: (fault: string) => string) {
  const fault = regExpFault(pattern);
  if (fault !== null) throw new UsageError(wordsFor(visible(fault)));
  const { source } = toRegExp(pattern);
  const { matches, reason } = compileMatcher(source, MEANINGFUL.test(flags) ? { dialect: parserFor(flags) } : {});
  if (reason === null) return { source, matches: matches! }; // there is one without a reason
  throw new UsageError(
    wordsFor(`the pattern cannot be matched in linear time: ${reason}; without that, it can be a format`),
  );
}
