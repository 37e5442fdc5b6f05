/**
 * Converts texts in the memory of an engine from UTF-16 to UTF-8, and back. Node writes and reads strings as UTF-16 in
 * a fraction of the time that UTF-8 takes.
 */
import { unitsIn } from '../accept/counting.ts';
import type { Code, FunctionCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { encode } from '../wasm/encode.ts';
import { PADDING } from '../wasm/layout.ts';

/** Bytes of UTF-16 that are read in one step, if all of it is ASCII. */
const STEP = 32;

/** The bits of eight code units that are 0 in ASCII characters. */
const BEYOND_ASCII = asm.v128Const(Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? 0x80 : 0xff)));

const p = asm.localGet('p');
const end = asm.localGet('end');
const to = asm.localGet('to');
const c = asm.localGet('c');

const pass = (bytes: number): Code => asm.localSet('p', asm.i32Add(p, bytes));

/**
 * Converts the text in [p, end): `step` bytes at once by `ascii`, which leaves the block `others` for other characters;
 * these one by one, by `one`, which continues the loop `one`.
 */
const converted = (step: number, ascii: Code, one: Code): Code =>
  asm.loop(
    'text',
    asm.block(
      'others',
      asm.brIf('others', asm.i32LtU(asm.i32Sub(end, p), step)),
      ascii,
      pass(step),
      asm.br('text'),
    ),
    asm.localSet('stop', asm.i32Add(p, step)),
    asm.if_(asm.i32GtU('stop', end), asm.localSet('stop', end)),
    asm.block('stopped', asm.loop('one', asm.brIf('stopped', asm.i32GeU(p, 'stop')), one)),
    asm.brIf('text', asm.i32LtU(p, end)),
  );

const low = (bits: number): Code => asm.i32And(asm.i32ShrU(c, bits), 0x3f);

/** Writes the character `c` as this number of bytes, and continues with the next one. */
const write = (bytes: 1 | 2 | 3 | 4): Code => {
  const lead = [0, 0xc0, 0xe0, 0xf0][bytes - 1]!;
  const first = bytes === 1 ? c : asm.i32Or(lead, asm.i32ShrU(c, 6 * (bytes - 1)));
  const others = Array.from({ length: bytes - 1 }, (_, i) =>
    asm.i32Store8(to, asm.i32Or(0x80, low(6 * (bytes - 2 - i))), i + 1),
  );
  return [asm.i32Store8(to, first), ...others, asm.localSet('to', asm.i32Add(to, bytes)), asm.br('one')];
};

/** `c` is the first half of a surrogate pair: it becomes the character. */
const pair: Code = [
  asm.if_(asm.i32Or(asm.i32GeU(c, 0xdc00), asm.i32GeU(p, end)), asm.return_(0)),
  asm.localSet('d', asm.i32Load16U(p)),
  asm.if_(asm.i32Ne(asm.i32And('d', 0xfc00), 0xdc00), asm.return_(0)),
  pass(2),
  asm.localSet('c', asm.i32Add(asm.i32Shl(asm.i32Sub(c, 0xd7c0), 10), asm.i32Sub('d', 0xdc00))),
  ...write(4),
];

/**
 * Writes the UTF-16 in [p, end) as UTF-8 to the address `to`, with `PADDING` zero bytes after it. Returns the address
 * after the text; 0 for half a surrogate pair, which has no UTF-8. The text may be written over what has been read.
 */
const utf8: FunctionCode = {
  name: 'utf8',
  params: asm.i32s('p', 'end', 'to'),
  result: 'i32',
  locals: [['a', 'v128'], ['b', 'v128'], ...asm.i32s('stop', 'c', 'd')],
  exported: true,
  body: [
    converted(
      STEP,
      [
        asm.localSet('a', asm.v128Load(p)),
        asm.localSet('b', asm.v128Load(p, 16)),
        asm.brIf('others', asm.v128AnyTrue(asm.v128And(asm.v128Or('a', 'b'), BEYOND_ASCII))),
        asm.v128Store(to, asm.i8x16NarrowI16x8U('a', 'b')),
        asm.localSet('to', asm.i32Add(to, STEP / 2)),
      ],
      [
        asm.localSet('c', asm.i32Load16U(p)),
        pass(2),
        asm.if_(asm.i32LtU(c, 0x80), write(1)),
        asm.if_(asm.i32LtU(c, 0x800), write(2)),
        asm.if_(asm.i32Eq(asm.i32And(c, 0xf800), 0xd800), pair),
        write(3),
      ],
    ),
    ...Array.from({ length: PADDING / 16 }, (_, i) =>
      asm.v128Store(to, asm.v128ConstSplat(0), 16 * i),
    ).flat(),
    to,
  ],
};

