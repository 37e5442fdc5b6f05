/** What is cut out of the bytes is what a parse of all of them has there. */
import { describe, expect, it } from 'vitest';
import { cutOut, MemberPaths } from '../../src/json/cut.ts';
import { exactValue } from '../../src/json/decimal.ts';

function cut(text: string, ...paths: readonly (readonly string[])[]): unknown {
  const all = new MemberPaths();
  for (const path of paths) all.add(path, false);
  const bytes = Buffer.from(`[${text}]`);
  return cutOut(bytes, { start: 1, end: bytes.length - 1 }, all);
}

describe('members that are asked for', () => {
  const TEXT =
    ' {"a" : {"b":[1, 2.50,{"c":"x"}],"d":null} ,"e\\u0066":"\\n😀","g":-0.1000000000000000000001,"l":[{"p":1,"q":"]"},{},3],"*":{"z":true}} ';

  it.each<[readonly (readonly string[])[], string]>([
    [[['a', 'b']], '{"a":{"b":[1,2.5,{"c":"x"}]}}'],
    [[['ef'], ['g']], '{"ef":"\\n😀","g":-0.1000000000000000000001}'],
    [[['l', '*', 'p']], '{"l":[{"p":1},{},3]}'],
    [[['l', '*', 'p'], ['l']], '{"l":[{"p":1,"q":"]"},{},3]}'],
    [[['l', '0', 'p']], '{"l":[{"p":1,"q":"]"},{},3]}'],
    [[['*', 'z']], TEXT],
    [[['none'], ['a', 'd', 'x']], '{"a":{"d":null}}'],
    [[['g', 'x']], '{"g":-0.1000000000000000000001}'],
    [[[]], TEXT],
  ])('%j', (paths, expected) => {
    expect(cut(TEXT, ...paths)).toEqual(exactValue(expected));
  });

  it('may only have to be there', () => {
    const asked = new MemberPaths();
    asked.add(['a'], true);
    asked.add(['x'], true);
    const bytes = Buffer.from('{"b":1,"a":{"c":[1,2]}}');
    expect(cutOut(bytes, { start: 0, end: bytes.length }, asked)).toEqual({ a: null });
  });

  it('may only have to be counted: items are not read, and of an object all is', () => {
    const counted = (...paths: readonly (readonly string[])[]): unknown => {
      const asked = new MemberPaths();
      for (const path of paths) asked.add(path, true);
      const bytes = Buffer.from('{"l":[{"p":1},2],"o":{"a":1,"*":2},"t":"\u{1f600}","e":[],"n":[[1]]}');
      return cutOut(bytes, { start: 0, end: bytes.length }, asked);
    };
    expect(counted(['l', '*'], ['e', '*'])).toEqual({ l: [null, null], e: [] });
    expect(counted(['o', '*'], ['t', '*'])).toEqual({ o: { a: 1, '*': 2 }, t: '😀' });
    expect(counted(['o', '*'], ['o', 'a'])).toEqual({ o: { a: 1, '*': 2 } });
    expect(counted(['n', '*'], ['n', '0'])).toEqual({ n: [[1]] });
    expect(counted(['*'])).toEqual(expect.objectContaining({ l: [{ p: 1 }, 2], n: [[1]] }));
  });

  it('may have any name', () => {
    expect(Object.getOwnPropertyNames(cut('{"__proto__":{"a":1},"b":2}', ['__proto__', 'a']))).toEqual(['__proto__']);
    expect(cut('{"a\\"b":1,"a\\\\":2}', ['a"b'], ['a\\'])).toEqual({ 'a"b': 1, 'a\\': 2 });
  });

  it('have their numbers as they are written, also in arrays', () => {
    for (const text of ['[9007199254740993]', '[1e-7]', '[123456789.1234567890]', '{"a":[0.1e-400]}', '["1e-7"]'])
      expect(cut(`{"m":${text}}`, ['m'])).toEqual(exactValue(`{"m":${text}}`));
  });
});
