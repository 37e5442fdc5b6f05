/**
 * Why a regular expression has no automaton. RegExp matches it instead, which is as right and may take longer.
 */

/** The message is a clause about the expression, such as "it looks behind". */
export class Unsupported extends Error {
  override readonly name: string = 'Unsupported';
}

/** It could have an automaton, at too high a price. */
export class TooLarge extends Unsupported {
  override readonly name = 'TooLarge';
}
