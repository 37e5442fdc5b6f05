/**
 * The baseline: violations that are known and do not fail a run. It is a filter in front of the reports: known
 * violations are not reported, only counted as known, and a payload whose errors are all known counts as valid.
 * Violations about input that could not be read are never known. The baseline sees events in the order of the
 * sources, so the number of threads makes no difference.
 *
 * Its text is a line that identifies the file, then one line per entry, sorted, each after a blank line.
 */

import { isUtf8 } from 'node:buffer';
import { dirname, relative, resolve } from 'node:path';
import { UsageError, unlessFailed } from '../errors.ts';
import { patternOfViolation } from '../json/pointer-pattern.ts';
import { filtered } from '../log/violation-table.ts';
import { slashed } from '../source/path-text.ts';
import {
  type ReportEvent,
  type Rule,
  type SourceCounts,
  type Summary,
  UNKNOWN_KIND,
  type Violation,
} from '../types.ts';
import { cutTo, jsonText, visible } from '../words/escape.ts';

/** Violations of a rule, at one place of one file. */
export interface Known {
  /** As the baseline names it. */
  readonly file: string;
  /** RFC 6901, with `*` for any index. */
  readonly pointer: string;
  readonly rule: Rule;
  /** At least 1. */
  readonly count: number;
}

/** Rules about input that could not be read: other faults of the payload, and of later ones, are unknown. */
const UNREAD: ReadonlySet<Rule> = new Set(['json-syntax', 'json-encoding', 'nested-too-deep', 'payload-too-large']);

/** Code units of a pointer that a baseline keeps: a member name may be megabytes long. */
const POINTER_MAX = 300;

/** Entries with the same key are the same; the keys of a sorted baseline ascend. */
export function keyOf({ file, pointer, rule }: Omit<Known, 'count'>): string {
  return JSON.stringify([file, pointer, rule]);
}

interface Totals {
  errors: number;
  warnings: number;
}

/** The payload of the latest violations. */
interface Payload {
  readonly index: number;
  readonly kind: string | null;
  /** All of its errors so far are known. */
  isKnown: boolean;
}

interface BaselineUse {
  /** All violations are known, because they will become the baseline. */
  readonly takesAll: boolean;
  /** The name in the baseline for a file of the report. */
  readonly nameOf: (file: string) => string;
  /** The run does not look for violations of this rule; null: the summary says whether there is such a rule. */
  readonly isOff: ((rule: Rule) => boolean) | null;
}

export class Baseline {
  readonly #known: readonly Known[];
  readonly #use: BaselineUse;
  /** Violations of rules that were off. */
  #off = 0;
  /** Number of violations found, by key. */
  readonly #found = new Map<string, number>();
  readonly #limits: ReadonlyMap<string, number>;
  /** Known violations, and those of them in the sources before the present one. */
  readonly #all: Totals = { errors: 0, warnings: 0 };
  #before: Totals = { errors: 0, warnings: 0 };
  /** Violations that are not known. */
  readonly #others: Totals = { errors: 0, warnings: 0 };
  /** The latest payload with errors; null: none yet in this source. */
  #payload: Payload | null = null;
  /** Payloads whose errors are all known: in the present source, and in all, by kind. */
  #pardoned = 0;
  readonly #pardonedByKind = new Map<string, number>();
  /** Payloads with known violations, and the last of them in this source. */
  #knownPayloads = 0;
  #lastKnown: number | null = null;
  /** Violations that are never known, by rule, and the payload of the last of them in this source. */
  readonly unread = new Map<Rule, number>();
  #lastUnread: number | null = null;
  readonly #knownByRule = new Map<Rule, number>();
  readonly #checked = new Set<string>();
  /** Files that were not read as a whole. */
  readonly #failed = new Set<string>();
  #isWhole = true;
  /** The last file and its name in the baseline: violations arrive file by file. */
  #name = { file: '', name: '' };

  constructor(entries: readonly Known[], use: BaselineUse) {
    const known = entries.filter(({ rule }) => !UNREAD.has(rule));
    this.#known = known;
    this.#use = use;
    this.#limits = new Map(known.map((one) => [keyOf(one), one.count]));
  }

