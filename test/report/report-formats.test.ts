/**
 * The formats for CI systems and code hosts: each is read back by a reader that is not ours, and gives what went in, whatever a
 * payload or a file name holds.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sarifToMarkdown } from '@security-alert/sarif-to-markdown';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../../src/log/violation-table.ts';
import { createGithubSummary } from '../../src/report/github.ts';
import { createReporter, FORMAT_NAMES, FORMATS, type FormatName } from '../../src/report/report-formats.ts';
import { createFingerprints } from '../../src/report/repository.ts';
import type { ReportEvent, ReportStyle, Repository, Severity, Violation } from '../../src/types.ts';
import {
  elementsOf,
  readablePage,
  readCommand,
  readMarkdown,
  readXml,
  unescaped,
  type XmlElement,
} from '../format-readers.ts';
import { eventOf, HOSTILE, HOSTILE_TEXTS, PLAIN, SAMPLE, violation, wellFormed } from '../report-sample.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const temporary = mkdtempSync(join(tmpdir(), 'paylint-formats-'));
afterAll(() => rmSync(temporary, { recursive: true }));

const ROOT = join(import.meta.dirname, '../..');
const FORMATS_PAGE = readFileSync(join(ROOT, 'docs/reference/formats.md'), 'utf8');
const RECIPES = FORMATS_PAGE + readFileSync(join(ROOT, 'docs/guides/ci.md'), 'utf8');
const STANDARDS = join(import.meta.dirname, '../standards');
const REPOSITORY: Repository = { roots: ['/home/runner/work/r/r/'], prefix: 'data/in/' };

async function draw(
  format: FormatName,
  events: readonly ReportEvent[],
  style: Partial<ReportStyle> = {},
): Promise<string> {
  const reporter = await createReporter(format, { ...PLAIN, ...style });
  return events.map(reporter).join('');
}

async function drawSummary(events: readonly ReportEvent[], style: Partial<ReportStyle> = {}): Promise<string> {
  const reporter = await createGithubSummary({ ...PLAIN, ...style });
  return events.map(reporter).join('');
}

function at(fields: Parameters<typeof violation>[0]): ReportEvent {
  return eventOf(violation(fields));
}

function done(file: string, payloads: number, invalid: number): ReportEvent {
  const counts = { payloads, valid: payloads - invalid, invalid, violations: invalid, warnings: 0 };
  return { type: 'source', source: { file, ...counts } };
}

const END = SAMPLE.at(-1)!;
const found = HOSTILE.flatMap((event) => (event.type === 'violations' ? [...violationsOf(event)] : []));
const failed = HOSTILE.flatMap((event) => (event.type === 'failure' ? [event.failure] : []));
/** The suggestion as a message has it. */
const hint = (text: string): string => `; did you mean "${text.replace(/["\\]/g, '\\$&')}"?`;
const sentence = ({ pointer, message, suggestion }: Violation): string => `${pointer}: ${message}${hint(suggestion!)}`;

/** What is listed below a violation, as lines with two spaces for each level. */
const listed = ({ children = [] }: Pick<Violation, 'children'>, level = 1): string[] =>
  children.flatMap((child) => {
    const { line, column, rule, pointer, message, suggestion } = child;
    const words = `${line}:${column} ${rule} at ${pointer}: ${message}${hint(suggestion!)}`;
    return [`${'  '.repeat(level)}${words}`, ...listed(child, level + 1)];
  });
const withListed = (text: string, violation: Violation): string => [text, ...listed(violation)].join('\n');

it('the hostile sample has no escape of its own, which readers here would undo', () => {
  expect(HOSTILE_TEXTS.filter((text) => /\\u/.test(text))).toEqual([]);
  expect(HOSTILE_TEXTS.length).toBeGreaterThan(15);
});

it('every format for programs is read back here', () => {
  const tests = readFileSync(import.meta.filename, 'utf8');
  const unread = FORMAT_NAMES.filter((name) => FORMATS[name].machine && !tests.includes(`'${name}'`));
  expect(unread, 'test/format-readers.ts has the readers').toEqual([]);
});

it.each(['json', 'ndjson'] as const)('%s gives back all of the hostile sample', async (format) => {
  const text = await draw(format, HOSTILE);
  const read =
    format === 'json'
      ? JSON.parse(text).violations
      : text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter(({ type }) => type === 'violation')
          .map(({ type, ...fields }) => fields);
  expect(read).toEqual(wellFormed(found));
});

