/**
 * What `render` checks of the reports that it was given: the same results twice would be counted twice, if shards of
 * a run are missing the result is incomplete, and a report whose summary contradicts its lines was changed. Each
 * check takes the lines of all reports, in their order.
 */
import { createHash, type Hash } from 'node:crypto';
import { type SourceCounts, type Summary, UNKNOWN_KIND, type Violation } from '../types.ts';
import { number } from '../words/number-text.ts';
import type { LineOf, ReportLine } from './report-lines.ts';

/** Most missing shards that a message names. */
const NAMED = 5;

/** A source of the present report. */
interface Source {
  readonly file: string;
  /** The same for the same file with the same results. */
  readonly key: string;
  /** `report.ndjson:3`. */
  readonly place: string;
}

interface Earlier {
  readonly place: string;
  /** The kinds of the report. Reports without a common kind are about different schemas. */
  readonly kinds: ReadonlySet<string>;
}

export class Given {
  /** Sources of the present report. */
  #sources: Source[] = [];
  /** Of the violations of the present source; null: there are none yet. */
  #hash: Hash | null = null;
  /** Sources of all reports before, by key. */
  readonly #earlier = new Map<string, Earlier>();
  /** Sources of all shares, by file. */
  readonly #inShares = new Map<string, string>();
  /** The place of each share, by the number of shares. */
  readonly #shares = new Map<number, Map<number, string>>();

  /** Takes the next line; `place`: where it is. Returns what is wrong, with the place; null: it is correct. */
  add(line: ReportLine, place: string): string | null {
    if (line.type === 'violation') this.#violation(line);
    if (line.type === 'source') this.#source(line, place);
    return line.type === 'summary' ? this.#summary(line, place) : null;
  }

  #violation({ payload, offset, pointer, rule, severity }: Violation): void {
    this.#hash ??= createHash('sha256');
    this.#hash.update(`${payload} ${offset} ${severity} ${rule} ${pointer}\n`);
  }

  #source(source: SourceCounts, place: string): void {
    const { file, payloads, valid, invalid, violations, warnings, filled } = source;
    const results = this.#hash?.digest('base64') ?? '';
    this.#hash = null;
    const key = JSON.stringify([file, payloads, valid, invalid, violations, warnings, filled, results]);
    this.#sources.push({ file, key, place });
  }

  #summary({ shard, kinds }: Summary, place: string): string | null {
    const sources = this.#sources;
    this.#sources = [];
    const [index = 1, count = 1] = shard?.split('/').map(Number) ?? [];
    if (index > count) return `${place}: there is no share ${index} of ${count}`;
    return (
      (count > 1 ? this.#share(index, count, place) : null) ??
      this.#again(sources, new Set(Object.keys(kinds).filter((kind) => kind !== UNKNOWN_KIND))) ??
      (count > 1 ? this.#overlap(sources) : null)
    );
  }

  #share(index: number, count: number, place: string): string | null {
    const places = this.#shares.get(count) ?? new Map<number, string>();
    this.#shares.set(count, places);
    const earlier = places.get(index);
    places.set(index, place);
    return earlier === undefined
      ? null
      : `${place}: the share ${index}/${count} is given twice: it is in ${earlier} too`;
  }

  /** A source that an earlier report has, with the same results. */
  #again(sources: readonly Source[], kinds: ReadonlySet<string>): string | null {
    for (const { file, key, place } of sources) {
      const earlier = this.#earlier.get(key);
      if (earlier !== undefined && isRelated(kinds, earlier.kinds)) {
        const hint = file === '<stdin>' ? '; --stdin-filename gives each input a name of its own' : '';
        return `${place}: ${file} has the same results in ${earlier.place}: a report is given twice${hint}`;
      }
      if (earlier === undefined) this.#earlier.set(key, { place, kinds });
    }
    return null;
  }

  /** A source that another share has. */
  #overlap(sources: readonly Source[]): string | null {
    for (const { file, place } of sources) {
      const earlier = this.#inShares.get(file);
      if (earlier !== undefined)
        return `${place}: ${file} is in ${earlier} too, but a file is in one share only: these are shares of different runs`;
      this.#inShares.set(file, place);
    }
    return null;
  }

  /** Call it after all reports. Returns which shards are missing, with the place of one that is present; null: none. */
  missing(): string | null {
    for (const [count, places] of this.#shares) {
      const many = count - places.size;
      if (many === 0) continue;
      const [[index, place] = [1, '']] = places;
      const named: string[] = [];
      for (let other = 1; named.length < Math.min(many, NAMED); other++)
        if (!places.has(other)) named.push(`${other}/${count}`);
      const rest = many > NAMED ? ` and ${number(many - NAMED)} more` : '';
      const are = many === 1 ? 'is' : 'are';
      return `${place}: this is the share ${index}/${count}, and ${named.join(', ')}${rest} ${are} missing`;
    }
    return null;
  }
}

/** Whether two reports may be about the same schema. A report without payloads may be about any schema. */
function isRelated(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === 0 || b.size === 0 || [...a].some((kind) => b.has(kind));
}

const COUNTS = ['payloads', 'valid', 'invalid', 'violations', 'warnings'] as const;

/** What the report lists for one source. */
interface Listed {
  readonly file: string;
  errors: number;
  warnings: number;
  fills: number;
}

/**
 * Checks that a report is consistent: its summary must be the sum of its sources, and violations may be listed or
 * only counted, so at most as many are listed as are counted. Takes the lines of one report.
 */
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
