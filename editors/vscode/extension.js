// The extension for VS Code: starts `paylint lsp` for JSON and NDJSON, and does nothing else. build.mjs bundles it.

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** @type {LanguageClient | undefined} */
let client;

exports.activate = async () => {
  const command = commandOf();
  // Windows runs the scripts of npm by its shell only.
  const options = { shell: process.platform === 'win32' };
  client = new LanguageClient(
    'paylint',
    'paylint',
    { command, args: ['lsp'], options },
    {
      documentSelector: ['json', 'jsonl', 'ndjson'].flatMap((language) =>
        ['file', 'untitled'].map((scheme) => ({ language, scheme })),
      ),
    },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();

/** The command of the setting, of the first folder, or on the PATH. */
function commandOf() {
  const set = workspace.getConfiguration('paylint').get('path');
  if (typeof set === 'string' && set !== '') return set;
  const name = process.platform === 'win32' ? 'paylint.cmd' : 'paylint';
  const own = (workspace.workspaceFolders ?? []).map(({ uri }) => join(uri.fsPath, 'node_modules/.bin', name));
  return own.find((path) => existsSync(path)) ?? name;
}