describe('github', () => {
  const commands = async (events: readonly ReportEvent[], style?: Partial<ReportStyle>) =>
    (await draw('github', events, style)).trimEnd().split('\n').map(readCommand);

  it('gives the runner back what went in', async () => {
    const read = await commands(HOSTILE);
    expect(read.at(-1)).toBeNull(); // the summary line
    expect(read).toHaveLength(found.length + failed.length + 1);
    for (const [i, expected] of found.entries()) {
      const { name, properties, data } = read[i]!;
      expect({ name, file: unescaped(properties.file!), data: unescaped(data) }).toEqual({
        name: 'error',
        file: expected.file.trimStart(),
        data: withListed(sentence(expected), expected),
      });
      expect(Object.keys(properties)).toEqual(['file', 'line', 'col', 'endLine', 'endColumn', 'title']);
    }
    for (const [i, expected] of failed.entries()) {
      const { properties, data } = read[found.length + i]!;
      expect(unescaped(properties.file!)).toBe(expected.file);
      expect(unescaped(data)).toBe(`cannot be checked: ${expected.message}`);
    }
  });

  it('gives back commas, colons, percent signs and line ends of a file name as they are', async () => {
    const file = 'a, b: 100% %0A %2C %3A %25\r\n::error::x.json';
    const [read] = await commands([at({ file }), END]);
    expect(read!.properties.file).toBe(file);
  });

  it('leaves endColumn out if the lines differ', async () => {
    const [one, other] = await commands([at({ line: 3, endLine: 3 }), at({ line: 3, endLine: 4 })]);
    expect(one!.properties).toMatchObject({ line: '3', endLine: '3', endColumn: '2' });
    expect(other!.properties).toMatchObject({ line: '3', endLine: '4' });
    expect(other!.properties).not.toHaveProperty('endColumn');
  });

  it('makes a warning of a warning', async () => {
    const [read] = await commands([at({ severity: 'warning' })]);
    expect(read!.name).toBe('warning');
  });

  it('counts file names from the top of the repository', async () => {
    const files = ['a.json', '/home/runner/work/r/r/b.json', '/elsewhere/c.json', '<stdin>'];
    const read = await commands(
      files.map((file) => at({ file })),
      { repository: REPOSITORY },
    );
    expect(read.map((command) => command!.properties.file)).toEqual([
      'data/in/a.json',
      'b.json',
      '/elsewhere/c.json',
      '<stdin>',
    ]);
  });

  it('says how many violations it does not list', async () => {
    const text = await draw('github', SAMPLE, { maxViolations: 2 });
    expect(text.match(/^::error/gm)).toHaveLength(3); // with the failure
    expect(text).toContain('\n… and 6 more: required 2, additionalProperties 1,');
  });
});

describe('the summary of a step', () => {
  const cells = (row: XmlElement) => elementsOf(row, 'td');
  /** A cell has no spaces around its text. */
  const spaceless = (text: string) => text.replace(/^ +| +$/g, '');

  it('shows what went in, and nothing of it is markup', async () => {
    const root = readMarkdown(await drawSummary(HOSTILE));
    const names = new Set<string>();
    const collect = (element: XmlElement): void => {
      names.add(element.name);
      element.children.forEach(collect);
    };
    collect(root);
    expect([...names].sort()).toEqual(['', 'br', 'code', 'h2', 'p', 'table', 'tbody', 'td', 'th', 'thead', 'tr']);
    const [failures, rules, violations] = elementsOf(root, 'table').map((table) =>
      elementsOf(table, 'tr')
        .slice(1)
        .map((row) => cells(row).map(({ text }) => unescaped(text))),
    );
    expect(failures).toEqual(failed.slice(0, 20).map(({ file, message }) => [file, spaceless(message)]));
    expect(rules!.map(([rule]) => rule).sort()).toEqual([...HOSTILE_TEXTS].sort());
    for (const [i, one] of found.entries()) {
      const { file, line, column, rule, pointer, message, suggestion } = one;
      const [place, inRule, at, text = ''] = violations![i]!;
      expect([place, inRule, at]).toEqual([`${file}:${line}:${column}`, rule, pointer]);
      const words = spaceless(`${message}${hint(suggestion!)}`);
      expect(text.slice(0, words.length)).toBe(words);
      expect(text.slice(words.length)).toMatch(/^ {2}8:3 /); // the rest of a line may be cut
    }
  });

  it('keeps the signs of mentions, issues and emoji apart from what follows in prose', async () => {
    const text = await drawSummary([at({ message: '@type #12 :smile:' }), END]);
    expect(text).toContain('| &#64;<!-- -->type &#35;<!-- -->12 &#58;<!-- -->smile&#58;<!-- --> |');
  });

  it('says what is cut off', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => [at({ file: `${i}.json` }), done(`${i}.json`, 1, 1)]);
    const summary = {
      ...(END as Extract<ReportEvent, { type: 'summary' }>).summary,
      violations: 3000,
      rules: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`rule${i}`, i + 1])),
      failures: 21,
    };
    const failures = Array.from({ length: 21 }, (_, i): ReportEvent => {
      return { type: 'failure', failure: { file: `${i}.gz`, message: 'not gzip' } };
    });
    const events = [...many.flat(), ...failures, { type: 'summary', summary } as const];
    const text = await drawSummary(events);
    for (const rest of ['1 more failure', '10 more rules', '2,950 more violations']) {
      expect(text).toContain(`\n… and ${rest}\n`);
    }
  });

  it('is smaller than what GitHub takes', async () => {
    const text = '"[|]"'.repeat(60);
    const child = { ...violation({ message: text, pointer: text }), children: [] };
    const fields = { file: text, message: text, pointer: text, children: Array.from({ length: 9 }, () => child) };
    const events = [...Array.from({ length: 200 }, () => at(fields)), END];
    expect(Buffer.byteLength(await drawSummary(events))).toBeLessThan(1 << 20);
  });
});

