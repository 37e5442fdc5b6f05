/**
 * What is read without a PATH: standard input if it has a byte, else the files of the config. Every sort of standard input is
 * tried, with and without such files, empty, late and without an end. Runs what `npm run build` made.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BIN, type Outcome, outcomeOf, sh } from '../spawned.ts';
import { paylint } from '../world.ts';

const TMP = join(import.meta.dirname, '../tmp');
mkdirSync(TMP, { recursive: true });
const top = mkdtempSync(join(TMP, 'standard-input-'));
afterAll(() => rmSync(top, { recursive: true }));

/** The file of the config is valid, and what comes by standard input is not. */
function folderWith(files: 'files' | 'no files'): string {
  const folder = mkdtempSync(join(top, 'x'));
  const config = { schema: 's.json', format: 'line', ...(files === 'files' ? { files: ['good.json'] } : {}) };
  writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 's.json'), '{"type":"object","required":["a"]}');
  writeFileSync(join(folder, 'good.json'), '{"a":1}');
  writeFileSync(join(folder, 'bad.json'), '{}');
  writeFileSync(join(folder, 'empty.json'), '');
  return folder;
}

const BAD = '<stdin>:1:1: required the member "a" is missing';
const OF_CONFIG = 'files of paylint.config.json';
const MISSING = 'no PATH is given, and standard input is empty';
const WAITS = 'paylint: waiting for standard input: no PATH is given (- reads it, </dev/null does not)\n';

/** A socket, as Node gives it to children. `feed`: writes to it, and may end it. */
function withSocket(cwd: string, args: readonly string[], feed: (stdin: NodeJS.WritableStream) => void) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd });
  feed(child.stdin);
  return { child, outcome: outcomeOf(child) };
}

async function withFile(cwd: string, file: string, args: readonly string[]): Promise<Outcome> {
  const fd = openSync(join(cwd, file), 'r');
  try {
    return await outcomeOf(spawn(process.execPath, [BIN, ...args], { cwd, stdio: [fd, 'pipe', 'pipe'] }));
  } finally {
    closeSync(fd);
  }
}

/** How the text of a file comes to standard input. */
const GIVEN: Readonly<Record<string, (cwd: string, file: string, args: readonly string[]) => Promise<Outcome>>> = {
  file: withFile,
  pipe: (cwd, file, args) =>
    sh(cwd, `while IFS= read -r x || [ "$x" ]; do printf %s "$x"; done < ${file} | paylint ${args.join(' ')}`),
  socket: (cwd, file, args) => withSocket(cwd, args, (stdin) => stdin.end(readFileSync(join(cwd, file)))).outcome,
};

const NOTHING: Readonly<Record<string, (cwd: string, args: readonly string[]) => Promise<Outcome>>> = {
  ...Object.fromEntries(
    Object.entries(GIVEN).map(([name, give]) => [
      `an empty ${name}`,
      (cwd: string, args: readonly string[]) => give(cwd, 'empty.json', args),
    ]),
  ),
  '/dev/null': (cwd, args) => withFile(cwd, '/../../../../../../../../../../../../../../dev/null', args),
  'closed input': (cwd, args) => sh(cwd, `paylint ${args.join(' ')} <&-`),
};

