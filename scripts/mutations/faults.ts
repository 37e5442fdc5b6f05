/**
 * Faults to plant in accept, to see that the checks that hold the engines together would catch them. Each changes the code of
 * the module in one respect, wherever that occurs.
 */
import type { Code, ModuleCode } from '../../src/wasm/assembler.ts';

type Instruction = Code[number];

/** Gives the instruction that stands in for `instruction`, in the function called `name`, or the same. */
type Change = (instruction: Instruction, name: string) => Instruction;

const plain = (from: string, to: string, ...bytes: number[]): Change => {
  return (instruction) =>
    instruction.form === 'plain' && instruction.text === from
      ? { form: 'plain', text: to, bytes }
      : instruction;
};

const inFunction = (wanted: string, change: Change): Change => {
  return (instruction, name) => (name === wanted ? change(instruction, name) : instruction);
};

const ONES = new Array<number>(16).fill(1);

export const FAULTS = {
  /** A number may be greater than its maximum. */
  'dropped bound': plain('f64.le', 'f64.ne', 0x62),
  /** A number may be less than its minimum. */
  'dropped minimum': plain('f64.ge', 'f64.ne', 0x62),
  /** A known name may stand twice. */
  'missed duplicate': (instruction, name) =>
    name.startsWith('object') || name.startsWith('payload')
      ? plain('i64.eqz', 'i64.clz; i32.wrap', 0x79, 0xa7)(instruction, name)
      : instruction,
  /** An unknown name may stand twice. */
  'missed unknown duplicate': inFunction('unknownName', plain('i32.ne', 'i32.eq', 0x46)),
  /** `\g` passes for an escape. */
  'bad escape': inFunction('string', plain('i32.const 102', 'i32.const 103', 0x41, 0xe7, 0)),
  /** Control characters pass in strings. */
  'control character': inFunction(
    'string',
    plain(`v128.const i8x16${' 32'.repeat(16)}`, 'ones', 0xfd, 12, ...ONES),
  ),
  /** A required member may be missing. */
  'missed required': plain('i64.ne', 'i64.gt_u', 0x56),
  /** A number may be beyond the range of a double. */
  'unbounded exponent': inFunction('number', plain('i32.const 2', 'i32.const 9', 0x41, 9)),
  /** Characters are counted as bytes. */
  'length in bytes': inFunction('codePoints', plain('i32.const 128', 'i32.const 1', 0x41, 1)),
  /** Nobody hears that a string had escapes. */
  'escapes forgotten': inFunction('string', (instruction) =>
    instruction.form === 'global' && instruction.name === 'escaped'
      ? { form: 'plain', text: 'drop', bytes: [0x1a] }
      : instruction,
  ),
} satisfies Record<string, Change>;

export type Fault = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as Fault[]; // keys of a literal

/** The module with the fault in it. Throws where the fault changes nothing, for then it tests nothing. */
export function plant(module: ModuleCode, fault: Fault): ModuleCode {
  let changed = 0;
  const change = FAULTS[fault];
  const visit = (code: Code, name: string): Code =>
    code.map((instruction): Instruction => {
      switch (instruction.form) {
        case 'block':
          return { ...instruction, body: visit(instruction.body, name) };
        case 'if':
          return {
            ...instruction,
            // biome-ignore lint/suspicious/noThenProperty: an instruction, which nobody awaits
            then: visit(instruction.then, name),
            otherwise: visit(instruction.otherwise, name),
          };
        default: {
          const other = change(instruction, name);
          if (other !== instruction) changed++;
          return other;
        }
      }
    });
  const functions = module.functions.map((code) => ({ ...code, body: visit(code.body, code.name) }));
  if (changed === 0) throw new Error(`the fault "${fault}" changes nothing`);
  return { ...module, functions };
}
