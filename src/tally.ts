/**
 * Counts what happens in a run: for each source as it goes, and in all for the summary and the exit code.
 */
import type { KindCounts, Rule, SourceCounts, Summary } from './types.ts';

export class Tally {
  #sources = 0;
  #failures = 0;
  #payloads = 0;
  #valid = 0;
  #violations = 0;
  #filled = 0;
  readonly #kinds = new Map<string, KindCounts>();
  readonly #rules = new Map<string, number>();
  /** What the counts were when the present source began. */
  #before = { payloads: 0, valid: 0, violations: 0, filled: 0 };

  get total(): number {
    return this.#payloads;
  }

  get invalid(): number {
    return this.#payloads - this.#valid;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Payloads of the present source so far. */
  get ofSource(): number {
    return this.#payloads - this.#before.payloads;
  }

  /** `count` payloads of `kind` (null: of none), all valid or all not. */
  payloads(kind: string | null, valid: boolean, count: number): void {
    this.#payloads += count;
    if (valid) this.#valid += count;
    if (kind === null) return;
    let counts = this.#kinds.get(kind);
    if (counts === undefined) {
      counts = { payloads: 0, valid: 0, invalid: 0 };
      this.#kinds.set(kind, counts);
    }
    counts.payloads += count;
    if (valid) counts.valid += count;
    else counts.invalid += count;
  }

  violations(rule: Rule, count: number): void {
    this.#violations += count;
    this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + count);
  }

  /** Members filled in. */
  filled(count: number): void {
    this.#filled += count;
  }

  /** What was filled in in the present source was left nowhere. */
  nothingFilled(): void {
    this.#filled = this.#before.filled;
  }

  get filledMembers(): number {
    return this.#filled;
  }

  failure(): void {
    this.#failures++;
  }

  endSource(file: string): SourceCounts {
    this.#sources++;
    const payloads = this.#payloads - this.#before.payloads;
    const valid = this.#valid - this.#before.valid;
    const violations = this.#violations - this.#before.violations;
    const filled = this.#filled - this.#before.filled;
    this.#before = {
      payloads: this.#payloads,
      valid: this.#valid,
      violations: this.#violations,
      filled: this.#filled,
    };
    return { file, payloads, valid, invalid: payloads - valid, violations, filled };
  }

  /** `elapsedMs`: whole milliseconds since the run began. Names in order of the alphabet. */
  summary(elapsedMs: number): Summary {
    return {
      sources: this.#sources,
      payloads: this.#payloads,
      valid: this.#valid,
      invalid: this.invalid,
      violations: this.#violations,
      failures: this.#failures,
      kinds: Object.fromEntries([...this.#kinds].sort(byName)),
      rules: Object.fromEntries([...this.#rules].sort(byName)),
      elapsedMs,
    };
  }
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
