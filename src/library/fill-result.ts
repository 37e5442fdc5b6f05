/**
 * What `fill` changes in one text: the text with its insertions, the members that were added, and the insertions as
 * edits in the units of the caller's text.
 */
import { AT, type FillTable, fillAt, insertionsOf, SHAPE, TEXT } from '../examine/fill-table.ts';
import { Follower, NOT_KEPT } from '../json/follow.ts';
import { applyEdits } from '../json/insertions.ts';
import { LineTracker } from '../json/lines.ts';
import { escapeToken } from '../json/pointer.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { valueWritten } from '../json/value.ts';
import type { FilledPlace } from '../types.ts';
import type { FillEdit, FillResult } from './api.ts';
import { codeUnitsAt } from './inputs.ts';
import type { OneText } from './one-text.ts';

type Filled<Text extends string | Uint8Array> = Pick<FillResult<Text>, 'text' | 'fills' | 'edits'>;

/** `input`: the text of the caller; `text` contains it as bytes. */
export function filled<Text extends string | Uint8Array>(
  input: Text,
  text: OneText,
  fills: FillTable,
): Filled<Text> {
  if (fills.length === 0) return { text: input, fills: [], edits: [] };
  const objects = objectsOf(text, fills);
  return {
    text: edited(input, text, fills),
    fills: placesOf(text, fills, objects),
    edits: editsOf(input, text, fills, objects),
  };
}

/** The input with the edits, of the same type. */
function edited<Text extends string | Uint8Array>(input: Text, { bytes }: OneText, fills: FillTable): Text {
  const filled = applyEdits(bytes, { start: 0, end: bytes.length }, 0, insertionsOf(fills));
  return (typeof input === 'string' ? Buffer.from(filled).toString() : filled) as Text; // the type of the input
}

/** The rows of the table, in the order of the text. */
function rowsOf({ length }: FillTable): number[] {
  return Array.from({ length }, (_, row) => row);
}

/** By row, the pointer of the object that gets the insertion. */
function objectsOf({ bytes }: OneText, fills: FillTable): readonly string[] {
  const follower = new Follower(bytes, byteOrderMark(bytes), bytes.length, NOT_KEPT);
  return rowsOf(fills).map((row) => follower.around(fillAt(fills, row, AT)));
}

function placesOf({ bytes, file }: OneText, fills: FillTable, objects: readonly string[]): FilledPlace[] {
  const rows = rowsOf(fills);
  const offsets = rows.map((row) => fillAt(fills, row, AT));
  const places = new LineTracker(byteOrderMark(bytes)).places(bytes, 0, offsets);
  return rows.flatMap((row) => {
    const offset = offsets[row]!;
    const { line, column } = places.get(offset)!; // requested above
    return fills.shapes[fillAt(fills, row, SHAPE)]!.members.map(({ name, text }) => {
      const pointer = `${objects[row]}/${escapeToken(name)}`;
      return { file, payload: 0, line, column, offset, pointer, ...valueWritten(text) };
    });
  });
}

function editsOf(
  input: string | Uint8Array,
  { bytes }: OneText,
  fills: FillTable,
  objects: readonly string[],
): FillEdit[] {
  const rows = rowsOf(fills);
  const inBytes = rows.map((row) => fillAt(fills, row, AT));
  const offsets = typeof input === 'string' ? codeUnitsAt(bytes, inBytes) : inBytes;
  return rows.map((row) => ({
    offset: offsets[row]!,
    length: 0,
    text: fills.texts[fillAt(fills, row, TEXT)]!,
    payload: 0,
    pointer: objects[row]!,
  }));
}
