/**
 * Fills one text after another with the engine: the text with its insertions, the members that were added, and the
 * insertions as edits in the units of the caller's text. If accept finds the gaps, the result is joined from pieces
 * of the caller's text. The other data about the insertions are made when they are first read.
 */
import type { AcceptCode } from '../engine/compile/code.ts';
import { isOnePointer } from '../engine/compile/context.ts';
import { AT, type FillTable, fillAt, insertionsOf, SHAPE, TEXT } from '../engine/judge/row-log.ts';
import { GapGroups, type GapInsertion } from '../fill/insertion.ts';
import { Follower, NOT_KEPT } from '../json/follow.ts';
import { applyEdits } from '../json/insertions.ts';
import { LineTracker, type Place } from '../json/lines.ts';
import { escapeToken } from '../json/pointer.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { valueWritten } from '../json/value.ts';
import type { FilledPlace, Limits } from '../types.ts';
import type { FillEdit, FillResult } from './api.ts';
import { codeUnitsAt } from './inputs.ts';
import { type OneText, oneText, TEXT_NAME } from './one-text.ts';
import { EngineMaker, TextEngine } from './text-engine.ts';
import { withLazy } from './text-judge.ts';

export interface TextFillerParts {
  readonly limits: Limits;
  /** Number of texts that are examined before code is made for them. */
  readonly first: number;
  /** Makes the accept code with defaults. */
  readonly accept: () => AcceptCode;
}

export class TextFiller {
  readonly #engines: EngineMaker;
  readonly #groups = new GapGroups();

  constructor({ limits, first, accept }: TextFillerParts) {
    this.#engines = new EngineMaker(first, () => new TextEngine(accept(), limits));
  }

  /** Null: the text must be examined. Throws a TypeError if the input is neither a string nor bytes. */
  fill<Text extends string | Uint8Array>(input: Text): FillResult<Text> | null {
    const engine = this.#engines.next();
    if (engine === null) return null;
    const kind = engine.kindOf(input);
    const result = kind < 0 ? null : this.#filled(engine, input, engine.acceptor.kinds[kind]!);
    if (engine.isLarge) this.close();
    return result;
  }

  /** Releases the memory. */
  close(): void {
    this.#engines.drop();
  }

