/**
 * A small assembler for WebAssembly: typed templates in, module bytes out. It follows the core specification 2.0, with
 * 128-bit SIMD: the binary format is https://webassembly.github.io/spec/core/binary/index.html, the opcodes are
 * https://webassembly.github.io/spec/core/binary/instructions.html. Functions are named after the instructions they
 * make.
 *
 * Code is a tree of instructions with symbolic labels, locals and functions, so that it can be printed and read as
 * text. Only `encode` turns the names into numbers.
 */

/** A sequence of instructions. */
export type Code = readonly Instruction[];

type Instruction =
  | { readonly form: 'plain'; readonly text: string; readonly bytes: readonly number[] }
  | { readonly form: 'local'; readonly text: 'local.get' | 'local.set' | 'local.tee'; readonly name: string }
  | { readonly form: 'call'; readonly name: string }
  | { readonly form: 'global'; readonly text: 'global.get' | 'global.set'; readonly name: string }
  | { readonly form: 'block'; readonly text: 'block' | 'loop'; readonly label: string; readonly body: Code }
  | { readonly form: 'if'; readonly then: Code; readonly otherwise: Code }
  | { readonly form: 'branch'; readonly text: 'br' | 'br_if'; readonly label: string }
  | { readonly form: 'table'; readonly labels: readonly string[]; readonly otherwise: string };

export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

export interface FunctionCode {
  readonly name: string;
  readonly params: readonly (readonly [name: string, type: ValueType])[];
  readonly result: ValueType | null;
  readonly locals: readonly (readonly [name: string, type: ValueType])[];
  readonly body: Code;
  /** Exported under its name. */
  readonly exported?: boolean;
}

export interface GlobalCode {
  readonly name: string;
  readonly type: 'i32' | 'f64';
  readonly initial: number;
  readonly exported?: boolean;
}

/** A module whose memory is imported as `env.memory`. */
export interface ModuleCode {
  readonly globals: readonly GlobalCode[];
  readonly functions: readonly FunctionCode[];
  /** Text that is stored in the module as a custom section. */
  readonly note?: { readonly name: string; readonly text: string };
}

const plain = (text: string, ...bytes: number[]): Instruction => ({ form: 'plain', text, bytes });
const simd = (text: string, opcode: number, ...bytes: number[]): Instruction =>
  plain(text, 0xfd, ...unsigned(opcode), ...bytes);
/** Puts an instruction after the code of its operands. */
const operator =
  (instruction: Instruction) =>
  (...operands: Code[]): Code => [...operands.flat(), instruction];

export const localGet = (name: string): Code => [{ form: 'local', text: 'local.get', name }];
export const localSet = (name: string, value: Code): Code => [
  ...value,
  { form: 'local', text: 'local.set', name },
];
export const localTee = (name: string, value: Code): Code => [
  ...value,
  { form: 'local', text: 'local.tee', name },
];
export const globalGet = (name: string): Code => [{ form: 'global', text: 'global.get', name }];
export const globalSet = (name: string, value: Code): Code => [
  ...value,
  { form: 'global', text: 'global.set', name },
];
export const call = (name: string, ...operands: Code[]): Code => [...operands.flat(), { form: 'call', name }];

export const block = (label: string, ...body: Code[]): Code => [
  { form: 'block', text: 'block', label, body: body.flat() },
];
export const loop = (label: string, ...body: Code[]): Code => [
  { form: 'block', text: 'loop', label, body: body.flat() },
];
export const if_ = (condition: Code, then: Code, otherwise: Code = []): Code => [
  ...condition,
  { form: 'if', then, otherwise },
];
export const br = (label: string): Code => [{ form: 'branch', text: 'br', label }];
export const brIf = (label: string, condition: Code): Code => [
  ...condition,
  { form: 'branch', text: 'br_if', label },
];
/** Jumps to the label at `index`, or to `otherwise` if there is no label at that index. */
export const brTable = (index: Code, labels: readonly string[], otherwise: string): Code => [
  ...index,
  { form: 'table', labels, otherwise },
];
export const return_ = (value: Code): Code => [...value, plain('return', 0x0f)];