describe('gitlab', () => {
  const read = async (events: readonly ReportEvent[], style?: Partial<ReportStyle>) =>
    JSON.parse(await draw('gitlab', events, style)) as {
      description: string;
      check_name: string;
      fingerprint: string;
      severity: string;
      location: { path: string; lines: { begin: number; end: number } };
    }[];

  it('gives back what went in', async () => {
    const issues = await read(HOSTILE);
    const violations = issues.slice(0, found.length);
    expect(violations.map(({ description, ...issue }) => ({ ...issue, description: unescaped(description) }))).toEqual(
      found.map((expected, i) => ({
        description: withListed(sentence(expected), expected),
        check_name: expected.rule.toWellFormed(),
        fingerprint: violations[i]!.fingerprint,
        severity: 'major',
        location: { path: expected.file.toWellFormed(), lines: { begin: expected.line, end: expected.endLine } },
      })),
    );
    const failures = issues.slice(found.length);
    expect(failures.map(({ location, severity }) => [location.path, severity])).toEqual(
      failed.map(({ file }) => [file.toWellFormed(), 'critical']),
    );
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  });

  it('is an empty array if nothing is wrong', async () => {
    expect(await read([END])).toEqual([]);
  });

  it('makes a warning a minor issue', async () => {
    expect((await read([at({ severity: 'warning' }), END]))[0]!.severity).toBe('minor');
  });

  it('counts file names from the top of the repository', async () => {
    const [issue] = await read([at({ file: 'a.json' }), END], { repository: REPOSITORY });
    expect(issue!.location.path).toBe('data/in/a.json');
  });
});

describe('fingerprints', () => {
  const fields = (line: number, payload: number): Partial<Violation> => {
    return { line, endLine: line, offset: 100 * line, payload, pointer: `/${payload}/author/@id` };
  };

  it('are unique in a report, and stay if lines and payloads are added above', () => {
    const before = createFingerprints();
    const first = [1, 2, 3].map((line) => before(violation(fields(line, line))));
    expect(new Set(first).size).toBe(3);
    const after = createFingerprints();
    const second = [11, 12, 13].map((line) => after(violation(fields(line, line))));
    expect(second).toEqual(first);
    for (const print of first) expect(print).toMatch(/^[0-9a-f]{32}(-\d+)?$/);
  });

  it.each<[string, Parameters<typeof violation>[0]]>([
    ['file', { file: 'other.json' }],
    ['pointer', { pointer: '/other' }],
    ['rule', { rule: 'other' }],
    ['params', { params: { missing: 'other' } }],
  ])('differ by %s', (_, other) => {
    expect(createFingerprints()(violation(other))).not.toBe(createFingerprints()(violation({})));
  });

  it.each<FormatName>(['gitlab', 'sarif'])('of %s stay if the words of messages change', async (format) => {
    const prints = async (message: string): Promise<readonly string[]> => {
      const failure: ReportEvent = { type: 'failure', failure: { file: 'gone.json', message } };
      const text = await draw(format, [at({ message, suggestion: message }), at({ message }), failure, END]);
      return text.match(/\b[0-9a-f]{32}\b(?:-\d+)?/g) ?? [];
    };
    const before = await prints('the member "content" is missing');
    expect(new Set(before).size).toBe(format === 'gitlab' ? 3 : 2);
    expect(await prints('content is missing')).toEqual(before);
  });

  it('do not depend on params that are places', () => {
    const print = (params: object): string => createFingerprints()(violation({ params }));
    expect(print({ first: 1, second: 4 })).toBe(print({ first: 2, second: 5 }));
  });

  it('are unique even beyond those that are remembered, and after a file comes back', () => {
    const fingerprints = createFingerprints(4);
    const prints = Array.from({ length: 20 }, (_, i) => fingerprints(violation({ message: `${i}` })));
    expect(new Set(prints).size).toBe(20);
    const others = createFingerprints();
    const twice = ['a', 'b', 'a'].map((file) => others(violation({ file })));
    expect(new Set(twice).size).toBe(3);
  });
});