  #filled<Text extends string | Uint8Array>(engine: TextEngine, input: Text, kind: string): FillResult<Text> {
    const verdict = { valid: true, kind, violations: [] };
    const { acceptor, memory, length } = engine;
    if (acceptor.gaps === 0) return { text: input, fills: [], edits: [], ...verdict };
    const insertions: GapInsertion[] = [];
    acceptor.takeGaps((gap) => insertions.push(this.#groups.insertion(memory.bytes, gap)));
    const units = typeof input === 'string' ? unitsOf(engine, input, insertions) : null;
    const text = typeof input === 'string' ? spliced(input, insertions, units!) : joined(engine, insertions);
    // A copy, because the caller may change the bytes before it reads the other members.
    const kept = typeof input === 'string' ? input : memory.copy(length);
    const { exactPaths } = acceptor;
    const more = (): Pick<FillResult<Text>, 'fills' | 'edits'> => {
      const table = tableOf(insertions);
      const paths = insertions.map(({ group }) => group.object.path);
      const pointers = exactPaths && paths.every(isOnePointer) ? paths : null;
      return inserted(TEXT_NAME, table, placesOf(kept, table, units, pointers));
    };
    return withLazy({ text: text as Text, ...verdict }, more, LAZY); // of the same type as the input
  }
}

/** The places of the insertions in the string, in code units. */
function unitsOf(
  { acceptor: { counter }, memory, length }: TextEngine,
  input: string,
  insertions: readonly GapInsertion[],
): readonly number[] {
  const offsets = insertions.map(({ at }) => at);
  if (input.length === length) return offsets;
  let from = 0;
  let units = 0;
  for (const [i, at] of offsets.entries()) {
    const more = counter.codeUnits(from, at);
    if (more < 0) return codeUnitsAt(memory.bytes, offsets);
    from = at;
    units += more;
    offsets[i] = units;
  }
  return offsets;
}

/** The string with the insertions. V8 does not copy its pieces before something reads them. */
function spliced(input: string, insertions: readonly GapInsertion[], units: readonly number[]): string {
  let text = '';
  let from = 0;
  for (let i = 0; i < units.length; i++) {
    text += input.slice(from, units[i]) + insertions[i]!.text;
    from = units[i]!;
  }
  return text + input.slice(from);
}

const LAZY = ['fills', 'edits'] as const;

/** The text with the insertions. */
function joined({ memory, length }: TextEngine, insertions: readonly GapInsertion[]): Buffer {
  const grown = insertions.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const out = Buffer.allocUnsafe(length + grown);
  let to = 0;
  let from = 0;
  for (const { at, bytes } of insertions) {
    to += memory.bytes.copy(out, to, from, at);
    out.set(bytes, to);
    to += bytes.length;
    from = at;
  }
  memory.bytes.copy(out, to, from, length);
  return out;
}

/** The insertions in the form that examine returns. */
function tableOf(insertions: readonly GapInsertion[]): FillTable {
  return {
    length: insertions.length,
    // Where the objects begin is not needed.
    rows: Uint32Array.from(insertions.flatMap(({ at }, i) => [at, 0, i, i])),
    shapes: insertions.map(({ group }) => ({ pattern: group.object.path, members: group.members })),
    texts: insertions.map(({ text }) => text),
  };
}

type Filled<Text extends string | Uint8Array> = Pick<FillResult<Text>, 'text' | 'fills' | 'edits'>;

/** `input`: the text of the caller; `text` contains it as bytes. */
export function filled<Text extends string | Uint8Array>(input: Text, text: OneText, fills: FillTable): Filled<Text> {
  if (fills.length === 0) return { text: input, fills: [], edits: [] };
  return { text: edited(input, text, fills), ...inserted(text.file, fills, placesIn(input, text, fills)) };
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

/** Where an insertion is. */
interface InsertedAt {
  /** The pointer of the object that gets it. */
  readonly object: string;
  readonly place: Place;
  /** In bytes, and in the units of the input. */
  readonly offset: number;
  readonly units: number;
}

/** By row of the table. */
function placesIn(input: string | Uint8Array, text: OneText, fills: FillTable): readonly InsertedAt[] {
  const { bytes } = text;
  const offsets = rowsOf(fills).map((row) => fillAt(fills, row, AT));
  const objects = objectsOf(text, fills);
  const places = new LineTracker(byteOrderMark(bytes)).places(bytes, 0, offsets);
  const units = typeof input === 'string' ? codeUnitsAt(bytes, offsets) : offsets;
  return offsets.map((offset, i) => ({
    ...{ object: objects[i]!, offset, units: units[i]! },
    place: places.get(offset)!, // requested above
  }));
}

/** The same without a look at the text, if it is a string on one line, and the pointers of the objects are known. */
function placesOf(
  input: string | Uint8Array,
  fills: FillTable,
  units: readonly number[] | null,
  pointers: readonly string[] | null,
): readonly InsertedAt[] {
  if (typeof input !== 'string' || units === null || pointers === null || /^\ufeff|\n/.test(input))
    return placesIn(input, oneText(input, TEXT_NAME), fills);
  return units.map((unit, i) => ({
    ...{ object: pointers[i]!, offset: fillAt(fills, i, AT), units: unit },
    place: { line: 1, column: unit + 1 },
  }));
}

function inserted(
  file: string,
  fills: FillTable,
  all: readonly InsertedAt[],
): Pick<FillResult<string>, 'fills' | 'edits'> {
  const places: FilledPlace[] = [];
  const edits: FillEdit[] = [];
  for (const [row, { object, place, offset, units }] of all.entries()) {
    const { line, column } = place;
    for (const { name, text } of fills.shapes[fillAt(fills, row, SHAPE)]!.members) {
      const pointer = `${object}/${escapeToken(name)}`;
      places.push({ file, payload: 0, line, column, offset, pointer, ...valueWritten(text) });
    }
    const text = fills.texts[fillAt(fills, row, TEXT)]!;
    edits.push({ offset: units, length: 0, text, payload: 0, pointer: object });
  }
  return { fills: places, edits };
}
