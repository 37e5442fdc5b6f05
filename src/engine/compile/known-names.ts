/**
 * The names of members that a schema or a guard mentions. While an object is read, each has a bit, in locals of 64 bits,
 * that says whether it was found.
 */

import { Unsupported } from '../../keywords/keyword-code.ts';
import type { Code, FunctionCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { UNSURE } from '../wasm/templates.ts';
import { rawText } from './text.ts';

/** Names per local. */
export const BITS = 64;
/** More names make too much code. */
const MOST_NAMES = 4000;

export interface KnownName {
  readonly name: string;
  /** The name's bytes with the closing quote; null if it can only be written with escapes. */
  readonly bytes: readonly number[] | null;
  /** The number of the local, and the bit in it. */
  readonly word: number;
  readonly bit: bigint;
}

export class KnownNames {
  readonly all: readonly KnownName[];

  /** Throws Unsupported. */
  constructor(names: ReadonlySet<string>) {
    if (names.size > MOST_NAMES) throw new Unsupported(`an object with more than ${MOST_NAMES} known members`);
    this.all = [...names].map((name, index) => ({
      ...{ name, bytes: rawText(name) },
      ...{ word: Math.floor(index / BITS), bit: 1n << BigInt(index % BITS) },
    }));
  }

  /** For the bits. */
  get locals(): FunctionCode['locals'] {
    return [...new Set(this.all.map(({ word }) => word))].map((word) => [`seen${word}`, 'i64']);
  }

  /** Returns "unsure" if the name was found before. */
  mustBeNew({ word, bit }: KnownName): Code {
    return asm.if_(asm.i32Eqz(asm.i64Eqz(asm.i64And(`seen${word}`, asm.i64Const(bit)))), UNSURE);
  }

  /** Records that the name was found. */
  mark({ word, bit }: KnownName): Code {
    return asm.localSet(`seen${word}`, asm.i64Or(`seen${word}`, asm.i64Const(bit)));
  }

  /** Whether a name, which is known, was found. */
  has(name: string): Code {
    return asm.i64Ne(this.#found([name])[0]![0], asm.i64Const(0n));
  }

  /** Whether all of `names`, which are known, were found. */
  hasAll(names: readonly string[]): Code {
    const differences = this.#found(names).map(([found, mask]) => asm.i64Xor(found, mask));
    return asm.i64Eqz(differences.reduce((a, b) => asm.i64Or(a, b)));
  }

  /** Runs `otherwise` if one of `names`, which are known, was not found. */
  mustHave(names: readonly string[], otherwise: Code): Code {
    return this.#found(names).flatMap(([found, mask]) => asm.if_(asm.i64Ne(found, mask), otherwise));
  }

  /** For each local with bits of `names`: those that are set, and all of them. */
  #found(names: readonly string[]): [found: Code, mask: Code][] {
    const masks = new Map<number, bigint>();
    for (const { name, word, bit } of this.all)
      if (names.includes(name)) masks.set(word, (masks.get(word) ?? 0n) | bit);
    return [...masks].map(([word, mask]) => [asm.i64And(`seen${word}`, asm.i64Const(mask)), asm.i64Const(mask)]);
  }
}
