// Draws docs/terminal.svg: what paylint really prints in colour, as a picture for the README.
//
//   node scripts/screenshot.js
//
// Every run of characters in one style is a <text> of its own, set at its column and stretched to its width, so that
// the columns hold in whatever monospaced font there is. The picture brings its own background, light or dark.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import stringWidth from 'string-width';
import { withPaylint } from './console-blocks.js';

const COMMAND = 'paylint validate docs/examples/inbox.ndjson';
const target = new URL('../docs/terminal.svg', import.meta.url);

/** Pixels. */
const CELL = { width: 8.4, height: 19 };
const PADDING = 20;

/** SGR codes used by the palette of the reports, as class names. Codes that end a style name the style they end. */
const BEGIN = { 1: 'bold', 2: 'dim', 4: 'line', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' };
const END = { 22: ['bold', 'dim'], 24: ['line'], 39: ['red', 'green', 'yellow', 'cyan'] };

const STYLE = `
    .page { fill: #ffffff; stroke: #d0d7de }
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre }
    .bold { font-weight: 600 }
    .line { text-decoration: underline }
    .dim { fill: #6e7781 }
    .red { fill: #cf222e }
    .green { fill: #1a7f37 }
    .yellow { fill: #8a5a00 }
    .cyan { fill: #0b6e8f }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #30363d }
      text { fill: #e6edf3 }
      .dim { fill: #8b949e }
      .red { fill: #ff7b72 }
      .green { fill: #56d364 }
      .yellow { fill: #e3b341 }
      .cyan { fill: #76e3ea }
    }
  `;

/** The whole text of docs/terminal.svg. */
export function draw() {
  const output = withPaylint((run) => run(COMMAND.replace('validate', 'validate --color')));
  const lines = [`\x1b[2m$\x1b[22m ${COMMAND}`, '', ...output.trimEnd().split('\n')].map(runsOf);
  const columns = Math.max(...lines.flatMap((runs) => runs.map(({ column, width }) => column + width)));
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = lines.length * CELL.height + 2 * PADDING;
  const texts = lines.flatMap((runs, line) => runs.map((run) => drawRun(run, line)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
  <title>${escapeXml(COMMAND)}</title>
  <style>${STYLE}</style>
  <rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
  ${texts.join('\n  ')}
</svg>
`;
}

/** One line of coloured output as runs of one style each; blank ones are left out. */
function runsOf(/** @type {string} */ line) {
  const runs = [];
  const styles = new Set();
  let column = 0;
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) {
      for (const code of codes.split(';')) applyCode(styles, code);
      continue;
    }
    const width = stringWidth(part);
    if (part.trim() !== '') runs.push({ text: part, column, width, styles: [...styles].join(' ') });
    column += width;
  }
  return runs;
}

function applyCode(styles, code) {
  if (code in BEGIN) styles.add(BEGIN[code]);
  else if (code in END) for (const style of END[code]) styles.delete(style);
  else throw new Error(`the screenshot knows no SGR code ${code}`);
}

function drawRun({ text, column, width, styles }, line) {
  const indent = text.length - text.trimStart().length;
  const shown = text.trim();
  const x = round(PADDING + (column + indent) * CELL.width);
  const y = round(PADDING + (line + 0.75) * CELL.height);
  const length = round((width - indent - (text.trimStart().length - shown.length)) * CELL.width);
  const style = styles === '' ? '' : ` class="${styles}"`;
  return `<text x="${x}" y="${y}" textLength="${length}"${style}>${escapeXml(shown)}</text>`;
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, draw());
