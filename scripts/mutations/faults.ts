/**
 * Faults to plant in accept, to check that the tests that compare the engines would find them. Each changes the
 * module's code in one respect, at every place where that occurs.
 */

import type { Code, Instruction, ModuleCode } from '../../src/wasm/assembler.ts';
import { INVALID } from '../../src/wasm/templates.ts';
import { flatten, functionsOf } from '../wasm-text.ts';

/** Returns a replacement for `instruction`, which follows `before` in the function `name`, or the same. */
type Change = (instruction: Instruction, name: string, before: readonly Instruction[]) => Instruction;

const DROP: Instruction = { form: 'plain', text: 'drop', bytes: [0x1a] };

const plain = (from: string, to: string, ...bytes: number[]): Change => {
  return (instruction) =>
    instruction.form === 'plain' && instruction.text === from ? { form: 'plain', text: to, bytes } : instruction;
};

const inFunction = (wanted: string | RegExp, change: Change): Change => {
  const isWanted = (name: string): boolean => (typeof wanted === 'string' ? name === wanted : wanted.test(name));
  return (instruction, name, before) => (isWanted(name) ? change(instruction, name, before) : instruction);
};

/** Removes a return of "unsure" or "surely invalid", if its condition ends with these instructions. */
const unchecked = (...condition: string[]): Change => {
  return (instruction, _, before) => {
    const isCheck = instruction.form === 'if' && instruction.otherwise.length === 0 && isRefusal(instruction.then);
    const ending = before.slice(-condition.length).map(textOf);
    return isCheck && ending.join() === condition.join() ? DROP : instruction;
  };
};

function isRefusal(code: Code): boolean {
  return /^i32\.const [01],return$/.test(flatten(code).map(textOf).join());
}

function textOf(instruction: Instruction): string {
  switch (instruction.form) {
    case 'plain':
      return instruction.text;
    case 'local':
    case 'global':
      return `${instruction.text} ${instruction.name}`;
    default:
      return instruction.form;
  }
}

const OBJECTS = /^(object|payload) /;

