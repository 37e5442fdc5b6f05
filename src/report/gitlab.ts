/**
 * `gitlab`: Code Quality, which GitLab shows beside a merge request: one array with one object per violation, written
 * one after another. https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */

import { viewsOf } from '../log/violation-table.ts';
import type { Reporter, ReportStyle, Violation, ViolationsEvent, ViolationTable } from '../types.ts';
import { jsonText, visible } from '../words/escape.ts';
import { Cap } from './cap.ts';
import { pointerText } from './paint.ts';
import { reporterOf } from './reporter.ts';
import { createFingerprints, type Digests, type Fingerprints, repositoryName } from './repository.ts';
import { childLines, withHelp } from './violation.ts';

/** The text before the fingerprint, and the text between the fingerprint and the line. */
interface Issue {
  readonly head: string;
  readonly tail: string;
}

export function createGitlab(style: ReportStyle): Reporter {
  const cap = new Cap(style.maxViolations);
  const fingerprints = createFingerprints();
  const elements = violationElements(fingerprints, style);
  const failures = createFingerprints();
  let begun = false;

  const element = (text: string): string => {
    const before = begun ? BETWEEN : BEGIN;
    begun = true;
    return before + text;
  };

  return reporterOf({
    violations(event) {
      const texts = elements(cap.admitted(event));
      return texts === '' ? '' : element(texts);
    },
    failure({ failure }) {
      const fingerprint = failures({ file: failure.file, pointer: '', rule: 'failure', params: {} });
      const description = [`cannot be checked: ${failure.message}`];
      const issue = issueOf({ description, rule: 'failure', severity: 'critical', file: failure.file }, style);
      return element(textOf(issue, fingerprint, 1, 1));
    },
    summary: () => (begun ? '\n]\n' : '[]\n'),
  });
}

const BEGIN = '[\n';
const BETWEEN = ',\n';

function violationElements(fingerprints: Fingerprints, style: ReportStyle): (event: ViolationsEvent) => string {
  let present: ViolationTable | null = null;
  let known: { readonly issue: Issue; readonly digests: Digests }[] = [];
  return (event) => {
    const { table } = event;
    if (table !== present) known = [];
    present = table;
    return Array.from(viewsOf(event), ({ violation, index }) => {
      known[index] ??= { issue: violationIssue(violation, style), digests: {} };
      const { issue, digests } = known[index];
      return textOf(issue, fingerprints(violation, digests), violation.line, violation.endLine);
    }).join(BETWEEN);
  };
}

function textOf({ head, tail }: Issue, fingerprint: string, begin: number, end: number): string {
  return `${head}${fingerprint}${tail}${begin},"end":${end}}}}`;
}

function violationIssue(violation: Violation, style: ReportStyle): Issue {
  const { file, rule, pointer, severity } = violation;
  const description = [`${pointerText(pointer)}: ${withHelp(violation)}`, ...childLines(violation)];
  return issueOf({ description, rule, severity: severity === 'error' ? 'major' : 'minor', file }, style);
}

interface IssueFacts {
  readonly description: readonly string[];
  readonly rule: string;
  readonly severity: 'critical' | 'major' | 'minor';
  readonly file: string;
}

function issueOf({ description, rule, severity, file }: IssueFacts, { repository }: ReportStyle): Issue {
  const path = jsonText(repositoryName(file, repository));
  // Each line is harmless by itself.
  const lines = description.map((line) => jsonText(visible(line)).slice(1, -1)).join('\\n');
  return {
    head: `{"description":"${lines}","check_name":${jsonText(rule)},"fingerprint":"`,
    tail: `","severity":"${severity}","location":{"path":${path},"lines":{"begin":`,
  };
}
