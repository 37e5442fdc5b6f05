/** Counts what is found: per source while it is read, and in all for the summary and the exit code. */
import { addKind, byName, NAMED_UNREAD } from '../report/summary.ts';
import {
  type Compared,
  type KindCounts,
  type Rule,
  type Source,
  type SourceCounts,
  type Summary,
  UNKNOWN_KIND,
} from '../types.ts';
import { DEPRECATED, levelOf, type RuleLevels } from '../words/rule-levels.ts';
import type { SourceEvent } from './outlets/sink.ts';

const ADDED = ['payloads', 'valid', 'violations', 'warnings', 'off', 'unlisted', 'filled', 'pruned', 'arrays'] as const;

/** The counts of members that were changed. */
export const CHANGED = { fill: 'filled', prune: 'pruned' } as const;

/** What is added up: plain data, for threads. */
export type Sums = Pick<Counts, (typeof ADDED)[number] | 'compared' | 'kinds' | 'rules'>;

/** Counts of a part, of a source, or of all sources that are done. */
export class Counts {
  payloads = 0;
  valid = 0;
  violations = 0;
  warnings = 0;
  /** Violations of rules that are off, except `deprecated`. No other count includes them. */
  off = 0;
  /** Of the violations and warnings, those of payloads with too many to list. */
  unlisted = 0;
  filled = 0;
  pruned = 0;
  /** Of the valid payloads, those that another schema judges otherwise, that both reject, or that could not be compared. */
  readonly compared = { healed: 0, invalid: 0, failed: 0 };
  /** Payloads that are top-level arrays, because the schema is about arrays. */
  arrays = 0;
  readonly kinds = new Map<string, KindCounts>();
  readonly rules = new Map<string, number>();
  failures = 0;
  /** Sources that were read to their end and have no payload. */
  empty = 0;
  /** Sources that were not read to their end because of what is in them. */
  unread = 0;
  readonly #unreadFiles: string[] = [];
  /** Sources in which a violation is fixable. */
  readonly fixable = new Set<Source>();
  #sources = 0;

  get invalid(): number {
    return this.payloads - this.valid;
  }

  /** Counts what is found, if that is all that is done with it. Returns whether it is. */
  take(found: SourceEvent): boolean {
    if (found.type === 'accepted') this.#addPayloads(found.kind, true, found.count);
    else if (found.type === 'payload') this.#addPayloads(found.kind, found.valid, 1);
    else if (found.type === 'compared') this.compared[found.outcome]++;
    else if (found.type === 'array') this.arrays++;
    else return false;
    return true;
  }

  /** `count` payloads of `kind` (null: of no kind), all valid or all invalid. */
  #addPayloads(kind: string | null, valid: boolean, count: number): void {
    this.payloads += count;
    if (valid) this.valid += count;
    const [good, bad] = valid ? [count, 0] : [0, count];
    addKind(this.kinds, kind ?? UNKNOWN_KIND, { payloads: count, valid: good, invalid: bad });
  }

  /** Corrects a payload that was counted as valid but is invalid. */
  makeInvalid(kind: string | null): void {
    this.valid--;
    addKind(this.kinds, kind ?? UNKNOWN_KIND, { payloads: 0, valid: -1, invalid: 1 });
  }

  addViolations(rule: Rule, count: number, levels: RuleLevels): void {
    const level = levelOf(rule, levels);
    if (level === 'off') {
      if (rule !== DEPRECATED) this.off += count;
      return;
    }
    if (level === 'warning') this.warnings += count;
    else this.violations += count;
    this.rules.set(rule, (this.rules.get(rule) ?? 0) + count);
  }

  add(other: Sums): void {
    for (const name of ADDED) this[name] += other[name];
    this.compared.healed += other.compared.healed;
    this.compared.invalid += other.compared.invalid;
    this.compared.failed += other.compared.failed;
    for (const [kind, counts] of other.kinds) addKind(this.kinds, kind, counts);
    for (const [rule, count] of other.rules) this.rules.set(rule, (this.rules.get(rule) ?? 0) + count);
  }

  /** `unread`: it was not read to its end. */
  addSource(file: string, counts: Counts, unread: boolean): SourceCounts {
    this.#sources++;
    if (unread && ++this.unread <= NAMED_UNREAD) this.#unreadFiles.push(file);
    this.add(counts);
    const { payloads, valid, invalid, violations, warnings, unlisted, filled, pruned } = counts;
    const left = unlisted === 0 ? {} : { unlisted };
    const changed = { filled, pruned };
    return { file, payloads, valid, invalid, violations, warnings, ...left, ...changed, ...(unread ? { unread } : {}) };
  }

  /** Payloads by what the new schema changes. `byJudge`: by what two judges say; then those that heal are invalid, too. */
  outcomes(byJudge: boolean): Compared {
    const { healed, invalid, failed } = this.compared;
    const reported = byJudge ? healed : 0;
    const broken = this.invalid - reported;
    const valid = this.valid - (healed - reported) - invalid - failed;
    const judge = byJudge ? ({ judge: 'ajv' } as const) : {};
    return { broken, healed, invalid, valid, ...judge, ...(failed === 0 ? {} : { failed }) };
  }

  /**
   * `elapsedMs`: whole milliseconds since the run began; `fillable`: members that `fill` adds, null if they were not counted.
   * Names are sorted.
   */
  summary(elapsedMs: number, fillable: number | null = null): Summary {
    return {
      sources: this.#sources,
      payloads: this.payloads,
      valid: this.valid,
      invalid: this.invalid,
      violations: this.violations,
      warnings: this.warnings,
      failures: this.failures,
      ...(this.unlisted === 0 ? {} : { unlisted: this.unlisted }),
      ...(this.off === 0 ? {} : { off: this.off }),
      ...(this.arrays === 0 ? {} : { arrays: this.arrays }),
      ...(fillable === null ? {} : { fillable }),
      ...(this.empty === 0 ? {} : { empty: this.empty }),
      ...(this.unread === 0 ? {} : { unread: { sources: this.unread, files: this.#unreadFiles } }),
      kinds: Object.fromEntries([...this.kinds].sort(byName)),
      rules: Object.fromEntries([...this.rules].sort(byName)),
      elapsedMs,
    };
  }
}
