/** Sentences for a text that is not JSON: what was expected and found, what the schema wants, and what must not be shown. */
import { describe, expect, it } from 'vitest';
import { type SyntaxFacts, syntaxSentence } from '../../src/words/syntax.ts';

const PLAIN: SyntaxFacts = { cause: null, expected: 'a value', ending: 'text', found: '}' };

describe('without a known cause', () => {
  it.each<[Partial<SyntaxFacts>, string]>([
    [{}, 'expected a value, found "}"'],
    [{ expected: 'the end' }, 'expected the end of the text, found "}"'],
    [{ expected: 'the end', ending: 'line' }, 'expected the end of the line, found "}"'],
    [{ found: '' }, 'expected a value, found the end of the text'],
    [{ found: '', ending: 'line' }, 'expected a value, found the end of the line'],
    [
      { found: '', ending: 'last line', cause: 'cut-off' },
      'expected a value, found the end of the last line, which is cut off',
    ],
    [{ found: null }, 'expected a value'],
  ])('%j', (facts, sentence) => {
    expect(syntaxSentence({ ...PLAIN, ...facts })).toBe(sentence);
  });
});

describe('with a known cause', () => {
  it.each<[Partial<SyntaxFacts> & Pick<SyntaxFacts, 'cause'>, string]>([
    [{ cause: 'comma-after-text' }, 'a comma after the text: several payloads need an array, [ ]'],
    [
      { cause: 'comma-after-text', ending: 'line' },
      'a comma after the text: payloads on lines have no commas between them',
    ],
    [{ cause: 'trailing-comma' }, 'a trailing comma: JSON allows no comma before "]"'],
    [{ cause: 'trailing-comma', expected: 'a member name' }, 'a trailing comma: JSON allows no comma before "}"'],
    [{ cause: 'python-literal', found: 'None' }, 'None is Python: JSON has null'],
    [{ cause: 'python-literal', found: 'True' }, 'True is Python: JSON has true'],
    [{ cause: 'wrong-case', found: 'NULL' }, 'NULL is written null in JSON'],
    [{ cause: 'odd-space', found: '\u00a0' }, 'U+00A0 is not white space in JSON'],
    [{ cause: 'control-character-in-string', found: '\u0001' }, 'a control character in a string: write \\u0001'],
    [{ cause: 'nan', found: 'NaN' }, 'JSON has no NaN: write null or a string'],
    // What the schema wants is better advice than a string.
    [{ cause: 'nan', found: 'NaN', wants: 'a number' }, 'JSON has no NaN; the schema wants a number here'],
    [
      { cause: 'undefined', found: 'undefined', wants: 'a text' },
      'JSON has no undefined: leave the member out; the schema wants a text here',
    ],
    [{ cause: 'unquoted-name', found: 'a' }, 'a name needs double quotes: write "a"'],
  ])('%j', (facts, sentence) => {
    expect(syntaxSentence({ ...PLAIN, ...facts })).toBe(sentence);
  });

  it.each([
    'not-json',
    'missing-comma',
    'merge-conflict',
    'unquoted-name',
    'unquoted-string',
    'extra-bracket',
    'python-literal',
    'wrong-case',
    'control-character-in-string',
    'wrong-escape',
    'odd-space',
  ] as const)('%s shows the text at fault, or a whole sentence without it', (cause) => {
    const shown = syntaxSentence({ ...PLAIN, cause, found: 'Sésame' });
    const hidden = syntaxSentence({ ...PLAIN, cause, found: null });
    expect(shown).not.toBe(hidden);
    expect(hidden).toMatch(/^[a-z].*[^: ]$/i);
    expect(shown).toMatch(/Sésame|U\+0053/);
    expect(hidden).not.toMatch(/Sésame|undefined/);
  });
});
