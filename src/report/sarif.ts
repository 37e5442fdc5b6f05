/**
 * `sarif`: one run of SARIF 2.1.0 (OASIS), for code scanning services and editors. Results are written one after
 * another. Data that are complete only at the end (the rules and the notifications) follow them. At most 25,000 results
 * are listed, because services accept no more. If there are more, a notification gives their number.
 */
import { firstClause, RULES, ruleAddress } from '../keywords/rules.ts';
import { LISTED_FAILURES, SARIF_VIOLATIONS } from '../limits.ts';
import { type Viewed, viewsOf } from '../log/violation-table.ts';
import { repositoryPage, rulesPage, version } from '../package.ts';
import type { Child, Failure, FileEdit, Reporter, ReportStyle, Rule, Summary, Violation } from '../types.ts';
import { jsonText, visible } from '../words/escape.ts';
import { number } from '../words/number-text.ts';
import { Cap } from './cap.ts';
import { reporterOf } from './reporter.ts';
import { createFingerprints, encodePath, type Fingerprints, isAbsolute, repositoryName } from './repository.ts';
import { toleratedText } from './summary.ts';
import { below, withHelp } from './violation.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const ROOT = { SRCROOT: { description: { text: 'The folder that the names of the files are relative to.' } } };
const HEAD =
  `{"$schema":${jsonText(SCHEMA)},"version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits",` +
  `"originalUriBaseIds":${jsonText(ROOT)},"results":[`;

export function createSarif(style: ReportStyle): Reporter {
  const { maxViolations } = style;
  const cap = new Cap(maxViolations === 0 ? SARIF_VIOLATIONS : Math.min(maxViolations, SARIF_VIOLATIONS));
  const fingerprints = createFingerprints();
  const rules = new Map<Rule, number>();
  const failures: Failure[] = [];
  /** What checks say: nothing else explains them. */
  const checks = new Map<Rule, string>();
  let begun = false;

  return reporterOf({
    violations(event) {
      let text = '';
      for (const one of viewsOf(cap.admitted(event))) {
        const { rule } = one.violation;
        if (!rules.has(rule)) {
          rules.set(rule, rules.size);
          const { authorMessage, message, params } = one.violation;
          const isOfOne = rule.startsWith('check/') && Object.keys(params).length === 0;
          if (authorMessage !== undefined || isOfOne) checks.set(rule, authorMessage ?? message);
        }
        text += (begun ? ',\n' : `${HEAD}\n`) + jsonText(resultOf(one, rules, fingerprints, style));
        begun = true;
      }
      return text;
    },
    hidden: (event) => void cap.hide(event),
    failure: ({ failure }) => void (failures.length < LISTED_FAILURES && failures.push(failure)),
    summary({ summary }) {
      const invocation = {
        executionSuccessful: summary.failures === 0 && summary.interrupted === undefined,
        toolExecutionNotifications: [
          ...failures.map(({ file, message }) => ({
            level: 'error',
            message: { text: plainText(`${file} cannot be checked: ${message}`) },
            locations: [{ physicalLocation: { artifactLocation: artifactOf(file, style) } }],
          })),
          ...countNotifications(summary, failures.length, cap.more()),
        ],
      };
      const tail = `"tool":${jsonText(toolOf([...rules.keys()], checks))},\n"invocations":[${jsonText(invocation)}]`;
      return `${begun ? '\n' : HEAD}],\n${tail}}]}\n`;
    },
  });
}

function resultOf(
  { violation, inFile }: Viewed,
  rules: ReadonlyMap<Rule, number>,
  fingerprints: Fingerprints,
  style: ReportStyle,
): unknown {
  const { rule, severity, pointer, payload, offset, kind, params, schema, fixable, fix } = violation;
  const artifactLocation = artifactOf(violation.file, style);
  const text = textRegionOf(violation);
  // As text and as bytes (3.30.3): an offset without a length would be an insertion point (3.30.12).
  const region = inFile === undefined ? text : { ...text, byteOffset: offset, byteLength: inFile.byteLength };
  return {
    ruleId: rule,
    ruleIndex: rules.get(rule),
    level: severity,
    message: { text: plainText(withHelp(violation)) },
    locations: [
      { physicalLocation: { artifactLocation, region }, logicalLocations: [{ fullyQualifiedName: pointer }] },
    ],
    ...relatedTo(violation, artifactLocation),
    partialFingerprints: { 'paylint/v1': fingerprints(violation) },
    ...(inFile === undefined || inFile.edits.length === 0
      ? {}
      : { fixes: [fixOf(inFile.edits, fix, artifactLocation)] }),
    // Facts for which SARIF has no property. The offset is included because regions in compressed files have none.
    properties: { payload, offset, kind, params, schema, fixable, ...(fix === undefined ? {} : { fix }) },
  };
}

