/**
 * A small assembler for WebAssembly: typed templates in, module bytes out. It follows the core specification 2.0, with
 * 128-bit SIMD: the binary format is https://webassembly.github.io/spec/core/binary/index.html, the opcodes are
 * https://webassembly.github.io/spec/core/binary/instructions.html. Functions are named after the instructions they
 * make.
 *
 * Code is a tree of instructions with symbolic labels, locals and functions, so that it can be printed and read as
 * text. Only `encode` (encode.ts) turns the names into numbers.
 */
import { memoized } from '../json/on-demand.ts';

/** A sequence of instructions. It may contain sequences, so that parts are put together without copying them. */
export type Code = readonly (Instruction | Code)[];

export type Instruction =
  | { readonly form: 'plain'; readonly text: string; readonly bytes: readonly number[] }
  | { readonly form: 'local'; readonly text: 'local.get' | 'local.set' | 'local.tee'; readonly name: string }
  | { readonly form: 'call'; readonly name: string }
  | { readonly form: 'global'; readonly text: 'global.get' | 'global.set'; readonly name: string }
  | { readonly form: 'block'; readonly text: 'block' | 'loop'; readonly label: string; readonly body: Code }
  | { readonly form: 'if'; readonly then: Code; readonly otherwise: Code }
  | { readonly form: 'branch'; readonly text: 'br' | 'br_if'; readonly label: string }
  | { readonly form: 'table'; readonly labels: readonly string[]; readonly otherwise: string };

export type WasmType = 'i32' | 'i64' | 'f64' | 'v128';

/** Parameters or locals. */
export type Variables = readonly (readonly [name: string, type: WasmType])[];

export const NONE: Variables = [];
export const i32s = (...names: readonly string[]): Variables => names.map((name) => [name, 'i32']);

export interface FunctionCode {
  readonly name: string;
  readonly params: Variables;
  readonly result: WasmType | null;
  readonly locals: Variables;
  readonly body: Code;
  readonly exported?: boolean;
}

/** A function whose result is an i32. */
export function func(name: string, params: Variables, locals: Variables, body: Code): FunctionCode {
  return { name, params, result: 'i32', locals, body };
}

export function exported(code: FunctionCode): FunctionCode {
  return { ...code, exported: true };
}

export interface GlobalCode {
  readonly name: string;
  readonly type: 'i32' | 'i64' | 'f64';
  readonly initial: number;
  readonly exported?: boolean;
}

/** A module whose memory is imported as `env.memory`. */
export interface ModuleCode {
  readonly globals: readonly GlobalCode[];
  readonly functions: readonly FunctionCode[];
  /** Functions that are in the module only if others call them. */
  readonly library?: readonly FunctionCode[];
  /** What is stored in the module as custom sections, by name. */
  readonly notes?: Readonly<Record<string, Uint8Array>>;
}

const plain = (text: string, ...bytes: number[]): Instruction => ({ form: 'plain', text, bytes });
const simd = (text: string, opcode: number, ...bytes: number[]): Instruction =>
  plain(text, 0xfd, ...unsigned(opcode), ...bytes);
/** What an instruction works on: code that leaves a value, the name of a local variable, or a number (i32). */
export type Operand = Code | string | number;

/** Puts an instruction after the code of its one or two operands. */
const operator =
  (instruction: Instruction) =>
  (first: Operand, second?: Operand): Code =>
    second === undefined ? [operandCode(first), instruction] : [operandCode(first), operandCode(second), instruction];

function operandCode(operand: Operand): Code {
  if (typeof operand === 'string') return localGet(operand);
  return typeof operand === 'number' ? i32Const(operand) : operand;
}

// Arguments of what is made once are numbers and names that the templates use, none of a schema.
export const localGet = memoized((name: string): Code => [{ form: 'local', text: 'local.get', name }]);
const setLocal = memoized((name: string): Instruction => ({ form: 'local', text: 'local.set', name }));
export const localSet = (name: string, value: Operand): Code => [operandCode(value), setLocal(name)];
export const localTee = (name: string, value: Operand): Code => [
  operandCode(value),
  { form: 'local', text: 'local.tee', name },
];
export const globalGet = memoized((name: string): Code => [{ form: 'global', text: 'global.get', name }]);
const setGlobal = memoized((name: string): Instruction => ({ form: 'global', text: 'global.set', name }));
export const globalSet = (name: string, value: Operand): Code => [operandCode(value), setGlobal(name)];
export const call = (name: string, ...operands: Operand[]): Code => [operands.map(operandCode), { form: 'call', name }];

