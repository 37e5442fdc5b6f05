/** The table of report formats. A format is a file and a row here. It is loaded when it is first needed. */
import { HTML_VIOLATIONS, PRETTY_VIOLATIONS, SARIF_VIOLATIONS } from '../limits.ts';
import type { Reporter, ReportStyle } from '../types.ts';
import { createPretty } from './pretty.ts';

export interface Format {
  /** For the man page. */
  readonly description: string;
  /** For programs: never coloured, and `--stats` goes elsewhere. */
  readonly machine: boolean;
  /** Violations shown without `--max-violations`; 0: all. */
  readonly defaultMaxViolations: number;
  /** Shows code frames, and so needs excerpts; `near`: no more of a line than what is near the violation. */
  readonly frames: boolean | 'near';
  /** Shows every member that is filled in. */
  readonly fills: boolean;
  /** Shows what violations are in the bytes of their files, and what `fill` would insert there. */
  readonly inFile: boolean;
  /** For a code host: names of files count from the top of the repository. */
  readonly hosted: boolean;
  readonly create: (style: ReportStyle) => Promise<Reporter>;
}

/** What is true of most formats. */
const USUAL = {
  machine: true,
  defaultMaxViolations: 0,
  frames: false,
  fills: false,
  inFile: false,
  hosted: false,
} satisfies Omit<Format, 'create' | 'description'>;

const TABLE = {
  pretty: {
    ...USUAL,
    description: 'for people: each violation with its place, a code frame and hints; the default',
    machine: false,
    defaultMaxViolations: PRETTY_VIOLATIONS,
    frames: true,
    create: createPretty,
  },
  line: {
    ...USUAL,
    description: 'file:line:column: rule message, one violation per line, for editors and grep',
    machine: false,
    create: async (style) => (await import('./line.ts')).createLine(style),
  },
  json: {
    ...USUAL,
    description: 'one document: violations, failures, sources and a summary',
    create: async (style) => (await import('./json.ts')).createJson(style),
  },
  ndjson: {
    ...USUAL,
    description: 'the same, one object per line; paylint render merges such reports',
    fills: true,
    create: async (style) => (await import('./json.ts')).createNdjson(style),
  },
  github: {
    ...USUAL,
    description: 'annotations of GitHub Actions, and a summary of the step',
    hosted: true,
    create: async (style) => (await import('./github.ts')).createGithub(style),
  },
  gitlab: {
    ...USUAL,
    description: 'Code Quality of GitLab',
    hosted: true,
    create: async (style) => (await import('./gitlab.ts')).createGitlab(style),
  },
  sarif: {
    ...USUAL,
    description: 'SARIF 2.1.0, for code scanning and editors',
    // Violations that are not shown are still counted in such a report.
    defaultMaxViolations: SARIF_VIOLATIONS,
    inFile: true,
    hosted: true,
    create: async (style) => (await import('./sarif.ts')).createSarif(style),
  },
  junit: {
    ...USUAL,
    description: 'JUnit XML, one suite per file, for nearly every CI system',
    create: async (style) => (await import('./junit.ts')).createJunit(style),
  },
  html: {
    ...USUAL,
    description: 'one self-contained page for a browser',
    // Violations that are not shown are still counted in such a report.
    defaultMaxViolations: HTML_VIOLATIONS,
    frames: 'near',
    create: async (style) => (await import('./html.ts')).createHtml(style),
  },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof TABLE;

export const FORMATS: Readonly<Record<FormatName, Format>> = TABLE;

/** In the order in which help lists them. */
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[]; // keys of a literal: all of them names

/** The format that fits the environment: `github` in GitHub Actions, else `pretty`. */
export const AUTO = 'auto';

/** The reporter of a format, for one run. */
export async function createReporter(name: FormatName, style: ReportStyle): Promise<Reporter> {
  const { machine, create } = FORMATS[name];
  return create(machine ? { ...style, colorLevel: 0 } : style);
}
