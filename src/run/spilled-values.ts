/**
 * Values that find no room in the table in memory: they are in a temporary file, divided by their hashes into parts, and each
 * part is compared by itself, in a table of its own. What was found about each claim is in such a file, too, so that the
 * claims can be read once more, in their order, each with its answer.
 */
import type { Turns } from '../source/io.ts';
import { Spool } from '../write/spool.ts';
import { type HashWords, type ValuePlace, ValueTable } from './value-table.ts';

/** Number of parts: one of them fits into memory if all are some thousand million values. */
const PARTS = 256;
/** Bytes of a part in memory that are not in the file yet. A multiple of the sizes of records. */
const BLOCK_BYTES = 1 << 16;

/** Of a record. */
const ASKED_BYTES = 32;
const ANSWER_BYTES = 16;

/** What is asked: is the value somewhere earlier; is it the value of any target; or nothing, because it is a target. */
type Role = 'unique' | 'reference' | 'target';
const ROLES: readonly Role[] = ['unique', 'reference', 'target'];

const NOWHERE: ValuePlace = { file: -1, line: 0 };

export class SpilledValues {
  readonly #asked: PartedRecords;
  readonly #answers: PartedRecords;
  readonly #next: (Iterator<Buffer> | undefined)[] = [];

  /** `blockBytes`: bytes of a part that are kept in memory. */
  constructor(blockBytes = BLOCK_BYTES) {
    this.#asked = new PartedRecords(ASKED_BYTES, blockBytes);
    this.#answers = new PartedRecords(ANSWER_BYTES, blockBytes);
  }

  /** Claims of the role `unique` and `reference` come in the order of the sources. Throws the errors of the file system. */
  add(hash: HashWords, role: Role, { file, line }: ValuePlace): void {
    const record = Buffer.alloc(ASKED_BYTES);
    for (let i = 0; i < 4; i++) record.writeInt32LE(hash[i]!, 4 * i);
    record.writeInt32LE(ROLES.indexOf(role), 16);
    record.writeInt32LE(file, 20);
    record.writeDoubleLE(line, 24);
    this.#asked.add(partOf(hash), record);
  }

  /** Compares them. Throws Interrupted, and the errors of the file system. */
  async compare(turns: Turns): Promise<void> {
    for (let part = 0; part < PARTS; part++) {
      const table = new ValueTable(Number.POSITIVE_INFINITY);
      for (const { hash, role, place } of this.#records(part)) {
        if (role === 'target' && table.find(hash) === null) table.add(hash, place);
        if (turns.isDue) await turns.take();
      }
      for (const { hash, role, place } of this.#records(part)) {
        if (role === 'target') continue;
        const first = table.find(hash);
        if (first === null && role === 'unique') table.add(hash, place);
        const answer = Buffer.alloc(ANSWER_BYTES);
        answer.writeInt32LE((first ?? NOWHERE).file, 0);
        answer.writeDoubleLE((first ?? NOWHERE).line, 8);
        this.#answers.add(part, answer);
        if (turns.isDue) await turns.take();
      }
    }
    this.#asked.close();
  }

  *#records(part: number): Generator<{ hash: HashWords; role: Role; place: ValuePlace }> {
    for (const record of this.#asked.read(part)) {
      const hash = [0, 4, 8, 12].map((at) => record.readInt32LE(at));
      const place = { file: record.readInt32LE(20), line: record.readDoubleLE(24) };
      yield { hash, role: ROLES[record.readInt32LE(16)]!, place }; // our own number
    }
  }

  /**
   * After `compare`, for the claims in the order in which they were added: where the value is for the first time, or where
   * a target has it; null: nowhere else.
   */
  next(hash: HashWords): ValuePlace | null {
    const part = partOf(hash);
    this.#next[part] ??= this.#answers.read(part);
    const { value } = this.#next[part].next();
    const file = value.readInt32LE(0);
    return file < 0 ? null : { file, line: value.readDoubleLE(8) };
  }

  /** Never throws. */
  close(): void {
    this.#asked.close();
    this.#answers.close();
  }
}

/** Tables use the first bits of the hash. */
function partOf(hash: HashWords): number {
  return hash[3]! & (PARTS - 1);
}

/** Records of one size, by part. Each part is blocks of one temporary file, and the beginning of a block in memory. */
class PartedRecords {
  readonly #recordBytes: number;
  readonly #blockBytes: number;
  readonly #spool: Spool;
  /** By part, where its blocks are in the file. */
  readonly #blocks: number[][] = Array.from({ length: PARTS }, () => []);
  readonly #open: (Buffer | null)[] = Array.from({ length: PARTS }, () => null);
  /** Bytes of the open block of each part. */
  readonly #used = new Int32Array(PARTS);
  #size = 0;

  constructor(recordBytes: number, blockBytes: number) {
    this.#recordBytes = recordBytes;
    this.#blockBytes = blockBytes;
    this.#spool = new Spool(blockBytes);
  }

  add(part: number, record: Buffer): void {
    this.#open[part] ??= Buffer.allocUnsafeSlow(this.#blockBytes);
    const block = this.#open[part];
    this.#used[part]! += record.copy(block, this.#used[part]);
    if (this.#used[part]! < this.#blockBytes) return;
    this.#blocks[part]!.push(this.#size);
    this.#size += this.#blockBytes;
    this.#open[part] = null;
    this.#used[part] = 0;
    this.#spool.write(block);
  }

  /** Those of a part, in order. */
  *read(part: number): Generator<Buffer> {
    for (const from of this.#blocks[part]!)
      yield* this.#recordsIn(Buffer.concat([...this.#spool.range(from, from + this.#blockBytes)]));
    const open = this.#open[part];
    if (open != null) yield* this.#recordsIn(open.subarray(0, this.#used[part]));
  }

  *#recordsIn(block: Buffer): Generator<Buffer> {
    for (let at = 0; at < block.length; at += this.#recordBytes)
      yield block.subarray(at, at + this.#recordBytes);
  }

  close(): void {
    this.#open.fill(null);
    this.#spool.close();
  }
}
