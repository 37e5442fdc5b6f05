/** Levels of rules: what is said of a rule, what holds for others, and which rules are looked for. */
import { describe, expect, it } from 'vitest';
import { isSought, levelOf, NO_LEVELS, type RuleLevels } from '../../src/words/rule-levels.ts';

describe('the level of a rule', () => {
  it.each<[string, RuleLevels, string]>([
    ['required', NO_LEVELS, 'error'],
    ['deprecated', NO_LEVELS, 'warning'],
    ['required', { required: 'off' }, 'off'],
    ['deprecated', { deprecated: 'error' }, 'error'],
    ['type', { required: 'warning' }, 'error'],
    // A check may have any name.
    ['constructor', {}, 'error'],
  ])('%s with %j is %s', (rule, levels, level) => {
    expect(levelOf(rule, levels)).toBe(level);
  });
});

describe('what is looked for', () => {
  it.each([
    ['required', { rules: {} }, true],
    ['required', { rules: { required: 'warning' } }, true],
    ['required', { rules: { required: 'off' } }, false],
    ['deprecated', { rules: {} }, false],
    ['deprecated', { rules: {}, advice: true }, true],
    ['deprecated', { rules: { deprecated: 'warning' } }, true],
    ['deprecated', { rules: { deprecated: 'off' }, advice: true }, false],
  ] as const)('%s with %j: %j', (rule, judging, isLookedFor) => {
    expect(isSought(rule, judging)).toBe(isLookedFor);
  });
});
