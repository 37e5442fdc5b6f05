/**
 * Distinct values by their hashes, each with its first place: many small hash tables over typed arrays that grow by blocks.
 * Nothing is copied but the slots of one small table, so that no addition takes long. Values without room are in temporary
 * files.
 */
import type { Turns } from '../source/io.ts';
import type { RelatedValue } from '../types.ts';
import { Spool } from '../write/spool.ts';

/** A hash: four times 32 bits. */
export type HashWords = ArrayLike<number>;

/** Of one value: its hash, and the number of the file. */
const WORDS_OF_A_VALUE = 5;
/** Index of the number of the file among them. */
const FILE = 4;
/** Values of a block. */
const BLOCK = 1 << 16;
/** Number of small tables. */
const TABLES = 256;
const FIRST_SLOTS = 8;

/** By slot, the number of a value; 0: none. Values count from 1. A power of two, at least twice the values. */
interface Slots {
  values: Int32Array;
  count: number;
}

export interface ValuePlace {
  readonly file: number;
  /** 1-based. */
  readonly line: number;
}

export class ValueTable {
  readonly most: number;
  #count = 0;
  readonly #tables = Array.from({ length: TABLES }, (): Slots => ({ values: new Int32Array(FIRST_SLOTS), count: 0 }));
  readonly #words: Int32Array[] = [];
  readonly #lines: Float64Array[] = [];

  /** `most`: how many values are remembered. */
  constructor(most: number) {
    this.most = most;
  }

