/**
 * The lines of the NDJSON reports that `render` is given. Most violations of a large report say the same about
 * different places, so the text after the place is parsed, and checked, only if no line before had it. That works for
 * lines laid out as `ndjson` writes them; every other line is parsed.
 *
 * The same results twice would be counted twice, if shards of a run are missing the result is incomplete, and a
 * report whose summary contradicts its lines was changed: the checks for that take the lines in their order.
 */
import { createHash, type Hash } from 'node:crypto';
import { Judge, loadJudgeModules } from '../engine/judge/judge.ts';
import { violationAt } from '../log/violation-table.ts';
import type { SchemaSet } from '../schema/set.ts';
import {
  allCompared,
  type Failure,
  type FilledPlace,
  type PrunedPlace,
  type SourceCounts,
  type Statement,
  type Summary,
  UNKNOWN_KIND,
  type Violation,
  type ViolationPlace,
} from '../types.ts';
import { number, plural } from '../words/number-text.ts';

/** A line of a report that fits the schema. */
export type ReportLine =
  | ({ readonly type: 'violation' } & Violation)
  | ({ readonly type: 'fill' } & FilledPlace)
  | ({ readonly type: 'prune' } & PrunedPlace)
  | ({ readonly type: 'failure' } & Failure)
  | ({ readonly type: 'source' } & SourceCounts)
  | ({ readonly type: 'summary' } & Summary);

export type LineOf<Type extends ReportLine['type']> = Extract<ReportLine, { readonly type: Type }>;

/** A line of a violation in its parts. */
export interface ViolationLine {
  readonly type: 'violation';
  readonly place: ViolationPlace;
  readonly statement: Statement;
  /** An earlier line had the same object as its statement. */
  readonly again: boolean;
}

/** Most statements that are kept, and the longest of them, in code units. */
const MOST_STATEMENTS = 10_000;
const LONGEST_STATEMENT = 2000;

const COUNT = '(0|[1-9]\\d{0,14})';
const POSITION = '([1-9]\\d{0,14})';

const PLACE = new RegExp(
  `^\\{"type":"violation","file":("(?:[^"\\\\]|\\\\.)*"),"payload":${COUNT},"line":${POSITION},"column":${POSITION},` +
    `"endLine":${POSITION},"endColumn":${POSITION},"offset":${COUNT},(?="kind":)`,
);

/** Takes the lines of one report, or of one source, in their order. */
export class ReportLines {
  /** The file of the latest violation, and how its line writes it. */
  #file = { text: '', name: '' };
  /** By the text of the line after the place. */
  readonly #statements = new Map<string, Statement>();

