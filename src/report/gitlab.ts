/**
 * `gitlab`: Code Quality, which GitLab shows beside a merge request: one array with one object per violation, written
 * one after another. https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
import type {
  Failure,
  NotedEvent,
  NotedViolations,
  ReportEvent,
  Reporter,
  ReportStyle,
  Said,
} from '../types.ts';
import { jsonText, visible } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { childLines, withHelp } from './children.ts';
import { createFingerprints, type Digests, type Fingerprints } from './fingerprint.ts';
import { factsAt, NOTED, NOTED_ROW } from './noted.ts';
import { pointerText } from './paint.ts';
import { repositoryName } from './repository.ts';

/** The text before the fingerprint, and the text between the fingerprint and the line. */
interface Issue {
  readonly head: string;
  readonly tail: string;
}

export function createGitlab(style: ReportStyle): Reporter {
  const cap = createCap(style.maxViolations);
  const fingerprints = createFingerprints();
  const failures = createFingerprints();
  let begun = false;

  const element = (text: string): string => {
    const before = begun ? BETWEEN : BEGIN;
    begun = true;
    return before + text;
  };

  const report = (event: ReportEvent): string => {
    switch (event.type) {
      case 'violation': {
        const { violation } = event;
        if (!cap.admits(violation)) return '';
        const issue = violationIssue(violation.file, violation, style);
        return element(textOf(issue, fingerprints.of(violation), violation.line, violation.endLine));
      }
      case 'failure': {
        const fingerprint = failures.of({ ...event.failure, pointer: '', rule: 'failure', schema: null });
        return element(textOf(failureIssue(event.failure, style), fingerprint, 1, 1));
      }
      case 'summary':
        return begun ? '\n]\n' : '[]\n';
      default:
        return '';
    }
  };
  if (style.maxViolations > 0) return report;
  const elements = notedElements(fingerprints, style);
  const write = (event: NotedEvent): string => element(elements(event));
  return Object.assign(report, { noted: { form: 'facts' as const, write } });
}

const BEGIN = '[\n';
const BETWEEN = ',\n';

/** Returns a function that gives the text for all violations of an event. */
function notedElements(fingerprints: Fingerprints, style: ReportStyle): (event: NotedEvent) => string {
  let present: NotedViolations | null = null;
  let known: { readonly said: Said; readonly issue: Issue; readonly digests: Digests }[] = [];
  return ({ violations, from, to, lines }) => {
    if (violations !== present) known = [];
    present = violations;
    const { file, rows } = violations;
    const texts: string[] = [];
    for (let row = from * NOTED_ROW; row < to * NOTED_ROW; row += NOTED_ROW) {
      const index = rows[row]!;
      if (known[index] === undefined) {
        const said = factsAt(violations, index);
        known[index] = { said, issue: violationIssue(file, said, style), digests: {} };
      }
      const { said, issue, digests } = known[index];
      const line = lines + rows[row + NOTED.line]!;
      texts.push(textOf(issue, fingerprints.of({ file, ...said }, digests), line, line));
    }
    return texts.join(BETWEEN);
  };
}

function textOf({ head, tail }: Issue, fingerprint: string, begin: number, end: number): string {
  return `${head}${fingerprint}${tail}${begin},"end":${end}}}}`;
}

function violationIssue(file: string, said: Said, style: ReportStyle): Issue {
  const { rule, pointer, severity } = said;
  const description = [`${pointerText(pointer)}: ${withHelp(said)}`, ...childLines(said)];
  return issueOf({ description, rule, severity: severity === 'error' ? 'major' : 'minor', file }, style);
}

function failureIssue({ file, message }: Failure, style: ReportStyle): Issue {
  const description = [`cannot be checked: ${message}`];
  return issueOf({ description, rule: 'failure', severity: 'critical', file }, style);
}

interface IssueFacts {
  /** Lines. */
  readonly description: readonly string[];
  readonly rule: string;
  readonly severity: 'critical' | 'major' | 'minor';
  readonly file: string;
}

/** As a JSON text: each line is harmless by itself. */
function jsonLines(lines: readonly string[]): string {
  const texts = lines.map((line) => jsonText(visible(line)).slice(1, -1));
  return `"${texts.join('\\n')}"`;
}

function issueOf({ description, rule, severity, file }: IssueFacts, { repository }: ReportStyle): Issue {
  const path = jsonText(repositoryName(file, repository));
  return {
    head: `{"description":${jsonLines(description)},"check_name":${jsonText(rule)},"fingerprint":"`,
    tail: `","severity":"${severity}","location":{"path":${path},"lines":{"begin":`,
  };
}
