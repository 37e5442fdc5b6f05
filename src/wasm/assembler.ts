/**
 * A small assembler for WebAssembly: typed templates in, module bytes out. It follows the core specification 2.0, with
 * 128-bit SIMD: the binary format is https://webassembly.github.io/spec/core/binary/index.html, the opcodes are
 * https://webassembly.github.io/spec/core/binary/instructions.html. Functions are named after the instructions they
 * make.
 *
 * Code is a tree of instructions with symbolic labels, locals and functions, so that it can be printed and read as
 * text. Only `encode` turns the names into numbers.
 */

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
  readonly type: 'i32' | 'i64' | 'f64';
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

/** An instruction whose text is made only if it is printed. */
class Lazy {
  readonly form = 'plain';
  readonly bytes: readonly number[];
  readonly #text: () => string;

  constructor(bytes: readonly number[], text: () => string) {
    this.bytes = bytes;
    this.#text = text;
  }

  get text(): string {
    return this.#text();
  }
}

const plain = (text: string, ...bytes: number[]): Instruction => ({ form: 'plain', text, bytes });
const simd = (text: string, opcode: number, ...bytes: number[]): Instruction =>
  plain(text, 0xfd, ...unsigned(opcode), ...bytes);
/** Puts an instruction after the code of its operands. */
const operator =
  (instruction: Instruction) =>
  (...operands: Code[]): Code => [...operands, instruction];

/** A function that makes the code for an argument once. The same code can be in many places. */
function once<T extends string | number>(make: (argument: T) => Code): (argument: T) => Code {
  const made = new Map<T, Code>();
  return (argument) => {
    let code = made.get(argument);
    if (code === undefined) {
      code = make(argument);
      made.set(argument, code);
    }
    return code;
  };
}

export const localGet = once((name: string) => [{ form: 'local', text: 'local.get', name }]);
export const localSet = (name: string, value: Code): Code => [
  value,
  { form: 'local', text: 'local.set', name },
];
export const localTee = (name: string, value: Code): Code => [
  value,
  { form: 'local', text: 'local.tee', name },
];
export const globalGet = once((name: string) => [{ form: 'global', text: 'global.get', name }]);
export const globalSet = (name: string, value: Code): Code => [
  value,
  { form: 'global', text: 'global.set', name },
];
export const call = (name: string, ...operands: Code[]): Code => [...operands, { form: 'call', name }];

export const block = (label: string, ...body: Code[]): Code => [
  { form: 'block', text: 'block', label, body },
];
export const loop = (label: string, ...body: Code[]): Code => [{ form: 'block', text: 'loop', label, body }];
const NOTHING: Code = [];
export const if_ = (condition: Code, then: Code, otherwise: Code = NOTHING): Code => [
  condition,
  { form: 'if', then, otherwise },
];
export const br = (label: string): Code => [{ form: 'branch', text: 'br', label }];
export const brIf = (label: string, condition: Code): Code => [
  condition,
  { form: 'branch', text: 'br_if', label },
];
/** Jumps to the label at `index`, or to `otherwise` if there is no label at that index. */
export const brTable = (index: Code, labels: readonly string[], otherwise: string): Code => [
  index,
  { form: 'table', labels, otherwise },
];
const RETURN = plain('return', 0x0f);
export const return_ = (value: Code): Code => [value, RETURN];

export const i32Const = once((value: number) => [
  plain(`i32.const ${value}`, 0x41, ...signed(BigInt(value | 0))),
]);
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
  new Lazy([0xfd, 12, ...bytes], () => `v128.const i8x16 ${bytes.join(' ')}`),
];
/** A vector of 16 equal bytes. */
export const v128ConstSplat = once((byte: number) => v128Const(new Array<number>(16).fill(byte)));

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
  const at = once((offset: number) => [plain(`${text} offset=${offset}`, ...opcode, 0, ...unsigned(offset))]);
  return {
    load: (address: Code, offset = 0): Code => [address, at(offset)],
    store: (address: Code, value: Code, offset = 0): Code => [address, value, at(offset)],
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
export const { store: v128Store } = memory('v128.store', 0xfd, 11);
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

function isCode(part: Instruction | Code): part is Code {
  return Array.isArray(part);
}

/** The instructions of a sequence, without sequences in it. Those inside of blocks stay as they are. */
export function flatten(code: Code): Instruction[] {
  return code.flatMap((part) => (isCode(part) ? flatten(part) : [part]));
}

/** Whether the code calls a function of one of these names. */
export function calls(code: Code, names: ReadonlySet<string>): boolean {
  return code.some((instruction) => {
    if (isCode(instruction)) return calls(instruction, names);
    switch (instruction.form) {
      case 'call':
        return names.has(instruction.name);
      case 'block':
        return calls(instruction.body, names);
      case 'if':
        return calls(instruction.then, names) || calls(instruction.otherwise, names);
      default:
        return false;
    }
  });
}

const TYPES: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b };

