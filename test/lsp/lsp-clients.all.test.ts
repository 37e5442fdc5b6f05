/**
 * `paylint lsp` with real clients: each opens a file, waits for diagnostics, applies the fix for the file, and saves what `paylint fill` writes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { FileEvent } from '../../src/index.ts';
import { BIN } from '../spawned.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = '{"@type":"Contract","name":"👍é","customer":{"@id":"/1"}}\n{"@context":"c","@type":"👍","emoji":1}\n';
const LUA = `
local node, bin = ${JSON.stringify(process.execPath)}, ${JSON.stringify(BIN)}
local id = vim.lsp.start_client({ name = 'paylint', cmd = { node, bin, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.cmd('edit a.ndjson')
vim.bo.filetype = 'ndjson'
vim.lsp.buf_attach_client(0, id)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
local seen = {}
for _, one in ipairs(vim.diagnostic.get(0)) do
  table.insert(seen, { line = one.lnum + 1, byte = one.col, message = one.message, source = one.source })
end
vim.fn.writefile({ vim.fn.json_encode(seen) }, 'seen.json')
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {}, only = { 'source.fixAll.paylint' } }
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 60000)) do
  for _, action in ipairs(answer.result) do vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16') end
end
vim.cmd('write')
vim.cmd('qall!')
`;
const LISP = `
(package-initialize)
(require 'eglot)
(define-derived-mode ndjson-mode fundamental-mode "NDJSON")
(setq require-final-newline nil make-backup-files nil eglot-sync-connect 60)
(add-to-list 'eglot-server-programs '(ndjson-mode . (${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "lsp")))
(defvar seen nil)
(cl-defmethod eglot-handle-notification :before
  (_server (_method (eql textDocument/publishDiagnostics)) &key diagnostics &allow-other-keys)
  (setq seen diagnostics))
(find-file "a.ndjson")
(ndjson-mode)
(apply #'eglot (eglot--guess-contact))
(while (not seen) (accept-process-output nil 0.1))
(with-temp-file "seen.json"
  (insert (json-encode (vconcat (mapcar (lambda (one) (list :line (1+ (plist-get (plist-get (plist-get one :range) :start) :line))
                                                   :byte (plist-get (plist-get (plist-get one :range) :start) :character)
                                                   :message (plist-get one :message) :source (plist-get one :source))) seen)))))
(let* ((at '(:line 0 :character 0))
       (params (list :textDocument (eglot--TextDocumentIdentifier) :range (list :start at :end at)
                     :context (list :diagnostics [] :only ["source.fixAll.paylint"]))))
  (mapc (lambda (action) (eglot--apply-workspace-edit (plist-get action :edit)))
        (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction params)))
(save-buffer)
(eglot-shutdown (eglot--current-server-or-lose))
`;

/** What the command line says of the file, in the units of a client, and what it fills in. */
async function expected(unit: 'bytes' | 'code units') {
  writeFileSync(join(folder, 'a.ndjson'), TEXT);
  const { stdout } = await paylint(['validate', 'a.ndjson', '--no-config', '--format', 'ndjson'], { cwd: folder });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as FileEvent); // as the report's schema says
  const seen = events.flatMap((event) => {
    if (event.type !== 'violation') return [];
    const { line, column, message } = event;
    const before = TEXT.split('\n')[line - 1]!.slice(0, column - 1);
    return [{ line, byte: unit === 'bytes' ? Buffer.byteLength(before) : before.length, message, source: 'paylint' }];
  });
  const filled = await paylint(['fill', 'a.ndjson', '--no-config'], { cwd: folder });
  return { seen, filled: filled.stdout };
}

const written = () => ({
  seen: JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as unknown,
  filled: readFileSync(join(folder, 'a.ndjson'), 'utf8'),
});

const neovim = needs('nvim');
it.skipIf(neovim.missing)(`Neovim shows the violations, and saves the fix${neovim.note}`, async () => {
  const both = await expected('bytes');
  writeFileSync(join(folder, 'init.lua'), LUA);
  neovim.run('nvim', ['--headless', '-n', '-u', 'NONE', '-S', 'init.lua'], { cwd: folder });
  expect(written()).toEqual(both);
  expect(both.filled).not.toBe(TEXT);
});

const emacs = needs('emacs with eglot');
it.skipIf(emacs.missing)(`Emacs shows the violations, and saves the fix${emacs.note}`, async () => {
  const both = await expected('code units');
  writeFileSync(join(folder, 'init.el'), LISP);
  needs('emacs').run('emacs', ['--batch', '-l', 'init.el'], { cwd: folder });
  expect(written()).toEqual(both);
});

