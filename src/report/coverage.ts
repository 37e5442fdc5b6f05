/** Coverage as a document, by place of the schemas; its schema is `schemas/coverage.schema.json`. */
import { Judge, loadJudgeModules } from '../engine/judge/judge.ts';
import { type CountedPlace, type PlaceSort, SchemaPlaces } from '../engine/judge/places.ts';
import { countAt, type TallyData } from '../engine/judge/tally.ts';
import { LineTracker } from '../json/lines.ts';
import { locate } from '../json/locate.ts';
import { version } from '../package.ts';
import type { SchemaDocument } from '../schema/document.ts';
import type { LoadedSchemas } from '../schema/load.ts';
import type { Before, Summary } from '../types.ts';

/** How often something was reached, of payloads of one verdict. */
export interface Reach {
  readonly reached: number;
  readonly held: number;
  readonly failed: number;
  /** The least and the most number or size that a limit was compared with. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** A payload: in its source from 0, and the line where it begins. */
export interface PayloadExample {
  readonly file: string;
  readonly payload: number;
  readonly line: number;
}

interface PlaceExamples {
  readonly held?: PayloadExample | undefined;
  readonly failed?: PayloadExample | undefined;
}

/** What is undefined is absent. */
export interface PlaceCoverage extends Omit<CountedPlace, 'place' | 'of' | 'sort'> {
  readonly pointer: string;
  /** In the file, 1-based; null: the place is in no file. */
  readonly line: number | null;
  readonly sort: Exclude<PlaceSort, 'members'>;
  /** A valid payload, or any one of tests, has reached it, or seen the value, or taken the alternative. */
  readonly covered: boolean;
  readonly valid: Reach;
  readonly invalid: Reach;
  /** Of a member: objects in which it could be. */
  readonly objects?: { readonly valid: number; readonly invalid: number } | undefined;
  /** The first payloads in which it held and failed. */
  readonly examples?: PlaceExamples | undefined;
}

export interface SchemaCoverage {
  readonly file: string;
  readonly places: readonly PlaceCoverage[];
}

export interface CoverageSummary
  extends Pick<Summary, 'payloads' | 'valid' | 'invalid' | 'failures' | 'elapsedMs' | 'interrupted' | 'shard'> {
  /** Payloads that could not be counted to their end. */
  readonly uncounted: number;
  /** Those that a valid payload can reach, and those of them that one reached. */
  readonly places: number;
  readonly covered: number;
  /** The payloads are those of tests: invalid ones reach places, too. */
  readonly tests?: true | undefined;
}

export interface CoverageDocument {
  readonly coverageVersion: 1;
  readonly version: string;
  readonly schemas: readonly SchemaCoverage[];
  readonly summary: CoverageSummary;
}

/** Adds up what is counted of the places of one set of schemas. */
export class CoverageCounts {
  readonly #places: readonly CountedPlace[];
  readonly #documents: readonly SchemaDocument[];
  readonly #counts: Float64Array;
  readonly #examples = new Map<number, PayloadExample>();
  readonly #ranges = new Map<number, { readonly least: number; readonly most: number }>();
  uncounted = 0;
  /** The payloads are those of tests: what invalid ones reach is covered, too. */
  readonly tests: boolean;

  constructor(places: readonly CountedPlace[], documents: readonly SchemaDocument[], tests: boolean) {
    this.tests = tests;
    this.#places = places;
    this.#documents = documents;
    this.#counts = new Float64Array(4 * places.length);
  }

