/** Text in workflow commands, XML and Markdown: each dangerous character in the way of its language, and nothing dropped. */
import { describe, expect, it } from 'vitest';
import { commandData, commandProperty, markdownCode, markdownText, xmlText } from '../../src/words/markup.ts';

// Numbered: the name of a test is printed, and these would act on a log.
describe('the message of a workflow command', () => {
  it.each([
    ['100 % of it', '100 %25 of it'],
    ['a\r\nb', 'a\\u000d\\u000ab'],
    ['::error::x', '\\u003a:error\\u003a:x'],
    ['##[group]', '\\u0023#[group]'],
    ['a, b: c', 'a, b: c'],
  ])('example %#', (text, expected) => {
    expect(commandData(text)).toBe(expected);
  });
});

describe('a property of a workflow command', () => {
  it.each([
    ['a,b:c%d', 'a%2Cb%3Ac%25d'],
    ['a\nb', 'a%0Ab'],
    ['::', '%3A%3A'],
    ['##[x]', '\\u0023#[x]'],
    ['\u001b[2J', '\\u001b[2J'],
  ])('example %#', (text, expected) => {
    expect(commandProperty(text)).toBe(expected);
  });
});

describe('text in XML', () => {
  it.each([
    [`<a b="c" d='e'>&`, '&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;'],
    ['::x', '&#58;:x'],
    ['\0\ufffe\uffff', '\\u0000\\ufffe\\uffff'],
    ['é 日本', 'é 日本'],
  ])('example %#', (text, expected) => {
    expect(xmlText(text)).toBe(expected);
  });
});

describe('text in Markdown', () => {
  it('as code has no character of the syntax of Markdown or HTML', () => {
    expect(markdownCode('a|b `c` <d> _e_')).toBe('<code>a&#124;b &#96;c&#96; &#60;d&#62; &#95;e&#95;</code>');
    expect(markdownCode('a\nb')).toBe('<code>a&#92;u000ab</code>');
  });

  it('is not part of a link, also not without a scheme', () => {
    expect(markdownText('www.example.com')).toBe('www&#46;example.com');
    expect(markdownText('file.json')).toBe('file.json');
  });

  it('mentions nobody, and names no issue and no emoji', () => {
    const apart = '<!-- -->';
    expect(markdownCode('@me')).toBe(`<code>&#64;${apart}me</code>`);
    expect(markdownText('@me #1 :x:')).toBe(`&#64;${apart}me &#35;${apart}1 &#58;${apart}x&#58;${apart}`);
  });
});
