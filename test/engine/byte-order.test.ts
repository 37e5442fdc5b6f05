/**
 * Big-endian hosts, such as s390x: WebAssembly has its numbers in little-endian order everywhere, and typed arrays have them in
 * the order of the host. Typed arrays are made big-endian here, which is what such a host does.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Acceptor } from '../../src/engine/compile/acceptor.ts';
import { Window } from '../../src/source/window.ts';
import { acceptCode, trySchema } from '../trial.ts';

type Numbers = Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
type Content = number | readonly number[] | ArrayBuffer;
type NumbersClass = new (...args: [Content, ...number[]]) => Numbers;

/** The class as a big-endian host has it: its elements lie in memory with their highest byte first. */
function bigEndian(Real: NumbersClass): NumbersClass {
  return new Proxy(Real, {
    construct(_, args: [Content, ...number[]]) {
      const real = new Real(...args);
      const isView = args[0] instanceof ArrayBuffer;
      if (!isView) swapAll(real);
      return new Proxy(real, {
        get: (_, key) => (isIndex(key) ? swapped(real, Number(key)) : Reflect.get(real, key, real)),
        set(_, key, value: number) {
          if (!isIndex(key)) return Reflect.set(real, key, value, real);
          real[Number(key)] = value;
          bytesOf(real, Number(key)).reverse();
          return true;
        },
      });
    },
  });
}

const isIndex = (key: string | symbol): boolean => typeof key === 'string' && /^\d+$/.test(key);

function bytesOf(numbers: Numbers, index: number): Uint8Array {
  const { BYTES_PER_ELEMENT: size, buffer, byteOffset } = numbers;
  return new Uint8Array(buffer, byteOffset + index * size, size);
}

function swapAll(numbers: Numbers): void {
  for (let i = 0; i < numbers.length; i++) bytesOf(numbers, i).reverse();
}

function swapped(numbers: Numbers, index: number): number | undefined {
  if (index >= numbers.length) return undefined;
  const copy = numbers.slice(index, index + 1);
  bytesOf(copy, 0).reverse();
  return copy[0];
}

beforeEach(() => {
  const classes = { Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array };
  for (const [name, one] of Object.entries(classes)) vi.stubGlobal(name, bigEndian(one as NumbersClass)); // their overloads do not fit one another
});
afterEach(() => vi.unstubAllGlobals());

describe('on a big-endian host', () => {
  it('typed arrays are big-endian here', () => {
    const numbers = new Uint32Array([1, 2]);
    expect([...new Uint8Array(numbers.buffer)]).toEqual([0, 0, 0, 1, 0, 0, 0, 2]);
    expect([numbers[0], numbers[1], numbers[2], numbers.length]).toEqual([1, 2, undefined, 2]);
    expect([...new Uint8Array(new Float64Array([1]).buffer)]).toEqual([0x3f, 0xf0, 0, 0, 0, 0, 0, 0]);
    const view = new Uint32Array(Uint8Array.of(0, 0, 1, 0).buffer);
    expect(view[0]).toBe(256);
    view[0] = 3;
    expect([...new Uint8Array(view.buffer)]).toEqual([0, 0, 0, 3]);
  });

  it('accepted payloads are counted as they are', async () => {
    const window = new Window();
    const limits = { maxDepth: 1000, maxBytes: 1 << 20 };
    const acceptor = new Acceptor(await acceptCode({}), window.memory, limits);
    const text = '1\n'.repeat(300);
    window.bytes.write(text);
    Object.assign(window, { end: text.length, atEnd: true });
    const taken = (): number[] => {
      const counts: number[] = [];
      acceptor.takeCounts((_, count) => counts.push(count));
      return counts;
    };
    acceptor.run(window, 'lines');
    expect(taken()).toEqual([300]);
    expect(taken()).toEqual([]);
    acceptor.run(window, 'lines');
    window.memory.grow(1);
    expect(taken()).toEqual([300]);
  });

  it.each([0.3, -100, 123456789012345])('a bound of %d is what the schema says', async (bound) => {
    const schemas = [{ minimum: bound }, { maximum: bound }, { enum: [bound] }];
    for (const schema of schemas) {
      const { accept, examine } = await trySchema({ type: 'number', ...schema });
      for (const value of [bound - 1, bound, bound + 1]) {
        const text = String(value);
        expect([schema, text, accept(text)]).toEqual([schema, text, examine(text)]);
      }
    }
  });
});
