/** Sentences of the rules of JSON and of paylint: what was found and where, and no text of the payload where it is left out. */
import { describe, expect, it } from 'vitest';
import {
  LATIN_1,
  notCompared,
  OWN_RULES,
  type OwnFacts,
  type OwnRule,
  ownSentence,
} from '../../src/words/own-rules.ts';

const HIDDEN = { type: 'string', text: null } as const;
const shown = (text: string) => ({ type: 'string', text }) as const;

describe('bytes that are not UTF-8', () => {
  it('are named with their offset, if they may be shown', () => {
    const facts = { offset: 12, cutOff: false, isLatin: false };
    expect(ownSentence('json-encoding', facts, shown('0xE9'))).toBe('the byte 0xE9 at byte offset 12 is not UTF-8');
    expect(ownSentence('json-encoding', facts, HIDDEN)).toBe('the byte at byte offset 12 is not UTF-8');
  });

  it('have a hint: a line that is cut off, another encoding', () => {
    const facts = { offset: 0, cutOff: true, isLatin: true };
    const expected = `the byte at byte offset 0 is not UTF-8; the last line is cut off; ${LATIN_1}`;
    expect(ownSentence('json-encoding', facts, HIDDEN)).toBe(expected);
    expect(ownSentence('json-encoding', { encoding: 'UTF-16LE' }, HIDDEN)).toMatch(
      /^this is UTF-16LE .*iconv -f UTF-16LE -t UTF-8 converts it$/,
    );
  });
});

describe('what is shown of the payload', () => {
  it.each<[OwnRule, string, string]>([
    ['duplicate-member', 'duplicate name "a" in this object', 'duplicate name in this object'],
    [
      'number-out-of-range',
      '"a" is beyond the range of a double (about 1.8e308)',
      'this number is beyond the range of a double (about 1.8e308)',
    ],
    [
      'unpaired-surrogate',
      '"a" has half a surrogate pair, which is no character',
      'this text has half a surrogate pair, which is no character',
    ],
  ])('%s', (rule, withText, without) => {
    expect(ownSentence(rule, {}, shown('"a"'))).toBe(withText);
    expect(ownSentence(rule, {}, HIDDEN)).toBe(without);
  });
});

describe('a limit', () => {
  it('is named in the units of its flag', () => {
    expect(ownSentence('payload-too-large', { limit: 65536 }, HIDDEN)).toBe(
      'this payload is larger than 64 KiB; --max-payload-bytes sets the limit',
    );
    expect(ownSentence('nested-too-deep', { limit: 1 }, HIDDEN)).toBe(
      'nested deeper than 1 level; --max-depth sets the limit',
    );
  });

  it('of the stack has no flag', () => {
    expect(ownSentence('nested-too-deep', { limit: null }, HIDDEN)).not.toContain('--max-depth');
  });
});

describe('a payload that is left as it is', () => {
  it.each<[OwnFacts['unsafe-default'], string]>([
    [{ broken: 'maxProperties', message: 'too many' }, /.* would be (.*);/.source],
    [{ kind: 'a', other: null }, 'of an unknown kind instead of "a"'],
    [{ kind: 'a', other: 'b' }, 'of the kind "b" instead of "a"'],
  ])('%j', (facts, expected) => {
    for (const rule of ['unsafe-default', 'unsafe-prune'] as const) {
      const sentence = ownSentence(rule, facts, HIDDEN);
      expect(sentence).toMatch(new RegExp(expected));
      expect(sentence).toMatch(/; it is left as it is$/);
    }
  });

  it('names the rule that it would break, and how', () => {
    const facts = { broken: 'maxProperties', message: 'too many' };
    expect(ownSentence('unsafe-default', facts, HIDDEN)).toContain('(maxProperties: too many)');
    expect(ownSentence('unsafe-prune', facts, HIDDEN)).toContain('wrong in another way (maxProperties: too many)');
  });
});

it('what cannot be read is fatal, and nothing else', () => {
  const fatal = Object.entries(OWN_RULES).filter(([, { isFatal }]) => isFatal);
  expect(fatal.map(([rule]) => rule)).toEqual(['json-syntax', 'json-encoding', 'payload-too-large', 'nested-too-deep']);
});

it('checks that compare payloads are named, with what asks them', () => {
  expect(notCompared([{ id: 'a' }], 'validate')).toBe('check/a compares payloads: only validate asks that');
  expect(notCompared([{ id: 'a' }, { id: 'b' }], 'it')).toBe('check/a, check/b compare payloads: only it asks that');
});
