/**
 * Automata say what RegExp says: random expressions and texts, known ones, every reason for which RegExp is kept; and they take a
 * step for each byte, whatever the text. `node scripts/patterns/run.js` compares more of them.
 */
import formats from 'ajv-formats/dist/formats.js';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../scripts/patterns/faults.ts';
import { firstWrong, randomTrials, tryPatterns, tryRandom } from '../../scripts/patterns/try.ts';
import { formatPatterns } from '../../scripts/stored.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { type Automaton, fromText, matches, matchesBytes, toText } from '../../src/regex/automaton.ts';
import { compileAutomaton, compileMatcher } from '../../src/regex/matcher.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { toRegExp } from '../../src/schema/regexp.ts';
import { rounds } from '../rounds.ts';

function automatonFor(source: string): Automaton {
  const { automaton, reason } = compileAutomaton(toRegExp(source).source);
  expect([source, reason]).toEqual([source, null]);
  return automaton!;
}

function statesOf({ transitions, classCount }: Automaton): number {
  return transitions.length / classCount;
}

describe('automata and RegExp', () => {
  it('agree on random expressions and texts', () => {
    const { patterns, unsupported, pairs, matched, wrong } = tryRandom(rounds(600), 1);
    expect(wrong).toEqual([]);
    const left = [...unsupported.values()].reduce((a, b) => a + b, 0);
    // Otherwise little has been compared.
    expect(pairs).toBeGreaterThan(rounds(5000));
    expect(left / patterns).toBeLessThan(0.35);
    expect(matched / pairs).toBeGreaterThan(0.3);
    expect(matched / pairs).toBeLessThan(0.7);
  });

  describe('differ once a fault is planted:', () => {
    // With this seed they are soon found.
    const trials = randomTrials(1000, 9);
    it.each([...FAULTS])('%s', (_, compile) => expect(firstWrong(trials, compile)).not.toBe(null));
  });

  it('agree on the expressions of the formats', () => {
    const sources = Object.values(formats.fullFormats).flatMap((format) =>
      format instanceof RegExp ? [format.source] : [],
    );
    const { patterns, unsupported, wrong } = tryPatterns(sources, 5);
    expect(wrong).toEqual([]);
    expect(patterns).toBeGreaterThan(10);
    // That of JSON Pointers in URI fragments and the like; all others have an automaton.
    expect([...unsupported.values()].reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(2);
  });
});

/** Expression, text, whether it matches. */
const ROWS: readonly (readonly [string, string, boolean])[] = [
  ['', '', true],
  ['^$', 'a', false],
  ['[]', 'a', false],
  ['^[^]$', '\u{1f600}', true],
  ['^.$', '\ud83d', true],
  ['^.$', '\u2028', false],
  ['^\\S\\W$', '\ude00\ud83d', true],
  ['^(?:a|ab)(?:c|bcd)$', 'abcd', true],
  ['(?:^|,)b', 'a,b', true],
  ['(?:^a){2}', 'aa', false],
  ['(?:^){2}a', 'a', true],
  ['a$|^b', 'ca', true],
  ['$^', '', true],
  ['\\bfoo\\b', 'a foo.', true],
  ['\\bfoo\\b', 'éfoo_', false],
  ['\\b', 'é', false],
  // ECMA-262 does not look between the surrogates of a character; V8 does, and finds one.
  ['\\B', 'a\u{1f600}b', false],
  ['(?![ab\u{1f600}]|$)', 'a\u{1f600}b', false],
  ['^(?!foo)(?=.*\\d)\\w+$', 'bar1', true],
  ['^(?!foo)(?=.*\\d)\\w+$', 'foo1', false],
  ['^(?!foo)(?=.*\\d)\\w+$', 'bar', false],
  ['^(?:(?!a)\\w|\\d)$', 'a', false],
  ['foo(?!bar)', 'foobar foo', true],
  ['foo(?!bar)', 'foobar', false],
  ['x(?=y)(?!yz)', 'xyz xy', true],
  ['^((\\.(?!\\.)\\/)?\\w+\\/?)+$', './a_/b/', true],
  ['^(a(?!b)[abc])+$', 'aaac', true],
  ['^(a(?!b)[abc])+$', 'aaab', false],
  ['^((?!x)(?=[a-y])[a-z])*$', 'abz', false],
  ['^\\p{Lu}\\P{L}[\\p{Nd}_]$', 'Ä-٣', true],
  ['^[\\w-.]+\\-$', 'a.-', true],
  ['^a{,2}$', 'a{,2}', true],
];

describe('an automaton', () => {
  it.each(ROWS)('%s, %j: %s', (source, text, expected) => {
    const automaton = automatonFor(source);
    expect(matches(automaton, text)).toBe(expected);
    if (text.isWellFormed()) {
      const bytes = Buffer.from(`\n${text}a`);
      expect(matchesBytes(automaton, bytes, 1, bytes.length - 1)).toBe(expected);
    }
  });

  it('takes lone surrogates as three bytes', () => {
    const automaton = automatonFor('^[\\ud83d-\\udbff]$');
    expect(matchesBytes(automaton, Uint8Array.of(0xed, 0xa0, 0xbd), 0, 3)).toBe(true);
    expect(matchesBytes(automaton, Uint8Array.of(0xed, 0xa0, 0xbc), 0, 3)).toBe(false);
  });

  it('is small', () => {
    // Besides the two states that end a search: before, and for each after the first.
    expect(statesOf(automatonFor('^(a+)+$'))).toBe(4);
    expect(automatonFor('^(a+)+$')).toMatchObject({ classCount: 2, lastAccepting: 2 });
    // What follows on different states is merged.
    expect(statesOf(automatonFor('^(?:axyz|bxyz)$'))).toBe(7);
    expect(statesOf(automatonFor('abc'))).toBe(5);
    expect(statesOf(automatonFor(''))).toBe(2);
    // All characters beyond ASCII are alike, but for their length.
    expect(automatonFor('^[^a]{2}$').classCount).toBeLessThanOrEqual(6);
  });

  it('is the same for the same expression, and can be handed to a thread', () => {
    const source = '^(?:[a-z]+\\.)*\\b\\d{2,4}(?!0)[^\\s_]$';
    expect(automatonFor(source)).toEqual(automatonFor(source));
    expect(structuredClone(automatonFor(source))).toEqual(automatonFor(source));
  });

  it.each(formatPatterns())('can be written as text, as the build does for formats: %s', (pattern) => {
    expect(fromText(toText(automatonFor(pattern)))).toEqual(automatonFor(pattern));
  });

  it('is none for what is no regular expression', () => {
    expect(() => compileAutomaton('(')).toThrow(SyntaxError);
    expect(() => compileAutomaton('[\\w-.]')).toThrow(SyntaxError);
    expect(() => compileMatcher('(')).toThrow(SyntaxError);
  });
});

/** Expression, the reason for which RegExp has to match it. */
const LEFT: readonly (readonly [string, string])[] = [
  ['(a)\\1', 'it refers back to a group'],
  ['(?<!a)b', 'it looks behind'],
  ['^((?!foo).)*$', 'it looks ahead inside a group or a repetition'],
  ['(?=a)*b', 'it looks ahead inside a group or a repetition'],
  ['a(?!\\b)', 'it looks ahead for something that depends on what is before'],
  ['(?:a{1000}){1000}', 'it has too many parts'],
  ['(?:){4000000000}', 'its automaton would take too long to make'],
  ['(?:a|b)*a(?:a|b){20}', 'its automaton would be too large'],
  [`${'('.repeat(300)}${')'.repeat(300)}`, 'its groups are too deeply nested'],
];

describe('no automaton', () => {
  it.each(LEFT)('for %s', (source, reason) => {
    expect(compileAutomaton(toRegExp(source).source)).toEqual({ automaton: null, reason });
  });
});

/** Expressions that take RegExp exponential time, or the cube of the length, for these texts. */
const HOSTILE: readonly (readonly [string, (length: number) => string])[] = [
  ['^(a+)+$', (length) => `${'a'.repeat(length)}!`],
  ['^(a|a)*$', (length) => `${'a'.repeat(length)}!`],
  ['^(\\w+\\s?)*$', (length) => `${'word '.repeat(length / 5)}!`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', (length) => 'a'.repeat(length)],
  ['(x+x+)+y', (length) => 'x'.repeat(length)],
  ['^(?:.*é){9}$', (length) => `${'é'.repeat(length / 2)}!`],
  ['\\s*;\\s*$', (length) => `${' '.repeat(length)}a`],
];

describe('hostile texts', () => {
  it.each(HOSTILE)('take one step for each byte: %s', (source, text) => {
    const automaton = automatonFor(source);
    for (const length of [1000, 10_000]) {
      let steps = 0;
      const transitions = new Proxy(automaton.transitions, {
        get: (target, name) => {
          steps++;
          return Reflect.get(target, name) as unknown;
        },
      });
      const expected = matches(automaton, text(length));
      expect(matches({ ...automaton, transitions }, text(length))).toBe(expected);
      expect(steps).toBeGreaterThan(0);
      expect(steps).toBeLessThanOrEqual(Buffer.byteLength(text(length)));
    }
  });

  it.each(HOSTILE)('may have a hundred thousand letters: %s', (source, text) => {
    const { matches: table } = compileMatcher(source);
    const { matches: simulated } = compileMatcher(source, { tables: [] });
    expect(table!(text(100_000))).toBe(false);
    expect(simulated!(text(100_000))).toBe(false);
  });
});

describe('repetitions of repetitions', () => {
  it('that become one match what RegExp matches', () => {
    const counts = ['*', '+', '?', '{2}', '{0,2}', '{2,3}', '{3,4}', '{2,}', '{5,9}'];
    for (const inner of counts) {
      for (const outer of counts) {
        const source = `^(a${inner})${outer}$`;
        const { matches, reason } = compileMatcher(source);
        const regExp = new RegExp(source, 'u');
        for (let length = 0; length < 40; length++) {
          const text = 'a'.repeat(length);
          expect([source, length, matches!(text)]).toEqual([source, length, regExp.test(text)]);
        }
        expect(reason).toBe(null);
      }
    }
  });

  it('with too many states for an automaton have one for short texts', () => {
    const { matches, reason } = compileMatcher('^(a{1,1000}){1,1000}$');
    expect(reason).toBe('it has too many parts');
    expect([40, 41, 9999].map((length) => matches!('a'.repeat(length)))).toEqual([true, true, true]);
    expect(matches!(`${'a'.repeat(40)}b`)).toBe(false);
    expect(matches!('')).toBe(false);
    const { matches: most } = compileMatcher('^a{1,30000}$');
    expect([1, 9999, 30_000, 30_001].map((length) => most!('a'.repeat(length)))).toEqual([true, true, true, false]);
  });
});

describe('an automaton that is too large to make', () => {
  const { matches: simulated } = compileMatcher('^(?:a|b)*a(?:a|b){20}$');

  it('is simulated', () => {
    let random = 1;
    let text = '';
    for (let i = 0; i < 4000; i++) {
      random = (random * 48_271) % 2_147_483_647;
      text += random % 2 === 0 ? 'a' : 'b';
    }
    for (let end = text.length - 8; end < text.length; end++) {
      expect(simulated!(text.slice(0, end))).toBe(text[end - 21] === 'a');
    }
    expect(simulated!('a'.repeat(20))).toBe(false);
    expect(simulated!(`a${'b'.repeat(20)}`)).toBe(true);
  });
});

it('the bundled schemas have no patterns, which their precompiled functions would leave to RegExp', () => {
  const { nodes } = loadSchemas(bundledSchema(ENTRY_SCHEMA));
  expect(nodes.length).toBeGreaterThan(20);
  for (const schema of nodes) {
    expect(Object.keys(schema)).not.toContain('pattern');
    expect(Object.keys(schema)).not.toContain('patternProperties');
  }
});
