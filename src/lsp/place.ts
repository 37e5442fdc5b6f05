/**
 * The payload at a position of a document, as text with an offset in it; and edits of its text as edits of the document.
 */
import type { Position, TextEdit } from 'vscode-languageserver';
import { BLANK, type Judged, type KnownLine, type Placed, payloadsIn } from './judgement.ts';
import type { LineText } from './line-text.ts';

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
    const { line } = position;
    const payload = text.line(line);
    const found = text.known[line] ?? null;
    if (payload === null || found === null || found === BLANK) return null;
    const placed = { found, text: payload, offset: line - found.line - 1, line, start: 0 };
    return { placed, offset: text.unitsIn(position) };
  }
  const offset = text.offsetAt(position);
  for (const placed of payloadsIn(document)) {
    const { length } = placed.text;
    const within = offset - placed.start;
    if (length > 0 && within >= 0 && within <= length) return { placed, offset: within };
  }
  return null;
}

/** The position of an offset in a payload's text. */
export function positionIn({ start, line }: Placed, offset: number, text: LineText<KnownLine>): Position {
  return line === null ? text.positionAt(start + offset) : text.position(line, offset);
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