export const block = (label: string, ...body: Code[]): Code => [{ form: 'block', text: 'block', label, body }];
export const loop = (label: string, ...body: Code[]): Code => [{ form: 'block', text: 'loop', label, body }];
const NOTHING: Code = [];
export const if_ = (condition: Operand, then: Code, otherwise: Code = NOTHING): Code => [
  operandCode(condition),
  { form: 'if', then, otherwise },
];
export const br = memoized((label: string): Code => [{ form: 'branch', text: 'br', label }]);
const branchIf = memoized((label: string): Instruction => ({ form: 'branch', text: 'br_if', label }));
export const brIf = (label: string, condition: Operand): Code => [operandCode(condition), branchIf(label)];
/** Jumps to the label at `index`, or to `otherwise` if there is no label at that index. */
export const brTable = (index: Operand, labels: readonly string[], otherwise: string): Code => [
  operandCode(index),
  { form: 'table', labels, otherwise },
];
const RETURN = plain('return', 0x0f);
/** Ends the run of the module with an error. */
export const unreachable: Code = [plain('unreachable', 0x00)];
export const return_ = (value: Operand): Code => [operandCode(value), RETURN];

export const i32Const = memoized(
  (value: number): Code => [plain(`i32.const ${value}`, 0x41, ...signed(BigInt(value | 0)))],
);
export const i64Const = (value: bigint): Code => [
  plain(`i64.const ${value}`, 0x42, ...signed(BigInt.asIntN(64, value))),
];
export const f64Const = (value: number): Code => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return [plain(`f64.const ${value}`, 0x44, ...bytes)];
};
export const v128Const = (bytes: readonly number[]): Code => [
  simd(`v128.const i8x16 ${bytes.join(' ')}`, 12, ...bytes),
];
export const v128ConstSplat = memoized((byte: number) => v128Const(new Array<number>(16).fill(byte)));

export const i32Eqz = operator(plain('i32.eqz', 0x45));
export const i32Eq = operator(plain('i32.eq', 0x46));
export const i32Ne = operator(plain('i32.ne', 0x47));
export const i32LtU = operator(plain('i32.lt_u', 0x49));
export const i32GtU = operator(plain('i32.gt_u', 0x4b));
export const i32LeU = operator(plain('i32.le_u', 0x4d));
export const i32GeU = operator(plain('i32.ge_u', 0x4f));
export const i32Ctz = operator(plain('i32.ctz', 0x68));
export const i32Popcnt = operator(plain('i32.popcnt', 0x69));
export const i32Add = operator(plain('i32.add', 0x6a));
export const i32Sub = operator(plain('i32.sub', 0x6b));
export const i32Mul = operator(plain('i32.mul', 0x6c));
export const i32And = operator(plain('i32.and', 0x71));
export const i32Or = operator(plain('i32.or', 0x72));
export const i32Xor = operator(plain('i32.xor', 0x73));
export const i32Shl = operator(plain('i32.shl', 0x74));
export const i32ShrU = operator(plain('i32.shr_u', 0x76));
export const i32WrapI64 = operator(plain('i32.wrap_i64', 0xa7));
export const i64Eqz = operator(plain('i64.eqz', 0x50));
export const i64Eq = operator(plain('i64.eq', 0x51));
export const i64Ne = operator(plain('i64.ne', 0x52));
export const i64Add = operator(plain('i64.add', 0x7c));
export const i64Sub = operator(plain('i64.sub', 0x7d));
export const i64Mul = operator(plain('i64.mul', 0x7e));
export const i64And = operator(plain('i64.and', 0x83));
export const i64Or = operator(plain('i64.or', 0x84));
export const i64Xor = operator(plain('i64.xor', 0x85));
export const i64Ctz = operator(plain('i64.ctz', 0x7a));
export const i64Shl = operator(plain('i64.shl', 0x86));
export const i64Rotl = operator(plain('i64.rotl', 0x89));
export const i64ReinterpretF64 = operator(plain('i64.reinterpret_f64', 0xbd));
export const i64ExtendI32U = operator(plain('i64.extend_i32_u', 0xad));
export const f64ConvertI64S = operator(plain('f64.convert_i64_s', 0xb9));
export const f64Eq = operator(plain('f64.eq', 0x61));
export const f64Lt = operator(plain('f64.lt', 0x63));
export const f64Gt = operator(plain('f64.gt', 0x64));
export const f64Le = operator(plain('f64.le', 0x65));
export const f64Ge = operator(plain('f64.ge', 0x66));
export const f64Add = operator(plain('f64.add', 0xa0));
export const f64Sub = operator(plain('f64.sub', 0xa1));
export const f64Abs = operator(plain('f64.abs', 0x99));
export const f64Mul = operator(plain('f64.mul', 0xa2));
export const f64Div = operator(plain('f64.div', 0xa3));
export const f64Floor = operator(plain('f64.floor', 0x9c));
export const f64Neg = operator(plain('f64.neg', 0x9a));

