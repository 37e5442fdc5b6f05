/**
 * Checks that a report is consistent: its summary is only accepted if the lines before it add up to it. Violations may
 * be listed or only counted, so at most as many are listed as are counted.
 */
import { type KindCounts, type SourceCounts, type Summary, UNKNOWN_KIND } from '../types.ts';
import { quote } from '../words/escape.ts';
import type { ReportLine } from './merge.ts';
import { number, plural } from './number-text.ts';

type LineOf<Type extends ReportLine['type']> = Extract<ReportLine, { readonly type: Type }>;

const COUNTS = ['payloads', 'valid', 'invalid', 'violations', 'warnings'] as const;

/** What the report lists for one source. */
class Listed {
  readonly file: string;
  errors = 0;
  warnings = 0;
  fills = 0;
  /** Payloads with errors: their violations come one after another. */
  invalid = 0;
  /** The largest payload index in any line; -1: there is none. */
  lastPayload = -1;
  #invalidPayload = -1;

  constructor(file: string) {
    this.file = file;
  }

  /** Returns whether it is the first error of a payload. */
  violation({ payload, severity }: LineOf<'violation'>): boolean {
    this.lastPayload = Math.max(this.lastPayload, payload);
    if (severity === 'warning') {
      this.warnings++;
      return false;
    }
    this.errors++;
    const isFirst = payload !== this.#invalidPayload;
    if (isFirst) this.invalid++;
    this.#invalidPayload = payload;
    return isFirst;
  }

  fill({ payload }: LineOf<'fill'>): void {
    this.lastPayload = Math.max(this.lastPayload, payload);
    this.fills++;
  }
}

/** Takes the lines of one report. */
export class Agreement {
  /** The current source; null: no line since the last source was about one. */
  #listed: Listed | null = null;
  #sources = 0;
  #empty = 0;
  #failures = 0;
  /** Of all sources. */
  readonly #totals = { payloads: 0, valid: 0, invalid: 0, violations: 0, warnings: 0 };
  #errors = 0;
  /** Listed violations by rule. */
  readonly #rules = new Map<string, number>();
  /** Invalid payloads that are listed, by kind. */
  readonly #kinds = new Map<string, number>();

  /** Takes the next line. Returns what it contradicts; null if it is consistent. */
  add(line: ReportLine): string | null {
    switch (line.type) {
      case 'violation':
        return this.#listedIn(line.file) ?? this.#violation(line);
      case 'fill': {
        const wrong = this.#listedIn(line.file);
        this.#listed?.fill(line);
        return wrong;
      }
      case 'failure':
        this.#failures++;
        return null;
      case 'source':
        return this.#listedIn(line.file) ?? this.#source(line);
      case 'summary':
        return this.#unfinished() ?? this.#summary(line);
    }
  }

  /** Makes `file` the current source. */
  #listedIn(file: string): string | null {
    if (this.#listed !== null && this.#listed.file !== file) return this.#unfinished();
    this.#listed ??= new Listed(file);
    return null;
  }

