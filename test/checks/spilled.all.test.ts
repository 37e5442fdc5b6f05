/**
 * Values that find no room in memory: the same is reported as with room for all, whatever the order of values, targets and
 * references, for any number of threads; a disk that is full is one failure; nothing stays open.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { memoized } from '../../src/json/on-demand.ts';
import { NO_BUDGET } from '../../src/run/check/flow.ts';
import { Counts } from '../../src/run/counts.ts';
import type { Claim } from '../../src/run/outlets/sink.ts';
import { RelatedPayloads } from '../../src/run/related-payloads.ts';
import { SpilledValues } from '../../src/run/value-table.ts';
import { Blocks, type ClaimList, claimOfList, Gatherer } from '../../src/run/workers/gather.ts';
import { Turns } from '../../src/source/io.ts';
import type { ReportEvent } from '../../src/types.ts';
import { linesIn } from '../../src/write/spool.ts';
import { paylint } from '../world.ts';

/** Values in memory, for runs of this file. */
const room = vi.hoisted(() => ({ values: 20_000_000 }));
vi.mock('../../src/run/related-payloads.ts', async (load) => {
  const { RelatedPayloads: Original } = await load<typeof import('../../src/run/related-payloads.ts')>();
  type Args = ConstructorParameters<typeof Original>;
  class Small extends Original {
    constructor(...[report, options, relations, hint, most = room.values]: Args) {
      super(report, options, relations, hint, most);
    }
  }
  return { RelatedPayloads: Small };
});

const root = fs.mkdtempSync(join(tmpdir(), 'paylint-spilled-'));
afterAll(() => fs.rmSync(root, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const LIST = [
  { id: 'u', kind: null, at: '/id', to: null, message: null },
  { id: 'r', kind: null, at: '/to', to: { kind: null, at: '/id' }, message: null },
];
const openFiles = (): number => fs.readdirSync('/proc/self/fd').length;
const io = { now: () => 0, interrupt: new AbortController().signal };
const turns = (interrupt = new AbortController().signal): Turns => new Turns({ now: () => 0, interrupt });

/** A value: the relation is part of its hash, as in a run. */
interface Value {
  readonly role: Claim['role'];
  readonly value: number;
}

const sourceOf = memoized((name: string) => ({ name, path: null, regular: false, framing: null, kind: null }) as const);

function claimOf({ role, value }: Value, payload: number): Claim {
  const relation = role === 'unique' ? 0 : 1;
  const hash = [value, relation, 7, (value * 31) | 0];
  const line = payload + 1;
  return {
    ...{ relation, role, hash, text: `${value}`, valid: true, listed: 0, payload, line, column: 1, endLine: line },
    ...{ endColumn: 2, offset: 0, kind: 'a', pointer: '/id' },
  };
}

interface Told {
  readonly events: ReportEvent[];
  readonly fault: string | null;
  readonly counts: readonly number[];
}

/** What is reported of files of values. */
async function told(files: readonly (readonly Value[])[], most: number, isWhole = true): Promise<Told> {
  const events: ReportEvent[] = [];
  const taker = { event: (event: ReportEvent) => void events.push(event), flush: async () => {} };
  const related = new RelatedPayloads(taker, { budget: NO_BUDGET, rules: {} }, LIST, () => {}, most);
  const counts = new Counts();
  for (const [i, values] of files.entries()) {
    for (const [payload, value] of values.entries())
      related.take(claimOf(value, payload), { payloads: 0, lines: 0 }, sourceOf(`f${i}`));
    const own = new Counts();
    own.take({ type: 'accepted', kind: 'a', count: values.length });
    related.event({ type: 'source', source: counts.addSource(`f${i}`, own, false) });
  }
  await related.compare(turns());
  const fault = await related.settle({ counts, hint: () => {} }, isWhole, io);
  return { events, fault, counts: [counts.valid, counts.violations] };
}

describe('values without room in memory', () => {
  it('are reported as with room for all', async () => {
    const value = fc.record({
      role: fc.constantFrom('unique' as const, 'reference' as const, 'target' as const),
      value: fc.nat(30),
    });
    const files = fc.array(fc.array(value, { maxLength: 30 }), { maxLength: 5 });
    let spilled = 0;
    await fc.assert(
      fc.asyncProperty(files, fc.nat(12), fc.boolean(), async (all, most, isWhole) => {
        const found = await told(all, most, isWhole);
        expect(found).toEqual(await told(all, 20_000_000, isWhole));
        const distinct = new Set(
          all.flat().flatMap(({ role, value: one }) => (role === 'reference' ? [] : [`${role}${one}`])),
        );
        spilled += Number(distinct.size > most && found.counts[1]! > 0);
      }),
    );
    expect(spilled).toBeGreaterThan(20);
  });

  it('are found again in a file, and nothing stays of it', async () => {
    const files = openFiles();
    const values = new SpilledValues(32);
    const hashOf = (i: number): number[] => [i, 0, 0, i * 7];
    const place = (i: number): { file: number; line: number } => ({ file: i % 3, line: i });
    for (let i = 0; i < 3000; i++) {
      values.add({ hash: hashOf(i % 1000), role: 'unique', place: place(i) });
      if (i % 2 === 0) values.add({ hash: hashOf(-1 - i), role: 'target', place: place(i) });
    }
    for (let i = 0; i < 3000; i++) values.add({ hash: hashOf(-1 - i), role: 'reference', place: place(i) });
    expect(openFiles()).toBeGreaterThan(files);
    await values.compare(turns());
    for (let i = 0; i < 3000; i++) expect(values.next(hashOf(i % 1000))).toEqual(i < 1000 ? null : place(i % 1000));
    for (let i = 0; i < 3000; i++) expect(values.next(hashOf(-1 - i))).toEqual(i % 2 === 0 ? place(i) : null);
    values.close();
    expect(openFiles()).toBe(files);
  });

  it('are left alone by an interrupt, which closes the file', async () => {
    const files = openFiles();
    const values = new SpilledValues(32);
    for (let i = 0; i < 300; i++) values.add({ hash: [i, 0, 0, 1], role: 'unique', place: { file: 0, line: i } });
    const interrupt = AbortSignal.abort('SIGINT');
    let now = 0;
    const soon = new Turns({ now: () => (now += 100), interrupt });
    await expect(values.compare(soon)).rejects.toThrow('interrupted');
    values.close();
    expect(openFiles()).toBe(files);
  });

  it('are one failure if the disk is full', async () => {
    vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', errno: -28 });
    });
    const values = Array.from({ length: 60_000 }, (_, i) => ({ role: 'unique' as const, value: i >> 1 }));
    const { events, fault, counts } = await told([values], 2);
    expect(fault).toBe(
      'what payloads have in common cannot be kept in the temporary folder: no space left on device (ENOSPC)',
    );
    expect(events.at(-1)!.type).toBe('source');
    expect(counts[1]).toBeLessThan(10);
  });
});

