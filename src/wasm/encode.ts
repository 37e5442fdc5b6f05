/**
 * A module to bytes: https://webassembly.github.io/spec/core/binary/modules.html. Names of locals, labels and functions
 * become numbers here. The loops are hot: a large schema has a million instructions.
 */
import {
  type Code,
  type FunctionCode,
  f64Const,
  type Instruction,
  i32Const,
  i64Const,
  isCode,
  type ModuleCode,
  unsigned,
  type WasmType,
} from './assembler.ts';

const TYPE_CODES: Readonly<Record<WasmType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b };
const END = 0x0b;

/** Whether V8 refuses a module for the size of its code: https://webassembly.github.io/spec/js-api/#limits */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.name === 'CompileError' && /maximum function size|exceeds/.test(error.message);
}

/** The bytes of the module. Throws an Error for a name that is not defined: that is a bug in a template. */
export function encode(module: ModuleCode): Uint8Array<ArrayBuffer> {
  const { globals, library = [], notes = {} } = module;
  const functions = [...module.functions];
  const numbers = new Map(functions.map(({ name }, i) => [name, i]));
  const indexes: Indexes = {
    functionOf: (name) => {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      const one = library.find((code) => code.name === name);
      if (one !== undefined) numbers.set(name, functions.push(one) - 1);
      return numbers.get(name);
    },
    globals: new Map(globals.map(({ name }, i) => [name, i])),
  };
  const body = new Bytes();
  const globalCodes = globals.map(({ name, type, initial }) => {
    body.clear();
    new Writer({ name, params: [], locals: [] }, indexes, body).write(INITIAL[type](initial));
    return [TYPE_CODES[type], 1, ...body.taken, END];
  });
  const bodies = bodiesOf(functions, indexes);
  const types = functions.map(({ params, result }) => [
    0x60,
    ...vector(params.map(([, type]) => [TYPE_CODES[type]])),
    ...vector(result === null ? [] : [[TYPE_CODES[result]]]),
  ]);
  const exports = [
    ...functions.flatMap(({ name, exported }, i) => (exported ? [[...string(name), 0, ...unsigned(i)]] : [])),
    ...globals.flatMap(({ name, exported }, i) => (exported ? [[...string(name), 3, ...unsigned(i)]] : [])),
  ];
  const code = new Bytes();
  code.number(functions.length);
  code.add(bodies.taken);
  const out = new Bytes();
  out.add([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  out.section(1, vector(types));
  out.section(2, vector([[...string('env'), ...string('memory'), 2, 0, ...unsigned(1)]]));
  out.section(3, vector(functions.map((_, i) => unsigned(i))));
  out.section(6, vector(globalCodes));
  out.section(7, vector(exports));
  out.section(10, code.taken);
  for (const [name, content] of Object.entries(notes)) out.section(0, [...string(name), ...content]);
  return out.taken.slice();
}

/** The bodies of all functions, and of those of the library that are added to `functions` meanwhile. */
function bodiesOf(functions: readonly FunctionCode[], indexes: Indexes): Bytes {
  const bodies = new Bytes();
  const body = new Bytes();
  for (const code of functions) {
    body.clear();
    body.number(code.locals.length);
    for (const [, type] of code.locals) {
      body.push(1);
      body.push(TYPE_CODES[type]);
    }
    new Writer(code, indexes, body).write(code.body);
    body.push(END);
    bodies.number(body.length);
    bodies.add(body.taken);
  }
  return bodies;
}

const INITIAL = { i32: i32Const, i64: (value: number): Code => i64Const(BigInt(value)), f64: f64Const } as const;

class Bytes {
  #bytes = new Uint8Array(1 << 12);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  push(byte: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = byte;
  }

  add(bytes: ArrayLike<number>): void {
    const { length } = bytes;
    if (this.length + length > this.#bytes.length) this.#grow(length);
    // For a few bytes, a loop is faster than `set`.
    if (length > MANY) this.#bytes.set(bytes, this.length);
    else for (let i = 0; i < length; i++) this.#bytes[this.length + i] = bytes[i]!;
    this.length += length;
  }

  /** Unsigned LEB128. */
  number(value: number): void {
    if (value < 128) this.push(value);
    else this.add(unsigned(value));
  }

  section(id: number, content: ArrayLike<number>): void {
    this.push(id);
    this.number(content.length);
    this.add(content);
  }

  /** The bytes so far, up to the next change. */
  get taken(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  #grow(count: number): void {
    const grown = new Uint8Array(2 * (this.length + count));
    grown.set(this.taken);
    this.#bytes = grown;
  }
}

const MANY = 64;

/** The numbers of functions and globals, by name. */
interface Indexes {
  /** Adds a function of the library when it is first asked for; undefined: there is none of that name. */
  readonly functionOf: (name: string) => number | undefined;
  readonly globals: ReadonlyMap<string, number>;
}

class Writer {
  readonly #name: string;
  readonly #indexes: Indexes;
  readonly #out: Bytes;
  readonly #locals = new Map<string, number>();
  /** The labels of the open blocks, the outermost first. */
  readonly #labels: string[] = [];

  constructor(
    { name, params, locals }: Pick<FunctionCode, 'name' | 'params' | 'locals'>,
    indexes: Indexes,
    out: Bytes,
  ) {
    this.#name = name;
    this.#indexes = indexes;
    this.#out = out;
    for (const [local] of params) this.#locals.set(local, this.#locals.size);
    for (const [local] of locals) this.#locals.set(local, this.#locals.size);
  }

  write(code: Code): void {
    for (let i = 0; i < code.length; i++) {
      const part = code[i]!;
      if (isCode(part)) this.write(part);
      else this.#writeOne(part);
    }
  }

  /** Writes an index; `what` and `name` say what is not defined if there is none. */
  #index(index: number | undefined, what: string, name: string): void {
    if (index === undefined) throw new Error(`${this.#name}: there is no ${what} ${name}`);
    this.#out.number(index);
  }

  #depth(label: string): void {
    const place = this.#labels.lastIndexOf(label);
    this.#index(place < 0 ? undefined : this.#labels.length - 1 - place, 'label', label);
  }

  #inside(label: string, body: Code): void {
    this.#labels.push(label);
    this.write(body);
    this.#labels.pop();
  }

  #writeOne(instruction: Instruction): void {
    const out = this.#out;
    switch (instruction.form) {
      case 'plain':
        out.add(instruction.bytes);
        break;
      case 'local':
        out.push(LOCAL_OPCODES[instruction.text]);
        this.#index(this.#locals.get(instruction.name), 'local', instruction.name);
        break;
      case 'global':
        out.push(instruction.text === 'global.get' ? 0x23 : 0x24);
        this.#index(this.#indexes.globals.get(instruction.name), 'global', instruction.name);
        break;
      case 'call':
        out.push(0x10);
        this.#index(this.#indexes.functionOf(instruction.name), 'function', instruction.name);
        break;
      case 'block':
        out.push(instruction.text === 'block' ? 0x02 : 0x03);
        out.push(0x40);
        this.#inside(instruction.label, instruction.body);
        out.push(END);
        break;
      case 'if':
        out.push(0x04);
        out.push(0x40);
        this.#inside('', instruction.then);
        if (instruction.otherwise.length > 0) {
          out.push(0x05);
          this.#inside('', instruction.otherwise);
        }
        out.push(END);
        break;
      case 'branch':
        out.push(instruction.text === 'br' ? 0x0c : 0x0d);
        this.#depth(instruction.label);
        break;
      case 'table':
        out.push(0x0e);
        out.number(instruction.labels.length);
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
