/**
 * Checks arguments of the library, because JavaScript can pass any value where the types are not checked. Messages name
 * the argument.
 */
import { UsageError } from '../errors.ts';
import type { SchemaSet } from '../schema/set.ts';
import { FRAMING_ALIASES, FRAMINGS, type Framing, type FramingName } from '../types.ts';
import { visible } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import type { FileOptions, FillOptions, PaylintOptions, PayloadOptions } from './api.ts';

const PAYLOADS = { input: true, whole: true, kind: true, file: true, signal: true } as const;

/** The names of the options of each call. The compiler checks them against the types. */
const OPTIONS = {
  openPaylint: {
    schema: true,
    schemas: true,
    kind: true,
    assertFormats: true,
    formats: true,
    keywords: true,
    maxPayloadBytes: true,
    maxDepth: true,
    redact: true,
    strictSchema: true,
    draft: true,
    refs: true,
    vocabularies: true,
    rules: true,
    advice: true,
    baseline: true,
    config: true,
  } satisfies Record<keyof PaylintOptions, true>,
  fill: { deep: true } satisfies Record<keyof FillOptions, true>,
  payloads: PAYLOADS satisfies Record<keyof PayloadOptions, true>,
  payloadsOf: PAYLOADS,
  validateFiles: {
    threads: true,
    ignore: true,
    cwd: true,
    signal: true,
    onEvent: true,
    input: true,
    whole: true,
  } satisfies Record<keyof FileOptions, true>,
  isValid: {},
  validate: {},
  validateValue: {},
  kindOf: {},
} as const;

/** Refuses options that a call does not have, because a misspelt option would have no effect. Throws UsageError. */
export function requireOptions(call: keyof typeof OPTIONS, options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new UsageError(`${call}: expected an object with options`);
  const names = Object.keys(OPTIONS[call]);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const near = nearMiss(unknown, names);
  const listed = names.length === 0 ? 'it takes no options' : `there are ${names.join(', ')}`;
  const hint = near === null ? listed : `did you mean "${near}"?`;
  throw new UsageError(`${call} has no option "${visible(unknown)}"; ${hint}`);
}

/** Refuses limits that are not numbers, because NaN would mean that there is no limit. Throws UsageError. */
export function wholeNumber(name: string, value: number, most: number): number {
  const isNumber = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
  if (isNumber && value >= 1 && value <= most) return value;
  const range = most === Number.POSITIVE_INFINITY ? '1 or more' : `1 to ${most}`;
  throw new UsageError(`${name}: expected a whole number, ${range}, found ${String(value)}`);
}

/** Throws UsageError. */
export function pathText(name: string, value: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError(`${name}: expected a path, as a string`);
}

/** Throws UsageError. */
export function wordText(call: string, value: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError(`${call}: expected a string`);
}

/** Throws UsageError. */
export function pathList(name: string, value: readonly string[]): readonly string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new UsageError(`${name}: expected a list of paths, such as ["a.json"]`);
}

/** `kind` if the schemas have it; null for undefined. Throws UsageError for an unknown kind. */
export function knownKind({ kinds }: SchemaSet, kind: string | undefined): string | null {
  if (kind === undefined || kinds.some(({ name }) => name === kind)) return kind ?? null;
  throw new UsageError(`there is no kind "${kind}"; there are ${kinds.map(({ name }) => name).join(', ')}`);
}

/** The framing; null for undefined. Throws UsageError for an unknown one. */
export function knownFraming(name: FramingName | undefined): Framing | null {
  if (name === undefined) return null;
  const meant = Object.entries(FRAMING_ALIASES).find(([alias]) => alias === name)?.[1] ?? name;
  const framing = FRAMINGS.find((one) => one === meant);
  if (framing !== undefined) return framing;
  throw new UsageError(`there is no framing "${String(name)}"; there are ${FRAMINGS.join(', ')}`);
}
