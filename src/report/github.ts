/**
 * `github`: workflow commands, from which GitHub Actions makes annotations at the lines of a pull request. Everything else is plain
 * text in the log of the step. A step shows only the first ten errors, so there is a summary as well: `github-summary.ts`.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
import type { Failure, Reporter, ReportStyle, Violation } from '../types.ts';
import { quote } from '../words/escape.ts';
import { commandData, commandProperty } from '../words/markup.ts';
import { createCap } from './cap.ts';
import { createPalette, pointerText } from './paint.ts';
import { repositoryName } from './repository.ts';
import { summaryLine } from './summary.ts';

export async function createGithub(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(0);
  const cap = createCap(style.maxViolations);
  let fixable = 0;

  return (event) => {
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
        return style.quiet ? rest : `${rest}${summaryLine(event.summary, { fixable }, palette)}\n`;
      }
      default:
        return '';
    }
  };
}

function violationCommand(violation: Violation, { repository }: ReportStyle): string {
  const { file, line, column, endLine, endColumn, pointer, rule, message, suggestion } = violation;
  const properties = {
    file: repositoryName(file, repository),
    line,
    col: column,
    endLine,
    // Columns of different lines make no annotation: the runner drops both, and warns.
    ...(line === endLine ? { endColumn } : {}),
    title: `paylint: ${rule}`,
  };
  const help = suggestion === undefined ? '' : `; did you mean ${quote(suggestion)}?`;
  return command(violation.severity, properties, `${pointerText(pointer)}: ${message}${help}`);
}

function failureCommand({ file, message }: Failure, { repository }: ReportStyle): string {
  const properties = { file: repositoryName(file, repository), title: 'paylint: failure' };
  return command('error', properties, `cannot be checked: ${message}`);
}

function command(
  name: Violation['severity'],
  properties: Readonly<Record<string, string | number>>,
  data: string,
): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${commandProperty(String(value))}`);
  return `::${name} ${list.join(',')}::${commandData(data)}\n`;
}
