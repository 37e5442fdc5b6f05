/**
 * Checks that a report is consistent: its summary must be the sum of its sources, and violations may be listed or only
 * counted, so at most as many are listed as are counted.
 */
import type { SourceCounts, Summary } from '../types.ts';
import { number } from './number-text.ts';
import type { LineOf, ReportLine } from './report-lines.ts';

const COUNTS = ['payloads', 'valid', 'invalid', 'violations', 'warnings'] as const;

/** What the report lists for one source. */
interface Listed {
  readonly file: string;
  errors: number;
  warnings: number;
  fills: number;
}

/** Takes the lines of one report. */
export class Agreement {
  /** The current source; null: no line since the last source was about one. */
  #listed: Listed | null = null;
  #sources = 0;
  #failures = 0;
  /** Of all sources. */
  readonly #totals = { payloads: 0, valid: 0, invalid: 0, violations: 0, warnings: 0 };

  /** Takes the next line. Returns what it contradicts; null if it is consistent. */
  add(line: ReportLine): string | null {
    if (line.type === 'failure') {
      this.#failures++;
      return null;
    }
    if (line.type !== 'summary' && (this.#listed === null || this.#listed.file === line.file)) {
      this.#listed ??= { file: line.file, errors: 0, warnings: 0, fills: 0 };
      return this.#inSource(line, this.#listed);
    }
    if (this.#listed !== null) return 'the line before is about a file whose counts are missing';
    return line.type === 'summary' ? this.#inSummary(line) : null;
  }

  #inSource(line: LineOf<'violation' | 'fill' | 'source'>, listed: Listed): string | null {
    if (line.type === 'source') return this.#counted(line, listed);
    if (line.type === 'fill') listed.fills++;
    else if (line.severity === 'error') listed.errors++;
    else listed.warnings++;
    return null;
  }

  #counted(source: SourceCounts, listed: Listed): string | null {
    this.#listed = null;
    this.#sources++;
    for (const name of COUNTS) this.#totals[name] += source[name];
    return (
      tooMany('violations', listed.errors, source.violations) ??
      tooMany('warnings', listed.warnings, source.warnings) ??
      tooMany('members filled in', listed.fills, source.filled ?? 0)
    );
  }

  #inSummary(summary: Summary): string | null {
    const found = { sources: this.#sources, failures: this.#failures, ...this.#totals };
    for (const name of ['sources', 'failures', ...COUNTS] as const)
      if (summary[name] !== found[name])
        return `${name}: ${number(summary[name])} in the summary, but ${number(found[name])} in the lines before it`;
    return null;
  }
}

function tooMany(name: string, listed: number, counted: number): string | null {
  return listed > counted ? `${name}: ${number(listed)} listed, but ${number(counted)} counted` : null;
}
