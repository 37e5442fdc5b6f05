/**
 * What `fill` and `prune` of the library say of one text. `fill` has an engine for one text after another: if it
 * finds the gaps, the result is joined from pieces of the caller's text, and the other data about the insertions are
 * made when they are first read.
 */
import { isOnePointer } from '../engine/compile/context.ts';
import type { EngineMaker, TextEngine } from '../engine/text-engine.ts';
import {
  AT,
  applyEdits,
  deletionsOf,
  type FillTable,
  FROM,
  fillAt,
  insertionsOf,
  NAME,
  REMOVAL_WIDTH,
  type Removals,
  SHAPE,
  TEXT,
  TO,
  VALUE,
} from '../json/edits.ts';
import { Follower, NOT_KEPT } from '../json/follow.ts';
import { LineTracker, type Place } from '../json/lines.ts';
import { escapeToken } from '../json/pointer.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { valueWritten } from '../json/value.ts';
import { GapGroups, type GapInsertion } from '../repair/insertion.ts';
import { removedValue } from '../repair/removal-edits.ts';
import type { FilledPlace, PrunedPlace } from '../types.ts';
import { showsText, type Wording } from '../words/rule.ts';
import type { FillEdit, FillResult, PruneResult } from './api.ts';
import { bytesOf, codeUnitsAt } from './inputs.ts';
import { type OneText, TEXT_NAME } from './one-text.ts';
import { withLazy } from './text-judge.ts';

export class TextFiller {
  readonly #engines: EngineMaker;
  readonly #groups = new GapGroups();

  /** `engines`: with code for the defaults. */
  constructor(engines: EngineMaker) {
    this.#engines = engines;
  }

  /** Null: the text must be examined. Throws a TypeError if the input is neither a string nor bytes. */
  fill<Text extends string | Uint8Array>(input: Text): FillResult<Text> | null {
    const engine = this.#engines.next();
    if (engine === null) return null;
    engine.acceptor.dropGaps();
    const kind = engine.kindOf(input);
    const result = kind < 0 ? null : this.#filled(engine, input, engine.acceptor.kinds[kind]!);
    if (engine.isLarge) this.#engines.drop();
    return result;
  }

