/**
 * Escapes untrusted text for other languages: workflow commands of GitHub Actions, XML and Markdown. As in `escape.ts`,
 * dangerous characters are escaped and nothing is dropped: a parser of the language gets the text, or the text with
 * `\u` escapes.
 *
 * It is separate from `escape.ts` because only some formats need it, and formats are loaded on demand.
 */
import { COMMANDS, escapeCodePoint, hazards, visible } from './escape.ts';

/** The message of a workflow command, to the end of the line: see ActionCommand.cs in github.com/actions/runner. */
export function commandData(text: string): string {
  return visible(text).replace(COMMANDS, escapeCodePoint).replaceAll('%', '%25');
}

/** The value of a property of a workflow command. The runner restores line ends, colons, commas and percent signs. */
export function commandProperty(text: string): string {
  return text
    .replace(/[%\r\n:,]/g, encodeURIComponent)
    .replace(hazards(), escapeCodePoint)
    .replace(COMMANDS, escapeCodePoint);
}

const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for XML 1.0. A parser returns what `visible` makes of it, with U+FFFE and U+FFFF escaped as well. */
export function xmlText(text: string): string {
  const escaped = visibleInMarkup(text).replace(/[&<>"']/g, (character) => XML_ESCAPES[character]!); // a key for each match
  // A log may show the file.
  return escaped.replace(COMMANDS, (character) => `&#${character.charCodeAt(0)};`);
}

/** `text` as code, in GitHub's Markdown: on one line, also in a table, and without markup, links, mentions or emoji. */
export function markdownCode(text: string): string {
  return `<code>${characterReferences(text)}</code>`;
}

/** `text` as prose, in GitHub's Markdown, as harmless as `markdownCode`. It must not be at the beginning of a line. */
export function markdownText(text: string): string {
  return characterReferences(text).replace(/&#(?:35|58);/g, APART);
}

/** An empty comment after the signs of mentions, issues and emoji, for which GitHub searches the finished text. */
const APART = '$&<!-- -->';

/** Character references are never Markdown's syntax (CommonMark, section 2.5), nor part of a link. */
function characterReferences(text: string): string {
  return visibleInMarkup(text)
    .replace(/[!-'*+:-@[-`{-~]|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('&#64;', APART);
}

/** XML cannot contain these two either (XML 1.0, section 2.2). */
function visibleInMarkup(text: string): string {
  return visible(text).replace(/[\uFFFE\uFFFF]/g, escapeCodePoint);
}
