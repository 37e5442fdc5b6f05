// Writes docs/reference/rules.md: the meaning of each rule, an example and what to do, as `paylint explain` has them. A rule has a heading, so that
// reports and editors can lead to it. And test/messages.md: every
// message that a test case prints, with the command that prints it, so that all messages can be read as one text.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModule } from './bundle.js';
import { nameOf, pageNames, readPage } from './case-pages.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs/reference/rules.md');
const RECORD = join(ROOT, 'test/messages.md');

/** The violations in the output of a case, whatever its format: `[rule, message]`. */
function* violationsIn(text) {
  for (const line of text.split('\n')) {
    const record = /^\{.*"rule":"([\w/-]+)","message":("(?:[^"\\]|\\.)*")/.exec(line);
    if (record !== null) yield [record[1], JSON.parse(record[2])];
    const plain = /^[^\s:]+:\d+:\d+: (?:warning: )?([a-zA-Z]+(?:[-/][a-z-]+)*) (.*)$/.exec(line);
    if (plain !== null) yield [plain[1], plain[2]];
  }
}

/** The lines on standard error, without the names of files. */
function* complaintsIn(text) {
  for (const line of text.split('\n')) if (line.startsWith('paylint: ')) yield line.slice('paylint: '.length);
}

/** Messages that differ only in quoted text or in numbers are one. */
function shapeOf(message) {
  return message
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\d[\d,.]*/g, '0')
    .replace(/^[\w./<>-]+\.(?:json|ndjson|gz)\S*/, 'file');
}

/** Cases in the order of their names. */
const cases = pageNames()
  .flatMap((name) => readPage(name).cases)
  .sort((a, b) => (nameOf(a.title) < nameOf(b.title) ? -1 : 1));

/** By rule, the first of each shape, in what cases print on one of the streams. */
function collect(stream, messagesIn) {
  const groups = new Map();
  for (const one of cases) {
    const { command } = one;
    for (const [group, message] of messagesIn(one[stream])) {
      const shapes = groups.get(group) ?? new Map();
      groups.set(group, shapes);
      if (!shapes.has(shapeOf(message))) shapes.set(shapeOf(message), { message, command });
    }
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A code span in a line of Markdown, for any text. */
function code(raw) {
  const text = raw.replace(
    /[^\x20-\x7e\u00a1-\ud7ff\ue000-\uffff\u{10000}-\u{1ffff}]/gu,
    (one) => `\\u${one.codePointAt(0).toString(16).padStart(4, '0')}`,
  );
  const ticks = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  return ticks.length === 1 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

function section(rows) {
  return rows.map(({ message, command }) => `- ${code(message)}  \n  ${code(command)}`).join('\n');
}

/** What the cases print. */
export function recordedMessages() {
  const violations = collect('stdout', violationsIn);
  const [[, complaints]] = collect('stderr', function* (text) {
    for (const line of complaintsIn(text)) yield ['', line];
  });
  return [
    '# What the cases print',
    '',
    'Every message that the test cases print, and a command that prints it. `node scripts/messages.js` writes this page; a test holds it to the',
    'cases. Messages that differ only in what they quote are listed once.',
    '',
    '## Violations',
    ...violations.flatMap(([rule, shapes]) => ['', `### \`${rule}\``, '', section([...shapes.values()])]),
    '',
    '## Errors, warnings and notes',
    '',
    'On standard error, after `paylint: `.',
    '',
    section([...complaints.values()].sort((a, b) => (a.message < b.message ? -1 : 1))),
    '',
  ].join('\n');
}

const GROUPS = {
  own: 'Rules of JSON and of paylint',
  schema: 'Keywords of schemas',
  advice: 'Advice',
  test: 'Tests of schemas',
};

/**
 * The page for people. `rules`: as `paylint explain --format json` lists them; `known`: the same with the links to the standards that state them.
 * @param {ReadonlyMap<string, { link: string | null }>} known
 */
export function messagesPage(rules, known) {
  const groups = Object.entries(GROUPS)
    .map(([group, heading]) => [heading, rules.filter((one) => one.group === group)])
    .filter(([, ofGroup]) => ofGroup.length > 0);
  return [
    '# Rules',
    '',
    'This page is for you if a report names a [rule](terms.md#rule) that you do not know. `paylint explain RULE` shows the same, and where your schemas state the rule.',
    ...groups.flatMap(([heading, ofGroup]) => [
      '',
      `## ${heading}`,
      ...ofGroup.flatMap((one) => entry(one, known.get(one.rule)?.link ?? null)),
    ]),
    '',
  ].join('\n');
}

/** One rule. */
function entry({ rule, meaning, fix, example: { schema, wrong, right } }, link) {
  return [
    '',
    `### \`${rule}\``,
    '',
    `${meaning} ${fix}${link === null ? '' : ` ([standard](${link}))`}`,
    '',
    `${schema === undefined ? 'Wrong' : `By ${code(schema)}, wrong`}: ${code(wrong)}; right: ${code(right)}`,
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = [join(ROOT, 'bin/paylint.js'), 'explain', '--format', 'json', '--no-config'];
  const { rules } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const folder = mkdtempSync(join(tmpdir(), 'paylint-rules-'));
  const { RULES } = await import(await bundleModule(new URL('../src/keywords/rules.ts', import.meta.url), folder));
  rmSync(folder, { recursive: true });
  writeFileSync(PAGE, messagesPage(rules, RULES));
  writeFileSync(RECORD, recordedMessages());
}
