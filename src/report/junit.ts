/**
 * `junit`: XML as CI systems read it from test runners: a suite per file, a failed case per invalid payload, and one
 * case that passes for all the others. The numbers of a suite come before its cases, so the cases are kept until the
 * end of their file, up to a limit. https://github.com/jenkinsci/xunit-plugin (junit-10.xsd) is the schema.
 */

import { JUNIT_PAYLOADS, JUNIT_VIOLATIONS } from '../limits.ts';
import { messageText, violationsOf } from '../log/violation-table.ts';
import type { Reporter, ReportStyle, SourceCounts, Violation } from '../types.ts';
import { xmlText } from '../words/markup.ts';
import { number, plural } from '../words/number-text.ts';
import { Cap } from './cap.ts';
import { pointerText } from './paint.ts';
import { reporterOf } from './reporter.ts';
import { childLines, withHelp } from './violation.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="paylint">\n';

/** The violations of a payload that are listed, and how many there are. */
interface Case {
  readonly payload: number;
  readonly first: Violation;
  readonly lines: string[];
  /** Violations in `lines`: items below a violation have lines of their own. */
  listed: number;
  violations: number;
  /** Of the violations, those that are not warnings. */
  errors: number;
}

interface Suite {
  readonly file: string;
  readonly cases: Case[];
  readonly failures: string[];
}

export function createJunit(style: ReportStyle): Reporter {
  const cap = new Cap(style.maxViolations);
  let begun = false;
  let suite: Suite | null = null;

  const opened = (): string => {
    const head = begun ? '' : HEAD;
    begun = true;
    return head;
  };
  /** Ends the present suite, unless it is that of `file`. */
  const closedFor = (file: string | null): string => {
    if (suite === null || suite.file === file) return '';
    const text = opened() + suiteText(suite, null, style.quiet);
    suite = null;
    return text;
  };
  const suiteOf = (file: string): Suite => {
    suite ??= { file, cases: [], failures: [] };
    return suite;
  };

  return reporterOf({
    violations(event) {
      const { file } = event.table;
      const before = closedFor(file);
      for (const violation of violationsOf(cap.admitted(event))) addViolation(suiteOf(file), violation);
      return before;
    },
    failure({ failure: { file, message } }) {
      const before = closedFor(file);
      suiteOf(file).failures.push(message);
      return before;
    },
    source({ source }) {
      const before = closedFor(source.file);
      const text = opened() + suiteText(suiteOf(source.file), source, style.quiet);
      suite = null;
      return before + text;
    },
    summary: () => `${closedFor(null)}${opened()}</testsuites>\n`,
  });
}

function addViolation({ cases }: Suite, violation: Violation): void {
  let last = cases.at(-1);
  if (last?.payload !== violation.payload) {
    if (cases.length >= JUNIT_PAYLOADS) return; // the counts of the file include it
    last = { payload: violation.payload, first: violation, lines: [], listed: 0, violations: 0, errors: 0 };
    cases.push(last);
  }
  last.violations++;
  if (violation.severity === 'error') last.errors++;
  if (last.listed === JUNIT_VIOLATIONS) return;
  last.listed++;
  last.lines.push(lineOf(violation), ...childLines(violation));
}

function lineOf(violation: Violation): string {
  const { line, column, pointer, severity, rule } = violation;
  return `${line}:${column} ${severity} ${rule} at ${pointerText(pointer)}: ${withHelp(violation)}`;
}

/** `source`: null if the file was not read to its end. */
function suiteText({ file, cases, failures }: Suite, source: SourceCounts | null, quiet: boolean): string {
  const invalid = cases.filter(({ errors }) => errors > 0).length;
  const unlisted = (source?.invalid ?? 0) - invalid;
  const others = (source?.valid ?? 0) - (cases.length - invalid);
  const elements = cases.map((one) => element(file, nameOf(one), contentOf(one)));
  if (unlisted > 0) {
    const failure = `<failure type="unlisted" message="${plural(unlisted, 'payload')}"/>`;
    elements.push(element(file, 'more invalid payloads', failure));
  }
  for (const message of failures) {
    elements.push(element(file, 'can be read', `<error type="failure" message="${xmlText(message)}"/>`));
  }
  // Its name has no number in it, so that it is the same case in every run.
  if (others > 0 && !quiet) {
    elements.push(element(file, 'valid payloads', `<system-out>${plural(others, 'payload')}</system-out>`));
  }
  const failed = invalid + (unlisted > 0 ? 1 : 0);
  const counts = `tests="${elements.length}" failures="${failed}" errors="${failures.length}"`;
  return `  <testsuite name="${xmlText(file)}" ${counts}>\n${elements.join('')}  </testsuite>\n`;
}

/** The description of a test, else the number of the payload. */
function nameOf({ payload, first: { params } }: Case): string {
  return 'test' in params && typeof params.test === 'string' ? params.test : `payload ${payload}`;
}

function element(file: string, name: string, content: string): string {
  return `    <testcase classname="${xmlText(file)}" name="${xmlText(name)}">${content}</testcase>\n`;
}

/** A payload with warnings only passes. */
function contentOf({ first, lines, listed, violations, errors }: Case): string {
  const more = violations - listed;
  const text = [...lines, ...(more > 0 ? [`… and ${number(more)} more`] : [])].map(xmlText).join('\n');
  if (errors === 0) return `<system-out>${text}</system-out>`;
  const message = violations > 1 ? `${messageText(first)} (and ${number(violations - 1)} more)` : messageText(first);
  return `<failure type="${xmlText(first.rule)}" message="${xmlText(message)}">${text}</failure>`;
}
