/**
 * The life of `paylint lsp`: when it ends, and what it reads again.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { LspClient } from '../lsp-client.ts';
import { ROOT } from '../user-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'paylint-lsp-life-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder = root;
let count = 0;
beforeEach(() => {
  folder = join(root, `${count++}`);
  mkdirSync(folder);
});

const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
const write = (name: string, content: unknown): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

describe('the server answers', () => {
  it.each(['CI', 'GITHUB_ACTIONS', 'TF_BUILD'])('where %s is set', async (variable) => {
    write('paylint.config.json', { rules: { minimum: 'warning' } });
    const client = await LspClient.start({ cwd: folder, env: { [variable]: 'true' } });
    const text = '{"emoji":1}';
    const uri = await client.open(join(folder, 'a.ndjson'), text, 'jsonl');
    expect(
      await client.request('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 3 } }),
    ).toMatchObject({ contents: { kind: 'plaintext' } });
    expect(await client.stop()).toBe(0);
  });
});

describe('the server ends', () => {
  it('with exit, by 0 after shutdown, else by 1', async () => {
    expect(await (await LspClient.start({ cwd: folder })).stop()).toBe(0);
    const rude = await LspClient.start({ cwd: folder });
    await rude.notify('exit', undefined);
    expect(await rude.exit).toBe(1);
  });

  it('if standard input is closed, also before anything was said', async () => {
    const client = await LspClient.start({ cwd: folder });
    await client.open(join(folder, 'a.ndjson'), '{}', 'jsonl');
    client.child.stdin!.end();
    expect(await client.exit).toBe(1);
    const silent = new LspClient(folder);
    silent.child.stdin!.end();
    expect(await silent.exit).toBe(1);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('by %s', async (signal) => {
    const client = await LspClient.start({ cwd: folder });
    client.child.kill(signal);
    expect(await client.exit).toBe(signal === 'SIGINT' ? 130 : 143);
  });

  it('if the process that it was told of is gone, although its standard input stays open', async () => {
    const editor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const client = await LspClient.start({ cwd: folder, processId: editor.pid! });
    editor.kill('SIGKILL');
    expect(await client.exit).toBe(1);
  });

  it.skipIf(process.platform === 'win32')('if the process that started it was killed, and gave no id', async () => {
    // The parent dies; standard input of the server is still open here.
    const command = `const { spawn } = require('node:child_process');
      const server = spawn(process.execPath, [${JSON.stringify(join(ROOT, 'bin/paylint.js'))}, 'lsp'], { stdio: 'inherit' });
      server.on('spawn', () => console.error(server.pid));`;
    const parent = spawn(process.execPath, ['-e', command], { stdio: ['pipe', 'pipe', 'pipe'] });
    await new Promise((resolve) => parent.stderr!.once('data', resolve));
    const text = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}';
    parent.stdin!.write(`Content-Length: ${text.length}\r\n\r\n${text}`);
    await new Promise((resolve) => parent.stdout!.once('data', resolve));
    parent.kill('SIGKILL');
    // The server holds the other end.
    await new Promise((resolve) => parent.stdout!.once('close', resolve));
    parent.stdin!.destroy();
  });

  it('writes nothing but the protocol, whatever it is sent', async () => {
    const server = spawn(process.execPath, [join(ROOT, 'bin/paylint.js'), 'lsp', '--stdio'], { cwd: folder });
    let out = '';
    server.stdout.on('data', (text) => {
      out += text;
    });
    const send = (message: object): void => {
      const text = JSON.stringify({ jsonrpc: '2.0', ...message });
      server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    };
    send({ id: 1, method: 'textDocument/hover', params: {} });
    send({ id: 2, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
    send({ id: 3, method: 'no/such', params: {} });
    send({ method: 'textDocument/didChange', params: { textDocument: { uri: 'file:///none' }, contentChanges: [] } });
    send({ id: 4, method: 'shutdown' });
    send({ method: 'exit' });
    expect(await new Promise((resolve) => server.on('exit', resolve))).toBe(0);
    expect(out.replace(/Content-Length: \d+\r\n\r\n\{.*?\}(?=Content-Length|$)/gs, '')).toBe('');
    expect(out).toContain('"id":2');
  });
});

describe('the order of messages', () => {
  const codeOf = async (request: Promise<unknown>): Promise<unknown> => {
    try {
      return await request;
    } catch (error) {
      return (error as { readonly code?: number }).code;
    }
  };
  const params = { processId: null, rootUri: null, capabilities: {} };

  it('is that of the protocol: nothing is answered before initialize but with an error', async () => {
    const client = new LspClient(folder);
    const text = { uri: uriOf('a.ndjson'), languageId: 'jsonl', version: 1, text: '{}' };
    await client.notify('textDocument/didOpen', { textDocument: text });
    for (const method of ['textDocument/hover', 'textDocument/diagnostic', 'shutdown', 'unknown/method'])
      expect([method, await codeOf(client.request(method, { textDocument: text }))]).toEqual([method, -32002]);
    expect(await client.request('initialize', params)).toMatchObject({ serverInfo: { name: 'paylint' } });
    expect(await codeOf(client.request('initialize', params))).toBe(-32600);
    // What was sent before is not known.
    expect(await client.pull(text.uri)).toEqual([]);
    expect(await codeOf(client.request('unknown/method', {}))).toBe(-32601);
    expect(await client.stop()).toBe(0);
    expect(client.published).toEqual([]);
  });

  it('ends with shutdown, after which there is only exit', async () => {
    const client = await LspClient.start({ cwd: folder });
    const uri = await client.open(join(folder, 'a.ndjson'), '{"emoji":1}', 'jsonl');
    expect(await client.pull(uri)).not.toEqual([]);
    expect(await client.request('shutdown', undefined)).toBe(null);
    const before = client.published.length;
    await client.change(uri, [{ text: '{}' }]);
    for (const method of ['textDocument/diagnostic', 'shutdown', 'initialize'])
      expect([method, await codeOf(client.request(method, { textDocument: { uri } }))]).toEqual([method, -32600]);
    expect(client.published.length).toBe(before);
    await client.notify('exit', undefined);
    expect(await client.exit).toBe(0);
  });

  it('may be exit alone', async () => {
    const client = new LspClient(folder);
    await client.notify('exit', undefined);
    expect(await client.exit).toBe(1);
  });
});

describe('a URI that is no path', () => {
  it.each(['a%.ndjson', 'a%FF.ndjson', 'a%2.ndjson'])(
    'such as %s is said once, and the text is checked',
    async (name) => {
      write('paylint.config.json', { schema: 's.json' });
      write('s.json', { type: 'integer' });
      const client = await LspClient.start({ cwd: root });
      const uri = `${pathToFileURL(folder).href}/${name}`;
      for (let i = 0; i < 3; i++) {
        await client.open(uri, '"x"', 'jsonl');
        expect(await client.pull(uri)).toMatchObject([{ code: 'type' }]);
        await client.notify('textDocument/didClose', { textDocument: { uri } });
      }
      await client.open(`untitled:${name}`, '{}', 'jsonl');
      await client.pull(`untitled:${name}`);
      expect(client.shown).toEqual([
        expect.stringContaining(`${name} is not a URI of a file`),
        expect.stringContaining(`untitled:${name} is not a URI of a file`),
      ]);
      expect(client.logged).toEqual([]);
      expect(await client.stop()).toBe(0);
    },
  );
});

describe('a file that', () => {
  it.each([
    ['a schema refers to', { schema: 's.json' }, 'part.json', { type: 'string' }, { type: 'integer' }],
    [
      'refs name',
      { schema: 'id.json', refs: ['lib'] },
      'lib/x.json',
      { $id: 'https://x.org/part', type: 'string' },
      { $id: 'https://x.org/part', type: 'integer' },
    ],
    [
      'refs give a URI',
      { schema: 'id.json', refs: ['https://x.org/part=part.json'] },
      'part.json',
      { type: 'string' },
      { type: 'integer' },
    ],
    [
      'a format has its values in',
      { schema: 'format.json', formats: { colour: { values: 'colours.txt' } } },
      'colours.txt',
      'red\n',
      '7\n',
    ],
    [
      'a format has its values in as JSON',
      { schema: 'format.json', formats: { colour: { values: 'colours.json' } } },
      'colours.json',
      ['red'],
      ['7'],
    ],
    [
      'has the baseline',
      { schema: 'none.json', baseline: 'b.ndjson' },
      'b.ndjson',
      `{"format":"paylint-baseline","version":1}\n{"file":"a.ndjson","pointer":"","rule":"type","count":1}\n`,
      '{"format":"paylint-baseline","version":1}\n',
    ],
  ] as const)('%s changes what is found with the next request', async (_, config, file, before, after) => {
    mkdirSync(join(folder, 'lib'));
    write('s.json', { $ref: 'part.json' });
    write('id.json', { $ref: 'https://x.org/part' });
    write('format.json', { format: 'colour' });
    write('none.json', { type: 'null' });
    write(file, before);
    write('paylint.config.json', config);
    const client = await LspClient.start({ cwd: folder });
    const uri = await client.open(join(folder, 'a.ndjson'), '"red"', 'jsonl');
    const other = await client.open(join(folder, 'c.ndjson'), '"red"', 'jsonl');
    expect(await client.pull(uri)).toEqual([]);
    for (const [content, count] of [
      [after, 1],
      [before, 0],
      [after, 1],
    ] as const) {
      write(file, content);
      expect([count, (await client.pull(uri)).length]).toEqual([count, count]);
    }
    // Another one is published without being asked for.
    await client.until(() => client.published.filter((one) => one.uri === other).at(-1)?.diagnostics.length === 1);
    // A file that is broken or missing, and whole again.
    if (file !== 'b.ndjson') {
      rmSync(join(folder, file));
      expect(await client.pull(uri)).toEqual([]);
      write(file, after);
      expect(await client.pull(uri)).toHaveLength(1);
    }
    expect(await client.stop()).toBe(0);
  });

  it('a schema refers to and that is not JSON for a while is read again', async () => {
    write('paylint.config.json', { schema: 's.json' });
    write('s.json', { $ref: 'part.json' });
    write('part.json', '{');
    const client = await LspClient.start({ cwd: folder });
    const uri = await client.open(join(folder, 'a.ndjson'), '"x"', 'jsonl');
    for (const [content, count] of [
      ['{"type":"null"}', 1],
      ['{', 0],
      ['{"type":"integer"}', 1],
    ] as const) {
      write('part.json', content);
      expect([content, (await client.pull(uri)).length]).toEqual([content, count]);
    }
    expect(await client.stop()).toBe(0);
  });

  it('is read is watched by a client that can', async () => {
    write('paylint.config.json', { schema: 's.json', formats: { colour: { values: 'colours [1].txt' } } });
    write('s.json', { format: 'colour' });
    write('colours [1].txt', 'red\n');
    const workspace = { didChangeWatchedFiles: { dynamicRegistration: true } };
    const client = await LspClient.start({ cwd: folder, capabilities: { workspace } });
    const uri = await client.open(join(folder, 'a.ndjson'), '"red"', 'jsonl');
    expect(await client.pull(uri)).toEqual([]);
    await client.until(() => client.watched.length === 2);
    expect(client.watched).toEqual(['**/*.json', '**/colours??1?.txt']);
    write('colours [1].txt', 'blue\n');
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf('colours [1].txt'), type: 2 }] });
    await client.until(() => client.published.filter((one) => one.uri === uri).at(-1)?.diagnostics.length === 1);
    expect(await client.stop()).toBe(0);
  });
});