const continuation = (at: number): Code => asm.i32And(asm.i32Load8U(p, at), 0x3f);
const shifted = (code: Code, bits: number): Code => asm.i32Shl(code, bits);

/** Writes a code unit. */
const unit = (code: Code): Code => [asm.i32Store16(to, code), asm.localSet('to', asm.i32Add(to, 2))];

/** The bits of the lead byte `c` and of those after it. */
const character = (bytes: 2 | 3 | 4): Code =>
  Array.from({ length: bytes - 1 }, (_, i) => shifted(continuation(i + 1), 6 * (bytes - 2 - i))).reduce<Code>(
    (sum, bits) => asm.i32Or(sum, bits),
    shifted(asm.i32And(c, 0xff >> (bytes + 1)), 6 * (bytes - 1)),
  );

/**
 * Writes the UTF-8 in [p, end) as UTF-16 to the address `to`. Returns the address after the text; 0, and writes
 * nothing, for ASCII.
 */
const utf16: FunctionCode = {
  name: 'utf16',
  params: utf8.params,
  result: 'i32',
  locals: [['a', 'v128'], ...asm.i32s('from', 'stop', 'c')],
  exported: true,
  body: [
    asm.localSet('from', p),
    asm.block(
      'beyond',
      asm.loop(
        'ascii',
        asm.if_(asm.i32LtU(asm.i32Sub(end, p), 16), [
          asm.loop(
            'bytes',
            asm.if_(asm.i32GeU(p, end), asm.return_(0)),
            asm.brIf('beyond', asm.i32GeU(asm.i32Load8U(p), 0x80)),
            pass(1),
            asm.br('bytes'),
          ),
        ]),
        asm.brIf('beyond', asm.i8x16Bitmask(asm.v128Load(p))),
        pass(16),
        asm.br('ascii'),
      ),
    ),
    asm.localSet('p', 'from'),
    converted(
      16,
      [
        asm.localSet('a', asm.v128Load(p)),
        asm.brIf('others', asm.i8x16Bitmask('a')),
        asm.v128Store(to, asm.i16x8ExtendLowI8x16U('a')),
        asm.v128Store(to, asm.i16x8ExtendHighI8x16U('a'), 16),
        asm.localSet('to', asm.i32Add(to, 32)),
      ],
      [
        asm.localSet('c', asm.i32Load8U(p)),
        asm.if_(asm.i32LtU(c, 0x80), [...unit(c), pass(1), asm.br('one')]),
        asm.if_(asm.i32LtU(c, 0xe0), [...unit(character(2)), pass(2), asm.br('one')]),
        asm.if_(asm.i32LtU(c, 0xf0), [...unit(character(3)), pass(3), asm.br('one')]),
        asm.localSet('c', character(4)),
        unit(asm.i32Add(0xd7c0, asm.i32ShrU(c, 10))),
        unit(asm.i32Or(0xdc00, asm.i32And(c, 0x3ff))),
        pass(4),
        asm.br('one'),
      ],
    ),
    to,
  ],
};

/**
 * The functions for a memory. Their arguments: an address, the end address, and the output address; see `utf8` and
 * `utf16`.
 */
export interface TextFunctions {
  readonly utf8: (from: number, end: number, to: number) => number;
  readonly utf16: (from: number, end: number, to: number) => number;
  /** UTF-16 code units of the UTF-8 in [from, end). */
  readonly unitsIn: (from: number, end: number) => number;
}

let module: WebAssembly.Module | null = null;

export function textFunctionsIn(memory: WebAssembly.Memory): TextFunctions {
  module ??= new WebAssembly.Module(encode({ globals: [], functions: [utf8, utf16, unitsIn] }));
  // These are the functions defined above.
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as TextFunctions;
}
