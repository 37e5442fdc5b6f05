/**
 * `github`: workflow commands, from which GitHub Actions makes annotations at the lines of a pull request. Everything
 * else is plain text in the log of the step. A step shows only the first ten errors, so there is a summary as well:
 * `github-summary.ts`. https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
import type { Failure, ReportEvent, Reporter, ReportStyle, Violation } from '../types.ts';
import { commandProperty } from '../words/markup.ts';
import { createCap } from './cap.ts';
import { createNotedWriter, type NotedTemplate } from './noted.ts';
import { createPalette } from './paint.ts';
import { repositoryName } from './repository.ts';
import { commandTail, saidInCommand } from './said.ts';
import { summaryLine } from './summary.ts';

export async function createGithub(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(0);
  const cap = createCap(style.maxViolations);
  let fixable = 0;

  const report = (event: ReportEvent): string => {
    switch (event.type) {
      case 'violation':
        if (event.violation.fixable) fixable++;
        return cap.admits(event.violation) ? violationCommand(event.violation, style) : '';
      case 'hidden':
        cap.hide(event);
        fixable += event.fixable;
        return '';
      case 'failure':
        return failureCommand(event.failure, style);
      case 'summary': {
        const more = cap.more();
        const rest = more === null ? '' : `${more}\n`;
        return `${rest}${summaryLine(event.summary, { fixable }, palette)}\n`;
      }
      default:
        return '';
    }
  };
  if (style.maxViolations > 0) return report;
  const noted = createNotedWriter(notedCommand(style), (count) => {
    fixable += count;
  });
  return Object.assign(report, { noted });
}

function notedCommand(style: ReportStyle): NotedTemplate {
  return {
    head: (file) => `${commandHead('error', file, style)},line=`,
    numbers: [
      ['line', ',col='],
      ['column', ',endLine='],
      ['line', ',endColumn='],
      ['endColumn', ''],
    ],
    form: 'command',
    end: '\n',
  };
}

function violationCommand(violation: Violation, style: ReportStyle): string {
  const { file, line, column, endLine, endColumn } = violation;
  // Columns of different lines make no annotation: the runner drops both, and warns.
  const end = line === endLine ? `,endColumn=${endColumn}` : '';
  const place = `,line=${line},col=${column},endLine=${endLine}${end}`;
  return `${commandHead(violation.severity, file, style)}${place}${saidInCommand(violation)}\n`;
}

function failureCommand({ file, message }: Failure, style: ReportStyle): string {
  return `${commandHead('error', file, style)}${commandTail('failure', `cannot be checked: ${message}`)}\n`;
}

function commandHead(name: Violation['severity'], file: string, { repository }: ReportStyle): string {
  return `::${name} file=${commandProperty(repositoryName(file, repository))}`;
}
