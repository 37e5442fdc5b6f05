// @ts-check
// Breaks minified code into lines.
import { parseAst } from 'rolldown/parseAst';

/** Characters of a line after which the next statement begins a new one. */
const LINE = 100;

/** The same code in lines of about a hundred characters, which break between statements only. */
export function shortLines(/** @type {string} */ code) {
  const lines = [];
  let lineStart = 0;
  for (const start of statementsIn(parseAst(code)).sort((a, b) => a - b)) {
    if (start - Math.max(lineStart, code.lastIndexOf('\n', start - 1) + 1) < LINE) continue;
    lines.push(code.slice(lineStart, start));
    lineStart = start;
  }
  return [...lines, code.slice(lineStart)].join('\n');
}

/** Where the statements of blocks, and the members of classes, begin. */
function statementsIn(/** @type {unknown} */ tree) {
  /** @type {number[]} */
  const starts = [];
  /** @type {any[]} */
  const rest = [tree];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const isList = ['Program', 'BlockStatement', 'ClassBody', 'StaticBlock'].includes(node.type);
    if (isList) for (const { start } of node.body) starts.push(start);
    for (const value of Object.values(node)) rest.push(...(Array.isArray(value) ? value : [value]));
  }
  return starts;
}
