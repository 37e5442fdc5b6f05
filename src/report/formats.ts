/**
 * The table of report formats. A format is a file and a row here. It is loaded when it is first needed.
 */
import type { Reporter, ReportStyle } from '../types.ts';
import { createPretty } from './pretty.ts';

export interface Format {
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

export const FORMATS = {
  pretty: {
    machine: false,
    defaultMaxViolations: 50,
    frames: true,
    fills: false,
    inFile: false,
    hosted: false,
    create: createPretty,
  },
  line: {
    machine: false,
    defaultMaxViolations: 0,
    frames: false,
    fills: false,
    inFile: false,
    hosted: false,
    create: async (style) => (await import('./line.ts')).createLine(style),
  },
  json: {
    machine: true,
    defaultMaxViolations: 0,
    frames: false,
    fills: false,
    inFile: false,
    hosted: false,
    create: async (style) => (await import('./json.ts')).createJson(style),
  },
  ndjson: {
    machine: true,
    defaultMaxViolations: 0,
    frames: false,
    fills: true,
    inFile: false,
    hosted: false,
    create: async (style) => (await import('./ndjson.ts')).createNdjson(style),
  },
  github: {
    machine: true,
    defaultMaxViolations: 0,
    frames: false,
    fills: false,
    inFile: false,
    hosted: true,
    create: async (style) => (await import('./github.ts')).createGithub(style),
  },
  gitlab: {
    machine: true,
    defaultMaxViolations: 0,
    frames: false,
    fills: false,
    inFile: false,
    hosted: true,
    create: async (style) => (await import('./gitlab.ts')).createGitlab(style),
  },
  sarif: {
    machine: true,
    // Violations that are not shown are still counted in such a report.
    defaultMaxViolations: 25_000,
    frames: false,
    fills: false,
    inFile: true,
    hosted: true,
    create: async (style) => (await import('./sarif.ts')).createSarif(style),
  },
  junit: {
    machine: true,
    defaultMaxViolations: 0,
    frames: false,
    fills: false,
    inFile: false,
    hosted: false,
    create: async (style) => (await import('./junit.ts')).createJunit(style),
  },
  html: {
    machine: true,
    // Violations that are not shown are still counted in such a report.
    defaultMaxViolations: 100_000,
    frames: 'near',
    fills: false,
    inFile: false,
    hosted: false,
    create: async (style) => (await import('./html.ts')).createHtml(style),
  },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

/** In the order in which help lists them. */
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[]; // keys of a literal: all of them names

/** The format that fits the environment: `github` in GitHub Actions, else `pretty`. */
export const AUTO = 'auto';

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

/** The reporter of a format, for one run. */
export async function createReporter(name: FormatName, style: ReportStyle): Promise<Reporter> {
  const { machine, create } = FORMATS[name];
  return machine ? create({ ...style, colorLevel: 0 }) : shownIn(style, await create(style));
}

/** The reporter of `--stats` for a stream of its own. */
export async function createStatsReporter(style: ReportStyle): Promise<Reporter> {
  const { createStats } = await import('./stats.ts');
  return shownIn(style, await createStats(style));
}

async function shownIn({ unicode }: ReportStyle, reporter: Reporter): Promise<Reporter> {
  if (unicode) return reporter;
  const { inAscii } = await import('./ascii.ts');
  return inAscii(reporter);
}
