/**
 * Checks that compare payloads: the same is found for any number of threads, in files of all sorts, and by the library; and what
 * cannot be known is not said.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/index.ts';
import { ValueTable } from '../../src/run/value-table.ts';
import { paylint } from '../world.ts';

const root = mkdtempSync(join(tmpdir(), 'paylint-relations-'));
afterAll(() => rmSync(root, { recursive: true }));

const CHECKS = [
  { id: 'id', kind: 'order', unique: '/id' },
  {
    id: 'customer',
    kind: 'order',
    references: '/lines/*/customer',
    to: { kind: 'customer', at: '/id' },
    message: 'no such customer',
    severity: 'warning',
  },
];

function folderWith(files: Readonly<Record<string, string | Uint8Array>>, checks: unknown = CHECKS): string {
  const folder = mkdtempSync(join(root, 'x'));
  const schemas = [
    { files: '**/o*', schema: 'order.json' },
    { files: '**/c*', schema: 'customer.json' },
  ];
  mkdirSync(join(folder, 'in'));
  const config = JSON.stringify({ schemas, checks });
  for (const [name, text] of Object.entries({
    'order.json': '{"type":"object"}',
    'customer.json': '{"type":"object"}',
    'paylint.config.json': config,
    ...files,
  }))
    writeFileSync(join(folder, name), text);
  return folder;
}

const order = (i: number): string =>
  JSON.stringify({ id: i % 7 === 0 ? i / 7 : i, lines: [{ customer: `SECRET${i % 50}` }, { customer: null }] });
const ORDERS = Array.from({ length: 3000 }, (_, i) => order(i));
const CUSTOMERS = Array.from({ length: 40 }, (_, i) => `{"id":"SECRET${i}"}`);

/** By the definition: in the order of the sources, compared with the first. */
function expected(): string[] {
  const first = new Map<number, number>();
  return ORDERS.flatMap((text, at) => {
    const { id, lines } = JSON.parse(text) as { id: number; lines: { customer: string | null }[] };
    const known = first.get(id);
    if (known === undefined) first.set(id, at);
    const missing = Number(lines[0]!.customer!.slice(6)) >= CUSTOMERS.length;
    return [
      ...(known === undefined ? [] : [`${at} check/id of ${known}`]),
      ...(missing ? [`${at} check/customer "SECRET${at % 50}"`] : []),
    ];
  });
}

const withoutTime = (report: string): string => report.replace(/"elapsedMs":\d+/, '');

