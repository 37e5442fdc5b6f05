/**
 * Text whose characters may join: cut into graphemes, each with its width. Loading this takes longer than checking a
 * small file does (an `Intl.Segmenter`, and a regular expression of all emoji), so callers first check whether it is
 * needed.
 */
import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

export interface Grapheme {
  readonly text: string;
  /** Index of its first code unit. */
  readonly index: number;
  /** Display columns. */
  readonly width: number;
}

export function* graphemes(text: string): Generator<Grapheme> {
  for (const { segment, index } of segmenter.segment(text)) {
    yield { text: segment, index, width: stringWidth(segment) };
  }
}

/** True for a grapheme that needs a character before or after it, which is missing here. */
export function joinsNeighbours(grapheme: string): boolean {
  return Array.from(segmenter.segment(` ${grapheme} `)).length !== 3;
}
