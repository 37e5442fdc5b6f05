/**
 * What an evaluation can give instead of a value, and the steps that it may take. Expected trouble is a value; only a
 * bound throws.
 */
import { TooCostly } from '../errors.ts';
import { CHECK_STEPS, CHECK_STEPS_OF_A_BYTE } from '../limits.ts';
import { quote } from '../words/escape.ts';

/** An evaluation that fails. CEL goes on after some failures: `false && failure` is false. */
export class Failure {
  /** A clause. */
  readonly why: string;
  /** What to ask before, as an expression; null: nothing would help. */
  readonly hint: string | null;

  constructor(why: string, hint: string | null = null) {
    this.why = why;
    this.hint = hint;
  }
}

/** Characters of a text, or digits of a number, that take as long as one step. */
const CHARACTERS_OF_A_STEP = 32;

/** Counts what an expression does with items, for one check of one payload at a time. */
export class StepCount {
  #left = 0;
  #id = '';

  /** `id`: of the check that is asked next; `bytes`: of the payload. */
  begin(id: string, bytes: number): void {
    this.#id = id;
    this.#left = CHECK_STEPS + CHECK_STEPS_OF_A_BYTE * bytes;
  }

  /** Throws TooCostly. */
  take(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooCostly(`the check ${quote(this.#id)} takes too many steps`);
  }

  /** Counts a text that is about to be read. */
  takeText(length: number): void {
    if (length >= CHARACTERS_OF_A_STEP) this.take(length / CHARACTERS_OF_A_STEP);
  }
}
