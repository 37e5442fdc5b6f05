/**
 * Where schemas and their defaults are in the files: texts, order, lines and columns.
 */
import { LineTracker } from '../json/lines.ts';
import { locate } from '../json/locate.ts';
import type { SchemaNode } from '../schema/node.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Span } from '../types.ts';
import { visible } from '../words/escape.ts';
import type { DefaultMap } from './wanted-defaults.ts';

/** Every node of the files that can have a default, whether a kind leads to it or not. */
export function allNodes({ nodes, unused }: SchemaSet): readonly SchemaNode[] {
  const others = unused?.() ?? [];
  return others.length === 0 ? nodes : [...nodes, ...others];
}

/** The texts of all defaults in the files. */
export function defaultsIn(set: SchemaSet): DefaultMap {
  const having = allNodes(set).filter((node) => node.default !== undefined);
  const places = new Set(having.map(({ origin }) => origin.place));
  const found = foundIn(set, places, DEFAULT);
  return new Map(
    found.map(({ place, bytes, span }) => [place, bytes.toString('utf8', span.start, span.end)]),
  );
}

const DEFAULT = '/default';

/** Those of the schemas at `places` that are in the files, in file order. */
export function inFileOrder(set: SchemaSet, places: Iterable<string>): string[] {
  return foundIn(set, places, '').map(({ place }) => place);
}

/** `s.json:3:14: s.json#/properties/a/default: …`, for the defaults of the schemas at the places; in file order. */
export function saidOf(set: SchemaSet, sentences: ReadonlyMap<string, string>): string[] {
  return foundIn(set, sentences.keys(), DEFAULT).map(({ place, file, bytes, span }) => {
    const { line, column } = new LineTracker(0).places(bytes, 0, [span.start]).get(span.start)!; // just requested
    return `${visible(`${file}:${line}:${column}: ${place}${DEFAULT}`)}: ${sentences.get(place)!}`;
  });
}

interface PlaceInFile {
  /** Place of the schema. */
  readonly place: string;
  readonly file: string;
  /** Bytes of the file. */
  readonly bytes: Buffer;
  readonly span: Span;
}

/** Where the schemas at `places`, or what is `below` them, are in the files; in file order. */
function foundIn({ documents = [] }: SchemaSet, places: Iterable<string>, below: string): PlaceInFile[] {
  const all = [...places];
  return documents.flatMap(({ name, bytes }) => {
    const here = all.filter((place) => place.startsWith(`${name}#`));
    const pointerOf = (place: string): string => `${place.slice(name.length + 1)}${below}`;
    const found = locate(bytes, 0, bytes.length, here.map(pointerOf));
    const inFile = here.flatMap((place) => {
      const span = found.get(pointerOf(place))?.value;
      return span === undefined ? [] : [{ place, file: name, bytes, span }];
    });
    return inFile.sort((a, b) => a.span.start - b.span.start);
  });
}
