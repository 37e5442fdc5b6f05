/**
 * The check of one text: what is found, slice by slice, and what `fill` would insert. Of violations beyond the first thousand,
 * there is only the number.
 */
import { SchemaError } from '../../../errors.ts';
import { EditLog } from '../../../json/edits.ts';
import type { FillEdit, PayloadResult } from '../../../library/api.ts';
import type { BrowserPaylint } from '../../../library/browser.ts';
import { version } from '../../../library/inserted.ts';
import { PLAYGROUND_VIOLATIONS } from '../../../limits.ts';
import type { EndData } from '../../../report/html-data.ts';
import { explained } from '../../../report/html-row.ts';
import { type Framing, type KindCounts, type Summary, UNKNOWN_KIND, type Violation } from '../../../types.ts';
import { plural } from '../../../words/number-text.ts';
import { unifiedDiff } from '../../../write/unified-diff.ts';
import type { Answer, Change, Fill, Input } from '../protocol.ts';
import { rowsOf } from './rows.ts';

/** In milliseconds. */
const SLICE = 60;

/** The answer to one slice. */
export type Found = Omit<Extract<Answer, { type: 'found' }>, 'type' | 'id'>;

export class Check {
  readonly #input: Input;
  readonly #paylint: BrowserPaylint;
  readonly #begun = performance.now();
  readonly #counts = { payloads: 0, valid: 0, violations: 0, warnings: 0, fixable: 0 };
  readonly #kinds = new Map<string, KindCounts>();
  readonly #rules = new Map<string, number>();
  readonly #filler: Filler | null;
  #framing: Framing = 'json';
  /** The text. */
  bytes: Uint8Array = new Uint8Array();
  /** The violations that are listed. */
  readonly listed: Violation[] = [];

  constructor(input: Input, paylint: BrowserPaylint) {
    this.#input = input;
    this.#paylint = paylint;
    this.#filler = typeof input.payloads === 'string' ? new Filler(input.payloads, paylint) : null;
  }

  /** What was found, after each slice. In between, other messages of the Worker are taken. */
  async *run(): AsyncGenerator<Found> {
    const { payloads, name } = this.#input;
    this.bytes = typeof payloads === 'string' ? Buffer.from(payloads) : new Uint8Array(await payloads.arrayBuffer());
    const file = name === null ? {} : { file: name };
    this.#framing = this.#paylint.framingOf(this.bytes, name ?? undefined);
    let due = performance.now() + SLICE;
    let told = 0;
    for (const payload of this.#paylint.payloadsOf(typeof payloads === 'string' ? payloads : this.bytes, file)) {
      this.#add(payload);
      this.#filler?.add(payload);
      if (performance.now() < due) continue;
      yield this.#found(told, null);
      told = this.listed.length;
      await new Promise((resolve) => setTimeout(resolve, 0));
      due = performance.now() + SLICE;
    }
    const fill = (await this.#filler?.fill(name ?? `payloads.${EXTENSIONS[this.#framing]}`)) ?? null;
    yield { ...this.#found(told, fill), done: true };
  }

  #add({ kind, valid, violations }: PayloadResult): void {
    const counts = this.#counts;
    counts.payloads++;
    if (valid) counts.valid++;
    const ofKind = this.#kinds.get(kind ?? UNKNOWN_KIND) ?? { payloads: 0, valid: 0, invalid: 0 };
    ofKind.payloads++;
    ofKind[valid ? 'valid' : 'invalid']++;
    this.#kinds.set(kind ?? UNKNOWN_KIND, ofKind);
    for (const violation of violations) {
      counts[violation.severity === 'error' ? 'violations' : 'warnings']++;
      if (violation.fixable) counts.fixable++;
      this.#rules.set(violation.rule, (this.#rules.get(violation.rule) ?? 0) + 1);
      if (this.listed.length < PLAYGROUND_VIOLATIONS) this.listed.push(violation);
    }
  }

  #found(told: number, fill: Fill | null): Found {
    const { kinds, warnings } = this.#paylint;
    const end: EndData = {
      version: version(),
      summary: this.summary,
      fixable: this.#counts.fixable,
      failures: [],
      rules: [...new Set(this.listed.map(({ rule }) => rule))].flatMap(explained),
      notes: this.#notes(),
    };
    const rows = rowsOf(this.listed.slice(told));
    const names = kinds.map(({ name }) => name);
    return { rows, end, framing: this.#framing, kinds: names, warnings, done: false, fill };
  }

  #notes(): string[] {
    const { violations, warnings } = this.#counts;
    const { length } = this.listed;
    return violations + warnings > length ? [`Only the first ${plural(length, 'violation')} are listed.`] : [];
  }

  get summary(): Summary {
    const { payloads, valid, violations, warnings } = this.#counts;
    return {
      ...{ sources: 1, payloads, valid, invalid: payloads - valid, violations, warnings, failures: 0 },
      kinds: Object.fromEntries(this.#kinds),
      rules: Object.fromEntries(this.#rules),
      elapsedMs: performance.now() - this.#begun,
    };
  }
}

const EXTENSIONS: Readonly<Record<Framing, string>> = { json: 'json', lines: 'ndjson', stream: 'json' };

/** Finds what `fill` would insert into each payload of a text. */
class Filler {
  readonly #text: string;
  readonly #paylint: BrowserPaylint;
  readonly #insertions: Change[] = [];
  readonly #removals: Change[] = [];
  #count = 0;
  /** Where the next payload can begin. */
  #at = 0;

  constructor(text: string, paylint: BrowserPaylint) {
    this.#text = text;
    this.#paylint = paylint;
  }

  add({ text, index, violations }: PayloadResult): void {
    const start = this.#text.indexOf(text, this.#at);
    if (start < 0 || text === '') return; // text that UTF-8 does not have
    this.#at = start + text.length;
    const changeOf = ({ offset, length, text: added, pointer }: FillEdit): Change => ({
      ...{ at: start + offset, length, text: added },
      ...{ payload: index, pointer },
    });
    if (violations.some(({ fix }) => fix === 'prune'))
      for (const edit of this.#paylint.prune(text).edits) this.#removals.push(changeOf(edit));
    try {
      const { edits, fills } = this.#paylint.fill(text);
      this.#count += fills.length;
      for (const edit of edits) this.#insertions.push(changeOf(edit));
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      // Its schema does not allow one of its own defaults: nothing is filled in.
    }
  }

  /** `name`: of the file in the diff. */
  async fill(name: string): Promise<Fill> {
    const log = new EditLog();
    let [units, offset] = [0, 0];
    for (const { at, text } of this.#insertions) {
      offset += Buffer.byteLength(this.#text.slice(units, at));
      units = at;
      log.add({ offset, length: 0, bytes: Buffer.from(text) });
    }
    const text = Buffer.from(this.#text);
    const pieces: Buffer[] = [];
    const again = async function* (): AsyncGenerator<Buffer> {
      yield text;
    };
    for await (const piece of unifiedDiff(name, log, again)) pieces.push(Buffer.from(piece));
    const diff = Buffer.concat(pieces).toString();
    return { count: this.#count, insertions: this.#insertions, removals: this.#removals, diff };
  }
}
