/**
 * The assembler, tested by running the modules it makes: constants and offsets at the edges of their LEB128 encodings
 * (core specification 5.2.2), and more locals, functions, labels and code than one byte can count.
 */
import { describe, expect, it } from 'vitest';
import { print } from '../../scripts/wasm-text.ts';
import {
  block,
  br,
  brTable,
  type Code,
  call,
  type FunctionCode,
  f64Const,
  f64ConvertI64S,
  f64Eq,
  globalGet,
  globalSet,
  i8x16Bitmask,
  i8x16Eq,
  i32Add,
  i32Const,
  i32Load,
  i32Load8U,
  i32Store,
  i64Const,
  i64Eq,
  i64ExtendI32U,
  if_,
  localGet,
  localSet,
  loop,
  type ModuleCode,
  v128Const,
  v128Load,
} from '../../src/wasm/assembler.ts';
import { encode } from '../../src/wasm/encode.ts';

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
    for (const value of edges(32).map(Number)) expect(run(i32Const(value))).toBe(value | 0);
    // The same bits as unsigned numbers.
    for (const value of [0x8000_0000, 0xffff_ffff, 0xffff_ffc0]) expect(run(i32Const(value)) >>> 0).toBe(value);
  });

  it('of 64 bits are what they are, at every edge', () => {
    for (const value of [...edges(64), 1n << 63n, (1n << 64n) - 1n]) {
      // The value is assembled from its halves at run time.
      const high = Number(BigInt.asUintN(32, value >> 32n));
      const low = Number(BigInt.asUintN(32, value));
      const memory = new WebAssembly.Memory({ initial: 16 });
      const words = new Int32Array(memory.buffer, 0, 2);
      const body = [
        ...i32Store(i32Const(0), i32Const(low)),
        ...i32Store(i32Const(0), i32Const(high), 4),
        ...i64Eq(i64Const(value), [...i32Const(0), { form: 'plain', text: 'i64.load', bytes: [0x29, 0, 0] }]),
      ];
      expect(start({ functions: [func(body)] }, memory)(0)).toBe(1);
      expect([words[0], words[1]]).toEqual([low | 0, high | 0]);
    }
  });

  it('of floating point are the doubles of JavaScript', () => {
    for (const value of [0, 1, -1, 0.1, 1e300, 5e-324, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
      expect(run(f64Eq(f64Const(value), f64Const(value)))).toBe(1);
      expect(run(f64Eq(f64Const(value), f64Const(value === 0 ? 1 : value / 2))) === 1).toBe(!Number.isFinite(value));
    }
    expect(run(f64Eq(f64Const(Number.NaN), f64Const(Number.NaN)))).toBe(0);
    for (const value of [0, 1, 255, 65_536, 0x7fff_ffff]) {
      expect(run(f64Eq(f64ConvertI64S(i64ExtendI32U(localGet('x'))), f64Const(value)), value)).toBe(1);
    }
  });

  it('of 16 bytes keep their order', () => {
    const bytes = Array.from({ length: 16 }, (_, i) => 240 + i);
    const memory = new WebAssembly.Memory({ initial: 16 });
    new Uint8Array(memory.buffer).set(bytes, 1000);
    const it = start({ functions: [func(i8x16Bitmask(i8x16Eq(v128Load(localGet('x')), v128Const(bytes))))] }, memory);
    expect([it(1000), it(1001), it(2000)]).toEqual([0xffff, 0, 0]);
  });
});

