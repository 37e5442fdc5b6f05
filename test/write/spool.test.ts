/**
 * What is kept until it is known whether it is wanted: all of it comes back in order, from memory or from a file, and nothing stays on disk.
 */
import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../../src/log/event-log.ts';
import type { ReportEvent } from '../../src/types.ts';
import { Spool, type SpoolDisk } from '../../src/write/spool.ts';
import { eventOf } from '../report-sample.ts';

/** The disk, with the names of all calls, and with what `fake` does in place of one. */
function diskWith(calls: string[], fake: Partial<SpoolDisk> = {}): SpoolDisk {
  return new Proxy(fs as SpoolDisk, {
    get: (real, name: keyof SpoolDisk) => {
      calls.push(name);
      return fake[name] ?? real[name];
    },
  });
}

const bytesOf = (spool: Spool): Buffer => Buffer.concat([...spool.read()]);
const openFiles = (): number => fs.readdirSync('/proc/self/fd').length;

describe('a spool', () => {
  it('gives back all bytes in order, as often as asked, wherever they were kept', () => {
    let spilled = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(90_000), fc.nat(255)), { maxLength: 8 }),
        fc.nat(150_000),
        (pieces, limit) => {
          const calls: string[] = [];
          const spool = new Spool(limit, diskWith(calls));
          const written = pieces.map(([size, byte]) => Buffer.alloc(size, byte));
          for (const piece of written) spool.write(piece);
          const all = Buffer.concat(written);
          expect(bytesOf(spool).equals(all)).toBe(true);
          expect(bytesOf(spool).equals(all)).toBe(true);
          spool.close();
          expect(calls.includes('openSync')).toBe(all.length > limit);
          spilled += Number(all.length > limit);
        },
      ),
    );
    expect(spilled).toBeGreaterThan(20);
  });

  it('has a file without a name that only its owner could open, and leaves nothing', () => {
    const calls: string[] = [];
    const opened: unknown[][] = [];
    const openSync = ((...args: Parameters<typeof fs.openSync>) => {
      opened.push(args);
      return fs.openSync(...args);
    }) as typeof fs.openSync;
    const files = openFiles();
    const spool = new Spool(10, diskWith(calls, { openSync }));
    spool.write(Buffer.alloc(11));
    expect(calls).toEqual(['openSync', 'unlinkSync', 'writeSync']);
    expect(opened).toEqual([[expect.stringMatching(/paylint-/), 'wx+', 0o600]]);
    expect(fs.existsSync(String(opened[0]![0]))).toBe(false);
    expect(openFiles()).toBe(files + 1);
    spool.close();
    expect(openFiles()).toBe(files);
  });

  it('removes its file in the end where an open file keeps its name', () => {
    let path = '';
    let closed = false;
    const closeSync = (fd: number): void => {
      closed = true;
      fs.closeSync(fd);
    };
    const unlinkSync = (name: fs.PathLike): void => {
      path = String(name);
      if (!closed) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
      fs.unlinkSync(name);
    };
    const spool = new Spool(0, diskWith([], { closeSync, unlinkSync }));
    spool.write(Buffer.from('x'));
    expect(fs.existsSync(path)).toBe(true);
    spool.close();
    expect(fs.existsSync(path)).toBe(false);
  });

  it.each(['openSync', 'writeSync'] as const)('throws what %s throws', (call) => {
    const fail = (): never => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    const spool = new Spool(0, diskWith([], { [call]: fail }));
    expect(() => spool.write(Buffer.from('x'))).toThrow('ENOSPC');
    spool.close();
  });

  it('writes all where the disk takes one byte at a time', () => {
    const writeSync = ((fd: number, bytes: Uint8Array, at: number) =>
      fs.writeSync(fd, bytes, at, 1)) as typeof fs.writeSync;
    const spool = new Spool(0, diskWith([], { writeSync }));
    spool.write(Buffer.from('one by one'));
    expect(bytesOf(spool).toString()).toBe('one by one');
    spool.close();
  });
});

/** Rows of events that were written are lists. */
function withPlainRows(event: ReportEvent): ReportEvent {
  if (event.type !== 'violations') return event;
  return { ...event, table: { ...event.table, rows: Array.from(event.table.rows) } };
}

describe('held events', () => {
  const violation = {
    file: 'é\n.json',
    payload: 3,
    line: 1,
    column: 2,
    endLine: 1,
    endColumn: 3,
    offset: 1,
    kind: null,
    severity: 'error' as const,
    pointer: '/\ud800',
    rule: 'enum' as const,
    message: 'expected "\u001b"',
    params: { allowed: [1, null, { __proto__: null, a: -1.5 }] },
    schema: null,
    fixable: false,
  };
  const excerpt = { text: '{"\u2028":1}', column: 1, cutBefore: false, cutAfter: true };
  const fill = { file: 'a', payload: 0, line: 1, column: 1, offset: 0, pointer: '/a', value: [1e21, {}] };
  const events: ReportEvent[] = [
    eventOf(violation, excerpt),
    { type: 'fill', fill },
    eventOf({ ...violation, suggestion: 'x' }),
  ];

  it.each([0, 1200, 1 << 30])('come back in order, with %i characters in memory', (memory) => {
    const held = new EventLog(memory);
    const all = Array.from({ length: 50 }, () => events).flat();
    for (const event of all) held.add(event);
    expect([...held.replay()].map(withPlainRows)).toEqual(all.map(withPlainRows));
    held.clear();
    expect([...held.replay()]).toEqual([]);
  });

  it('that are only counted become one for each rule', () => {
    const held = new EventLog();
    for (let i = 0; i < 1000; i++)
      held.add({ type: 'hidden', file: 'a.json', rule: i % 2 ? 'type' : 'enum', count: 2, fixable: 1 });
    expect([...held.replay()]).toEqual([
      { type: 'hidden', file: 'a.json', rule: 'enum', count: 1000, fixable: 500 },
      { type: 'hidden', file: 'a.json', rule: 'type', count: 1000, fixable: 500 },
    ]);
  });
});
