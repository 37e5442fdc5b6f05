/**
 * The assembler, by running what it makes: constants and offsets at the edges of their LEB128 encodings (core specification
 * 5.2.2), and more locals, functions, labels and code than one byte can count.
 */
import { describe, expect, it } from 'vitest';
import {
  add,
  bitmask,
  block,
  branch,
  branchTable,
  bytesEq,
  type Code,
  call,
  encode,
  eq64,
  eqF64,
  extend,
  type FunctionCode,
  f64,
  get,
  globalGet,
  globalSet,
  i32,
  i64,
  load8,
  load32,
  load128,
  loop,
  type ModuleCode,
  print,
  set,
  store32,
  toF64,
  v128,
  when,
} from '../src/wasm/assembler.ts';

type Run = (...values: number[]) => number;

const func = (body: Code, more: Partial<FunctionCode> = {}): FunctionCode => ({
  name: 'it',
  params: [['x', 'i32']],
  result: 'i32',
  locals: [],
  body,
  exported: true,
  ...more,
});

/** Runs the exported function "it" of a module with 1 MiB of memory. */
function start(module: Partial<ModuleCode>, memory = new WebAssembly.Memory({ initial: 16 })): Run {
  const bytes = encode({ globals: [], functions: [], ...module });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return exports.it as Run; // every module here exports it
}

const run = (body: Code, x = 0): number => start({ functions: [func(body)] })(x);

/** Values around every number of seven-bit groups, of both signs. */
const edges = (bits: number): bigint[] => {
  const powers = Array.from({ length: bits - 1 }, (_, i) => 1n << BigInt(i));
  const values = powers.flatMap((power) => [power - 1n, power, power + 1n, -power - 1n, -power, -power + 1n]);
  return [...values, (1n << BigInt(bits - 1)) - 1n, -(1n << BigInt(bits - 1))];
};