describe('sarif', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  const valid = ajv.compile(JSON.parse(readFileSync(join(STANDARDS, 'sarif-schema-2.1.0.json'), 'utf8')));
  const read = async (events: readonly ReportEvent[], style?: Partial<ReportStyle>) => {
    const log = JSON.parse(await draw('sarif', events, style));
    expect(valid(log) ? null : valid.errors).toBeNull();
    expect(log.runs).toHaveLength(1);
    return log.runs[0];
  };

  it('is valid against the official schema, and gives back what went in', async () => {
    const run = await read(HOSTILE);
    expect(run.results).toHaveLength(found.length);
    for (const [i, expected] of found.entries()) {
      const { ruleId, ruleIndex, level, message, locations, properties } = run.results[i];
      const [{ physicalLocation, logicalLocations }] = locations;
      expect(ruleId).toBe(expected.rule.toWellFormed());
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(level).toBe('error');
      expect(unescaped(message.text)).toBe(`${expected.message}${hint(expected.suggestion!)}`);
      const { uri, uriBaseId } = physicalLocation.artifactLocation;
      expect(uri).toMatch(/^[\w.~/%-]+$/);
      expect(decodeURIComponent(uri)).toBe(expected.file.toWellFormed());
      expect(uriBaseId).toBe('SRCROOT');
      expect(run.originalUriBaseIds).toHaveProperty(uriBaseId);
      expect(physicalLocation.region).toEqual({
        startLine: expected.line,
        startColumn: expected.column,
        endLine: expected.endLine,
        endColumn: expected.endColumn,
      });
      expect(logicalLocations).toEqual([{ fullyQualifiedName: expected.pointer.toWellFormed() }]);
      const { payload, offset, kind, params, schema, fixable } = expected;
      expect(properties).toEqual(wellFormed({ payload, offset, kind, params, schema, fixable }));
    }
    expect(run.columnKind).toBe('utf16CodeUnits');
    const [{ executionSuccessful, toolExecutionNotifications }] = run.invocations;
    expect(executionSuccessful).toBe(false);
    expect(toolExecutionNotifications).toHaveLength(failed.length);
    const prints = run.results.map(
      (result: { partialFingerprints: Record<string, string> }) => result.partialFingerprints['paylint/v1'],
    );
    expect(new Set(prints).size).toBe(found.length);
  });

  it('has nothing that a viewer takes for a link in a message', async () => {
    const run = await read(HOSTILE);
    const texts = run.results.map(({ message }: { message: { text: string } }) => message.text);
    expect(texts.join('\n')).toContain('[click\\u005d(https');
    expect(texts.filter((text: string) => text.includes(']('))).toEqual([]);
  });

  it('is read by sarif-to-markdown', async () => {
    const read = sarifToMarkdown({ owner: 'o', repo: 'r', branch: 'b', title: 't', sourceRoot: '' });
    const [result] = read(JSON.parse(await draw('sarif', SAMPLE)));
    const { hasMessages, body } = result!;
    expect(hasMessages).toBe(true);
    expect(body).toContain('must be an array, but is an object');
    expect(body).toContain('we%2Cird%25na%26me%3C%3E.json#L31-L35');
  });

  it('explains each rule once, in short, in full and with what to do', async () => {
    const run = await read([at({}), at({ rule: 'json-syntax' }), at({}), at({ rule: 'madeUp' }), END]);
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['required', 'json-syntax', 'madeUp']);
    for (const { shortDescription, fullDescription, help } of run.tool.driver.rules.slice(0, 2)) {
      expect(shortDescription.text).toMatch(/^[^.]+\.$/);
      expect(help.text.startsWith(fullDescription.text)).toBe(true);
      expect(help.text.length).toBeGreaterThan(fullDescription.text.length);
    }
    expect(run.results.map(({ ruleIndex }: { ruleIndex: number }) => ruleIndex)).toEqual([0, 1, 0, 2]);
    expect(run.tool.driver.rules.filter((rule: object) => 'helpUri' in rule)).toEqual([]);
  });

  it('gives a level to each severity, and says which command fixes what', async () => {
    const events = (['error', 'warning'] satisfies Severity[]).map((severity) => at({ severity }));
    const run = await read([...events, at({ fixable: true, fix: 'fill' }), END]);
    expect(run.results.map(({ level }: { level: string }) => level)).toEqual(['error', 'warning', 'error']);
    expect(run.results[2].properties.fix).toBe('fill');
  });

  it('has the level that a rule has without a config', async () => {
    const run = await read([at({ rule: 'deprecated', severity: 'warning' }), at({ rule: 'type' }), END]);
    const levels = run.tool.driver.rules.map(
      ({ defaultConfiguration }: { defaultConfiguration: { level: string } }) => defaultConfiguration.level,
    );
    expect(levels).toEqual(['warning', 'error']);
  });

  it('is whole for a run without violations, and for absolute names', async () => {
    expect((await read([END])).results).toEqual([]);
    const files = ['/a b/c.json', 'C:/d.json', '/home/runner/work/r/r/e.json', 'f.json'];
    const run = await read([...files.map((file) => at({ file })), END], { repository: REPOSITORY });
    const locations = run.results.map(
      ({ locations: [{ physicalLocation }] }: { locations: [{ physicalLocation: { artifactLocation: unknown } }] }) =>
        physicalLocation.artifactLocation,
    );
    expect(locations).toEqual([
      { uri: 'file:///a%20b/c.json' },
      { uri: 'file:///C%3A/d.json' },
      { uri: 'e.json', uriBaseId: 'SRCROOT' },
      { uri: 'data/in/f.json', uriBaseId: 'SRCROOT' },
    ]);
  });

  it.each([0, 30_000])('lists at most 25,000 results and says so, with --max-violations %i', async (maxViolations) => {
    const events = Array.from({ length: 25_002 }, (_, i) => at({ payload: i }));
    const hidden = { type: 'hidden', file: 'a.json', rule: 'type', count: 3, fixable: 0 } as const;
    const log = JSON.parse(await draw('sarif', [...events, hidden, END], { maxViolations }));
    const [run] = log.runs;
    expect(run.results).toHaveLength(25_000);
    expect(run.invocations[0].toolExecutionNotifications).toContainEqual({
      level: 'warning',
      message: { text: 'Not all violations are listed: … and 5 more: type 3, required 2' },
    });
  });

  it('says that a run was stopped early', async () => {
    const summary = { ...(END as Extract<ReportEvent, { type: 'summary' }>).summary, failures: 0 };
    const [whole, stopped] = [
      await read([{ type: 'summary', summary }]),
      await read([{ type: 'summary', summary: { ...summary, interrupted: true } }]),
    ];
    expect(whole.invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);
    const text = 'The run was stopped before all files were checked.';
    const toolExecutionNotifications = [{ level: 'warning', message: { text } }];
    expect(stopped.invocations).toEqual([{ executionSuccessful: false, toolExecutionNotifications }]);
  });

  it('lists a thousand failures and counts the others', async () => {
    const events = Array.from({ length: 1002 }, (): ReportEvent => {
      return { type: 'failure', failure: { file: 'a', message: 'b' } };
    });
    const summary = { ...(END as Extract<ReportEvent, { type: 'summary' }>).summary, failures: 1002 };
    const run = await read([...events, { type: 'summary', summary }]);
    const notes = run.invocations[0].toolExecutionNotifications;
    expect(notes).toHaveLength(1001);
    expect(notes.at(-1).message.text).toBe('Not all failures are listed: … and 2 more');
  });
});

