/**
 * Keeps the results of a part as data: for a thread to send, or for the main thread to report in their turn. Their
 * bytes are in memory that is used again once they are written. Threads share it, so bytes are neither sent nor left
 * to the garbage collector, which would keep many of them.
 */
import { type EditList, EditLog } from '../../json/edits.ts';
import { entryOf } from '../../json/on-demand.ts';
import { type HiddenCount, ViolationLog, weightOfRemoved } from '../../log/violation-table.ts';
import type { Extra, Rule, Statement, ViolationPlace, ViolationTable } from '../../types.ts';
import type { Plan } from '../check/flow.ts';
import { Counts, type Sums } from '../counts.ts';
import type { Claim, Sink, SourceEvent } from '../outlets/sink.ts';
import type { Collector } from '../part.ts';

/** Bytes for one of the destination's channels. */
interface PieceOfBytes {
  /** To be freed once it is written. */
  readonly chunk: SharedPiece;
  readonly changed: boolean;
  readonly channel: number;
}

/** The results of a part: plain data. Payload indexes and lines count from the part's beginning. */
export interface Gathered {
  /** Null: there are none. */
  readonly violations: ViolationTable | null;
  /** What else was found, in order, but for what follows here. `before`: how many of the violations come before it. */
  readonly events: { readonly before: number; readonly found: SourceEvent }[];
  readonly counts: Sums;
  /** Violations that are only counted. */
  readonly hidden: ReadonlyMap<Rule, HiddenCount>;
  /** Values that are compared with those of other payloads: lines of `listOfClaim` as JSON. */
  readonly claims: Uint8Array[];
  readonly edits: EditList;
  readonly chunks: PieceOfBytes[];
}

/** Thrown in the check of a part whose results cannot be kept as data: the main thread must do it in its turn. */
export class MustRunSerially extends Error {
  override readonly name = 'MustRunSerially';
}

/** Most characters, roughly, of a part's violations. The main thread reports more as they come, without memory. */
const MOST_CHARACTERS = 16 << 20;
/** Most bytes of a part's pieces. Its bytes are a tenth of that, but indentation can make them many times as many. */
const MOST_PIECE_BYTES = 64 << 20;

/** Most characters of claims that are objects of the heap: as many as millions of them would keep it full of garbage. */
const CLAIM_TEXT = 1 << 16;

/** The members of a claim in the order of the list. */
export type ClaimList = readonly [
  ...(readonly [Claim['relation'], Claim['role'], Claim['hash'], Claim['text'], Claim['valid'], Claim['listed']]),
  ...(readonly [Claim['kind'], Claim['pointer'], Claim['payload'], Claim['line'], Claim['column']]),
  ...(readonly [Claim['endLine'], Claim['endColumn'], Claim['offset']]),
];

/** A claim without the names of its members, as which it takes a third of the memory. */
export function listOfClaim(claim: Claim): ClaimList {
  const { relation, role, hash, text, valid, listed, kind, pointer } = claim;
  const { payload, line, column, endLine, endColumn, offset } = claim;
  return [relation, role, hash, text, valid, listed, kind, pointer, payload, line, column, endLine, endColumn, offset];
}

export function claimOfList(list: ClaimList): Claim {
  const [relation, role, hash, text, valid, listed, kind, pointer, ...place] = list;
  const [payload, line, column, endLine, endColumn, offset] = place;
  const known = { relation, role, hash, text, valid, listed, kind, pointer };
  return { ...known, payload, line, column, endLine, endColumn, offset };
}

/** Gathers the results of one part after another. */
export class Gatherer implements Collector {
  /** An invalid payload has ended the run. */
  stopped = false;
  readonly isDue = false;
  readonly flush: Sink['flush'];
  readonly #bail: boolean;
  readonly #blocks: Blocks;
  readonly #log = new ViolationLog();
  #edits = new EditLog();
  #counts = new Counts();
  /** What was gathered of the part, but for the violations, the counts and the edits. */
  #part = nothing();
  /** Size of the claims and changes, in characters, roughly. */
  #weight = 0;
  #pieceBytes = 0;
  #claimText = '';

  /** `blocks`: for the bytes of pieces; `flush`: of the sink. By default, `flush` does nothing. */
  constructor({ bail }: Pick<Plan, 'bail'>, blocks: Blocks, flush: Sink['flush'] = async () => {}) {
    this.#bail = bail;
    this.#blocks = blocks;
    this.flush = flush;
  }

