/**
 * `github`: workflow commands, from which GitHub Actions makes annotations at the lines of a pull request. Everything
 * else is plain text in the log of the step.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 *
 * A step shows only the first ten errors, so there is a summary in Markdown as well: counts by rule and by file, and
 * the first violations with links to their lines. It is written into a file of its own, and is never larger than
 * GitHub accepts.
 */
import type {
  Failure,
  ReportEvent,
  Reporter,
  ReportStyle,
  Severity,
  SourceCounts,
  Summary,
  Violation,
} from '../types.ts';
import { commandProperty, markdownCode, markdownText } from '../words/markup.ts';
import { number, plural } from '../words/number-text.ts';
import { createCap } from './cap.ts';
import { createPalette, pointerText } from './paint.ts';
import { blobAddress, repositoryName } from './repository.ts';
import { commandTail, createRowWriter, saidInCommand } from './statement-texts.ts';
import { summaryLine } from './summary.ts';
import { childLines, withHelp } from './violation.ts';
import { violationsOf } from './violation-table.ts';

export async function createGithub(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(0);
  const cap = createCap(style.maxViolations);
  const write = createRowWriter({
    text: saidInCommand,
    row({ file, line, column, endLine, endColumn }, text, severity) {
      // Columns of different lines make no annotation: the runner drops both, and warns.
      const to = line === endLine ? `${endLine},endColumn=${endColumn}` : endLine;
      return `${commandHead(severity, file, style)},line=${line},col=${column},endLine=${to}${text}\n`;
    },
  });

  const report = (event: ReportEvent): string => {
    switch (event.type) {
      case 'violations':
        return write(cap.admitted(event));
      case 'hidden':
        cap.hide(event);
        return '';
      case 'failure':
        return failureCommand(event.failure, style);
      case 'summary': {
        const more = cap.more();
        const rest = more === null ? '' : `${more}\n`;
        return `${rest}${summaryLine(event.summary, { fixable: cap.fixable, tests: style.tests }, palette)}\n`;
      }
      default:
        return '';
    }
  };
  return report;
}

function failureCommand({ file, message }: Failure, style: ReportStyle): string {
  return `${commandHead('error', file, style)}${commandTail('failure', `cannot be checked: ${message}`)}\n`;
}

function commandHead(name: Severity, file: string, { repository }: ReportStyle): string {
  return `::${name} file=${commandProperty(repositoryName(file, repository))}`;
}

/** Rows of each table. */
const VIOLATIONS = 100;
const FILES = 50;
const RULES = 50;
const FAILURES = 20;
/** Files that are remembered until the worst are known. */
const REMEMBERED = 1000;
/** UTF-16 code units of a cell; what is longer is cut. */
const CELL = 300;

/** @param room bytes that the summary may take up */
export async function createGithubSummary(style: ReportStyle, room: number): Promise<Reporter> {
  const palette = await createPalette(0);
  const first: Violation[] = [];
  const failures: Failure[] = [];
  let files: SourceCounts[] = [];
  let filesWithViolations = 0;
  const cap = createCap(VIOLATIONS);

  return (event) => {
    switch (event.type) {
      case 'violations':
        first.push(...violationsOf(cap.admitted(event)));
        return '';
      case 'hidden':
        cap.hide(event);
        return '';
      case 'failure':
        if (failures.length < FAILURES) failures.push(event.failure);
        return '';
      case 'source':
        if (event.source.violations + event.source.warnings === 0) return '';
        filesWithViolations++;
        files.push(event.source);
        if (files.length >= 2 * REMEMBERED) files = worst(files, REMEMBERED);
        return '';
      case 'summary': {
        const { summary } = event;
        const sections = [
          `\n## paylint\n\n${markdownText(summaryLine(summary, { fixable: cap.fixable, tests: style.tests }, palette))}\n`,
          ...failureSection(failures, summary),
          ...ruleSection(summary),
          ...fileSection(worst(files, FILES), filesWithViolations, style),
          ...violationSection(first, summary, style),
        ];
        return within(sections, room);
      }
      default:
        return '';
    }
  };
}

function worst(files: readonly SourceCounts[], count: number): SourceCounts[] {
  // Sorting is stable: equals stay in the order of the sources.
  return [...files].sort((a, b) => weight(b) - weight(a)).slice(0, count);
}

function weight({ violations, warnings }: SourceCounts): number {
  return violations + warnings;
}

function failureSection(failures: readonly Failure[], summary: Summary): string[] {
  const rows = failures.map(({ file, message }) => [code(file), prose(message)]);
  const more = rest(summary.failures - rows.length, 'failure');
  return rows.length === 0 ? [] : [table(['What could not be checked', 'Why'], rows) + more];
}

function ruleSection({ rules }: Summary): string[] {
  const sorted = Object.entries(rules).sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1));
  const rows = sorted.slice(0, RULES).map(([rule, count]) => [code(rule), number(count)]);
  const more = rest(sorted.length - rows.length, 'rule');
  return rows.length === 0 ? [] : [table(['Rule', 'Violations'], rows, [1]) + more];
}

function fileSection(files: readonly SourceCounts[], total: number, style: ReportStyle): string[] {
  const rows = files.map((source) => [
    linked(code(source.file), source.file, 1, style),
    `${number(source.invalid)} of ${number(source.payloads)}`,
    number(weight(source)),
  ]);
  const more = rest(total - rows.length, 'file');
  return rows.length === 0 ? [] : [table(['File', 'Invalid payloads', 'Violations'], rows, [1, 2]) + more];
}

function violationSection(first: readonly Violation[], summary: Summary, style: ReportStyle): string[] {
  const rows = first.map((violation) => {
    const { file, line, column, pointer, rule } = violation;
    return [
      linked(code(`${file}:${line}:${column}`), file, line, style),
      code(rule),
      code(pointerText(pointer)),
      [withHelp(violation), ...childLines(violation)].map(prose).join('<br/>'),
    ];
  });
  if (rows.length === 0) return [];
  const more = rest(summary.violations + summary.warnings - rows.length, 'violation');
  return [table(['Where', 'Rule', 'Pointer', 'What is wrong'], rows) + more];
}

/** `numbers`: the columns that are numbers. */
function table(head: readonly string[], rows: readonly (readonly string[])[], numbers: readonly number[] = []) {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, i) => (numbers.includes(i) ? '--:' : '---'));
  return `\n${[head, rule, ...rows].map(line).join('')}`;
}

function rest(count: number, noun: string): string {
  return count > 0 ? `\n… and ${number(count)} more ${plural(count, noun).replace(/^\S+ /, '')}\n` : '';
}

function linked(shown: string, file: string, line: number, { repository }: ReportStyle): string {
  const address = blobAddress(file, line, repository);
  // The address is percent-encoded, so nothing ends the link early.
  return address === null ? shown : `[${shown}](${address})`;
}

function code(text: string): string {
  return markdownCode(short(text));
}

function prose(text: string): string {
  return markdownText(short(text));
}

function short(text: string): string {
  return text.length > CELL ? `${text.slice(0, CELL)}…` : text;
}

/** The text of the sections, cut at the end of a line where no more than `room` bytes are left. */
function within(sections: readonly string[], room: number): string {
  const text = sections.join('');
  if (Buffer.byteLength(text) <= room) return text;
  const end = '\n… the rest is left out: GitHub takes no more than 1 MiB per step\n';
  let left = room - Buffer.byteLength(end);
  let kept = '';
  for (const line of text.match(/.*\n/g) ?? []) {
    left -= Buffer.byteLength(line);
    if (left < 0) break;
    kept += line;
  }
  return kept === '' ? '' : kept + end;
}
