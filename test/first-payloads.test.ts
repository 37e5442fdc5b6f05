/**
 * What judges the first payloads of a run: which ones, how many, and with which patterns. That its answers are right is tested with accept's.
 */
import { describe, expect, it, vi } from 'vitest';
import { setOf } from '../scripts/mutations/schemas.ts';
import { matchesSimple } from '../src/accept/simple-patterns.ts';
import { compileAcceptCode } from '../src/engines/compilers.ts';
import { FirstPayloads } from '../src/engines/first-payloads.ts';
import { FEW_BYTES } from '../src/engines/first-sizes.ts';
import { loadJudgeModules } from '../src/examine/judged-kinds.ts';
import { Window } from '../src/input/window.ts';
import { toRegExp } from '../src/schema/regexp.ts';
import type { SchemaSet } from '../src/schema/set.ts';
import { loadFiles } from './trial.ts';
import { putBytes } from './window-bytes.ts';

// The build makes the file that it reads texts with.
vi.mock('../src/accept/code-file.ts', () => ({
  readAccept: () => compileAcceptCode(setOf(true), null, null),
}));

const LIMITS = { maxDepth: 10, maxBytes: 1e9, redact: false };

/** The kinds of texts that are judged one after another. */
function kindsOf(
  texts: readonly (string | Uint8Array)[],
  set: SchemaSet,
  forced: string | null = null,
): (string | null)[] {
  const window = new Window();
  const first = new FirstPayloads(set, LIMITS, window.memory);
  return texts.map((text) => {
    putBytes(window, Buffer.from(text));
    return first.look(window.bytes, { start: 0, end: window.end }, forced);
  });
}

describe('of the first payloads', () => {
  const set = setOf({ required: ['a'], properties: { a: { type: 'number' }, b: { pattern: '(?=x)y' } } });

  it('a few are judged', () => {
    const texts = Array.from({ length: 6 }, () => `{"a":1,"c":"${'x'.repeat(5000)}"}`);
    expect(kindsOf(texts, set)).toEqual(['it', 'it', 'it', 'it', null, null]);
  });

  it('more are judged if they are small', () => {
    const kinds = kindsOf(
      Array.from({ length: 3000 }, () => '{"a":1}'),
      set,
    );
    expect(kinds.indexOf(null)).toBe(Math.ceil(FEW_BYTES / 7));
    expect(kinds.lastIndexOf('it')).toBe(kinds.indexOf(null) - 1);
  });

  it.each([
    ['is invalid', '{"a":"x"}'],
    ['is not certain', '{"a":1,"b":"xy"}'],
    ['is not JSON', '{"a":1'],
    ['has a name twice', '{"a":1,"a":1}'],
    ['has a number that is out of range', '{"a":1e999}'],
    ['is nested too deep', `{"a":1,"c":${'['.repeat(10)}${']'.repeat(10)}}`],
    [
      'is not UTF-8',
      Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ],
    ['is long', `{"a":1,"c":"${'x'.repeat(1 << 17)}"}`],
  ])('none is judged after one that %s', (_, text) => {
    expect(kindsOf(['{"a":1}', text, '{"a":1}'], set)).toEqual(['it', null, null]);
  });

  it.each(['1.00000000000000000001', '[1.00000000000000000001]', '9007199254740991.1'])(
    'none is valid because of another number that JSON.parse gives: %s',
    (text) => {
      const multiple = { multipleOf: 1 };
      expect(kindsOf([text], setOf({ ...multiple, items: multiple }))).toEqual([null]);
      expect(kindsOf([text], setOf({ items: true }))).toEqual(['it']);
    },
  );

  it('none is judged whose kind an entry schema tells', async () => {
    const kinds = await loadFiles({
      'entry.json': JSON.parse(
        '{"if":{"type":"object"},"then":{"$ref":"o.json"},"else":{"if":true,"then":{"$ref":"n.json"},"else":false}}',
      ) as unknown,
      'o.json': { minProperties: 1 },
      'n.json': { type: 'number' },
    });
    expect(kindsOf(['{"a":1}'], kinds)).toEqual([null]);
    expect([
      kindsOf(['{"a":1}'], kinds, 'o'),
      kindsOf(['{}'], kinds, 'o'),
      kindsOf(['1', '2'], kinds, 'n'),
    ]).toEqual([['o'], [null], ['n', 'n']]);
  });
});

