/** Near misses: which word is near enough to have been meant, and which is not. */
import { describe, expect, it } from 'vitest';
import { COMPARED_NAME } from '../../src/limits.ts';
import { nearMiss } from '../../src/words/near.ts';

describe('the near miss', () => {
  it.each([
    ['of another case', 'HEADLINE', ['headline'], 'headline'],
    ['one letter less', 'headlin', ['headline'], 'headline'],
    ['a third of the letters away', 'abcxyz', ['abcdez'], 'abcdez'],
    ['the nearest one', 'colour', ['colors', 'color'], 'color'],
    ['the first of two that are equally near', 'ab', ['abc', 'abd'], 'abc'],
    ['the same letters in another case before others', 'Text', ['tent', 'text'], 'text'],
    // Levenshtein counts two, which is too many for three letters.
    ['two neighbours in the wrong order', 'dta', ['dat'], 'dat'],
    ['a keyword of JSON-LD without its sign', 'context', ['@context'], '@context'],
    ['a plain name with the sign', '@name', ['name'], 'name'],
    ['within names with signs', '@contxt', ['@context'], '@context'],
  ])('is %s', (_, word, candidates, expected) => {
    expect(nearMiss(word, candidates)).toBe(expected);
  });

  it.each([
    ['more than a third of the letters away', 'abcxyw', ['abcdez']],
    ['of which every letter differs', 'a', ['b']],
    ['of two letters in the other order', 'ab', ['ba']],
    ['another name but for the sign', 'content', ['@context']],
    ['beside the word itself', 'name', ['nam', 'name']],
    ['of a word that is too long to compare', `${'x'.repeat(COMPARED_NAME)}y`, ['x'.repeat(COMPARED_NAME)]],
    ['of nothing', 'name', []],
  ])('is not one %s', (_, word, candidates) => {
    expect(nearMiss(word, candidates)).toBeNull();
  });
});
