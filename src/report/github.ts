/**
 * `github`: workflow commands, from which GitHub Actions makes annotations at the lines of a pull request. Everything
 * else is plain text in the log of the step.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 *
 * A step shows only the first ten errors, so there is a summary in Markdown as well: counts by rule, and the first
 * violations. It is written into a file of its own, and is smaller than the 1 MiB that GitHub
 * accepts, because texts and tables are cut.
 */

import { STEP_ROWS } from '../limits.ts';
import { violationsOf } from '../log/violation-table.ts';
import type { Failure, Reporter, ReportStyle, Severity, Summary, Violation } from '../types.ts';
import { cutTo } from '../words/escape.ts';
import { commandProperty, markdownCode, markdownText } from '../words/markup.ts';
import { number, plural } from '../words/number-text.ts';
import { Cap } from './cap.ts';
import { createPalette, pointerText } from './paint.ts';
import { reporterOf } from './reporter.ts';
import { repositoryName } from './repository.ts';
import { commandTail, commandText, createRowWriter } from './statement-texts.ts';
import { summaryLine } from './summary.ts';
import { childLines, withHelp } from './violation.ts';

export async function createGithub(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(0);
  const cap = new Cap(style.maxViolations);
  const write = createRowWriter({
    text: commandText,
    row({ file, line, column, endLine, endColumn }, text, severity) {
      // Columns of different lines make no annotation: the runner drops both, and warns.
      const to = line === endLine ? `${endLine},endColumn=${endColumn}` : endLine;
      return `${commandHead(severity, file, style)},line=${line},col=${column},endLine=${to}${text}\n`;
    },
  });

  return reporterOf({
    violations: (event) => write(cap.admitted(event)),
    hidden: (event) => void cap.hide(event),
    failure: ({ failure: { file, message } }) =>
      `${commandHead('error', file, style)}${commandTail('failure', `cannot be checked: ${message}`)}\n`,
    summary({ summary }) {
      const more = cap.more();
      const rest = more === null ? '' : `${more}\n`;
      return `${rest}${summaryLine(summary, { fixable: cap.fixable, tests: style.tests }, palette)}\n`;
    },
  });
}

function commandHead(name: Severity, file: string, { repository }: ReportStyle): string {
  return `::${name} file=${commandProperty(repositoryName(file, repository))}`;
}

/** Rows of the table of failures. */
const FAILURES = 20;
/** UTF-16 code units of a text, and lines of a cell; what is more is cut. */
const TEXT = 300;
const LINES = 5;

export async function createGithubSummary(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(0);
  const first: Violation[] = [];
  const failures: Failure[] = [];
  const cap = new Cap(STEP_ROWS);

  return reporterOf({
    violations: (event) => void first.push(...violationsOf(cap.admitted(event))),
    hidden: (event) => void cap.hide(event),
    failure: ({ failure }) => void (failures.length < FAILURES && failures.push(failure)),
    summary({ summary }) {
      const line = summaryLine(summary, { fixable: cap.fixable, tests: style.tests }, palette);
      const sections = [failureSection(failures, summary), ruleSection(summary), violationSection(first, summary)];
      return `\n## paylint\n\n${markdownText(line)}\n${sections.join('')}`;
    },
  });
}

function failureSection(failures: readonly Failure[], { failures: total }: Summary): string {
  const rows = failures.map(({ file, message }) => [code(file), prose(message)]);
  return table(['What could not be checked', 'Why'], rows, total, 'failure');
}

function ruleSection({ rules }: Summary): string {
  const sorted = Object.entries(rules).sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1));
  const rows = sorted.slice(0, STEP_ROWS).map(([rule, count]) => [code(rule), number(count)]);
  return table(['Rule', 'Violations'], rows, sorted.length, 'rule');
}

function violationSection(first: readonly Violation[], { violations, warnings }: Summary): string {
  const rows = first.map((violation) => {
    const { file, line, column, pointer, rule } = violation;
    const lines = [withHelp(violation), ...childLines(violation)].slice(0, LINES);
    return [code(`${file}:${line}:${column}`), code(rule), code(pointerText(pointer)), lines.map(prose).join('<br/>')];
  });
  return table(['Where', 'Rule', 'Pointer', 'What is wrong'], rows, violations + warnings, 'violation');
}

/** Empty without rows. `total`: how many there are. */
function table(head: readonly string[], rows: readonly (readonly string[])[], total: number, noun: string): string {
  if (rows.length === 0) return '';
  const rule = head.map(() => '---');
  const lines = [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  const more = total - rows.length;
  const rest = more > 0 ? `\n… and ${number(more)} more ${plural(more, noun).replace(/^\S+ /, '')}\n` : '';
  return `\n${lines.join('')}${rest}`;
}

function code(text: string): string {
  return markdownCode(cutTo(TEXT, text));
}

function prose(text: string): string {
  return markdownText(cutTo(TEXT, text));
}
