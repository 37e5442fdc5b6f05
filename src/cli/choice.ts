/**
 * One of several words that a flag or an argument accepts. The error for another word names the near miss.
 */
import { nearMiss } from '../words/near.ts';
import { type FlagSpec, InvalidValue } from './flags.ts';

/** The choice of a flag that `value` names. Throws InvalidValue. */
export function chosen(
  value: string,
  { choices = [], aliases = {} }: Pick<FlagSpec, 'choices' | 'aliases'>,
): string {
  if (choices.includes(value)) return value;
  if (Object.hasOwn(aliases, value)) return aliases[value]!;
  const near = nearMiss(value, choices);
  const guess = near === null ? '' : ` (did you mean ${near}?)`;
  throw new InvalidValue(`expected ${choices.join(', ').replace(/, ([^,]*)$/, ' or $1')}${guess}`);
}
