/**
 * With a homepage in package.json, SARIF and the language server lead to the section of each rule below it; without one, to nothing.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LspClient } from '../lsp-client.ts';
import { sh } from '../spawned.ts';
import { ROOT } from '../user-folder.ts';

const TEXT = '{"@context":"c","@type":"Emoji","emoji":1,"a":1,"a":2}\n';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-homepage-'));
  for (const name of ['bin', 'dist', 'schemas']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'a.ndjson'), TEXT);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['without a homepage', undefined, null],
  ['with one', 'https://paylint.example/v1/', 'https://paylint.example/v1/docs/reference/rules.md'],
  ['with one that has a fragment', 'https://paylint.example#readme', 'https://paylint.example/docs/reference/rules.md'],
])('%s', (_, homepage, page) => {
  const sections = page === null ? [undefined, undefined] : [`${page}#duplicate-member`, `${page}#type`];
  beforeAll(() => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object; // our own
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, homepage }));
  });

  it('helpUri of SARIF', async () => {
    const { stdout } = await sh(folder, '"$NODE" bin/paylint.js validate a.ndjson --no-config --format sarif');
    const { rules } = JSON.parse(stdout).runs[0].tool.driver;
    const addresses = rules.map(({ id, helpUri }: { id: string; helpUri?: string }) => [id, helpUri]);
    expect(addresses.sort()).toEqual([
      ['additionalProperties', page === null ? undefined : `${page}#additionalproperties`],
      ['duplicate-member', sections[0]],
      ['type', sections[1]],
    ]);
  });

  it('codeDescription of the language server', async () => {
    const client = await LspClient.start({ cwd: folder, root: folder });
    const diagnostics = await client.diagnosticsOf(await client.open(join(folder, 'b.ndjson'), TEXT, 'jsonl'));
    await client.stop();
    const addresses = diagnostics.map(({ code, codeDescription }) => [code, codeDescription?.href]);
    expect(addresses).toContainEqual(['type', sections[1]]);
    expect(addresses).toContainEqual(['duplicate-member', sections[0]]);
  });
});
