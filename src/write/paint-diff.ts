/**
 * Colours a unified diff for people: programs such as patch do not read colours. Control characters in the text are
 * escaped.
 */
import { Chalk } from 'chalk';
import { visible } from '../words/escape.ts';

/**
 * @returns a function that gives the pieces of a diff, each of which is whole lines, with colours of `level` (as chalk
 * counts)
 */
export function createDiffPainter(level: 1 | 2 | 3): (piece: Uint8Array) => Uint8Array {
  const chalk = new Chalk({ level });
  const paint = (line: string): string => {
    const text = line.split('\t').map(visible).join('\t');
    if (/^(?:---|\+\+\+) /.test(line)) return chalk.bold(text);
    if (line.startsWith('@@')) return chalk.cyan(text);
    if (line.startsWith('+')) return chalk.green(text);
    return line.startsWith('-') ? chalk.red(text) : text;
  };
  return (piece) => {
    const lines = Buffer.from(piece).toString().split('\n');
    const last = lines.pop();
    return Buffer.from(lines.map((line) => `${paint(line)}\n`).join('') + (last ? paint(last) : ''));
  };
}
