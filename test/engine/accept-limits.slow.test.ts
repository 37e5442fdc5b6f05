/**
 * The limits of accept, its own and those set by flags: depth, size, and the number of unknown names it can remember.
 * Beyond a limit it is unsure; it never fails.
 */

import { describe, expect, it, vi } from 'vitest';
import { setOf } from '../../scripts/mutations/schemas.ts';
import { Acceptor } from '../../src/engine/compile/acceptor.ts';
import type { AcceptCode } from '../../src/engine/compile/code.ts';
import { shareable } from '../../src/engine/compile/code.ts';
import { compileAcceptCode, compileNotingCode } from '../../src/engine/compilers.ts';
import { Window } from '../../src/source/window.ts';
import { MAX_DEPTH, MAX_NAMES, type Mode } from '../../src/wasm/layout.ts';
import { acceptCode, trySchema } from '../trial.ts';
import { putBytes } from '../window-bytes.ts';

const deep = (open: string, middle: string, close: string, depth: number): string =>
  open.repeat(depth) + middle + close.repeat(depth);

/** Texts with a given number of open brackets, in each of the ways accept reads them. */
const NESTED: readonly (readonly [about: string, schema: unknown, text: (depth: number) => string])[] = [
  ['arrays of any shape', {}, (depth) => deep('[', '', ']', depth)],
  ['objects of any shape', {}, (depth) => deep('{"a":', '1', '}', depth)],
  ['both of any shape', {}, (depth) => deep('[1,', '{"b":[]}', ']', depth - 2)],
  ['arrays of arrays', { type: 'array', items: { $ref: '#' } }, (depth) => deep('[', '', ']', depth)],
  [
    'objects in objects',
    { type: 'object', properties: { a: { $ref: '#' } }, additionalProperties: false },
    (depth) => deep('{"a":', '{}', '}', depth - 1),
  ],
  [
    'arrays of any shape in an object',
    { properties: { a: { items: true } } },
    (depth) => deep('{"a":', deep('[', '', ']', depth - 1), '}', 1),
  ],
];

describe('values of enum', () => {
  const numbers = Array.from({ length: 20_000 }, (_, i) => i);

  it('are as many numbers as there are', async () => {
    const { accept, examine } = await trySchema({ enum: numbers });
    for (const text of ['0', '19999', '20000', '0.5']) expect([text, accept(text)]).toEqual([text, examine(text)]);
  });

  it('are unsure if they are thousands of objects, for which V8 would need much memory', async () => {
    const objects = numbers.map((a) => ({ a }));
    const few = await trySchema({ enum: objects.slice(0, 500) });
    expect([few.accept('{"a":499}'), few.examine('{"a":499}')]).toEqual(['it', 'it']);
    const many = await trySchema({ enum: [...objects, 'x'] });
    expect([many.accept('{"a":499}'), many.examine('{"a":499}')]).toEqual([null, 'it']);
    expect(many.accept('"x"')).toBe('it');
  });
});

it('a schema with more code than V8 takes is unsure, and nothing of it is noted', async () => {
  const values = (i: number): string[] => Array.from({ length: 12 }, (_, j) => `${i} ${j} ${'x'.repeat(950)}`);
  const properties = Object.fromEntries(Array.from({ length: 290 }, (_, i) => [`p${i}`, { enum: values(i) }]));
  const set = setOf({ properties });
  const window = new Window();
  putBytes(window, Buffer.from(JSON.stringify({ p3: values(3)[5] })));
  const Module = WebAssembly.Module;
  const refusals: unknown[] = [];
  const compiling = vi.spyOn(WebAssembly, 'Module').mockImplementation(function compile(bytes) {
    try {
      return new Module(bytes);
    } catch (error) {
      refusals.push(error);
      throw error;
    }
  });
  try {
    const code = compileAcceptCode(set, null, null);
    const acceptor = new Acceptor(code, window.memory, { maxDepth: 1000, maxBytes: 1 << 26 });
    expect(acceptor.read(window, { start: 0, end: window.end })).toBe('unsure');
    expect(refusals).toHaveLength(1);
    // Code that notes is four times as large, and takes long to make: V8 says the same of it.
    compiling.mockImplementation(function refuse() {
      throw refusals[0];
    });
    expect(compileNotingCode(setOf({ type: 'string' }), null)).toBe(null);
  } finally {
    compiling.mockRestore();
  }
  expect(compileNotingCode(setOf({ type: 'string' }), null)).not.toBe(null);
});

