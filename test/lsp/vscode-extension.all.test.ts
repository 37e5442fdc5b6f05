/**
 * The extension for VS Code: its manifest fits the server, it starts paylint, and `vsce` packages it without a network.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../src/lsp/documents.ts';
import { ROOT } from '../user-folder.ts';

const EXTENSION = join(ROOT, 'editors/vscode');
const VSCE = join(EXTENSION, 'node_modules/@vscode/vsce/vsce');
const folder = mkdtempSync(join(tmpdir(), 'paylint-vscode-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly files: readonly string[];
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: boolean } };
  readonly contributes: {
    readonly configuration: {
      readonly properties: Record<string, { readonly default: unknown; readonly enum?: readonly string[] }>;
    };
  };
}

const read = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest; // both have what is used here
const manifest = read(join(EXTENSION, 'package.json'));

describe('the manifest', () => {
  it('has the settings of the server, with their defaults', () => {
    const { properties } = manifest.contributes.configuration;
    const { validate, config, json } = DEFAULTS;
    expect(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, one.default]))).toEqual({
      'paylint.path': '',
      'paylint.validate': validate,
      'paylint.config': config ?? '',
      'paylint.json': json,
    });
    expect(properties['paylint.validate']!.enum).toEqual(['payloads', 'all', 'off']);
  });

  it('has the version of paylint, is for JSON and NDJSON, and runs nothing of a workspace that is not trusted', () => {
    expect(manifest.version).toBe(read(join(ROOT, 'package.json')).version);
    expect(manifest.activationEvents).toEqual(['onLanguage:json', 'onLanguage:jsonl', 'onLanguage:ndjson']);
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
    expect(manifest.files).toContain(manifest.main.slice(2));
  });
});

/** The extension with a VS Code in which `path` is the setting, and the client that it starts. */
async function started(path: string): Promise<{ command: string; args: string[] }> {
  let server: unknown;
  class LanguageClient {
    constructor(_id: string, _name: string, options: unknown) {
      server = options;
    }
    async start(): Promise<void> {}
  }
  const workspace = { getConfiguration: () => ({ get: () => path }), workspaceFolders: [{ uri: { fsPath: folder } }] };
  const modules: Record<string, unknown> = {
    'node:fs': { existsSync },
    'node:path': { join },
    vscode: { workspace },
    'vscode-languageclient/node': { LanguageClient },
  };
  const exports: { activate?: () => Promise<void> } = {};
  const code = readFileSync(join(EXTENSION, 'extension.js'), 'utf8');
  runInNewContext(code, { exports, process, require: (name: string) => modules[name] });
  await exports.activate!();
  return server as { command: string; args: string[] }; // as the client takes it
}

describe('the extension', () => {
  it('starts the paylint of the setting, of the workspace, or on the PATH', async () => {
    const name = process.platform === 'win32' ? 'paylint.cmd' : 'paylint';
    expect(await started('')).toMatchObject({ command: name, args: ['lsp'] });
    const own = join(folder, 'node_modules/.bin', name);
    mkdirSync(join(own, '..'), { recursive: true });
    writeFileSync(own, '');
    expect((await started('')).command).toBe(own);
    expect((await started('/opt/paylint')).command).toBe('/opt/paylint');
  });

  const isMissing = !existsSync(VSCE);
  const note = isMissing ? ' (needs npm ci in editors/vscode)' : '';
  it.skipIf(isMissing)(`is packaged by vsce without a network${note}`, () => {
    const out = join(folder, 'paylint.vsix');
    const args = [VSCE, 'package', '--no-dependencies', '--allow-missing-repository', '--out', out];
    // No address can be reached through this proxy.
    const env = { ...process.env, https_proxy: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: EXTENSION, env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    const zip = readFileSync(out, 'latin1');
    for (const name of ['package.json', 'dist/extension.js', 'LICENSE.txt']) expect(zip).toContain(`extension/${name}`);
  });
});