export const i32Const = (value: number): Code => [
  plain(`i32.const ${value}`, 0x41, ...signed(BigInt(value | 0))),
];
export const i64Const = (value: bigint): Code => [
  plain(`i64.const ${value}`, 0x42, ...signed(BigInt.asIntN(64, value))),
];
export const f64Const = (value: number): Code => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return [plain(`f64.const ${value}`, 0x44, ...bytes)];
};
/** A vector of the 16 given bytes. */
export const v128Const = (bytes: readonly number[]): Code => [
  simd(`v128.const i8x16 ${bytes.join(' ')}`, 12, ...bytes),
];
/** A vector of 16 equal bytes. */
export const v128ConstSplat = (byte: number): Code => v128Const(new Array<number>(16).fill(byte));

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
export const i64Eqz = operator(plain('i64.eqz', 0x50));
export const i64Eq = operator(plain('i64.eq', 0x51));
export const i64Ne = operator(plain('i64.ne', 0x52));
export const i64Add = operator(plain('i64.add', 0x7c));
export const i64Mul = operator(plain('i64.mul', 0x7e));
export const i64And = operator(plain('i64.and', 0x83));
export const i64Or = operator(plain('i64.or', 0x84));
export const i64Xor = operator(plain('i64.xor', 0x85));
export const i64ExtendI32U = operator(plain('i64.extend_i32_u', 0xad));
export const f64ConvertI64S = operator(plain('f64.convert_i64_s', 0xb9));
export const f64Eq = operator(plain('f64.eq', 0x61));
export const f64Lt = operator(plain('f64.lt', 0x63));
export const f64Gt = operator(plain('f64.gt', 0x64));
export const f64Le = operator(plain('f64.le', 0x65));
export const f64Ge = operator(plain('f64.ge', 0x66));
export const f64Mul = operator(plain('f64.mul', 0xa2));
export const f64Div = operator(plain('f64.div', 0xa3));
export const f64Floor = operator(plain('f64.floor', 0x9c));
export const f64Neg = operator(plain('f64.neg', 0x9a));

export const i32Load8U = (address: Code, offset = 0): Code => [
  ...address,
  plain(`i32.load8_u offset=${offset}`, 0x2d, 0, ...unsigned(offset)),
];
export const i32Load = (address: Code, offset = 0): Code => [
  ...address,
  plain(`i32.load offset=${offset}`, 0x28, 0, ...unsigned(offset)),
];
export const i32Store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  plain(`i32.store offset=${offset}`, 0x36, 0, ...unsigned(offset)),
];
export const i32Store8 = (address: Code, value: Code): Code => [
  ...address,
  ...value,
  plain('i32.store8 offset=0', 0x3a, 0, 0),
];
export const i64Store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  plain(`i64.store offset=${offset}`, 0x37, 0, ...unsigned(offset)),
];
export const v128Load = (address: Code, offset = 0): Code => [
  ...address,
  simd(`v128.load offset=${offset}`, 0, 0, ...unsigned(offset)),
];
export const v128Store = (address: Code, value: Code): Code => [
  ...address,
  ...value,
  simd('v128.store offset=0', 11, 0, 0),
];
/** Copies bytes; its operands are the address to copy to, the one to copy from, and the number of bytes. */
export const memoryCopy = operator(plain('memory.copy', 0xfc, 10, 0, 0));
/** A vector of 16 equal bytes, of the low byte of an i32. */
export const i8x16Splat = operator(simd('i8x16.splat', 15));
export const i8x16Eq = operator(simd('i8x16.eq', 35));
export const i8x16LtU = operator(simd('i8x16.lt_u', 38));
export const i8x16GtU = operator(simd('i8x16.gt_u', 40));
export const v128And = operator(simd('v128.and', 78));
export const v128Or = operator(simd('v128.or', 80));
/** The top bit of each of the 16 bytes, as the low 16 bits of an i32. */
export const i8x16Bitmask = operator(simd('i8x16.bitmask', 100));

const TYPES: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b };

/** The bytes of the module. Throws an Error for a name that is not defined: that is a bug in a template. */
export function encode(module: ModuleCode): Uint8Array<ArrayBuffer> {
  const { functions, globals, note } = module;
  const types = functions.map(({ params, result }) => [
    0x60,
    ...vector(params.map(([, type]) => [TYPES[type]])),
    ...vector(result === null ? [] : [[TYPES[result]]]),
  ]);
  const globalCodes = globals.map(({ type, initial }) => [
    TYPES[type],
    1,
    ...bytesOf(type === 'i32' ? i32Const(initial) : f64Const(initial)),
    0x0b,
  ]);
  const exports = [
    ...functions.flatMap(({ name, exported }, i) => (exported ? [[...string(name), 0, ...unsigned(i)]] : [])),
    ...globals.flatMap(({ name, exported }, i) => (exported ? [[...string(name), 3, ...unsigned(i)]] : [])),
  ];
  const bodies = functions.map((code) => {
    const body = functionBody(code, module);
    return [...unsigned(body.length), ...body];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(2, vector([[...string('env'), ...string('memory'), 2, 0, ...unsigned(1)]])),
    ...section(3, vector(functions.map((_, i) => unsigned(i)))),
    ...section(6, vector(globalCodes)),
    ...section(7, vector(exports)),
    ...section(10, vector(bodies)),
    ...(note === undefined ? [] : section(0, [...string(note.name), ...Buffer.from(note.text)])),
  ]);
}