// What is wrong inside of alternatives, and what a file says that a schema refers to, before and after it changes.
const UNION = join(folder, 'union');
const PART = (type: string): string => JSON.stringify({ properties: { kind: { const: 'card' }, token: { type } } });
const CAUSE = (type: string): string => `type at /token: expected ${type}, found 5`;
const [FIRST, SECOND] = [CAUSE('a string'), CAUSE('a boolean')];

function union(): void {
  mkdirSync(UNION, { recursive: true });
  writeFileSync(join(UNION, 'paylint.config.json'), '{"schema":"s.json"}');
  writeFileSync(join(UNION, 's.json'), '{"oneOf":[{"$ref":"part.json"},{"properties":{"kind":{"const":"iban"}}}]}');
  writeFileSync(join(UNION, 'part.json'), PART('string'));
  writeFileSync(join(UNION, 'a.ndjson'), '{"kind":"card","token":5}\n');
}

const seenCauses = (): unknown => readFileSync(join(UNION, 'seen.txt'), 'utf8').trimEnd().split('\n');

it.skipIf(neovim.missing)(`Neovim gets causes, and those of a changed schema${neovim.note}`, () => {
  union();
  const lua = `
local node, bin = ${JSON.stringify(process.execPath)}, ${JSON.stringify(BIN)}
local id = vim.lsp.start_client({ name = 'paylint', cmd = { node, bin, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.cmd('edit a.ndjson')
vim.bo.filetype = 'ndjson'
vim.lsp.buf_attach_client(0, id)
local seen = {}
local function cause(expected)
  return vim.wait(60000, function()
    local one = vim.diagnostic.get(0)[1]
    local related = one and one.user_data.lsp.relatedInformation
    return related and related[1].message == expected
  end, 20)
end
if cause(${JSON.stringify(FIRST)}) then table.insert(seen, vim.diagnostic.get(0)[1].user_data.lsp.relatedInformation[1].message) end
vim.fn.writefile({ ${JSON.stringify(PART('boolean'))} }, 'part.json')
vim.lsp.buf_request_sync(0, 'textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() }, 60000)
if cause(${JSON.stringify(SECOND)}) then table.insert(seen, vim.diagnostic.get(0)[1].user_data.lsp.relatedInformation[1].message) end
vim.fn.writefile(seen, 'seen.txt')
vim.cmd('qall!')
`;
  writeFileSync(join(UNION, 'init.lua'), lua);
  neovim.run('nvim', ['--headless', '-n', '-u', 'NONE', '-S', 'init.lua'], { cwd: UNION });
  expect(seenCauses()).toEqual([FIRST, SECOND]);
});

it.skipIf(emacs.missing)(`Emacs gets causes in the message, and those of a changed schema${emacs.note}`, () => {
  union();
  const lisp = `
(package-initialize)
(require 'eglot)
(define-derived-mode ndjson-mode fundamental-mode "NDJSON")
(setq eglot-sync-connect 60)
(add-to-list 'eglot-server-programs '(ndjson-mode . (${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "lsp")))
(defvar seen nil)
(cl-defmethod eglot-handle-notification :before
  (_server (_method (eql textDocument/publishDiagnostics)) &key diagnostics &allow-other-keys)
  (when (> (length diagnostics) 0)
    (push (car (last (split-string (plist-get (aref diagnostics 0) :message) "\n"))) seen)))
(find-file "a.ndjson")
(ndjson-mode)
(apply #'eglot (eglot--guess-contact))
(while (not seen) (accept-process-output nil 0.1))
(write-region ${JSON.stringify(PART('boolean'))} nil "part.json")
(jsonrpc-request (eglot--current-server-or-lose) :textDocument/documentSymbol (list :textDocument (eglot--TextDocumentIdentifier)))
(while (equal (car seen) (car (last seen))) (accept-process-output nil 0.1))
(with-temp-file "seen.txt" (insert (car (last seen)) "\n" (car seen) "\n"))
(eglot-shutdown (eglot--current-server-or-lose))
`;
  writeFileSync(join(UNION, 'init.el'), lisp);
  needs('emacs').run('emacs', ['--batch', '-l', 'init.el'], { cwd: UNION });
  expect(seenCauses()).toEqual([FIRST, SECOND]);
});
