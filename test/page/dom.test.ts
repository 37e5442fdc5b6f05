/** Elements: texts become text nodes and are harmless; buttons do what they say. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { button, byId, element, foreign, lineText } from '../../src/page/dom.ts';
import { asFake, FakeElement, fakeDocument } from './page-world.ts';

const found = new FakeElement('main');
beforeEach(() => fakeDocument({ top: found }));
afterEach(() => vi.unstubAllGlobals());

it('an element has attributes, elements, and texts that cannot act', () => {
  const inner = element('b', {}, 'in');
  const made = asFake(element('p', { class: 'x', title: 'y' }, '<i>\u202e', inner));
  expect([made.tag, made.attributes]).toEqual(['p', { class: 'x', title: 'y' }]);
  expect(made.children).toEqual(['<i>\\u202e', inner]);
});

it('a button is of the type that sends no form, and is clicked', () => {
  const clicked = vi.fn();
  const made = asFake(button({ class: 'x' }, clicked, 'Go'));
  expect([made.attributes, made.textContent]).toEqual([{ type: 'button', class: 'x' }, 'Go']);
  made.fire('click');
  expect(clicked).toHaveBeenCalledOnce();
});

it('foreign text has a direction of its own', () => {
  expect(asFake(foreign('a\u200b'))).toMatchObject({ tag: 'bdi', attributes: {}, textContent: 'a\\u200b' });
  expect(asFake(foreign('a', 'name')).attributes).toEqual({ class: 'name' });
});

it('a line keeps its tabs, and nothing else that cannot be seen', () => {
  expect(asFake(lineText('a\tb\u0007\tc')).textContent).toBe('a\tb\\u0007\tc');
});

it('an element that is not there is named', () => {
  expect(byId('top')).toBe(found);
  expect(() => byId('none')).toThrow('the page has no #none');
});