export const FAULTS = {
  /** A number may be greater than its maximum. */
  'dropped bound': plain('f64.le', 'f64.ne', 0x62),
  /** A number may be less than its minimum. */
  'dropped minimum': plain('f64.ge', 'f64.ne', 0x62),
  /** Duplicates of known names are accepted. */
  'missed duplicate': inFunction(OBJECTS, plain('i64.eqz', 'i64.clz; i32.wrap', 0x79, 0xa7)),
  /** Duplicates of unknown names are accepted. */
  'missed unknown duplicate': inFunction('unknownName', plain('i32.ne', 'i32.eq', 0x46)),
  /** `\g` is accepted as an escape. */
  'bad escape': inFunction('string', plain('i32.const 102', 'i32.const 103', 0x41, 0xe7, 0)),
  /** Most control characters are accepted in strings. */
  'control character': inFunction('string', plain('i8x16.min_u', 'v128.and', 0xfd, 78)),
  /** A required member may be missing. */
  'missed required': plain('i64.ne', 'i64.gt_u', 0x56),
  /** A number may be beyond the range of a double. */
  'unbounded exponent': inFunction('number', plain('i32.const 2', 'i32.const 9', 0x41, 9)),
  /** Characters are counted as bytes. */
  'length in bytes': inFunction(
    'codePoints',
    plain(`v128.const i8x16${' 191'.repeat(16)}`, 'least', 0xfd, 12, ...new Array<number>(16).fill(128)),
  ),
  /** Escapes in a string are not recorded. */
  'escapes forgotten': inFunction('string', (instruction) =>
    instruction.form === 'global' && instruction.name === 'escaped'
      ? { form: 'plain', text: 'drop', bytes: [0x1a] }
      : instruction,
  ),
  /** A colon is accepted as a digit. */
  'bad digit': inFunction('number', plain('i32.const 10', 'i32.const 11', 0x41, 11)),
  /** `.5` and `-` are accepted as numbers. */
  'no whole digits': inFunction('number', unchecked('i32.const 10', 'i32.ge_u')),
  /** `1.` and `1e` are accepted as numbers, whatever follows. */
  'no digits after the point': inFunction('number', unchecked('i32.const 10', 'i32.lt_u', 'i32.eqz')),
  /** The digits of a number that its double does not keep are forgotten. */
  'lost digits': (instruction) =>
    instruction.form === 'global' && instruction.text === 'global.get' && instruction.name === 'numberError'
      ? { form: 'plain', text: 'f64.const 0', bytes: [0x44, 0, 0, 0, 0, 0, 0, 0, 0] }
      : instruction,
  /** A sign is ignored. */
  'sign forgotten': plain('f64.neg', 'nop', 0x01),
  /** `1.5` is accepted as an integer. */
  'missed fraction': plain('f64.floor', 'nop', 0x01),
  /** `\u00g0` is accepted as an escape. */
  'bad hex digit': inFunction('string', plain('i32.const 6', 'i32.const 7', 0x41, 7)),
  /** A form feed is white space. */
  'form feed': inFunction('space', plain('i32.const 13', 'i32.const 12', 0x41, 12)),
  /** Only the first letter of long values and names is compared. */
  'first letter': inFunction(OBJECTS, (instruction) =>
    instruction.form === 'plain' &&
    /^i32\.const (127|255|511|1023|2047|4095|8191|16383|32767|65535)$/.test(instruction.text)
      ? { form: 'plain', text: 'i32.const 1', bytes: [0x41, 1] }
      : instruction,
  ),
  /** An empty string is accepted if one character is required. */
  'empty string': unchecked('i32.const 34', 'i32.eq'),
  /** Any four letters are accepted as `true` or `null`. */
  'any word': (instruction, name, before) =>
    ['true', 'null'].reduce(
      (same, word) => unchecked(`i32.const ${Buffer.from(word).readInt32LE()}`, 'i32.ne')(same, name, before),
      instruction,
    ),
  /** Anything opens an object. */
  'no opening bracket': inFunction(OBJECTS, unchecked('i32.const 123', 'i32.ne')),
  /** Anything closes an object. */
  'no closing bracket': inFunction(OBJECTS, unchecked('i32.const 125', 'i32.ne')),
  /** Anything closes a value that no schema describes. */
  'no closing bracket in any': inFunction('any', unchecked('i32.const 2', 'i32.add', 'i32.ne')),
  /** Anything is accepted between a name and its value. */
  'no colon': unchecked('i32.const 58', 'i32.ne'),
  /** Anything opens a name. */
  'no quote': unchecked('i32.const 34', 'i32.ne'),
  /** The type of another kind is accepted. */
  'another kind': inFunction(/^payload \d/, unchecked('i32.eq')),
  /** The type of another kind is accepted if it is written with escapes. */
  'another kind, spelled out': inFunction(/^payload \d/, unchecked('global.get escaped')),
} satisfies Record<string, Change>;

/** Makes "surely invalid" of "unsure", if the condition ends with these instructions. */
const overconfident = (...condition: string[]): Change => {
  return (instruction, _, before) => {
    const isUnsure = instruction.form === 'if' && flatten(instruction.then).map(textOf).join() === 'i32.const 0,return';
    const ending = before.slice(-condition.length).map(textOf);
    // biome-ignore lint/suspicious/noThenProperty: an instruction; nothing awaits this object
    return isUnsure && ending.join() === condition.join() ? { ...instruction, then: INVALID } : instruction;
  };
};

const ARRAYS = /^array /;
const BRANCHES = /^any /;

