// @ts-check
// Opens a file in a language server as an editor does, prints what the server says, one message per line, and ends the session.
//
//   node scripts/lsp-session.js FILE COMMAND...      COMMAND is the server: paylint lsp
//
// The exit code is that of the server. The working directory is printed as `<folder>`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [file = '', command = '', ...args] = process.argv.slice(2);
const folder = pathToFileURL(process.cwd()).href;
const uri = pathToFileURL(join(process.cwd(), file)).href;
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = once(server, 'exit');
server.stdin.on('error', () => {}); // the server has ended, and its exit code says so

/** @param {object} message a request, if it has an `id`, else a notification */
function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** The bodies of the server's messages. */
async function* messages() {
  let bytes = Buffer.alloc(0);
  for await (const chunk of server.stdout) {
    bytes = Buffer.concat([bytes, chunk]);
    while (true) {
      const [head, length] = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(bytes.toString('latin1')) ?? [
        '',
        Infinity,
      ];
      const end = head.length + Number(length);
      if (bytes.length < end) break;
      yield bytes.subarray(head.length, end).toString();
      bytes = bytes.subarray(end);
    }
  }
}

const textDocument = { uri, languageId: 'json', version: 1, text: readFileSync(file, 'utf8') };
send({ id: 1, method: 'initialize', params: { processId: null, rootUri: folder, capabilities: {} } });
for await (const text of messages()) {
  console.log(text.replaceAll(folder, '<folder>'));
  const { id, method } = JSON.parse(text);
  if (id === 1) {
    send({ method: 'initialized', params: {} });
    send({ method: 'textDocument/didOpen', params: { textDocument } });
  }
  if (method === 'textDocument/publishDiagnostics') send({ id: 2, method: 'shutdown' });
  if (id === 2) send({ method: 'exit' });
}
[process.exitCode] = await ended;