describe('claims of another thread', () => {
  it('are kept as bytes, also those of a MiB of short lines, and come back as they were', () => {
    const gatherer = new Gatherer({ bail: false }, new Blocks());
    const claims = Array.from({ length: 30_000 }, (_, i) => claimOf({ role: 'unique', value: i }, i));
    for (const claim of claims) gatherer.emit({ type: 'claim', claim });
    const { claims: bytes } = gatherer.take();
    expect(bytes.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(4_000_000);
    const again = [...linesIn(bytes)].map((line) => claimOfList(JSON.parse(line) as ClaimList));
    expect(again).toEqual(claims);
    expect(gatherer.take().claims).toEqual([]);
  });
});

describe('a run with values without room in memory', () => {
  const order = (i: number): string =>
    JSON.stringify({ id: i % 7 === 0 ? i / 7 : i, parent: i % 11 === 0 ? -i : (i * 3) % 3000 });
  const orders = Array.from({ length: 3000 }, (_, i) => order(i));
  const config = {
    schema: 'order.json',
    checks: [
      { id: 'id', unique: '/id' },
      { id: 'parent', references: '/parent', to: { at: '/id' } },
    ],
  };
  for (const [name, text] of Object.entries({
    'order.json': '{"type":"object"}',
    'paylint.config.json': JSON.stringify(config),
    'a.ndjson': orders.slice(0, 2000).join('\n'),
    'b.json': `[${orders.slice(2000).join(',\n')}]`,
  }))
    fs.writeFileSync(join(root, name), text);
  const run = async (threads: string, values: number): Promise<string> => {
    room.values = values;
    const args = ['validate', 'a.ndjson', 'b.json', '--format', 'ndjson', '--threads', threads];
    const { stdout, code } = await paylint(args, { cwd: root });
    expect(code).toBe(1);
    return stdout.replace(/"elapsedMs":\d+/, '');
  };

  it('is reported as with room for all, with any number of threads', async () => {
    const all = await run('1', 20_000_000);
    expect(all.split('"check/id"').length).toBeGreaterThan(300);
    expect(all.split('"check/parent"').length).toBeGreaterThan(300);
    for (const threads of ['1', '2', '8']) expect(await run(threads, 150)).toBe(all);
  });
});
