/**
 * `render` refuses a report that does not add up or lists more than it counts, that is given twice or is no whole run,
 * with file and line.
 */
import { linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../src/report/report-formats.ts';
import { SCRATCH } from '../tools.ts';
import { paylint } from '../world.ts';

const folder = mkdtempSync(join(SCRATCH, 'paylint-belief-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VALID = '{"@context":"c","@type":"t","emoji":"a"}';
const write = (name: string, ...lines: readonly string[]): void =>
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
const read = (name: string): string[] => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
const run = (...args: readonly string[]) => paylint(args, { cwd: folder });
const render = async (...args: readonly string[]): Promise<readonly [number, string]> => {
  const { code, stderr } = await run('render', ...args, '--format', 'line');
  return [code, stderr];
};

/** A line of a report, with other members. */
const changed = (line: string, members: object): string => JSON.stringify({ ...JSON.parse(line), ...members });

beforeAll(async () => {
  write('a.ndjson', VALID, VALID, '{"@context":"c","@type":"t","emoji":1}', '{"@type":"Artcle"}');
  write('b.json', VALID);
  await run('validate', 'a.ndjson', 'b.json', '--format', 'ndjson=r.ndjson');
});

// The lines of r.ndjson: two violations and the source of a.ndjson, the source of b.json, the summary.
const SOURCE = 2;
const OTHER = 3;
const SUMMARY = 4;

describe('a report is refused', () => {
  it.each<[string, number, number, object]>([
    ['a summary with fewer sources', SUMMARY, 5, { sources: 1 }],
    ['a summary with more sources', SUMMARY, 5, { sources: 3 }],
    ['a summary with more payloads', SUMMARY, 5, { payloads: 6, valid: 4 }],
    ['a summary whose invalid payloads are valid', SUMMARY, 5, { valid: 5, invalid: 0 }],
    ['a summary without violations', SUMMARY, 5, { violations: 0, rules: {} }],
    ['a summary with violations as warnings', SUMMARY, 5, { violations: 0, warnings: 2 }],
    ['a summary with a failure that is not there', SUMMARY, 5, { failures: 1 }],
    ['a summary with a shard that there cannot be', SUMMARY, 5, { shard: '3/2' }],
    ['a summary with a shard of nothing', SUMMARY, 5, { shard: '0/0' }],
    ['a summary with a count below 0', SUMMARY, 5, { failures: -1 }],
    ['a summary with half a payload', SUMMARY, 5, { payloads: 5.5 }],
    ['a summary with more payloads than can be counted', SUMMARY, 5, { payloads: 2 ** 53 }],
    ['a source with fewer violations than are listed', SOURCE, 3, { violations: 1 }],
    ['a source with violations as warnings', SOURCE, 3, { violations: 0, warnings: 2 }],
    ['a source of another file', SOURCE, 3, { file: 'x.ndjson' }],
    ['a violation of a file that is no source', 0, 2, { file: 'x.ndjson' }],
    ['a source that is another one', OTHER, 5, { file: 'a.ndjson', payloads: 2 }],
  ])('for %s', async (_, index, line, members) => {
    const lines = read('r.ndjson');
    lines[index] = changed(lines[index]!, members);
    write('lie.ndjson', ...lines);
    const [code, stderr] = await render('lie.ndjson');
    expect(stderr).toMatch(new RegExp(`^paylint: lie\\.ndjson:${line}: .*\\n$`));
    expect(code).toBe(2);
  });

  it.each<[string, (lines: string[]) => string[]]>([
    ['a violation twice', ([a, ...rest]) => [a!, a!, ...rest]],
    ['the same violation many times', ([a, b, ...rest]) => [a!, a!, a!, b!, ...rest]],
    [
      'a payload below 0 in a violation that is known',
      ([a, ...rest]) => [a!, a!.replace('"payload":2', '"payload":-1'), ...rest],
    ],
    ['a line 0 in a violation that is known', ([a, ...rest]) => [a!, a!.replace(/"line":\d+/, '"line":0'), ...rest]],
    [
      'a file that is no string in a violation that is known',
      ([a, ...rest]) => [a!, a!.replace('"a.ndjson"', '"a\\q"'), ...rest],
    ],
    ['a violation after its source', ([a, b, source, ...rest]) => [b!, source!, a!, ...rest]],
    ['a missing source', (lines) => lines.filter((_, i) => i !== SOURCE)],
    ['a missing source without violations', (lines) => lines.filter((_, i) => i !== OTHER)],
    ['a source twice', (lines) => lines.toSpliced(OTHER, 0, lines[OTHER]!)],
    ['two summaries', (lines) => [...lines, lines[SUMMARY]!]],
    ['no summary', (lines) => lines.slice(0, SUMMARY)],
    ['only half of the last line', (lines) => [...lines.slice(0, SUMMARY), lines[SUMMARY]!.slice(0, 40)]],
    ['a failure that is not counted', (lines) => ['{"type":"failure","file":"x","message":"gone"}', ...lines]],
    ['a member filled in that is not counted', (lines) => [FILL, ...lines]],
    ['a type that is an object', (lines) => ['{"type":{"toString":1}}', ...lines]],
    ['a type with the name of a prototype', (lines) => ['{"type":"__proto__"}', ...lines]],
    ['a type with the name of a constructor', (lines) => ['{"type":"constructor"}', ...lines]],
    ['null', (lines) => ['null', ...lines]],
    ['an array', (lines) => ['[]', ...lines]],
    ['params that are very deep', ([a, ...rest]) => [deep(a!, '"params":', '{"x":', '}'), ...rest]],
    ['params that are very deep in arrays', ([a, ...rest]) => [deep(a!, '"params":{"x":', '[', ']}'), ...rest]],
    ['a value filled in that is very deep', (lines) => [deep(FILL, '"value":', '[', ']'), ...lines]],
    [
      'a summary with a prototype',
      (lines) => lines.map((line) => line.replace('"sources"', '"__proto__":{},"sources"')),
    ],
  ])('for %s', async (_, lie) => {
    write('lie.ndjson', ...lie(read('r.ndjson')));
    const [code, stderr] = await render('lie.ndjson');
    expect(stderr).toMatch(/^paylint: lie\.ndjson:\d: .*\n$/);
    expect(code).toBe(2);
  });

  it('if it is one document, not lines', async () => {
    for (const payload of ['a.ndjson', 'b.json']) {
      await run('validate', payload, '--format', 'json=d.json');
      expect(await render('d.json')).toEqual([
        2,
        'paylint: d.json:1: expected a line of an NDJSON report (--format ndjson), found text that is not JSON\n',
      ]);
    }
  });

  it('if it has nothing but blank lines, also after another report', async () => {
    write('blank.ndjson', '', '\r');
    expect(await render('r.ndjson', 'blank.ndjson', '--allow-empty')).toEqual([
      2,
      'paylint: blank.ndjson is empty: it is not a report of paylint\n',
    ]);
  });

  it('if it is not UTF-8, or compressed and cut off', async () => {
    const bytes = readFileSync(join(folder, 'r.ndjson'));
    writeFileSync(join(folder, 'latin1'), Buffer.from(bytes.toString().replace('a.ndjson', '\xe4'), 'latin1'));
    expect((await render('latin1'))[1]).toBe('paylint: latin1:1: this line is not UTF-8\n');
    writeFileSync(join(folder, 'cut.gz'), gzipSync(bytes).subarray(0, -9));
    expect((await render('cut.gz'))[0]).toBe(2);
  });

  it('if the sums of all reports are too large to be exact', async () => {
    const lines = read('b.report.ndjson');
    const many = { payloads: 2 ** 52, valid: 2 ** 52 };
    const huge = (file: string): string[] => [
      changed(lines[0]!, { file, ...many }),
      changed(lines[1]!, { ...many, kinds: { emoji: { ...many, invalid: 0 } } }),
    ];
    write('lie.ndjson', ...huge('b.json'), ...huge('c.json'));
    expect((await render('lie.ndjson'))[1]).toBe(
      'paylint: lie.ndjson:4: the reports count more than can be added up\n',
    );
  });

  beforeAll(() => run('validate', 'b.json', '--format', 'ndjson=b.report.ndjson'));
});

const FILL = '{"type":"fill","file":"a.ndjson","payload":0,"line":1,"column":1,"offset":0,"pointer":"/x","value":1}';

function deep(line: string, member: string, open: string, close: string): string {
  const [before = '', after = ''] = line.split(member.split('{')[0]!);
  const rest = after.replace(/^(?:\{[^}]*\}|1)/, '');
  const [inner = close, outer = ''] = [close[0]!, close.slice(1)];
  return `${before}${member}${open.repeat(100_000)}1${inner.repeat(100_000)}${outer}${rest}`;
}

describe('a report is accepted', () => {
  it.each([
    ['validate'],
    ['validate', '--max-violations', '1'],
    ['validate', '--quiet'],
    ['validate', '--bail'],
    ['validate', '--redact'],
    ['validate', '--advice', '--threads', '2'],
    ['validate', '--shard', '1/1'],
    ['validate', '--input', 'stream', '--max-depth', '1'],
    ['validate', '--kind', 'emoji'],
    ['fill'],
    ['fill', '--deep'],
    ['fill', '--check'],
    ['fill', '--diff', '--quiet'],
    ['filter'],
    ['filter', '--invert'],
    ['convert'],
    ['convert', '--kind', 'emoji'],
  ])('of %s %s %s', async (...args) => {
    const names = ['a.ndjson', 'b.json', 'none.json', 'empty.ndjson', 'broken.json', 'gap.json'];
    write('empty.ndjson', '');
    write('broken.json', `[${VALID},{"a"`);
    write('gap.json', '{"@id":"/1","@type":"Contract","customer":{}}');
    await run(...args, ...names, '--format', 'ndjson=own.ndjson', '--format', 'line=own.line');
    const { code, stdout, stderr } = await run('render', 'own.ndjson', '--format', 'ndjson');
    expect([stderr, code]).toEqual([expect.not.stringContaining('contradicts'), 2]);
    const expected = read('own.ndjson').map((line) => line.replace(',"shard":"1/1"', ''));
    expect(stdout.trimEnd().split('\n').sort()).toEqual(expected.sort());
  });

  it('with a baseline', async () => {
    const args = ['validate', 'a.ndjson', 'b.json', '--baseline', 'known', '--format', 'ndjson=own.ndjson'];
    await run(...args, '--update-baseline');
    expect(await render('own.ndjson')).toEqual([0, '']);
    await run(...args);
    const { stdout } = await run('render', 'own.ndjson', '--format', 'line');
    expect(stdout).toMatch(/^✓ no new violations · 2 known in 2 payloads · /);
  });

  it('in gzip, and with Windows line ends and blank lines', async () => {
    const text = `${read('r.ndjson').join('\r\n\r\n')}\r\n`;
    writeFileSync(join(folder, 'r.gz'), gzipSync(text));
    expect(await render('r.gz')).toEqual([1, '']);
  });

  it('with fields, types of lines and commands that later versions add', async () => {
    const later = read('r.ndjson').map((line) =>
      line.replace('"type":', '"later":{"a":[1]},"type":').replace('"fixable":false', '"fixable":false,"fix":"prune"'),
    );
    write('later.ndjson', '{"type":"timing","ms":5}', ...later);
    expect((await render('later.ndjson'))[0]).toBe((await render('r.ndjson'))[0]);
  });

  it('with names of prototypes, in every format', async () => {
    const lines = read('r.ndjson').slice(0, SUMMARY);
    const own = (line: string, rule: string): string =>
      line
        .replace('"kind":"emoji"', `"kind":"${rule}"`)
        .replace(/"rule":"[^"]*"/, `"rule":"${rule}"`)
        .replace('"kind":null', `"kind":"${rule}"`)
        .replace('a.ndjson', '__proto__');
    const summary = read('r.ndjson')
      .at(-1)!
      .replace(
        /"kinds":.*,"elapsedMs"/,
        `"kinds":{"__proto__":{"payloads":4,"valid":3,"invalid":1},"constructor":{"payloads":1,"valid":0,"invalid":1}},"rules":{"__proto__":1,"constructor":1},"elapsedMs"`,
      );
    write(
      'names.ndjson',
      own(lines[0]!, '__proto__'),
      own(lines[1]!, 'constructor'),
      own(lines[2]!, ''),
      lines[3]!,
      summary,
    );
    for (const format of FORMAT_NAMES) {
      const { code, stderr, stdout } = await run('render', 'names.ndjson', '--stats', '--format', format);
      expect([code, stderr.replace(/^(?: .*|)\n/gm, '')]).toEqual([1, '']);
      expect(stdout).not.toBe('');
      if (format === 'ndjson') expect(stdout).toBe(`${read('names.ndjson').join('\n')}\n`);
    }
  });

  it('if a run was interrupted, which is no success', async () => {
    const lines = read('b.report.ndjson');
    write('part.ndjson', lines[0]!, changed(lines[1]!, { interrupted: true }));
    expect(await render('part.ndjson')).toEqual([
      2,
      'paylint: a run was stopped early, so not everything was checked\n',
    ]);
  });

  beforeAll(() => run('validate', 'b.json', '--format', 'ndjson=b.report.ndjson'));
});

describe('what is given twice is named:', () => {
  const TWICE = /^paylint: \S+:3: a\.ndjson has the same results in \S+:3: a report is given twice\n$/;

  it('a file, by any path', async () => {
    symlinkSync('r.ndjson', join(folder, 'link.ndjson'));
    linkSync(join(folder, 'r.ndjson'), join(folder, 'hard.ndjson'));
    for (const other of ['r.ndjson', './r.ndjson', 'link.ndjson', 'hard.ndjson', join(folder, 'r.ndjson')])
      expect(await render('r.ndjson', other)).toEqual([2, expect.stringMatching(TWICE)]);
  });

  it('a copy, compressed or not, in another file, on standard input, or in the same file', async () => {
    const lines = read('r.ndjson');
    const text = `${lines.join('\n')}\n`;
    write('copy.ndjson', ...lines);
    writeFileSync(join(folder, 'copy.gz'), gzipSync(text));
    for (const other of ['copy.ndjson', 'copy.gz']) expect((await render('r.ndjson', other))[1]).toMatch(TWICE);
    const stdin = await paylint(['render', 'r.ndjson', '-'], { cwd: folder, stdin: text });
    expect([stdin.code, stdin.stderr]).toEqual([2, expect.stringMatching(/^paylint: <stdin>:3: a\.ndjson has/)]);
    write('double.ndjson', ...lines, ...lines);
    expect(await render('double.ndjson')).toEqual([
      2,
      'paylint: double.ndjson:8: a.ndjson has the same results in double.ndjson:3: a report is given twice\n',
    ]);
  });

  it('another run of the same, which took another time, had other words, or lists less', async () => {
    await run('validate', 'a.ndjson', 'b.json', '--redact', '--format', 'ndjson=again.ndjson');
    const lines = read('again.ndjson');
    write('again.ndjson', ...lines.slice(0, SUMMARY), changed(lines[SUMMARY]!, { elapsedMs: 12345 }));
    expect((await render('r.ndjson', 'again.ndjson'))[1]).toMatch(TWICE);
  });

  it('one source of many', async () => {
    await run('validate', 'b.json', '--format', 'ndjson=b.ndjson');
    expect(await render('r.ndjson', 'b.ndjson')).toEqual([
      2,
      'paylint: b.ndjson:1: b.json has the same results in r.ndjson:4: a report is given twice\n',
    ]);
  });

  it('standard input under the same name, with the flag that tells inputs apart', async () => {
    const report = async (name: string, ...flags: readonly string[]): Promise<void> => {
      const args = ['validate', '--format', `ndjson=${name}`, ...flags];
      await paylint(args, { cwd: folder, stdin: VALID });
    };
    await report('1.ndjson');
    await report('2.ndjson');
    expect((await render('1.ndjson', '2.ndjson'))[1]).toContain('--stdin-filename');
    await report('2.ndjson', '--stdin-filename', 'two.ndjson');
    expect(await render('1.ndjson', '2.ndjson')).toEqual([0, '']);
  });

  it('but not results under different schemas, nor different results of a file', async () => {
    writeFileSync(join(folder, 'other.json'), '{"type":"object","required":["emoji"]}');
    await run('validate', 'b.json', '--schema', 'other.json', '--format', 'ndjson=other.ndjson');
    await run('validate', 'b.json', '--format', 'ndjson=b.ndjson');
    expect(await render('b.ndjson', 'other.ndjson')).toEqual([0, '']);
    write('b.json', '{}');
    await run('validate', 'b.json', '--format', 'ndjson=later.ndjson');
    write('b.json', VALID);
    expect(await render('b.ndjson', 'later.ndjson')).toEqual([1, '']);
  });
});

describe('shards', () => {
  const shards = async (count: number): Promise<string[]> => {
    const names: string[] = [];
    for (let k = 1; k <= count; k++) {
      const name = `${k}-of-${count}.ndjson`;
      await run('validate', 'a.ndjson', 'b.json', '--shard', `${k}/${count}`, '--format', `ndjson=${name}`);
      names.push(name);
    }
    return names;
  };
  const last = (name: string): string => `${name}:${read(name).length}`;

  it('say which they are', async () => {
    for (const name of await shards(3)) {
      const { shard } = JSON.parse(read(name).at(-1)!);
      expect(shard).toBe(name.replace('-of-', '/').replace('.ndjson', ''));
    }
    for (const verb of ['fill', 'filter', 'convert']) {
      await run(verb, 'a.ndjson', 'b.json', '--shard', '2/2', '--format', 'ndjson=x.ndjson');
      expect(JSON.parse(read('x.ndjson').at(-1)!).shard).toBe('2/2');
      await run(verb, 'a.ndjson', 'b.json', '--format', 'json=x.json');
      expect(read('x.json').at(-1)).not.toContain('shard');
    }
  });

  it('are refused if one is missing', async () => {
    const [one, two, three] = (await shards(3)) as [string, string, string];
    const are = (name: string, k: number, missing: string): unknown[] => [
      2,
      `paylint: ${last(name)}: this is the shard ${k}/3, and ${missing} missing\n`,
    ];
    expect(await render(one, three)).toEqual(are(one, 1, '2/3 is'));
    expect(await render(two)).toEqual(are(two, 2, '1/3, 3/3 are'));
    expect(await render(three, one, two)).toEqual([1, '']);
    const lines = read(one);
    write('far.ndjson', ...lines.slice(0, -1), changed(lines.at(-1)!, { shard: '2/9999999' }));
    expect((await render('far.ndjson'))[1]).toContain(
      'this is the shard 2/9999999, and 1/9999999, 3/9999999, 4/9999999, 5/9999999, 6/9999999 and 9,999,993 more are missing',
    );
  });

  it('are refused if one is doubled, also if it is empty or found something else', async () => {
    const names = await shards(3);
    for (const [k, name] of names.entries()) {
      const lines = read(name);
      write('again.ndjson', ...lines.slice(0, -1), changed(lines.at(-1)!, { elapsedMs: 9 }));
      expect(await render(...names, 'again.ndjson')).toEqual([
        2,
        `paylint: ${last('again.ndjson')}: the shard ${k + 1}/3 is given twice: it is in ${last(name)} too\n`,
      ]);
    }
  });

  it('of different runs are refused', async () => {
    const [one] = (await shards(2)) as [string, string];
    const three = await shards(3);
    const [code, stderr] = await render(...three, one);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has the same results in')]);
    const [, , empty] = three as [string, string, string];
    expect(await render(one, empty)).toEqual([2, expect.stringContaining('missing')]);
    // The file was changed between two shards of what should be one run.
    const summary = changed(read(one).at(-1)!, { shard: '2/2' });
    write('moved.ndjson', ...read(one).slice(0, -1), summary);
    const lines = read('moved.ndjson').map((line) => line.replace('"offset":', '"offset":1'));
    write('moved.ndjson', ...lines);
    expect(await render(one, 'moved.ndjson')).toEqual([
      2,
      `paylint: moved.ndjson:3: a.ndjson is in ${one}:3 too, but a file is in one shard only: these are shards of different runs\n`,
    ]);
  });

  it('of one are a whole run', async () => {
    const [one] = (await shards(1)) as [string];
    expect(await render(one)).toEqual([1, '']);
    expect((await render(one, 'r.ndjson'))[0]).toBe(2);
  });

  it('merged are no shard', async () => {
    const { stdout } = await run('render', ...(await shards(2)), '--format', 'ndjson');
    expect(stdout).not.toContain('shard');
  });
});
