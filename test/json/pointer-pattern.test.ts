/** The walk over the bytes finds what a walk over the value finds, and where it is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Children } from '../../src/json/children.ts';
import { locate } from '../../src/json/locate.ts';
import { atPointer, formatPointer } from '../../src/json/pointer.ts';
import { PatternWalk, placesOf } from '../../src/json/pointer-pattern.ts';

function found(text: string, pattern: readonly string[]) {
  const bytes = Buffer.from(`[${text}]`);
  return [...new PatternWalk(pattern).in(bytes, { start: 1, end: bytes.length - 1 })].map(({ pointer, start, end }) => {
    return [pointer, bytes.toString('utf8', start, end)];
  });
}

describe('the values at a pattern', () => {
  const TEXT = ' {"a" : [ {"b":1 } , {}, {"b":[2]}, 3 ],"*":{"0":"x"},"e\\u0066/":{"~":null}} ';

  it.each<[readonly string[], [string, string][]]>([
    [[], [['', TEXT.trim()]]],
    [
      ['a', '*', 'b'],
      [
        ['/a/0/b', '1'],
        ['/a/2/b', '[2]'],
      ],
    ],
    [['a', '1'], [['/a/1', '{}']]],
    [['a', '01'], []],
    [['a', '4'], []],
    [['*', '0'], [['/*/0', '"x"']]],
    [['ef/', '~'], [['/ef~1/~0', 'null']]],
    [['a', 'b'], []],
    [['none', '*'], []],
  ])('of %j', (pattern, expected) => {
    expect(found(TEXT, pattern)).toEqual(expected);
  });

  const name = fc.constantFrom('a', 'b', '*', '0', '1', 'é"', '');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom(null, true, 'a]', '\\"', -0.5),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  }));

  it('are those of the value, where `locate` finds them', () => {
    fc.assert(
      fc.property(value, fc.array(name, { maxLength: 4 }), fc.constantFrom(0, 1, '\t'), (root, pattern, space) => {
        const text = JSON.stringify(root, null, space);
        const bytes = Buffer.from(text);
        const pointers = placesOf(root, pattern).map(formatPointer);
        const places = locate(bytes, 0, bytes.length, pointers);
        const walked = [...new PatternWalk(pattern).in(bytes, { start: 0, end: bytes.length })];
        expect(walked.toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1))).toEqual(
          pointers.toSorted().map((pointer) => ({ pointer, ...places.get(pointer)!.value })),
        );
        for (const { pointer, start, end } of walked)
          expect(JSON.parse(bytes.toString('utf8', start, end))).toEqual(atPointer(root, pointer));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the children of a container', () => {
  const childrenOf = (text: string) => {
    const bytes = Buffer.from(text);
    const children = new Children(bytes, 0, bytes.length);
    const seen: [string | number, string][] = [];
    while (children.next())
      seen.push([children.isObject ? children.name() : children.index, text.slice(children.start, children.start + 1)]);
    return { seen, after: children.after };
  };

  it('are the members or the items, in order', () => {
    expect(childrenOf('{ "a":1 ,"\\u0062" : [2,{}]} x')).toEqual({
      seen: [
        ['a', '1'],
        ['b', '['],
      ],
      after: 27,
    });
    expect(childrenOf('[ "a,]" , {"b":1}]')).toEqual({
      seen: [
        [0, '"'],
        [1, '{'],
      ],
      after: 18,
    });
    expect(childrenOf('[ ]')).toEqual({ seen: [], after: 3 });
    expect(childrenOf('{}')).toEqual({ seen: [], after: 2 });
  });
});
