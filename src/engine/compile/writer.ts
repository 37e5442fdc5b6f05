/**
 * Functions that write the texts which are accepted, without the white space between their tokens, while they are read.
 *
 * What is to be written is first a range of the input, [from, upTo), which grows as long as nothing is dropped and is
 * copied to `to` only when something is. So texts that need no change are not copied at all. A payload is read
 * with copies of these variables (`end`, `writeTo`, `writeFrom`), which count only when it is accepted.
 */
import type { Code, FunctionCode, GlobalCode, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import type { Around } from '../../wasm/layout.ts';
import { advance, p, until } from '../../wasm/templates.ts';
import { PARAMS } from './context.ts';

export const WRITER_GLOBALS: readonly GlobalCode[] = [
  /** After the bytes that are written. */
  { name: 'to', type: 'i32', initial: 0, exported: true },
  /** The range of the input that comes after them. */
  { name: 'from', type: 'i32', initial: 0, exported: true },
  { name: 'upTo', type: 'i32', initial: 0, exported: true },
  /** The same for the payload being read, and where its text ended. */
  { name: 'writeTo', type: 'i32', initial: 0 },
  { name: 'writeFrom', type: 'i32', initial: 0 },
  { name: 'textEnd', type: 'i32', initial: 0 },
];

const to = asm.localGet('to');
const v = asm.localGet('v');

/** More bytes than this are left to `memory.copy`, which takes longer to begin. */
const SHORT_COPY = 256;

/** Copies [p, end) to `to`, and returns the address after the copy. It may write up to 15 bytes more. */
const copy = asm.func('copy', asm.i32s('p', 'end', 'to'), asm.NONE, [
  asm.if_(asm.i32GtU(asm.i32Sub('end', p), SHORT_COPY), [
    asm.memoryCopy(to, p, asm.i32Sub('end', p)),
    asm.return_(asm.i32Add(to, asm.i32Sub('end', p))),
  ]),
  until(asm.i32GeU(p, 'end'), [
    asm.v128Store(to, asm.v128Load(p)),
    asm.localSet('to', asm.i32Add(to, 16)),
    advance(16),
  ]),
  asm.i32Sub(to, asm.i32Sub(p, 'end')),
]);

/** A space, or a line feed where that is white space. */
const lineFeedOrSpace: Code = asm.i32Sub(0x20, asm.i32Mul(asm.globalGet('lineFeedIsSpace'), 0x16));
const isByte = (byte: number): Code => asm.i8x16Eq(v, asm.v128ConstSplat(byte));

const DROP_LOCALS: Variables = [['v', 'v128'], ...asm.i32s('m')];

/** Writes what is before `p`, and returns the address after the white space there. */
const drop = asm.func('drop', asm.i32s('p'), DROP_LOCALS, [
  asm.globalSet('writeTo', asm.call('copy', asm.globalGet('writeFrom'), p, asm.globalGet('writeTo'))),
  asm.loop(
    'next',
    asm.localSet('v', asm.v128Load(p)),
    asm.localSet(
      'm',
      asm.i32Xor(
        asm.i8x16Bitmask(
          asm.v128Or(
            asm.v128Or(isByte(0x20), isByte(0x09)),
            asm.v128Or(isByte(0x0d), asm.i8x16Eq(v, asm.i8x16Splat(lineFeedOrSpace))),
          ),
        ),
        0xffff,
      ),
    ),
    asm.if_(asm.i32Eqz('m'), [advance(16), asm.br('next')]),
  ),
  asm.localSet('p', asm.i32Add(p, asm.i32Ctz('m'))),
  asm.globalSet('writeFrom', p),
  p,
]);

/** Moves `p` past white space, which is not written. */
export const dropSpace: Code = asm.if_(asm.i32LeU(asm.i32Load8U(p), 0x20), asm.localSet('p', asm.call('drop', p)));

/** Writes the bytes up to `end` and then `byte`. The next range begins at `next`. */
const writeByte = (end: Code, byte: number, next: Code): Code => [
  asm.globalSet('writeTo', asm.call('copy', asm.globalGet('writeFrom'), end, asm.globalGet('writeTo'))),
  asm.i32Store8(asm.globalGet('writeTo'), byte),
  asm.globalSet('writeTo', asm.i32Add(asm.globalGet('writeTo'), 1)),
  asm.globalSet('writeFrom', next),
];

function entryFunction(reader: string, before: number): FunctionCode {
  // What is before the payload in the output is not what is before it in the input.
  const apart: Code =
    before !== 0
      ? writeByte(asm.globalGet('upTo'), before, p)
      : asm.if_(asm.i32Ne(p, asm.globalGet('upTo')), [
          asm.globalSet('writeTo', asm.call('copy', asm.globalGet('from'), asm.globalGet('upTo'), asm.globalGet('to'))),
          asm.globalSet('writeFrom', p),
        ]);
  return asm.func('written', PARAMS, asm.NONE, [
    asm.globalSet('writeTo', asm.globalGet('to')),
    asm.globalSet('writeFrom', asm.globalGet('from')),
    apart,
    asm.globalSet('textEnd', asm.call(reader, p, 'depth')),
    asm.globalGet('textEnd'),
  ]);
}

/** The payload that was read last is accepted: what it wrote counts. */
function commitFunction(after: number): FunctionCode {
  const end = asm.globalGet('textEnd');
  return {
    name: 'commit',
    params: [],
    result: null,
    locals: asm.NONE,
    body: [
      asm.globalSet('upTo', end),
      after === 0
        ? []
        : asm.if_(
            asm.i32Eq(asm.i32Load8U(end), after),
            asm.globalSet('upTo', asm.i32Add(end, 1)),
            writeByte(end, after, end),
          ),
      asm.globalSet('to', asm.globalGet('writeTo')),
      asm.globalSet('from', asm.globalGet('writeFrom')),
    ],
  };
}

/** Writes the range that is left, and returns the address after all that is written. */
const finish = asm.exported(
  asm.func('finish', [], asm.i32s('end'), [
    asm.localSet('end', asm.call('copy', asm.globalGet('from'), asm.globalGet('upTo'), asm.globalGet('to'))),
    asm.globalSet('from', 0),
    asm.globalSet('upTo', 0),
    asm.globalSet('to', 'end'),
    asm.localGet('end'),
  ]),
);

/** The functions for texts that the function `reader` reads. `entry` reads a payload; `accepted` runs if it is accepted. */
export function writerFunctions(
  reader: string,
  { before, after }: Around,
): { readonly functions: readonly FunctionCode[]; readonly entry: string; readonly accepted: Code } {
  const entry = entryFunction(reader, before);
  const functions = [copy, drop, entry, commitFunction(after), finish];
  return { functions, entry: entry.name, accepted: asm.call('commit') };
}
