/**
 * Makes texts by walking through an automaton: texts that it matches, or fails at the last character. RegExp shows if
 * it is wrong.
 */
import { type Automaton, FAILED } from '../../src/regex/automaton.ts';
import type { Random } from '../mutations/mutate.ts';

type Step = readonly (readonly [first: number, last: number])[];

/** The bytes of a character that are tried, all of them well-formed UTF-8. ASCII comes most often. */
const TAILS: readonly Step[] = [
  [[0xc2, 0xdf]],
  [
    [0xe1, 0xec],
    [0x80, 0xbf],
  ],
  [
    [0xee, 0xef],
    [0x80, 0xbf],
  ],
  [
    [0xf1, 0xf3],
    [0x80, 0xbf],
    [0x80, 0xbf],
  ],
];
const CHARACTERS: readonly Step[] = [...Array<Step>(8).fill([]), ...TAILS];

/** A text of up to `length` characters, each of which keeps a match possible if there is one. */
export function walk(
  { classes, classCount, transitions, start, lastAccepting }: Automaton,
  length: number,
  random: Random,
): string {
  const bytes: number[] = [];
  let state = start;
  const next = (byte: number): number => transitions[state * classCount + classes[byte]!]!;
  const take = (first: number, last: number): boolean => {
    const open: number[] = [];
    for (let byte = first; byte <= last; byte++) if (next(byte) !== FAILED) open.push(byte);
    if (open.length === 0) return false;
    const byte = open[random(open.length)]!;
    state = next(byte);
    bytes.push(byte);
    return true;
  };
  for (let i = 0; i < length; i++) {
    if (state !== FAILED && state <= lastAccepting && random(8) === 0) break;
    const before = bytes.length;
    const step = CHARACTERS[random(CHARACTERS.length)]!;
    const ranges: Step = step.length === 0 ? [[0, 0x7f]] : [...step, [0x80, 0xbf]];
    if (!ranges.every(([first, last]) => take(first, last))) {
      bytes.length = before;
      break;
    }
  }
  return Buffer.from(bytes).toString();
}
