/** Patterns and formats as automata over bytes, a step for each. Their tables are in the memory before the window. */
import { memoized } from '../../json/on-demand.ts';
import { Unsupported } from '../../keywords/keyword-code.ts';
import { AUTOMATON_LIMITS, type Automaton, fromText } from '../../regex/automaton.ts';
import { type CompiledPattern, compileAutomaton } from '../../regex/matcher.ts';
import { toRegExp } from '../../schema/regexp.ts';
import type { Code, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { TABLE_BYTES, TABLES } from '../../wasm/layout.ts';
import { p, until } from '../../wasm/templates.ts';
import { FORMAT_TABLES } from './format-tables.ts';

/** Work that the automata of one schema may take together, see `AutomatonLimits`. */
const MOST_WORK = 6_000_000;
/** The least work that an automaton is charged, also if it was given up. */
const LEAST_WORK = 20_000;
/** Size of the table of classes, which is before the transitions, in bytes. */
const CLASSES = 256;

/**
 * Maximum number of patterns. Each has an entry in the memory: the address of its table, which is 0 at first, the start, the
 * number of classes, and the last of the accepting states. A state is the index of its row: its number times that of classes.
 */
const MOST_PATTERNS = 2000;
const ENTRY_BYTES = 16;
/** Instead of the address, if the automaton cannot be made. */
const NO_AUTOMATON = 1;

/** A backreference or a lookbehind: most likely there is no automaton, which is better known at once. */
const HOPELESS = /\\[1-9k]|\(\?<[=!]/;

/** The patterns of a module. An automaton is made when a text must be matched: small runs need few of them. */
export class Patterns {
  /** By number. */
  readonly #sources: string[] = [];
  /** Makes the entry of a number; whether it has a table. */
  readonly #makeEntry = memoized((number: number): boolean => {
    this.#reserveEntries();
    const numbers = this.#make(this.#sources[number]!); // a number that `entryOf` gave
    const view = new DataView(this.#bytes.buffer, number * ENTRY_BYTES);
    for (const [i, value] of (numbers ?? [NO_AUTOMATON]).entries()) view.setUint32(4 * i, value, true);
    return numbers !== null;
  });
  #bytes = new Uint8Array(0);
  #length = 0;
  #work = 0;

  /** The tables, for the address `TABLES`. */
  get bytes(): Uint8Array {
    this.#reserveEntries();
    return this.#bytes.slice(0, this.#length);
  }

  /** The address of the entry for a pattern of a schema. It matches what `toRegExp` matches. Throws Unsupported. */
  entryOf(source: string): number {
    const reason = HOPELESS.test(source) ? compiled(source).reason : null;
    if (reason !== null) throw new Unsupported(`the pattern ${JSON.stringify(source)}: ${reason}`);
    let number = this.#sources.indexOf(source);
    if (number < 0) {
      if (this.#sources.length === MOST_PATTERNS) throw new Unsupported('the schema has too many patterns');
      number = this.#sources.push(source) - 1;
    }
    return TABLES + number * ENTRY_BYTES;
  }

  get isEmpty(): boolean {
    return this.#sources.length === 0;
  }

  /** Makes the automaton for the entry at an address. False if that is not possible. */
  makeAt(entry: number): boolean {
    return this.#makeEntry((entry - TABLES) / ENTRY_BYTES);
  }

  makeAll(): void {
    for (const number of this.#sources.keys()) this.#makeEntry(number);
  }

  /** The numbers of its entry; null if there is none. */
  #make(source: string): readonly number[] | null {
    if (this.#work > MOST_WORK) return null;
    const { automaton } = compiled(source);
    this.#work += LEAST_WORK + (automaton === null ? AUTOMATON_LIMITS.work / 4 : automaton.transitions.length * 20);
    return automaton === null ? null : this.#store(automaton);
  }

  #store({ classes, classCount, transitions, start, lastAccepting }: Automaton): readonly number[] | null {
    const at = this.#length;
    const end = at + CLASSES + 2 * transitions.length;
    if (transitions.length > 0xffff || end > TABLE_BYTES) return null;
    this.#reserve(end);
    this.#bytes.set(classes, at);
    for (let i = 0, to = at + CLASSES; i < transitions.length; i++, to += 2) {
      const row = transitions[i]! * classCount;
      this.#bytes[to] = row;
      this.#bytes[to + 1] = row >> 8;
    }
    this.#length = end;
    return [TABLES + at, start * classCount, classCount, lastAccepting * classCount];
  }

  /** The entries are before the tables. They are 0 at first, whatever the memory had there. */
  #reserveEntries(): void {
    const entries = this.#sources.length * ENTRY_BYTES;
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

/** The automaton of a pattern. Those of formats may be in a table already. */
export function compiled(source: string): CompiledPattern {
  const text = FORMAT_TABLES.get(source);
  if (text !== undefined) return { automaton: fromText(text), reason: null };
  return compileAutomaton(toRegExp(source).source);
}

/** 1 if the bytes in [from, end) match the pattern of an entry, else 0. They are UTF-8, without escapes. */
export function matchCode(entry: number, from: Code, end: Code): Code {
  return asm.call('match', from, end, entry);
}

const state = asm.localGet('state');

const MATCH_LOCALS: Variables = asm.i32s('table', 'state', 'classCount', 'lastAccepting');

/** Follows the transitions of a table. States 0 and `classCount` are final. Without a table, the module stops. */
export const match = asm.func('match', asm.i32s('p', 'end', 'entry'), MATCH_LOCALS, [
  asm.localSet('table', asm.i32Load('entry')),
  asm.if_(asm.i32LeU('table', NO_AUTOMATON), [asm.globalSet('wanted', 'entry'), ...asm.unreachable]),
  asm.localSet('state', asm.i32Load('entry', 4)),
  asm.localSet('classCount', asm.i32Load('entry', 8)),
  asm.localSet('lastAccepting', asm.i32Load('entry', 12)),
  until(asm.i32GeU(p, 'end'), [
    asm.localSet(
      'state',
      asm.i32Load16U(
        asm.i32Add('table', asm.i32Shl(asm.i32Add(state, asm.i32Load8U(asm.i32Add('table', asm.i32Load8U(p)))), 1)),
        CLASSES,
      ),
    ),
    asm.localSet('p', asm.i32Add(p, 1)),
    asm.brIf('done', asm.i32LeU(state, 'classCount')),
  ]),
  asm.i32And(asm.i32Ne(state, 0), asm.i32LeU(state, 'lastAccepting')),
]);