  /** The violation on a line of which only the place is new; null: parse it, check it, and give it to `add`. */
  find(text: string): ViolationLine | null {
    const match = PLACE.exec(text);
    if (match === null || match[1] !== this.#file.text) return null;
    const statement = this.#statements.get(text.slice(match[0].length));
    if (statement === undefined) return null;
    const place = {
      file: this.#file.name,
      payload: Number(match[2]),
      line: Number(match[3]),
      column: Number(match[4]),
      endLine: Number(match[5]),
      endColumn: Number(match[6]),
      offset: Number(match[7]),
    };
    return { type: 'violation', place, statement, again: true };
  }

  /** The parts of a correct violation, which was parsed from `text`. */
  add(text: string, parsed: LineOf<'violation'>): ViolationLine {
    const { type, file, payload, line, column, endLine, endColumn, offset, ...statement } = parsed;
    const match = PLACE.exec(text);
    if (match !== null) {
      this.#file = { text: match[1]!, name: file }; // the expression has the group
      const rest = text.slice(match[0].length);
      if (rest.length <= LONGEST_STATEMENT && this.#statements.size < MOST_STATEMENTS)
        this.#statements.set(rest, statement);
    }
    const place = { file, payload, line, column, endLine, endColumn, offset };
    return { type, place, statement, again: false };
  }

  /** A line that was checked before. */
  read(text: string): Exclude<ReportLine, { type: 'violation' }> | ViolationLine {
    const known = this.find(text);
    if (known !== null) return known;
    const line = JSON.parse(text) as ReportLine; // it was checked
    return line.type === 'violation' ? this.add(text, line) : line;
  }
}

/** The violation as it was on its line. */
export function lineOf({ type, place, statement }: ViolationLine): LineOf<'violation'> {
  return Object.assign(violationAt(place, statement), { type });
}

/** Most missing shards that a message names. */
const NAMED = 5;

/** A source of the present report. */
interface ReportSource {
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

/** Most versions that are named. */
const MOST_VERSIONS = 5;

export class RenderInputs {
  /** The reports are of `compare`; null: none has ended. */
  #compares: boolean | 'ajv' | null = null;
  /** Sources of the present report. */
  #sources: ReportSource[] = [];
  /** Of the violations of the present source; null: there are none yet. */
  #hash: Hash | null = null;
  /** Sources of all reports before, by key. */
  readonly #earlier = new Map<string, Earlier>();
  /** Sources of all shards, by file. */
  readonly #inShares = new Map<string, string>();
  /** The place of each shard, by the number of shards. */
  readonly #shards = new Map<number, Map<number, string>>();
  /** Versions of paylint that made the reports. */
  readonly #versions = new Set<string>();

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
    const { file, payloads, valid, invalid, violations, warnings, filled, pruned } = source;
    const results = this.#hash?.digest('base64') ?? '';
    this.#hash = null;
    const key = JSON.stringify([file, payloads, valid, invalid, violations, warnings, filled, pruned, results]);
    this.#sources.push({ file, key, place });
  }

  #summary({ version, shard, kinds, compare }: Summary & { readonly version?: string }, place: string): string | null {
    this.addVersion(version);
    const sources = this.#sources;
    this.#sources = [];
    const compares = compare === undefined ? false : (compare.judge ?? true);
    this.#compares ??= compares;
    if (compares !== this.#compares) {
      const [one, other] =
        compares && this.#compares
          ? ['a report', 'others are of another validator']
          : compares
            ? ['a report', 'others are not']
            : ['no report', 'others are'];
      return `${place}: this is ${one} of compare, and ${other}: they cannot be merged`;
    }
    return (
      this.addShare(shard, place) ??
      this.#again(sources, new Set(Object.keys(kinds).filter((kind) => kind !== UNKNOWN_KIND))) ??
      (shard === undefined || shard.endsWith('/1') ? null : this.#overlap(sources))
    );
  }

  /** Absent: the report does not name it. */
  addVersion(version: string | undefined): void {
    if (version !== undefined) this.#versions.add(version);
  }

  /** A clause for reports that were made by several versions of paylint; null: they were not. */
  mixed(): string | null {
    const all = [...this.#versions].sort();
    if (all.length < 2) return null;
    return `the reports were made by different versions of paylint (${all.slice(0, MOST_VERSIONS).join(', ')}), which may check payloads differently`;
  }

  /** Takes the shard that a summary names. Returns what is wrong, as `add` does. */
  addShare(shard: string | undefined, place: string): string | null {
    const [index = 1, count = 1] = shard?.split('/').map(Number) ?? [];
    if (index > count) return `${place}: there is no shard ${index} of ${count}`;
    if (count === 1) return null;
    const places = this.#shards.get(count) ?? new Map<number, string>();
    this.#shards.set(count, places);
    const earlier = places.get(index);
    places.set(index, place);
    return earlier === undefined
      ? null
      : `${place}: the shard ${index}/${count} is given twice: it is in ${earlier} too`;
  }

  /** A source that an earlier report has, with the same results. */
  #again(sources: readonly ReportSource[], kinds: ReadonlySet<string>): string | null {
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

  /** A source that another shard has. */
  #overlap(sources: readonly ReportSource[]): string | null {
    for (const { file, place } of sources) {
      const earlier = this.#inShares.get(file);
      if (earlier !== undefined)
        return `${place}: ${file} is in ${earlier} too, but a file is in one shard only: these are shards of different runs`;
      this.#inShares.set(file, place);
    }
    return null;
  }

  /** Call it after all reports. Returns which shards are missing, with the place of one that is present; null: none. */
  missing(): string | null {
    for (const [count, places] of this.#shards) {
      const many = count - places.size;
      if (many === 0) continue;
      const [[index, place] = [1, '']] = places;
      const named: string[] = [];
      for (let other = 1; named.length < Math.min(many, NAMED); other++)
        if (!places.has(other)) named.push(`${other}/${count}`);
      const rest = many > NAMED ? ` and ${number(many - NAMED)} more` : '';
      const are = many === 1 ? 'is' : 'are';
      return `${place}: this is the shard ${index}/${count}, and ${named.join(', ')}${rest} ${are} missing`;
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
  prunes: number;
}

/**
 * Checks that a report is consistent: its summary must be the sum of its sources, and violations may be listed or
 * only counted, so at most as many are listed as are counted. Takes the lines of one report.
 */
export class ConsistencyCheck {
  /** The current source; null: no line since the last source was about one. */
  #listed: Listed | null = null;
  #sources = 0;
  #failures = 0;
  readonly #totals = { payloads: 0, valid: 0, invalid: 0, violations: 0, warnings: 0 };

  /** Takes the next line. Returns what it contradicts; null if it is consistent. */
  add(line: ReportLine): string | null {
    if (line.type === 'failure') {
      this.#failures++;
      return null;
    }
    if (line.type !== 'summary' && (this.#listed === null || this.#listed.file === line.file)) {
      this.#listed ??= { file: line.file, errors: 0, warnings: 0, fills: 0, prunes: 0 };
      return this.#inSource(line, this.#listed);
    }
    if (this.#listed !== null) return 'the line before is about a file whose counts are missing';
    return line.type === 'summary' ? this.#inSummary(line) : null;
  }

  #inSource(line: LineOf<'violation' | 'fill' | 'prune' | 'source'>, listed: Listed): string | null {
    if (line.type === 'source') return this.#counted(line, listed);
    if (line.type === 'fill') listed.fills++;
    else if (line.type === 'prune') listed.prunes++;
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
      tooMany('members filled in', listed.fills, source.filled ?? 0) ??
      tooMany('members removed', listed.prunes, source.pruned ?? 0)
    );
  }

  #inSummary(summary: Summary): string | null {
    const found = { sources: this.#sources, failures: this.#failures, ...this.#totals };
    for (const name of ['sources', 'failures', ...COUNTS] as const)
      if (summary[name] !== found[name])
        return `${name}: ${number(summary[name])} in the summary, but ${number(found[name])} in the lines before it`;
    const { compare, payloads } = summary;
    const compared = compare === undefined ? payloads : allCompared(compare);
    return compared === payloads ? null : `compare: ${number(compared)} of ${plural(payloads, 'payload')}`;
  }
}

function tooMany(name: string, listed: number, counted: number): string | null {
  return listed > counted ? `${name}: ${number(listed)} listed, but ${number(counted)} counted` : null;
}

/** Judges documents that paylint has written, by their schema. */
export async function judgeOf(set: SchemaSet): Promise<Judge> {
  return new Judge(await loadJudgeModules(set));
}