/** An instruction for the memory, with the operands `address` and, if it stores, `value`. */
const memory = (text: string, ...opcode: number[]) => {
  const at = memoized((offset: number) => [plain(`${text} offset=${offset}`, ...opcode, 0, ...unsigned(offset))]);
  return {
    load: (address: Operand, offset = 0): Code => [operandCode(address), at(offset)],
    store: (address: Operand, value: Operand, offset = 0): Code => [
      operandCode(address),
      operandCode(value),
      at(offset),
    ],
  };
};

export const { load: i32Load8U } = memory('i32.load8_u', 0x2d);
export const { load: i32Load } = memory('i32.load', 0x28);
export const { load: i32Load16U } = memory('i32.load16_u', 0x2f);
export const { load: i64Load } = memory('i64.load', 0x29);
export const { store: i32Store } = memory('i32.store', 0x36);
export const { store: i64Store } = memory('i64.store', 0x37);
export const { load: v128Load } = memory('v128.load', 0xfd, 0);
export const { store: i32Store8 } = memory('i32.store8', 0x3a);
export const { store: i32Store16 } = memory('i32.store16', 0x3b);
export const { store: v128Store } = memory('v128.store', 0xfd, 11);
const COPY = plain('memory.copy', 0xfc, 10, 0, 0);
export const memoryCopy = (to: Operand, from: Operand, count: Operand): Code => [
  [to, from, count].map(operandCode),
  COPY,
];
/** A vector of 16 equal bytes, of the low byte of an i32. */
export const i8x16Splat = operator(simd('i8x16.splat', 15));
export const i8x16Eq = operator(simd('i8x16.eq', 35));
export const i8x16GtS = operator(simd('i8x16.gt_s', 39));
export const i8x16GtU = operator(simd('i8x16.gt_u', 40));
export const i8x16Add = operator(simd('i8x16.add', 110));
export const i8x16Sub = operator(simd('i8x16.sub', 113));
/** The sums of each two neighbours, which are signed: eight of sixteen, and four of eight. */
export const i16x8ExtaddPairwiseI8x16S = operator(simd('i16x8.extadd_pairwise_i8x16_s', 124));
export const i32x4ExtaddPairwiseI16x8S = operator(simd('i32x4.extadd_pairwise_i16x8_s', 126));
export const i32x4ExtractLane = (lane: number): ((vector: Operand) => Code) =>
  operator(plain(`i32x4.extract_lane ${lane}`, 0xfd, 27, lane));
export const i8x16MinU = operator(simd('i8x16.min_u', 119));
export const v128Or = operator(simd('v128.or', 80));
export const v128Xor = operator(simd('v128.xor', 81));
/** The top bit of each of the 16 bytes, as the low 16 bits of an i32. */
export const i8x16Bitmask = operator(simd('i8x16.bitmask', 100));

export function isCode(part: Instruction | Code): part is Code {
  return Array.isArray(part);
}

/** True if there is no instruction in the code. */
export function isEmpty(code: Code): boolean {
  return code.every((part) => isCode(part) && isEmpty(part));
}

/** Unsigned LEB128: https://webassembly.github.io/spec/core/binary/values.html#integers */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    const rest = Math.floor(value / 128);
    bytes.push((value % 128) + (rest > 0 ? 128 : 0));
    value = rest;
  } while (value > 0);
  return bytes;
}

/** Signed LEB128. */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (;;) {
    const byte = Number(value & 0x7fn);
    value >>= 7n;
    const done = (value === 0n && byte < 64) || (value === -1n && byte >= 64);
    bytes.push(done ? byte : byte | 128);
    if (done) return bytes;
  }
}