describe('a config', () => {
  it('is read again when it changes, appears and is removed, without help of the client', async () => {
    const client = await LspClient.start({ cwd: folder });
    const uri = await client.open(join(folder, 'a.ndjson'), '{"emoji":1}', 'jsonl');
    const severities = (): unknown =>
      client.published
        .filter((one) => one.uri === uri)
        .at(-1)
        ?.diagnostics.map(({ severity }) => severity);
    const until = (expected: readonly number[]): Promise<void> =>
      client.until(() => JSON.stringify(severities()) === JSON.stringify(expected));
    await until([1, 1, 1]);
    write('paylint.config.json', { rules: { required: 'warning' } });
    await until([2, 2, 1]);
    write('paylint.config.json', { rules: { required: 'off' } });
    await until([1]);
    rmSync(join(folder, 'paylint.config.json'));
    await until([1, 1, 1]);
    expect(await client.stop()).toBe(0);
  });

  it('is read again, and so is a schema, if their times are those of before', async () => {
    const old = (name: string, content: unknown): void => {
      write(name, content);
      utimesSync(join(folder, name), 1, 1);
    };
    old('paylint.config.json', { schema: 's.json', rules: {} });
    old('s.json', { properties: { a: { type: 'string' } } });
    const client = await LspClient.start({ cwd: folder });
    const uri = await client.open(join(folder, 'a.ndjson'), '{"a":1,"b":1}', 'jsonl');
    const until = (expected: string): Promise<void> =>
      client.until(() => {
        const last = client.published.filter((one) => one.uri === uri).at(-1);
        return last?.diagnostics.map(({ message }) => message).join() === expected;
      });
    await until('expected a string, found 1');
    old('s.json', { properties: { b: { type: 'object' } } });
    await until('expected an object, found 1');
    old('t.json', { properties: { a: { type: 'null' } } });
    old('paylint.config.json', { schema: 't.json', rules: {} });
    await until('expected null, found 1');
    expect(await client.stop()).toBe(0);
  });

  it('of each of several folders is for its files', async () => {
    mkdirSync(join(folder, 'a'));
    mkdirSync(join(folder, 'b/c'), { recursive: true });
    write('a/paylint.config.json', { rules: { required: 'off' } });
    write('b/paylint.config.json', { rules: { type: 'off' } });
    const client = await LspClient.start({ cwd: folder });
    const rulesOf = async (name: string): Promise<unknown> => {
      const uri = await client.open(join(folder, name), '{"emoji":1}', 'jsonl');
      return (await client.pull(uri)).map(({ code }) => code);
    };
    expect(await rulesOf('a/x.ndjson')).toEqual(['type']);
    expect(await rulesOf('b/c/x.ndjson')).toEqual(['required', 'required']);
    expect(await rulesOf('x.ndjson')).toEqual(['required', 'required', 'type']);
    expect(await client.stop()).toBe(0);
  });

  it('but a default that its schema does not allow matters only to fixes, of which there are none', async () => {
    write('paylint.config.json', { schema: 'own.schema.json' });
    const properties = { a: { type: 'string', default: null }, n: { type: 'integer', default: 1 } };
    write('own.schema.json', { type: 'object', required: ['a', 'n'], properties });
    const client = await LspClient.start({ cwd: folder });
    const uri = await client.open(join(folder, 'a.json'), '{"n":"x"}');
    expect((await client.pull(uri)).map(({ code }) => code)).toEqual(['required', 'type']);
    expect(client.shown).toEqual([]);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 9 } };
    const asked = { textDocument: { uri }, range, context: { diagnostics: [] } };
    expect(await client.request('textDocument/codeAction', asked)).toEqual([]);
    expect(await client.stop()).toBe(0);
  });

  it.each([
    ['{ "rules": { "requierd": "off" } }', {}, 'paylint.config.json', [0, 13]],
    ['{', {}, 'paylint.config.json', [0, 1]],
    [{ schema: 'own.schema.json' }, { type: 'nothing' }, 'own.schema.json', [0, 8]],
    [{ schema: 'own.schema.json' }, { $ref: 'other.schema.json' }, 'other.schema.json', [1, 9]],
    [{ checks: 'own.checks.json' }, {}, 'own.checks.json', [1, 1]],
    [{ schema: 'none.schema.json' }, {}, 'paylint.config.json', [0, 0]],
  ])(
    'or a schema that cannot be used is one diagnostic on that file, and a message: %j',
    async (config, schema, at, [line, character]) => {
      write('paylint.config.json', config);
      write('own.schema.json', schema);
      write('other.schema.json', '{\n "type": "nothing"}');
      write('own.checks.json', '[\n {"id": "a"}]');
      const client = await LspClient.start({ cwd: folder });
      const uri = await client.open(join(folder, 'a.ndjson'), '{}', 'jsonl');
      await client.until(() => client.shown.length > 0);
      expect(client.shown).toHaveLength(1);
      const broken = (): unknown => client.published.filter((one) => one.uri === uriOf(at)).at(-1)?.diagnostics;
      expect(broken()).toMatchObject([{ severity: 1, source: 'paylint', range: { start: { line, character } } }]);
      expect(await client.pull(uri)).toEqual([]);
      write('own.schema.json', { type: 'object' });
      write('none.schema.json', { type: 'object' });
      write('paylint.config.json', { schema: 'own.schema.json' });
      await client.until(() => JSON.stringify(broken()) === '[]');
      expect(await client.stop()).toBe(0);
    },
  );
});
