/**
 * The first payloads of a run with a schema of one's own: how many are judged before anything is compiled. That the verdicts are right is tested with
 * those of the compiled engine.
 */
import { describe, expect, it } from 'vitest';
import { setOf } from '../../scripts/mutations/schemas.ts';
import type { Acceptor } from '../../src/engine/compile/acceptor.ts';
import { compileAcceptCode } from '../../src/engine/compilers.ts';
import { FirstPayloads } from '../../src/engine/first.ts';
import { FIRST } from '../../src/engine/thresholds.ts';
import { OverTime, type RunWithinLimit, withinTime } from '../../src/engine/time-limit.ts';
import type { SchemaSet } from '../../src/schema/set.ts';
import { Window } from '../../src/source/window.ts';
import { loadFiles } from '../trial.ts';
import { putBytes } from '../window-bytes.ts';

const LIMITS = { maxDepth: 10, maxBytes: 1e9, redact: false };

/** What becomes of texts, one after another: the kind, or null; and whether it is over then. */
async function taken(set: SchemaSet, texts: readonly (string | Uint8Array)[]) {
  const window = new Window();
  const first = (await firstOf(set, window))!; // no pattern needs RegExp
  const kinds = texts.map((text) => {
    const bytes = Buffer.from(text);
    putBytes(window, bytes);
    return kindBy(first, window, bytes.length);
  });
  return { kinds, first, window };
}

/** The kind of the payload at the window's start if it is judged valid; null: it is not, or it is left to others. */
function kindBy(first: FirstPayloads, window: Window, end: number): string | null {
  const reader = first.readerOf(null);
  return reader?.read(window, { start: 0, end }) === 'valid' ? counted(reader) : null;
}

function counted(reader: Acceptor): string | null {
  let kind: string | null = null;
  reader.takeCounts((name) => {
    kind = name;
  });
  return kind;
}

function firstOf(set: SchemaSet, { memory }: Window, within: RunWithinLimit = withinTime) {
  return FirstPayloads.of(set, compileAcceptCode(setOf(true), null, null), memory, { ...LIMITS, within });
}

describe('of the first payloads', () => {
  const set = setOf({ type: 'object', properties: { a: { pattern: '^x', format: 'date-time' } } });

  it('four are judged, and more if they are small', async () => {
    const large = `{"b":"${'x'.repeat(FIRST.bytes)}"}`;
    const { kinds, first } = await taken(set, [large, large, large, large, large]);
    expect([kinds, first.isOver]).toEqual([['it', 'it', 'it', 'it', null], true]);
    const small = Array.from({ length: 20 }, () => '{"a":1}');
    const many = await taken(set, small);
    expect([many.kinds, many.first.isOver]).toEqual([small.map(() => 'it'), false]);
  });

  it.each([
    ['is not valid', '{"a":"y"}'],
    ['is not JSON', '{"a":'],
    ['has a name twice', '{"a":1,"a":1}'],
    ['has a number beyond a double', '{"b":1e999}'],
    ['is nested too deep', `${'{"b":'.repeat(11)}1${'}'.repeat(11)}`],
    ['is not UTF-8', Buffer.from('{"b":"é"}', 'latin1')],
    ['is very large', `{"b":"${'x'.repeat(FIRST.onePayload)}"}`],
  ])('one that %s is left to others, and so are those after it', async (_, text) => {
    const { kinds, first } = await taken(set, ['{}', text, '{}']);
    expect([kinds, first.isOver]).toEqual([['it', null, null], true]);
  });

  it('none is judged if an entry schema tells the kinds apart, or once examine has the judge', async () => {
    const test = (name: string) => `{"properties":{"kind":{"const":"${name}"}},"required":["kind"]}`;
    const kind = (name: string, other: string) => `{"if":${test(name)},"then":{"$ref":"${name}.json"},"else":${other}}`;
    const entry: unknown = JSON.parse(kind('a', kind('b', 'false')));
    const several = await loadFiles({
      'entry.json': entry,
      'a.json': { type: 'object' },
      'b.json': { type: 'object' },
    });
    expect((await taken(several, ['{"kind":"a"}'])).kinds).toEqual([null]);
    const { first, window } = await taken(set, ['{}']);
    expect([first.giveJudge() !== null, first.giveJudge()]).toEqual([true, null]);
    expect(kindBy(first, window, 2)).toBe(null);
  });

  it.each(['^(a|a)*\\1$', '(?<=x)(a+)+$', '^(?:(?:a{1,99}){1,99}){1,99}$', '^(((a{1,50}){1,50}){1,50})$'])(
    'none is judged if RegExp could take for ever: %s',
    async (pattern) => {
      for (const schema of [{ pattern }, { patternProperties: { [pattern]: true } }])
        expect(await firstOf(setOf(schema), new Window())).toBe(null);
    },
  );

  it('one that takes too long is left to others, and so is the judge', async () => {
    const endless: RunWithinLimit = () => {
      throw new OverTime();
    };
    const window = new Window();
    const anyOf = [{ $ref: '#' }, ...Array.from({ length: 20 }, (_, i) => ({ maxProperties: i }))];
    const first = (await firstOf(setOf({ properties: { a: { anyOf } } }), window, endless))!;
    const bytes = Buffer.from(`{"b":"${'x'.repeat(100_000)}"}`);
    putBytes(window, bytes);
    expect(kindBy(first, window, bytes.length)).toBe(null);
    expect([first.isOver, first.isSlow, first.giveJudge()]).toEqual([true, true, null]);
  });
});
