/**
 * Keeps the results of a part as data: for a thread to send, or for the main thread to report in their turn. Their
 * bytes are in memory that is used again once they are written. Threads share it, so bytes are neither sent nor left
 * to the garbage collector, which would keep many of them.
 */
import type { TallyData } from '../../engine/judge/tally.ts';
import { type ByteEdit, type EditList, EditLog } from '../../json/edits.ts';
import { entryOf } from '../../json/on-demand.ts';
import { type HiddenCount, ViolationLog, weightOfRemoved } from '../../log/violation-table.ts';
import type {
  ChangedPlace,
  Extra,
  Hidden,
  Repair,
  Rule,
  Statement,
  ViolationPlace,
  ViolationTable,
} from '../../types.ts';
import type { Claim, Plan, Sink } from '../check/flow.ts';
import type { Collector } from '../part.ts';

/** Bytes for one of the destination's channels. */
interface PieceOfBytes {
  /** To be freed once it is written. */
  readonly chunk: SharedPiece;
  readonly changed: boolean;
  readonly channel: number;
}

/** The pieces of a part's outlet, in order. */
interface PartPieces {
  readonly chunks: PieceOfBytes[];
  readonly edits: EditList;
  readonly patterns: (readonly [repair: Repair, pattern: string, count: number])[];
  rejected: number;
}

/** The results of a part: plain data. Payload indexes and lines count from the part's beginning. */
export interface Gathered {
  /** Null: there are none. */
  readonly violations: ViolationTable | null;
  /** Changed members, in order, if the outlet lists them. `before`: how many of the violations come before it. */
  readonly finds: { readonly before: number; readonly repair: Repair; readonly place: ChangedPlace }[];
  /** Values that are compared with those of other payloads: lines of `listOfClaim` as JSON. */
  readonly claims: Uint8Array[];
  /** Notes for the user about the source. */
  readonly hints: string[];
  /** Payloads that are top-level arrays, because the schema is about arrays. */
  arrays: number;
  /** Payloads that did not break, but are not valid by both schemas. */
  readonly compared: Record<'healed' | 'invalid', number>;
  /** What was counted of the places of the schemas. */
  readonly covered: TallyData[];
  /** Violations that are only counted, found after the others. Null: there are none. */
  hidden: Map<Rule, HiddenCount> | null;
  /** Few entries, so a list is faster than a map. */
  readonly payloads: { readonly kind: string | null; readonly valid: boolean; count: number }[];
  /** Null without an outlet. */
  readonly pieces: PartPieces | null;
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
  readonly flush: Sink['flush'];
  readonly #bail: boolean;
  readonly #hasOutlet: boolean;
  readonly #blocks: Blocks;
  readonly #log = new ViolationLog();
  #edits = new EditLog();
  /** What was gathered of the part, but for the violations. */
  #part: Gathered;
  /** Size of the finds, in characters, roughly. */
  #weight = 0;
  #pieceBytes = 0;
  #claimText = '';

  /** `blocks`: for the bytes of pieces; `flush`: of the sink. By default, `flush` does nothing. */
  constructor({ bail, outlet }: Pick<Plan, 'bail' | 'outlet'>, blocks: Blocks, flush: Sink['flush'] = async () => {}) {
    this.#bail = bail;
    this.#hasOutlet = outlet !== null;
    this.#blocks = blocks;
    this.flush = flush;
    this.#part = this.#nothing();
  }

