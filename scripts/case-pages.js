// Reads and writes the pages of `test/cases`: cases of the command line in Markdown, each a heading with its files, its command and what comes of it.
// `test/cases/README.md` has the vocabulary. A page has one form only: what is written from what was read is the same text, to the byte.
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { escaped, escapedPath, needsEscapes, unescaped } from './case-escapes.js';

/**
 * What a file holds, or where a link leads.
 * @typedef {Buffer | string} Content
 *
 * @typedef {object} PageCase
 * @property {string} title the sentence that it proves
 * @property {string} command as one would type it
 * @property {string} stdout
 * @property {string} stderr
 * @property {number} code
 * @property {Buffer | null} stdin null: a terminal
 * @property {number | null} columns of a terminal; null: pipes
 * @property {boolean} spawned run also as a process
 * @property {boolean} summary whether the summary for programs is compared
 * @property {Map<string, Content>} files by path
 * @property {Map<string, Content>} after files that come into being, or change
 *
 * @typedef {object} Page
 * @property {string} head all above the first case
 * @property {PageCase[]} cases
 */

export const CASES = join(fileURLToPath(new URL('..', import.meta.url)), 'test/cases');

/** The page as it lies in `test/cases`. */
export const readPage = (/** @type {string} */ name) => parsePage(readFileSync(join(CASES, name), 'utf8'), name);

/** The names of all pages. */
export const pageNames = () =>
  readdirSync(CASES)
    .filter((name) => name.endsWith('.md'))
    .sort();

/** The sentence as a name without blanks, as records of cases have it. */
export const nameOf = (/** @type {string} */ title) =>
  (title.slice(0, 1).toLowerCase() + title.slice(1)).replaceAll(' ', '-');

// --- What a case says. Each line that is no block has one of these forms, and no other.

const ESCAPES = ', escapes';
const NO_LINE_FEED = ', no line feed at the end';
const GZIP = ', gzip';
const INPUT = 'Standard input';
const FILE =
  /^(?:`([^`]+)`( afterwards)?|(Standard input))(, gzip)?(, escapes)?(, no line feed at the end)?(?:(, empty)|:)$/;
const LINK = /^`([^`]+)`( afterwards)? is a link to `([^`]+)`$/;
const FLAGS = /^(?:Also as a process\.|The summary counts\.|A terminal of (\d+) columns\.)(?: |$)/;
const CONSOLE = /^With escapes:$/;
const CODE = /^Exit code (\d+)\.$/;
const FENCE = /^(`{3,})(\w*)$/;

/**
 * @param {string} text
 * @param {string} page for errors
 * @returns {Page}
 */
export function parsePage(text, page) {
  const lines = text.split('\n');
  const starts = sentencesIn(lines);
  const cases = starts.map((start, i) =>
    parseCase(lines.slice(start, starts[i + 1] ?? lines.length - 1), (line, what) => {
      throw new Error(`${page}:${start + line + 1}: ${what}`);
    }),
  );
  const head = lines.slice(0, starts[0] ?? lines.length - 1);
  return { head: head.map((line) => `${line}\n`).join(''), cases };
}