describe('constants', () => {
  it('of 32 bits are what they are, at every edge', () => {
    for (const value of edges(32).map(Number)) expect(run(i32(value))).toBe(value | 0);
    // Unsigned ones are the same bits.
    for (const value of [0x8000_0000, 0xffff_ffff, 0xffff_ffc0]) expect(run(i32(value)) >>> 0).toBe(value);
  });

  it('of 64 bits are what they are, at every edge', () => {
    for (const value of [...edges(64), 1n << 63n, (1n << 64n) - 1n]) {
      // Put together from its halves at run time.
      const high = Number(BigInt.asUintN(32, value >> 32n));
      const low = Number(BigInt.asUintN(32, value));
      const memory = new WebAssembly.Memory({ initial: 16 });
      const words = new Int32Array(memory.buffer, 0, 2);
      const body = [
        ...store32(i32(0), i32(low)),
        ...store32(i32(0), i32(high), 4),
        ...eq64(i64(value), [...i32(0), { form: 'plain', text: 'i64.load', bytes: [0x29, 0, 0] }]),
      ];
      expect(start({ functions: [func(body)] }, memory)(0)).toBe(1);
      expect([words[0], words[1]]).toEqual([low | 0, high | 0]);
    }
  });

  it('of floating point are the doubles of JavaScript', () => {
    for (const value of [0, 1, -1, 0.1, 1e300, 5e-324, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
      expect(run(eqF64(f64(value), f64(value)))).toBe(1);
      expect(run(eqF64(f64(value), f64(value === 0 ? 1 : value / 2))) === 1).toBe(!Number.isFinite(value));
    }
    expect(run(eqF64(f64(Number.NaN), f64(Number.NaN)))).toBe(0);
    for (const value of [0, 1, 255, 65_536, 0x7fff_ffff]) {
      expect(run(eqF64(toF64(extend(get('x'))), f64(value)), value)).toBe(1);
    }
  });

  it('of 16 bytes keep their order', () => {
    const bytes = Array.from({ length: 16 }, (_, i) => 240 + i);
    const memory = new WebAssembly.Memory({ initial: 16 });
    new Uint8Array(memory.buffer).set(bytes, 1000);
    const it = start({ functions: [func(bitmask(bytesEq(load128(get('x')), v128(bytes))))] }, memory);
    expect([it(1000), it(1001), it(2000)]).toEqual([0xffff, 0, 0]);
  });
});

describe('what is counted', () => {
  it.each([0, 1, 127, 128, 129, 16_383, 16_384, 16_385, 1_000_000])('offset %i in memory', (offset) => {
    const memory = new WebAssembly.Memory({ initial: 16 });
    const bytes = new Uint8Array(memory.buffer);
    bytes[offset + 5] = 200;
    expect(start({ functions: [func(load8(get('x'), offset))] }, memory)(5)).toBe(200);
    expect(start({ functions: [func(load32(get('x'), offset))] }, memory)(5)).toBe(200);
    start({ functions: [func([...store32(get('x'), i32(77), offset), ...i32(0)])] }, memory)(9);
    expect(bytes[offset + 9]).toBe(77);
  });

  it.each([1, 127, 128, 129, 300, 20_000])('%i locals', (count) => {
    const locals = Array.from({ length: count }, (_, i) => [`l${i}`, 'i32'] as const);
    const last = `l${count - 1}`;
    const body = [...set(last, add(get('x'), i32(1))), ...add(get(last), get('l0'))];
    const it = start({ functions: [func(body, { locals })] });
    expect(it(41)).toBe(count === 1 ? 84 : 42);
  });

  it.each([1, 127, 128, 129, 300])('%i functions and globals', (count) => {
    const others = Array.from({ length: count }, (_, i) =>
      func(add(get('x'), globalGet(`g${i}`)), { name: `f${i}`, exported: false }),
    );
    const globals = Array.from(
      { length: count },
      (_, i) => ({ name: `g${i}`, type: 'i32', initial: i }) as const,
    );
    const body = [
      ...globalSet('g0', i32(1000)),
      ...add(call(`f${count - 1}`, get('x')), call('f0', get('x'))),
    ];
    const it = start({ globals, functions: [...others, func(body)] });
    expect(it(1)).toBe(count === 1 ? 2002 : count - 1 + 1000 + 2);
  });

  it.each([1, 127, 128, 129, 1000])('%i labels, one in another', (count) => {
    // A jump to the outermost passes over all that the inner ones would add.
    let body = [...branchTable(get('x'), ['b0', `b${count - 1}`], 'b0')];
    for (let i = count - 1; i >= 0; i--) body = [...block(`b${i}`, body), ...set('n', add(get('n'), i32(1)))];
    const it = start({ functions: [func([...body, ...get('n')], { locals: [['n', 'i32']] })] });
    expect([it(0), it(1), it(2), it(-1)]).toEqual([1, count, 1, 1]);
  });

  it('code of any length', () => {
    for (const count of [1, 20, 40, 5000, 100_000]) {
      const body = [
        ...Array.from({ length: count }, () => set('x', add(get('x'), i32(1)))).flat(),
        ...get('x'),
      ];
      expect(run(body)).toBe(count);
    }
  });
});

describe('names', () => {
  it('of labels mean the innermost', () => {
    const inner = block(
      'a',
      block('a', branch('a')),
      set('x', add(get('x'), i32(1))),
      branch('a'),
      set('x', i32(99)),
    );
    expect(run([...inner, ...get('x')])).toBe(1);
    const counting = loop(
      'a',
      set('x', add(get('x'), i32(1))),
      when(eq64(extend(get('x')), i64(5n)), [], branch('a')),
    );
    expect(run([...counting, ...get('x')])).toBe(5);
  });

  it.each([
    ['local', get('y'), 'it: there is no local y'],
    ['global', globalGet('y'), 'it: there is no global y'],
    ['function', call('y'), 'it: there is no function y'],
    ['label', [...block('a', branch('y')), ...i32(0)], 'it: there is no label y'],
    [
      'label of a closed block',
      [...block('y', []), ...block('a', branch('y')), ...i32(0)],
      'it: there is no label y',
    ],
  ])('of a %s that is not there are an error', (_, body, message) => {
    expect(() => encode({ globals: [], functions: [func(body)] })).toThrow(message);
  });

  it('are in the printed code', () => {
    const body = [
      ...block('a', when(get('x'), branch('a'), set('x', i32(-7)))),
      ...call('it', globalGet('g')),
    ];
    const text = print({ globals: [{ name: 'g', type: 'i32', initial: 0 }], functions: [func(body)] });
    expect(text).toBe(`func it(x: i32) -> i32
  block a
    local.get x
    if
      br a
    else
      i32.const -7
      local.set x
  global.get g
  call it
`);
  });
});