describe('reports in files are complete if standard output is lost', () => {
  const folder = join(temporary, 'lost');
  mkdirSync(folder);
  for (const name of ['a', 'b', 'c'])
    writeFileSync(join(folder, `${name}.ndjson`), '{"@context":"c","@type":"t","emoji":1}\n'.repeat(500));
  const formats = FORMAT_NAMES.flatMap((name) => ['--format', `${name}=report.${name}`]);

  it.each([
    ['validate', 'EPIPE', 141, /^$/],
    ['filter --invert', 'EPIPE', 141, /^a\.ndjson\n/],
    ['convert', 'ENOSPC', 2, /^paylint: cannot write to standard output: .*\n$/],
  ])('%s, %s', async (verb, code, exitCode, stderr) => {
    const toStandardOutput = verb === 'validate' ? ['--format', 'ndjson'] : [];
    const args = [...verb.split(' '), '.', '--ignore', 'report.*', ...formats, ...toStandardOutput];
    const lost = { after: 1, code };
    const ended = await paylint(args, { cwd: folder, lost });
    expect(ended).toMatchObject({ code: exitCode, stderr: expect.stringMatching(stderr) });
    const reportIn = (name: FormatName): string => readFileSync(join(folder, `report.${name}`), 'utf8');
    const last = JSON.parse(reportIn('ndjson').trimEnd().split('\n').at(-1)!);
    expect(last).toMatchObject({ type: 'summary', interrupted: true });
    expect(last.payloads).toBeGreaterThan(0);
    expect(last.payloads).toBeLessThan(1500);
    expect({ type: 'summary', ...JSON.parse(reportIn('json')).summary }).toEqual(last);
    expect(JSON.parse(reportIn('sarif')).runs[0].invocations[0].executionSuccessful).toBe(false);
    expect(() => JSON.parse(reportIn('gitlab'))).not.toThrow();
    expect(elementsOf(readXml(reportIn('junit')), 'testsuites')).toHaveLength(1);
    expect(reportIn('html')).toMatch(/<\/html>\n$/);
    expect(reportIn('pretty')).toContain(' · stopped early · ');
  });
});