  add(data: TallyData, file: string, before: Omit<Before, 'rejects'>): void {
    for (const [i, at] of data.counts.entries()) {
      this.#counts[at]! += data.values[i]!;
      if (this.#examples.has(at)) continue;
      const payload = data.payloads[i]! + before.payloads;
      this.#examples.set(at, { file, payload, line: data.lines[i]! + before.lines });
    }
    for (const [at, least, most] of data.ranges) {
      const known = this.#ranges.get(at) ?? { least, most };
      this.#ranges.set(at, { least: Math.min(known.least, least), most: Math.max(known.most, most) });
    }
    this.uncounted += data.uncounted;
  }

  /** `shown`: how reports name the file at an absolute path. */
  schemas(shown: (path: string) => string): SchemaCoverage[] {
    const byDocument = new Map(this.#documents.map(({ name }) => [`${name}#`, [] as [number, CountedPlace][]]));
    for (const [i, place] of this.#places.entries()) {
      // The name of a file can have this character, too.
      let to = place.place.indexOf('#') + 1;
      while (to > 0 && !byDocument.has(place.place.slice(0, to))) to = place.place.indexOf('#', to) + 1;
      byDocument.get(place.place.slice(0, to))?.push([i, place]);
    }
    return this.#documents.flatMap((document) => {
      const prefix = `${document.name}#`;
      const own = byDocument.get(prefix) ?? [];
      const lines = linesIn(
        document,
        own.map(([, { place }]) => place.slice(prefix.length)),
      );
      const places = own.flatMap(([i, { place }]) => {
        const pointer = place.slice(prefix.length);
        return this.#coverage(i, pointer, lines.get(pointer) ?? null) ?? [];
      });
      places.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
      return places.length === 0 ? [] : [{ file: shown(document.path), places }];
    });
  }

  #coverage(i: number, pointer: string, line: number | null): PlaceCoverage | null {
    const { place: _, of, sort, ...rest } = this.#places[i]!;
    if (sort === 'members') return null;
    const valid = this.#reach(i, true);
    const invalid = this.#reach(i, false);
    const counted = this.tests ? sumOfReach(valid, invalid) : valid;
    const objects = (isValid: boolean): number => this.#counts[countAt(of!, isValid, true)]!; // of a member
    return {
      ...{ pointer, line, sort, ...rest },
      covered: (sort === 'value' || sort === 'alternative' ? counted.held : counted.reached) > 0,
      valid,
      invalid,
      objects: sort === 'member' ? { valid: objects(true), invalid: objects(false) } : undefined,
      examples: examplesOf(this.#example(i, true), this.#example(i, false)),
    };
  }

  #reach(i: number, isValid: boolean): Reach {
    const { of, sort } = this.#places[i]!;
    const sum = (place: number): number =>
      this.#counts[countAt(place, isValid, true)]! + this.#counts[countAt(place, isValid, false)]!;
    const held = this.#counts[countAt(i, isValid, true)]!;
    const reached = of === undefined || sort === 'member' ? sum(i) : sum(of);
    const range = this.#ranges.get(2 * i + (isValid ? 0 : 1));
    return { reached, held, failed: reached - held, ...range };
  }

  /** Of valid payloads, or else of invalid ones. */
  #example(i: number, holds: boolean): PayloadExample | undefined {
    return this.#examples.get(countAt(i, true, holds)) ?? this.#examples.get(countAt(i, false, holds));
  }
}

function examplesOf(held: PayloadExample | undefined, failed: PayloadExample | undefined): PlaceExamples | undefined {
  return (held ?? failed) === undefined ? undefined : { held, failed };
}

/** The lines of places in a schema file, by pointer. */
function linesIn({ bytes }: SchemaDocument, pointers: readonly string[]): Map<string, number> {
  const located = [...locate(bytes, 0, bytes.length, pointers)];
  const starts = located.map(([pointer, { name, value }]) => [pointer, (name ?? value).start] as const);
  starts.sort(([, a], [, b]) => a - b);
  const tracker = new LineTracker(0);
  return new Map(
    starts.map(([pointer, start]) => {
      tracker.advance(bytes, 0, start);
      return [pointer, tracker.line];
    }),
  );
}

/** The document of a run. The same place in two sets of schemas is one. `facts`: what its counts do not have. */
export function coverageDocument(
  schemas: readonly SchemaCoverage[],
  facts: Omit<CoverageSummary, 'places' | 'covered'>,
): CoverageDocument {
  const byFile = new Map<string, Map<string, PlaceCoverage>>();
  for (const { file, places } of schemas) {
    const known = byFile.get(file) ?? new Map<string, PlaceCoverage>();
    byFile.set(file, known);
    for (const one of places) {
      const other = known.get(one.pointer);
      known.set(one.pointer, other === undefined ? one : sumOfPlaces(other, one));
    }
  }
  const all = [...byFile].map(([file, places]) => ({ file, places: [...places.values()] }));
  const reachable = all.flatMap(({ places }) => places).filter(({ unreachable }) => !unreachable);
  const covered = reachable.filter((place) => place.covered).length;
  const summary = { ...facts, places: reachable.length, covered };
  return { coverageVersion: 1, version: version(), schemas: all, summary };
}

