/**
 * The payload at a position of a document, as text with an offset in it; and edits of its text as edits of the document.
 */
import type { Position, TextEdit } from 'vscode-languageserver';
import type { Found, Judged, KnownLine, Placed } from './judge.ts';
import { BLANK, payloadsIn } from './judge.ts';
import type { LineText } from './text.ts';

/** A position in the text of a payload. */
export interface At {
  readonly placed: Placed;
  /** In UTF-16 code units of the payload's text. */
  readonly offset: number;
}

/** A change of a payload's text, in UTF-16 code units. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Null: there is no payload at the position, or it is not known. */
export function payloadAt(document: Judged, position: Position): At | null {
  const { text, whole } = document;
  if (whole === null) {
    const known = text.lines[position.line]?.known ?? null;
    if (known === null || known === BLANK) return null;
    const placed = { found: known, offset: position.line - known.line - 1, line: position.line };
    return { placed, offset: text.unitsIn(position) };
  }
  const offset = text.offsetAt(position);
  const contains = ({ start, text: { length } }: Found): boolean =>
    length > 0 && start <= offset && offset <= start + length;
  for (const placed of payloadsIn(document))
    if (contains(placed.found)) return { placed, offset: offset - placed.found.start };
  return null;
}

/** The position of an offset in a payload's text. */
export function positionIn({ found, line }: Placed, offset: number, text: LineText<KnownLine>): Position {
  return line === null ? text.positionAt(found.start + offset) : text.position(line, offset);
}

export function editsOf(
  placed: Placed,
  changes: readonly TextChange[],
  text: LineText<KnownLine>,
): TextEdit[] {
  return changes.map(({ offset, length, text: newText }) => ({
    range: { start: positionIn(placed, offset, text), end: positionIn(placed, offset + length, text) },
    newText,
  }));
}