  /** A part without results so far. */
  #nothing(): Gathered {
    const { offsets, lengths, texts } = this.#edits; // plain data, without the log
    const edits = { offsets, lengths, texts };
    const pieces = this.#hasOutlet ? { chunks: [], edits, patterns: [], rejected: 0 } : null;
    const compared = { healed: 0, invalid: 0 };
    return {
      violations: null,
      finds: [],
      claims: [],
      hints: [],
      arrays: 0,
      compared,
      covered: [],
      hidden: null,
      payloads: [],
      pieces,
    };
  }

  /** Returns all results of the part and starts the next one. */
  take(): Gathered {
    this.#keepClaims();
    const gathered = { ...this.#part, violations: this.#log.take() };
    if (this.#hasOutlet) this.#edits = new EditLog();
    this.#part = this.#nothing();
    this.#weight = 0;
    this.#pieceBytes = 0;
    return gathered;
  }

  violation(statement: Statement, place: ViolationPlace, extra: Extra | null, again?: boolean): boolean {
    this.#log.add(statement, place, extra, again);
    this.#weigh(0);
    return true;
  }

  claim(claim: Claim): void {
    const line = `${JSON.stringify(listOfClaim(claim))}\n`;
    this.#claimText += line;
    if (this.#claimText.length > CLAIM_TEXT) this.#keepClaims();
    this.#weigh(line.length);
  }

  #keepClaims(): void {
    if (this.#claimText !== '') this.#part.claims.push(Buffer.from(this.#claimText));
    this.#claimText = '';
  }

  hint(text: string): void {
    this.#part.hints.push(text);
  }

  array(): void {
    this.#part.arrays++;
  }

  hidden({ rule, fixable }: Hidden, count = 1): void {
    this.#part.hidden ??= new Map();
    const counts = entryOf(this.#part.hidden, rule, () => ({ rule, count: 0, fixable: 0 }));
    counts.count += count;
    if (fixable) counts.fixable += count;
  }

  compared(outcome: 'healed' | 'invalid'): void {
    this.#part.compared[outcome]++;
  }

  covered(counted: TallyData): void {
    this.#part.covered.push(counted);
  }

  /** The main thread knows the payload's index. */
  unlisted(): never {
    throw new MustRunSerially('too many violations in one payload');
  }

  payload(kind: string | null, valid: boolean): boolean {
    this.#count(kind, valid, 1);
    this.stopped = this.#bail && !valid;
    return !this.stopped;
  }

  accepted(kind: string, payloads: number): void {
    this.#count(kind, true, payloads);
  }

  /** The main thread can report it in order, between violations. */
  fault(): never {
    throw new MustRunSerially('a payload could not be checked');
  }

  /** The window will be reused. */
  bytes(chunk: Uint8Array, changed: boolean, channel = 0): void {
    this.#pieceBytes += chunk.length;
    if (this.#pieceBytes > MOST_PIECE_BYTES) throw new MustRunSerially('too much memory for its pieces');
    this.#pieces.chunks.push({ chunk: this.#blocks.keep(chunk), changed, channel });
  }

  reserve(bytes: Uint8Array): Uint8Array {
    return this.#blocks.reserve(bytes);
  }

  edit(edit: ByteEdit): void {
    this.#edits.add(edit);
  }

  change(repair: Repair, place: ChangedPlace): void {
    this.#part.finds.push({ before: this.#log.length, repair, place });
    if (repair === 'prune') this.#weigh(weightOfRemoved(place));
  }

  changed(repair: Repair, pattern: string, count: number): void {
    this.#pieces.patterns.push([repair, pattern, count]);
  }

  rejected(count: number): void {
    this.#pieces.rejected += count;
  }

  get #pieces(): PartPieces {
    return this.#part.pieces!; // only an outlet makes some
  }

  #weigh(characters: number): void {
    this.#weight += characters;
    if (this.#weight + this.#log.weight > MOST_CHARACTERS) throw new MustRunSerially('too much for one message');
  }

  #count(kind: string | null, valid: boolean, count: number): void {
    const { payloads } = this.#part;
    for (const counts of payloads) {
      if (counts.kind === kind && counts.valid === valid) {
        counts.count += count;
        return;
      }
    }
    payloads.push({ kind, valid, count });
  }
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
export function freePieces({ pieces }: Pick<Gathered, 'pieces'>): void {
  for (const { chunk } of pieces?.chunks ?? []) Atomics.sub(new Int32Array(chunk.buffer, 0, 1), 0, 1);
}
