/**
 * Random JSON texts of which everything is known: every layout, duplicate names, numbers beyond a double. What is
 * written goes with what a reader must find, by a writer that is too simple to be wrong.
 */
import fc from 'fast-check';
import type { Span } from '../src/types.ts';

export type Tree =
  | { readonly type: 'scalar'; readonly text: string }
  | { readonly type: 'array'; readonly items: readonly Tree[] }
  | { readonly type: 'object'; readonly members: readonly Member[] };

interface Member {
  readonly name: string;
  /** How the name is spelled, quotes included. */
  readonly spelling: string;
  readonly value: Tree;
}

export interface Written {
  readonly bytes: Buffer;
  /** In the order of their places: the rule, the pointer, what is marked, and for duplicates the first of the name. */
  readonly notes: readonly { rule: string; pointer: string; span: Span; first?: Span }[];
  /** By pointer: the place of the value and of its name; of duplicate names, the last. */
  readonly places: ReadonlyMap<string, { readonly value: Span; readonly name: Span | null }>;
  /** All that were ever written, with those that a later member of the same name took the place of. */
  readonly pointers: ReadonlySet<string>;
  /** Brackets that are open at most. */
  readonly depth: number;
}

const OUT_OF_RANGE = ['1e400', '-1E+999', '9'.repeat(310), `-${'1'.repeat(400)}.5`, '0.1e310'];
const NUMBERS = [
  '0',
  '-0',
  '1.5',
  '1e2',
  '-1E-3',
  '1e-999',
  '1.7976931348623157e308',
  '9'.repeat(308),
  `0.${'0'.repeat(400)}1`,
];
const STRINGS = ['""', '"x"', '"é😀"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\ud83d\\ude00"', '"]}[{,:"', '"\u007f\u2028"'];
const NAMES = ['a', 'b', 'ab', '', '@type', 'a/b', 'm~n', '~1', '0', '1', '__proto__', 'é', '😀', 'a"b', 'a\\b'];

const scalar = fc
  .constantFrom('true', 'false', 'null', ...NUMBERS, ...OUT_OF_RANGE, ...STRINGS)
  .map((text): Tree => ({ type: 'scalar', text }));

/** A name as it is, or with some of its characters escaped. */
const spelling = (name: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }).map((escaped) => {
    const characters = [...name].map((character, i) => {
      const mustEscape = character === '"' || character === '\\' || /^[\ud800-\udfff]$/.test(character);
      return escaped[i] || mustEscape ? asEscapes(character) : character;
    });
    return `"${characters.join('')}"`;
  });

function asEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
  const member = fc
    .constantFrom(...NAMES)
    .chain((name) => fc.tuple(fc.constant(name), spelling(name), tie('tree')))
    .map(([name, spelled, value]): Member => ({ name, spelling: spelled, value }));
  return {
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('tree'), { maxLength: 5 }).map((items): Tree => ({ type: 'array', items })),
      fc.array(member, { maxLength: 8 }).map((members): Tree => ({ type: 'object', members })),
      // More members than are compared one by one.
      fc
        .array(fc.tuple(fc.nat(40), fc.boolean()), { minLength: 20, maxLength: 45 })
        .map(
          (numbers): Tree => ({
            type: 'object',
            members: numbers.map(([number, escaped]) => ({
              name: `k${number}`,
              spelling: escaped ? `"\\u006b${number}"` : `"k${number}"`,
              value: { type: 'scalar', text: '0' },
            })),
          }),
        ),
    ),
  };
});

const space = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\t', '  \n ');

/** A tree as text, with white space of all kinds between the tokens. */
export const writtenTree: fc.Arbitrary<Written> = fc
  .tuple(tree, fc.array(space, { minLength: 1, maxLength: 16 }))
  .map(([root, spaces]) => new Writer(spaces).write(root));

class Writer {
  #text = '';
  #offset = 0;
  #turn = 0;
  readonly #spaces: readonly string[];
  readonly #notes: Written['notes'][number][] = [];
  readonly #places = new Map<string, { value: Span; name: Span | null }>();
  readonly #pointers = new Set<string>();
  #depth = 0;

  constructor(spaces: readonly string[]) {
    this.#spaces = spaces;
  }

  write(root: Tree): Written {
    this.#space();
    this.#tree(root, '', null, 0);
    this.#space();
    return {
      bytes: Buffer.from(this.#text),
      notes: this.#notes,
      places: this.#places,
      pointers: this.#pointers,
      depth: this.#depth,
    };
  }

  #put(text: string): Span {
    const start = this.#offset;
    this.#text += text;
    this.#offset += Buffer.byteLength(text);
    return { start, end: this.#offset };
  }

  #space(): void {
    this.#put(this.#spaces[this.#turn++ % this.#spaces.length]!);
  }

  #tree(tree: Tree, pointer: string, name: Span | null, depth: number): void {
    for (const known of [...this.#places.keys()])
      if (known === pointer || known.startsWith(`${pointer}/`)) this.#places.delete(known);
    const start = this.#offset;
    this.#depth = Math.max(this.#depth, depth + (tree.type === 'scalar' ? 0 : 1));
    if (tree.type === 'scalar') {
      const span = this.#put(tree.text);
      if (OUT_OF_RANGE.includes(tree.text)) this.#notes.push({ rule: 'number-out-of-range', pointer, span });
    } else if (tree.type === 'array') {
      this.#list('[', ']', tree.items, (item, i) => this.#tree(item, `${pointer}/${i}`, null, depth + 1));
    } else {
      const firsts = new Map<string, Span>();
      this.#list('{', '}', tree.members, (member) => this.#member(member, pointer, depth, firsts));
    }
    this.#pointers.add(pointer);
    this.#places.set(pointer, { value: { start, end: this.#offset }, name });
  }

  #list<T>(open: string, close: string, items: readonly T[], write: (item: T, i: number) => void): void {
    this.#put(open);
    for (const [i, item] of items.entries()) {
      if (i > 0) this.#put(',');
      this.#space();
      write(item, i);
      this.#space();
    }
    if (items.length === 0) this.#space();
    this.#put(close);
  }

  #member({ name, spelling, value }: Member, parent: string, depth: number, firsts: Map<string, Span>): void {
    const pointer = `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const span = this.#put(spelling);
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, span);
    else this.#notes.push({ rule: 'duplicate-member', pointer, span, first });
    this.#space();
    this.#put(':');
    this.#space();
    this.#tree(value, pointer, span, depth + 1);
  }
}
