/**
 * Keywords that a caller of the library judges by functions of its own. They assert something about a value, like those of a
 * draft, and run in this thread only.
 */
import { CallerFault } from '../errors.ts';
import { frozenCopy } from '../json/value.ts';
import { answerOfCaller } from './formats/format.ts';
import type { TypeName } from './names.ts';

/** A keyword that no draft has. */
export interface CallerKeyword {
  readonly name: string;
  /** The types of the values that it is asked about; undefined: all. */
  readonly type: TypeName | readonly TypeName[] | undefined;
  readonly validate: (value: unknown, schemaValue: unknown, place: { readonly pointer: string }) => unknown;
}

export type CallerKeywords = ReadonlyMap<string, CallerKeyword>;

/** A keyword with the value that a schema gives it, frozen. */
export interface PlacedKeyword extends CallerKeyword {
  readonly schemaValue: unknown;
}

/**
 * True, or what the function says of the value: '' if it is only wrong. The function gets a frozen copy, so that it cannot
 * change what others judge. Throws CallerFault.
 */
export function answerOf(
  { name, validate, schemaValue }: PlacedKeyword,
  value: unknown,
  pointer: string,
): true | string {
  const what = `the function of the keyword "${name}"`;
  const answer = answerOfCaller(what, () => validate(frozenCopy(value), schemaValue, { pointer }));
  if (answer === true || typeof answer === 'string') return answer;
  if (answer === false) return '';
  throw new CallerFault(`${what} returned neither true nor a message`);
}