describe('nesting', () => {
  it.each(NESTED)('of %s', async (_, schema, text) => {
    const { accept, examine } = await trySchema(schema);
    for (const depth of [3, 4, 100, MAX_DEPTH - 1, MAX_DEPTH]) expect(accept(text(depth))).toBe('it');
    for (const depth of [MAX_DEPTH + 1, MAX_DEPTH + 2, 999, 1000]) {
      expect([accept(text(depth)), examine(text(depth))]).toEqual([null, 'it']);
    }
    for (const depth of [1001, 9000]) expect(accept(text(depth))).toBe(null);
    expect(examine(text(1001))).toBe(null);
  });

  it.each([3, 4, 7, 127, 128, 129])('of at most %i, as --max-depth has it', async (maxDepth) => {
    for (const [, schema, text] of NESTED) {
      const { accept, examine } = await trySchema(schema, { maxDepth });
      for (const depth of [3, maxDepth - 1, maxDepth, maxDepth + 1, maxDepth + 50]) {
        const valid = depth <= maxDepth ? 'it' : null;
        expect([depth, examine(text(depth))]).toEqual([depth, valid]);
        expect([depth, accept(text(depth))]).toEqual([depth, depth <= MAX_DEPTH ? valid : null]);
      }
    }
  });

  it('of at most 1', async () => {
    const { accept } = await trySchema({}, { maxDepth: 1 });
    expect(['1', '[]', '{}', '[1]', '{"a":"x"}'].map(accept)).toEqual(['it', 'it', 'it', 'it', 'it']);
    expect(['[[]]', '[1,{}]', '{"a":[]}', '{"a":{}}'].map(accept)).toEqual([null, null, null, null]);
  });
});

describe('names that no schema knows', () => {
  const object = (from: number, to: number): string => {
    const members = Array.from({ length: to - from }, (_, i) => `"n${from + i}":${i}`);
    return `{${members.join(',')}}`;
  };

  it.each([
    {},
    { type: 'object', properties: { known: {} } },
    { additionalProperties: { type: ['number', 'object'] } },
  ])('are remembered up to a limit: %j', async (schema) => {
    const { accept, examine } = await trySchema(schema);
    expect(accept(object(0, MAX_NAMES))).toBe('it');
    for (const count of [MAX_NAMES + 1, 1100, 5000]) {
      expect([accept(object(0, count)), examine(object(0, count))]).toEqual([null, 'it']);
    }
    // After a payload that is too large, the names are forgotten.
    expect(accept(object(0, MAX_NAMES))).toBe('it');
  });

  it('of objects that are closed count no more', async () => {
    const { accept } = await trySchema({ items: { properties: { inner: { type: 'object' } } } });
    const thousand = object(0, 1000);
    expect(accept(`[${thousand},${thousand},${thousand}]`)).toBe('it');
    expect(accept(`[{"inner":${thousand},"x":${thousand},"y":[${thousand}]}]`)).toBe('it');
  });

  it('of objects that are open count together', async () => {
    const { accept } = await trySchema({ properties: { inner: {} } });
    const nest = (outer: number, inner: number): string =>
      `${object(0, outer).slice(0, -1)},"inner":${object(0, inner)}}`;
    expect(accept(nest(500, MAX_NAMES - 500))).toBe('it');
    expect(accept(nest(500, MAX_NAMES - 499))).toBe(null);
    expect(accept(nest(MAX_NAMES, 0))).toBe('it');
    expect(accept(nest(MAX_NAMES, 1))).toBe(null);
  });

  it('must differ, however many there are', async () => {
    const { accept } = await trySchema({});
    for (const twice of [0, 1, 500, 998]) {
      expect(accept(`${object(0, 999).slice(0, -1)},"n${twice}":1}`)).toBe(null);
      expect(accept(`${object(0, 999).slice(0, -1)},"m${twice}":1}`)).toBe('it');
    }
  });
});