describe('the judge', () => {
  const set = setOf({ allOf: [{ properties: { a: { pattern: '^a+$' } } }] });
  const long = 'a'.repeat(2001);

  /** One that has judged a payload, and was not certain. */
  function unsure(): FirstPayloads {
    const window = new Window();
    const first = new FirstPayloads(set, LIMITS, window.memory);
    putBytes(window, Buffer.from(`{"a":"${long}"}`));
    expect(first.look(window.bytes, { start: 0, end: window.end }, null)).toBeNull();
    return first;
  }

  it('judges every text once examine has it', async () => {
    const judge = unsure().judgeWith(await loadJudgeModules(set))!;
    const step = judge.stepOf(set.kinds[0]!.schema);
    const verdicts = [long, `${long}b`].map((a) => judge.judge(step, { a }, { size: 2010 }));
    expect(verdicts).toEqual([true, false]);
  });

  it('is given once, because it keeps the numbers of sites', async () => {
    const first = unsure();
    const modules = await loadJudgeModules(set);
    expect(first.judgeWith(modules)).not.toBeNull();
    expect(first.isOver).toBe(true);
    expect(first.judgeWith(modules)).toBeNull();
  });

  it('is not given if formats are judged', async () => {
    const formats = setOf({ properties: { a: { format: 'date' } } });
    const first = new FirstPayloads(formats, LIMITS, new Window().memory);
    expect(first.judgeWith(await loadJudgeModules(formats))).toBeNull();
  });
});

describe('a pattern', () => {
  it.each(['^a+$', 'b', '^[a-z]+:[0-9]*$', '^(?:a|b|c)$', '\\-', '^\\p{L}$', '(?:)', 'x{2}'])(
    'that takes little time matches like RegExp: %s',
    (pattern) => {
      for (const text of ['', 'a', 'aa', 'b', 'ab:12', 'é', '-', '😀', 'xx', 'a\nb'])
        expect([text, matchesSimple(pattern, text)]).toEqual([text, toRegExp(pattern).test(text)]);
    },
  );

  it.each(['^(a+)+$', '(a|a)*b', 'a*a*a*b', 'a?a?a?aaa', '(?=a)b', `${'a|'.repeat(9)}a`])(
    'with which RegExp may take long takes a step for each place: %s',
    (pattern) => {
      expect(matchesSimple(pattern, 'a')).toBe(new RegExp(pattern, 'u').test('a'));
      expect(matchesSimple(pattern, `${'a'.repeat(1000)}c`)).toBe(
        pattern.endsWith('a') || pattern.endsWith('aaa'),
      );
    },
  );

  it.each(['(?<!a)(b+)+', '(a)\\1'])('that is not walked through is left to automata: %s', (pattern) =>
    expect(matchesSimple(pattern, 'a')).toBe(null),
  );

  it('that is a long choice is left to RegExp', () => {
    const words = Array.from({ length: 5000 }, (_, i) => `[Ww]ord\\.${i}`);
    const pattern = `^(${words.join('|')})$`;
    expect([matchesSimple(pattern, 'Word.4999'), matchesSimple(pattern, 'word.x')]).toEqual([true, false]);
  });

  it('is not tried with a very long text', () => {
    const long = 'a'.repeat(2000);
    expect([matchesSimple('^a*$', long), matchesSimple('^a*$', `${long}a`)]).toEqual([true, null]);
  });
});
