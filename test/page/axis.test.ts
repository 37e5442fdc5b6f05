/** The axis of a file: lines, or payloads if many are on a line; and how long a file probably is after its last violation. */
import { describe, expect, it } from 'vitest';
import { axesOf, placeOn } from '../../src/page/axis.ts';
import { modelOf, row } from './page-world.ts';

describe('the axis of a file', () => {
  it.each([
    [
      'lines, as far as the last violation goes',
      row({ line: 3, endLine: 9, payload: 8 }),
      9,
      { unit: 'line', length: 9, estimated: false },
    ],
    [
      'more lines, if there are more payloads',
      row({ line: 10, payload: 9 }),
      30,
      { unit: 'line', length: 30, estimated: true },
    ],
    [
      'lines of which several make a payload',
      row({ line: 40, payload: 9 }),
      20,
      { unit: 'line', length: 80, estimated: true },
    ],
    [
      'payloads, of which at least two are on a line',
      row({ line: 5, payload: 10 }),
      30,
      { unit: 'payload', length: 30, estimated: false },
    ],
    [
      'lines, of which few have two payloads',
      row({ line: 6, payload: 10 }),
      11,
      { unit: 'line', length: 6, estimated: false },
    ],
    [
      'payloads of a file that was not read to its end',
      row({ line: 1, payload: 10 }),
      undefined,
      { unit: 'payload', length: 11, estimated: false },
    ],
  ])('is %s', (_, last, payloads, axis) => {
    const sources = payloads === undefined ? [] : [{ file: 'a.json', payloads }];
    expect(axesOf(modelOf([row({ line: 1 }), last], sources)).get('a.json')).toEqual(axis);
  });

  it('is its own for each file, whatever the order of the violations', () => {
    const rows = [
      row({ file: 'b', line: 7, payload: 6 }),
      row({ file: 'a', line: 2 }),
      row({ file: 'b', line: 3, payload: 2 }),
    ];
    const axes = axesOf(modelOf(rows, [{ file: 'b', payloads: 7 }]));
    expect([...axes].map(([file, { unit, length }]) => [file, unit, length])).toEqual([
      ['b', 'line', 7],
      ['a', 'line', 2],
    ]);
  });
});

it('a place is a line, or a payload, from 1', () => {
  const at = row({ line: 5, payload: 7 });
  expect(placeOn({ unit: 'line', length: 9, estimated: false }, at)).toBe(5);
  expect(placeOn({ unit: 'payload', length: 9, estimated: false }, at)).toBe(8);
});
