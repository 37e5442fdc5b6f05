/**
 * A checkout on a system whose text has carriage returns: sources have line feeds all the same, and payloads are as they were.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../tools.ts';

const need = needs('git');

/** Contents by path, with the line ends that they must keep. */
const FILES = {
  'bin/paylint.js': '#!/usr/bin/env node\n',
  'src/main.ts': 'export {};\n',
  'docs/reference/cli.md': '# The command line\n',
  'package.json': '{}\n',
  'schemas/payload.schema.json': '{\n}\n',
  'test/report-snapshots/line.txt': 'a\nb\n',
  'fixtures/content/valid/lf.ndjson': '{}\n{}\n',
  'fixtures/content/valid/crlf.ndjson': '{}\r\n{}\r\n',
  'fixtures/content/invalid/cr.json': '{}\r',
  'test/cases/lines.md': '# Lines\n',
} as const;

describe.skipIf(need.missing)(`a checkout${need.note}`, () => {
  let repository: string;
  const git = (...args: string[]): string => need.run('git', args, { cwd: repository });
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  };
  beforeAll(() => {
    repository = mkdtempSync(join(tmpdir(), 'paylint-checkout-'));
    git('init', '--quiet');
    git('config', 'core.autocrlf', 'false');
    copyFileSync(join(import.meta.dirname, '../../.gitattributes'), join(repository, '.gitattributes'));
    for (const [path, content] of Object.entries(FILES)) put(path, content);
    git('add', '.');
  });
  afterAll(() => rmSync(repository, { recursive: true }));

  it.each([
    ['core.autocrlf', 'true'],
    ['core.eol', 'crlf'],
  ])('with %s=%s', (name, value) => {
    for (const path of Object.keys(FILES)) rmSync(join(repository, path));
    git('-c', `${name}=${value}`, 'checkout', '--', '.');
    for (const [path, content] of Object.entries(FILES)) {
      expect([path, readFileSync(join(repository, path), 'utf8')]).toEqual([path, content]);
    }
  });
});
