/**
 * Converts texts in the memory of an engine from UTF-16 to UTF-8, and back. Node writes and reads strings as UTF-16 in
 * a fraction of the time that UTF-8 takes.
 */
import { unitsIn } from '../accept/counting.ts';
import {
  block,
  br,
  brIf,
  type Code,
  type FunctionCode,
  i8x16Bitmask,
  i8x16NarrowI16x8U,
  i16x8ExtendHighI8x16U,
  i16x8ExtendLowI8x16U,
  i32Add,
  i32And,
  i32Const,
  i32Eq,
  i32GeU,
  i32GtU,
  i32Load8U,
  i32Load16U,
  i32LtU,
  i32Ne,
  i32Or,
  i32Shl,
  i32ShrU,
  i32Store8,
  i32Store16,
  i32Sub,
  i32s,
  if_,
  localGet,
  localSet,
  loop,
  return_,
  v128And,
  v128AnyTrue,
  v128Const,
  v128ConstSplat,
  v128Load,
  v128Or,
  v128Store,
} from '../wasm/assembler.ts';
import { encode } from '../wasm/encode.ts';
import { PADDING } from '../wasm/layout.ts';

/** Bytes of UTF-16 that are read in one step, if all of it is ASCII. */
const STEP = 32;

/** The bits of eight code units that are 0 in ASCII characters. */
const BEYOND_ASCII = v128Const(Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? 0x80 : 0xff)));

const p = localGet('p');
const end = localGet('end');
const to = localGet('to');
const c = localGet('c');

const pass = (bytes: number): Code => localSet('p', i32Add(p, i32Const(bytes)));

/**
 * Converts the text in [p, end): `step` bytes at once by `ascii`, which leaves the block `others` for other characters;
 * these one by one, by `one`, which continues the loop `one`.
 */
const converted = (step: number, ascii: Code, one: Code): Code =>
  loop(
    'text',
    block('others', brIf('others', i32LtU(i32Sub(end, p), i32Const(step))), ascii, pass(step), br('text')),
    localSet('stop', i32Add(p, i32Const(step))),
    if_(i32GtU(localGet('stop'), end), localSet('stop', end)),
    block('stopped', loop('one', brIf('stopped', i32GeU(p, localGet('stop'))), one)),
    brIf('text', i32LtU(p, end)),
  );

const low = (bits: number): Code => i32And(i32ShrU(c, i32Const(bits)), i32Const(0x3f));

/** Writes the character `c` as this number of bytes, and continues with the next one. */
const write = (bytes: 1 | 2 | 3 | 4): Code => {
  const lead = [0, 0xc0, 0xe0, 0xf0][bytes - 1]!;
  const first = bytes === 1 ? c : i32Or(i32Const(lead), i32ShrU(c, i32Const(6 * (bytes - 1))));
  const others = Array.from({ length: bytes - 1 }, (_, i) =>
    i32Store8(to, i32Or(i32Const(0x80), low(6 * (bytes - 2 - i))), i + 1),
  );
  return [...i32Store8(to, first), ...others, ...localSet('to', i32Add(to, i32Const(bytes))), ...br('one')];
};

/** `c` is the first half of a surrogate pair: it becomes the character. */
const pair: Code = [
  ...if_(i32Or(i32GeU(c, i32Const(0xdc00)), i32GeU(p, end)), return_(i32Const(0))),
  ...localSet('d', i32Load16U(p)),
  ...if_(i32Ne(i32And(localGet('d'), i32Const(0xfc00)), i32Const(0xdc00)), return_(i32Const(0))),
  ...pass(2),
  ...localSet(
    'c',
    i32Add(i32Shl(i32Sub(c, i32Const(0xd7c0)), i32Const(10)), i32Sub(localGet('d'), i32Const(0xdc00))),
  ),
  ...write(4),
];

/**
 * Writes the UTF-16 in [p, end) as UTF-8 to the address `to`, with `PADDING` zero bytes after it. Returns the address
 * after the text; 0 for half a surrogate pair, which has no UTF-8. The text may be written over what has been read.
 */