describe('without a PATH', () => {
  describe.each(['files', 'no files'] as const)('and with a config that has %s', (files) => {
    it.each(Object.keys(GIVEN))('a %s with a byte is read', async (how) => {
      for (const verb of ['validate', 'fill --check', 'compare --against s.json', 'coverage', 'filter', 'fill']) {
        const cwd = folderWith(files);
        const { stdout, stderr, code } = await GIVEN[how]!(cwd, 'bad.json', verb.split(' '));
        expect(`${stdout}${stderr}`).not.toContain(OF_CONFIG);
        expect(`${verb}: ${code}`).toBe(`${verb}: ${/compare|coverage/.test(verb) ? 0 : 1}`);
        if (!/compare|coverage/.test(verb)) expect(`${stdout}${stderr}`).toContain(BAD);
      }
    });

    it.each(Object.keys(NOTHING))('%s gives way to the files of the config', async (how) => {
      const { code, stdout, stderr } = await NOTHING[how]!(folderWith(files), ['validate']);
      if (files === 'files') {
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toContain(OF_CONFIG);
      } else {
        expect(code).toBe(2);
        expect(stderr).toContain(MISSING);
        expect(stderr).toContain('Usage: paylint validate [options] [path...]\n');
      }
    });

    it('a terminal gives way to the files of the config', async () => {
      const { code, stdout, stderr } = await paylint(['validate'], { cwd: folderWith(files) });
      if (files === 'files') expect(stdout).toContain(OF_CONFIG);
      else expect(stderr).toContain('standard input is a terminal\nUsage: paylint validate [options] [path...]\n');
      expect(code).toBe(files === 'files' ? 0 : 2);
    });

    it.each([
      ['{}\n', 1, BAD],
      ['', files === 'files' ? 0 : 2, files === 'files' ? OF_CONFIG : MISSING],
    ])('input that comes late (%j) is waited for, and a line says so', async (text, code, words) => {
      const { child, outcome } = withSocket(folderWith(files), ['validate'], () => {});
      child.stderr.once('data', () => child.stdin.end(text)); // the line has come
      const result = await outcome;
      expect(result.stderr.startsWith(WAITS)).toBe(true);
      expect(`${result.stdout}${result.stderr}`).toContain(words);
      expect(result.code).toBe(code);
    });

    it('input without an end is read as it comes', async () => {
      const cwd = folderWith(files);
      const { child, outcome } = withSocket(cwd, ['validate', '--input', 'lines'], (stdin) => stdin.write('{}\n'));
      child.stdout.once('data', () => child.kill('SIGTERM')); // the violation is reported
      expect(await outcome).toMatchObject({ code: 143, stdout: expect.stringContaining(BAD) as unknown });
    });

    it('a signal ends the wait', async () => {
      const { child, outcome } = withSocket(folderWith(files), ['validate'], () => {});
      child.stderr.once('data', () => child.kill('SIGINT'));
      expect(await outcome).toMatchObject({ code: 130, stderr: WAITS });
    });
  });

  it('--stdin-filename means standard input, even if it is empty', async () => {
    const cwd = folderWith('files');
    expect(await GIVEN.pipe!(cwd, 'bad.json', ['validate', '--stdin-filename', 'x.json'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('x.json:1:1: required') as unknown,
    });
    expect(await GIVEN.pipe!(cwd, 'empty.json', ['validate', '--stdin-filename', 'x.json'])).toMatchObject({ code: 2 });
  });

  it.each([
    ['validate', '--list-files'],
    ['fill', '--write'],
    ['fill', '--fix'],
  ])('%s %s never takes standard input', async (...args) => {
    const named = await GIVEN.socket!(folderWith('files'), 'bad.json', args);
    expect(named).toMatchObject({ code: 0 });
    expect(named.stdout).not.toContain('<stdin>');
    const { code, stderr } = await GIVEN.socket!(folderWith('no files'), 'bad.json', args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^paylint: a PATH is missing: .* and - is standard input\nUsage: /);
  });

  it('--watch watches the files of the config, and standard input only ends it', async () => {
    const cwd = folderWith('files');
    const { child, outcome } = withSocket(cwd, ['validate', '--watch'], () => {});
    child.stdout.once('data', () => child.stdin.end());
    expect(await outcome).toMatchObject({ code: 0, stdout: expect.stringContaining(OF_CONFIG) as unknown });
    const none = await GIVEN.socket!(folderWith('no files'), 'bad.json', ['validate', '--watch']);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('--watch watches files') as unknown });
  });

  it('the summary for programs names the config whose files were read', async () => {
    const { stdout } = await paylint(['validate', '--format', 'ndjson'], { cwd: folderWith('files') });
    const summary: unknown = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(summary).toMatchObject({ type: 'summary', config: [{ file: 'paylint.config.json', files: true }] });
  });
});
