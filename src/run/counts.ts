/**
 * Counts the events of a run: per source while it is read, and in all for the summary and the exit code.
 */
import { isAdvice, levelOf, type RuleLevels } from '../check/levels.ts';
import { type KindCounts, type Rule, type SourceCounts, type Summary, UNKNOWN_KIND } from '../types.ts';

/** Counts of payloads and violations. */
export class Sums {
  payloads = 0;
  valid = 0;
  violations = 0;
  warnings = 0;
  /** Violations of rules that are off, except advice. No other count includes them. */
  off = 0;
  filled = 0;
  arrays = 0;
  readonly kinds = new Map<string, KindCounts>();
  readonly rules = new Map<string, number>();

  add(other: Sums): void {
    this.payloads += other.payloads;
    this.valid += other.valid;
    this.violations += other.violations;
    this.warnings += other.warnings;
    this.off += other.off;
    this.filled += other.filled;
    this.arrays += other.arrays;
    for (const [kind, { payloads, valid, invalid }] of other.kinds) {
      const counts = this.ofKind(kind);
      counts.payloads += payloads;
      counts.valid += valid;
      counts.invalid += invalid;
    }
    for (const [rule, count] of other.rules) this.rules.set(rule, (this.rules.get(rule) ?? 0) + count);
  }

  /** `kind` null: payloads of no kind. */
  ofKind(kind: string | null): KindCounts {
    const name = kind ?? UNKNOWN_KIND;
    let counts = this.kinds.get(name);
    if (counts === undefined) {
      counts = { payloads: 0, valid: 0, invalid: 0 };
      this.kinds.set(name, counts);
    }
    return counts;
  }
}

export class Counts {
  readonly #levels: RuleLevels;
  #sources = 0;
  #empty = 0;
  #failures = 0;
  /** Of finished sources. */
  readonly #done = new Sums();
  /** Of the current source. */
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

  /** Payloads of the current source so far. */
  get ofSource(): number {
    return this.#present.payloads;
  }

  /** `count` payloads of `kind` (null: of no kind), all valid or all invalid. */
  payloads(kind: string | null, valid: boolean, count: number): void {
    const present = this.#present;
    present.payloads += count;
    if (valid) present.valid += count;
    const counts = present.ofKind(kind);
    counts.payloads += count;
    if (valid) counts.valid += count;
    else counts.invalid += count;
  }

  /**
   * Corrects a payload of the current source that was, or will be, counted as valid but is invalid. `kind` null: it has
   * none.
   */
  isInvalid(kind: string | null): void {
    this.#present.valid--;
    const counts = this.#present.ofKind(kind);
    counts.valid--;
    counts.invalid++;
  }

  violations(rule: Rule, count: number): void {
    const level = levelOf(rule, this.#levels);
    if (level === 'off') {
      if (!isAdvice(rule)) this.#present.off += count;
      return;
    }
    if (level === 'warning') this.#present.warnings += count;
    else this.#present.violations += count;
    this.#present.rules.set(rule, (this.#present.rules.get(rule) ?? 0) + count);
  }

  /** Payloads that are top-level arrays, because the schema is about arrays. */
  arrays(count: number): void {
    this.#present.arrays += count;
  }

  /** Members filled in. */
  filled(count: number): void {
    this.#present.filled += count;
  }

  get filledMembers(): number {
    return this.#done.filled + this.#present.filled;
  }

  failure(): void {
    this.#failures++;
  }

  /** A source is read to its end and has no payload. */
  emptySource(): void {
    this.#empty++;
  }

  /** Takes the counts of the current source: they no longer count until `endSource`. */
  takeSource(): Sums {
    const sums = this.#present;
    this.#present = new Sums();
    return sums;
  }

  /** Counts a source. */
  endSource(file: string, sums: Sums): SourceCounts {
    this.#sources++;
    const { payloads, valid, violations, warnings, filled } = sums;
    this.#done.add(sums);
    return { file, payloads, valid, invalid: payloads - valid, violations, warnings, filled };
  }

  /** `elapsedMs`: whole milliseconds since the run began. Names are sorted. */
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
      ...(all.off === 0 ? {} : { off: all.off }),
      ...(all.arrays > 0 ? { arrays: all.arrays } : {}),
      ...(this.#empty === 0 ? {} : { empty: this.#empty }),
      kinds: Object.fromEntries([...all.kinds].sort(byName)),
      rules: Object.fromEntries([...all.rules].sort(byName)),
      elapsedMs,
    };
  }
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