  #unfinished(): string | null {
    return this.#listed === null ? null : 'the line before is about a file whose counts are missing';
  }

  #violation(line: LineOf<'violation'>): string | null {
    const { rule, kind } = line;
    this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
    if (this.#listed?.violation(line)) {
      const name = kind ?? UNKNOWN_KIND;
      this.#kinds.set(name, (this.#kinds.get(name) ?? 0) + 1);
    }
    return null;
  }

  #source(source: SourceCounts): string | null {
    const listed = this.#listed ?? new Listed(source.file);
    this.#listed = null;
    this.#sources++;
    if (source.payloads === 0) this.#empty++;
    this.#errors += listed.errors;
    for (const name of COUNTS) this.#totals[name] += source[name];
    return inSource(source, listed);
  }

  #summary(summary: Summary): string | null {
    const { sources, failures, empty = 0, known = 0, knownPayloads = 0 } = summary;
    return (
      differs('sources', sources, this.#sources) ??
      differs('failures', failures, this.#failures) ??
      COUNTS.map((name) => differs(name, summary[name], this.#totals[name])).find(
        (wrong) => wrong !== null,
      ) ??
      (empty > this.#empty ? differs('sources without a payload', empty, this.#empty) : null) ??
      (knownPayloads > known
        ? `${number(known)} known violations in ${plural(knownPayloads, 'payload')}`
        : null) ??
      this.#inRules(summary) ??
      this.#inKinds(summary)
    );
  }

  #inRules({ rules, violations, warnings }: Summary): string | null {
    const counted = new Map(Object.entries(rules));
    const total = [...counted.values()].reduce((sum, count) => sum + count, 0);
    if (total !== violations + warnings)
      return `the rules have ${plural(total, 'violation')}, the summary has ${number(violations + warnings)}`;
    for (const [rule, count] of this.#rules) {
      const most = counted.get(rule) ?? 0;
      if (count > most) return tooMany(`violations of the rule ${quote(rule)}`, count, most);
    }
    return null;
  }

  #inKinds({ kinds, payloads, valid, violations }: Summary): string | null {
    const counted = new Map<string, KindCounts>(Object.entries(kinds));
    const wrong = [...counted].find(([, of]) => of.valid + of.invalid !== of.payloads);
    if (wrong !== undefined)
      return `of the kind ${quote(wrong[0])}, valid and invalid payloads are not all payloads`;
    const total = { payloads: 0, valid: 0 };
    for (const of of counted.values()) {
      total.payloads += of.payloads;
      total.valid += of.valid;
    }
    // Before payloads of no kind were counted, they were missing here. All of them are invalid.
    const missing = payloads - total.payloads;
    const mayMiss = counted.has(UNKNOWN_KIND) ? 0 : this.#ofNoKind(violations);
    if (missing < 0 || missing > mayMiss || total.valid !== valid)
      return (
        `the kinds have ${plural(total.payloads, 'payload')} (${number(total.valid)} valid), ` +
        `the summary ${number(payloads)} (${number(valid)} valid)`
      );
    for (const [kind, count] of this.#kinds) {
      const most = counted.get(kind)?.invalid ?? (kind === UNKNOWN_KIND ? missing : 0);
      if (count > most) return tooMany(`invalid payloads of the kind ${quote(kind)}`, count, most);
    }
    return null;
  }

  /** Most payloads of no kind: those that are listed, and one for each violation that is not listed and each failure. */
  #ofNoKind(violations: number): number {
    return (this.#kinds.get(UNKNOWN_KIND) ?? 0) + violations - this.#errors + this.#failures;
  }
}

function inSource(source: SourceCounts, listed: Listed): string | null {
  const { payloads, valid, invalid, violations, warnings, filled = 0 } = source;
  if (valid + invalid !== payloads)
    return `${number(valid)} valid and ${number(invalid)} invalid payloads are not ${number(payloads)}`;
  if (listed.lastPayload >= payloads) {
    const all = `there ${payloads === 1 ? 'is' : 'are'} ${plural(payloads, 'payload')}, from 0`;
    return `the payload ${number(listed.lastPayload)} is listed, and ${all}`;
  }
  return (
    tooMany('violations', listed.errors, violations) ??
    tooMany('warnings', listed.warnings, warnings) ??
    tooMany('members filled in', listed.fills, filled) ??
    tooMany('invalid payloads', listed.invalid, invalid) ??
    (invalid === 0 && violations > 0
      ? `${plural(violations, 'violation')} and no invalid payload do not go together`
      : null)
  );
}

function differs(name: string, counted: number, found: number): string | null {
  return counted === found
    ? null
    : `${name}: ${number(counted)} in the summary, but ${number(found)} in the lines before it`;
}

function tooMany(name: string, listed: number, counted: number): string | null {
  return listed > counted ? `${name}: ${number(listed)} listed, but ${number(counted)} counted` : null;
}
