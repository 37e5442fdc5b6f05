/** Folders with a config, for tests of what reads it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Config } from '../../src/config/config.ts';
import { noConfig } from '../../src/config/settings.ts';
import type { Io } from '../../src/source/io.ts';
import { atFileEnd } from '../file-end.ts';

let root: string | null = null;

function removeAll(): void {
  if (root !== null) rmSync(root, { recursive: true });
  root = null;
}

/** A new folder with these files; what is no text is written as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>> = {}): string {
  root ??= mkdtempSync(join(tmpdir(), 'paylint-config-'));
  atFileEnd(removeAll);
  const folder = mkdtempSync(join(root, 'x'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** A config in `folder`, as if a file had it. */
export function configIn(folder: string, keys: Partial<Config> = {}): Config {
  return { ...noConfig(folder), name: 'c.json', path: join(folder, 'c.json'), ...keys };
}

/** `notes` gets what is written to standard error. */
export function ioIn(cwd: string, more: Partial<Io> & { readonly notes?: string[]; readonly input?: string } = {}): Io {
  const { notes = [], input = '', ...others } = more;
  const sink = (texts: string[]): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        texts.push(chunk.toString());
        done();
      },
    });
  return {
    args: [],
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: sink([]),
    stderr: sink(notes),
    env: { HOME: '/nowhere' },
    cwd,
    now: () => 0,
    interrupt: new AbortController().signal,
    ...others,
  };
}
