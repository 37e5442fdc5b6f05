/**
 * What `paylint lsp` answers: fixes, hover, completion and symbols.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeAction, CompletionItem, DocumentSymbol, Hover, Range, TextEdit } from 'vscode-languageserver';
import { LspClient } from '../lsp-client.ts';
import { ROOT } from '../user-folder.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-lsp-requests-'));
let client: LspClient;
beforeAll(async () => {
  client = await LspClient.start({
    cwd: folder,
    capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
  });
});
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true });
});

/** A mark is where the cursor is. */
async function opened(name: string, marked: string, language = /json$/.test(name) ? 'json' : 'jsonl') {
  const text = marked.replace('|', '');
  const before = marked.slice(0, Math.max(marked.indexOf('|'), 0)).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)!.length };
  const uri = await client.open(join(folder, name), text, language);
  const params = { textDocument: { uri } };
  return { text, uri, position, params };
}

const close = (uri: string): Promise<void> => client.notify('textDocument/didClose', { textDocument: { uri } });

/** As a client does it: from the last edit to the first. */
function applied(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n');
  const offsetAt = ({ line, character }: Range['start']): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  const spans = edits.map(({ range, newText }) => ({ from: offsetAt(range.start), to: offsetAt(range.end), newText }));
  return spans
    .sort((a, b) => b.from - a.from)
    .reduce((all, { from, to, newText }) => all.slice(0, from) + newText + all.slice(to), text);
}

/** The text after each action at the mark, by its title. */
async function fixes(name: string, marked: string, only?: readonly string[]) {
  const { text, uri, position, params } = await opened(name, marked);
  const range = { start: position, end: position };
  const actions = await client.request<readonly CodeAction[]>('textDocument/codeAction', {
    ...params,
    range,
    context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
  });
  await close(uri);
  return Object.fromEntries(actions.map(({ title, edit }) => [title, applied(text, edit!.changes![uri]!)]));
}

