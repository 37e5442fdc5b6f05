/**
 * `prune` as a process: by threads, killed at any moment, beside a program that appends. Runs what `npm run build` made.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { place } from '../fill-run.ts';
import { BIN, outcomeOf, sh } from '../spawned.ts';

const SCHEMA = JSON.stringify({
  required: ['d'],
  properties: { a: { type: 'integer' }, d: { default: 'é' }, o: { $ref: '#/$defs/o' } },
  additionalProperties: false,
  $defs: { o: { properties: { k: true }, additionalProperties: false } },
});

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

/** More than 1 MiB, which threads share. */
const LINES = Array.from({ length: 30_000 }, (_, i) => {
  const others = i % 7 === 0 ? { [`x${i % 50}`]: i } : {};
  const inner = i % 11 === 0 ? { o: { x: 'long '.repeat(10), k: i } } : {};
  return { ...others, a: i % 1000 === 999 ? 'wrong' : i, ...inner, d: i, pad: undefined };
});
const LARGE = `${LINES.map((line) => JSON.stringify(line)).join('\n')}\n`;

function without({ a, o, d }: (typeof LINES)[number] & { o?: { k: number } }): string {
  return JSON.stringify({ a, ...(o === undefined ? {} : { o: { k: o.k } }), d });
}
const PRUNED = `${LINES.map(without).join('\n')}\n`;

describe('threads', () => {
  it('change neither the payloads nor the report, and the file has what was removed', async () => {
    const said: string[] = [];
    for (const threads of [1, 4]) {
      const folder = place({ 's.json': SCHEMA, 'a.ndjson': LARGE });
      const flags = `--schema s.json --format ndjson --removed gone.ndjson --threads ${threads}`;
      const { code, stdout, stderr } = await sh(folder, `paylint prune ${flags} a.ndjson`);
      expect(code).toBe(1);
      expect(stdout === PRUNED).toBe(true);
      said.push(`${stderr.replace(/"elapsedMs":\d+/, '')}\n${read(folder, 'gone.ndjson')}`);
      const gone = read(folder, 'gone.ndjson').trimEnd().split('\n');
      const events = stderr.split('\n').filter((line) => line.startsWith('{"type":"prune"'));
      expect(gone.length).toBe(LINES.reduce((sum, _, i) => sum + Number(i % 7 === 0) + Number(i % 11 === 0), 0));
      const parts = ({ file, payload, pointer, value }: Record<string, unknown>) => ({ file, payload, pointer, value });
      expect(events.map((line) => parts(JSON.parse(line)))).toEqual(gone.map((line) => JSON.parse(line)));
    }
    expect(said[1] === said[0]).toBe(true);
  });

  it('do not change a diff, which makes the file what is written', async () => {
    const folder = place({ 's.json': SCHEMA, 'a.ndjson': LARGE, 'b/a.ndjson': LARGE });
    const line = 'paylint prune --schema s.json -q';
    const one = await sh(folder, `${line} --diff --threads 1 a.ndjson`);
    const four = await sh(folder, `${line} --diff --threads 4 a.ndjson`);
    expect(four.stdout === one.stdout).toBe(true);
    expect(patched(LARGE, one.stdout) === PRUNED).toBe(true);
    await sh(folder, `${line} --write --threads 4 b/a.ndjson`);
    expect(read(folder, 'b/a.ndjson') === PRUNED).toBe(true);
  });
});

/** What a unified diff makes of a text: the plainest way, which trusts it in nothing. */
function patched(text: string, diff: string): string {
  const lines = text.split(/(?<=\n)/);
  const out: string[] = [];
  let at = 0;
  for (const line of diff.split(/(?<=\n)/).slice(2)) {
    const hunk = /^@@ -(\d+),\d+ \+(\d+),\d+ @@/.exec(line);
    if (hunk !== null) {
      for (; at < Number(hunk[1]) - 1; at++) out.push(lines[at]!);
      expect(out.length).toBe(Number(hunk[2]) - 1);
    } else if (line.startsWith('+')) out.push(line.slice(1));
    else {
      expect(line.slice(1) === lines[at]).toBe(true);
      if (line.startsWith(' ')) out.push(lines[at]!);
      at++;
    }
  }
  return [...out, ...lines.slice(at)].join('');
}

describe('a run that is killed', () => {
  it('has kept what is gone from the files', async () => {
    let killed = 0;
    for (let round = 0; round < 6; round++) {
      const names = Array.from({ length: 600 }, (_, i) => `${String(i).padStart(3, '0')}.json`);
      const outer = place({
        's.json': SCHEMA,
        ...Object.fromEntries(names.map((name, i) => [`in/${name}`, `{"d":1,"x":${i}}`])),
      });
      const folder = join(outer, 'in');
      const args = [BIN, 'prune', '--schema', '../s.json', '--write', '-q', '--removed', '../gone.ndjson', '.'];
      const child = spawn(process.execPath, args, { cwd: folder });
      // The names of files that are in place come as they are done.
      let chunks = 0;
      child.stdout.on('data', () => ++chunks > round % 3 && child.kill('SIGKILL'));
      const { signal } = await outcomeOf(child);
      if (signal === 'SIGKILL') killed++;
      const gone = new Map(
        read(folder, '../gone.ndjson')
          .split('\n')
          .filter((line) => line.endsWith('}'))
          .map((line) => JSON.parse(line))
          .map(({ file, pointer, value }) => [file, `${pointer} ${value}`]),
      );
      for (const [i, name] of names.entries()) {
        const text = read(folder, name);
        expect([`{"d":1,"x":${i}}`, '{"d":1}']).toContain(text);
        if (text === '{"d":1}') expect([name, gone.get(name)]).toEqual([name, `/x ${i}`]);
      }
      expect(readdirSync(folder).filter((name) => !name.startsWith('.paylint-')).length).toBe(600);
    }
    expect(killed).toBeGreaterThan(0);
  });
});

describe('beside a program that appends', () => {
  it('a file is left as it is, with what was appended', async () => {
    const folder = place({ 's.json': SCHEMA, 'a.ndjson': '{"d":1,"x":1}\n', 'b.ndjson': '{"d":1,"x":2}\n' });
    const args = [BIN, 'prune', '--schema', 's.json', '--write', '-q', '--removed', 'gone.ndjson', '--files-from', '-'];
    const child = spawn(process.execPath, args, { cwd: folder });
    const done = outcomeOf(child);
    child.stdin.end('a.ndjson\nb.ndjson\n');
    appendFileSync(join(folder, 'b.ndjson'), '{"d":2}\n');
    await done;
    // Whoever came first: nothing that was appended is lost.
    expect(read(folder, 'b.ndjson')).toMatch(/^\{"d":1(?:,"x":2)?\}\n\{"d":2\}\n$/);
    expect(read(folder, 'a.ndjson')).toBe('{"d":1}\n');
  });
});
