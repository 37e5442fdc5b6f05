/**
 * JSON texts in any layout: what a random layout is, and the layouts that people and programs use. For the tests of filling.
 */

/** A source of decisions. Bytes that all are zero make the plainest text. */
export class Choices {
  /** Names that were written twice. */
  doubled = 0;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Less than `count`, which is at most 256. */
  next(count: number): number {
    if (this.#bytes.length === 0) return 0;
    const byte = this.#bytes[this.#at++ % this.#bytes.length]!;
    return byte % count;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.next(items.length)]!;
  }
}

const INLINE = ['', '', '', ' ', '  ', '\t', ' '.repeat(17)];
const ANY = [...INLINE, '\n', '\r\n', '\n  ', '\n\t\t', '\n\n', '\r\n    '];

/**
 * `value` as a text in which every token may be spelled and spaced in its own way. `lines`: it may contain line feeds; `twice`: it may contain
 * duplicate names.
 */
export function randomText(value: unknown, choices: Choices, lines: boolean, twice = false): string {
  const space = (): string => choices.pick(lines ? ANY : INLINE);
  const write = (one: unknown): string => {
    if (Array.isArray(one)) {
      return `[${one.length === 0 ? space() : one.map((item) => space() + write(item) + space()).join(',')}]`;
    }
    if (typeof one === 'object' && one !== null) {
      const members = Object.entries(one);
      if (members.length > 0 && twice && choices.next(6) === 5) {
        members.push(choices.pick(members));
        choices.doubled++;
      }
      const texts = members.map(
        ([name, item]) => `${space()}${randomString(name, choices)}${space()}:${space()}${write(item)}${space()}`,
      );
      return `{${texts.length === 0 ? space() : texts.join(',')}}`;
    }
    if (typeof one === 'string') return randomString(one, choices);
    return typeof one === 'number' ? randomNumber(one, choices) : JSON.stringify(one);
  };
  return write(value);
}

/** Now and then a character is spelled as an escape that it does not need. */
function randomString(text: string, choices: Choices): string {
  const escaped = [
    ...JSON.stringify(text)
      .slice(1, -1)
      .matchAll(/\\u....|\\.|./gsu),
  ].map(([unit]) => {
    if (unit.length > 1 || choices.next(100) !== 99) return unit;
    if (unit === '/') return '\\/';
    return [...Array(unit.length).keys()].map((i) => `\\u${unit.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  });
  return `"${escaped.join('')}"`;
}

function randomNumber(number: number, choices: Choices): string {
  if (number === 0) return choices.pick(['0', '0', '0', '-0', '0.0', '0e5']);
  const plain = JSON.stringify(number);
  if (!Number.isInteger(number) || Math.abs(number) > 1e6) return plain;
  const large = `${plain}.${'0'.repeat(25)}`;
  return choices.pick([plain, plain, plain, `${plain}.0`, `${plain}e0`, `${plain}0E-1`, `${plain}0.00e-1`, large]);
}

/** The same value, its members in another order. */
export function shuffled(value: unknown, choices: Choices): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, choices));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => [choices.next(8), name, item] as const);
  members.sort(([a], [b]) => a - b);
  return Object.fromEntries(members.map(([, name, item]) => [name, shuffled(item, choices)]));
}

/** A layout that is the same everywhere in a text. */
export interface Layout {
  readonly name: string;
  /** What one level of indentation adds; null: all on one line. */
  readonly indent: string | null;
  readonly lineEnd: string;
  readonly comma: string;
  readonly colon: string;
  /** Inside brackets that have something between them, on one line. */
  readonly padding: string;
}

const oneLine = (name: string, comma: string, colon: string, padding: string): Layout => ({
  name,
  indent: null,
  lineEnd: '',
  comma,
  colon,
  padding,
});
const indented = (name: string, indent: string, lineEnd: string, colon = ': '): Layout => ({
  name,
  indent,
  lineEnd,
  comma: ',',
  colon,
  padding: '',
});

export const LAYOUTS: readonly Layout[] = [
  oneLine('compact', ',', ':', ''),
  oneLine('as Python prints it', ', ', ': ', ''),
  oneLine('with spaces inside the brackets', ', ', ': ', ' '),
  oneLine('with spaces around the colon', ', ', ' : ', ''),
  indented('two spaces', '  ', '\n'),
  indented('four spaces', '    ', '\n'),
  indented('tabs', '\t', '\n'),
  indented('two spaces and CRLF', '  ', '\r\n'),
  indented('three spaces, no space after the colon', '   ', '\n', ':'),
  indented('a blank line between any two', '  ', '\n\n'),
];

/** `value` in `layout`. Brackets with nothing between them stay together. */
export function textIn(layout: Layout, value: unknown, outer = ''): string {
  const { indent, lineEnd, comma, colon, padding } = layout;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? '[]' : '{}';
  const inner = indent === null ? '' : outer + indent;
  const items = isArray
    ? value.map((item) => textIn(layout, item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}${colon}${textIn(layout, item, inner)}`);
  if (items.length === 0) return `${open}${close}`;
  if (indent === null) return `${open}${padding}${items.join(comma)}${padding}${close}`;
  return `${open}${lineEnd}${inner}${items.join(`${comma}${lineEnd}${inner}`)}${lineEnd}${outer}${close}`;
}
