/**
 * What `prune` leaves of random layouts, byte for byte what taking out one member after the other by hand gives. The model
 * knows no offsets: it holds the members of an object, and the white space between them, as lists of texts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/library/open.ts';
import { Choices } from '../fill-layout.ts';
import { rounds, seededUnlessAll } from '../rounds.ts';

/** Members whose name begins with an x are not allowed, at any depth. */
const SCHEMA = { $id: 'urn:x', patternProperties: { '^x': false, '^[^x]': { $ref: '#' } }, items: { $ref: '#' } };

/** An object in its layout. `between[i]`: what is on both sides of the comma after member `i`. */
interface Laid {
  first: string;
  members: { name: string; colon: string; value: Value }[];
  between: { before: string; after: string }[];
  last: string;
}

type Value = string | Laid | { readonly items: readonly Value[]; readonly comma: string };

function written(value: Value): string {
  if (typeof value === 'string') return value;
  if ('items' in value) return `[${value.items.map(written).join(value.comma)}]`;
  const members = value.members.map(({ name, colon, value: inner }, i) => {
    const { before = '', after = '' } = value.between[i] ?? {};
    const comma = i + 1 < value.members.length ? `${before},${after}` : '';
    return name + colon + written(inner) + comma;
  });
  return `{${value.first}${members.join('')}${value.last}}`;
}

const isGone = (name: string): boolean => String(JSON.parse(name)).startsWith('x');

/** Takes out the first member that must go, then the next one, until none is left. */
function pruned(value: Value): void {
  if (typeof value === 'string') return;
  if ('items' in value) {
    for (const item of value.items) pruned(item);
    return;
  }
  for (let i = value.members.findIndex(({ name }) => isGone(name)); i >= 0; ) {
    takeOut(value, i);
    i = value.members.findIndex(({ name }) => isGone(name));
  }
  for (const { value: inner } of value.members) pruned(inner);
}

function takeOut(object: Laid, i: number): void {
  const { members, between } = object;
  const isLast = i === members.length - 1;
  members.splice(i, 1);
  if (members.length === 0) {
    object.first = '';
    object.last = '';
    return;
  }
  // The last one takes the comma before it; so does one that begins with the comma of its line.
  if (isLast || (i > 0 && between[i]!.before.includes('\n'))) {
    between.splice(i - 1, 1);
    return;
  }
  const above = i === 0 ? object.first : between[i - 1]!.after;
  const own = between.splice(i, 1)[0]!;
  let left = above;
  if (above.includes('\n') && own.after.includes('\n'))
    left = above.slice(0, above.lastIndexOf('\n') + 1) + own.after.slice(own.after.indexOf('\n') + 1);
  else if (i > 0 && !above.includes('\n')) left = own.after;
  if (i === 0) object.first = left;
  else between[i - 1]!.after = left;
}

/** The layouts that people and programs use, and any other. */
const STYLES = ['compact', 'spaced', 'lines', 'comma-first', 'mixed', 'any'] as const;

interface Writing {
  readonly style: (typeof STYLES)[number];
  readonly end: string;
  readonly unit: string;
}

const ANY = ['', '', ' ', '  ', '\t', '\n', '\r\n', '\n  ', '\n\n', '\r\n\t', '\n \n'];

function laid(choices: Choices, { style, end, unit }: Writing, depth: number): Value {
  const kind = depth === 0 ? 0 : depth > 3 ? 1 : choices.next(8);
  if (kind > 0 && kind < 5) return choices.pick(['1', '"a, {"', 'null', '"\\"x\\":"', '[]', '{}', '{ }', '"é👍"']);
  if (kind === 5)
    return {
      items: Array.from({ length: 1 + choices.next(3) }, () => laid(choices, { style, end, unit }, depth + 1)),
      comma: choices.pick([',', ', ', `,${end}`]),
    };
  const space = (): string => (style === 'any' ? choices.pick(ANY) : '');
  const line = `${end}${unit.repeat(depth + 1)}`;
  const own = (): Writing['style'] =>
    style === 'mixed' ? choices.pick(['spaced', 'lines', 'comma-first', 'compact']) : style;
  const outer = own();
  const count = choices.next(7);
  const members = Array.from({ length: count }, (_, i) => {
    const name = `${choices.pick(['a', 'x', 'x', 'b', '\\u0078', '__x', 'é', '\\u0061x'])}${i}`;
    const colon = style === 'any' ? `${space()}:${space()}` : outer === 'compact' ? ':' : ': ';
    return { name: `"${name}"`, colon, value: laid(choices, { style, end, unit }, depth + 1) };
  });
  const between = members.slice(1).map(() => {
    switch (own()) {
      case 'compact':
        return { before: '', after: '' };
      case 'spaced':
        return { before: '', after: ' ' };
      case 'lines':
        return { before: '', after: choices.next(9) === 8 ? end + line : line };
      case 'comma-first':
        return { before: line, after: ' ' };
      default:
        return { before: space(), after: space() };
    }
  });
  const first = outer === 'lines' ? line : outer === 'compact' ? space() : style === 'any' ? space() : ' ';
  const last = outer === 'lines' || outer === 'comma-first' ? end + unit.repeat(depth) : first === ' ' ? ' ' : space();
  return { first: count === 0 ? '' : first, members, between, last: count === 0 ? space() : last };
}

/** What deletion on the value leaves. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !name.startsWith('x'));
  return Object.fromEntries(members.map(([name, inner]) => [name, without(inner)]));
}

describe('a layout without the members that must go', () => {
  it('is what is left by hand', async () => {
    const paylint = await openPaylint({ schema: SCHEMA });
    let changed = 0;
    const property = fc.property(
      fc.uint8Array({ minLength: 40, maxLength: 200 }),
      fc.constantFrom(...STYLES),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('  ', '\t', '    '),
      fc.constantFrom('', '\ufeff'),
      (bytes, style, end, unit, mark) => {
        const value = laid(new Choices(bytes), { style, end, unit }, 0);
        const text = `${mark}${written(value)}${end}`;
        pruned(value);
        const expected = `${mark}${written(value)}${end}`;
        const { text: left, removed, edits, valid } = paylint.prune(text);
        expect(left).toBe(expected);
        expect(valid).toBe(true);
        expect(JSON.parse(left.replace('\ufeff', ''))).toEqual(without(JSON.parse(text.replace('\ufeff', ''))));
        if (removed.length > 0) changed++;
        let applied = text;
        for (const { offset, length } of [...edits].reverse())
          applied = applied.slice(0, offset) + applied.slice(offset + length);
        expect(applied).toBe(expected);
        for (const { pointer, value: own, offset } of removed) {
          expect(at(JSON.parse(text.replace('\ufeff', '')), pointer)).toEqual(own);
          expect(Buffer.from(text).toString('utf8', offset, offset + 1)).toBe('"');
        }
        expect(paylint.prune(left)).toMatchObject({ text: left, removed: [], edits: [] });
        const inBytes = paylint.prune(Buffer.from(text));
        expect(Buffer.from(inBytes.text).toString()).toBe(expected);
        expect(inBytes.removed).toEqual(removed);
      },
    );
    fc.assert(property, seededUnlessAll(rounds(8000)));
    expect(changed).toBeGreaterThan(rounds(8000) / 2);
  });
});

function at(value: unknown, pointer: string): unknown {
  const tokens = pointer.split('/').slice(1);
  return tokens.reduce<unknown>((inner, token) => (inner as Record<string, unknown>)[token], value);
}