function bytesOf(code: Code): number[] {
  return code.flatMap((instruction) => (instruction.form === 'plain' ? instruction.bytes : []));
}

function functionBody({ params, locals, body, name }: FunctionCode, module: ModuleCode): number[] {
  const names = new Map([...params, ...locals].map(([local], i) => [local, i]));
  const out: number[] = [...vector(locals.map(([, type]) => [1, TYPES[type]]))];
  const find = (index: number | undefined, what: string): number[] => {
    if (index === undefined || index < 0) throw new Error(`${name}: there is no ${what}`);
    return unsigned(index);
  };
  const depth = (labels: readonly string[], label: string): number[] => {
    const place = labels.lastIndexOf(label);
    return find(place < 0 ? undefined : labels.length - 1 - place, `label ${label}`);
  };
  const write = (code: Code, labels: readonly string[]): void => {
    for (const instruction of code) {
      switch (instruction.form) {
        case 'plain':
          for (const byte of instruction.bytes) out.push(byte);
          break;
        case 'local':
          out.push(
            LOCAL_OPCODES[instruction.text],
            ...find(names.get(instruction.name), `local ${instruction.name}`),
          );
          break;
        case 'global': {
          const index = module.globals.findIndex((global) => global.name === instruction.name);
          out.push(
            instruction.text === 'global.get' ? 0x23 : 0x24,
            ...find(index, `global ${instruction.name}`),
          );
          break;
        }
        case 'call': {
          const index = module.functions.findIndex((callee) => callee.name === instruction.name);
          out.push(0x10, ...find(index, `function ${instruction.name}`));
          break;
        }
        case 'block':
          out.push(instruction.text === 'block' ? 0x02 : 0x03, 0x40);
          write(instruction.body, [...labels, instruction.label]);
          out.push(0x0b);
          break;
        case 'if':
          out.push(0x04, 0x40);
          write(instruction.then, [...labels, '']);
          if (instruction.otherwise.length > 0) out.push(0x05);
          write(instruction.otherwise, [...labels, '']);
          out.push(0x0b);
          break;
        case 'branch':
          out.push(instruction.text === 'br' ? 0x0c : 0x0d, ...depth(labels, instruction.label));
          break;
        case 'table':
          out.push(0x0e, ...vector(instruction.labels.map((label) => depth(labels, label))));
          out.push(...depth(labels, instruction.otherwise));
          break;
      }
    }
  };
  write(body, []);
  out.push(0x0b);
  return out;
}

const LOCAL_OPCODES = { 'local.get': 0x20, 'local.set': 0x21, 'local.tee': 0x22 } as const;

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function string(text: string): number[] {
  const bytes = [...Buffer.from(text)];
  return [...unsigned(bytes.length), ...bytes];
}

/** Unsigned LEB128: https://webassembly.github.io/spec/core/binary/values.html#integers */
function unsigned(value: number): number[] {
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

/** The module as text for people, one instruction per line. */
export function print(module: ModuleCode): string {
  return module.functions.map(printFunction).join('\n');
}

function printFunction({ name, params, result, body }: FunctionCode): string {
  const lines = [
    `func ${name}(${params.map(([param, type]) => `${param}: ${type}`).join(', ')}) -> ${result ?? '()'}`,
  ];
  const visit = (code: Code, indent: string): void => {
    for (const instruction of code) {
      switch (instruction.form) {
        case 'block':
          lines.push(`${indent}${instruction.text} ${instruction.label}`);
          visit(instruction.body, `${indent}  `);
          break;
        case 'if':
          lines.push(`${indent}if`);
          visit(instruction.then, `${indent}  `);
          if (instruction.otherwise.length > 0) lines.push(`${indent}else`);
          visit(instruction.otherwise, `${indent}  `);
          break;
        default:
          lines.push(indent + lineOf(instruction));
      }
    }
  };
  visit(body, '  ');
  return `${lines.join('\n')}\n`;
}

function lineOf(instruction: Exclude<Instruction, { form: 'block' | 'if' }>): string {
  switch (instruction.form) {
    case 'plain':
      return instruction.text;
    case 'local':
    case 'global':
      return `${instruction.text} ${instruction.name}`;
    case 'call':
      return `call ${instruction.name}`;
    case 'branch':
      return `${instruction.text} ${instruction.label}`;
    case 'table':
      return `br_table ${instruction.labels.join(' ')} else ${instruction.otherwise}`;
  }
}
