/**
 * Pipes in place of what is read beside payloads: a schema, a config, a baseline, a list of paths. Their writers may be slow, or never come. Runs
 * what `npm run build` made.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomeOf, sh, start } from '../spawned.ts';
import { needs } from '../tools.ts';

const fifos = needs('mkfifo');
const folder = mkdtempSync(join(tmpdir(), 'paylint-pipes-'));
beforeAll(() => {
  writeFileSync(join(folder, 'one.json'), '7\n');
  writeFileSync(join(folder, 'emoji.json'), '{"@context":"c","@type":"Emoji","emoji":"👍"}\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;

/** The name of a new FIFO. */
function fifo(): string {
  const name = `fifo-${++count}`;
  fifos.run('mkfifo', [name], { cwd: folder });
  return name;
}

const STRING = '{"type":"string"}';

describe.skipIf(fifos.missing).concurrent(`a FIFO${fifos.note}`, () => {
  it.each([
    ['the schema', ['validate', 'one.json', '--schema'], STRING, 1],
    ['the schema', ['fill', '--check', 'one.json', '--schema'], STRING, 1],
    ['the schema', ['filter', 'one.json', '--schema'], STRING, 1],
    ['the schema', ['kinds', '--schema'], STRING, 0],
    ['the schema', ['explain', '--schema'], STRING, 0],
    ['the config', ['validate', 'emoji.json', '--config'], '{"rules":{"type":"off"}}', 0],
    ['the config', ['convert', 'emoji.json', '--to', 'ndjson', '--config'], '{}', 0],
    ['the baseline', ['validate', 'emoji.json', '--baseline'], '{"format":"paylint-baseline","version":1}\n', 0],
    ['the list of paths', ['validate', '--files-from'], 'emoji.json\n', 0],
  ])('that is %s is waited for by %j', async (_, args, text, code) => {
    const name = fifo();
    const child = start(folder, ...args, name);
    const outcome = outcomeOf(child);
    await writeFile(join(folder, name), text);
    const { stderr, code: ended } = await outcome;
    expect({ ended, stderr }).toEqual({ ended: code, stderr });
  });

  it.each([
    ['--schema', 'SIGINT', 130],
    ['--config', 'SIGTERM', 143],
    ['--baseline', 'SIGINT', 130],
    ['--files-from', 'SIGINT', 130],
  ] as const)('of %s that no one writes is given up after %s', async (flag, signal, code) => {
    const name = fifo();
    const paths = flag === '--files-from' ? [] : ['emoji.json'];
    const child = start(folder, 'validate', ...paths, flag, name, '--format', `json=${name}.report`);
    const outcome = outcomeOf(child);
    // It can be opened once it is read.
    const writer = await open(join(folder, name), 'w');
    child.kill(signal);
    const { stdout, stderr, code: ended } = await outcome;
    await writer.close();
    expect({ ended, stdout, lines: stderr.split('\n').length }).toEqual({ ended: code, stdout: '', lines: 1 });
  });

  it('is read to its end if its writer is gone before it is read, and is refused if it is too large', async () => {
    const ready = await sh(
      folder,
      `mkfifo early; printf '%s' '${STRING}' >early & paylint validate one.json --schema early --format line; code=$?; wait; exit "$code"`,
      fifos,
    );
    expect(ready).toMatchObject({ code: 1, stderr: '' });
    expect(ready.stdout).toContain('one.json:1:1: type');
    const empty = await sh(folder, 'mkfifo empty; : >empty & paylint validate one.json --schema empty', fifos);
    expect(empty).toMatchObject({ code: 2, stdout: '' });
    expect(empty.stderr).toMatch(/^paylint: empty:1:1: this is empty: .*\n$/);
    const large = `mkfifo large; "$NODE" -e 'process.stdout.on("error", () => {}); process.stdout.write(" ".repeat(17 << 20))' >large &`;
    expect(await sh(folder, `${large} paylint validate one.json --schema large`, fifos)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'paylint: large: cannot read the schema: is larger than 16 MiB\n',
    });
  });
});