  /** Returns all results of the part and starts the next one. */
  take(): Gathered {
    this.#keepClaims();
    const { offsets, lengths, texts } = this.#edits; // plain data, without the log
    const edits = { offsets, lengths, texts };
    const { ...counts } = this.#counts;
    const gathered = { ...this.#part, counts, edits, violations: this.#log.take() };
    if (offsets.length > 0) this.#edits = new EditLog();
    this.#counts = new Counts();
    this.#part = nothing();
    this.#weight = 0;
    this.#pieceBytes = 0;
    return gathered;
  }

  violation(statement: Statement, place: ViolationPlace, extra: Extra | null, again?: boolean): boolean {
    this.#log.add(statement, place, extra, again);
    this.#weigh(0);
    return false;
  }

  emit(found: SourceEvent): void {
    if (this.#counts.take(found)) {
      if (found.type === 'payload') this.stopped ||= this.#bail && !found.valid;
      return;
    }
    // The main thread can report a fault in order, between violations, and knows the payload's index.
    if (found.type === 'fault') throw new MustRunSerially('a payload could not be checked');
    if (found.type === 'unlisted') throw new MustRunSerially('too many violations in one payload');
    if (found.type === 'hidden') this.#hide(found);
    else if (found.type === 'claim') this.#claim(found.claim);
    else if (found.type === 'edit') this.#edits.add(found.edit);
    else {
      this.#part.events.push({ before: this.#log.length, found });
      if (found.type === 'change' && found.repair === 'prune') this.#weigh(weightOfRemoved(found.place));
    }
  }

  #hide({ rule, count, fixable }: HiddenCount): void {
    const counts = entryOf(this.#part.hidden, rule, () => ({ rule, count: 0, fixable: 0 }));
    counts.count += count;
    counts.fixable += fixable;
  }

  #claim(claim: Claim): void {
    const line = `${JSON.stringify(listOfClaim(claim))}\n`;
    this.#claimText += line;
    if (this.#claimText.length > CLAIM_TEXT) this.#keepClaims();
    this.#weigh(line.length);
  }

  #keepClaims(): void {
    if (this.#claimText !== '') this.#part.claims.push(Buffer.from(this.#claimText));
    this.#claimText = '';
  }

  /** The window will be reused. */
  bytes(chunk: Uint8Array, changed: boolean, channel = 0): void {
    this.#pieceBytes += chunk.length;
    if (this.#pieceBytes > MOST_PIECE_BYTES) throw new MustRunSerially('too much memory for its pieces');
    this.#part.chunks.push({ chunk: this.#blocks.keep(chunk), changed, channel });
  }

  reserve(bytes: Uint8Array): Uint8Array {
    return this.#blocks.reserve(bytes);
  }

  #weigh(characters: number): void {
    this.#weight += characters;
    if (this.#weight + this.#log.weight > MOST_CHARACTERS) throw new MustRunSerially('too much for one message');
  }
}

/** Of a part without results so far. */
function nothing(): Pick<Gathered, 'events' | 'claims' | 'chunks'> & { readonly hidden: Map<Rule, HiddenCount> } {
  return { events: [], claims: [], chunks: [], hidden: new Map() };
}

/** Bytes in memory that threads share. */
export type SharedPiece = Uint8Array<SharedArrayBuffer>;

/** The bytes before the first piece. */
const HEAD_BYTES = 8;
const BLOCK_BYTES = 1 << 21;
/** Shared memory is copied by words only if both sides are aligned alike; by bytes takes five times as long. */
const WORD_BYTES = 8;

interface Block {
  readonly bytes: SharedPiece;
  readonly pieces: Int32Array<SharedArrayBuffer>;
}

/** The blocks of a thread. Each begins with the number of its pieces that are still needed; at 0, it is reused. */
export class Blocks {
  readonly #blocks: Block[] = [];
  #present: Block | null = null;
  /** Where the next piece goes in the present block. */
  #at = 0;
  /** The piece that `reserve` returned last; null: it was used. */
  #given: SharedPiece | null = null;

  /** A copy of `bytes`, valid until it is passed to `free`; or `bytes` itself, if it is what `reserve` gave last. */
  keep(bytes: Uint8Array): SharedPiece {
    const given = this.#given;
    const copy = given !== null && bytes === given ? given : this.reserve(bytes);
    if (copy !== given) copy.set(bytes);
    this.#given = null;
    this.#at += copy.length;
    Atomics.add(this.#present!.pieces, 0, 1); // `reserve` has set it
    return copy;
  }

  /** Memory for a copy of `bytes`, good until the next call of `reserve` or `keep`. */
  reserve(bytes: Uint8Array): SharedPiece {
    const { length } = bytes;
    this.#at = alignedAs(bytes, this.#at);
    if (this.#present === null || this.#at + length > this.#present.bytes.length) {
      this.#begin(length);
      this.#at = alignedAs(bytes, HEAD_BYTES);
    }
    this.#given = this.#present!.bytes.subarray(this.#at, this.#at + length); // `#begin` has set it
    return this.#given;
  }

  #begin(length: number): void {
    const needed = HEAD_BYTES + WORD_BYTES + length;
    const fits = ({ bytes, pieces }: Block): boolean => bytes.length >= needed && Atomics.load(pieces, 0) === 0;
    let block = this.#blocks.find(fits);
    if (block === undefined) {
      const shared = new SharedArrayBuffer(Math.max(BLOCK_BYTES, needed));
      block = { bytes: new Uint8Array(shared), pieces: new Int32Array(shared, 0, 1) };
      // A block of another size is for one large piece.
      if (block.bytes.length === BLOCK_BYTES) this.#blocks.push(block);
    }
    this.#present = block;
  }
}

/** The first index from `at` on that has the same position within a memory word as the first of `bytes`. */
function alignedAs({ byteOffset }: Uint8Array, at: number): number {
  return at + ((((byteOffset - at) % WORD_BYTES) + WORD_BYTES) % WORD_BYTES);
}

/** Frees the pieces of results: they have been written, or will not be. */
export function freePieces({ chunks }: Pick<Gathered, 'chunks'>): void {
  for (const { chunk } of chunks) Atomics.sub(new Int32Array(chunk.buffer, 0, 1), 0, 1);
}
