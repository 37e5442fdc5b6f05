/**
 * Results whose violations are made when they are read first. They are plain objects: `violations` is a getter among their own members, so that they
 * can be compared, copied and written as JSON.
 */
import type { Violation } from '../types.ts';
import type { Verdict } from './api.ts';

/** Makes the violations of one text; it is called once. */
export interface ViolationSource {
  violations(): readonly Violation[];
}

/** A class whose constructor gives the object that it is given, so that a class below it adds private members to any object. */
const Given: new (given: object) => object = class {
  constructor(given: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for
    return given;
  }
};

class Lazy extends Given {
  #source: ViolationSource | null;
  #made: readonly Violation[] = [];

  constructor(given: object, source: ViolationSource) {
    super(given);
    this.#source = source;
  }

  static violationsOf(given: Lazy): readonly Violation[] {
    if (given.#source !== null) {
      given.#made = given.#source.violations();
      given.#source = null;
    }
    return given.#made;
  }
}

/** One getter for all results: with a function for each, V8 would keep a hidden class for each. */
const VIOLATIONS: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: Lazy): readonly Violation[] {
    return Lazy.violationsOf(this);
  },
};

/** The verdict on an invalid text. */
export function invalidResult(kind: string | null, source: ViolationSource): Verdict {
  const result = { valid: false, kind } as Verdict; // it gets the rest
  new Lazy(result, source);
  return Object.defineProperty(result, 'violations', VIOLATIONS);
}