/** The document of all runs: their counts are added. */
export function mergedCoverage(documents: readonly CoverageDocument[]): CoverageDocument {
  const summaries = documents.map(({ summary }) => summary);
  const isSome = (name: 'interrupted' | 'tests'): boolean => summaries.some((one) => one[name]);
  const total = (name: 'payloads' | 'valid' | 'invalid' | 'failures' | 'uncounted' | 'elapsedMs'): number =>
    summaries.reduce((sum, one) => sum + one[name], 0);
  return coverageDocument(
    documents.flatMap(({ schemas }) => schemas),
    {
      ...(isSome('tests') ? { tests: true } : {}),
      ...{ payloads: total('payloads'), valid: total('valid'), invalid: total('invalid') },
      ...{ failures: total('failures'), elapsedMs: total('elapsedMs') },
      ...(isSome('interrupted') ? { interrupted: true } : {}),
      uncounted: total('uncounted'),
    },
  );
}

/** For people: of tests, what all payloads reached, whatever their verdict; else the document as it is. */
export function asCounted(document: CoverageDocument): CoverageDocument {
  if (!document.summary.tests) return document;
  const schemas = document.schemas.map(({ file, places }) => ({
    file,
    places: places.map(({ valid, invalid, objects, ...place }) => ({
      ...place,
      valid: sumOfReach(valid, invalid),
      invalid: NO_REACH,
      objects: objects && { valid: objects.valid + objects.invalid, invalid: 0 },
    })),
  }));
  return { ...document, schemas };
}

const NO_REACH: Reach = { reached: 0, held: 0, failed: 0 };

/** Without what payloads show. */
export function redactedCoverage(document: CoverageDocument): CoverageDocument {
  const bare = ({ reached, held, failed }: Reach): Reach => ({ reached, held, failed });
  const schemas = document.schemas.map(({ file, places }) => ({
    file,
    places: places.map(({ examples: _, valid, invalid, ...place }) => ({
      ...place,
      valid: bare(valid),
      invalid: bare(invalid),
    })),
  }));
  return { ...document, schemas };
}

function sumOfPlaces(a: PlaceCoverage, b: PlaceCoverage): PlaceCoverage {
  const [one, other] = [a.objects, b.objects];
  return {
    ...a,
    // Another schema may lead there in another way.
    unreachable: a.unreachable && b.unreachable,
    covered: a.covered || b.covered,
    valid: sumOfReach(a.valid, b.valid),
    invalid: sumOfReach(a.invalid, b.invalid),
    objects: one && other && { valid: one.valid + other.valid, invalid: one.invalid + other.invalid },
    examples: examplesOf(firstExample('held', a, b), firstExample('failed', a, b)),
  };
}

/** As in one run over the sources in their order: that of a valid payload, or else of an invalid one; of these, the first. */
function firstExample(name: keyof PlaceExamples, a: PlaceCoverage, b: PlaceCoverage): PayloadExample | undefined {
  const [one, other] = [a.examples?.[name], b.examples?.[name]];
  if (one === undefined || other === undefined) return one ?? other;
  const [isValid, isOtherValid] = [a.valid[name] > 0, b.valid[name] > 0];
  if (isValid !== isOtherValid) return isValid ? one : other;
  const order = Buffer.compare(Buffer.from(one.file), Buffer.from(other.file)) || one.payload - other.payload;
  return order <= 0 ? one : other;
}

function sumOfReach(a: Reach, b: Reach): Reach {
  const of = (pick: (...numbers: number[]) => number, one?: number, other?: number): number | undefined =>
    one === undefined || other === undefined ? (one ?? other) : pick(one, other);
  return {
    reached: a.reached + b.reached,
    held: a.held + b.held,
    failed: a.failed + b.failed,
    least: of(Math.min, a.least, b.least),
    most: of(Math.max, a.most, b.most),
  };
}

/** What is counted of the places of the schemas: by payloads of `kind` (null: of any), or by tests. */
export async function countsFor(
  set: LoadedSchemas,
  by: { readonly kind: string | null } | 'tests',
): Promise<CoverageCounts> {
  const judge = new Judge(await loadJudgeModules(set));
  const tests = by === 'tests';
  return new CoverageCounts(new SchemaPlaces(set, tests ? null : by.kind, judge).all, set.documents, tests);
}
