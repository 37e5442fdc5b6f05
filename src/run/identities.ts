/**
 * The `@id`s of a run, in the order of the sources, with the content of the first payload of each. A payload with a
 * known `@id` and other content gets a warning. Memory is bounded: the hashes of a limited number of `@id`s are kept.
 */

import type { Statement } from '../types.ts';
import { adviceSentence } from '../words/advice.ts';
import { number } from '../words/number-text.ts';
import type { Claim } from './check/flow.ts';
import { ID_CONFLICT, levelOf, type RuleLevels } from './check/levels.ts';

/** `@id`s that are remembered: in 46 MB at most, as the arrays below are then. */
const MOST_IDENTITIES = 1_000_000;

/** Where the first payload of an `@id` is. */
interface FirstClaim {
  readonly file: string;
  /** Index in its source, from 0. */
  readonly payload: number;
  /** 1-based. */
  readonly line: number;
}

/** Of one entry: hash of the `@id`, hash of the content, number of the file. */
const WORDS = 5;
/** Of one entry: payload and line, which may be beyond 32 bits. */
const PLACES = 2;

export class Identities {
  readonly #most: number;
  #count = 0;
  /** By slot, the number of an entry; 0: none. Entries count from 1. A power of two, at least twice the entries. */
  #slots = new Int32Array(1 << 10);
  #words = new Int32Array(WORDS << 9);
  #places = new Float64Array(PLACES << 9);
  readonly #files: string[] = [];

  /** `most`: how many `@id`s are remembered. */
  constructor(most = MOST_IDENTITIES) {
    this.#most = most;
  }

  /** An `@id` was not remembered: later payloads are not compared with that one. */
  isFull = false;

  /** For users, once it is full. */
  get note(): string {
    return `from here on, a new @id is not remembered: ${ID_CONFLICT} compares with the first ${number(this.#most)} only`;
  }

  /** The first payload with the same `@id`, if its content is another; null if it is the same, or this is the first. */
  take({ id, content, payload, line }: Claim, file: string): FirstClaim | null {
    const [high, low] = wordsOf(id);
    const slot = this.#slotOf(high, low);
    const entry = this.#slots[slot]!;
    if (entry !== 0) return this.#isSame(entry, content) ? null : this.#firstOf(entry);
    if (this.#count >= this.#most) {
      this.isFull = true;
      return null;
    }
    this.#slots[slot] = ++this.#count;
    this.#words.set([high, low, ...wordsOf(content), this.#numberOf(file)], this.#count * WORDS);
    this.#places.set([payload, line], this.#count * PLACES);
    if (2 * (this.#count + 1) >= this.#slots.length) this.#grow();
    return null;
  }

  /** The violation if the first payload with the same `@id` has other content; else null. */
  conflict(claim: Claim, file: string, rules: RuleLevels): Statement | null {
    const first = this.take(claim, file);
    return first === null ? null : conflictOf(claim, first, rules);
  }

  /** The slot of the hash, or the one where it belongs. */
  #slotOf(high: number, low: number): number {
    const last = this.#slots.length - 1;
    for (let slot = low & last; ; slot = (slot + 1) & last) {
      const at = this.#slots[slot]! * WORDS;
      if (at === 0 || (this.#words[at] === high && this.#words[at + 1] === low)) return slot;
    }
  }

  #isSame(entry: number, content: string): boolean {
    const [high, low] = wordsOf(content);
    return this.#words[entry * WORDS + 2] === high && this.#words[entry * WORDS + 3] === low;
  }

  #firstOf(entry: number): FirstClaim {
    return {
      file: this.#files[this.#words[entry * WORDS + 4]!]!,
      payload: this.#places[entry * PLACES]!,
      line: this.#places[entry * PLACES + 1]!,
    };
  }

  /** Sources come one after another. */
  #numberOf(file: string): number {
    if (this.#files.at(-1) !== file) this.#files.push(file);
    return this.#files.length - 1;
  }

  #grow(): void {
    this.#words = enlarged(this.#words, new Int32Array(2 * this.#words.length));
    this.#places = enlarged(this.#places, new Float64Array(2 * this.#places.length));
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let entry = 1; entry <= this.#count; entry++) {
      this.#slots[this.#slotOf(this.#words[entry * WORDS]!, this.#words[entry * WORDS + 1]!)] = entry;
    }
  }
}

function enlarged<Numbers extends Int32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

/** Sixteen hexadecimal digits as two numbers of 32 bits. */
function wordsOf(digits: string): [high: number, low: number] {
  return [Number.parseInt(digits.slice(0, 8), 16) | 0, Number.parseInt(digits.slice(8), 16) | 0];
}

/** What is wrong with a payload with the `@id` of `first` and other content. */
function conflictOf({ text, kind, pointer }: Claim, first: FirstClaim, rules: RuleLevels): Statement {
  return {
    kind,
    severity: levelOf(ID_CONFLICT, rules) === 'error' ? 'error' : 'warning',
    pointer,
    rule: ID_CONFLICT,
    message: adviceSentence(ID_CONFLICT, { first }, text),
    params: { first },
    schema: null,
    fixable: false,
  };
}