/** The items below a violation, as related locations (3.27.22). */
function relatedTo(violation: Violation, artifactLocation: unknown): object {
  const relatedLocations = Array.from(below(violation), ({ child }, i) => ({
    id: i + 1,
    physicalLocation: { artifactLocation, region: textRegionOf(child) },
    logicalLocations: [{ fullyQualifiedName: child.pointer }],
    message: { text: plainText(`${child.rule}: ${withHelp(child)}`) },
  }));
  return relatedLocations.length === 0 ? {} : { relatedLocations };
}

function textRegionOf({ line, column, endLine, endColumn }: Pick<Child, 'line' | 'column' | 'endLine' | 'endColumn'>) {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

/** Insertions are replacements of regions that are empty, deletions have no content (3.57.3, 3.57.4). */
function fixOf(edits: readonly FileEdit[], fix: Violation['fix'], artifactLocation: unknown): unknown {
  const isRemoved = fix === 'prune';
  return {
    description: {
      text: isRemoved
        ? 'Remove the member, as paylint prune does.'
        : 'Add the defaults of the schema, as paylint fill does.',
    },
    artifactChanges: [
      {
        artifactLocation,
        replacements: edits.map(({ offset, byteLength, text, ...region }) => ({
          deletedRegion: { ...textRegionOf(region), byteOffset: offset, byteLength },
          ...(isRemoved ? {} : { insertedContent: { text } }),
        })),
      },
    ],
  };
}

/** Relative to SRCROOT, or an absolute `file:` URI. `<stdin>` is treated as a file name. */
function artifactOf(file: string, { repository }: ReportStyle): unknown {
  const name = repositoryName(file, repository);
  if (!isAbsolute(name)) return { uri: encodePath(name), uriBaseId: 'SRCROOT' };
  return { uri: `file://${name.startsWith('/') ? '' : '/'}${encodePath(name)}` };
}

/** On one line and harmless. `](` is split, so that no viewer shows payload text as a link (3.11.6). */
function plainText(text: string): string {
  return visible(text).replace(/\](?=\()/g, '\\u005d');
}

function toolOf(rules: readonly Rule[], checks: ReadonlyMap<Rule, string>): unknown {
  const page = repositoryPage();
  const explanations = rulesPage();
  return {
    driver: {
      name: 'paylint',
      ...(page === null ? {} : { informationUri: page }),
      semanticVersion: version(),
      rules: rules.map((rule) => descriptorOf(rule, checks, explanations)),
    },
  };
}

function descriptorOf(rule: Rule, checks: ReadonlyMap<Rule, string>, explanations: string | null): unknown {
  const known = RULES.get(rule);
  const meaning = known?.text.meaning ?? checks.get(rule) ?? `The schema's "${visible(rule)}" does not hold.`;
  const help = known === undefined ? meaning : `${meaning} ${known.text.fix}`;
  const address = ruleAddress(explanations, rule);
  return {
    id: rule,
    shortDescription: { text: plainText(`${firstClause(meaning)}.`) },
    fullDescription: { text: plainText(meaning) },
    help: { text: plainText(help) },
    ...(address === null ? {} : { helpUri: address }),
    defaultConfiguration: { level: rule === 'deprecated' ? 'warning' : 'error' },
  };
}

/** The notifications about an interrupted run, and about what is not listed. */
function countNotifications(
  { failures, interrupted, tolerated }: Summary,
  listed: number,
  more: string | null,
): unknown[] {
  const notices: string[] = [];
  if (interrupted) notices.push('The run was stopped before all files were checked.');
  if (more !== null) notices.push(`Not all violations are listed: ${more}`);
  if (tolerated !== undefined) notices.push(`${toleratedText(tolerated)}.`);
  if (failures > listed) notices.push(`Not all failures are listed: … and ${number(failures - listed)} more`);
  return notices.map((text) => ({ level: 'warning', message: { text: plainText(text) } }));
}
