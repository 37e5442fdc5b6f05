/**
 * Functions that write the texts which are accepted, without the white space between their tokens, while they are read.
 *
 * What is to be written is first a range of the input, [from, upTo), which grows as long as nothing is dropped and is
 * copied to `to` only when something is. So texts that need no change are not copied at all. A payload is read
 * with copies of these variables (`end`, `writeTo`, `writeFrom`), which count only when it is accepted.
 *
 * Between elements of an array that become lines, the range keeps the commas. They are replaced by line feeds in the
 * copy, here or by the caller that copies the range.
 */
import {
  block,
  br,
  brIf,
  type Code,
  call,
  type FunctionCode,
  type GlobalCode,
  globalGet,
  globalSet,
  i8x16Bitmask,
  i8x16Eq,
  i8x16Splat,
  i32Add,
  i32And,
  i32Const,
  i32Ctz,
  i32Eq,
  i32Eqz,
  i32GeU,
  i32GtU,
  i32LeU,
  i32Load,
  i32Load8U,
  i32LtU,
  i32Mul,
  i32Ne,
  i32Or,
  i32Store8,
  i32Sub,
  i32s,
  i32Xor,
  if_,
  localGet,
  localSet,
  loop,
  memoryCopy,
  return_,
  v128ConstSplat,
  v128Load,
  v128Or,
  v128Store,
} from '../wasm/assembler.ts';
import { SPAN_BYTES, SPANS } from '../wasm/layout.ts';
import { PARAMS } from './context.ts';
import type { Around } from './payload-layout.ts';
import { advance } from './templates.ts';

export const WRITER_GLOBALS: readonly GlobalCode[] = [
  /** After the bytes that are written. */
  { name: 'to', type: 'i32', initial: 0, exported: true },
  /** The range of the input that comes after them. */
  { name: 'from', type: 'i32', initial: 0, exported: true },
  { name: 'upTo', type: 'i32', initial: 0, exported: true },
  /** 1 if the range may have commas in place of line feeds. The list of places says where. */
  { name: 'commas', type: 'i32', initial: 0, exported: true },
  /** The same for the payload being read, and where its text ended. */
  { name: 'writeTo', type: 'i32', initial: 0 },
  { name: 'writeFrom', type: 'i32', initial: 0 },
  { name: 'textEnd', type: 'i32', initial: 0 },
];

const p = localGet('p');
const to = localGet('to');
const v = localGet('v');

/** More bytes than this are left to `memory.copy`, which takes longer to begin. */
const SHORT_COPY = 256;

/** Copies [p, end) to `to`, and returns the address after the copy. It may write up to 15 bytes more. */
const copy: FunctionCode = {
  name: 'copy',
  params: i32s('p', 'end', 'to'),
  result: 'i32',
  locals: [],
  body: [
    ...if_(i32GtU(i32Sub(localGet('end'), p), i32Const(SHORT_COPY)), [
      ...memoryCopy(to, p, i32Sub(localGet('end'), p)),
      ...return_(i32Add(to, i32Sub(localGet('end'), p))),
    ]),
    ...block(
      'done',
      loop(
        'next',
        brIf('done', i32GeU(p, localGet('end'))),
        v128Store(to, v128Load(p)),
        localSet('to', i32Add(to, i32Const(16))),
        advance(16),
        br('next'),
      ),
    ),
    ...i32Sub(to, i32Sub(p, localGet('end'))),
  ],
};

const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const span = localGet('span');
const spanEnd = i32Load(span, 4);

/** The same with line feeds instead of the commas after payloads. */
const copyRange: FunctionCode = {
  name: 'copyRange',
  params: copy.params,
  result: 'i32',
  locals: i32s('span'),
  body: [
    ...if_(i32Eqz(globalGet('commas')), return_(call('copy', p, localGet('end'), to))),
    ...localSet('span', globalGet('spans')),
    ...call('copy', p, localGet('end'), to),
    ...block(
      'done',
      loop(
        'next',
        localSet('span', i32Sub(span, i32Const(SPAN_BYTES))),
        brIf('done', i32LtU(span, i32Const(SPANS))),
        brIf('done', i32LtU(spanEnd, p)),
        if_(i32LtU(spanEnd, localGet('end')), i32Store8(i32Add(to, i32Sub(spanEnd, p)), i32Const(LINE_FEED))),
        br('next'),
      ),
    ),
  ],
};

/** A space, or a line feed where that is white space. */
const lineFeedOrSpace: Code = i32Sub(i32Const(0x20), i32Mul(globalGet('lineFeedIsSpace'), i32Const(0x16)));
const isByte = (byte: number): Code => i8x16Eq(v, v128ConstSplat(byte));

