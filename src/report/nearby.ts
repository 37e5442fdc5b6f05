/**
 * Cuts a line to what is near a violation, for reports with many code frames.
 */
import type { Excerpt } from '../types.ts';

/** Code units before and after the beginning of the violation. */
const BEFORE = 100;
const AFTER = 160;

/** A piece of a line, and whether the line continues before or after it. */
type Piece = Pick<Excerpt, 'text' | 'cutBefore' | 'cutAfter'>;

/** The piece of a line around `at`, the place of the violation; `first` is its first code unit. */
export function nearby({ text, cutBefore, cutAfter }: Piece, at: number): Piece & { readonly first: number } {
  const first = beforePair(text, Math.max(0, at - BEFORE));
  const end = beforePair(text, Math.min(text.length, at + AFTER));
  return {
    text: text.slice(first, end),
    cutBefore: cutBefore || first > 0,
    cutAfter: cutAfter || end < text.length,
    first,
  };
}

/** `index`, or one less if it is in the middle of a surrogate pair. */
export function beforePair(text: string, index: number): number {
  return index > 0 && index < text.length && text.codePointAt(index - 1)! > 0xffff ? index - 1 : index;
}