/** The indices of the lines that begin a case; in blocks there are none. */
function sentencesIn(/** @type {string[]} */ lines) {
  const starts = [];
  for (let i = 0; i < lines.length; i = blockAt(lines, i)?.end ?? i + 1)
    if (/^## /.test(lines[i] ?? '')) starts.push(i);
  return starts;
}

/**
 * @param {string[]} lines
 * @param {(line: number, what: string) => never} fail
 * @returns {PageCase}
 */
function parseCase(lines, fail) {
  const title = /^## (\S.*)$/.exec(lines[0] ?? '')?.[1] ?? fail(0, 'a case begins with its sentence');
  /** @type {PageCase} */
  const one = { title, ...NOTHING, files: new Map(), after: new Map() };
  for (let i = 1; i < lines.length; ) {
    const line = lines[i] ?? '';
    const block = blockAt(lines, CONSOLE.test(line) || FILE.test(line) ? i + 1 : i);
    if (line === '') i++;
    else if (readsAsFlags(one, line) || readsAsLink(one, line)) i++;
    else if (block?.language === 'console') {
      takeConsole(one, block.body, CONSOLE.test(line)) || fail(i, 'this block has no command');
      i = block.end;
    } else i = takeFile(one, line, block) ? (block?.end ?? i + 1) : fail(i, 'no word of the vocabulary of cases');
  }
  return one.command === '' ? fail(0, 'the case has no command') : one;
}

const NOTHING = {
  command: '',
  stdout: '',
  stderr: '',
  code: 0,
  stdin: null,
  columns: null,
  spawned: false,
  summary: false,
};

/** The block of code that begins at a line, and the line behind it. */
function blockAt(/** @type {string[]} */ lines, /** @type {number} */ at) {
  const [, fence, language] = FENCE.exec(lines[at] ?? '') ?? [];
  const end = fence === undefined ? -1 : lines.indexOf(fence, at + 1);
  return end < 0 ? null : { language, body: lines.slice(at + 1, end), end: end + 1 };
}

function readsAsFlags(/** @type {PageCase} */ one, /** @type {string} */ line) {
  const code = CODE.exec(line)?.[1];
  if (code !== undefined) one.code = Number(code);
  let rest = line;
  for (let found = FLAGS.exec(rest); found !== null; found = FLAGS.exec(rest)) {
    if (rest.startsWith('Also')) one.spawned = true;
    else if (rest.startsWith('The')) one.summary = true;
    else one.columns = Number(found[1]);
    rest = rest.slice(found[0].length);
  }
  return code !== undefined || rest === '';
}

function readsAsLink(/** @type {PageCase} */ one, /** @type {string} */ line) {
  const [, path, after, target] = LINK.exec(line) ?? [];
  if (path === undefined || target === undefined) return false;
  (after === undefined ? one.files : one.after).set(unescaped(path).toString(), unescaped(target).toString());
  return true;
}

/**
 * @param {PageCase} one
 * @param {string} line
 * @param {ReturnType<typeof blockAt>} block
 */
function takeFile(one, line, block) {
  const [is, path, after, input, gzip, escapes, open, empty] = FILE.exec(line) ?? [];
  if (is === undefined || (empty === undefined) === (block === null)) return false;
  const text = (block?.body ?? []).map((each) => `${each}\n`).join('');
  const shown = open === undefined ? text : text.slice(0, -1);
  const bytes = escapes === undefined ? Buffer.from(shown) : unescaped(shown);
  const content = gzip === undefined ? bytes : gzipSync(bytes);
  if (input !== undefined) one.stdin = content;
  else (after === undefined ? one.files : one.after).set(unescaped(path ?? '').toString(), content);
  return true;
}

/** Lines that begin with `!` are those of standard error. */
function takeConsole(/** @type {PageCase} */ one, /** @type {string[]} */ body, /** @type {boolean} */ hasEscapes) {
  const decoded = (/** @type {string} */ text) => (hasEscapes ? unescaped(text).toString() : text);
  const [command = '', ...lines] = body;
  if (!command.startsWith('$ ') || one.command !== '') return false;
  const textOf = (/** @type {string[]} */ some) => decoded(some.map((line) => `${line}\n`).join(''));
  one.command = decoded(command.slice(2));
  one.stdout = textOf(lines.filter((line) => !line.startsWith('!')));
  one.stderr = textOf(lines.filter((line) => line.startsWith('!')).map((line) => line.replace(/^! ?/, '')));
  return true;
}

// --- The other way.

/** The text of a page. */
export function pageText(/** @type {Page} */ { head, cases }) {
  return head + cases.map(caseText).join('\n');
}

function caseText(/** @type {PageCase} */ one) {
  const flags = [
    one.spawned ? 'Also as a process.' : '',
    one.summary ? 'The summary counts.' : '',
    one.columns === null ? '' : `A terminal of ${one.columns} columns.`,
  ].filter((flag) => flag !== '');
  const parts = [
    `## ${one.title}`,
    ...(flags.length === 0 ? [] : [flags.join(' ')]),
    ...[...one.files].map(([path, content]) => fileText(`\`${escapedPath(path)}\``, content)),
    ...(one.stdin === null ? [] : [fileText(INPUT, one.stdin)]),
    consoleText(one),
    ...(one.code === 0 ? [] : [`Exit code ${one.code}.`]),
    ...[...one.after].map(([path, content]) => fileText(`\`${escapedPath(path)}\` afterwards`, content)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * @param {string} subject
 * @param {Content} content
 * @returns {string}
 */
function fileText(subject, content) {
  if (typeof content === 'string') return `${subject} is a link to \`${escapedPath(content)}\``;
  if (content.length === 0) return `${subject}, empty`;
  const packed = unpacked(content);
  const bytes = packed ?? content;
  const isEscaped = !isUtf8(bytes) || needsEscapes(bytes.toString());
  const text = isEscaped ? escaped(bytes) : bytes.toString();
  const isOpen = !text.endsWith('\n');
  const words = `${packed === null ? '' : GZIP}${isEscaped ? ESCAPES : ''}${isOpen ? NO_LINE_FEED : ''}`;
  return `${subject}${words}:\n${fenced(languageOf(subject), isOpen ? `${text}\n` : text)}`;
}

/** What a file of gzip holds, if it would be packed again in the same way; otherwise it is bytes like others. */
function unpacked(/** @type {Buffer} */ bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return null;
  try {
    const text = gunzipSync(bytes);
    return text.length > 0 && gzipSync(text).equals(bytes) ? text : null;
  } catch {
    return null;
  }
}

function consoleText(/** @type {PageCase} */ one) {
  const { command, stdout, stderr } = one;
  const isOpen = (/** @type {string} */ text) => text !== '' && !text.endsWith('\n');
  const isEscaped =
    [command, stdout, stderr].some((text) => needsEscapes(text)) ||
    isOpen(stdout) ||
    isOpen(stderr) ||
    /^!/m.test(stdout);
  const shown = (/** @type {string} */ text) => (isEscaped ? escaped(Buffer.from(text)) : text);
  // A line that ends with a backslash has no line feed.
  const lines = (/** @type {string} */ text) =>
    (isOpen(text) ? `${shown(text)}\\\n` : shown(text)).split('\n').slice(0, -1);
  const output = lines(stdout).map((line) => line.replace(/^!/, '\\x21'));
  const complaints = lines(stderr).map((line) => (line === '' ? '!' : `! ${line}`));
  const body = [`$ ${shown(command)}`, ...output, ...complaints].map((line) => `${line}\n`).join('');
  return `${isEscaped ? 'With escapes:\n' : ''}${fenced('console', body)}`;
}

function fenced(/** @type {string} */ language, /** @type {string} */ body) {
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${body}${fence}`;
}

function languageOf(/** @type {string} */ subject) {
  return /\.(?:json|ndjson|jsonl)(?:\.gz)?`/.test(subject) ? 'json' : /\.md`/.test(subject) ? 'md' : 'text';
}