  find(hash: HashWords): ValuePlace | null {
    const { values } = this.#tableOf(hash);
    const value = values[this.#slotOf(values, hash, 0)]! - 1;
    if (value < 0) return null;
    const block = Math.floor(value / BLOCK);
    const at = value % BLOCK;
    return { file: this.#words[block]![at * WORDS_OF_A_VALUE + FILE]!, line: this.#lines[block]![at]! };
  }

  /** Adds a value that is not there. Returns false if there is no room. */
  add(hash: HashWords, { file, line }: ValuePlace): boolean {
    if (this.#count >= this.most) return false;
    const value = this.#count++;
    const block = Math.floor(value / BLOCK);
    this.#words[block] ??= new Int32Array(WORDS_OF_A_VALUE * BLOCK);
    this.#lines[block] ??= new Float64Array(BLOCK);
    const words = this.#words[block]!;
    const at = (value % BLOCK) * WORDS_OF_A_VALUE;
    for (let i = 0; i < FILE; i++) words[at + i] = hash[i]!;
    words[at + FILE] = file;
    this.#lines[block]![value % BLOCK] = line;
    const table = this.#tableOf(hash);
    table.values[this.#slotOf(table.values, hash, 0)] = this.#count;
    if (2 * (++table.count + 1) >= table.values.length) this.#grow(table);
    return true;
  }

  #tableOf(hash: HashWords): Slots {
    return this.#tables[hash[1]! & (TABLES - 1)]!;
  }

  /** The slot of the hash at index `from` of `words`, or the one where it belongs. Makes no object, for there are millions. */
  #slotOf(values: Int32Array, words: HashWords, from: number): number {
    const last = values.length - 1;
    for (let slot = words[from]! & last; ; slot = (slot + 1) & last) {
      const value = values[slot]! - 1;
      if (value < 0) return slot;
      const own = this.#words[Math.floor(value / BLOCK)]!;
      const at = (value % BLOCK) * WORDS_OF_A_VALUE;
      const isHalf = own[at] === words[from] && own[at + 1] === words[from + 1];
      if (isHalf && own[at + 2] === words[from + 2] && own[at + 3] === words[from + 3]) return slot;
    }
  }

  #grow(table: Slots): void {
    const values = new Int32Array(2 * table.values.length);
    for (const value of table.values) {
      if (value === 0) continue;
      const at = ((value - 1) % BLOCK) * WORDS_OF_A_VALUE;
      values[this.#slotOf(values, this.#words[Math.floor((value - 1) / BLOCK)]!, at)] = value;
    }
    table.values = values;
  }
}

/** Number of parts, and of files for claims and for answers. A part fits into memory up to a thousand million values. */
const PARTS = 64;
/** Bytes of a part in memory that are not in the file yet. */
const MEMORY_BYTES = 1 << 16;
/** The hash, the role, the number of the file and the line. The pieces of a spool are a multiple of it. */
const RECORD_BYTES = 32;

const ROLES = ['unique', 'reference', 'target'] as const;

interface SpilledClaim {
  readonly hash: HashWords;
  readonly role: RelatedValue['role'];
  readonly place: ValuePlace;
}

const NO_PLACE: ValuePlace = { file: -1, line: 0 };

/**
 * Values without room in the table: they are divided by their hashes into parts, and each part is compared by itself, in a
 * table of its own. What was found about each claim is in a file, too, so that the claims can be read once more, in their
 * order, each with its answer.
 */
export class SpilledValues {
  readonly #claims: readonly Spool[];
  /** Those that are no targets, each with the place where its value is, too. */
  readonly #answers: readonly Spool[];
  readonly #next: (Iterator<SpilledClaim, undefined> | undefined)[] = [];

  /** `memoryBytes`: of a part. */
  constructor(memoryBytes = MEMORY_BYTES) {
    const parts = (): Spool[] => Array.from({ length: PARTS }, () => new Spool(memoryBytes));
    this.#claims = parts();
    this.#answers = parts();
  }

  /** Claims that are no targets come in the order of the sources. Throws the errors of the file system. */
  add(claim: SpilledClaim): void {
    this.#claims[partOf(claim.hash)]!.write(recordOf(claim));
  }

  /** Compares them. Throws Interrupted, and the errors of the file system. */
  async compare(turns: Turns): Promise<void> {
    for (const [part, claims] of this.#claims.entries()) {
      const table = new ValueTable(Number.POSITIVE_INFINITY);
      for (const { hash, role, place } of claimsIn(claims)) {
        if (role === 'target' && table.find(hash) === null) table.add(hash, place);
        if (turns.isDue) await turns.take();
      }
      for (const { hash, role, place } of claimsIn(claims)) {
        if (role === 'target') continue;
        const first = table.find(hash);
        if (first === null && role === 'unique') table.add(hash, place);
        this.#answers[part]!.write(recordOf({ hash, role, place: first ?? NO_PLACE }));
        if (turns.isDue) await turns.take();
      }
      claims.close();
    }
  }

  /** For the claims in the order in which they were added: where the value is, too; null: nowhere, or they were not compared. */
  next(hash: HashWords): ValuePlace | null {
    const part = partOf(hash);
    this.#next[part] ??= claimsIn(this.#answers[part]!);
    const { place = NO_PLACE } = this.#next[part].next().value ?? {};
    return place.file < 0 ? null : place;
  }

  /** Never throws. */
  close(): void {
    for (const spool of [...this.#claims, ...this.#answers]) spool.close();
  }
}

/** Tables use the first bits of the hash. */
function partOf(hash: HashWords): number {
  return hash[3]! & (PARTS - 1);
}

function recordOf({ hash, role, place: { file, line } }: SpilledClaim): Buffer {
  const record = Buffer.allocUnsafe(RECORD_BYTES);
  const numbers = [hash[0]!, hash[1]!, hash[2]!, hash[3]!, ROLES.indexOf(role), file];
  const at = numbers.reduce((to, value) => record.writeInt32LE(value, to), 0);
  record.writeDoubleLE(line, at);
  return record;
}

function* claimsIn(spool: Spool): Generator<SpilledClaim, undefined> {
  for (const piece of spool.read())
    for (let at = 0; at < piece.length; at += RECORD_BYTES) {
      const hash = [0, 4, 8, 12].map((word) => piece.readInt32LE(at + word));
      const place = { file: piece.readInt32LE(at + 20), line: piece.readDoubleLE(at + 24) };
      yield { hash, role: ROLES[piece.readInt32LE(at + 16)]!, place }; // our own number
    }
}