/** The bytes of the module. Throws an Error for a name that is not defined: that is a bug in a template. */
export function encode(module: ModuleCode): Uint8Array<ArrayBuffer> {
  const { functions, globals, note } = module;
  const indexes: Indexes = {
    functions: new Map(functions.map(({ name }, i) => [name, i])),
    globals: new Map(globals.map(({ name }, i) => [name, i])),
  };
  const types = functions.map(({ params, result }) => [
    0x60,
    ...vector(params.map(([, type]) => [TYPES[type]])),
    ...vector(result === null ? [] : [[TYPES[result]]]),
  ]);
  const globalCodes = globals.map(({ type, initial }) => [
    TYPES[type],
    1,
    ...bytesOf(INITIAL[type](initial)),
    0x0b,
  ]);
  const exports = [
    ...functions.flatMap(({ name, exported }, i) => (exported ? [[...string(name), 0, ...unsigned(i)]] : [])),
    ...globals.flatMap(({ name, exported }, i) => (exported ? [[...string(name), 3, ...unsigned(i)]] : [])),
  ];
  const bodies = new Bytes();
  bodies.add(unsigned(functions.length));
  for (const code of functions) {
    const body = new FunctionBody(code, indexes).bytes;
    bodies.add(unsigned(body.length));
    bodies.add(body);
  }
  const out = new Bytes();
  out.add([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  out.section(1, vector(types));
  out.section(2, vector([[...string('env'), ...string('memory'), 2, 0, ...unsigned(1)]]));
  out.section(3, vector(functions.map((_, i) => unsigned(i))));
  out.section(6, vector(globalCodes));
  out.section(7, vector(exports));
  out.section(10, bodies.taken);
  if (note !== undefined) out.section(0, [...string(note.name), ...Buffer.from(note.text)]);
  return out.taken;
}

/** A growing list of bytes. */
class Bytes {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  add(bytes: ArrayLike<number>): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  section(id: number, content: ArrayLike<number>): void {
    this.push(id);
    this.add(unsigned(content.length));
    this.add(content);
  }

  /** The bytes so far. */
  get taken(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

const INITIAL = {
  i32: i32Const,
  i64: (value: number): Code => i64Const(BigInt(value)),
  f64: f64Const,
} as const;

function bytesOf(code: Code): number[] {
  return flatten(code).flatMap((instruction) => (instruction.form === 'plain' ? instruction.bytes : []));
}

/** The numbers of functions and globals, by name. */
interface Indexes {
  readonly functions: ReadonlyMap<string, number>;
  readonly globals: ReadonlyMap<string, number>;
}

class FunctionBody {
  readonly #code: FunctionCode;
  readonly #indexes: Indexes;
  readonly #locals: ReadonlyMap<string, number>;
  /** The labels of the open blocks, the outermost first. */
  readonly #labels: string[] = [];
  readonly #out = new Bytes();

  constructor(code: FunctionCode, indexes: Indexes) {
    this.#code = code;
    this.#indexes = indexes;
    this.#locals = new Map([...code.params, ...code.locals].map(([local], i) => [local, i]));
  }

  get bytes(): Uint8Array {
    const { locals, body } = this.#code;
    this.#out.add(vector(locals.map(([, type]) => [1, TYPES[type]])));
    this.#write(body);
    this.#out.push(0x0b);
    return this.#out.taken;
  }

  /** Writes an index; `what` has it if it is not defined. */
  #index(index: number | undefined, what: string): void {
    if (index === undefined) throw new Error(`${this.#code.name}: there is no ${what}`);
    if (index < 128) this.#out.push(index);
    else this.#out.add(unsigned(index));
  }

  #depth(label: string): void {
    const place = this.#labels.lastIndexOf(label);
    this.#index(place < 0 ? undefined : this.#labels.length - 1 - place, `label ${label}`);
  }

  #inside(label: string, body: Code): void {
    this.#labels.push(label);
    this.#write(body);
    this.#labels.pop();
  }

  #write(code: Code): void {
    for (const part of code) {
      if (isCode(part)) this.#write(part);
      else this.#writeOne(part);
    }
  }

  #writeOne(instruction: Instruction): void {
    const out = this.#out;
    switch (instruction.form) {
      case 'plain':
        out.add(instruction.bytes);
        break;
      case 'local': {
        const { text, name } = instruction;
        out.push(LOCAL_OPCODES[text]);
        this.#index(this.#locals.get(name), `local ${name}`);
        break;
      }
      case 'global': {
        const { text, name } = instruction;
        out.push(text === 'global.get' ? 0x23 : 0x24);
        this.#index(this.#indexes.globals.get(name), `global ${name}`);
        break;
      }
      case 'call':
        out.push(0x10);
        this.#index(this.#indexes.functions.get(instruction.name), `function ${instruction.name}`);
        break;
      case 'block':
        out.add([instruction.text === 'block' ? 0x02 : 0x03, 0x40]);
        this.#inside(instruction.label, instruction.body);
        out.push(0x0b);
        break;
      case 'if':
        out.add([0x04, 0x40]);
        this.#inside('', instruction.then);
        if (instruction.otherwise.length > 0) {
          out.push(0x05);
          this.#inside('', instruction.otherwise);
        }
        out.push(0x0b);
        break;
      case 'branch':
        out.push(instruction.text === 'br' ? 0x0c : 0x0d);
        this.#depth(instruction.label);
        break;
      case 'table':
        out.push(0x0e);
        out.add(unsigned(instruction.labels.length));
        for (const label of instruction.labels) this.#depth(label);
        this.#depth(instruction.otherwise);
        break;
    }
  }
}

const LOCAL_OPCODES = { 'local.get': 0x20, 'local.set': 0x21, 'local.tee': 0x22 } as const;

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
    for (const instruction of flatten(code)) {
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
