/**
 * The messages of clients: however they are cut, and with long texts, which are not strings.
 */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Message } from 'vscode-jsonrpc/node';
import { messageIn, Reader } from '../src/lsp/reader.ts';

const framed = (json: string, head = 'Content-Length: '): string =>
  `${head}${Buffer.byteLength(json)}\r\n\r\n${json}`;

/** What is read from the chunks. */
async function read(chunks: readonly Uint8Array[]) {
  const input = new PassThrough();
  const reader = new Reader(input);
  const messages: Message[] = [];
  const errors: string[] = [];
  reader.onError(({ message }) => errors.push(message));
  const closed = new Promise<void>((resolve) => reader.onClose(() => resolve()));
  reader.listen((message) => messages.push(message));
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await closed;
  return { messages, errors };
}

/** The text of a `didOpen` that is a message of this JSON. */
function textIn(json: string): unknown {
  const { params } = messageIn(Buffer.from(json)) as { params?: { textDocument: { text: unknown } } };
  return params?.textDocument.text;
}

const opened = (text: string): string =>
  JSON.stringify({ params: { textDocument: { uri: 'file:///a', text, version: 1 } }, method: 'didOpen' });

it('are read, wherever they are cut', async () => {
  const jsons = ['{"id":1}', '{"id":"👍"}', '{"a":[1,2]}', '{"method":"exit"}'];
  const head = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:';
  const bytes = Buffer.from(jsons.map((json, i) => framed(json, i === 2 ? head : undefined)).join(''));
  const expected = { messages: jsons.map((json) => JSON.parse(json)), errors: [] };
  for (const size of [1, 2, 7, 50, bytes.length]) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    expect([size, await read(chunks)]).toEqual([size, expected]);
  }
});

it('that are broken are errors, and the next one is read', async () => {
  const text = `${framed('{"id":')}${framed('{"id":1}')}Content-Type: x\r\n\r\n${framed('{"id":2}')}`;
  const { messages, errors } = await read([Buffer.from(text)]);
  expect(messages).toEqual([{ id: 1 }, { id: 2 }]);
  expect(errors).toHaveLength(2);
  expect(errors[1]).toBe('a message has no Content-Length');
});

it.each([
  ['escapes', '"\\/\b\f\n\r\t\u0000\u2028'],
  ['backslashes', '\\'],
  ['characters of two, three and four bytes', 'é€👍'],
  ['line feeds', '\n'],
  ['one line', 'x'],
  ['payloads', '{"a\\\\": "é\\" \\u0041,"}\n'],
])('long texts of %s are bytes', (_, part) => {
  for (const shift of [0, 1, 2, 3]) {
    const text = 'a'.repeat(shift) + part.repeat(Math.ceil((2 << 20) / part.length));
    const found = textIn(opened(text));
    expect(Buffer.isBuffer(found) && found.equals(Buffer.from(text))).toBe(true);
    expect(textIn(opened(text.slice(0, 100)))).toBe(text.slice(0, 100));
  }
});

it('long texts may have any character escaped, and halves of characters', () => {
  const text = 'aé👍\ud83d\n'.repeat(1 << 17);
  const escaped = opened('TEXT').replace(
    'TEXT',
    '\\u0061\\u00E9\\uD83D\\udc4d\\ud83d\\u000a'.repeat(1 << 17),
  );
  const found = textIn(escaped) as Buffer;
  expect(found.toString()).toBe(text.toWellFormed());
});

it('a long string that is not the text is a string', () => {
  const long = 'x"\n'.repeat(1 << 20);
  const message = { jsonrpc: '2.0', params: { data: long, contentChanges: [{ text: long }, { text: '' }] } };
  const { params } = messageIn(Buffer.from(JSON.stringify(message))) as unknown as typeof message;
  expect(params.data).toBe(long);
  expect(params.contentChanges.map(({ text }) => String(text))).toEqual([long, '']);
});

it('a long message that is not JSON is refused', () => {
  const json = opened('x'.repeat(2 << 20));
  for (const wrong of [
    json.slice(0, -2),
    json.slice(0, -30),
    json.replace('xx', '\\x'),
    json.replace('xx', 'x"'),
  ])
    expect(() => messageIn(Buffer.from(wrong))).toThrow(SyntaxError);
});
