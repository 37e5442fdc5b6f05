/**
 * A module as text for people, one instruction per line.
 */
import {
  type Code,
  type FunctionCode,
  flatten,
  functionsOf,
  type Instruction,
  type ModuleCode,
} from '../src/engine/wasm/assembler.ts';

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

function lineOf(instruction: Exclude<Instruction, { form: 'block' | 'if' | 'shared' }>): string {
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