describe('fixes', () => {
  const BEFORE = fastGlob.sync('fixtures/*/fill/*.before.*', { cwd: ROOT }).sort();

  it('for the file are the bytes of fill, and of fill --deep', async () => {
    let changed = 0;
    for (const [i, path] of BEFORE.entries()) {
      const bytes = readFileSync(join(ROOT, path));
      if (path.endsWith('.gz') || !Buffer.from(bytes.toString()).equals(bytes)) continue;
      const name = `f${i}.${path.split('.').at(-1)}`;
      writeFileSync(join(folder, name), bytes);
      for (const [flags, kind] of [
        [[], 'source.fixAll.paylint'],
        [['--deep'], 'source.paylint.fillDeep'],
      ] as const) {
        const { stdout } = await paylint(['fill', name, '--no-config', ...flags], { cwd: folder });
        const { uri, params, text } = await opened(name, bytes.toString().replaceAll('|', '¦'));
        const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
        const context = { diagnostics: [], only: [kind] };
        const actions = await client.request<readonly CodeAction[]>('textDocument/codeAction', {
          ...params,
          range,
          context,
        });
        await close(uri);
        const edits = actions.flatMap(({ edit }) => edit!.changes![uri]!);
        if (edits.length > 0) changed++;
        expect([path, applied(text, edits)]).toEqual([path, stdout.replaceAll('|', '¦')]);
      }
    }
    expect(changed).toBeGreaterThan(20);
  });

  it('add what is missing here, and in this payload', async () => {
    const line = '{"@type":"Contract","customer":{"@id":"/1"}}';
    const found = await fixes('a.ndjson', `${line}\n|${line}\n`);
    expect(found['Add the missing defaults here']).toBe(`${line}\n${line.slice(0, -1)},"active":false}\n`);
    const whole = '{"@type":"Contract","customer":{"@id":"/1","@type":"Customer"},"active":false}';
    expect(found['Add the missing defaults in this payload']).toBe(`${line}\n${whole}\n`);
    expect(found['Add the missing defaults in the file']).toBe(`${whole}\n${whole}\n`);
    const list = `[${line},\n ${line}]`;
    const inList = await fixes('a.json', list.replace('\n ', '\n |'));
    expect(inList['Add the missing defaults here']).toBe(`[${line},\n ${line.slice(0, -1)},"active":false}]`);
  });

  it('take the near miss of a value and of a name', async () => {
    expect((await fixes('a.ndjson', '{"@type":"|Artcle"}'))['Change to "Article"']).toBe('{"@type":"Article"}');
    const emoji = '{"@context":"c","@type":"e","emoji":"👍","resaon":"r"}';
    const named = await fixes('a.ndjson', emoji.replace('"resaon', '"|resaon'));
    expect(named['Change to "reason"']).toBe(emoji.replace('resaon', 'reason'));
  });

  it('remove an unknown member, and a duplicate one', async () => {
    const emoji = '{"@context":"c", "x": [1, 2], "@type":"e","emoji":"👍"}';
    const found = await fixes('a.ndjson', emoji.replace('"x"', '|"x"'));
    expect(found['Remove the member "x"']).toBe('{"@context":"c", "@type":"e","emoji":"👍"}');
    const twice = '{"emoji":"a" , "emoji":"b"}';
    const single = await fixes('a.json', twice.replace('"emoji":"b"', '"|emoji":"b"'));
    expect(single['Remove the member "emoji"']).toBe('{"emoji":"a"}');
  });

  it('remove a member with its line, and by any rule that prune knows', async () => {
    const emoji =
      '{\n  "@context": "c",\n  "x": {\n    "a": 1\n  },\n  "@type": "é👍",\n  "emoji": "👍",\n  "last": 1\n}';
    const lined = await fixes('a.json', emoji.replace('"x"', '"|x"'));
    expect(lined['Remove the member "x"']).toBe(emoji.replace('  "x": {\n    "a": 1\n  },\n', ''));
    const last = await fixes('a.json', emoji.replace('"last"', '"|last"'));
    expect(last['Remove the member "last"']).toBe(emoji.replace(',\n  "last": 1', ''));
  });

  it('are none where nothing is wrong, and for files that are not open', async () => {
    expect(await fixes('a.ndjson', '|{"@context":"c","@type":"e","emoji":"x"}')).toEqual({});
    const params = { textDocument: { uri: 'file:///none.json' }, context: { diagnostics: [] } };
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    expect(await client.request('textDocument/codeAction', { ...params, range })).toBe(null);
  });
});

describe('hover', () => {
  const hover = async (name: string, marked: string): Promise<Hover | null> => {
    const { uri, params, position } = await opened(name, marked);
    const found = await client.request<Hover | null>('textDocument/hover', { ...params, position });
    await close(uri);
    return found;
  };

  it('says what the schemas say about the member or value, in plain text', async () => {
    for (const marked of [
      '{"@type":"Contract","coverage":{"max|Age":1}}',
      '{"@type":"Contract","coverage":{"maxAge":|1}}',
    ]) {
      const found = await hover('a.ndjson', `{}\n${marked}`);
      expect(found!.contents).toMatchObject({ kind: 'plaintext' });
      const { value } = found!.contents as { value: string };
      expect(value).toContain('contract/coverage/maxAge — Highest age\n\nThe highest age covered.');
      expect(value).toContain('minimum: 1\nmaximum: 99\nrequired: yes');
    }
    const { range } = (await hover('a.ndjson', '{}\n{"@type":"Contract","coverage":{"max|Age":1}}'))!;
    expect(range).toEqual({ start: { line: 1, character: 32 }, end: { line: 1, character: 40 } });
  });

  it.each([
    ['a.ndjson', '{"@type":"Contract","unknown|":1}'],
    ['a.ndjson', '{"a|":1}'],
    ['a.json', '{"@type":"Contract","na|me":"x"}'],
  ])('says nothing where the schemas do not, nor in .json files: %s %s', async (name, marked) => {
    expect(await hover(name, marked)).toBe(null);
  });

  it('is there in .json files if a setting asks', async () => {
    const settings = { paylint: { json: { hover: true, completion: true } } };
    await client.notify('workspace/didChangeConfiguration', { settings });
    expect(await hover('a.json', '[{"@type":"Contract","na|me":"x"}]')).not.toBe(null);
    const { uri, params, position } = await opened('b.json', '{"@type":"|"}');
    const items = await client.request<readonly CompletionItem[]>('textDocument/completion', { ...params, position });
    expect(items.map(({ label }) => label)).toContain('"Comment"');
    await close(uri);
    await client.notify('workspace/didChangeConfiguration', { settings: {} });
  });
});

