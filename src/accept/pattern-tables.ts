/**
 * Patterns and formats as automata over the bytes of a string. Their tables lie in the memory before the window; each
 * byte of a text is one step.
 */

import type { Automaton } from '../automaton/automaton.ts';
import { fromText } from '../automaton/automaton-text.ts';
import { type Compiled, compileAutomaton } from '../automaton/matcher.ts';
import { toRegExp } from '../schema/regexp.ts';
import type { Code, FunctionCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { TABLE_BYTES, TABLES } from '../wasm/layout.ts';
import { p } from '../wasm/templates.ts';
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

/** Work that the automata of one schema may take together, see `Limits`. */
const MOST_WORK = 6_000_000;
/** Limits for one automaton. */
const LIMITS = { states: 10_000, work: 2_000_000 };
/** The least work that an automaton is charged, also if it was given up. */
const LEAST_WORK = 20_000;
/** Size of the table of classes, which is before the transitions, in bytes. */
const CLASSES = 256;

/**
 * Maximum number of patterns that wait. Each has an entry in the memory: four numbers, of which the address is 0 at
 * first.
 */
const MOST_WAITING = 2000;
const ENTRY_BYTES = 16;
/** Instead of the address, if the automaton cannot be made. */
const NONE = 1;

/** A backreference or a lookbehind: there is no automaton. Such a pattern does not wait, so this is known at once. */
const HOPELESS = /\\[1-9k]|\(\?<[=!]/;

/**
 * The patterns of a module. If they wait, an automaton is made only when a text must be matched with it: a run over a
 * few small payloads needs few of them.
 */
export class Patterns {
  readonly #waits: boolean;
  readonly #made = new Map<string, PatternTable | string>();
  /** The patterns that wait, or waited, by number. */
  readonly #waiting: string[] = [];
  #bytes = new Uint8Array(0);
  #length = 0;
  #work = 0;

  constructor(waits = false) {
    this.#waits = waits;
  }

  /** The tables, for the address `TABLES`. */
  get bytes(): Uint8Array {
    this.#reserveEntries();
    return this.#bytes.slice(0, this.#length);
  }

  /**
   * The table for a pattern of a schema, or where it will be. It matches what `toRegExp` matches. Throws Unsupported.
   */
  table(source: string): PatternTable | WaitingTable {
    if (this.#waits && !HOPELESS.test(source)) return this.#wait(source);
    const made = this.#tableOf(source);
    if (typeof made === 'string') throw new Unsupported(`the pattern ${JSON.stringify(source)}: ${made}`);
    return made;
  }

  #tableOf(source: string): PatternTable | string {
    let made = this.#made.get(source);
    if (made === undefined) {
      made = this.#make(source);
      this.#made.set(source, made);
    }
    return made;
  }

  #wait(source: string): WaitingTable {
    let number = this.#waiting.indexOf(source);
    if (number < 0) {
      if (this.#waiting.length === MOST_WAITING) throw new Unsupported('the schema has too many patterns');
      number = this.#waiting.push(source) - 1;
    }
    return { entry: TABLES + number * ENTRY_BYTES };
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Makes the automaton for the entry at an address. False if that is not possible. */
  makeAt(entry: number): boolean {
    return this.#makeWaiting((entry - TABLES) / ENTRY_BYTES);
  }

  /** Makes all that wait. */
  makeAll(): void {
    for (const number of this.#waiting.keys()) this.#makeWaiting(number);
  }

  #makeWaiting(number: number): boolean {
    this.#reserveEntries();
    const made = this.#tableOf(this.#waiting[number]!); // a number that `table` gave
    const view = new DataView(this.#bytes.buffer, number * ENTRY_BYTES);
    const isNone = typeof made === 'string';
    const numbers = isNone ? [NONE] : [made.address, made.start, made.classCount, made.lastAccepting];
    for (const [i, value] of numbers.entries()) view.setUint32(4 * i, value, true);
    return !isNone;
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
    if (end > TABLE_BYTES) return 'there is no room for its automaton';
    this.#reserve(end);
    this.#bytes.set(classes, at);
    for (let i = 0, to = at + CLASSES; i < transitions.length; i++, to += 2) {
      const row = transitions[i]! * classCount;
      this.#bytes[to] = row;
      this.#bytes[to + 1] = row >> 8;
    }
    this.#length = end;
    return {
      address: TABLES + at,
      classCount,
      start: start * classCount,
      lastAccepting: lastAccepting * classCount,
    };
  }

  /** The entries are before the tables. They are 0 at first, whatever the memory had there. */
  #reserveEntries(): void {
    const entries = this.#waiting.length * ENTRY_BYTES;
    if (this.#length >= entries) return;
    this.#reserve(entries);
    this.#length = entries;
  }

  #reserve(end: number): void {
    if (end <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.min(TABLE_BYTES, Math.max(2 * this.#bytes.length, end)));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** A table that may not be there yet. */
export interface WaitingTable {
  /** The address of its entry in the memory. */
  readonly entry: number;
}

/** The automaton of a pattern. Those of formats may be in a table already. */
export function compiled(source: string): Compiled {
  const text = FORMAT_TABLES.get(source);
  if (text !== undefined) return { automaton: fromText(text), reason: null };
  return compileAutomaton(toRegExp(source).source, LIMITS);
}

/** 1 if the bytes in [from, end) match, else 0. They are UTF-8, without escapes. */
export function matchCode(table: PatternTable | WaitingTable, from: Code, end: Code): Code {
  if ('entry' in table) return asm.call('matchWaiting', from, end, table.entry);
  const { address, classCount, start, lastAccepting } = table;
  return asm.call('match', from, end, address, start, classCount, lastAccepting);
}

const state = asm.localGet('state');

/** Follows the transitions of a table. States 0 and `classCount` are final: no match, and a match. */
export const match: FunctionCode = {
  name: 'match',
  params: asm.i32s('p', 'end', 'table', 'state', 'classCount', 'lastAccepting'),
  result: 'i32',
  locals: [],
  body: [
    asm.block(
      'done',
      asm.loop(
        'next',
        asm.brIf('done', asm.i32GeU(p, 'end')),
        asm.localSet(
          'state',
          asm.i32Load16U(
            asm.i32Add(
              'table',
              asm.i32Shl(asm.i32Add(state, asm.i32Load8U(asm.i32Add('table', asm.i32Load8U(p)))), 1),
            ),
            CLASSES,
          ),
        ),
        asm.localSet('p', asm.i32Add(p, 1)),
        asm.brIf('done', asm.i32LeU(state, 'classCount')),
        asm.br('next'),
      ),
    ),
    asm.i32And(asm.i32Ne(state, 0), asm.i32LeU(state, 'lastAccepting')),
  ],
};

const entry = asm.localGet('entry');

/** The same with the table of an entry. Without one, the module stops: the table is made, and all is done again. */
export const matchWaiting: FunctionCode = {
  name: 'matchWaiting',
  params: asm.i32s('p', 'end', 'entry'),
  result: 'i32',
  locals: [],
  body: [
    asm.if_(asm.i32LeU(asm.i32Load(entry), NONE), [asm.globalSet('wanted', entry), ...asm.unreachable]),
    asm.call(
      'match',
      p,
      'end',
      asm.i32Load(entry),
      asm.i32Load(entry, 4),
      asm.i32Load(entry, 8),
      asm.i32Load(entry, 12),
    ),
  ],
};