describe('render', () => {
  it('writes files to their end if standard output is lost', async () => {
    const cwd = mkdtempSync(join(temporary, 'render-'));
    writeFileSync(join(cwd, 'a.ndjson'), '{"@context":"c","@type":"t","emoji":1}\n'.repeat(3000));
    const report = (await paylint(['validate', 'a.ndjson', '--format', 'ndjson'], { cwd })).stdout;
    const args = ['render', '-', '--format', 'line', '--format', 'ndjson=b', '--format', 'sarif=c'];
    const lost = { after: 0, code: 'EPIPE' };
    expect(await paylint(args, { cwd, stdin: report, lost })).toMatchObject({ code: 141, stderr: '' });
    expect(readFileSync(join(cwd, 'b'), 'utf8')).toBe(report);
    expect(JSON.parse(readFileSync(join(cwd, 'c'), 'utf8')).runs[0].results).toHaveLength(3000);
  });
});

describe('junit', () => {
  const suites = async (events: readonly ReportEvent[], style?: Partial<ReportStyle>) =>
    elementsOf(readXml(await draw('junit', events, style)), 'testsuite');
  const cases = (suite: XmlElement | undefined) =>
    suite!.children.map(({ attributes, children }) => [attributes.name, children[0]?.name, children[0]?.text]);

  it('is well-formed whatever a payload holds, and gives back what went in', async () => {
    const read = await suites(HOSTILE);
    expect(read).toHaveLength(found.length + failed.length);
    for (const [i, expected] of found.entries()) {
      const { attributes, children } = read[i]!;
      expect(unescaped(attributes.name!)).toBe(expected.file);
      expect(attributes).toMatchObject({ tests: '2', failures: '1', errors: '0' });
      const [invalid, valid] = children;
      expect(unescaped(invalid!.attributes.classname!)).toBe(expected.file);
      const [failure] = invalid!.children;
      expect(unescaped(failure!.attributes.message!)).toBe(expected.message);
      expect(unescaped(failure!.attributes.type!)).toBe(expected.rule);
      const { line, column, rule, pointer, message, suggestion } = expected;
      expect(unescaped(failure!.text)).toBe(
        withListed(`${line}:${column} error ${rule} at ${pointer}: ${message}${hint(suggestion!)}`, expected),
      );
      expect([valid!.attributes.name, valid!.text]).toEqual(['valid payloads', '1 payload']);
    }
    for (const [i, { file, message }] of failed.entries()) {
      const [error] = elementsOf(read[found.length + i]!, 'error');
      expect(unescaped(read[found.length + i]!.attributes.name!)).toBe(file);
      expect(unescaped(error!.attributes.message!)).toBe(message);
    }
  });

  const xmllint = needs('xmllint');
  it.skipIf(xmllint.missing)(`is what its common schema says, to xmllint${xmllint.note}`, async () => {
    for (const [i, events] of [HOSTILE, SAMPLE, [END]].entries()) {
      const path = join(temporary, `${i}.xml`);
      writeFileSync(path, await draw('junit', events));
      const args = ['--noout', '--nonet', '--schema', join(STANDARDS, 'junit-10.xsd'), path];
      expect(xmllint.run('xmllint', args, { cwd: temporary })).toBe('');
    }
  });

  it('has a suite per file, a case per invalid payload and one for the rest', async () => {
    const events = [
      at({ file: 'a', payload: 3, message: 'one' }),
      at({ file: 'a', payload: 3, message: 'two', line: 2 }),
      at({ file: 'a', payload: 5, message: 'three' }),
      done('a', 10, 2),
      done('b', 4, 0),
      done('c', 0, 0),
      END,
    ];
    const [a, b, c] = await suites(events);
    expect(a!.attributes).toEqual({ name: 'a', tests: '3', failures: '2', errors: '0' });
    expect(cases(a)).toEqual([
      ['payload 3', 'failure', '1:1 error required at (root): one\n2:1 error required at (root): two'],
      ['payload 5', 'failure', '1:1 error required at (root): three'],
      ['valid payloads', 'system-out', '8 payloads'],
    ]);
    expect(a!.children[0]!.children[0]!.attributes.message).toBe('one (and 1 more)');
    expect(cases(b)).toEqual([['valid payloads', 'system-out', '4 payloads']]);
    expect(c!.attributes).toMatchObject({ tests: '0', failures: '0' });
    const quiet = await suites(events, { quiet: true });
    expect(quiet.map(({ attributes }) => attributes.tests)).toEqual(['2', '0', '0']);
  });

  it('has a failure in the suite of its file, and ends the suite of a file that was not read to its end', async () => {
    const failure: ReportEvent = { type: 'failure', failure: { file: 'a', message: 'gone' } };
    const [a, b] = await suites([at({ file: 'a' }), failure, done('a', 2, 1), at({ file: 'b', payload: 7 }), END]);
    expect(a!.attributes).toEqual({ name: 'a', tests: '3', failures: '1', errors: '1' });
    expect(b!.attributes).toEqual({ name: 'b', tests: '1', failures: '1', errors: '0' });
    expect(cases(b)[0]![0]).toBe('payload 7');
  });

  it('lets a payload with nothing but warnings pass', async () => {
    const [a] = await suites([at({ file: 'a', severity: 'warning', message: 'hm' }), done('a', 3, 0), END]);
    expect(a!.attributes).toEqual({ name: 'a', tests: '2', failures: '0', errors: '0' });
    expect(cases(a)).toEqual([
      ['payload 0', 'system-out', '1:1 warning required at (root): hm'],
      ['valid payloads', 'system-out', '2 payloads'],
    ]);
  });

  it('counts invalid payloads that it does not list, and violations', async () => {
    const many = Array.from({ length: 10_002 }, (_, i) => at({ file: 'a', payload: i }));
    const [a] = await suites([...many, done('a', 10_003, 10_002), END]);
    expect(a!.attributes).toEqual({ name: 'a', tests: '10002', failures: '10001', errors: '0' });
    expect(a!.children.at(-2)!.attributes.name).toBe('more invalid payloads');
    expect(a!.children.at(-2)!.children[0]!.attributes.message).toBe('2 payloads');
    const capped = await suites([at({ file: 'a' }), at({ file: 'a', payload: 1 }), done('a', 2, 2), END], {
      maxViolations: 1,
    });
    expect(cases(capped[0]).map(([name]) => name)).toEqual(['payload 0', 'more invalid payloads']);
    const one = Array.from({ length: 103 }, () => at({ file: 'a' }));
    const [b] = await suites([...one, done('a', 1, 1), END]);
    expect(elementsOf(b!, 'failure')[0]!.text.split('\n')).toHaveLength(101);
    expect(elementsOf(b!, 'failure')[0]!.text).toMatch(/\n… and 3 more$/);
  });
});