describe('completion', () => {
  const complete = async (name: string, marked: string) => {
    const { text, uri, params, position } = await opened(name, marked);
    const items = await client.request<readonly CompletionItem[] | null>('textDocument/completion', {
      ...params,
      position,
    });
    await close(uri);
    const put = (label: string): string => {
      const { textEdit } = items!.find((one) => one.label === label)!;
      return applied(text, [textEdit as TextEdit]); // there are no others
    };
    return { items, put };
  };

  it('offers members and values of the kind, also on a half-written line', async () => {
    const line = '{"@type":"Contract","coverage":{"max';
    const { put } = await complete('a.ndjson', `{}\n${line}|\n{"emoji":1}`);
    expect(put('maxAge')).toBe(`{}\n{"@type":"Contract","coverage":{"maxAge": \${1:25}\n{"emoji":1}`);
    const value = await complete('a.ndjson', '{"@type":"Contract","active":|}');
    expect(value.put('true')).toBe('{"@type":"Contract","active":true}');
  });

  it('offers the smallest valid payload of each kind on an empty line', async () => {
    const { items, put } = await complete('a.ndjson', '{"emoji":1}\n|\n');
    expect(items!.map(({ label }) => label)).toEqual(['content', 'contract', 'emoji']);
    for (const label of ['content', 'contract', 'emoji']) {
      const [, line] = put(label).split('\n');
      expect(JSON.parse(line!.replaceAll('\\', ''))).toBeTypeOf('object');
    }
  });

  it.each(['ndjson', 'txt'])('is that of the last line below it, as in %s files', async (extension) => {
    const { params, uri } = await opened(`below.${extension}`, '{"@type":"Emoji"}\n{"@type":"Emoji", |', 'jsonl');
    const at = (line: number, character: number): Promise<readonly CompletionItem[] | null> =>
      client.request('textDocument/completion', { ...params, position: { line, character } });
    const last = await at(1, 18);
    expect(last).not.toEqual([]);
    expect(await at(9, 0)).toEqual(last);
    expect(await at(1, 99)).toEqual(last);
    const below = { ...params, position: { line: 9, character: 3 } };
    expect(await client.request('textDocument/hover', below)).toBe(null);
    await close(uri);
  });

  it('is not offered in .json files', async () => {
    expect((await complete('a.json', '{"@type":"|"}')).items).toBe(null);
  });
});

describe('symbols', () => {
  it('are the payloads with kind and @id', async () => {
    const text = '{"@type":"Comment","@id":"/c/1"}\n\noops\n{"@context":"c","@type":"e","emoji":"x"}\n';
    for (const [name, content, line] of [
      ['a.ndjson', text, 3],
      ['a.json', '[{"@type":"Comment","@id":"/c/1"},\n0,\n\n {"@context":"c","@type":"e","emoji":"x"}]', 3],
    ] as const) {
      const { uri, params } = await opened(name, content);
      const symbols = await client.request<readonly DocumentSymbol[]>('textDocument/documentSymbol', params);
      expect(symbols.map((one) => one.name)).toEqual(['content /c/1', 'unknown', 'emoji']);
      expect(symbols[2]).toMatchObject({ detail: 'valid', range: { start: { line } } });
      await close(uri);
    }
  });
});
