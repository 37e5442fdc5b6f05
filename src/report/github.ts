/**
 * `github`: workflow commands, from which GitHub Actions makes annotations at the lines of a pull request. Everything
 * else is plain text in the log of the step. A step shows only the first ten errors, so there is a summary as well:
 * `github-summary.ts`. https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
import type { Failure, ReportEvent, Reporter, ReportStyle, Severity } from '../types.ts';
import { commandProperty } from '../words/markup.ts';
import { createCap } from './cap.ts';
import { createPalette } from './paint.ts';
import { repositoryName } from './repository.ts';
import { commandTail, createRowWriter, saidInCommand } from './statement-texts.ts';
import { summaryLine } from './summary.ts';

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
        return `${rest}${summaryLine(event.summary, { fixable: cap.fixable }, palette)}\n`;
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
