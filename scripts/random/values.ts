/**
 * JSON values that keep what `JSON.parse` drops: a number is its text, and an object is a Map, so that `__proto__` is a
 * name like any other. Also their texts, in many spellings.
 */
import type { Random } from '../mutations/schemas.ts';

/** A number by its text. */
export class Num {
  readonly text: string;

  constructor(text: string | number) {
    this.text = Object.is(text, -0) ? '-0' : String(text);
  }

  get value(): number {
    return Number(this.text);
  }
}

export type Json = null | boolean | string | Num | Json[] | JsonMap;
export type JsonMap = Map<string, Json>;

export function num(text: string | number): Num {
  return new Num(text);
}

/** How the tokens of a text are written. */
export interface Spelling {
  /** The white space between two tokens. */
  readonly space: () => string;
  readonly string: (text: string) => string;
}

const STRAIGHT: Spelling = { space: () => '', string: (text) => JSON.stringify(text) };

/** The text of a value. */
export function write(value: Json, spelling = STRAIGHT): string {
  const { space, string } = spelling;
  const list = (open: string, items: readonly string[], close: string): string =>
    `${open}${space()}${items.join(`${space()},${space()}`)}${space()}${close}`;
  if (value instanceof Num) return value.text;
  if (typeof value === 'string') return string(value);
  if (Array.isArray(value))
    return list(
      '[',
      value.map((one) => write(one, spelling)),
      ']',
    );
  if (!(value instanceof Map)) return JSON.stringify(value);
  const members = [...value].map(([name, one]) => `${string(name)}${space()}:${space()}${write(one, spelling)}`);
  return list('{', members, '}');
}

/** White space and escapes at random. */
export function spellingBy(random: Random, lineBreaks: boolean): Spelling {
  const spaces = random(3) === 0;
  const escapes = random(3) === 0;
  const white = ['', ' ', '  ', '\t', ...(lineBreaks ? ['\n', '\r\n'] : [])];
  return {
    space: () => (spaces && random(2) === 0 ? white[random(white.length)]! : ''),
    string: (text) => (escapes ? escaped(text, random) : JSON.stringify(text)),
  };
}

/** A string of JSON with some of its characters as `\u` escapes, surrogates in pairs. */
function escaped(text: string, random: Random): string {
  const units = [...text].map((character) => {
    if (random(3) > 0) return JSON.stringify(character).slice(1, -1);
    const hex = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i).toString(16));
    return hex.map((code) => `\\u${(random(2) === 0 ? code : code.toUpperCase()).padStart(4, '0')}`).join('');
  });
  return `"${units.join('')}"`;
}

/** The value with some of its numbers in other spellings. */
export function respelled(value: Json, random: Random): Json {
  if (value instanceof Num) return random(2) === 0 ? num(otherText(value.text, random)) : value;
  if (Array.isArray(value)) return value.map((one) => respelled(one, random));
  if (!(value instanceof Map)) return value;
  return new Map([...value].map(([name, one]) => [name, respelled(one, random)]));
}

/** Another text of the same number. */
function otherText(text: string, random: Random): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(
    text,
  )!; // a number
  const mark = random(2) === 0 ? 'e' : 'E';
  const digits = `${whole}${fraction}`.replace(/^0+(?=\d)/, '');
  const last = Number(power) - fraction.length;
  const dot = fraction === '' ? '' : `.${fraction}`;
  const choices = [
    text,
    `${sign}${whole}.${fraction}0${Number(power) === 0 ? '' : `${mark}${power}`}`,
    `${sign}${whole}${dot}${mark}${power}`,
    `${sign}${digits}${mark}${last}`,
    `${sign}0.${digits}${mark}${last + digits.length}`,
  ];
  return choices[random(choices.length)]!;
}

const FAULTS = [',', ']', '}', '"', '0', '.', '-', 'e', '\\', '\t', '\u0001', ':', ' ', '1e999', '{', '['];
const FIRST_NAME = /\{\s*("(?:[^"\\]|\\.)*")\s*:/;

/** The text with a fault: a character too few or too many, or a member twice. */
export function broken(text: string, random: Random): string {
  const at = random(text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const made = [
    before,
    before + after.slice(1),
    before + FAULTS[random(FAULTS.length)]! + after,
    text.replace(FIRST_NAME, '{$1:1,$1:'),
    text.replace(/\d(?=[,\]}\s])/, '$&e999'),
  ][random(5)]!;
  return made.toWellFormed().trim() || '0';
}

/** Equal for equal values, as far as numbers are doubles. */
export function keyOf(value: Json): string {
  if (value instanceof Num) return String(value.value + 0);
  if (Array.isArray(value)) return `[${value.map(keyOf)}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${[...value].map(([name, one]) => `${JSON.stringify(name)}:${keyOf(one)}`).sort()}}`;
}

/** The value without one of its parts, or with a part made smaller. */
export function* smaller(value: Json): Generator<Json> {
  if (value instanceof Map) {
    for (const name of value.keys()) yield new Map([...value].filter(([other]) => other !== name));
    for (const [name, one] of value) for (const less of smaller(one)) yield new Map(value).set(name, less);
  } else if (Array.isArray(value)) {
    for (const i of value.keys()) yield value.filter((_, at) => at !== i);
    for (const [i, one] of value.entries()) for (const less of smaller(one)) yield value.with(i, less);
  } else if (typeof value === 'string' && value.length > 1) yield value.slice(0, 1);
  else if (value instanceof Num && value.text.length > 1) yield* [num(0), num(1)];
}
