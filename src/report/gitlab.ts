/**
 * `gitlab`: Code Quality, as GitLab shows it beside a merge request: one array, one object per violation, written as they come.
 * https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
import type { Failure, Reporter, ReportStyle, Violation } from '../types.ts';
import { jsonText, quote, visible } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { createFingerprints } from './fingerprint.ts';
import { pointerText } from './paint.ts';
import { repositoryName } from './repository.ts';

export function createGitlab(style: ReportStyle): Reporter {
  const cap = createCap(style.maxViolations);
  const fingerprints = createFingerprints();
  const failures = createFingerprints();
  let begun = false;

  const element = (issue: unknown): string => {
    const before = begun ? ',\n' : '[\n';
    begun = true;
    return before + jsonText(issue);
  };

  return (event) => {
    switch (event.type) {
      case 'violation': {
        const { violation } = event;
        if (!cap.admits(violation)) return '';
        return element(violationIssue(violation, fingerprints.of(violation), style));
      }
      case 'failure': {
        const fingerprint = failures.of({ ...event.failure, pointer: '', rule: 'failure', schema: null });
        return element(failureIssue(event.failure, fingerprint, style));
      }
      case 'summary':
        return begun ? '\n]\n' : '[]\n';
      default:
        return '';
    }
  };
}

function violationIssue(violation: Violation, fingerprint: string, { repository }: ReportStyle): unknown {
  const { file, line, endLine, rule, pointer, message, suggestion, severity } = violation;
  const help = suggestion === undefined ? '' : `; did you mean ${quote(suggestion)}?`;
  return {
    description: visible(`${pointerText(pointer)}: ${message}${help}`),
    check_name: rule,
    fingerprint,
    severity: severity === 'error' ? 'major' : 'minor',
    location: { path: repositoryName(file, repository), lines: { begin: line, end: endLine } },
  };
}

function failureIssue({ file, message }: Failure, fingerprint: string, { repository }: ReportStyle): unknown {
  return {
    description: visible(`cannot be checked: ${message}`),
    check_name: 'failure',
    fingerprint,
    severity: 'critical',
    location: { path: repositoryName(file, repository), lines: { begin: 1, end: 1 } },
  };
}
