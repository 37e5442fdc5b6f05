// @ts-check
// Rows for `bounds.js`: the language server opens a long text. What counts is the least of all rounds.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { PAYLINT } from './paylint.js';
import { createRandom, makePayload, NUMBER_MARK } from './payloads.js';

/** Bytes of the text. */
const SIZE = 100e6;
/** Seconds in which its diagnostics are there. */
const SECONDS = 2;

/**
 * Content items have some 700 bytes, nine in ten with characters beyond ASCII; emoji payloads have 60 to 100 bytes.
 *
 * @type {readonly (readonly [import('./payloads.js').Kind, string, string])[]}
 */
const TEXTS = [
  ['content', '', 'NDJSON of 100 MB'],
  ['emoji', '-short', 'NDJSON of 100 MB in short lines'],
];

/** @type {readonly import('./bounds.js').Row[]} */
export const LSP_ROWS = TEXTS.flatMap(([kind, suffix, title]) => [
  {
    name: `lsp-memory${suffix}`,
    title: `peak of memory of \`lsp\`, which opens ${title}, by the size of the text`,
    most: 4,
    async figures(folder, rounds) {
      const text = manyLines(kind);
      const { peak } = await least(folder, text, rounds);
      const size = Buffer.byteLength(text);
      return {
        ours: `${Math.round(peak / 1e6)} MB`,
        theirs: `${Math.round(size / 1e6)} MB`,
        ratio: peak / size,
      };
    },
  },
  {
    name: `lsp-time${suffix}`,
    title: 'time from the first byte of that message to the diagnostics of `lsp`',
    most: 1,
    async figures(folder, rounds) {
      const { seconds } = await least(folder, manyLines(kind), rounds);
      return { ours: `${seconds.toFixed(2)} s`, theirs: `${SECONDS} s`, ratio: seconds / SECONDS };
    },
  },
]);

/** @param {import('./payloads.js').Kind} kind */
function manyLines(kind) {
  const random = createRandom(29);
  const items = Array.from({ length: 2000 }, () =>
    JSON.stringify(makePayload(kind, random, false)).replaceAll(NUMBER_MARK, '123456789012'),
  );
  const lines = `${items.join('\n')}\n`;
  return lines.repeat(Math.ceil(SIZE / Buffer.byteLength(lines)));
}

/**
 * @param {string} folder
 * @param {string} text
 * @param {number} rounds
 */
async function least(folder, text, rounds) {
  mkdirSync(folder, { recursive: true });
  const all = [];
  for (let i = 0; i < rounds; i++) all.push(await opened(folder, text));
  return {
    peak: Math.min(...all.map(({ peak }) => peak)),
    seconds: Math.min(...all.map(({ seconds }) => seconds)),
  };
}

/**
 * @param {string} folder
 * @param {string} text
 */
async function opened(folder, text) {
  const [program = '', ...args] = PAYLINT;
  const child = spawn(program, [...args, 'lsp'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const published = new Promise((resolve) =>
    connection.onNotification('textDocument/publishDiagnostics', resolve),
  );
  connection.listen();
  try {
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification('initialized', {});
    const uri = pathToFileURL(`${folder}/long.ndjson`).href;
    const textDocument = { uri, languageId: 'ndjson', version: 1, text };
    const message = { jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument } };
    const body = Buffer.from(JSON.stringify(message));
    // The client's work for the message is not counted: it takes as long as ours.
    const begun = performance.now();
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
    await published;
    const seconds = (performance.now() - begun) / 1000;
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return { seconds, peak: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024 };
  } finally {
    connection.dispose();
    child.kill();
  }
}
