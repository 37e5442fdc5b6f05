/** What a thread gathers of a part: plain data in order; memory for bytes that is used again; and what it leaves to the main thread. */
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../src/run/outlets/sink.ts';
import {
  Blocks,
  claimOfList,
  freePieces,
  Gatherer,
  listOfClaim,
  MustRunSerially,
} from '../../src/run/workers/gather.ts';
import type { Statement, ViolationPlace } from '../../src/types.ts';

const STATEMENT = {
  ...{
    kind: 'a',
    severity: 'error',
    pointer: '',
    rule: 'type',
    message: 'no',
    params: {},
    schema: null,
    fixable: false,
  },
} as unknown as Statement;
const placeOn = (line: number): ViolationPlace => ({
  ...{ file: 'a', payload: 0, line, column: 1, endLine: line, endColumn: 2, offset: 0 },
});

const gatherer = (bail = false): Gatherer => new Gatherer({ bail }, new Blocks());

describe('a part', () => {
  it('has its events with the number of violations before each', () => {
    const one = gatherer();
    one.emit({ type: 'hint', text: 'first' });
    one.violation(STATEMENT, placeOn(1), null);
    one.violation(STATEMENT, placeOn(2), null);
    one.emit({ type: 'hint', text: 'second' });
    const { events, violations } = one.take();
    expect(events).toEqual([
      { before: 0, found: { type: 'hint', text: 'first' } },
      { before: 2, found: { type: 'hint', text: 'second' } },
    ]);
    expect(violations!.rows.length).toBe(14);
  });

  it('has counts in place of events that are only counted', () => {
    const one = gatherer();
    one.emit({ type: 'accepted', kind: 'a', count: 3 });
    one.emit({ type: 'payload', kind: 'a', valid: false });
    one.emit({ type: 'hidden', rule: 'type', count: 2, fixable: 1 });
    one.emit({ type: 'hidden', rule: 'type', count: 3, fixable: 0 });
    const { counts, hidden, events, violations } = one.take();
    expect([counts.payloads, counts.valid, events, violations]).toEqual([4, 3, [], null]);
    expect([...hidden.values()]).toEqual([{ rule: 'type', count: 5, fixable: 1 }]);
  });

  it('is followed by one without results', () => {
    const one = gatherer();
    one.emit({ type: 'payload', kind: 'a', valid: true });
    one.emit({ type: 'hint', text: 'x' });
    one.emit({ type: 'edit', edit: { offset: 1, length: 2, bytes: Buffer.from('x') } });
    one.bytes(Buffer.from('abc'), true);
    expect(one.take().edits.offsets).toEqual([1]);
    const { counts, events, edits, chunks, claims } = one.take();
    expect([counts.payloads, events, edits.offsets, chunks, claims]).toEqual([0, [], [], [], []]);
  });

  it('ends the run at its first invalid payload with bail only', () => {
    for (const bail of [false, true]) {
      const one = gatherer(bail);
      one.emit({ type: 'payload', kind: 'a', valid: true });
      expect(one.stopped).toBe(false);
      one.emit({ type: 'payload', kind: 'a', valid: false });
      expect(one.stopped).toBe(bail);
    }
  });

  it('is left to the main thread if a payload could not be checked, or has too many violations', () => {
    const fault = { payload: 0, line: 1, message: 'no', stack: null };
    expect(() => gatherer().emit({ type: 'fault', fault })).toThrow(MustRunSerially);
    expect(() => gatherer().emit({ type: 'unlisted', payload: 0, count: 1 })).toThrow(MustRunSerially);
  });
});

it('a claim is the same after it was a list', () => {
  const claim: Claim = {
    ...{ relation: 1, role: 'unique', hash: [1, -2, 3, 4], text: '"x"', valid: true, listed: 2, kind: 'a' },
    ...{ pointer: '/a', payload: 3, line: 4, column: 5, endLine: 6, endColumn: 7, offset: 8 },
  };
  expect(claimOfList(listOfClaim(claim))).toEqual(claim);
  const one = gatherer();
  one.emit({ type: 'claim', claim });
  one.emit({ type: 'claim', claim: { ...claim, line: 9 } });
  const lines = Buffer.concat(one.take().claims).toString().trimEnd().split('\n');
  expect(lines.map((line) => claimOfList(JSON.parse(line)).line)).toEqual([4, 9]);
});

describe('memory for bytes', () => {
  const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

  it('holds copies that do not change when the window does', () => {
    const blocks = new Blocks();
    const window = bytes(10, 1);
    const [first, second] = [blocks.keep(window), blocks.keep(bytes(5, 2))];
    window.fill(9);
    expect([[...first], [...second]]).toEqual([Array(10).fill(1), Array(5).fill(2)]);
  });

  it('takes what was written into reserved memory without a copy', () => {
    const blocks = new Blocks();
    const reserved = blocks.reserve(bytes(4, 0));
    reserved.fill(7);
    const kept = blocks.keep(reserved);
    expect(kept).toBe(reserved);
    expect([...blocks.keep(bytes(2, 1)), ...kept]).toEqual([1, 1, 7, 7, 7, 7]);
  });

  it('is used again once all pieces in it are freed, and not before', () => {
    const blocks = new Blocks();
    const large = 1_500_000;
    const piece = (value: number) => ({ chunk: blocks.keep(bytes(large, value)), changed: false, channel: 0 });
    const first = piece(1);
    const second = piece(2); // does not fit beside the first
    expect(second.chunk.buffer).not.toBe(first.chunk.buffer);
    freePieces({ chunks: [first] });
    expect(piece(3).chunk.buffer).toBe(first.chunk.buffer);
    expect(new Set(second.chunk)).toEqual(new Set([2]));
    expect(piece(4).chunk.buffer).not.toBe(second.chunk.buffer);
  });
});