/** Writes what is before `p`, and returns the address after the white space there. */
const drop: FunctionCode = {
  name: 'drop',
  params: i32s('p'),
  result: 'i32',
  locals: [['v', 'v128'], ...i32s('m')],
  body: [
    ...globalSet('writeTo', call('copyRange', globalGet('writeFrom'), p, globalGet('writeTo'))),
    ...loop(
      'next',
      localSet('v', v128Load(p)),
      localSet(
        'm',
        i32Xor(
          i8x16Bitmask(
            v128Or(
              v128Or(isByte(0x20), isByte(0x09)),
              v128Or(isByte(0x0d), i8x16Eq(v, i8x16Splat(lineFeedOrSpace))),
            ),
          ),
          i32Const(0xffff),
        ),
      ),
      if_(i32Eqz(localGet('m')), [...advance(16), ...br('next')]),
    ),
    ...localSet('p', i32Add(p, i32Ctz(localGet('m')))),
    ...globalSet('writeFrom', p),
    ...p,
  ],
};

/** Moves `p` past white space, which is not written. */
export const dropSpace: Code = if_(i32LeU(i32Load8U(p), i32Const(0x20)), localSet('p', call('drop', p)));

/** Writes the bytes up to `end` and then `byte`. The next range begins at `next`. */
const writeByte = (end: Code, byte: number, next: Code): Code => [
  ...globalSet('writeTo', call('copyRange', globalGet('writeFrom'), end, globalGet('writeTo'))),
  ...i32Store8(globalGet('writeTo'), i32Const(byte)),
  ...globalSet('writeTo', i32Add(globalGet('writeTo'), i32Const(1))),
  ...globalSet('writeFrom', next),
];

/** Reads the payload at `p` with the function `reader`. */
function entryFunction(reader: string, before: number): FunctionCode {
  // What is before the payload in the output is not what is before it in the input.
  const apart: Code =
    before !== 0
      ? writeByte(globalGet('upTo'), before, p)
      : if_(i32Ne(p, globalGet('upTo')), [
          ...globalSet('writeTo', call('copyRange', globalGet('from'), globalGet('upTo'), globalGet('to'))),
          ...globalSet('writeFrom', p),
        ]);
  return {
    name: 'written',
    params: PARAMS,
    result: 'i32',
    locals: [],
    body: [
      ...globalSet('writeTo', globalGet('to')),
      ...globalSet('writeFrom', globalGet('from')),
      ...apart,
      ...globalSet('textEnd', call(reader, p, localGet('depth'))),
      ...globalGet('textEnd'),
    ],
  };
}

/** The payload that was read last is accepted: what it wrote counts. */
function commitFunction(after: number): FunctionCode {
  const end = globalGet('textEnd');
  const c = localGet('c');
  const isComma = i32And(i32Eq(c, i32Const(COMMA)), globalGet('commas'));
  return {
    name: 'commit',
    params: [],
    result: null,
    locals: i32s('c'),
    body: [
      ...globalSet('upTo', end),
      ...(after === 0
        ? []
        : [
            ...localSet('c', i32Load8U(end)),
            ...if_(
              i32Or(i32Eq(c, i32Const(after)), isComma),
              globalSet('upTo', i32Add(end, i32Const(1))),
              writeByte(end, after, end),
            ),
          ]),
      ...globalSet('to', globalGet('writeTo')),
      ...globalSet('from', globalGet('writeFrom')),
    ],
  };
}

/** Writes the range that is left, and returns the address after all that is written. */
const finish: FunctionCode = {
  name: 'finish',
  params: [],
  result: 'i32',
  locals: i32s('end'),
  exported: true,
  body: [
    ...localSet('end', call('copyRange', globalGet('from'), globalGet('upTo'), globalGet('to'))),
    ...globalSet('from', i32Const(0)),
    ...globalSet('upTo', i32Const(0)),
    ...globalSet('to', localGet('end')),
    ...localGet('end'),
  ],
};

/** The functions for texts that the function `reader` reads. `entry` reads a payload; `accepted` runs if it is accepted. */
export function writerFunctions(
  reader: string,
  { before, after }: Around,
): { readonly functions: readonly FunctionCode[]; readonly entry: string; readonly accepted: Code } {
  const entry = entryFunction(reader, before);
  const functions = [copy, copyRange, drop, entry, commitFunction(after), finish];
  return { functions, entry: entry.name, accepted: call('commit') };
}