  #filled<Text extends string | Uint8Array>(engine: TextEngine, input: Text, kind: string): FillResult<Text> {
    const verdict = { valid: true, kind, violations: [] };
    const { acceptor, bytes } = engine;
    if (acceptor.gaps === 0) return { text: input, fills: [], edits: [], ...verdict };
    const insertions: GapInsertion[] = [];
    acceptor.takeGaps((gap) => insertions.push(this.#groups.insertion(bytes, gap)));
    const units = typeof input === 'string' ? unitsOf(engine, input, insertions) : null;
    const text = typeof input === 'string' ? spliced(input, insertions, units!) : joined(engine, insertions);
    // A copy, because the caller may change the bytes before it reads the other members.
    const original = typeof input === 'string' ? input : engine.text();
    const { exactPaths } = acceptor;
    const more = (): Pick<FillResult<Text>, 'fills' | 'edits'> => {
      const table = tableOf(insertions);
      const paths = insertions.map(({ group }) => group.object.path);
      const pointers = exactPaths && paths.every(isOnePointer) ? paths : null;
      return inserted(table, placesOf(original, table, units, pointers));
    };
    return withLazy({ text: text as Text, ...verdict }, more, ['fills', 'edits']); // of the same type as the input
  }
}

function unitsOf(
  { acceptor: { counter }, bytes, length }: TextEngine,
  input: string,
  insertions: readonly GapInsertion[],
): readonly number[] {
  const offsets = insertions.map(({ at }) => at);
  if (input.length === length) return offsets;
  let from = 0;
  let units = 0;
  for (const [i, at] of offsets.entries()) {
    const more = counter.codeUnits(from, at);
    if (more < 0) return codeUnitsAt(bytes, offsets);
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

function joined({ bytes: text, length }: TextEngine, insertions: readonly GapInsertion[]): Buffer {
  const grown = insertions.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const out = Buffer.allocUnsafe(length + grown);
  let to = 0;
  let from = 0;
  for (const { at, bytes } of insertions) {
    to += text.copy(out, to, from, at);
    out.set(bytes, to);
    to += bytes.length;
    from = at;
  }
  text.copy(out, to, from, length);
  return out;
}

function tableOf(insertions: readonly GapInsertion[]): FillTable {
  return {
    length: insertions.length,
    // Where the objects begin is not needed.
    rows: Uint32Array.from(insertions.flatMap(({ at }, i) => [at, 0, i, i])),
    shapes: insertions.map(({ group }) => ({ pattern: group.object.path, members: group.members })),
    texts: insertions.map(({ text }) => text),
  };
}

/** `input`: the text of the caller, which is `bytes`. */
export function filled<Text extends string | Uint8Array>(
  input: Text,
  { bytes }: OneText,
  fills: FillTable,
): Pick<FillResult<Text>, 'text' | 'fills' | 'edits'> {
  if (fills.length === 0) return { text: input, fills: [], edits: [] };
  const edited = applyEdits(bytes, { start: 0, end: bytes.length }, 0, insertionsOf(fills));
  const text = (typeof input === 'string' ? Buffer.from(edited).toString() : edited) as Text; // the type of the input
  return { text, ...inserted(fills, placesIn(input, bytes, fills)) };
}

interface InsertedAt {
  readonly object: string;
  readonly place: Place;
  /** In bytes, and in the units of the input. */
  readonly offset: number;
  readonly units: number;
}

function placesIn(input: string | Uint8Array, bytes: Buffer, fills: FillTable): readonly InsertedAt[] {
  const offsets = Array.from({ length: fills.length }, (_, row) => fillAt(fills, row, AT));
  const follower = new Follower(bytes, byteOrderMark(bytes), bytes.length, NOT_KEPT);
  const objects = offsets.map((offset) => follower.around(offset));
  const places = new LineTracker(byteOrderMark(bytes)).places(bytes, 0, offsets);
  const units = typeof input === 'string' ? codeUnitsAt(bytes, offsets) : offsets;
  return offsets.map((offset, i) => ({
    ...{ object: objects[i]!, offset, units: units[i]! },
    place: places.get(offset),
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
    return placesIn(input, bytesOf(input), fills);
  return units.map((unit, i) => ({
    ...{ object: pointers[i]!, offset: fillAt(fills, i, AT), units: unit },
    place: { line: 1, column: unit + 1 },
  }));
}

function inserted(fills: FillTable, all: readonly InsertedAt[]): Pick<FillResult<string>, 'fills' | 'edits'> {
  const places: FilledPlace[] = [];
  const edits: FillEdit[] = [];
  for (const [row, { object, place, offset, units }] of all.entries()) {
    const { line, column } = place;
    for (const { name, text } of fills.shapes[fillAt(fills, row, SHAPE)]!.members) {
      const pointer = `${object}/${escapeToken(name)}`;
      places.push({ file: TEXT_NAME, payload: 0, line, column, offset, pointer, ...valueWritten(text) });
    }
    const text = fills.texts[fillAt(fills, row, TEXT)]!;
    edits.push({ offset: units, length: 0, text, payload: 0, pointer: object });
  }
  return { fills: places, edits };
}

/** The text without the members, each of them, and the edits. `input`: the text of the caller, which is `bytes`. */
export function withoutMembers<Text extends string | Uint8Array>(
  input: Text,
  { bytes, start, end }: OneText,
  removals: Removals,
  wording: Wording,
): Pick<PruneResult<Text>, 'text' | 'removed' | 'edits'> {
  if (removals.length === 0) return { text: input, removed: [], edits: [] };
  const left = applyEdits(bytes, { start: 0, end: bytes.length }, 0, deletionsOf(removals));
  const text = (typeof input === 'string' ? Buffer.from(left).toString() : left) as Text; // the type of the input
  const rows = Array.from({ length: removals.length }, (_, i) =>
    removals.rows.slice(i * REMOVAL_WIDTH, (i + 1) * REMOVAL_WIDTH),
  );
  const names = rows.map((row) => row[NAME]!);
  const places = new LineTracker(byteOrderMark(bytes)).places(bytes, 0, names);
  const follower = new Follower(bytes, start, end, NOT_KEPT);
  const removed: PrunedPlace[] = rows.map((row) => {
    const [name, value] = [row[NAME]!, row[VALUE]!];
    const { line, column } = places.get(name);
    const place = { file: TEXT_NAME, payload: 0, line, column, offset: name, pointer: follower.seek(name).pointer };
    return showsText(wording) ? { ...place, ...removedValue(bytes, value, end) } : place;
  });
  const bounds = rows.flatMap((row) => [row[FROM]!, row[TO]!]);
  const units = typeof input === 'string' ? codeUnitsAt(bytes, bounds) : bounds;
  const edits: FillEdit[] = removed.map(({ pointer }, i) => {
    const [offset, to] = [units[2 * i]!, units[2 * i + 1]!];
    return { offset, length: to - offset, text: '', payload: 0, pointer };
  });
  return { text, removed, edits: edits.filter(({ length }) => length > 0) };
}