  /** What is not known: `counts`, of the whole run, without the payloads whose violations are all known. */
  others<C extends Pick<Summary, 'invalid'>>(counts: C): C & Pick<Summary, 'warnings'> {
    const { errors, warnings } = this.#others;
    // Violations that are only counted are never known.
    const invalid = Math.max(counts.invalid - this.#pardonedInAll(), Math.min(errors, 1));
    return { ...counts, invalid, warnings };
  }

  #pardonedInAll(): number {
    return [...this.#pardonedByKind.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The event as the reports get it; null if they do not get it. */
  event(event: ReportEvent): ReportEvent | null {
    switch (event.type) {
      case 'violations':
        return filtered(event, (violation) => !this.knows(violation));
      case 'hidden':
        // The baseline cannot tell whether they are known.
        this.#others.errors += event.count;
        return event;
      case 'failure':
        this.#failed.add(this.#named(event.failure.file));
        return event;
      case 'source':
        return { ...event, source: this.#source(event.source) };
      case 'summary':
        return { ...event, summary: this.#summary(event.summary) };
      default:
        return event;
    }
  }

  #named(file: string): string {
    if (this.#name.file !== file) this.#name = { file, name: this.#use.nameOf(file) };
    return this.#name.name;
  }

  /** Counts a violation. Returns whether it is known. */
  knows(violation: Violation): boolean {
    const { rule, severity, payload, kind } = violation;
    const isKnown = this.#takes(violation);
    const totals = isKnown ? this.#all : this.#others;
    if (severity === 'error') {
      totals.errors++;
      this.#error(payload, kind, isKnown);
    } else totals.warnings++;
    if (!isKnown) return false;
    this.#knownByRule.set(rule, (this.#knownByRule.get(rule) ?? 0) + 1);
    if (this.#lastKnown !== payload) this.#knownPayloads++;
    this.#lastKnown = payload;
    return true;
  }

  /** Counts a violation. Returns whether it is known. */
  #takes(violation: Violation): boolean {
    const { file, rule, payload } = violation;
    if (UNREAD.has(rule)) {
      this.unread.set(rule, (this.unread.get(rule) ?? 0) + 1);
      this.#lastUnread = payload;
      return false;
    }
    const name = this.#named(file);
    const key = keyOf({ file: name, pointer: cutTo(POINTER_MAX, patternOfViolation(violation)), rule });
    const count = (this.#found.get(key) ?? 0) + 1;
    this.#found.set(key, count);
    return this.#use.takesAll || count <= (this.#limits.get(key) ?? 0);
  }

  /** A payload's violations come one after another. */
  #error(index: number, kind: string | null, isKnown: boolean): void {
    if (this.#payload?.index !== index) {
      this.#endPayload();
      this.#payload = { index, kind, isKnown: true };
    }
    this.#payload.isKnown &&= isKnown;
  }

  #endPayload(): void {
    if (this.#payload?.isKnown) {
      const kind = this.#payload.kind ?? UNKNOWN_KIND;
      this.#pardoned++;
      this.#pardonedByKind.set(kind, (this.#pardonedByKind.get(kind) ?? 0) + 1);
    }
    this.#payload = null;
  }

  #source(source: SourceCounts): SourceCounts {
    const name = this.#named(source.file);
    this.#checked.add(name);
    // The file may have more payloads after this one, so the known violations may still be there.
    if (this.#lastUnread === source.payloads - 1) this.#failed.add(name);
    this.#lastUnread = null;
    this.#endPayload();
    const [errors, warnings] = [this.#all.errors - this.#before.errors, this.#all.warnings - this.#before.warnings];
    this.#before = { ...this.#all };
    const pardoned = this.#pardoned;
    this.#pardoned = 0;
    this.#lastKnown = null;
    return {
      ...source,
      ...passing(source, pardoned),
      violations: source.violations - errors,
      warnings: source.warnings - warnings,
    };
  }

  #summary(summary: Summary): Summary {
    this.#endPayload();
    const pardoned = this.#pardonedInAll();
    const kinds = Object.entries(summary.kinds).map(
      ([kind, counts]) => [kind, { ...counts, ...passing(counts, this.#pardonedByKind.get(kind) ?? 0) }] as const,
    );
    this.#isWhole = summary.interrupted !== true;
    this.#off = summary.off ?? 0;
    const { errors, warnings } = this.#all;
    const rules = Object.entries(summary.rules).map(
      ([rule, count]) => [rule, count - (this.#knownByRule.get(rule) ?? 0)] as const,
    );
    return {
      ...summary,
      ...passing(summary, pardoned),
      kinds: Object.fromEntries(kinds),
      violations: summary.violations - errors,
      warnings: summary.warnings - warnings,
      rules: Object.fromEntries(rules.filter(([, count]) => count > 0)),
      known: errors + warnings,
      knownPayloads: this.#knownPayloads,
    };
  }

  /**
   * Entries of the baseline that the run has not found, in the baseline's order; call it after the summary. Only entries of files
   * that were checked to their end, or that are gone, and of rules that were looked for. None if the run was not whole.
   */
  fixed(isGone: (file: string) => boolean): Known[] {
    if (!this.#isWhole) return [];
    return this.#known.flatMap((one) => {
      const { file, rule, count } = one;
      const isChecked = this.#checked.has(file) ? !this.#failed.has(file) : isGone(file);
      const left = count - (this.#found.get(keyOf(one)) ?? 0);
      const isOff = this.#use.isOff === null ? this.#off > 0 : this.#use.isOff(rule);
      return isChecked && !isOff && left > 0 ? [{ ...one, count: left }] : [];
    });
  }

  /** The baseline as it should be now, sorted. */
  updated(isGone: (file: string) => boolean): Known[] {
    const counts = new Map(this.#limits);
    for (const [key, count] of this.#found) counts.set(key, Math.max(count, counts.get(key) ?? 0));
    for (const one of this.fixed(isGone)) {
      const key = keyOf(one);
      counts.set(key, (counts.get(key) ?? 0) - one.count);
    }
    return [...counts]
      .filter(([, count]) => count > 0)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, count]) => {
        const [file, pointer, rule] = JSON.parse(key) as [string, string, string]; // `keyOf` has made the key
        return { file, pointer, rule, count };
      });
  }
}

/** The counts once `pardoned` of the invalid payloads count as valid. */
function passing(
  { valid, invalid }: Pick<Summary, 'valid' | 'invalid'>,
  pardoned: number,
): Pick<Summary, 'valid' | 'invalid'> {
  return { valid: valid + pardoned, invalid: invalid - pardoned };
}

const FORMAT = 'paylint-baseline';
const VERSION = 1;
const FILE_HEAD = jsonText({ format: FORMAT, version: VERSION });

/** The name of standard input in reports and in baselines, unless a flag gives it another. */
export const STDIN = '<stdin>';

/** Names in the baseline at the absolute `path` for files of a report of a run in `cwd`: relative to the baseline's folder. */
export function namesIn(path: string, cwd: string): (file: string) => string {
  return (file) => (file === STDIN ? file : slashed(relative(dirname(path), resolve(cwd, file))));
}

/** The entries of the file `name`; a byte order mark is skipped. Throws UsageError with the line. */
export function readBaseline(bytes: Buffer, name: string): Known[] {
  if (!isUtf8(bytes)) throw new UsageError(`the baseline ${visible(name)} is damaged: it is not UTF-8`);
  const text = bytes.toString();
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const fail = (index: number, why: string): UsageError => new UsageError(`${visible(name)}:${index + 1}: ${why}`);
  if (text.trim() === '') throw fail(0, 'the baseline is empty; delete it, and --update-baseline makes a new one');
  const head = parsed(lines[0] ?? '');
  if (head === null || head.format !== FORMAT)
    throw fail(0, `this is not a baseline, which begins with the line ${FILE_HEAD}`);
  if (head.version !== VERSION) throw fail(0, 'this baseline is of another version of paylint');
  const known: Known[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    if (/^(<{7}|={7}|>{7}|\|{7})/.test(line))
      throw fail(index, 'there is a conflict of a merge; keep the entries of both sides, or make a new baseline');
    const entry = entryOf(line);
    if (entry === null)
      throw fail(index, 'expected an entry, {"file": …, "pointer": …, "rule": …, "count": at least 1}');
    const earlier = lineOf.get(keyOf(entry));
    if (earlier !== undefined) throw fail(index, `the same entry as in line ${earlier + 1}`);
    lineOf.set(keyOf(entry), index);
    known.push(entry);
  }
  return known;
}

function parsed(line: string): Record<string, unknown> | null {
  const value = unlessFailed((): unknown => JSON.parse(line));
  return typeof value === 'object' && value !== null ? { ...value } : null;
}

function entryOf(line: string): Known | null {
  const { file, pointer, rule, count, ...others } = parsed(line) ?? {};
  if (typeof file !== 'string' || typeof pointer !== 'string' || typeof rule !== 'string') return null;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return null;
  return Object.keys(others).length === 0 ? { file, pointer, rule, count } : null;
}

export function baselineText(entries: readonly Known[]): string {
  return `${[FILE_HEAD, ...entries.map((one) => `\n${jsonText(one)}`)].join('\n')}\n`;
}
