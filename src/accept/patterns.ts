/**
 * Patterns and formats as automata over the bytes of a string. Their tables lie in the memory before the window; each
 * byte of a text is one step.
 */

import type { Automaton } from '../automaton/automaton.ts';
import { type Compiled, compileAutomaton } from '../automaton/compile.ts';
import { fromText } from '../automaton/text.ts';
import {
  block,
  br,
  brIf,
  type Code,
  call,
  type FunctionCode,
  i32Add,
  i32And,
  i32Const,
  i32GeU,
  i32LeU,
  i32Load8U,
  i32Load16U,
  i32Ne,
  i32Shl,
  localGet,
  localSet,
  loop,
} from '../wasm/assembler.ts';
import { TABLES, type TableRoom } from '../wasm/layout.ts';
import { FORMAT_TABLES } from './format-tables.ts';
import { Unsupported } from './unsupported.ts';

/** An automaton in the memory. A state is the index of its row: its number times `classCount`. */
export interface PatternTable {
  readonly address: number;
  readonly classCount: number;
  readonly start: number;
  /** The last of the accepting states. */
  readonly lastAccepting: number;
}

/** Automata of one schema may take this much work to make together, see `Limits`. */
const MOST_WORK = 6_000_000;
/** For a single one. */
const LIMITS = { states: 10_000, work: 2_000_000 };
/** What an automaton is counted as at least, and one that was given up. */
const LEAST_WORK = 20_000;
/** The bytes of the table of classes, which is before the transitions. */
const CLASSES = 256;

export class Patterns {
  readonly #room: TableRoom;
  readonly #made = new Map<string, PatternTable | string>();
  #bytes = new Uint8Array(0);
  #length = 0;
  #work = 0;

  constructor(room: TableRoom) {
    this.#room = room;
  }

  /** The tables, for the address at which the room begins. */
  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /**
   * The table for a pattern of a schema. It matches like a RegExp with the flag `u`, or without it if it is valid only
   * so. Throws Unsupported.
   */
  table(source: string): PatternTable {
    let made = this.#made.get(source);
    if (made === undefined) {
      made = this.#make(source);
      this.#made.set(source, made);
    }
    if (typeof made === 'string') throw new Unsupported(`the pattern ${JSON.stringify(source)}: ${made}`);
    return made;
  }

  #make(source: string): PatternTable | string {
    if (this.#work > MOST_WORK) return 'the schema has too many large patterns';
    const { automaton, reason } = compiled(source);
    this.#work += LEAST_WORK + (automaton === null ? LIMITS.work / 4 : automaton.transitions.length * 20);
    return automaton === null ? reason : this.#store(automaton);
  }

  #store({ classes, classCount, transitions, start, lastAccepting }: Automaton): PatternTable | string {
    if (transitions.length > 0xffff) return 'its automaton is too large';
    const at = this.#length;
    const end = at + CLASSES + 2 * transitions.length;
    if (end > this.#room.bytes) return 'there is no room for its automaton';
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(this.#room.bytes, Math.max(2 * this.#bytes.length, end)));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(classes, at);
    for (let i = 0, to = at + CLASSES; i < transitions.length; i++, to += 2) {
      const row = transitions[i]! * classCount;
      this.#bytes[to] = row;
      this.#bytes[to + 1] = row >> 8;
    }
    this.#length = end;
    return {
      address: TABLES + this.#room.from + at,
      classCount,
      start: start * classCount,
      lastAccepting: lastAccepting * classCount,
    };
  }
}

/** The automaton of a pattern, without work for those of formats. */
export function compiled(source: string): Compiled {
  const text = FORMAT_TABLES.get(source);
  if (text !== undefined) return { automaton: fromText(text), reason: null };
  return compileAutomaton(source, isUnicode(source), LIMITS);
}

/** Whether the expression is valid with the flag `u`. Throws Unsupported if it is invalid without it as well. */
export function isUnicode(source: string): boolean {
  for (const flags of ['u', '']) {
    try {
      new RegExp(source, flags);
      return flags === 'u';
    } catch {
      // Tried without the flag, or thrown below.
    }
  }
  throw new Unsupported('a pattern that is not a regular expression');
}

/** 1 if the bytes in [from, end) match, else 0. They are UTF-8, without escapes. */
export function matchCode(table: PatternTable, from: Code, end: Code): Code {
  const { address, classCount, start, lastAccepting } = table;
  return call(
    'match',
    from,
    end,
    i32Const(address),
    i32Const(start),
    i32Const(classCount),
    i32Const(lastAccepting),
  );
}

const p = localGet('p');
const state = localGet('state');

/** Follows the transitions of a table. States 0 and `classCount` are final: no match, and a match. */
export const match: FunctionCode = {
  name: 'match',
  params: [
    ['p', 'i32'],
    ['end', 'i32'],
    ['table', 'i32'],
    ['state', 'i32'],
    ['classCount', 'i32'],
    ['lastAccepting', 'i32'],
  ],
  result: 'i32',
  locals: [],
  body: [
    ...block(
      'done',
      loop(
        'next',
        brIf('done', i32GeU(p, localGet('end'))),
        localSet(
          'state',
          i32Load16U(
            i32Add(
              localGet('table'),
              i32Shl(i32Add(state, i32Load8U(i32Add(localGet('table'), i32Load8U(p)))), i32Const(1)),
            ),
            CLASSES,
          ),
        ),
        localSet('p', i32Add(p, i32Const(1))),
        brIf('done', i32LeU(state, localGet('classCount'))),
        br('next'),
      ),
    ),
    ...i32And(i32Ne(state, i32Const(0)), i32LeU(state, localGet('lastAccepting'))),
  ],
};
