/**
 * The reason why a regular expression has no automaton. RegExp matches it instead: with the same result, perhaps
 * slower.
 */

/** The message is a clause about the expression, such as "it looks behind". */
export class Unsupported extends Error {
  override readonly name: string = 'Unsupported';
}

/** An automaton exists but costs too much. */
export class TooLarge extends Unsupported {
  override readonly name = 'TooLarge';
}
