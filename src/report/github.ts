/**
 * `github`: workflow commands, from which GitHub Actions makes annotations at the lines of a pull request. Everything
 * else is plain text in the log of the step. A step shows only the first ten errors, so there is a summary as well:
 * `github-summary.ts`. https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
import { once } from '../input/seldom.ts';
import type { Failure, ReportEvent, Reporter, ReportStyle, Severity, Statement } from '../types.ts';
import { commandProperty } from '../words/markup.ts';
import { createCap } from './cap.ts';
import { createPalette } from './paint.ts';
import { repositoryName } from './repository.ts';
import { commandTail, saidInCommand } from './statement-texts.ts';
import { summaryLine } from './summary.ts';
import { createTemplateWriter, type Template } from './template.ts';

export async function createGithub(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(0);
  const cap = createCap(style.maxViolations);
  const write = once(() => createTemplateWriter(commandTemplate(style)));

  const report = (event: ReportEvent): string | Buffer => {
    switch (event.type) {
      case 'violations':
        return write()(cap.admitted(event));
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
  return Object.assign(report, {
    texts: { form: 'command', make: (statement: Statement) => saidInCommand(statement) } as const,
  });
}

function commandTemplate(style: ReportStyle): Template {
  return {
    head: (file, severity) => `${commandHead(severity, file, style)},line=`,
    numbers: [
      ['line', ',col='],
      ['column', ',endLine='],
      ['endLine', ',endColumn='],
      ['endColumn', ''],
    ],
    // Columns of different lines make no annotation: the runner drops both, and warns.
    severalLines: [
      ['line', ',col='],
      ['column', ',endLine='],
      ['endLine', ''],
    ],
    form: 'command',
    text: saidInCommand,
    end: '\n',
  };
}

function failureCommand({ file, message }: Failure, style: ReportStyle): string {
  return `${commandHead('error', file, style)}${commandTail('failure', `cannot be checked: ${message}`)}\n`;
}

function commandHead(name: Severity, file: string, { repository }: ReportStyle): string {
  return `::${name} file=${commandProperty(repositoryName(file, repository))}`;
}