describe('payloads one after another', () => {
  /** How many payloads a run accepts, and where it stops. */
  async function runOn(text: string, mode: Mode, maxBytes: number): Promise<{ payloads: number; stop: number }> {
    const window = new Window();
    const acceptor = new Acceptor(await acceptCode({}), window.memory, { maxDepth: 1000, maxBytes });
    const bytes = Buffer.from(text);
    window.bytes.set(bytes);
    window.end = bytes.length;
    window.atEnd = true;
    const run = acceptor.run(window, mode);
    let payloads = 0;
    acceptor.takeCounts((_, count) => {
      payloads += count;
    });
    return { payloads, stop: run?.stop ?? -1 };
  }

  it.each([
    ['lines', '"1234"\n {"x":1}  \r\n\n[1,2]', 0],
    ['array', '"1234" ,\n{"x":1},\n[1,2]\n]', 1],
    ['stream', '"1234" {"x":1}\n[1,2]', 0],
  ] as const)('in %s: none is larger than the limit', async (mode, text, rest) => {
    const end = text.length - rest;
    expect(await runOn(text, mode, 7)).toEqual({ payloads: 3, stop: end });
    expect(await runOn(text, mode, 2 ** 40)).toEqual({ payloads: 3, stop: end });
    expect(await runOn(text, mode, 6)).toEqual({ payloads: 1, stop: text.indexOf('{') });
    expect(await runOn(text, mode, 5)).toEqual({ payloads: 0, stop: 0 });
  });

  // The run stops at the `|`.
  it.each([
    ['lines', '1\n2\n|3 4\n5', 2],
    ['lines', '1\n|{"a"\n:1}\n5', 1],
    ['lines', '1\n|"a\n"\n', 1],
    ['lines', '1\n|2x\n', 1],
    ['lines', '1\n|\0\n', 1],
    ['lines', '1\r\n \n\t2 \r|', 2],
    ['array', '1, |2 3]', 1],
    ['array', '1, |2x]', 1],
    ['array', '1, |truex, 3]', 1],
    ['array', '1, |"a"x, 3]', 1],
    ['array', '1, |2', 1],
    ['array', '1, |[] ', 1],
    ['array', '1, [],|', 2],
    ['array', '1, [] |]x', 2],
    ['array', '1,|, 2]', 1],
    ['stream', '{}[]"a"|1 2', 3],
    ['stream', '{}|true', 1],
    ['stream', '{}|\u001e{}', 1],
    ['stream', '{}|,{}', 1],
    ['stream', '{}\n\n|[1', 1],
  ] as const)('in %s: %j', async (mode, marked, payloads) => {
    const outcome = await runOn(marked.replace('|', ''), mode, 100);
    expect(outcome).toEqual({ payloads, stop: marked.indexOf('|') });
  });
});

describe('patterns whose automata are made when they are needed', () => {
  const compile = async (): Promise<{ code: AcceptCode; made: string[] }> => {
    const code = await acceptCode({
      properties: {
        a: { pattern: '^a+$' },
        b: { pattern: '^b+$' },
        c: { pattern: '(c(?!c))+d' },
        e: { pattern: '^e$' },
      },
      patternProperties: { '^x': { type: 'number' } },
    });
    const made: string[] = [];
    const { makeAt } = code.waiting!;
    code.waiting!.makeAt = (entry) => {
      made.push(String(entry));
      return makeAt.call(code.waiting, entry);
    };
    return { code, made };
  };
  const LIMITS = { maxDepth: 100, maxBytes: 1000 };
  const LINES = ['{"a":"aa"}', '{"a":"a","b":"b"}', '{"x1":1}', '{"b":"bb"}', '{"c":"cd"}', '{"e":"e"}'];

  it('are made once, and every payload is counted once', async () => {
    const { code, made } = await compile();
    const window = new Window();
    const acceptor = new Acceptor(code, window.memory, LIMITS);
    const text = `${LINES.slice(0, 4).join('\n')}\n`;
    putBytes(window, Buffer.from(text));
    for (const times of [1, 2]) {
      expect(acceptor.run(window, 'lines')).toMatchObject({ stop: text.length, lineFeeds: 4 });
      const counts: [string, number][] = [];
      acceptor.takeCounts((kind, count) => counts.push([kind, count]));
      expect([times, counts, new Set(made).size, made.length]).toEqual([times, [['it', 4]], 3, 3]);
    }
    // Tables of another module in the same memory do not take their place.
    const other = new Acceptor((await compile()).code, window.memory, LIMITS);
    expect(other.run(window, 'lines')).toMatchObject({ stop: text.length });
    expect(acceptor.run(window, 'lines')).toMatchObject({ stop: text.length });
  });

  it('are unsure if there is none, and only where they are needed', async () => {
    const { code } = await compile();
    const window = new Window();
    const acceptor = new Acceptor(code, window.memory, LIMITS);
    const text = LINES.join('\n');
    putBytes(window, Buffer.from(text));
    const before = LINES.slice(0, 4).join('\n').length + 1;
    expect(acceptor.run(window, 'lines')).toMatchObject({ stop: before, lineFeeds: 4 });
    expect(acceptor.read(window, { start: before, end: text.indexOf('\n', before) })).toBe('unsure');
    putBytes(window, Buffer.from('{"e":"f"}'));
    expect(acceptor.read(window, { start: 0, end: 9 })).toBe('invalid');
  });

  it('are all made for threads', async () => {
    const { code, made } = await compile();
    const all = structuredClone(shareable(code)) as AcceptCode; // it does not grow
    const window = new Window();
    const acceptor = new Acceptor(all, window.memory, LIMITS);
    for (const line of LINES) {
      putBytes(window, Buffer.from(line));
      expect(acceptor.read(window, { start: 0, end: line.length })).toBe(line.includes('"c"') ? 'unsure' : 'valid');
    }
    expect([all.waiting, made]).toEqual([undefined, []]);
  });
});