describe('checks of all payloads', () => {
  const folder = folderWith({
    'in/o1.ndjson': `${ORDERS.slice(0, 1800).join('\n')}\n`,
    'in/o2.json': `[${ORDERS.slice(1800, 2000).join(',\n')}]`,
    'in/o3.ndjson.gz': gzipSync(ORDERS.slice(2000, 2700).join('\n')),
    'in/o4.txt': ORDERS.slice(2700).join('\n\n'),
    'c.ndjson': CUSTOMERS.join('\n'),
  });
  const START: Readonly<Record<string, number>> = {
    'in/o1.ndjson': 0,
    'in/o2.json': 1800,
    'in/o3.ndjson.gz': 2000,
    'in/o4.txt': 2700,
  };
  const paths = ['in/o1.ndjson', 'in/o2.json', 'in/o3.ndjson.gz', 'in/o4.txt', 'c.ndjson'];

  it.each(['1', '2', '8'])('are the same with --threads %s', async (threads) => {
    const args = ['validate', ...paths, '--format', 'ndjson', '--threads', threads];
    const { stdout, code } = await paylint(args, { cwd: folder });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const found = events
      .filter(({ type }) => type === 'violation')
      .map(({ file, payload, rule, message, params }) => {
        const { first } = params;
        const at = START[file]! + payload;
        if (first === undefined) expect(params).toEqual({ to: { kind: 'customer', at: '/id' } });
        if (first === undefined) return `${at} ${rule} ${/"SECRET\d+"/.exec(message)?.[0]}`;
        return `${at} ${rule} of ${START[first.file]! + first.line - 1}`;
      });
    expect(found).toEqual(expected());
    const duplicates = found.filter((one) => one.includes('check/id')).length;
    expect(events.at(-1)).toMatchObject({
      payloads: 3040,
      invalid: duplicates,
      violations: duplicates,
      warnings: found.length - duplicates,
    });
    expect(code).toBe(1);
  });

  it('give reports that render believes', async () => {
    const plain = await paylint(['validate', ...paths, '--format', 'line', '--format', 'ndjson=r.ndjson'], {
      cwd: folder,
    });
    const again = await paylint(['render', 'r.ndjson', '--format', 'line'], { cwd: folder });
    const lines = (text: string): string[] => text.split('\n').slice(0, -2).sort();
    expect(lines(again.stdout)).toEqual(lines(plain.stdout));
    const redacted = await paylint(['render', 'r.ndjson', '--format', 'line', '--redact'], { cwd: folder });
    expect(redacted.stdout).not.toContain('SECRET');
    expect(again.code).toBe(1);
  });

  it('are asked by validateFiles, and the library says what does not ask them', async () => {
    const one = await openPaylint({ config: join(folder, 'paylint.config.json') });
    expect(one.warnings).toEqual([
      expect.stringContaining('check/id, check/customer compare payloads: only validateFiles'),
    ]);
    const events: unknown[] = [];
    const summary = await one.validateFiles(paths, { cwd: folder, onEvent: (event) => events.push(event) });
    const { stdout } = await paylint(['validate', ...paths, '--format', 'ndjson'], { cwd: folder });
    expect(withoutTime(events.map((event) => JSON.stringify(event)).join('\n'))).toBe(withoutTime(stdout.trimEnd()));
    expect(summary.ok).toBe(false);
    const texts = [...one.payloadsOf('{"id":1}\n{"id":1}', { input: 'lines', kind: 'order' })];
    expect(texts.every(({ valid }) => valid)).toBe(true);
    expect((await openPaylint({ advice: true })).warnings).toEqual([]);
  });

  it('show nothing of a payload with --redact', async () => {
    for (const format of ['pretty', 'ndjson', 'sarif', 'junit', 'html', 'github', 'gitlab']) {
      const { stdout } = await paylint(
        ['validate', 'in/o1.ndjson', 'c.ndjson', '--redact', '--format', format, '--max-violations', '0'],
        { cwd: folder },
      );
      expect([format, stdout.includes('SECRET')]).toEqual([format, false]);
    }
  });

  it('are not asked by other verbs, which say so', async () => {
    for (const verb of [['filter'], ['fill', '--check']]) {
      const { stderr } = await paylint([...verb, 'in/o1.ndjson'], { cwd: folder });
      expect(stderr).toContain('note: check/id, check/customer compare payloads: only validate asks that');
    }
    const { code, stderr } = await paylint(['validate', 'in', '--shard', '1/2'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--shard: check/id compares all payloads')]);
  });

  it('off are not asked', async () => {
    const off = folderWith({ 'o.ndjson': ORDERS.slice(0, 20).join('\n') }, CHECKS.slice(0, 1));
    const config = JSON.stringify({
      schema: 'order.json',
      checks: [{ id: 'id', unique: '/id' }],
      rules: { 'check/id': 'off' },
    });
    writeFileSync(join(off, 'off.json'), config);
    expect((await paylint(['validate', 'o.ndjson', '--config', 'off.json'], { cwd: off })).code).toBe(0);
    expect((await paylint(['validate', 'o.ndjson'], { cwd: off })).code).toBe(1);
  });
});

describe('what is not known', () => {
  it('is not said: references of a run that did not read all', async () => {
    const folder = folderWith({ 'o.ndjson': `${ORDERS[49]}\n`, 'c.ndjson': CUSTOMERS.join('\n') });
    const whole = await paylint(['validate', 'o.ndjson', 'c.ndjson', '--format', 'line'], { cwd: folder });
    expect(whole.stdout).toContain('check/customer no such customer ("SECRET49" is not at /id of any customer)');
    const part = await paylint(['validate', 'o.ndjson', 'none.ndjson', '--format', 'line'], { cwd: folder });
    expect([part.code, part.stdout.includes('check/customer')]).toEqual([2, false]);
  });
});

describe('the table of values', () => {
  it('finds each value with its first place', () => {
    const table = new ValueTable(200_000);
    const hashOf = (i: number): number[] => [i, i * 7, 1, i % 3];
    const placeOf = (i: number) => ({ file: i % 5, line: i + 1 });
    for (let i = 0; i < 150_000; i++) if (!table.add(hashOf(i), placeOf(i))) expect.unreachable(`${i}`);
    for (let i = 0; i < 150_000; i += 101) expect(table.find(hashOf(i))).toEqual(placeOf(i));
    expect(table.find(hashOf(150_000))).toBeNull();
    expect(new ValueTable(0).add(hashOf(1), { file: 0, line: 1 })).toBe(false);
  });
});

const ITEM = JSON.parse(
  '{"@id":"x","@type":"Article","application":{"@id":"x"},"author":{"@id":"x","@type":"Worker"},"content":"x","publishStatus":{"@id":"Published"},"moderationStatus":{"@id":"PassedModeration"}}',
) as object;

it('values on lines of several kinds, between blank and invalid ones, are compared within their kind', async () => {
  const emoji = (i: number): string => `{"@context":"c${i % 40}","@type":"Emoji","emoji":"👍","reason":"x"}`;
  const item = (i: number): string => JSON.stringify({ ...ITEM, '@context': `c${i % 40}` });
  const lines = Array.from(
    { length: 300 },
    (_, i) => [item(i), emoji(i), '', ` ${item(i)}\r`, '{"@type":"Emoji"}'][(i * 7) % 5]!,
  );
  const folder = folderWith({ 'm.ndjson': lines.join('\n') });
  const config = { checks: [{ id: 'one', kind: 'emoji', unique: '/@context' }] };
  writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify(config));
  const { stdout } = await paylint(['validate', 'm.ndjson', '--format', 'ndjson'], { cwd: folder });
  const events = stdout
    .split('\n')
    .filter((line) => line.includes('"check/one"') && line.startsWith('{"type":"violation"'));
  const found = events.map((line): Record<string, unknown> => JSON.parse(line));
  const seen = new Set<string>();
  const twice = lines.flatMap((line, i) => {
    const id = line.includes('reason') ? (JSON.parse(line) as Record<string, string>)['@context']! : null;
    const isKnown = id === null || seen.has(id);
    if (!isKnown) seen.add(id);
    if (id === null || !isKnown) return [];
    return [[i + 1, 'emoji', lines.slice(0, i).filter((one) => one.trim() !== '').length]];
  });
  expect(twice.length).toBeGreaterThan(15);
  expect(found.map(({ line, kind, payload }) => [line, kind, payload])).toEqual(twice);
});