const utf8: FunctionCode = {
  name: 'utf8',
  params: i32s('p', 'end', 'to'),
  result: 'i32',
  locals: [['a', 'v128'], ['b', 'v128'], ...i32s('stop', 'c', 'd')],
  exported: true,
  body: [
    converted(
      STEP,
      [
        localSet('a', v128Load(p)),
        localSet('b', v128Load(p, 16)),
        brIf('others', v128AnyTrue(v128And(v128Or(localGet('a'), localGet('b')), BEYOND_ASCII))),
        v128Store(to, i8x16NarrowI16x8U(localGet('a'), localGet('b'))),
        localSet('to', i32Add(to, i32Const(STEP / 2))),
      ],
      [
        localSet('c', i32Load16U(p)),
        pass(2),
        if_(i32LtU(c, i32Const(0x80)), write(1)),
        if_(i32LtU(c, i32Const(0x800)), write(2)),
        if_(i32Eq(i32And(c, i32Const(0xf800)), i32Const(0xd800)), pair),
        write(3),
      ],
    ),
    ...Array.from({ length: PADDING / 16 }, (_, i) => v128Store(to, v128ConstSplat(0), 16 * i)).flat(),
    ...to,
  ],
};

const continuation = (at: number): Code => i32And(i32Load8U(p, at), i32Const(0x3f));
const shifted = (code: Code, bits: number): Code => i32Shl(code, i32Const(bits));

/** Writes a code unit. */
const unit = (code: Code): Code => [...i32Store16(to, code), ...localSet('to', i32Add(to, i32Const(2)))];

/** The bits of the lead byte `c` and of those after it. */
const character = (bytes: 2 | 3 | 4): Code =>
  Array.from({ length: bytes - 1 }, (_, i) => shifted(continuation(i + 1), 6 * (bytes - 2 - i))).reduce<Code>(
    (sum, bits) => i32Or(sum, bits),
    shifted(i32And(c, i32Const(0xff >> (bytes + 1))), 6 * (bytes - 1)),
  );

/**
 * Writes the UTF-8 in [p, end) as UTF-16 to the address `to`. Returns the address after the text; 0, and writes
 * nothing, for ASCII.
 */
const utf16: FunctionCode = {
  name: 'utf16',
  params: utf8.params,
  result: 'i32',
  locals: [['a', 'v128'], ...i32s('from', 'stop', 'c')],
  exported: true,
  body: [
    localSet('from', p),
    block(
      'beyond',
      loop(
        'ascii',
        if_(i32LtU(i32Sub(end, p), i32Const(16)), [
          ...loop(
            'bytes',
            if_(i32GeU(p, end), return_(i32Const(0))),
            brIf('beyond', i32GeU(i32Load8U(p), i32Const(0x80))),
            pass(1),
            br('bytes'),
          ),
        ]),
        brIf('beyond', i8x16Bitmask(v128Load(p))),
        pass(16),
        br('ascii'),
      ),
    ),
    localSet('p', localGet('from')),
    converted(
      16,
      [
        localSet('a', v128Load(p)),
        brIf('others', i8x16Bitmask(localGet('a'))),
        v128Store(to, i16x8ExtendLowI8x16U(localGet('a'))),
        v128Store(to, i16x8ExtendHighI8x16U(localGet('a')), 16),
        localSet('to', i32Add(to, i32Const(32))),
      ],
      [
        localSet('c', i32Load8U(p)),
        if_(i32LtU(c, i32Const(0x80)), [...unit(c), ...pass(1), ...br('one')]),
        if_(i32LtU(c, i32Const(0xe0)), [...unit(character(2)), ...pass(2), ...br('one')]),
        if_(i32LtU(c, i32Const(0xf0)), [...unit(character(3)), ...pass(3), ...br('one')]),
        localSet('c', character(4)),
        unit(i32Add(i32Const(0xd7c0), i32ShrU(c, i32Const(10)))),
        unit(i32Or(i32Const(0xdc00), i32And(c, i32Const(0x3ff)))),
        pass(4),
        br('one'),
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