describe('in a run', () => {
  const SECRET = 'Sw0rdf1sh';
  const PAYLOADS = [
    `{"@type":"${SECRET}"}`,
    `{"@type":"Contract","active":"${SECRET}","coverage":{"minAge":"${SECRET}"}}`,
    `{"@context":"c","@type":"Emoji","emoji":"👍","reason":["${SECRET}"]}`,
    `{"a":"${SECRET}`,
    `{"a":1,"a":"${SECRET}"}`,
    `"${SECRET}`,
  ];
  const folder = join(temporary, 'run');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.ndjson'), `${PAYLOADS.join('\n')}\n`);

  it.each(FORMAT_NAMES)('--redact keeps payload text out of %s', async (format) => {
    const env = { GITHUB_STEP_SUMMARY: join(temporary, `redact-${format}.md`) };
    const args = ['validate', 'a.ndjson', '--format', format];
    const read = (text: string): string => (format === 'html' ? readablePage(text) : text);
    const { stdout: written, stderr, code } = await paylint([...args, '--redact'], { cwd: folder, env });
    const stdout = read(written);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.length).toBeGreaterThan(200);
    expect(stdout).not.toMatch(/sw0rd/i);
    expect(read((await paylint(args, { cwd: folder })).stdout)).toContain(SECRET);
    if (format === 'github') expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).not.toMatch(/sw0rd/i);
  });

  it('the summary of a step is added to what is there', async () => {
    const summary = join(temporary, 'step.md');
    const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: temporary };
    writeFileSync(summary, '# Mine\n');
    const args = ['validate', 'a.ndjson', '--format', 'github'];
    const { stdout } = await paylint(args, { cwd: folder, env });
    expect(stdout).toContain('::error file=run/a.ndjson,line=1,');
    const text = readFileSync(summary, 'utf8');
    expect(text).toMatch(/^# Mine\n\n?## paylint\n/);
  });

  it('docs/reference/formats.md shows the summary of a step as it is written', async () => {
    const summary = join(temporary, 'docs.md');
    const args = ['validate', 'docs/examples/contract.json', '--format', 'github'];
    await paylint(args, { cwd: ROOT, env: { GITHUB_STEP_SUMMARY: summary } });
    const timeless = (text: string): string => text.replace(/· [\d.]+ m?s$/m, '· 0 ms');
    const [, shown] = /^<!-- summary -->\n\n([\s\S]*?)\n\n## /m.exec(FORMATS_PAGE)!;
    expect(`\n## paylint\n\n${timeless(shown!)}\n`).toBe(timeless(readFileSync(summary, 'utf8')));
  });

  it('the recipes of the documents write what they say', async () => {
    const lines = [...RECIPES.matchAll(/^ *(?:- |- run: )?(?:npx --no -- )?(paylint validate payloads\/ [^|\n]*)$/gm)];
    // Those with a project's own schema are run by test/docs/ci-recipes.all.test.ts.
    const bundled = lines.filter(([, line]) => !/ --(?:schema|config) /.test(line!));
    const recipes = bundled.map(([, line]) => line!.split(' ').slice(1));
    expect(recipes).toHaveLength(7);
    for (const [i, args] of recipes.entries()) {
      const cwd = join(temporary, `recipe${i}`);
      mkdirSync(join(cwd, 'payloads'), { recursive: true });
      writeFileSync(join(cwd, 'payloads/a.json'), '{"@type":"Contract"}');
      const { code, stderr } = await paylint(args, { cwd });
      expect([code, stderr]).toEqual([1, '']);
      const files = args.flatMap((arg) => /=(.*)$/.exec(arg)?.[1] ?? []);
      expect(readdirSync(cwd).sort()).toEqual([...files, 'payloads'].sort());
      const artifacts = [...RECIPES.matchAll(/(?:sarif_file|codequality|junit|path): (\S+\.\w+)$/gm)].map(
        ([, name]) => name,
      );
      expect(artifacts).toEqual(expect.arrayContaining(files));
    }
  });

  it('the names of other formats stay, and those outside of the repository', async () => {
    const line = async (format: string, env: Record<string, string>) =>
      (await paylint(['validate', 'a.ndjson', '--format', format], { cwd: folder, env })).stdout;
    expect(await line('line', { CI_PROJECT_DIR: temporary })).toMatch(/^a\.ndjson:1/);
    expect(await line('gitlab', { CI_PROJECT_DIR: temporary })).toContain('"path":"run/a.ndjson"');
    expect(await line('gitlab', { CI_PROJECT_DIR: join(temporary, 'other') })).toContain('"path":"a.ndjson"');
  });
});
