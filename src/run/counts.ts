/**
 * Counts what happens in a run: for each source as it goes, and in all for the summary and the exit code.
 */
import { levelOf, type RuleLevels } from '../check/levels.ts';
import type { KindCounts, Rule, SourceCounts, Summary } from '../types.ts';

/** Counts of payloads, and of what was found in them. */
class Sums {
  payloads = 0;
  valid = 0;
  violations = 0;
  warnings = 0;
  filled = 0;
  readonly kinds = new Map<string, KindCounts>();
  readonly rules = new Map<string, number>();

  add(other: Sums): void {
    this.payloads += other.payloads;
    this.valid += other.valid;
    this.violations += other.violations;
    this.warnings += other.warnings;
    this.filled += other.filled;
    for (const [kind, { payloads, valid, invalid }] of other.kinds) {
      const counts = this.ofKind(kind);
      counts.payloads += payloads;
      counts.valid += valid;
      counts.invalid += invalid;
    }
    for (const [rule, count] of other.rules) this.rules.set(rule, (this.rules.get(rule) ?? 0) + count);
  }

  ofKind(kind: string): KindCounts {
    let counts = this.kinds.get(kind);
    if (counts === undefined) {
      counts = { payloads: 0, valid: 0, invalid: 0 };
      this.kinds.set(kind, counts);
    }
    return counts;
  }
}

export class Counts {
  readonly #levels: RuleLevels;
  #sources = 0;
  #failures = 0;
  /** Of the sources that are done. */
  readonly #done = new Sums();
  /** Of the present source. */
  #present = new Sums();

  constructor(levels: RuleLevels) {
    this.#levels = levels;
  }

  get total(): number {
    return this.#done.payloads + this.#present.payloads;
  }

  get invalid(): number {
    return this.total - this.#done.valid - this.#present.valid;
  }

  get warnings(): number {
    return this.#done.warnings + this.#present.warnings;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Payloads of the present source so far. */
  get ofSource(): number {
    return this.#present.payloads;
  }

  /** `count` payloads of `kind` (null: of none), all valid or all not. */
  payloads(kind: string | null, valid: boolean, count: number): void {
    const present = this.#present;
    present.payloads += count;
    if (valid) present.valid += count;
    if (kind === null) return;
    const counts = present.ofKind(kind);
    counts.payloads += count;
    if (valid) counts.valid += count;
    else counts.invalid += count;
  }

  violations(rule: Rule, count: number): void {
    if (levelOf(rule, this.#levels) === 'warning') this.#present.warnings += count;
    else this.#present.violations += count;
    this.#present.rules.set(rule, (this.#present.rules.get(rule) ?? 0) + count);
  }

  /** Members filled in. */
  filled(count: number): void {
    this.#present.filled += count;
  }

  /** What was filled in in the present source was left nowhere. */
  nothingFilled(): void {
    this.#present.filled = 0;
  }

  get filledMembers(): number {
    return this.#done.filled + this.#present.filled;
  }

  failure(): void {
    this.#failures++;
  }

  endSource(file: string): SourceCounts {
    this.#sources++;
    const { payloads, valid, violations, warnings, filled } = this.#present;
    this.#done.add(this.#present);
    this.#present = new Sums();
    return { file, payloads, valid, invalid: payloads - valid, violations, warnings, filled };
  }

  /** The present source is as if it had not been read. */
  dropSource(): void {
    this.#present = new Sums();
  }

  /** `elapsedMs`: whole milliseconds since the run began. Names in order of the alphabet. */
  summary(elapsedMs: number): Summary {
    const all = new Sums();
    all.add(this.#done);
    all.add(this.#present);
    return {
      sources: this.#sources,
      payloads: all.payloads,
      valid: all.valid,
      invalid: all.payloads - all.valid,
      violations: all.violations,
      warnings: all.warnings,
      failures: this.#failures,
      kinds: Object.fromEntries([...all.kinds].sort(byName)),
      rules: Object.fromEntries([...all.rules].sort(byName)),
      elapsedMs,
    };
  }
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
