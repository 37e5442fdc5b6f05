/**
 * A module as text for people, one instruction per line.
 */
import { type Code, type FunctionCode, type Instruction, isCode, type ModuleCode } from '../src/wasm/assembler.ts';

export function print(module: ModuleCode): string {
  return functionsOf(module).map(printFunction).join('\n');
}

function printFunction({ name, params, result, body }: FunctionCode): string {
  const lines = [`func ${name}(${params.map(([param, type]) => `${param}: ${type}`).join(', ')}) -> ${result ?? '()'}`];
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

/** The instructions of a sequence, without sequences in it. Those inside of blocks stay as they are. */
export function flatten(code: Code): Instruction[] {
  return code.flatMap((part) => (isCode(part) ? flatten(part) : [part]));
}

/** All functions of a module: with those of its library that are called. */
export function functionsOf({ functions, library = [] }: ModuleCode): FunctionCode[] {
  const all = [...functions];
  for (let i = 0; i < all.length; i++) {
    const called = new Set<string>();
    addCallees(all[i]!.body, called);
    all.push(...library.filter((one) => called.has(one.name) && !all.includes(one)));
  }
  return all;
}

/** Adds the names of the functions that the code calls. */
function addCallees(code: Code, names: Set<string>): void {
  for (let i = 0; i < code.length; i++) {
    const part = code[i]!;
    if (isCode(part)) addCallees(part, names);
    else if (part.form === 'call') names.add(part.name);
    else if (part.form === 'block') addCallees(part.body, names);
    else if (part.form === 'if') {
      addCallees(part.then, names);
      addCallees(part.otherwise, names);
    }
  }
}