/** Faults in what the bundled kinds do not need: found with generated schemas. */
export const SCHEMA_FAULTS = {
  /** A value that the schema in `not` matches is accepted. */
  'not forgotten': inFunction(BRANCHES, unchecked('local.get result', 'i32.const 1', 'i32.gt_u')),
  /** Two alternatives of `oneOf` may match. */
  'two of oneOf': inFunction(BRANCHES, unchecked('local.get found')),
  /** No alternative has to match. */
  'none of anyOf': inFunction(BRANCHES, (instruction, _, before) =>
    instruction.form === 'if' &&
    before.slice(-2).map(textOf).join() === 'local.get found,i32.eqz' &&
    instruction.then.length > 0
      ? DROP
      : instruction,
  ),
  /** A text that does not match a pattern is accepted. */
  'pattern forgotten': inFunction(/^(any|object|array) /, unchecked('call', 'i32.eqz')),
  /** Equal items are accepted. */
  'equal items': inFunction(ARRAYS, unchecked('local.get result', 'i32.const 1', 'i32.eq')),
  /** The hashes of all items are equal, but not their bytes. */
  'no hash': inFunction('unique', plain('i64.eq', 'i64.ne', 0x52)),
  /** An item of `contains` may be missing. */
  'nothing contained': inFunction(ARRAYS, unchecked('i32.const 1', 'i32.lt_u')),
  /** One member too few is accepted. */
  'one too few': inFunction(OBJECTS, plain('i32.lt_u', 'i32.lt_u with -1', 0x41, 1, 0x6b, 0x49)),
  /** Every whole number is a multiple. */
  'no multiple': inFunction(/^(any|object|array) /, unchecked('f64.mul', 'global.get number', 'f64.eq', 'i32.eqz')),
  /** A member may miss the ones that it depends on. */
  'no dependency': inFunction(OBJECTS, plain('i64.ne', 'i64.gt_u', 0x56)),
  /** The first closing bracket ends a value that is passed over. */
  'any bracket closes': inFunction('skipContainer', (instruction) =>
    instruction.form === 'plain' && instruction.text === 'i32.eqz'
      ? { form: 'plain', text: 'drop; true', bytes: [0x1a, 0x41, 1] }
      : instruction,
  ),
  /** An object is read up to the first member that matters. */
  'the first member decides': inFunction(/^object check /, plain('i64.eqz', 'drop; true', 0x1a, 0x41, 1)),
  /** A name with escapes is none of the known ones. */
  'escaped names are unknown': inFunction('beyondAscii', plain('i32.const 0', 'i32.const 1', 0x41, 1)),
  /** The third answer: a text with escapes surely differs from all others. */
  'escapes are sure': overconfident('global.get escaped'),
  /** The third answer: a number with an exponent surely differs. */
  'exponents are sure': overconfident('global.get isPlain', 'i32.eqz'),
  /** The third answer: what is unsure for `not` and `if` is invalid. */
  'unsure is invalid': inFunction(BRANCHES, overconfident('local.get result', 'i32.eqz')),
} satisfies Record<string, Change>;

export type Fault = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as Fault[]; // keys of a literal
export type SchemaFault = keyof typeof SCHEMA_FAULTS;
export const SCHEMA_FAULT_NAMES = Object.keys(SCHEMA_FAULTS) as SchemaFault[]; // keys of a literal

/** The fault changes nothing in the module. */
export class NothingPlanted extends Error {}

/** The module with the fault in it. Throws NothingPlanted if the fault changes nothing, because then it tests nothing. */
export function plant(module: ModuleCode, fault: Fault | SchemaFault): ModuleCode {
  let changed = 0;
  const change: Change = { ...FAULTS, ...SCHEMA_FAULTS }[fault];
  const visit = (code: Code, name: string): Code =>
    flatten(code).map((instruction, i, all): Instruction => {
      const other = change(instruction, name, all.slice(0, i));
      if (other !== instruction) {
        changed++;
        return other;
      }
      switch (instruction.form) {
        case 'block':
          return { ...instruction, body: visit(instruction.body, name) };
        case 'if':
          return {
            ...instruction,
            // biome-ignore lint/suspicious/noThenProperty: an instruction; nothing awaits this object
            then: visit(instruction.then, name),
            otherwise: visit(instruction.otherwise, name),
          };
        default:
          return instruction;
      }
    });
  const functions = functionsOf(module).map((code) => ({ ...code, body: visit(code.body, code.name) }));
  if (changed === 0) throw new NothingPlanted(`the fault "${fault}" changes nothing`);
  return { ...module, functions };
}