describe('what is counted', () => {
  it.each([0, 1, 127, 128, 129, 16_383, 16_384, 16_385, 1_000_000])('offset %i in memory', (offset) => {
    const memory = new WebAssembly.Memory({ initial: 16 });
    const bytes = new Uint8Array(memory.buffer);
    bytes[offset + 5] = 200;
    expect(start({ functions: [func(i32Load8U(localGet('x'), offset))] }, memory)(5)).toBe(200);
    expect(start({ functions: [func(i32Load(localGet('x'), offset))] }, memory)(5)).toBe(200);
    start({ functions: [func([...i32Store(localGet('x'), i32Const(77), offset), ...i32Const(0)])] }, memory)(9);
    expect(bytes[offset + 9]).toBe(77);
  });

  it.each([1, 127, 128, 129, 300, 20_000])('%i locals', (count) => {
    const locals = Array.from({ length: count }, (_, i) => [`l${i}`, 'i32'] as const);
    const last = `l${count - 1}`;
    const body = [...localSet(last, i32Add(localGet('x'), i32Const(1))), ...i32Add(localGet(last), localGet('l0'))];
    const it = start({ functions: [func(body, { locals })] });
    expect(it(41)).toBe(count === 1 ? 84 : 42);
  });

  it.each([1, 127, 128, 129, 300])('%i functions and globals', (count) => {
    const others = Array.from({ length: count }, (_, i) =>
      func(i32Add(localGet('x'), globalGet(`g${i}`)), { name: `f${i}`, exported: false }),
    );
    const globals = Array.from({ length: count }, (_, i) => ({ name: `g${i}`, type: 'i32', initial: i }) as const);
    const body = [
      ...globalSet('g0', i32Const(1000)),
      ...i32Add(call(`f${count - 1}`, localGet('x')), call('f0', localGet('x'))),
    ];
    const it = start({ globals, functions: [...others, func(body)] });
    expect(it(1)).toBe(count === 1 ? 2002 : count - 1 + 1000 + 2);
  });

  it.each([1, 127, 128, 129, 1000])('%i labels, one in another', (count) => {
    // A jump to the outermost label skips the additions of the inner ones.
    let body = [...brTable(localGet('x'), ['b0', `b${count - 1}`], 'b0')];
    for (let i = count - 1; i >= 0; i--)
      body = [...block(`b${i}`, body), ...localSet('n', i32Add(localGet('n'), i32Const(1)))];
    const it = start({ functions: [func([...body, ...localGet('n')], { locals: [['n', 'i32']] })] });
    expect([it(0), it(1), it(2), it(-1)]).toEqual([1, count, 1, 1]);
  });

  it('code of any length', () => {
    for (const count of [1, 20, 40, 5000, 100_000]) {
      const body = [
        ...Array.from({ length: count }, () => localSet('x', i32Add(localGet('x'), i32Const(1)))).flat(),
        ...localGet('x'),
      ];
      expect(run(body)).toBe(count);
    }
  });
});

describe('names', () => {
  it('of labels mean the innermost', () => {
    const inner = block(
      'a',
      block('a', br('a')),
      localSet('x', i32Add(localGet('x'), i32Const(1))),
      br('a'),
      localSet('x', i32Const(99)),
    );
    expect(run([...inner, ...localGet('x')])).toBe(1);
    const counting = loop(
      'a',
      localSet('x', i32Add(localGet('x'), i32Const(1))),
      if_(i64Eq(i64ExtendI32U(localGet('x')), i64Const(5n)), [], br('a')),
    );
    expect(run([...counting, ...localGet('x')])).toBe(5);
  });

  it.each([
    ['local', localGet('y'), 'it: there is no local y'],
    ['global', globalGet('y'), 'it: there is no global y'],
    ['function', call('y'), 'it: there is no function y'],
    ['label', [...block('a', br('y')), ...i32Const(0)], 'it: there is no label y'],
    ['label of a closed block', [...block('y', []), ...block('a', br('y')), ...i32Const(0)], 'it: there is no label y'],
  ])('of a %s that is not there are an error', (_, body, message) => {
    expect(() => encode({ globals: [], functions: [func(body)] })).toThrow(message);
  });

  it('are in the printed code', () => {
    const body = [
      ...block('a', if_(localGet('x'), br('a'), localSet('x', i32Const(-7)))),
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
