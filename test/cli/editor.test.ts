/**
 * The entry schema in a generic JSON editor: `vscode-json-languageservice` is what Visual Studio Code and many other editors use.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { getLanguageService, TextDocument } from 'vscode-json-languageservice';

const ROOT = join(import.meta.dirname, '../..');
const SCHEMA = pathToFileURL(join(ROOT, 'schemas/payload.schema.json')).href;
const TYPES = ['Article', 'Discussion', 'LiveDiscussion', 'QAndADiscussion', 'Comment', 'Contract'];

const service = getLanguageService({
  schemaRequestService: (uri) => readFile(fileURLToPath(uri), 'utf8'),
  workspaceContext: { resolveRelativePath: (path, resource) => new URL(path, resource).href },
});
service.configure({ validate: true, schemas: [{ uri: SCHEMA, fileMatch: ['*.json'] }] });

function open(text: string) {
  const document = TextDocument.create('file:///a.json', 'json', 1, text);
  return { document, json: service.parseJSONDocument(document) };
}

async function messages(text: string): Promise<string[]> {
  const { document, json } = open(text);
  return (await service.doValidation(document, json)).map(({ message }) => String(message));
}

const valid = fastGlob.sync('fixtures/{content,contract,emoji}/valid/*.json', { cwd: ROOT }).sort();

it('there are valid payloads', () => expect(valid.length).toBeGreaterThan(10));

it.each(valid.slice(0, 40))('finds nothing in %s', async (name) => {
  const text = readFileSync(join(ROOT, name), 'utf8').replace(/^\ufeff/, '');
  if (text.trimStart().startsWith('[')) return; // a list of payloads, which is not one itself
  expect(await messages(text)).toEqual([]);
});

it('says which values of "@type" there are, for one that is wrong, and that it is missing', async () => {
  const [wrong, ...others] = await messages('{"@type": "Artcle"}');
  expect(others).toEqual([]);
  for (const type of TYPES) expect(wrong).toContain(`"${type}"`);
  expect(await messages('{}')).toEqual(['Missing property "@type".']);
});

it('offers these values', async () => {
  const text = '{"@type": }';
  const { document, json } = open(text);
  const list = await service.doComplete(document, document.positionAt(text.length - 1), json);
  expect(list!.items.map(({ label }) => label)).toEqual(expect.arrayContaining(TYPES.map((type) => `"${type}"`)));
});

it('judges a payload of a kind by the schema of the kind', async () => {
  expect(await messages('{"@context": "c", "@type": "t", "emoji": 1}')).toEqual(['Incorrect type. Expected "string".']);
});
